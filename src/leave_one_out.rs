//! The leave-one-out world: the model, the n models that each have not seen one row, and their residuals.
//!
//! Where the n models come from is an *engine*, a constructor of [`LeaveOneOut`]; what is made of them at a new x is
//! a *rule* ([`crate::interval`]). Any engine goes with any rule.
//!
//! | engine | for | cost |
//! |---|---|---|
//! | [`LeaveOneOut::closed_form`] | least squares, ridge | one decomposition; exact |
//! | [`LeaveOneOut::refit`] | any learner | n trainings, in parallel |
//! | [`LeaveOneOut::folds`] | any learner | K trainings (CV+) |
//! | [`LeaveOneOut::bags`] | any learner | B trainings, averaged (jackknife+-after-bootstrap) |
//! | [`LeaveOneOut::influence`] | any [`Differentiable`](crate::model::Differentiable) model | one factorised H, any order |
//! | [`LeaveOneOut::newton`] | the same | one Newton step on each left-out loss |
//! | [`LeaveOneOut::reminimise`] | the same | n minimisations from θ̂ |
//! | [`LeaveOneOut::tangent`] | the same, and any [`Features`](crate::model::Features) | one decomposition; exact for the tangent |
//! | [`LeaveOneOut::tangent_split`] | the same | a training on part of the rows |
//! | [`LeaveOneOut::tangent_folds`] | the same | K trainings |
//! | [`LeaveOneOut::given`] | predictions made elsewhere | none |
//!
//! Models one step away from θ̂ are not kept where rows × parameters is large: [`Shifts`].
//!
//! How far an answer without refitting can be trusted is said by [`Trust`] and measured by [`Fidelity`]; rows that
//! it fails are mended by [`LeaveOneOut::refit_flagged`] and [`LeaveOneOut::with_refits`].

mod bags;
mod blocks;
mod closed_form;
pub mod damping;
mod deviation;
mod ends;
pub mod engine;
pub mod fidelity;
mod given;
mod hybrid;
pub mod influence;
pub mod neighbours;
pub mod newton;
mod overlay;
mod parametric;
mod refit;
mod remainder;
mod reminimise;
mod scale;
pub mod shifts;
pub mod start;
pub mod tangent;
pub mod trust;

use std::fmt;
use std::sync::{Arc, OnceLock};

use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

use crate::error::{Error, Result};
use crate::sample::{Sample, check_points};
pub use damping::{DampingChoice, damping_by_likelihood};
pub use engine::Engine;
pub use fidelity::{Agreement, Fidelity};
pub(crate) use hybrid::Hybrid;
pub use influence::{Influence, Terms};
pub use newton::Newton;
use scale::Scale;
pub use shifts::Shifts;
pub use start::Start;
pub(crate) use tangent::Nested;
pub use tangent::{Stopped, Tangent};
pub use trust::Trust;

/// The n + 1 models, asked together.
pub(crate) trait Models: Send + Sync {
    /// f(x) of the model that has seen every row.
    fn full(&self, x: ArrayView2<f64>) -> Result<Array1<f64>>;

    /// f₋ᵢ(x), points × n.
    fn without(&self, x: ArrayView2<f64>) -> Result<Array2<f64>>;

    /// f(x) − f₋ᵢ(x), points × n; to first order in θ₋ᵢ − θ̂ where the models differ in their parameters only.
    fn shifts(&self, x: ArrayView2<f64>) -> Result<Array2<f64>> {
        let mut shifts = -self.without(x)?;
        shifts += &self.full(x)?.insert_axis(ndarray::Axis(1));
        Ok(shifts)
    }

    /// What adds up to f(x), as [`Model::contributions`](crate::model::Model::contributions).
    fn contributions(&self, _x: ArrayView2<f64>) -> Option<Array2<f64>> {
        None
    }

    /// The deviation that the full model states, as [`Model::stated_deviation`](crate::model::Model::stated_deviation).
    fn stated(&self, _x: ArrayView2<f64>) -> Option<Array1<f64>> {
        None
    }

    /// The deviation that the model without row i states there; `x` has the training rows.
    fn stated_left_out(&self, _x: ArrayView2<f64>) -> Option<Array1<f64>> {
        None
    }

    /// The models with scales of their own, made without the row that is left out.
    fn nested(&self) -> Option<&dyn Nested> {
        None
    }

    /// Models that find order statistics of f₋ᵢ(x) + mᵢ without being asked one by one.
    fn ordered(&self) -> Option<&dyn Nested> {
        self.nested()
    }

    /// The models that answer linearly in their step, all of them together.
    fn hybrid(&self) -> Option<&Hybrid> {
        None
    }
}

/// The leave-one-out models of one fit: computed once, asked many times, by every rule and for every α.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
/// let loo = LeaveOneOut::closed_form(&Ridge::least_squares(), &train)?;
/// let narrow = loo.jackknife_plus(test.x(), 0.2)?;
/// let wide = loo.jackknife_plus(test.x(), 0.1)?;
/// assert!(narrow.mean_width() < wide.mean_width());
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone)]
pub struct LeaveOneOut {
    models: Arc<dyn Models>,
    engine: Engine,
    x: Arc<Array2<f64>>,
    y: Array1<f64>,
    fitted: Array1<f64>,
    left_out: Array1<f64>,
    trust: Option<Trust>,
    /// Whether some models were refitted in place of the engine's own.
    mixed: bool,
    scale: Arc<OnceLock<Result<Scale>>>,
}

impl LeaveOneOut {
    /// Puts an engine's models together with the residuals they leave.
    pub(crate) fn new(
        models: impl Models + 'static,
        engine: Engine,
        sample: &Sample,
        left_out: Array1<f64>,
        trust: Option<Trust>,
    ) -> Result<Self> {
        Self::of_rows(models, engine, Arc::new(sample.x().clone()), sample.y().clone(), left_out, trust)
    }

    /// The same with features that the models share.
    fn of_rows(
        models: impl Models + 'static,
        engine: Engine,
        x: Arc<Array2<f64>>,
        y: Array1<f64>,
        left_out: Array1<f64>,
        trust: Option<Trust>,
    ) -> Result<Self> {
        let fitted = models.full(x.view())?;
        let (models, mixed, scale) = (Arc::new(models), false, Arc::default());
        let whole = Self { models, engine, x, y, fitted, left_out, trust, mixed, scale };
        match whole.left_out.iter().position(|f| !f.is_finite()) {
            None => Ok(whole),
            Some(row) => Err(Error::NotFinite {
                what: format!("the prediction of the model without row {}", row + 1),
                advice: "try more damping, more weight decay, or an engine that refits",
            }),
        }
    }

    /// The number of rows, n.
    #[allow(clippy::len_without_is_empty)] // there is at least one row
    pub fn len(&self) -> usize {
        self.y.len()
    }

    /// Where the models come from.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// R: rᵢ = |yᵢ − f(xᵢ; θ₋ᵢ)|, the errors on rows that the model has not seen.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let yacht = Table::Yacht.load();
    /// let loo = LeaveOneOut::closed_form(&Ridge::new(0.1), &yacht)?;
    /// // Leaving a row out of a linear fit can only make its error larger.
    /// assert!(loo.residuals().sum() > loo.in_sample_residuals().sum());
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn residuals(&self) -> Array1<f64> {
        (&self.y - &self.left_out).mapv(f64::abs)
    }

    /// |yᵢ − f(xᵢ; θ̂)|, the errors on rows that the model has seen.
    pub fn in_sample_residuals(&self) -> Array1<f64> {
        (&self.y - &self.fitted).mapv(f64::abs)
    }

    /// f(xᵢ; θ₋ᵢ) for every row.
    pub fn left_out_predictions(&self) -> &Array1<f64> {
        &self.left_out
    }

    /// How far models that start from given weights can be trusted: what influence functions, Newton steps and
    /// re-minimised losses report.
    ///
    /// `None` for every other engine: closed forms and refits are what they claim to be; folds and bags leave more than
    /// one row out, and models made elsewhere report nothing. [`Fidelity`] measures any of them.
    pub fn trust(&self) -> Option<&Trust> {
        self.trust.as_ref()
    }

    /// f(x; θ̂) at each row of `x`.
    ///
    /// # Errors
    /// [`Error::Columns`] if `x` has not the columns trained on, [`Error::Cell`] for cells that are not finite.
    pub fn predict(&self, x: &Array2<f64>) -> Result<Array1<f64>> {
        check_points(x, self.x.ncols())?;
        self.models.full(x.view())
    }

    /// V(x): vᵢ(x) = f(x; θ̂) − f(x; θ₋ᵢ), points × n (the paper's eq. 5).
    ///
    /// This is the whole matrix, for looking at a few points; the rules never make it.
    ///
    /// # Errors
    /// As [`LeaveOneOut::predict`].
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let loo = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?;
    /// assert_eq!(loo.variability(test.x())?.dim(), (62, 246));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn variability(&self, x: &Array2<f64>) -> Result<Array2<f64>> {
        let rows = self.at_points(x, |_, prediction, without| prediction - &ArrayView1::from(without))?;
        let mut all = Array2::zeros((x.nrows(), self.len()));
        all.rows_mut().into_iter().zip(rows).for_each(|(mut row, v)| row.assign(&v));
        Ok(all)
    }

    /// Whether some models were refitted in place of the engine's own.
    pub(crate) fn is_mixed(&self) -> bool {
        self.mixed
    }

    /// What a reader should know of the models: of the tangent its features, its penalty, and whether that is at the end of its
    /// grid; of others whether they answer linearly ([`Shifts`]).
    pub fn notes(&self) -> Vec<String> {
        let linear = self.models.hybrid().map(Hybrid::note);
        self.nested_models().map_or_else(Vec::new, |models| models.notes()).into_iter().chain(linear).collect()
    }

    /// The models with scales of their own, if they have them.
    pub(crate) fn nested_models(&self) -> Option<&dyn Nested> {
        self.models.nested()
    }

    /// The training features.
    pub(crate) fn x(&self) -> &Array2<f64> {
        &self.x
    }

    /// What adds up to f at points that have been checked.
    pub(crate) fn contributions(&self, x: &Array2<f64>) -> Option<Array2<f64>> {
        self.models.contributions(x.view())
    }

    /// The deviation that the model states at points that have been checked.
    pub(crate) fn stated(&self, x: &Array2<f64>) -> Option<Array1<f64>> {
        self.models.stated(x.view())
    }

    /// The deviation that the model without row i states at row i.
    pub(crate) fn stated_left_out(&self) -> Option<Array1<f64>> {
        self.models.stated_left_out(self.x.view())
    }
}

/// Refuses a sample of one row: nothing is left when it is left out.
fn check_rows(sample: &Sample) -> Result<()> {
    match sample.len() {
        0 | 1 => Err(Error::Rows { what: "leaving each row out in turn".into(), need: 2, have: sample.len() }),
        _ => Ok(()),
    }
}

impl fmt::Debug for LeaveOneOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mean = |residuals: Array1<f64>| residuals.mean().unwrap_or(0.0);
        if let Some(warning) = self.trust.as_ref().and_then(Trust::warning) {
            writeln!(f, "warning: {warning}")?;
        }
        write!(
            f,
            "{} leave-one-out models by {}; mean |residual| {:.4} on rows left out, {:.4} on rows seen",
            self.len(),
            self.engine,
            mean(self.residuals()),
            mean(self.in_sample_residuals())
        )?;
        if let Some(trust) = &self.trust {
            write!(f, "\n  {trust}")?;
        }
        self.notes().iter().try_for_each(|note| write!(f, "\n  {note}"))
    }
}
