//! What an audit was told, in words: every setting and every seed.

use std::fmt;

use super::Audit;
use crate::interval::Method;
use crate::wording::percent;

impl Audit {
    /// Every setting with its name.
    pub(crate) fn facts(&self) -> Vec<(&'static str, String)> {
        let names: Vec<String> = self.methods.iter().map(Method::name).collect();
        let last = self.seed.wrapping_add(self.trainings().saturating_sub(1) as u64);
        vec![
            ("methods", names.join(", ")),
            ("miscoverage α", format!("{}, so {} coverage is asked for", self.alpha, percent(1.0 - self.alpha))),
            ("tested by", self.how_tested()),
            ("model", self.model_name()),
            ("leave-one-out models", format!("Gauss–Newton curvature, damping D = {}", self.damping_name())),
            ("seeds", format!("{} to {last}: one for each split, its network and its bootstrap", self.seed)),
        ]
    }

    /// Who is tested, and how often.
    pub(crate) fn how_tested(&self) -> String {
        let share = percent(self.test_fraction);
        match (self.random, self.splits, self.repeats) {
            (true, splits, _) => format!("{splits} random splits, each with {share} of the rows for testing"),
            (false, 1, _) => format!("1 random split, {share} of the rows for testing"),
            (false, folds, 1) => format!("{folds} splits, every row tested once"),
            (false, folds, repeats) => format!("{repeats} times {folds} splits, every row tested {repeats} times"),
        }
    }

    /// The training, and how long it goes on.
    fn model_name(&self) -> String {
        match self.stages[..] {
            [] => self.training.to_string(),
            _ => {
                let stages: Vec<String> = self.stages.iter().map(usize::to_string).collect();
                let training = self.training.with_words_for_epochs("as many epochs");
                format!("{training}, as the tangent's left-out error chooses among {}", stages.join(", "))
            }
        }
    }

    /// D, or how it depends on the training rows.
    fn damping_name(&self) -> String {
        self.damping.map_or("1/(4n)".into(), |damping| damping.to_string())
    }
}

impl fmt::Display for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self { alpha, seed, .. }, damping) = (self, self.damping_name());
        write!(f, "α = {alpha}, {}, ", self.how_tested())?;
        write!(f, "Gauss–Newton curvature with damping {damping}, seeds from {seed}; {}", self.model_name())
    }
}

impl fmt::Debug for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.methods.iter().map(Method::name).collect();
        write!(f, "audit of {}: {self}", names.join(", "))
    }
}
