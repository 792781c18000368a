//! How much memory a computation may ask for: what the machine has free, where it says so.

use crate::error::{Error, Result};

/// Gigabytes that may be asked for on a machine that does not say what it has free.
const UNSAID: f64 = 8.0;
/// Fewer gigabytes than this are not worth the question.
const SMALL: f64 = 0.25;

/// Refuses what needs more gigabytes than the machine has free now.
///
/// Linux says that in `/proc/meminfo` (`MemAvailable`: what new programs can have without swapping); elsewhere 8 GB are
/// allowed, and the message says which of the two it was.
///
/// # Errors
/// [`Error::Memory`].
pub(crate) fn check(what: impl FnOnce() -> String, gigabytes: f64, advice: &'static str) -> Result<()> {
    if gigabytes < SMALL {
        return Ok(());
    }
    let (limit, whose) = match available() {
        Some(limit) => (limit, "that the machine has free"),
        None => (UNSAID, "allowed on a machine that does not say what it has free"),
    };
    match gigabytes > limit {
        true => Err(Error::Memory { what: what(), gigabytes, limit, whose, advice }),
        false => Ok(()),
    }
}

fn available() -> Option<f64> {
    parse(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

/// The gigabytes of the line `MemAvailable:   16384 kB`; its kB are 1024 bytes.
fn parse(table: &str) -> Option<f64> {
    let rest = table.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: f64 = rest.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024e-9 * kilobytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_free_memory_is_read_and_a_table_of_another_kind_is_not() {
        let table = "MemTotal:       32000000 kB\nMemFree:         1000000 kB\nMemAvailable:   16000000 kB\n";
        assert_eq!(parse(table), Some(16.384));
        assert_eq!(parse("MemTotal: 32000000 kB\n"), None);
        assert_eq!(parse("MemAvailable: plenty\n"), None);
    }

    #[test]
    fn a_refusal_says_whose_limit_it_is() {
        assert!(check(String::new, 0.01, "").is_ok());
        let error = check(|| "this".into(), 1e9, "ask for less").unwrap_err().to_string();
        let whose = ["that the machine has free", "allowed on a machine that does not say what it has free"];
        assert!(error.starts_with("this needs 1000000000.0 GB of memory, more than the "), "{error}");
        assert!(whose.iter().any(|whose| error.ends_with(&format!(" GB {whose}: ask for less"))), "{error}");
    }
}
