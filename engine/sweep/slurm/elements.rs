//! How many elements an array should have, where nobody says.

/// Seconds that an element should have work for: long beside the wait for its start, short beside usual time limits.
const WANTED_S: f64 = 1800.0;
/// Runs at a time for which an element should be started where the time of a run is unknown.
const WANTED_ROUNDS: usize = 16;
/// More elements than that are a burden on the site's scheduler that should be asked for.
const MOST: usize = 256;

/// A number of elements with its reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// How many.
    pub elements: u32,
    /// Expected seconds per element, where anything is known about the time of a run.
    pub each_s: Option<f64>,
}

/// How many elements `missing` runs should be shared among, if they take `expected_s` seconds on one core and an element has
/// `cores` of them.
pub fn advise(missing: usize, expected_s: Option<f64>, cores: usize) -> Advice {
    let cores = cores.max(1);
    // No more elements than can be busy.
    let most = missing.div_ceil(cores).clamp(1, MOST);
    let wanted = match expected_s {
        Some(seconds) => (seconds / cores as f64 / WANTED_S).ceil() as usize,
        None => missing.div_ceil(cores * WANTED_ROUNDS),
    };
    let elements = wanted.clamp(1, most) as u32;
    Advice { elements, each_s: expected_s.map(|seconds| seconds / cores as f64 / f64::from(elements)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_has_half_an_hour_of_work() {
        assert_eq!(advise(10_000, Some(36_000.0), 1), Advice { elements: 20, each_s: Some(1800.0) });
        assert_eq!(advise(10_000, Some(36_000.0), 4), Advice { elements: 5, each_s: Some(1800.0) });
        assert_eq!(advise(10_000, Some(10.0), 1).elements, 1);
    }

    #[test]
    fn no_element_is_idle_and_no_site_is_flooded() {
        assert_eq!(advise(3, Some(1e9), 1).elements, 3);
        assert_eq!(advise(5, Some(1e9), 4).elements, 2);
        assert_eq!(advise(1_000_000, Some(1e12), 1).elements, 256);
        assert_eq!(advise(0, None, 0), Advice { elements: 1, each_s: None });
    }

    #[test]
    fn without_wall_times_the_runs_are_counted() {
        assert_eq!(advise(1600, None, 4), Advice { elements: 25, each_s: None });
        assert_eq!(advise(1_000_000, None, 1).elements, 256);
    }
}
