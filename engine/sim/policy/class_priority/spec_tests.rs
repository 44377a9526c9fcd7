//! What specifications of classes and limits are refused for.

use super::*;

fn limits(host: &str, at_most: &[(&str, u32)]) -> HostLimits {
    let at_most = at_most.iter().map(|(class, most)| ((*class).to_owned(), *most)).collect();
    HostLimits { host: host.to_owned(), at_most }
}

fn hosts(names: &[&str]) -> Vec<HostSpec> {
    let host = |name: &&str| HostSpec { name: (*name).to_owned(), processors: 4, memory_mb: 8 };
    names.iter().map(host).collect()
}

fn reason(checked: Result<(), SimError>) -> String {
    match checked {
        Err(SimError::Setup { reason }) => reason,
        other => format!("{other:?}"),
    }
}

fn with_limits(limits: &[HostLimits]) -> String {
    reason(check(&time_classes_of_the_study(), &size_classes_of_the_study(), limits))
}

fn on_hosts(limits: &[HostLimits], names: &[&str]) -> String {
    reason(check_hosts(limits, &size_classes_of_the_study(), &hosts(names)))
}

#[test]
fn the_classes_of_the_study_are_sound() {
    assert_eq!(with_limits(&[]), "Ok(())");
    assert_eq!(
        with_limits(&[limits("eir", &[("lj", 3), ("mj", 4)]), limits("mimir", &[("lj", 0)])]),
        "Ok(())"
    );
}

#[test]
fn limits_name_classes_and_hosts_that_exist_once() {
    assert_eq!(
        with_limits(&[limits("eir", &[("xl", 3)])]),
        "host `eir` limits the unknown size class `xl`; the classes are `sj`, `mj`, `lj`"
    );
    assert_eq!(
        with_limits(&[limits("eir", &[("lj", 3), ("lj", 2)])]),
        "host `eir` limits size class `lj` twice"
    );
    assert_eq!(
        with_limits(&[limits("eir", &[]), limits("eir", &[])]),
        "`eir` is there twice; a host with limits is given once"
    );
    assert_eq!(
        on_hosts(&[limits("eir", &[])], &["hod1", "mimir"]),
        "ClassPriority limits the unknown host `eir`; the machine's hosts are `hod1`, `mimir`"
    );
}

#[test]
fn every_class_needs_a_host_that_may_run_it() {
    let one = limits("a", &[("lj", 0)]);
    assert_eq!(on_hosts(std::slice::from_ref(&one), &["a", "b"]), "Ok(())");
    assert_eq!(
        on_hosts(&[one, limits("b", &[("lj", 0), ("sj", 0)])], &["a", "b"]),
        "ClassPriority lets no host run size class `lj`: it is limited to 0 on all of `a`, `b`"
    );
    let mut times = time_classes_of_the_study();
    times[2].at_most = Some(0);
    let told = "time class `mt`: with at_most 0 none of its jobs could ever start";
    assert_eq!(reason(check_time_classes(&times)), told);
}

#[test]
fn classes_ascend_and_have_names_of_their_own() {
    let (mut times, mut sizes) = (time_classes_of_the_study(), size_classes_of_the_study());
    times[1].up_to_s = times[0].up_to_s;
    assert_eq!(reason(check_time_classes(&times)), "up_to_s of the time classes must ascend");
    times[3].up_to_s = u64::MAX;
    times[1].up_to_s += 1;
    assert!(reason(check_time_classes(&times)).starts_with("time class `lt` has a time longer than the"));
    assert_eq!(reason(check_time_classes(&[])), "at least one time class is needed");
    sizes[1] = SizeClass { name: "mj".into(), ..sizes[0].clone() };
    assert_eq!(
        reason(check_size_classes(&sizes)),
        "processors and memory_mb of the size classes must ascend"
    );
    sizes[1] = sizes[0].clone();
    assert_eq!(reason(check_size_classes(&sizes)), "`sj` is there twice; a size class is given once");
    sizes[1].name = " ".into();
    assert_eq!(reason(check_size_classes(&sizes)), "a size class needs a name");
}
