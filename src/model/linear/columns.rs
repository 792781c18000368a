//! What a linear model is linear in.

use ndarray::{Array2, ArrayView2};

use crate::model::Features;

/// The columns of a linear model.
pub(crate) struct Columns {
    pub(crate) count: usize,
    pub(crate) penalty: Option<f64>,
}

impl Features for Columns {
    fn columns(&self) -> usize {
        self.count
    }

    fn width(&self) -> usize {
        self.count
    }

    fn features(&self, x: ArrayView2<f64>) -> Array2<f64> {
        x.to_owned()
    }

    fn has_free_intercept(&self) -> bool {
        true
    }

    fn penalty(&self) -> Option<f64> {
        self.penalty
    }

    fn are_fixed(&self) -> bool {
        true
    }
}
