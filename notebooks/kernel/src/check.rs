//! Compares what a notebook gives now with the outputs that its file holds.

use crate::notebook::{Notebook, text};
use crate::{Result, run};
use serde_json::Value;
use std::path::Path;

/// Executes each notebook and fails on whatever is not as stored.
pub fn check(arguments: &[String]) -> Result<()> {
    run::each(arguments, "check", one)
}

/// Executes one notebook and compares: the same kinds of output in the same cells, the same words, and the same numbers
/// within each cell's tolerance.
fn one(path: &Path) -> Result<String> {
    let notebook = Notebook::read(path)?;
    let execution = run::execute(path, &notebook)?;
    if let Some(failure) = execution.failure {
        return Err(failure);
    }
    let mut differences = Vec::new();
    for (cell, outputs) in &execution.cells {
        if let Err(difference) = same_outputs(&cell.outputs, outputs, cell.tolerance()) {
            differences.push(format!("cell {}: {difference}", cell.index + 1));
        }
    }
    match differences.is_empty() {
        true => Ok(format!("{} cells as stored, {:.1} s", execution.cells.len(), execution.time.as_secs_f64())),
        false => Err(format!(
            "{}\nThe stored outputs are stale: `jackknife lab --run {}` writes new ones.",
            differences.join("\n"),
            path.display()
        )),
    }
}

/// Whether two lists of outputs mean the same.
///
/// Of a result with several representations the plain text is compared: the others show the same object. That they are
/// there is compared too.
pub fn same_outputs(stored: &[Value], now: &[Value], tolerance: f64) -> Result<()> {
    if stored.len() != now.len() {
        return Err(format!("{} outputs are stored, {} came", stored.len(), now.len()));
    }
    for (stored, now) in stored.iter().zip(now) {
        if stored["output_type"] != now["output_type"] || stored["name"] != now["name"] {
            return Err(format!("a {} is stored, a {} came", stored["output_type"], now["output_type"]));
        }
        let kinds = |output: &Value| -> Vec<String> {
            output["data"].as_object().into_iter().flat_map(|data| data.keys().cloned()).collect()
        };
        if kinds(stored) != kinds(now) {
            return Err(format!("stored as {:?}, came as {:?}", kinds(stored), kinds(now)));
        }
        // Where a panic happened in evcxr's own file says nothing.
        if now["name"] != "stderr" {
            same_text(&plain(stored), &plain(now), tolerance)?;
        }
    }
    Ok(())
}

fn plain(output: &Value) -> String {
    [&output["text"], &output["data"]["text/plain"], &output["evalue"]].map(text).concat()
}

/// Whether two texts have the same words and, within the tolerance, the same numbers. A number may always differ by one
/// in its last printed digit.
pub fn same_text(stored: &str, now: &str, tolerance: f64) -> Result<()> {
    let (old, new) = (tokens(stored), tokens(now));
    for (a, b) in old.iter().zip(&new) {
        let same = match (a.parse::<f64>(), b.parse::<f64>()) {
            (Ok(x), Ok(y)) => {
                x == y || (x - y).abs() <= tolerance * x.abs().max(y.abs()) + 1.01 * last_digit(a).max(last_digit(b))
            }
            _ => a == b,
        };
        if !same {
            return Err(format!("`{a}` is stored, `{b}` came, in\n{}", now.trim_end()));
        }
    }
    match old.len() == new.len() {
        true => Ok(()),
        false => Err(format!("stored is\n{}\nand came\n{}", stored.trim_end(), now.trim_end())),
    }
}

/// Numbers and the words between them; space does not count, since columns are as wide as their numbers.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || "─│┌┐└┘├┤┬┴┼-".contains(c)).filter(|word| !word.is_empty())
    {
        let mut rest = word;
        while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
            let end = rest[start..]
                .find(|c: char| !c.is_ascii_digit() && c != '.' && c != 'e')
                .map_or(rest.len(), |e| start + e);
            let number = rest[start..end].trim_end_matches(['.', 'e']);
            if start > 0 {
                tokens.push(rest[..start].to_owned());
            }
            tokens.push(number.to_owned());
            rest = &rest[start + number.len()..];
        }
        if !rest.is_empty() {
            tokens.push(rest.to_owned());
        }
    }
    tokens
}

/// The worth of a number's last printed digit.
fn last_digit(number: &str) -> f64 {
    let mantissa = number.split('e').next().unwrap_or(number);
    let decimals = mantissa.split_once('.').map_or(0, |(_, digits)| digits.len());
    10f64.powi(-(decimals as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_must_be_equal_and_numbers_near() {
        assert!(same_text("covers 0.90 of 62 rows", "covers  0.91 of 62 rows", 1e-6).is_ok());
        assert!(same_text("covers 0.90 of 62 rows", "covers 0.95 of 62 rows", 1e-6).is_err());
        assert!(same_text("covers 0.90 of 62 rows", "covers 0.94 of 62 rows", 0.05).is_ok());
        assert!(same_text("covers 0.90", "misses 0.90", 1.0).is_err());
        assert!(same_text("one", "one two", 1.0).is_err());
    }

    #[test]
    fn an_output_that_vanished_is_a_difference() {
        let shown = crate::notebook::execute_result(1, [("text/plain".to_owned(), "3".to_owned())].into_iter());
        assert!(same_outputs(std::slice::from_ref(&shown), std::slice::from_ref(&shown), 0.0).is_ok());
        assert!(same_outputs(&[shown], &[], 0.0).is_err());
    }
}
