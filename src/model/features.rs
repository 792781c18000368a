//! What a model is linear in: the features that the tangent engine fits again.

pub mod given;

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

use super::Differentiable;
use crate::sample::Sample;

/// Points whose features are held at a time.
const HELD: usize = 512;

/// A model that is linear in some features, or nearly so around its θ̂.
///
/// ```text
/// f(x; θ) = o(x) + unit·J(x)·θ        fitted again in θ, with a penalty κ‖θ‖² of its own
/// ```
///
/// Every [`Differentiable`] model has such features ([`Differentiable::tangent`]): a linear model its columns, a network the
/// derivatives by the parameters of its hidden layers. Implement it for a model whose features come from elsewhere.
///
/// # Example
/// A random-feature model: its features do not depend on the rows, so that everything is proven.
/// ```
/// use jackknife::prelude::*;
/// use ndarray::{Array2, ArrayView2};
/// struct Waves;
/// impl Features for Waves {
///     fn columns(&self) -> usize {
///         1
///     }
///     fn width(&self) -> usize {
///         6
///     }
///     fn features(&self, x: ArrayView2<f64>) -> Array2<f64> {
///         Array2::from_shape_fn((x.nrows(), 6), |(i, k)| ((k as f64 + 1.0) * x[[i, 0]] / 2.0).sin())
///     }
///     fn are_fixed(&self) -> bool {
///         true
///     }
/// }
/// let (train, test) = cubic(80, Feature::Uniform { half_width: 2.0 }, 0.5, 0)?.split(0.25, 0)?;
/// let loo = LeaveOneOut::tangent_of(Waves, &train, &Tangent::default())?;
/// assert_eq!(loo.nested(test.x(), 0.1)?.guarantee, Guarantee::AtLeast(0.8));
/// # Ok::<(), jackknife::Error>(())
/// ```
pub trait Features: Send + Sync {
    /// The number of columns of x.
    fn columns(&self) -> usize;

    /// p, the number of features; `usize::MAX` for a kernel, of which only [`Features::kernel`] and [`Features::squares`] are
    /// asked then.
    fn width(&self) -> usize;

    /// J(x), points × p.
    fn features(&self, x: ArrayView2<f64>) -> Array2<f64>;

    /// What the model itself predicts, in units of the target; `None` if there is no other model than this.
    fn prediction(&self, x: ArrayView2<f64>) -> Option<Array1<f64>> {
        let _ = x;
        None
    }

    /// o(x), in units of the target: what is not fitted again.
    fn offset(&self, x: ArrayView2<f64>) -> Array1<f64> {
        Array1::zeros(x.nrows())
    }

    /// The target's units in one of J·θ: 1 unless the model standardises its target.
    fn unit(&self) -> f64 {
        1.0
    }

    /// Whether an intercept that nothing penalises comes with the features.
    fn has_free_intercept(&self) -> bool {
        false
    }

    /// λ of a penalty that the model keeps: κ = nλ, (n − 1)λ without a row. `None` leaves κ to the marginal likelihood.
    fn penalty(&self) -> Option<f64> {
        None
    }

    /// Whether the features are what they are whatever the rows, as the proofs ask for.
    fn are_fixed(&self) -> bool {
        false
    }

    /// Whether that is the word of whoever made them, which the guarantee then has as its condition.
    fn are_given(&self) -> bool {
        false
    }

    /// Where near is measured; `None` for the columns of x, each in units of a power of two near its deviation.
    fn place(&self, x: ArrayView2<f64>) -> Option<Array2<f64>> {
        let _ = x;
        None
    }

    /// J(a)·J(b)ᵀ: worth writing where it can be had without J.
    fn kernel(&self, a: ArrayView2<f64>, b: ArrayView2<f64>) -> Array2<f64> {
        crate::factor::product(self.features(a).view(), self.features(b).t())
    }

    /// J(x)·v at each point: worth writing where it can be had without J.
    fn along(&self, x: ArrayView2<f64>, v: ArrayView1<f64>) -> Array1<f64> {
        let mut all = Array1::zeros(x.nrows());
        for (points, mut part) in x.axis_chunks_iter(Axis(0), HELD).zip(all.axis_chunks_iter_mut(Axis(0), HELD)) {
            part.assign(&self.features(points).dot(&v));
        }
        all
    }

    /// Σₜ βₜJ(xₜ), p numbers: worth writing where it can be had without J.
    fn summed(&self, x: ArrayView2<f64>, beta: ArrayView1<f64>) -> Array1<f64> {
        let blocks = x.axis_chunks_iter(Axis(0), HELD).zip(beta.axis_chunks_iter(Axis(0), HELD));
        blocks.fold(Array1::zeros(self.width()), |sum, (x, beta)| sum + beta.dot(&self.features(x)))
    }

    /// J(x)·J(x) at each point.
    fn squares(&self, x: ArrayView2<f64>) -> Array1<f64> {
        self.features(x).map_axis(Axis(1), |row| row.dot(&row))
    }
}

impl dyn Features + '_ {
    /// How many there are, in words.
    pub(crate) fn words(&self) -> String {
        match self.width() {
            usize::MAX => "a kernel".into(),
            1 => "1 feature".into(),
            width => format!("{width} features"),
        }
    }
}

/// The derivatives by every parameter of a differentiable model.
pub(super) struct Jacobian<M>(pub(super) M);

impl<M: Differentiable> Features for Jacobian<M> {
    fn columns(&self) -> usize {
        self.0.columns()
    }

    fn width(&self) -> usize {
        self.0.parameters().len()
    }

    fn features(&self, x: ArrayView2<f64>) -> Array2<f64> {
        // The targets do not enter the derivatives.
        match Sample::new(x.to_owned(), Array1::zeros(x.nrows())) {
            Ok(points) => self.0.objective(&points).jacobian(),
            Err(_) => Array2::zeros((0, self.width())),
        }
    }

    fn prediction(&self, x: ArrayView2<f64>) -> Option<Array1<f64>> {
        Some(self.0.evaluate(x))
    }

    fn offset(&self, x: ArrayView2<f64>) -> Array1<f64> {
        self.0.evaluate(x) - self.features(x).dot(&self.0.parameters())
    }

    fn place(&self, x: ArrayView2<f64>) -> Option<Array2<f64>> {
        self.0.contributions(x)
    }
}
