//! How much memory the process takes.

/// Resident memory of this process in bytes; `None` where the system does not tell (it is read from `/proc/self/status`).
pub fn resident() -> Option<u64> {
    resident_in(&std::fs::read_to_string("/proc/self/status").ok()?)
}

fn resident_in(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// A size for people.
pub(super) fn size(bytes: u64) -> String {
    let units = [("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    let unit = units.into_iter().find(|(_, one)| bytes as f64 >= *one);
    unit.map_or(format!("{bytes} B"), |(name, one)| {
        // At most one decimal, and none that is zero.
        format!("{} {name}", (bytes as f64 / one * 10.0).round() / 10.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resident_memory_is_read_where_the_system_tells() {
        assert_eq!(resident_in("Name:\tx\nVmHWM:\t  99 kB\nVmRSS:\t    2048 kB\n"), Some(2 << 20));
        assert_eq!(resident_in("VmRSS:\t12 pages\n"), None);
        assert_eq!(resident_in(""), None);
        if cfg!(target_os = "linux") {
            assert!(resident().is_some_and(|bytes| bytes > 1 << 20));
        }
    }

    #[test]
    fn sizes_have_one_decimal_at_most() {
        assert_eq!([999, 8_000_000_000, 1_550_000].map(size), ["999 B", "8 GB", "1.6 MB"]);
    }
}
