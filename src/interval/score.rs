//! Scores: residuals in units of a scale of your own, in the jackknife+.
//!
//! ```text
//! qᵢ = rᵢ / s₋ᵢ(xᵢ),     [ Q⁻{ f₋ᵢ(x) − qᵢ·s(x) },  Q⁺{ f₋ᵢ(x) + qᵢ·s(x) } ]
//! ```
//!
//! A [`Score`] gives s at the training rows and at new points; [`Scaled`] makes a rule of it. The studentised rule is one.

use ndarray::{Array1, Array2};

use super::Recipe;
use crate::check::refusal;
use crate::error::{Error, Result};
use crate::leave_one_out::LeaveOneOut;
use crate::quantile::Ranks;
use crate::sample::check_points;

/// How large an error is to be expected: the scale that residuals are measured in.
///
/// # Example
/// Errors that grow with the size of the prediction, the gamma score of other libraries:
/// ```
/// use jackknife::prelude::*;
/// use ndarray::{Array1, Array2};
/// struct Gamma;
/// impl Score for Gamma {
///     fn name(&self) -> &str {
///         "gamma"
///     }
///     fn at_rows(&self, loo: &LeaveOneOut) -> Result<Array1<f64>> {
///         Ok(loo.left_out_predictions().mapv(|f| f.abs().max(0.1)))
///     }
///     fn at_points(&self, loo: &LeaveOneOut, x: &Array2<f64>) -> Result<Array1<f64>> {
///         Ok(loo.predict(x)?.mapv(|f| f.abs().max(0.1)))
///     }
/// }
/// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
/// let loo = LeaveOneOut::closed_form(&Ridge::new(0.1), &train)?;
/// let intervals = loo.intervals(Rule::of(&Scaled(Gamma)), test.x(), 0.1)?;
/// assert_eq!(intervals.method.to_string(), "gamma (closed form)");
/// # Ok::<(), jackknife::Error>(())
/// ```
pub trait Score: Send + Sync {
    /// What the rule with this score is called.
    fn name(&self) -> &str;

    /// s₋ᵢ(xᵢ) for every training row, positive; no row should have a say in its own.
    ///
    /// # Errors
    /// Whatever the models answer.
    fn at_rows(&self, loo: &LeaveOneOut) -> Result<Array1<f64>>;

    /// s(x) at each row of `x`, positive.
    ///
    /// # Errors
    /// Whatever the models answer.
    fn at_points(&self, loo: &LeaveOneOut, x: &Array2<f64>) -> Result<Array1<f64>>;
}

/// The jackknife+ with residuals in units of a [`Score`]: no guarantee is claimed, for s(x) has seen every row.
#[derive(Clone, Copy, Debug)]
pub struct Scaled<S>(pub S);

impl<S: Score> Recipe for Scaled<S> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn ends(&self, loo: &LeaveOneOut, x: &Array2<f64>, alpha: f64) -> Result<Vec<(f64, f64)>> {
        check_points(x, loo.x().ncols())?;
        let ranks = Ranks::new(loo.len(), alpha)?;
        let (rows, points) = (self.0.at_rows(loo)?, self.0.at_points(loo, x)?);
        check("scales and training rows", &rows, loo.len())?;
        check("scales and points", &points, x.nrows())?;
        loo.ends(x, &(loo.residuals() / rows).to_vec(), Some(&points.to_vec()), ranks)
    }
}

/// Refuses a scale that nothing can be measured in.
fn check(what: &str, scale: &Array1<f64>, count: usize) -> Result<()> {
    if scale.len() != count {
        return Err(Error::Shape { what: what.into(), left: scale.len(), right: count });
    }
    match scale.iter().find(|s| !(**s > 0.0 && s.is_finite())) {
        None => Ok(()),
        Some(s) => Err(refusal("a scale of the residuals", s, "be positive and finite", "a small floor below it")),
    }
}
