//! What an audit was told, in words: every setting and every seed.

use std::fmt;

use super::Audit;
use crate::interval::Method;
use crate::learner::Learner;
use crate::wording::percent;

impl Audit {
    /// Every setting with its name.
    pub(crate) fn facts(&self) -> Vec<(&'static str, String)> {
        let last = self.seed.wrapping_add(self.trainings().saturating_sub(1) as u64);
        vec![
            ("methods", self.method_names()),
            ("miscoverage α", format!("{}, so {} coverage is asked for", self.alpha, percent(1.0 - self.alpha))),
            ("tested by", self.how_tested()),
            ("model", self.model_name()),
            ("leave-one-out models", format!("Gauss–Newton curvature, damping D = {}", self.damping_name())),
            ("seeds", format!("{} to {last}: one for each split, its model and its bootstrap", self.seed)),
        ]
        .into_iter()
        .filter(|(name, _)| !(self.is_given() && ["model", "seeds"].contains(name)))
        .filter(|(name, _)| *name != "leave-one-out models" || self.models.iter().any(Learner::is_network))
        .collect()
    }

    /// Who is tested, and how often.
    pub(crate) fn how_tested(&self) -> String {
        let share = percent(self.test_fraction);
        if self.is_given() {
            return "every row of the file, by intervals made elsewhere".into();
        }
        match (self.random, self.splits, self.repeats) {
            (true, splits, _) => format!("{splits} random splits, each with {share} of the rows for testing"),
            (false, 1, _) => format!("1 random split, {share} of the rows for testing"),
            (false, folds, 1) => format!("{folds} splits, every row tested once"),
            (false, folds, repeats) => format!("{repeats} times {folds} splits, every row tested {repeats} times"),
        }
    }

    /// The models, with all that was said of them.
    fn model_name(&self) -> String {
        let words: Vec<String> = self.models.iter().map(Learner::to_string).collect();
        words.join("; ")
    }

    /// The methods by their names, or who chose them.
    fn method_names(&self) -> String {
        match &self.methods {
            Some(methods) => methods.iter().map(Method::name).collect::<Vec<_>>().join(", "),
            None if self.models.len() > 1 => "those recommended for each model".into(),
            None => {
                self.models.iter().flat_map(Learner::methods).map(|method| method.name()).collect::<Vec<_>>().join(", ")
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
        if self.models.iter().any(Learner::is_network) {
            write!(f, "Gauss–Newton curvature with damping {damping}, ")?;
        }
        write!(f, "seeds from {seed}; {}", self.model_name())
    }
}

impl fmt::Debug for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "audit of {}: {self}", self.method_names())
    }
}
