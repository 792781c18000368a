//! An audit as text: a table that a terminal shows, and what it means in words.
//!
//! The seconds are left to the CSV and the report: the same audit gives the same text.

use std::fmt;

use super::summary::Summary;
use super::table::{AuditTable, Mean, Row};
use crate::wording::percent;

impl fmt::Debug for AuditTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (splits, promised) = (self.audit.splits, percent(1.0 - self.audit.alpha));
        writeln!(f, "{}, target `{}`: {splits} splits, {promised} promised\n", self.name, self.target())?;
        writeln!(
            f,
            "{:<16} {:>22} {:>10} {:>16} {:>7} {:>9}",
            "method", "coverage (95 %)", "width", "precision", "auroc", "score"
        )?;
        for row in &self.rows {
            let Summary { coverage: Some(coverage), width, average_precision, auroc, interval_score, .. } =
                row.summary()
            else {
                writeln!(f, "{:<16} failed", row.name())?;
                continue;
            };
            let number = |mean: Option<Mean>, decimals: usize| {
                mean.filter(|mean| !mean.value.is_nan())
                    .map_or("–".into(), |mean| format!("{:.decimals$}", mean.value))
            };
            let precision =
                average_precision.map_or("–".into(), |mean| format!("{:.3} ± {:.3}", mean.value, mean.error));
            writeln!(
                f,
                "{:<16} {:>22} {:>10} {precision:>16} {:>7} {:>9}",
                row.name(),
                coverage.to_string(),
                number(width, 4),
                number(auroc, 3),
                number(interval_score, 3)
            )?;
        }
        if let Some((_, prevalence)) = self.rows.iter().find_map(Row::discrimination) {
            writeln!(
                f,
                "\nprecision: average precision of the width for the largest tenth of the errors; chance is {prevalence:.3}"
            )?;
        }
        self.checks.iter().try_for_each(|check| writeln!(f, "{check:?}"))?;
        for row in &self.rows {
            for (split, error) in &row.failures {
                writeln!(f, "{} failed on split {}: {error}", row.name(), split + 1)?;
            }
        }
        for row in &self.rows {
            write!(f, "\n{}: {}", row.name(), row.verdict(self.audit.alpha))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.coverage() {
            Ok(coverage) => write!(f, "{} on {} splits: covers {coverage:?}", self.name(), self.runs.len())?,
            Err(_) => write!(f, "{}: failed on every split", self.name())?,
        }
        if let Some((precision, chance)) = self.discrimination() {
            write!(f, "; average precision {:.4} ± {:.4}, chance {chance:.4}", precision.value, precision.error)?;
        }
        self.failures.iter().try_for_each(|(split, error)| write!(f, "\n  failed on split {}: {error}", split + 1))
    }
}
