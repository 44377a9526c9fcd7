//! Pinned results: a change of any of them must be meant, and be explained where it is made.
//!
//! Numbers are written with all their digits, because a run is the same bit for bit on every machine.

use crate::program::Folder;
use expect_test::{Expect, expect};
use std::fmt::Write;
use table::Frame;

/// The columns that are pinned; the other metrics are made of the same sums.
const PINNED: &[&str] = &[
    "jobs",
    "killed",
    "backfilled",
    "mean_wait_s",
    "p95_wait_s",
    "mean_slowdown",
    "mean_bounded_slowdown",
    "utilization",
    "makespan_s",
    "mean_level_excess",
    "offered_load",
];

/// Axis values, seed and pinned metrics of every run, one per line.
fn lines(runs: &Frame, axes: &[&str]) -> String {
    let mut text = String::new();
    for row in 0..runs.len() {
        let cell = |name: &str| {
            let column = runs.column(name).unwrap_or_else(|| panic!("no column {name}"));
            column.cells.printed(row).unwrap_or_else(|| "-".to_owned())
        };
        let cells: Vec<String> =
            axes.iter().chain(["seed"].iter()).chain(PINNED).map(|name| cell(name)).collect();
        writeln!(text, "{}", cells.join(" ")).unwrap();
    }
    text
}

#[track_caller]
fn check(base: &str, axes: &str, names: &[&str], expected: Expect) {
    let folder = Folder::new();
    let experiment = format!(
        "(format: 1, name: \"golden\", study: \"golden\", title: \"Pinned\", source: \"none\", seed: 2026, replications: 1, \
         modes: [Twin], base: ({base}), axes: {{{axes}}})"
    );
    folder.write("e.ron", experiment).call("run e.ron --out out").done();
    let runs = Frame::read_parquet(&folder.path("out/golden/golden/runs.parquet")).unwrap();
    expected.assert_eq(&lines(&runs, names));
}

#[test]
fn policies_on_a_model() {
    check(
        "machine: Flat(nodes: 128), workload: (source: LublinFeitelson(), jobs: 1000, load: (target: 0.75)), policy: Fcfs",
        "\"policy\": [Fcfs, Easy(), Conservative(), Conservative(early_end: Replan), \
         Priority(order: ShortestFirst, reservations: AtMost(1)), Priority(order: LargestExpansionFirst, reservations: All), Iterative]",
        &["policy"],
        expect![[r#"
            Fcfs 9677986225475811925 1000 0 0 92215.944899314 265162.351861 4474.018247553177 2638.703587039218 0.5369035084425036 1096648.213653 - 0.75
            Easy 9677986225475811925 1000 0 743 7341.076587056 34590.316029 202.21666071972402 113.75282497012003 0.6678585672289078 881615.213653 - 0.75
            Conservative 9677986225475811925 1000 0 755 7759.000670667 34504.681519 210.38433721151452 112.90956488720366 0.6689109304892289 880228.213653 - 0.75
            Conservative(early_end: Replan) 9677986225475811925 1000 0 755 7759.000670667 34504.681519 210.38433721151452 112.90956488720366 0.6689109304892289 880228.213653 - 0.75
            Priority(order: ShortestFirst, reservations: AtMost(1)) 9677986225475811925 1000 0 820 5090.408755119 22888.206276 67.92790665648793 36.64533519718275 0.612379436595291 961486.03015 - 0.75
            Priority(order: LargestExpansionFirst, reservations: All) 9677986225475811925 1000 0 781 7323.228797993 32341.407546 145.1225427515535 77.02886550337251 0.636124332351942 925596.213653 - 0.75
            Iterative 9677986225475811925 1000 0 755 7759.000670667 34504.681519 210.38433721151452 112.90956488720366 0.6689109304892289 880228.213653 - 0.75
        "#]],
    );
}

#[test]
fn policies_on_hosts() {
    check(
        "machine: Hosts(hosts: [(name: \"a\", processors: 64, memory_mb: 8), (name: \"b\", processors: 64, memory_mb: 4)]), \
         workload: (source: LublinFeitelson(), jobs: 1000, load: (target: 0.7)), policy: Fcfs",
        "\"policy\": [Fcfs, PriorityBackfill(), PriorityBackfill(order: ShortestFirst, holders: FixedJob), \
         PriorityBackfill(order: NcsaMs, reservations: AtMost(2), holders: FixedJob, slide: NonSliding), \
         PriorityBackfill(order: LxfW, reservations: All)]",
        &["policy"],
        expect![[r#"
            Fcfs 9677986225475811925 1000 0 0 25051.728427012 73314.063291 1284.7781648603734 756.6604773858741 0.5643749634793113 461845.171082 - 0.7000000000005371
            PriorityBackfill 9677986225475811925 1000 0 577 2433.9707730530004 15916.834668 117.90931941207356 56.86526510592953 0.6500674077839352 400964.343761 - 0.7000000000005371
            PriorityBackfill(order: ShortestFirst, holders: FixedJob) 9677986225475811925 1000 0 610 1266.670346028 6368.568018 34.330873975345966 19.19114330773166 0.6172516370284189 422281.345121 - 0.7000000000005371
            PriorityBackfill(order: NcsaMs, reservations: AtMost(2), holders: FixedJob, slide: NonSliding) 9677986225475811925 1000 0 606 2029.750991693 10322.771874 64.89074629780634 39.11038406759447 0.6352395217628549 410323.732439 - 0.7000000000005371
            PriorityBackfill(order: LxfW, reservations: All) 9677986225475811925 1000 0 581 1523.203083511 8533.050838 65.33342223355221 25.170041073438274 0.6373483647604726 408966.063105 - 0.7000000000005371
        "#]],
    );
}

#[test]
fn jobs_in_a_mini_grid() {
    check(
        "machine: Clusters(clusters: 4, nodes_per_cluster: 32), workload: (source: LublinFeitelson(), jobs: 1000, load: (target: 0.7)), policy: Fcfs",
        "\"policy\": [Fcfs, CoAllocation(), CoAllocation(queue: StrictPerCluster, home_first: false, split: Even), \
         CoAllocation(pick: LargestFits, split: FewestIdle)], \"communication\": [Ideal, FixedPenalty(penalty: 0.5)]",
        &["policy", "communication"],
        expect![[r#"
            Fcfs Ideal 9677986225475811925 1000 0 0 86535.437816123 254388.019851 4197.273271618112 2475.6706019521084 0.5183119813009026 1135984.300343 - 0.7000000000002378
            CoAllocation Ideal 9677986225475811925 1000 0 799 8045.96205364 49011.107235 365.4597948780474 174.20417161877404 0.6453137143557508 912415.559036 - 0.7000000000002378
            CoAllocation(queue: StrictPerCluster, home_first: false, split: Even) Ideal 9677986225475811925 1000 0 0 86535.437816123 254388.019851 4197.273271618112 2475.6706019521084 0.5183119813009026 1135984.300343 - 0.7000000000002378
            CoAllocation(pick: LargestFits, split: FewestIdle) Ideal 9677986225475811925 1000 0 779 16903.826849004 102484.778834 907.8950697628562 451.4200133336519 0.6366213713052874 924873.559036 - 0.7000000000002378
            Fcfs FixedPenalty(penalty: 0.5) 9677986225475811925 1000 0 0 172133.496330847 464931.964681 8356.260492282432 4959.290884347722 0.6140690451363716 1356701.137124 - 0.7000000000002378
            CoAllocation FixedPenalty(penalty: 0.5) 9677986225475811925 1000 0 840 8843.037786851 37343.517809 278.5825930418151 142.8687937330881 0.7691177654762714 1034173.326601 - 0.7000000000002378
            CoAllocation(queue: StrictPerCluster, home_first: false, split: Even) FixedPenalty(penalty: 0.5) 9677986225475811925 1000 0 0 152738.784008382 427934.666778 7389.828808358222 4381.679543833767 0.60559670219956 1319703.839221 - 0.7000000000002378
            CoAllocation(pick: LargestFits, split: FewestIdle) FixedPenalty(penalty: 0.5) 9677986225475811925 1000 0 826 10637.10521091 39666.019702 379.0216980279802 210.2346066843173 0.7916207281074601 1026810.782357 - 0.7000000000002378
        "#]],
    );
}

#[test]
fn allocators_on_twins() {
    check(
        "machine: Tree(arity: 4, levels: 4, installed: 240), workload: (source: Log(name: \"HPC2N-2002-2.2-cln\"), jobs: 1000), \
         policy: Fcfs",
        "\"policy\": [Fcfs, Easy(), Easy(shadow: Count), Conservative()], \"allocator\": [FirstFree, Contiguous(), Contiguous(relax: 1)], \
         \"speedup\": [0.0, 0.25]",
        &["policy", "allocator", "speedup"],
        expect![[r#"
            Fcfs FirstFree 0 9677986225475811925 1000 0 0 2138.222 21885 59.340656408447614 29.193162757653973 0.3183723330118109 1077167 0.556 0.4857516382223393
            Fcfs FirstFree 0.25 9677986225475811925 1000 0 0 974.0255 11312.25 42.85925336928132 16.352461649889584 0.2624950598179819 979847.5 0.479 0.3643137286667545
            Easy FirstFree 0 9677986225475811925 1000 0 99 612.951 3253 17.432865385695628 9.678876496806739 0.3183723330118109 1077167 0.525 0.4857516382223393
            Easy FirstFree 0.25 9677986225475811925 1000 0 71 433.20325 2439.75 22.628062663963323 10.208810230285886 0.2624950598179819 979847.5 0.473 0.3643137286667545
            Easy(shadow: Count) FirstFree 0 9677986225475811925 1000 0 99 612.951 3253 17.432865385695628 9.678876496806739 0.3183723330118109 1077167 0.525 0.4857516382223393
            Easy(shadow: Count) FirstFree 0.25 9677986225475811925 1000 0 71 433.20325 2439.75 22.628062663963323 10.208810230285886 0.2624950598179819 979847.5 0.473 0.3643137286667545
            Conservative FirstFree 0 9677986225475811925 1000 0 96 1230.486 7725 21.39997610870451 12.85401102933944 0.3183723330118109 1077167 0.526 0.4857516382223393
            Conservative FirstFree 0.25 9677986225475811925 1000 0 64 624.468 2496.5 23.53201444950668 10.72277034916257 0.2624950598179819 979847.5 0.492 0.3643137286667545
            Fcfs Contiguous 0 9677986225475811925 1000 0 0 61576.786 169384 2763.0022569537164 1183.1746228267305 0.31085581010496915 1103213 0 0.4857516382223393
            Fcfs Contiguous 0.25 9677986225475811925 1000 0 0 19926.24775 80472.25 878.5401849090345 325.9243033221031 0.2624950598179819 979847.5 0 0.3643137286667545
            Easy Contiguous 0 9677986225475811925 1000 0 283 1287.66 5669 50.12065359732151 26.939887327480232 0.3183723330118109 1077167 0 0.4857516382223393
            Easy Contiguous 0.25 9677986225475811925 1000 0 246 693.86425 1356 32.80852960154512 14.950032105522617 0.2624950598179819 979847.5 0 0.3643137286667545
            Easy(shadow: Count) Contiguous 0 9677986225475811925 1000 32 296 1577.616 5971 52.02536365040582 26.73776245992959 0.30545981573268893 1077167 0 0.4857516382223393
            Easy(shadow: Count) Contiguous 0.25 9677986225475811925 1000 34 231 466.75375 2106.5 28.633129183001795 13.10924081396343 0.2475928673424521 979847.5 0 0.3643137286667545
            Conservative Contiguous 0 9677986225475811925 1000 0 310 1531.376 6743 47.87727291968686 26.48276379270273 0.3183723330118109 1077167 0 0.4857516382223393
            Conservative Contiguous 0.25 9677986225475811925 1000 0 255 649.18125 2490 32.26904887227047 14.269409701256281 0.2624950598179819 979847.5 0 0.3643137286667545
            Fcfs Contiguous(relax: 1) 0 9677986225475811925 1000 0 0 2140.451 21885 59.342717273544906 29.194223622751267 0.3183723330118109 1077167 0.044 0.4857516382223393
            Fcfs Contiguous(relax: 1) 0.25 9677986225475811925 1000 0 0 974.0255 11312.25 42.85925336928132 16.352461649889584 0.2624950598179819 979847.5 0.028 0.3643137286667545
            Easy Contiguous(relax: 1) 0 9677986225475811925 1000 0 96 635.19 3253 16.982369068748163 9.553346846525939 0.3183723330118109 1077167 0.04 0.4857516382223393
            Easy Contiguous(relax: 1) 0.25 9677986225475811925 1000 0 70 436.61 2439.75 22.652916575683037 10.233664142005601 0.2624950598179819 979847.5 0.027 0.3643137286667545
            Easy(shadow: Count) Contiguous(relax: 1) 0 9677986225475811925 1000 2 99 614.271 3253 17.439225466531184 9.684236577642292 0.3161338685954298 1077167 0.057 0.4857516382223393
            Easy(shadow: Count) Contiguous(relax: 1) 0.25 9677986225475811925 1000 0 71 434.15225 2439.75 22.652873121479665 10.233620687802226 0.2624950598179819 979847.5 0.03 0.3643137286667545
            Conservative Contiguous(relax: 1) 0 9677986225475811925 1000 0 101 1358.197 7725 23.544717029002182 14.200237267097412 0.3183723330118109 1077167 0.052 0.4857516382223393
            Conservative Contiguous(relax: 1) 0.25 9677986225475811925 1000 0 84 548.1435 2485 20.02579234748654 9.332454569523767 0.2624950598179819 979847.5 0.036 0.3643137286667545
        "#]],
    );
}

#[test]
fn equal_shares_of_hosts() {
    check(
        "machine: Hosts(hosts: [(name: \"a\", processors: 128, memory_mb: 32768), (name: \"b\", processors: 64, memory_mb: 16384)]), \
         workload: (source: O2k(month: Feb2000), jobs: 1000, load: (target: 0.9)), policy: Fcfs",
        "\"policy\": [EqSpatial(), EqSpatial(min_interval_s: 0), EqSpatial(full_after_s: 180000), EqSpatial(immediate_service: Some(()))], \"passes\": [PerInstant, PerEvent]",
        &["policy", "passes"],
        expect![[r#"
            EqSpatial PerInstant 9677986225475811925 1000 0 679 10023.628261136999 43315.57721 1021.4460030322017 159.13216091217424 0.5269826650381508 2687779.547869 - 0.8999999999999152
            EqSpatial(min_interval_s: 0) PerInstant 9677986225475811925 1000 0 680 10067.121692853 43299.033145 1064.903899936561 162.94073106278788 0.5270120557978188 2687629.653987 - 0.8999999999999152
            EqSpatial(full_after_s: 180000) PerInstant 9677986225475811925 1000 0 717 11036.719537607 69874.925028 853.5584870435451 155.72686222821892 0.5271036669306949 2687162.541326 - 0.8999999999999152
            EqSpatial(immediate_service: Some(())) PerInstant 9677986225475811925 1000 0 681 10457.633601163 61842.575389 442.62689593259284 100.54005592544027 0.5271059080323761 2687779.547869 - 0.8999999999999152
            EqSpatial PerEvent 9677986225475811925 1000 0 679 10023.628261136999 43315.57721 1021.7460030322017 159.16126091217424 0.5269826650381508 2687779.547869 - 0.8999999999999152
            EqSpatial(min_interval_s: 0) PerEvent 9677986225475811925 1000 0 680 10067.121692853 43299.033145 1064.903899936561 162.94073106278788 0.5270120557978188 2687629.653987 - 0.8999999999999152
            EqSpatial(full_after_s: 180000) PerEvent 9677986225475811925 1000 0 717 11036.719537607 69874.925028 853.5584870435451 155.72686222821892 0.5271036669306949 2687162.541326 - 0.8999999999999152
            EqSpatial(immediate_service: Some(())) PerEvent 9677986225475811925 1000 0 681 10457.633601163 61842.575389 442.9268935750315 100.56915356787891 0.5271059080323761 2687779.547869 - 0.8999999999999152
        "#]],
    );
}

#[test]
fn classes_on_hosts() {
    check(
        "machine: Hosts(hosts: [(name: \"a\", processors: 128, memory_mb: 32768), (name: \"b\", processors: 64, memory_mb: 16384)]), \
         workload: (source: O2k(month: Feb2000), jobs: 1000, load: (target: 0.9)), policy: Fcfs",
        "\"policy\": [ClassPriority(), ClassPriority(host_limits: [(host: \"a\", at_most: [(\"lj\", 1)]), (host: \"b\", at_most: [(\"sj\", 0)])], drain_seed: 7)], \"passes\": [PerInstant, PerEvent]",
        &["policy", "passes"],
        expect![[r#"
            ClassPriority PerInstant 9677986225475811925 1000 0 893 213179.765042559 479261.386348 16918.024898471158 3013.2562852463625 0.5116787471940993 2768168.967216 - 0.8999999999999152
            ClassPriority(host_limits: [(host: "a", at_most: [("lj", 1)]), (host: "b", at_most: [("sj", 0)])], drain_seed: 7) PerInstant 9677986225475811925 1000 0 944 74947.481531776 343525.518032 3762.151320792983 706.2616432733666 0.45346981319054513 3123500.590262 - 0.8999999999999152
            ClassPriority PerEvent 9677986225475811925 1000 0 893 213179.765042559 479261.386348 16918.024898471158 3013.2562852463625 0.5116787471940993 2768168.967216 - 0.8999999999999152
            ClassPriority(host_limits: [(host: "a", at_most: [("lj", 1)]), (host: "b", at_most: [("sj", 0)])], drain_seed: 7) PerEvent 9677986225475811925 1000 0 948 46442.194273879 222028.477373 2676.8796777888165 487.5111992972565 0.5273438869145767 2685938.463142 - 0.8999999999999152
        "#]],
    );
}

#[test]
fn overruns_and_passes_on_a_log() {
    let folder = Folder::new();
    // Estimates are half of the run times, so nearly every job overruns.
    folder.call("workload generate lublin-feitelson --nodes 64 --n-jobs 400 --seed 7 -o whole.swf").done();
    let mut log = String::new();
    for line in folder.read("whole.swf").lines() {
        let mut fields: Vec<String> = line.split(' ').map(str::to_owned).collect();
        if !line.starts_with(';') {
            let run_time: f64 = fields[3].parse().unwrap();
            fields[8] = (run_time / 2.0).ceil().to_string();
        }
        writeln!(log, "{}", fields.join(" ")).unwrap();
    }
    folder.write("log.swf", log);
    let experiment = "(format: 1, name: \"golden\", study: \"golden\", title: \"Pinned\", source: \"none\", \
        base: (machine: Flat(nodes: 64), workload: (source: File(path: \"log.swf\"), rules: (estimate_floor: AsLogged)), policy: Fcfs), \
        axes: {\"policy\": [Easy(), Easy(overrun: Extend), Conservative()], \"passes\": [PerInstant, PerEvent]})";
    folder.write("e.ron", experiment).call("run e.ron --out out").done();
    let runs = Frame::read_parquet(&folder.path("out/golden/golden/runs.parquet")).unwrap();
    expect![[r#"
        PerInstant Easy 0 400 23 315 23851.9325 80517 843.0021394929659 507.37999961201393 0.6392800280617299 509769 - 1.0643376486596576
        PerInstant Easy(overrun: Extend) 0 400 0 337 25056.6025 84217 1135.4592931162808 639.5234250607261 0.6509609636449591 509778 - 1.0643376486596576
        PerInstant Conservative 0 400 0 319 36112.735 106435 1636.530967862217 908.5124827431697 0.6161994335104802 538536 - 1.0643376486596576
        PerEvent Easy 0 400 23 315 23851.9325 80517 843.0021394929659 507.37999961201393 0.6392800280617299 509769 - 1.0643376486596576
        PerEvent Easy(overrun: Extend) 0 400 0 337 25055.755 84217 1135.3628030419984 639.462184986444 0.6509609636449591 509778 - 1.0643376486596576
        PerEvent Conservative 0 400 0 319 36092.1375 106435 1635.3803755298143 907.7677654107664 0.6161994335104802 538536 - 1.0643376486596576
    "#]].assert_eq(&lines(&runs, &["passes", "policy"]));
}

#[test]
fn the_first_jobs_of_every_generator() {
    let folder = Folder::new();
    let mut text = String::new();
    for model in [
        "lublin-feitelson --nodes 128",
        "twin:HPC2N-2002-2.2-cln",
        "twin:LLNL-Thunder-2007-1.1-cln",
        "twin:SDSC-BLUE-2000-4.2-cln",
        "twin:LANL-CM5-1994-4.1-cln",
        "o2k --month 2000-02",
        "o2k --month 2000-11 --raw",
    ] {
        let answer = folder.call(&format!("workload generate {model} --n-jobs 40 --seed 2026 -o -")).done();
        let jobs: Vec<&str> = answer.out.lines().filter(|line| !line.starts_with(';')).collect();
        assert_eq!(jobs.len(), 40);
        for at in [0, 1, 2, 39] {
            writeln!(text, "{model}: {}", jobs[at]).unwrap();
        }
    }
    expect![[r#"
        lublin-feitelson --nodes 128: 1 87 -1 6805 -1 -1 -1 32 6805 -1 -1 -1 -1 -1 -1 -1 -1 -1
        lublin-feitelson --nodes 128: 2 17631 -1 173 -1 -1 -1 1 173 -1 -1 -1 -1 -1 -1 -1 -1 -1
        lublin-feitelson --nodes 128: 3 24682 -1 15 -1 -1 -1 4 15 -1 -1 -1 -1 -1 -1 -1 -1 -1
        lublin-feitelson --nodes 128: 40 56633 -1 11589 -1 -1 -1 4 11589 -1 -1 -1 -1 -1 -1 -1 -1 -1
        twin:HPC2N-2002-2.2-cln: 1 0 -1 424081 -1 -1 -1 1 432000 -1 -1 -1 -1 -1 -1 -1 -1 -1
        twin:HPC2N-2002-2.2-cln: 2 474 -1 134 -1 -1 -1 9 180 -1 -1 -1 -1 -1 -1 -1 -1 -1
        twin:HPC2N-2002-2.2-cln: 3 534 -1 17 -1 -1 -1 9 60 -1 -1 -1 -1 -1 -1 -1 -1 -1
        twin:HPC2N-2002-2.2-cln: 40 20336 -1 4486 -1 -1 -1 8 10800 -1 -1 -1 -1 -1 -1 -1 -1 -1
        twin:LLNL-Thunder-2007-1.1-cln: 1 0 -1 3340 -1 -1 -1 4 3340 -1 -1 -1 -1 -1 -1 -1 -1 -1
        twin:LLNL-Thunder-2007-1.1-cln: 2 294 -1 6724 -1 -1 -1 48 6724 -1 -1 -1 -1 -1 -1 -1 -1 -1
        twin:LLNL-Thunder-2007-1.1-cln: 3 1213 -1 2 -1 -1 -1 4 1800 -1 -1 -1 -1 -1 -1 -1 -1 -1
        twin:LLNL-Thunder-2007-1.1-cln: 40 7898 -1 1174 -1 -1 -1 24 1174 -1 -1 -1 -1 -1 -1 -1 -1 -1
        twin:SDSC-BLUE-2000-4.2-cln: 1 0 -1 27006 -1 -1 -1 64 27006 -1 -1 -1 -1 -1 -1 -1 -1 -1
        twin:SDSC-BLUE-2000-4.2-cln: 2 298 -1 17184 -1 -1 -1 320 17184 -1 -1 -1 -1 -1 -1 -1 -1 -1
        twin:SDSC-BLUE-2000-4.2-cln: 3 636 -1 294 -1 -1 -1 96 1800 -1 -1 -1 -1 -1 -1 -1 -1 -1
        twin:SDSC-BLUE-2000-4.2-cln: 40 25956 -1 43 -1 -1 -1 8 7140 -1 -1 -1 -1 -1 -1 -1 -1 -1
        twin:LANL-CM5-1994-4.1-cln: 1 0 -1 192 -1 -1 -1 32 600 5248 -1 -1 -1 -1 -1 -1 -1 -1
        twin:LANL-CM5-1994-4.1-cln: 2 237 -1 3365 -1 -1 -1 64 3600 7520 -1 -1 -1 -1 -1 -1 -1 -1
        twin:LANL-CM5-1994-4.1-cln: 3 1542 -1 8521 -1 -1 -1 128 8521 32768 -1 -1 -1 -1 -1 -1 -1 -1
        twin:LANL-CM5-1994-4.1-cln: 40 16283 -1 153 -1 -1 -1 32 600 11840 -1 -1 -1 -1 -1 -1 -1 -1
        o2k --month 2000-02: 1 344 -1 11449 -1 -1 221210 4 86400 134656 -1 -1 -1 -1 -1 -1 -1 -1
        o2k --month 2000-02: 2 1959 -1 15897 -1 -1 545003 1 21600 546816 -1 -1 -1 -1 -1 -1 -1 -1
        o2k --month 2000-02: 3 4492 -1 12916 -1 -1 9800 8 180000 36352 -1 -1 -1 -1 -1 -1 -1 -1
        o2k --month 2000-02: 40 31026 -1 10434 -1 -1 119726 11 180000 257861 -1 -1 -1 -1 -1 -1 -1 -1
        o2k --month 2000-11 --raw: 1 409 -1 15365 -1 -1 29018 4 180000 17664 -1 -1 -1 -1 -1 -1 -1 -1
        o2k --month 2000-11 --raw: 2 2326 -1 43 -1 -1 36398 1 180000 581632 -1 -1 -1 -1 -1 -1 -1 -1
        o2k --month 2000-11 --raw: 3 6177 -1 24949 -1 -1 79597 4 180000 158464 -1 -1 -1 -1 -1 -1 -1 -1
        o2k --month 2000-11 --raw: 40 32457 -1 48574 -1 -1 149132 4 720000 395264 -1 -1 -1 -1 -1 -1 -1 -1
    "#]]
    .assert_eq(&text);
}

#[test]
fn fair_shares_of_moldable_jobs() {
    check(
        "machine: Flat(nodes: 128), workload: (source: LublinFeitelson(), jobs: 1000, moldable: Some(Downey()), load: Some((target: 0.7, by: RunTimes, measure: Effective))), policy: Fcfs",
        "\"policy\": [Easy(), FairShare(), FairShare(overbooking: 4.0, efficiency: 1.0), FairShare(efficiency: 0.5, share_among: Waiting, running_weight: Remaining, share_weight: Sequential, limit_rounding: Ceil, later_jobs: StartingNow, reserved_size: KeepsSize, movable: Printed, slope: ForwardDifference)], \"parallelism\": [System, OfRequest()]",
        &["policy", "parallelism"],
        expect![[r#"
            Easy System 9677986225475811925 1000 0 768 12311.982062881001 55228.989222 285.36506409381826 188.08484717687261 0.6959353606901194 1060123.258885 - 0.8037875078421456
            FairShare System 9677986225475811925 1000 0 245 1814.958986178 9330.486625 27.1555814780853 14.775711723344106 0.6613157177630768 1047764.549882 - 0.8037875078421456
            FairShare(overbooking: 4.0, efficiency: 1.0) System 9677986225475811925 1000 0 610 9972.796050885 36699.934533 175.92015100939503 100.85098988136461 0.7672848422774173 984177.219722 - 0.8037875078421456
            FairShare(efficiency: 0.5, share_among: Waiting, running_weight: Remaining, share_weight: Sequential, limit_rounding: Ceil, later_jobs: StartingNow, reserved_size: KeepsSize, movable: Printed, slope: ForwardDifference) System 9677986225475811925 1000 0 383 4625.171364569 18025.065488 477.84684087947744 54.51960962014606 0.18382720162562094 3837310.929312 - 0.8037875078421456
            Easy OfRequest 9677986225475811925 1000 0 784 13358.043504077 67250.845286 262.04340660317945 164.84544213496864 0.7255373018865126 1090311.610985 - 0.8618394472124706
            FairShare OfRequest 9677986225475811925 1000 0 288 2395.435681432 12787.968017 23.213729850950873 18.41736893904348 0.6944996979395971 1049286.291745 - 0.8618394472124706
            FairShare(overbooking: 4.0, efficiency: 1.0) OfRequest 9677986225475811925 1000 0 706 11447.851160398 46418.807515 75.84661232876842 61.40618821002823 0.7506306884102347 1144191.921417 - 0.8618394472124706
            FairShare(efficiency: 0.5, share_among: Waiting, running_weight: Remaining, share_weight: Sequential, limit_rounding: Ceil, later_jobs: StartingNow, reserved_size: KeepsSize, movable: Printed, slope: ForwardDifference) OfRequest 9677986225475811925 1000 0 454 6487.467604212 26189.528925 64.4543901370392 54.88854045722163 0.25692561901113325 3107950.975323 - 0.8618394472124706
        "#]],
    );
}
