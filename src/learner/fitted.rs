//! A model that a learner has trained, with what it can be asked for beyond predictions.

use std::fmt;
use std::sync::Arc;

use ndarray::{Array1, Array2, ArrayView2};

use crate::hat::KernelRidge;
use crate::model::erased::AnyDifferentiable;
use crate::model::linear::Linear;
use crate::model::network::Network;
use crate::model::{Differentiable, Features, Model};

/// What [`Learner::fit`](super::Learner::fit) gives.
#[non_exhaustive]
pub enum Fitted {
    /// Least squares or ridge.
    Linear(Linear),
    /// Kernel ridge.
    Kernel(KernelRidge),
    /// A network.
    Network(Network),
    /// Something that predicts, and no more is known of it.
    Other(Box<dyn Model>),
}

impl Fitted {
    fn model(&self) -> &dyn Model {
        match self {
            Self::Linear(linear) => linear,
            Self::Kernel(kernel) => kernel,
            Self::Network(network) => network,
            Self::Other(model) => model.as_ref(),
        }
    }

    /// The network, if it is one.
    pub fn network(&self) -> Option<&Network> {
        match self {
            Self::Network(network) => Some(network),
            _ => None,
        }
    }

    /// With derivatives, if it has them.
    pub(crate) fn differentiable(&self) -> Option<&dyn AnyDifferentiable> {
        match self {
            Self::Linear(linear) => Some(linear),
            Self::Network(network) => Some(network),
            Self::Kernel(_) | Self::Other(_) => None,
        }
    }

    /// What it is linear in, if it is, or nearly so.
    pub(crate) fn features(&self) -> Option<Arc<dyn Features>> {
        match self {
            Self::Linear(linear) => Some(linear.tangent().into()),
            Self::Network(network) => Some(network.tangent().into()),
            Self::Kernel(kernel) => Some(Arc::new(kernel.kernel().clone())),
            Self::Other(_) => None,
        }
    }
}

impl Model for Fitted {
    fn columns(&self) -> usize {
        self.model().columns()
    }

    fn evaluate(&self, x: ArrayView2<f64>) -> Array1<f64> {
        self.model().evaluate(x)
    }

    fn contributions(&self, x: ArrayView2<f64>) -> Option<Array2<f64>> {
        self.model().contributions(x)
    }

    fn stated_deviation(&self, x: ArrayView2<f64>) -> Option<Array1<f64>> {
        self.model().stated_deviation(x)
    }
}

impl fmt::Debug for Fitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Linear(linear) => write!(f, "{linear:?}"),
            Self::Kernel(kernel) => write!(f, "{kernel:?}"),
            Self::Network(network) => write!(f, "{network:?}"),
            Self::Other(model) => write!(f, "a model of {} columns", model.columns()),
        }
    }
}
