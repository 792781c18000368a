//! Options within their ranges: the checks that the options of models, baselines and audits share.
//!
//! Each answers [`Error::Choice`], which tells the name of the option, its value, its range and a value that works.

use crate::error::{Error, Result};
use crate::wording::exact;

/// What is said of an option outside its range.
pub(crate) fn refusal(name: &'static str, value: impl ToString, range: &'static str, example: &'static str) -> Error {
    Error::Choice { name, value: brief(value.to_string()), range, example }
}

/// 1e150 instead of a 1 and 150 zeros.
fn brief(value: String) -> String {
    match value.parse::<f64>() {
        Ok(number) if value.len() > 20 => exact(number),
        _ => value,
    }
}

/// Refuses an option unless its range `holds`.
pub(crate) fn that(
    holds: bool,
    name: &'static str,
    value: impl ToString,
    range: &'static str,
    example: &'static str,
) -> Result<()> {
    if holds { Ok(()) } else { Err(refusal(name, value, range, example)) }
}

/// A count of 1 or more.
pub(crate) fn at_least_one(name: &'static str, value: usize, example: &'static str) -> Result<()> {
    that(value >= 1, name, value, "be at least 1", example)
}

/// A count of 2 or more.
pub(crate) fn at_least_two(name: &'static str, value: usize, example: &'static str) -> Result<()> {
    that(value >= 2, name, value, "be at least 2", example)
}

/// A number above 0 whose square does not overflow.
pub(crate) fn positive(name: &'static str, value: f64, example: &'static str) -> Result<()> {
    that(value > 0.0 && value <= 1e100, name, value, "lie above 0 and up to 1e100", example)
}

/// A number of 0 or more whose square does not overflow: a penalty, a damping.
pub(crate) fn not_negative(name: &'static str, value: f64, example: &'static str) -> Result<()> {
    that((0.0..=1e100).contains(&value), name, value, "lie between 0 and 1e100", example)
}

/// The λ of ½λ‖θ‖².
pub(crate) fn penalty(l2: f64) -> Result<()> {
    not_negative("the penalty λ", l2, "0.01")
}

/// The units of each hidden layer of a network.
pub(crate) fn hidden(units: &[usize]) -> Result<()> {
    units.iter().try_for_each(|&units| at_least_one("the size of a hidden layer", units, "100"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_holds_at_its_ends_and_not_beyond() {
        assert!(at_least_one("it", 1, "1").is_ok() && at_least_one("it", 0, "1").is_err());
        assert!(at_least_two("it", 2, "2").is_ok() && at_least_two("it", 1, "2").is_err());
        assert!(positive("it", 1e100, "1").is_ok() && not_negative("it", 0.0, "1").is_ok());
        for outside in [-1.0, f64::NAN, f64::INFINITY, 2e100] {
            assert!(positive("it", outside, "1").is_err() && not_negative("it", outside, "1").is_err(), "{outside}");
        }
        assert!(positive("it", 0.0, "1").is_err());
    }

    #[test]
    fn a_refusal_says_what_would_do() {
        let error = at_least_two("the number of draws", 1, "100").unwrap_err();
        assert_eq!(error.to_string(), "the number of draws is 1, but it must be at least 2: try 100");
    }
}
