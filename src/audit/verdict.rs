//! What an audit's numbers amount to, in words: the only place that judges.

use super::table::{AuditTable, Row};
use crate::interval::Guarantee;
use crate::metric::{Promise, Tells};
use crate::wording::percent;

impl Row {
    /// Whether the width tells large errors from small ones; `None` if there was nothing to tell.
    pub fn tells(&self) -> Option<Tells> {
        Some(self.discrimination()?.verdict())
    }

    /// What the numbers mean, in words.
    fn words(&self, asked: f64) -> String {
        let Ok(coverage) = self.coverage() else {
            return "failed on every split".into();
        };
        let level = percent(asked);
        let covers = match coverage.promise(asked) {
            Promise::Broken => format!("less than {level}"),
            Promise::Kept => format!("which agrees with {level}"),
            Promise::Exceeded => format!("more than {level}: they are wider than they need be"),
            Promise::Unclear => format!("too few rows to tell whether that is {level}"),
        };
        let tells = self.discrimination().map_or("see no error that stands out".into(), |d| d.words());
        let against = match self.intervals().map(|intervals| intervals.guarantee) {
            Some(Guarantee::AtLeast(proven)) if coverage.high < proven => {
                format!(
                    "; that contradicts the {} which is proven for rows that are exchangeable, so that these are not",
                    percent(proven)
                )
            }
            _ => String::new(),
        };
        format!("on rows like these, the intervals cover {coverage}, {covers}; they {tells}{against}")
    }
}

impl AuditTable {
    /// Whether a method covers what was asked for; `None` if it failed on every split.
    pub fn covers(&self, row: &Row) -> Option<Promise> {
        Some(row.coverage().ok()?.promise(1.0 - self.audit.alpha))
    }

    /// What the numbers of a method mean, in words.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let sample = cubic(60, Feature::Uniform { half_width: 2.0 }, 0.5, 0)?;
    /// let audit = Audit::default().splits(2).training(Training::default().hidden(&[5]).epochs(50));
    /// let table = audit.run("cubic", &sample)?;
    /// assert!(table.verdict(&table.rows()[0]).starts_with("on rows like these, the intervals"));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn verdict(&self, row: &Row) -> String {
        row.words(1.0 - self.audit.alpha)
    }

    /// The method with the best interval score on the rows tested, of those that do not cover too little.
    pub fn best(&self) -> Option<&Row> {
        let covers = |row: &&Row| self.covers(row).is_some_and(|promise| promise != Promise::Broken);
        let score = |row: &Row| row.summary().map_or(f64::INFINITY, |summary| summary.interval_score.value);
        self.rows.iter().filter(covers).min_by(|a, b| score(a).total_cmp(&score(b)))
    }
}
