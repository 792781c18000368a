//! An audit as text: a table that a terminal shows, and what it means in words.
//!
//! The seconds are left to the CSV and the report: the same audit gives the same text.

use std::fmt;

use super::table::{AuditTable, Row};

impl fmt::Debug for AuditTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let promised = 100.0 * (1.0 - self.audit.alpha);
        writeln!(
            f,
            "{}, target `{}`: {} splits, {promised} % promised\n",
            self.name,
            self.target(),
            self.audit.splits
        )?;
        writeln!(
            f,
            "{:<16} {:>20} {:>10} {:>16} {:>7} {:>9}",
            "method", "coverage (95 %)", "width", "precision", "auroc", "score"
        )?;
        for row in &self.rows {
            let n = row.numbers();
            if row.runs.is_empty() {
                writeln!(f, "{:<16} failed", row.method)?;
                continue;
            }
            let coverage = format!("{:.3} ({:.3}–{:.3})", n[0], n[1], n[2]);
            let precision =
                row.discrimination().map_or("–".into(), |(p, _)| format!("{:.3} ± {:.3}", p.value, p.error));
            let number = |value: f64, decimals: usize| match value.is_nan() {
                true => "–".to_string(),
                false => format!("{value:.decimals$}"),
            };
            writeln!(
                f,
                "{:<16} {coverage:>20} {:>10} {precision:>16} {:>7} {:>9}",
                row.method.to_string(),
                number(n[3], 4),
                number(n[7], 3),
                number(n[8], 3)
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
                writeln!(f, "{} failed on split {}: {error}", row.method, split + 1)?;
            }
        }
        for row in &self.rows {
            write!(f, "\n{}: {}", row.method, row.verdict(self.audit.alpha))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.coverage() {
            Ok(coverage) => write!(f, "{} on {} splits: covers {coverage:?}", self.method, self.runs.len())?,
            Err(_) => write!(f, "{}: failed on every split", self.method)?,
        }
        if let Some((precision, chance)) = self.discrimination() {
            write!(f, "; average precision {:.4} ± {:.4}, chance {chance:.4}", precision.value, precision.error)?;
        }
        self.failures.iter().try_for_each(|(split, error)| write!(f, "\n  failed on split {}: {error}", split + 1))
    }
}
