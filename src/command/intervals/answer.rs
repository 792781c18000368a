//! The chosen method with the chosen model.

use std::sync::Arc;

use ndarray::{Array1, Array2};

use super::asked::Asked;
use super::{Options, Task};
use crate::command::condition::errors_in_order;
use crate::command::model::Choice;
use crate::command::progress;
use crate::model::reminimised;
use crate::prelude::*;

/// Folds of `cv+` and of `tangent-cv` unless told otherwise.
const FOLDS: usize = 10;
const TANGENT_FOLDS: usize = 5;
/// The share of rows that `split` calibrates on.
const CALIBRATION: f64 = 0.5;
/// The share of rows that `split+` does not show to the model.
const UNSEEN: f64 = 0.2;

/// A learner, and the leave-one-out models that need no `--order`.
type Fit<'f> = &'f (dyn Fn(&Sample) -> Result<Fitted> + Sync);
type Exact<'f> = &'f dyn Fn() -> Result<LeaveOneOut>;

/// What a model is linear in, or nearly so.
fn features(fitted: &Fitted) -> Result<Arc<dyn Features>> {
    fitted.features().ok_or(Error::Conflict {
        options: "the tangent asks for features that the model is linear in, which this one has not",
        advice: "choose --method jackknife+ or cv+",
    })
}

/// Intervals, and what is to be said beside them.
pub(super) struct Answer {
    pub(super) intervals: Intervals,
    pub(super) trust: Option<Trust>,
    /// Left-out errors in the order of the table.
    pub(super) errors: Option<Array1<f64>>,
    /// The weights, where they were estimated.
    pub(super) ratios: Option<Ratios>,
    /// What the models say of themselves.
    pub(super) notes: Vec<String>,
}

impl From<Intervals> for Answer {
    /// Without leave-one-out models.
    fn from(intervals: Intervals) -> Self {
        Self { intervals, trust: None, errors: None, ratios: None, notes: Vec::new() }
    }
}

impl Answer {
    /// What leave-one-out models say of themselves beside their intervals.
    pub(super) fn new(intervals: Intervals, loo: &LeaveOneOut, train: &Sample) -> Self {
        let (trust, errors) = (loo.trust().cloned(), errors_in_order(loo, train));
        let notes = loo.notes().into_iter().chain(intervals.own_words()).collect();
        Self { intervals, trust, errors, ratios: None, notes }
    }
}

/// Why nothing is proven of a rule that can be, and what is.
pub(super) fn unproven(intervals: &Intervals, rule: Rule, of_network: bool) -> Option<String> {
    let reason = match (intervals.guarantee == Guarantee::None, of_network) {
        (true, true) if rule != Rule::Laplace => {
            "nothing is proven of a network's tangent on its own training rows, which its features have seen: split+ and \
             tangent-cv are proven, for networks that they train"
        }
        (true, false) if rule == Rule::Full => {
            "full is proven for a penalty that is given, as ridge:0.1, and this one was chosen from the rows: tangent is \
             proven for it"
        }
        _ => return None,
    };
    Some(reason.into())
}

impl Options {
    pub(super) fn intervals(&self, task: &Task, train: &Sample, test: &Array2<f64>) -> Result<Answer> {
        let mut answer = self.of_model(task, train, test)?;
        if let Asked::Tangent(rule) = task.asked {
            answer.notes.extend(unproven(&answer.intervals, rule, task.model.is_network()));
        }
        Ok(answer)
    }

    fn of_model(&self, task: &Task, train: &Sample, test: &Array2<f64>) -> Result<Answer> {
        let asked = (task.asked, train, test);
        match &task.model {
            Choice::Learner(learner) => {
                let learner = &self.network.applied(std::slice::from_ref(learner))?[0];
                let fit = |rows: &Sample| learner.fit(rows, self.seed);
                let exact = || match learner.is_network() {
                    true => {
                        let told = |done| progress(done, train.len(), "leave-one-out models");
                        LeaveOneOut::refit_with(train, fit, told)
                    }
                    false => learner.leave_one_out(&fit(train)?, learner.usual(), train, self.seed, None),
                };
                let mut answer = self.answer(asked, &fit, &exact)?;
                if self.order.is_some() && *learner == Learner::Likelihood {
                    // They keep the penalty of all rows.
                    answer.intervals.guarantee = Guarantee::None;
                }
                Ok(answer)
            }
            Choice::Weights(path) => {
                let network = self.load(path)?;
                // The weights themselves for the rows they were trained on, a minimum near them for fewer.
                let fit = |rows: &Sample| match rows.len() == train.len() {
                    true => Ok(Fitted::Network(network.clone())),
                    false => reminimised(&network, rows).map(Fitted::Network),
                };
                let mut answer = self.answer(asked, &fit, &|| LeaveOneOut::reminimise(&network, train))?;
                answer.intervals.guarantee = answer.intervals.guarantee.from_seen_start();
                Ok(answer)
            }
        }
    }

    /// The chosen method, with `fit` and, for leave-one-out models without `--order`, `exact`.
    fn answer(&self, (asked, train, test): (Asked, &Sample, &Array2<f64>), fit: Fit, exact: Exact) -> Result<Answer> {
        let folds = |usual: usize| self.folds.unwrap_or(usual.min(train.len()));
        let features = |rows: &Sample| features(&fit(rows)?);
        let (rule, loo) = match asked {
            Asked::HeldOut => {
                let split = HeldOut::fit(train, CALIBRATION, self.seed, fit)?;
                return Ok(split.intervals(test, self.alpha)?.into());
            }
            Asked::Folds => {
                let folds = LeaveOneOut::folds(train, folds(FOLDS), fit)?;
                return Ok(folds.jackknife_plus(test, self.alpha)?.into());
            }
            Asked::InSample => {
                return Ok(Intervals::in_sample(&fit(train)?, train, test, self.alpha)?.into());
            }
            Asked::Weighted => {
                // Before the models, which may take long.
                let ratios = Ratios::estimate(train, test)?;
                let loo = self.models(train, fit, exact)?;
                let intervals = loo.shifted_jackknife_plus(train, test, self.alpha)?;
                return Ok(Answer { ratios: Some(ratios), ..Answer::new(intervals, &loo, train) });
            }
            Asked::Rule(rule) => (rule, self.models(train, fit, exact)?),
            Asked::Tangent(rule) => (rule, LeaveOneOut::tangent_at(features(train)?, train, &Tangent::default())?),
            Asked::TangentSplit => (Rule::Nested, LeaveOneOut::tangent_split_at(train, UNSEEN, self.seed, &features)?),
            Asked::TangentFolds => {
                (Rule::Nested, LeaveOneOut::tangent_folds_at(train, folds(TANGENT_FOLDS), &features)?)
            }
        };
        Ok(Answer::new(loo.intervals(rule, test, self.alpha)?, &loo, train))
    }

    /// Leave-one-out models by influence functions if `--order` asks for them.
    fn models(&self, train: &Sample, fit: Fit, exact: Exact) -> Result<LeaveOneOut> {
        let Some(order) = self.order else { return exact() };
        match fit(train)?.differentiable() {
            Some(model) => LeaveOneOut::by_influence(model, train, &self.influence(order)),
            None => Err(Error::Conflict {
                options: "--order asks for derivatives by the parameters, which this model has not",
                advice: "leave it away",
            }),
        }
    }

    fn influence(&self, order: usize) -> Influence {
        let how = Influence::order(order).seed(self.seed);
        let how = how.solver(self.solver.unwrap_or_default()).damping(self.damping.unwrap_or(0.0));
        if self.as_printed { how.as_printed() } else { how }
    }
}
