//! The leave-one-out models of what a learner has trained, by any engine that suits it.

use std::sync::Arc;

use super::{Fitted, Learner};
use crate::curvature::Curvature;
use crate::error::Result;
use crate::interval::{Method, Rule};
use crate::leave_one_out::{Engine, Influence, LeaveOneOut, Newton, Tangent};
use crate::model::Features;
use crate::model::linear::Ridge;
use crate::sample::Sample;

/// The share of the rows that `split+` does not show to its model.
const UNSEEN: f64 = 0.2;

impl Learner {
    /// The leave-one-out models of `fitted`, which this learner made of `rows` with this seed. D, of Newton steps and influence
    /// functions in Gauss–Newton curvature, is 1/(4n) of a network if it is not given, and 0 of a linear model.
    ///
    /// # Errors
    /// [`Error::Unsuited`](crate::Error::Unsuited) for an engine that asks more of the model than it has, and whatever the engine
    /// answers.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let learner: Learner = "kernel".parse()?;
    /// let loo = learner.leave_one_out(&learner.fit(&train, 0)?, Engine::Tangent, &train, 0, None)?;
    /// assert!(loo.nested(test.x(), 0.1)?.coverage(test.y())?.rate > 0.8);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn leave_one_out(
        &self,
        fitted: &Fitted,
        engine: Engine,
        rows: &Sample,
        seed: u64,
        damping: Option<f64>,
    ) -> Result<LeaveOneOut> {
        // Any rule will do to ask whether the engine suits it.
        let unsuited = || match self.suited(Method::Pair(engine, Rule::Plus)) {
            Err(error) => error,
            Ok(_) => {
                crate::Error::Conflict { options: "this model was made by another learner", advice: "give that one" }
            }
        };
        let fit = |rows: &Sample| self.fit(rows, seed);
        let features = |rows: &Sample| -> Result<Arc<dyn Features>> { fit(rows)?.features().ok_or_else(unsuited) };
        let usual = if self.is_network() { LeaveOneOut::usual_damping(rows.len()) } else { 0.0 };
        let damping = damping.unwrap_or(usual);
        let differentiable = || fitted.differentiable().ok_or_else(unsuited);
        match engine {
            Engine::ClosedForm => match self {
                Self::Linear(ridge) => LeaveOneOut::closed_form(ridge, rows),
                Self::Likelihood => LeaveOneOut::closed_form(&Ridge::by_likelihood(rows)?, rows),
                _ => Err(unsuited()),
            },
            Engine::Newton => LeaveOneOut::newton_at(differentiable()?, rows, &Newton::default().damping(damping)),
            Engine::Influence(order, terms) => {
                let how = Influence::order(order).terms(terms).curvature(Curvature::GaussNewton).damping(damping);
                LeaveOneOut::by_influence(differentiable()?, rows, &how)
            }
            Engine::Reminimised => LeaveOneOut::by_minima(differentiable()?, rows),
            Engine::Tangent => {
                let features = fitted.features().ok_or_else(unsuited)?;
                LeaveOneOut::tangent_at(features, rows, &Tangent::default())
            }
            Engine::TangentSplit => LeaveOneOut::tangent_split_at(rows, UNSEEN, seed, &features),
            Engine::TangentFolds(folds) => LeaveOneOut::tangent_folds_at(rows, folds, &features),
            Engine::Refit => LeaveOneOut::refit(rows, fit),
            Engine::Folds(folds) => LeaveOneOut::folds(rows, folds, fit),
            Engine::Bags(bags) => match self {
                #[cfg(feature = "trees")]
                Self::Forest(forest) => LeaveOneOut::forest(rows, &forest.trees(bags).seed(seed)),
                _ => LeaveOneOut::bags(rows, bags, seed, |rows, seed| self.fit(rows, seed)),
            },
            Engine::Given => Err(unsuited()),
        }
    }
}
