//! An audit as text: a table that a terminal shows, and what it means in words.
//!
//! The seconds are left to the CSV and the report: the same audit gives the same text.

use std::fmt;

use super::summary::Summary;
use super::table::{AuditTable, Row, Run};
use crate::interval::Guarantee;
use crate::metric::Discrimination;
use crate::wording::percent;

impl fmt::Debug for AuditTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.warnings().iter().try_for_each(|warning| writeln!(f, "warning: {warning}"))?;
        fmt::Display::fmt(self, f)
    }
}

/// The same without the warnings, for those who have told them elsewhere.
impl fmt::Display for AuditTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let asked = percent(1.0 - self.audit.alpha);
        writeln!(f, "{}, target `{}`: {}, {asked} asked for\n", self.name, self.target(), self.audit.how_tested())?;
        let names = self.rows.iter().map(|row| row.name().chars().count()).max().unwrap_or(0).max(16);
        writeln!(
            f,
            "{:<names$} {:>22} {:>10} {:>10} {:>7} {:>7} {:>9}",
            "method", "coverage (95 %)", "width", "precision", "chance", "p", "score"
        )?;
        for row in &self.rows {
            let Some(Summary { coverage, width, interval_score, discrimination, .. }) = row.summary() else {
                writeln!(f, "{:<names$} failed", row.name())?;
                continue;
            };
            let ranked = |get: fn(&Discrimination) -> f64, decimals: usize| {
                discrimination.as_ref().map_or("–".into(), |d| format!("{:.decimals$}", get(d)))
            };
            writeln!(
                f,
                "{:<names$} {:>22} {:>10} {:>10} {:>7} {:>7} {:>9}",
                row.name(),
                coverage.to_string(),
                format!("{:.4}", width.value),
                ranked(|d| d.average_precision, 3),
                ranked(|d| d.chance, 3),
                ranked(|d| d.p, 3),
                format!("{:.3}", interval_score.value)
            )?;
        }
        writeln!(f, "\n{}", self.legend())?;
        if self.conditions.is_empty() {
            writeln!(f, "condition: {}", self.conditions)?;
        }
        self.groups().iter().try_for_each(|line| writeln!(f, "{line}"))?;
        self.checks.iter().try_for_each(|check| writeln!(f, "{check:?}"))?;
        for row in &self.rows {
            for (split, error) in &row.failures {
                writeln!(f, "{} failed on split {}: {error}", row.name(), split + 1)?;
            }
        }
        self.left_out.iter().try_for_each(|reason| writeln!(f, "left out: {reason}"))?;
        self.proven().into_iter().try_for_each(|(names, proven)| writeln!(f, "proven ({names}): {proven}"))?;
        self.rows.iter().try_for_each(|row| write!(f, "\n{}: {}", row.name(), self.verdict(row)))?;
        match self.answered().count() {
            0 | 1 => Ok(()),
            _ => write!(f, "\n\nchoice: {}", self.choice()),
        }
    }
}

impl AuditTable {
    /// A line for each method on the groups of rows that were tested together: how many are covered as often as was asked for,
    /// and the one that is covered worst.
    fn groups(&self) -> Vec<String> {
        let Some(group) = self.test.group() else { return Vec::new() };
        let asked = 1.0 - self.audit.alpha;
        let line = |row: &Row| {
            let groups = row.shown.as_ref()?.coverage_by_group(&self.test).ok()?;
            let enough = groups.iter().filter(|(_, coverage)| coverage.rate >= asked).count();
            // The group whose interval ends lowest, so that one unlucky row does not hide a real gap.
            let (name, worst) = groups.iter().min_by(|a, b| a.1.high.total_cmp(&b.1.high))?;
            let (column, of) = (group.column(), groups.len());
            let head = format!(
                "{} by `{column}`: {enough} of {of} groups are covered in {} or more",
                row.name(),
                percent(asked)
            );
            Some(format!("{head} of their rows; the worst is `{name}`, {} of {}", worst.covered, worst.of))
        };
        self.rows.iter().filter_map(line).collect()
    }

    /// What is proven, with the names of the methods it is proven of.
    pub(crate) fn proven(&self) -> Vec<(String, Guarantee)> {
        let mut all: Vec<(String, Guarantee)> = Vec::new();
        for row in &self.rows {
            let Some(Run { intervals, .. }) = row.runs.first() else { continue };
            match all.iter_mut().find(|(_, proven)| *proven == intervals.guarantee) {
                Some((names, _)) => *names += &format!(", {}", row.name()),
                None => all.push((row.name(), intervals.guarantee)),
            }
        }
        all
    }

    /// What the columns are, in a few sentences.
    pub(crate) fn legend(&self) -> String {
        let rows = self.rows.iter().find_map(Row::discrimination).map_or(self.tested.len(), |d| d.rows);
        let count = self.rows.iter().filter_map(Row::discrimination).filter(|d| !d.constant).count();
        let tried = if count > 1 { format!(", after Holm for {count} methods") } else { String::new() };
        let tested = match self.audit.is_given() {
            true => "taken to be new to whoever made the intervals, which cannot be seen here",
            false => "each tested by models that had not seen it or a copy of it",
        };
        format!(
            "coverage: of {rows} rows, {tested}; the interval is for new \
             rows like these, not for each x or each group. precision: average precision with which the width finds the \
             largest tenth of the errors; chance: what a random order of these rows has on average; p: the share of \
             random orders that do as well{tried}"
        )
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.coverage() {
            Ok(coverage) => write!(f, "{} on {} splits: covers {coverage:?}", self.name(), self.runs.len())?,
            Err(_) => write!(f, "{}: failed on every split", self.name())?,
        }
        if let Some(discrimination) = self.discrimination() {
            write!(f, "; {discrimination:?}")?;
        }
        self.failures.iter().try_for_each(|(split, error)| write!(f, "\n  failed on split {}: {error}", split + 1))
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "split {}: {:?}", self.split + 1, self.intervals)
    }
}
