//! Specifications to workloads, on files and models, and on the published logs where they are at hand.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]
use super::*;
use crate::model::o2k::{Month, O2kFit, Parameters};
use crate::swf::Finding;
use crate::swf::archive::KNOWN_LOGS;
use crate::{
    EstimateFloor, Load, LoadBy, LoadMeasure, MemoryModel, MemoryVector, MissingEstimate, Rules, SizeField,
    TooLarge, Variant,
};
use sim::{HostSpec, MachineSpec, Span, Time};
use std::io::Write;
use std::path::PathBuf;
use tempfile::NamedTempFile;

const LOG: &str = "; Computer: three nodes\n\
    1 0 5 10 2 -1 -1 2 20 -1 1 1 1 1 1 1 -1 -1\n\
    2 10 5 10 2 -1 -1 2 20 -1 1 1 1 1 1 1 -1 -1\n\
    3 20 5 0 2 -1 -1 2 20 -1 0 1 1 1 1 1 -1 -1\n\
    4 40 5 10 2 -1 -1 2 5 2048 1 1 1 1 1 1 -1 -1\n";

fn file(content: &[u8]) -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(content).unwrap();
    file
}

fn on_file(path: &Path) -> WorkloadSpec {
    WorkloadSpec::new(Source::File { path: path.to_str().unwrap().to_owned() })
}

fn on_model(jobs: Option<u64>) -> WorkloadSpec {
    let source = Source::LublinFeitelson { variant: Variant::Single, medium_offset: 2.5 };
    WorkloadSpec { jobs, ..WorkloadSpec::new(source) }
}

fn traces() -> Option<TraceDir> {
    let directory = std::env::var_os("BACKSWEEP_TRACES").map(PathBuf::from);
    if directory.is_none() {
        println!("skipped: no traces");
    }
    directory.map(|directory| TraceDir::new(Some(directory)))
}

#[test]
fn a_file_goes_through_rules_cut_speedup_and_load() {
    let log = file(LOG.as_bytes());
    let plain = build(&on_file(log.path()), 4, 0, &TraceDir::none()).unwrap();
    assert_eq!(plain.jobs.iter().map(|job| job.id).collect::<Vec<_>>(), vec![1, 2, 4]);
    assert_eq!(plain.header, vec!["Computer: three nodes"]);
    assert_eq!(plain.cleaning.count(Finding::NoRunTime), 1);
    assert_eq!(plain.cleaning.count(Finding::EstimateRaised), 1);
    assert_eq!(plain.jobs[2].memory_kb, 2048);
    assert_eq!(plain.offered_load, 60.0 / 160.0);

    let load = Some(Load { target: 0.5, by: LoadBy::Arrivals, measure: LoadMeasure::Offered });
    let spec = WorkloadSpec { jobs: Some(2), speedup: 0.5, load, ..on_file(log.path()) };
    let changed = build(&spec, 4, 0, &TraceDir::none()).unwrap();
    // Two jobs of 2 × 5 s within 10 s on 4 nodes are a load of 0.5 already.
    assert_eq!(changed.jobs[1].submit, Time::from_secs(10));
    assert_eq!(
        (changed.jobs[1].run_time, changed.jobs[1].estimate),
        (Span::from_secs(5), Span::from_secs(10))
    );
    assert_eq!((changed.offered_load, changed.cleaning.cut_off), (0.5, 1));
}

#[test]
fn gzip_and_plain_are_the_same_content() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(LOG.as_bytes()).unwrap();
    let compressed = encoder.finish().unwrap();
    let (plain, packed) = (file(LOG.as_bytes()), file(&compressed));
    let built = |path: &Path| build(&on_file(path), 4, 0, &TraceDir::none()).unwrap();
    assert_eq!(built(plain.path()), built(packed.path()));
    let hash = |path: &Path| content_hash(&on_file(path).source, &TraceDir::none()).unwrap();
    assert_eq!(hash(plain.path()), Some(*blake3::hash(LOG.as_bytes()).as_bytes()));
    assert_eq!(hash(plain.path()), hash(packed.path()));

    for cut in [3, compressed.len() / 2, compressed.len() - 1] {
        let torn = file(&compressed[..cut]);
        let error = build(&on_file(torn.path()), 4, 0, &TraceDir::none()).unwrap_err();
        let text = error.to_string();
        assert!(matches!(error, WorkloadError::Unreadable { .. }), "cut at {cut}: {text}");
        assert!(text.ends_with("the gzip data end too early; the file is truncated"), "cut at {cut}: {text}");
        assert!(content_hash(&on_file(torn.path()).source, &TraceDir::none()).is_err());
    }
}

#[test]
fn damaged_gzip_data_are_an_error() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(LOG.as_bytes()).unwrap();
    let mut compressed = encoder.finish().unwrap();
    let checksum = compressed.len() - 8;
    compressed[checksum] ^= 1;
    let error = build(&on_file(file(&compressed).path()), 4, 0, &TraceDir::none()).unwrap_err().to_string();
    assert!(error.contains(": damaged gzip data ("), "{error}");
}

#[test]
fn bad_files_are_errors_with_their_path() {
    let message = |path: &Path, nodes| {
        build(&on_file(path), nodes, 0, &TraceDir::none())
            .unwrap_err()
            .to_string()
            .replace(path.to_str().unwrap(), "F")
    };
    assert_eq!(message(file(b"").path(), 4), "`F`: no job records: the file is empty");
    assert_eq!(message(file(b"; a\r\n\r\n").path(), 4), "`F`: no job records: the file has only comments");
    let text = message(file(b"1 2 3\n").path(), 4);
    assert_eq!(text, "`F`: line 1, column 6: 3 fields, expected 18: `1 2 3`");
    let directory = tempfile::tempdir().unwrap();
    assert!(message(directory.path(), 4).starts_with("cannot read `F`: Is a directory"));
    assert!(message(&directory.path().join("none"), 4).starts_with("cannot read `F`: No such file"));
    assert_eq!(message(file(LOG.as_bytes()).path(), 0), "nodes = 0: expected at least 1");
    let nothing = message(file(LOG.as_bytes()).path(), 1);
    let reasons = "dropped 1 no run time; dropped 3 larger than the machine";
    assert_eq!(nothing, format!("`F` has no usable jobs: 4 records, 0 jobs kept, 4 dropped; {reasons}"));
}

#[test]
fn models_need_a_number_of_jobs_and_reach_their_load() {
    let none = build(&on_model(None), 128, 1, &TraceDir::none()).unwrap_err().to_string();
    assert_eq!(none, "jobs = none: expected the number of jobs the model shall generate");
    let zero = build(&on_model(Some(0)), 128, 1, &TraceDir::none()).unwrap_err().to_string();
    assert_eq!(zero, "jobs = 0: expected at least 1");
    let load = Some(Load { target: 0.85, by: LoadBy::Arrivals, measure: LoadMeasure::Offered });
    let spec = WorkloadSpec { load, ..on_model(Some(5000)) };
    let workload = build(&spec, 128, 1, &TraceDir::none()).unwrap();
    assert_eq!((workload.jobs.len(), workload.cleaning.kept), (5000, 5000));
    assert!((workload.offered_load - 0.85).abs() < 1e-9);
    assert_eq!(workload, build(&spec, 128, 1, &TraceDir::none()).unwrap());
    assert_ne!(workload.jobs, build(&spec, 128, 2, &TraceDir::none()).unwrap().jobs);
    assert_eq!(content_hash(&spec.source, &TraceDir::none()).unwrap(), None);
}

#[test]
fn memory_is_drawn_for_the_run_times_in_the_end() {
    let one = |share| MemoryVector::Values(vec![share]);
    let memory =
        Some(MemoryModel::Drawn { long: one(0.3), medium: one(0.2), short: one(0.1), node_kb: 1000 });
    let load = Some(Load { target: 3.0, by: LoadBy::RunTimes, measure: LoadMeasure::Offered });
    let spec = WorkloadSpec { memory, load, speedup: 0.1, ..on_model(Some(2000)) };
    let workload = build(&spec, 128, 1, &TraceDir::none()).unwrap();
    for job in &workload.jobs {
        let class =
            [600, 10_801].iter().filter(|bound| job.run_time >= Span::from_secs(**bound)).count() as u64;
        // Scaled run times have fractions of seconds: above three hours is long.
        let long = job.run_time > Span::from_secs(10_800);
        assert_eq!(job.memory_kb, if long { 300 } else { 100 * (class + 1) }, "{job:?}");
    }
    let without = build(&WorkloadSpec { memory: None, ..spec }, 128, 1, &TraceDir::none()).unwrap();
    let changed = |at: usize| Job { memory_kb: 0, ..workload.jobs[at] };
    assert!((0..2000).all(|at| changed(at) == without.jobs[at]));
    assert_eq!(workload.offered_load, without.offered_load);
}

#[test]
fn twins_stand_in_for_logs_and_fit_the_machine() {
    let twin = |jobs, rules| WorkloadSpec {
        jobs: Some(jobs),
        rules,
        ..WorkloadSpec::new(Source::Log { name: "HPC2N-2002-2.2-cln".to_owned(), mode: Mode::Twin })
    };
    let whole = build(&twin(3000, Rules::default()), 240, 5, &TraceDir::none()).unwrap();
    assert_eq!((whole.jobs.len(), whole.cleaning.dropped()), (3000, 0));
    let small = build(&twin(3000, Rules::default()), 8, 5, &TraceDir::none()).unwrap();
    assert!(small.cleaning.count(Finding::TooLarge) > 0 && small.jobs.iter().all(|job| job.size <= 8));
    assert_eq!(small.jobs.len() as u64, small.cleaning.kept);
    let clamp = Rules { too_large: TooLarge::Clamp, ..Rules::default() };
    let cut = build(&twin(3000, clamp), 8, 5, &TraceDir::none()).unwrap();
    assert_eq!((cut.jobs.len(), cut.cleaning.count(Finding::SizeCut)), (3000, small.cleaning.dropped()));
    let source = Source::Log { name: "KTH".to_owned(), mode: Mode::Twin };
    assert!(build(&WorkloadSpec::new(source), 8, 5, &TraceDir::none()).is_err());
}

#[test]
fn a_log_that_is_not_the_published_one_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("HPC2N-2002-2.2-cln.swf"), LOG).unwrap();
    let traces = TraceDir::new(Some(directory.path().to_owned()));
    let source = Source::Log { name: "HPC2N-2002-2.2-cln".to_owned(), mode: Mode::Trace };
    let error = content_hash(&source, &traces).unwrap_err();
    assert!(matches!(error, WorkloadError::WrongContent { .. }), "{error}");
    let error = build(&WorkloadSpec::new(source), 240, 0, &traces).unwrap_err();
    assert!(matches!(error, WorkloadError::WrongContent { .. }), "{error}");
}

/// What cleaning by the default rules must find, as counted independently: name, then negative submit, no processors, no run
/// time (dropped), other processor field, missing and short requested time (mended).
const COUNTED: [(&str, [u64; 6]); 5] = [
    ("CTC-SP2-1996-3.1-cln", [0, 0, 17, 77_205, 6, 7_174]),
    ("HPC2N-2002-2.2-cln", [0, 0, 0, 0, 0, 14_817]),
    ("LANL-CM5-1994-4.1-cln", [0, 3, 2, 11_325, 11_286, 40_180]),
    ("LLNL-Thunder-2007-1.1-cln", [1_190, 1_058, 5_178, 3, 80_197, 1_101]),
    ("SDSC-BLUE-2000-4.2-cln", [0, 0, 10_770, 0, 0, 23_434]),
];

#[test]
fn the_published_logs_are_read_and_cleaned() {
    const FINDINGS: [Finding; 6] = [
        Finding::NegativeSubmit,
        Finding::NoProcessors,
        Finding::NoRunTime,
        Finding::SizeFromOtherField,
        Finding::EstimateReplaced,
        Finding::EstimateRaised,
    ];
    let Some(traces) = traces() else { return };
    for (log, (name, counts)) in KNOWN_LOGS.into_iter().zip(COUNTED) {
        assert_eq!(log.name, name);
        let source = Source::Log { name: name.to_owned(), mode: Mode::Trace };
        assert!(content_hash(&source, &traces).unwrap().is_some());
        let workload = build(&WorkloadSpec::new(source), log.processors, 0, &traces).unwrap();
        let report = &workload.cleaning;
        assert_eq!(FINDINGS.map(|finding| report.count(finding)), counts, "{name}: {report}");
        let expected: Vec<_> = FINDINGS.into_iter().zip(counts).filter(|&(_, count)| count > 0).collect();
        assert_eq!(report.findings().collect::<Vec<_>>(), expected, "{name}: {report}");
        assert_eq!(
            (report.total, report.kept),
            (log.records, log.records - counts[0] - counts[1] - counts[2])
        );
        assert!(workload.jobs.windows(2).all(|pair| pair[0].submit <= pair[1].submit));
        assert!(workload.header.iter().any(|line| line.starts_with("MaxProcs")), "{name}");
    }
}

#[test]
fn rules_change_what_is_kept_of_a_log() {
    let Some(traces) = traces() else { return };
    let source = Source::Log { name: "LLNL-Thunder-2007-1.1-cln".to_owned(), mode: Mode::Trace };
    let with = |rules| {
        let spec = WorkloadSpec { rules, ..WorkloadSpec::new(source.clone()) };
        build(&spec, 4008, 0, &traces).unwrap()
    };
    let default = with(Rules::default());
    let strict = with(Rules { missing_estimate: MissingEstimate::Drop, ..Rules::default() });
    let limit = with(Rules { missing_estimate: MissingEstimate::QueueLimit(43_200), ..Rules::default() });
    let replaced = default.cleaning.count(Finding::EstimateReplaced);
    assert!(replaced > default.cleaning.kept / 2);
    assert_eq!(default.cleaning.kept - strict.cleaning.kept, replaced);
    assert_eq!(limit.cleaning.kept, default.cleaning.kept);
    let as_logged = with(Rules { estimate_floor: EstimateFloor::AsLogged, ..Rules::default() });
    let below = as_logged.cleaning.count(Finding::EstimateBelowRunTime);
    assert!(below > 0 && below == default.cleaning.count(Finding::EstimateRaised));
    let allocated = with(Rules { size: SizeField::Allocated, ..Rules::default() });
    assert_eq!(allocated.cleaning.total, default.cleaning.total);
}

#[test]
fn jobs_of_hosts_have_memory_of_their_own_and_fit_on_a_host() {
    let host = |name: &str, processors, memory_mb| HostSpec { name: name.into(), processors, memory_mb };
    let machine = MachineSpec::Hosts { hosts: vec![host("a", 2, 8), host("b", 4, 2)] };
    // Kilobytes per processor: 1 asks for 4 · 512 = 2 MB, 2 for 4 · 513, 3 for 2 · 4096 = 8 MB, 4 for 5 processors, 5 for 1 · 8193.
    let log = file(
        b"1 0 5 10 4 -1 100 4 20 512 1 1 1 1 1 1 -1 -1\n\
        2 1 5 10 4 -1 -1 4 20 513 1 1 1 1 1 1 -1 -1\n\
        3 2 5 10 2 -1 -1 2 20 4096 1 1 1 1 1 1 -1 -1\n\
        4 3 5 10 5 -1 -1 5 20 1 1 1 1 1 1 1 -1 -1\n\
        5 4 5 10 1 -1 8193 1 20 -1 1 1 1 1 1 1 -1 -1\n",
    );
    let workload = build(&on_file(log.path()), &machine, 0, &TraceDir::none()).unwrap();
    let memory = |workload: &Workload| {
        workload.jobs.iter().map(|job| (job.id, job.memory_kb, job.peak_memory_kb)).collect::<Vec<_>>()
    };
    assert_eq!(memory(&workload), [(1, 2048, 400), (3, 8192, 0)]);
    assert_eq!((workload.cleaning.kept, workload.cleaning.count(Finding::TooLarge)), (2, 3));
    assert_eq!(workload.offered_load, 60.0 / 12.0);

    let rules = Rules { too_large: TooLarge::Clamp, ..Rules::default() };
    let spec = WorkloadSpec { rules, ..on_file(log.path()) };
    let cut = build(&spec, &machine, 0, &TraceDir::none()).unwrap();
    assert_eq!(memory(&cut), [(1, 2048, 400), (2, 2048, 0), (3, 8192, 0), (4, 4, 0), (5, 8192, 8193)]);
    assert_eq!((cut.cleaning.count(Finding::SizeCut), cut.cleaning.count(Finding::MemoryCut)), (1, 2));

    let wide = MachineSpec::Hosts { hosts: vec![host("a", 12, 8), host("b", 16, 8)] };
    let of_model = build(&on_model(Some(500)), &wide, 1, &TraceDir::none()).unwrap();
    assert_eq!((of_model.jobs.len(), of_model.jobs.iter().map(|job| job.size).max()), (500, Some(16)));
}

#[test]
fn the_memory_of_an_o2k_job_is_the_whole_jobs_on_hosts_and_per_node_elsewhere() {
    let host = |name: &str, memory_mb| HostSpec { name: name.to_owned(), processors: 64, memory_mb };
    let machine = MachineSpec::Hosts { hosts: vec![host("a", 65_536), host("b", 16_384)] };
    let source = Parameters { fit: O2kFit::Raw, ..Parameters::of(Month::Feb2000) }.source();
    let spec = WorkloadSpec { jobs: Some(300), ..WorkloadSpec::new(source) };
    let on_hosts = build(&spec, &machine, 1, &TraceDir::none()).unwrap().jobs;
    let on_nodes = build(&spec, 960, 1, &TraceDir::none()).unwrap().jobs;
    assert_eq!(on_hosts.len(), 300);
    for (whole, part) in on_hosts.iter().zip(&on_nodes) {
        assert_eq!(whole.memory_kb % 1_024, 0);
        let size = u64::from(whole.size);
        assert_eq!(part.memory_kb, (whole.memory_kb / size).max(1));
        assert_eq!(part.peak_memory_kb, (whole.peak_memory_kb / size).max(1));
        assert_eq!((whole.submit, whole.run_time, whole.size), (part.submit, part.run_time, part.size));
    }
    assert!(on_hosts.iter().any(|job| job.size > 1));
}
