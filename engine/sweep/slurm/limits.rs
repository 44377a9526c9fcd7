//! What a site allows, as `scontrol show config` prints it.

/// Limits on job arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// One more than the largest index of an array.
    pub max_array_size: u32,
}

impl Default for Limits {
    /// Slurm's own defaults.
    fn default() -> Limits {
        Limits { max_array_size: 1001 }
    }
}

impl Limits {
    /// Reads lines such as `MaxArraySize            = 1001`.
    ///
    /// # Errors
    /// Where that line is missing or no number, or no array is allowed.
    pub fn parse(config: &str) -> Result<Limits, String> {
        let mut lines = config.lines().filter_map(|line| line.split_once('='));
        let value = lines
            .find(|(name, _)| name.trim().eq_ignore_ascii_case("MaxArraySize"))
            .map(|(_, value)| value.trim())
            .ok_or("`scontrol show config` does not name MaxArraySize")?;
        match value.parse() {
            Ok(0 | 1) => Err(format!("job arrays are switched off here (MaxArraySize is {value})")),
            Ok(max_array_size) => Ok(Limits { max_array_size }),
            Err(_) => {
                Err(format!("`scontrol show config` says that MaxArraySize is `{value}`, which is no number"))
            }
        }
    }

    /// Elements of the largest array whose indexes begin with 1.
    pub fn largest_array(self) -> u32 {
        self.max_array_size - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_of_arrays_is_found() {
        let config = "Configuration data as of 2025-01-01T00:00:00\nLaunchParameters        = a=b\nMaxArraySize            = 4001\nMaxJobCount             = 10000\n";
        assert_eq!(Limits::parse(config), Ok(Limits { max_array_size: 4001 }));
        assert_eq!(Limits::parse(config).map(Limits::largest_array), Ok(4000));
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert!(Limits::parse("").is_err_and(|problem| problem.contains("does not name MaxArraySize")));
        assert!(Limits::parse("MaxArraySize = many").is_err_and(|problem| problem.contains("`many`")));
        assert!(Limits::parse("MaxArraySize = 0").is_err_and(|problem| problem.contains("switched off")));
    }
}
