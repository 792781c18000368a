//! What an audit's numbers amount to, in words: the only place that judges.

use super::table::{AuditTable, Row};
use super::{Check, Mean};
use crate::interval::Intervals;
use crate::metric::{Promise, Tells};
use crate::normal;
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
        let against = self.contradicted().map_or(String::new(), |proven| {
            format!(
                "; that contradicts the proven {} beyond chance, so these rows are not like one another",
                percent(proven)
            )
        });
        format!("on rows like these, the intervals cover {coverage}, {covers}; they {tells}{against}")
    }

    /// The rate that is proven, if the rows tested contradict it beyond chance.
    fn contradicted(&self) -> Option<f64> {
        let Intervals { guarantee, rows, .. } = &self.runs.first()?.intervals;
        guarantee.level().filter(|_| self.coverage().is_ok_and(|coverage| coverage.contradicts(guarantee, *rows)))
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

    /// The rows whose interval score is not told apart from that of the best one, beside it: the mean difference over the tested
    /// rows is within what chance gives.
    ///
    /// Rows of folds are tested by models that share most of their training rows, so that the variance of a mean over them is
    /// taken twice; the level is 5 % for all comparisons together (Bonferroni).
    pub fn rivals(&self) -> Vec<&Row> {
        let Some((best, own)) = self.best().and_then(|best| Some((best, self.scores(best)?))) else {
            return Vec::new();
        };
        let others: Vec<&Row> = self.answered().filter(|row| row.name() != best.name()).collect();
        let folded = if self.audit.trainings() > 1 { 2f64.sqrt() } else { 1.0 };
        let limit = folded * normal::quantile(1.0 - 0.025 / others.len().max(1) as f64);
        let is_near = |row: &&Row| {
            let Some(scores) = self.scores(row) else { return false };
            let apart = Mean::of(scores.iter().zip(&own).map(|(other, own)| other - own));
            let covers = self.covers(row).is_some_and(|promise| promise != Promise::Broken);
            covers && apart.is_some_and(|apart| apart.value <= limit * apart.error)
        };
        others.into_iter().filter(is_near).collect()
    }

    fn scores(&self, row: &Row) -> Option<ndarray::Array1<f64>> {
        row.intervals()?.interval_scores(self.test.y()).ok()
    }

    /// Which of the methods, and of the models, to take: the one with the lowest interval score, and those that the rows do not
    /// tell from it.
    pub fn choice(&self) -> String {
        let Some(best) = self.best() else {
            return "none of these intervals covers what was asked for on this table".into();
        };
        let rivals: Vec<String> = self.rivals().into_iter().map(Row::name).collect();
        let beside = match (self.answered().count(), &rivals[..]) {
            (0 | 1, _) => String::new(),
            (_, []) => ", lower than those of the others beyond chance".into(),
            (_, rivals) => format!("; these rows do not tell it from {}", rivals.join(", ")),
        };
        format!("of those that do not cover too little, {} has the lowest interval score{beside}", best.name())
    }

    /// Every reason not to trust the numbers as they stand, the gravest first: leave-one-out models that are poor, proofs that
    /// the rows contradict, and signs against exchangeable rows.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let sample = linear(60, 2, 0)?;
    /// let twice: Vec<usize> = (0..60).chain(0..20).collect();
    /// let audit = Audit::default().splits(2).training(Training::default().hidden(&[5]).epochs(50));
    /// let table = audit.run("twice", &sample.rows(&twice)?)?;
    /// assert!(table.warnings().iter().any(|warning| warning.contains("20 of 80 rows are copies")));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn warnings(&self) -> Vec<String> {
        let poor = |check: &Check| Some(format!("{}: {}", check.names(), check.trust.as_ref()?.warning()?));
        let against = |row: &Row| {
            let (proven, coverage) = (percent(row.contradicted()?), row.coverage().ok()?);
            let reasons = self.conditions.reasons();
            Some(format!(
                "{}: coverage {coverage} contradicts the proven {proven} beyond chance; {reasons}",
                row.name()
            ))
        };
        let models = self.checks.iter().filter_map(poor);
        let proofs = self.rows.iter().filter_map(against);
        models.chain(proofs).chain(self.conditions.iter().map(ToString::to_string)).collect()
    }
}
