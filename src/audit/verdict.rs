//! What an audit's numbers amount to, in words: the only place that judges.

use super::table::{AuditTable, Row};
use crate::metric::Promise;

impl Row {
    /// What the numbers mean, in words.
    pub fn verdict(&self, alpha: f64) -> String {
        let Ok(coverage) = self.coverage() else {
            return "failed on every split".into();
        };
        let covers = coverage.promise(1.0 - alpha);
        let tells = match self.discrimination() {
            None => "no error stands out that they could tell".to_string(),
            Some((precision, prevalence)) if precision.value - 2.0 * precision.error > prevalence => {
                format!(
                    "tell large errors from small ones {:.1} times better than chance",
                    precision.value / prevalence
                )
            }
            Some(_) => "do not tell good predictions from bad ones".into(),
        };
        format!("these intervals {covers}; they {tells}")
    }
}

impl AuditTable {
    /// The method whose intervals cover and have the best interval score.
    pub fn best(&self) -> Option<&Row> {
        let covers = |row: &&Row| {
            row.coverage().is_ok_and(|coverage| coverage.promise(1.0 - self.audit.alpha) != Promise::Broken)
        };
        let score = |row: &Row| row.mean(|run| Some(run.interval_score)).map_or(f64::INFINITY, |mean| mean.value);
        self.rows.iter().filter(covers).min_by(|a, b| score(a).total_cmp(&score(b)))
    }
}
