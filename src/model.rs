//! Models: anything that predicts, and what influence functions must know of it.
//!
//! * [`Model`] predicts; learners from elsewhere need no more (see [`crate::leave_one_out`]).
//! * [`Differentiable`] models also know their parameters and, through an [`Objective`], the derivatives of their
//!   loss. You hardly ever implement it: write the prediction formula once over a generic scalar
//!   ([`formula::Formula`]) and it comes for free. [`linear::Linear`] and [`network::Network`] have their own fast
//!   implementations of the same trait.

pub(crate) mod erased;
pub mod features;
#[cfg(feature = "trees")]
pub mod forest;
pub mod formula;
#[cfg(feature = "linfa")]
pub mod learner;
pub mod linear;
pub(crate) mod linearised;
pub(crate) mod logistic;
mod minimise;
pub mod network;
mod tensor;

use std::ops::Range;

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

use crate::error::{Error, Result};
use crate::sample::{Sample, check_points};
use erased::AnyDifferentiable;
pub use features::Features;
use features::Jacobian;
pub use features::given::GivenFeatures;
use minimise::minimise;

/// f(x; θ̂): anything that predicts. Object safe.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// use ndarray::{Array1, ArrayView2, array};
/// struct Mean(f64);
/// impl Model for Mean {
///     fn columns(&self) -> usize {
///         1
///     }
///     fn evaluate(&self, x: ArrayView2<f64>) -> Array1<f64> {
///         Array1::from_elem(x.nrows(), self.0)
///     }
/// }
/// assert_eq!(Mean(3.2).predict(&array![[0.0], [1.0]])?, array![3.2, 3.2]);
/// assert!(Mean(3.2).predict(&array![[0.0, 1.0]]).is_err());
/// # Ok::<(), jackknife::Error>(())
/// ```
pub trait Model: Send + Sync {
    /// The number of features the model was trained on.
    fn columns(&self) -> usize;

    /// The prediction at each row of `x`, which has been checked to have [`Model::columns`] columns.
    fn evaluate(&self, x: ArrayView2<f64>) -> Array1<f64>;

    /// What is added up, but for a constant, to the prediction, one column each: rows with like contributions are
    /// alike to the model. `None` if it has none to tell.
    ///
    /// A linear model has βⱼxⱼ, a network what each unit of its last hidden layer adds to the output.
    fn contributions(&self, x: ArrayView2<f64>) -> Option<Array2<f64>> {
        let _ = x;
        None
    }

    /// The standard deviation of the target that the model itself states at each row of `x`, positive and in the target's
    /// units; `None` if it states none.
    ///
    /// A deep ensemble has one, and every other [`Probabilistic`](crate::baseline::Probabilistic) model.
    fn stated_deviation(&self, x: ArrayView2<f64>) -> Option<Array1<f64>> {
        let _ = x;
        None
    }

    /// The prediction at each row of `x`.
    ///
    /// # Errors
    /// [`Error::Columns`] if `x` has not the columns trained on,
    /// [`Error::Cell`] for cells that are not finite.
    fn predict(&self, x: &Array2<f64>) -> Result<Array1<f64>> {
        check_points(x, self.columns())?;
        Ok(self.evaluate(x.view()))
    }
}

impl Model for Box<dyn Model + '_> {
    fn columns(&self) -> usize {
        (**self).columns()
    }

    fn evaluate(&self, x: ArrayView2<f64>) -> Array1<f64> {
        (**self).evaluate(x)
    }

    fn contributions(&self, x: ArrayView2<f64>) -> Option<Array2<f64>> {
        (**self).contributions(x)
    }

    fn stated_deviation(&self, x: ArrayView2<f64>) -> Option<Array1<f64>> {
        (**self).stated_deviation(x)
    }

    fn predict(&self, x: &Array2<f64>) -> Result<Array1<f64>> {
        (**self).predict(x)
    }
}

/// A model whose parameters and loss are known: all that influence functions need.
///
/// The loss is the one of the whole crate,
///
/// ```text
/// ℓᵢ(θ) = ½(yᵢ − f(xᵢ;θ))² + ½ Σⱼ λⱼθⱼ²,    L = (1/n) Σᵢ ℓᵢ
/// ```
///
/// in the model's own units: a network that standardises its target has its loss in standard deviations.
pub trait Differentiable: Model + Clone + 'static {
    /// θ̂.
    fn parameters(&self) -> Array1<f64>;

    /// The same model at another θ.
    fn with_parameters(&self, theta: ArrayView1<f64>) -> Self;

    /// λⱼ for each parameter.
    fn penalty(&self) -> Array1<f64>;

    /// The squared error of the sample as a function of θ, around the present θ.
    fn objective<'a>(&'a self, sample: &'a Sample) -> Box<dyn Objective + 'a>;

    /// What the model is linear in around θ̂: the derivatives by every parameter, unless told otherwise.
    fn tangent(&self) -> Box<dyn Features> {
        self.derivatives()
    }

    /// The derivatives by every parameter, in the order of [`Differentiable::parameters`]; a model that standardises its
    /// target says so by their [`unit`](Features::unit).
    ///
    /// ```
    /// use jackknife::prelude::*;
    /// let yacht = Table::Yacht.load();
    /// let network = Training::default().hidden(&[10]).epochs(10).fit(&yacht)?;
    /// assert_eq!(network.derivatives().width(), network.parameters().len());
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    fn derivatives(&self) -> Box<dyn Features> {
        Box::new(Jacobian(self.clone()))
    }

    /// f at each row of `x`, each at a θ of its own, that of row i at θ̂ + u + Σⱼ αᵢⱼJ(tⱼ): `along` has the αᵢⱼ, `rows` the tⱼ,
    /// and J is taken at θ̂. Worth writing where it can be had without J.
    fn stepped(
        &self,
        x: ArrayView2<f64>,
        u: ArrayView1<f64>,
        along: ArrayView2<f64>,
        rows: ArrayView2<f64>,
    ) -> Array1<f64> {
        let (derivatives, start) = (self.derivatives(), self.parameters() + u);
        let step = |(x, along): (ArrayView2<f64>, ArrayView1<f64>)| {
            let theta = &start + &derivatives.summed(rows, along);
            self.with_parameters(theta.view()).evaluate(x)[0]
        };
        x.axis_chunks_iter(Axis(0), 1).zip(along.rows()).map(step).collect()
    }
}

/// The model at the minimum of L on other rows, from its present θ to convergence: a refit that needs neither the
/// model's own training program nor its seeds.
///
/// # Errors
/// [`Error::Columns`] if the rows have other columns, [`Error::Diverged`] if there is no minimum nearby, as for a
/// network without weight decay.
///
/// # Example
/// ```
/// use jackknife::model::reminimised;
/// use jackknife::prelude::*;
/// let yacht = Table::Yacht.load();
/// let ridge = Ridge::new(0.1);
/// let moved = reminimised(&ridge.fit(&yacht)?, &yacht.without(0)?)?;
/// let refit = ridge.fit(&yacht.without(0)?)?;
/// assert!((moved.intercept() - refit.intercept()).abs() < 1e-8);
/// # Ok::<(), jackknife::Error>(())
/// ```
pub fn reminimised<M: Differentiable>(model: &M, sample: &Sample) -> Result<M> {
    Ok(model.with_parameters(minimum(model, sample)?.view()))
}

/// The parameters of [`reminimised`].
pub(crate) fn minimum(model: &dyn AnyDifferentiable, sample: &Sample) -> Result<Array1<f64>> {
    if model.columns() != sample.columns() {
        return Err(Error::Columns { trained: model.columns(), given: sample.columns() });
    }
    let minimum = minimise(model, sample)?;
    if !minimum.converged {
        return Err(Error::Diverged {
            what: "re-minimising the loss on fewer rows",
            steps: minimum.steps,
            advice: "give the model some weight decay, or refit with its own training",
        });
    }
    Ok(minimum.theta)
}

/// The squared error ½ Σᵢ (yᵢ − f(xᵢ;θ))² around a point θ, without the penalty.
///
/// Everything comes from one primitive, [`Objective::taylor`]: with an empty path it is the gradient, with one
/// direction the Hessian–vector product, with more the higher directional derivatives of any order.
pub trait Objective: Sync {
    /// eᵢ = yᵢ − f(xᵢ;θ).
    fn residuals(&self) -> &Array1<f64>;

    /// ∇f(xᵢ;θ), one row for each of some observations: what may be asked for in blocks where n × p is too much.
    fn jacobian_of(&self, rows: Range<usize>) -> Array2<f64>;

    /// ∇f(xᵢ;θ), one row for each observation.
    fn jacobian(&self) -> Array2<f64> {
        self.jacobian_of(0..self.residuals().len())
    }

    /// The K-th Taylor coefficient, K = `path.len()`, of the gradient along a curve through θ:
    ///
    /// ```text
    /// [tᴷ]  Σ_{i ∈ rows} ∇ ½(yᵢ − f(xᵢ; θ + c₁t + … + c_K tᴷ))²
    /// ```
    ///
    /// A direction of zeros may be given with length 0: it costs nothing then.
    fn taylor(&self, path: &[ArrayView1<f64>], rows: Range<usize>) -> Array1<f64>;

    /// ∇² of the squared error over all rows.
    fn hessian(&self) -> Array2<f64> {
        let (n, p) = (self.residuals().len(), self.taylor(&[], 0..0).len());
        let mut hessian = Array2::zeros((p, p));
        let mut direction = Array1::zeros(p);
        for (j, mut row) in hessian.rows_mut().into_iter().enumerate() {
            direction[j] = 1.0;
            row.assign(&self.taylor(&[direction.view()], 0..n));
            direction[j] = 0.0;
        }
        hessian
    }
}
