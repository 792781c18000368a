//! Models and learners without their types: the engines work on these, so that they compile once, in this crate, and
//! not again in every crate that calls them.

use ndarray::{Array1, ArrayView1, ArrayView2};

use super::{Differentiable, Features, Model, Objective, minimum};
use crate::error::Result;
use crate::sample::Sample;

/// [`Differentiable`], object safe.
pub(crate) trait AnyDifferentiable: Model {
    /// A copy to keep.
    fn boxed(&self) -> Box<dyn AnyDifferentiable>;

    /// The same model at another θ.
    fn moved(&self, theta: ArrayView1<f64>) -> Box<dyn AnyDifferentiable>;

    /// θ̂.
    fn parameters(&self) -> Array1<f64>;

    /// λⱼ for each parameter.
    fn penalty(&self) -> Array1<f64>;

    /// The squared error of the sample as a function of θ, around the present θ.
    fn objective<'a>(&'a self, sample: &'a Sample) -> Box<dyn Objective + 'a>;

    /// The derivatives by every parameter.
    fn derivatives(&self) -> Box<dyn Features>;

    /// As [`Differentiable::stepped`].
    fn stepped(
        &self,
        x: ArrayView2<f64>,
        u: ArrayView1<f64>,
        along: ArrayView2<f64>,
        rows: ArrayView2<f64>,
    ) -> Array1<f64>;
}

impl<M: Differentiable> AnyDifferentiable for M {
    fn boxed(&self) -> Box<dyn AnyDifferentiable> {
        Box::new(self.clone())
    }

    fn moved(&self, theta: ArrayView1<f64>) -> Box<dyn AnyDifferentiable> {
        Box::new(self.with_parameters(theta))
    }

    fn parameters(&self) -> Array1<f64> {
        Differentiable::parameters(self)
    }

    fn penalty(&self) -> Array1<f64> {
        Differentiable::penalty(self)
    }

    fn objective<'a>(&'a self, sample: &'a Sample) -> Box<dyn Objective + 'a> {
        Differentiable::objective(self, sample)
    }

    fn derivatives(&self) -> Box<dyn Features> {
        Differentiable::derivatives(self)
    }

    fn stepped(
        &self,
        x: ArrayView2<f64>,
        u: ArrayView1<f64>,
        along: ArrayView2<f64>,
        rows: ArrayView2<f64>,
    ) -> Array1<f64> {
        Differentiable::stepped(self, x, u, along, rows)
    }
}

/// A learner: any function from a sample to a model.
pub(crate) type Fit<'f, 'm> = &'f (dyn Fn(&Sample) -> Result<Box<dyn Model + 'm>> + Sync + 'f);

/// A learner whose models are boxed.
pub(crate) fn boxing<'m, M: Model + 'm>(
    fit: impl Fn(&Sample) -> Result<M> + Sync,
) -> impl Fn(&Sample) -> Result<Box<dyn Model + 'm>> + Sync {
    move |rows| Ok(Box::new(fit(rows)?))
}

/// As [`super::reminimised`].
pub(crate) fn reminimised(model: &dyn AnyDifferentiable, sample: &Sample) -> Result<Box<dyn Model>> {
    Ok(model.moved(minimum(model, sample)?.view()))
}
