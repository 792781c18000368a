//! Affine layers: how they start and what a stack of them answers.

use ndarray::{Array1, Array2, ArrayView2};
use rand::Rng;

use super::{Activation, add_matrix_product};

/// One affine layer, z = W·a + b.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// W: outputs × inputs.
    pub weight: Array2<f64>,
    /// b: one for each output.
    pub bias: Array1<f64>,
}

impl Layer {
    /// A layer of the same shape, all zeros.
    pub(super) fn zeros(&self) -> Self {
        Self { weight: Array2::zeros(self.weight.dim()), bias: Array1::zeros(self.bias.len()) }
    }

    /// W row by row, then b.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = &f64> {
        self.weight.iter().chain(&self.bias)
    }

    /// a·Wᵀ + b.
    pub(super) fn affine(&self, a: ArrayView2<f64>) -> Array2<f64> {
        let mut z = Array2::zeros((a.nrows(), self.bias.len()));
        z += &self.bias;
        add_matrix_product(a, self.weight.t(), z.view_mut());
        z
    }
}

/// Random layers as PyTorch draws them: uniform within ±1/√inputs.
pub(crate) fn first_layers(columns: usize, hidden: &[usize], outputs: usize, rng: &mut impl Rng) -> Vec<Layer> {
    let mut sizes = vec![columns];
    sizes.extend(hidden);
    sizes.push(outputs);
    let layers = sizes.windows(2).map(|pair| {
        let bound = 1.0 / (pair[0] as f64).sqrt();
        let mut draw = || rng.gen_range(-bound..=bound);
        let weight = Array2::from_shape_simple_fn((pair[1], pair[0]), &mut draw);
        Layer { weight, bias: Array1::from_shape_simple_fn(pair[1], draw) }
    });
    layers.collect()
}

/// What the last layer takes, and that layer.
pub(super) fn last_inputs(layers: &[Layer], activation: Activation, inputs: Array2<f64>) -> (Array2<f64>, &Layer) {
    let (last, hidden) = layers.split_last().expect("a network has a layer");
    let through = |a: Array2<f64>, layer: &Layer| {
        let mut z = layer.affine(a.view());
        activation.apply(z.as_slice_mut().expect("standard layout"));
        z
    };
    (hidden.iter().fold(inputs, through), last)
}

/// What the layers answer, one row for each row of the inputs.
pub(crate) fn outputs(layers: &[Layer], activation: Activation, inputs: Array2<f64>) -> Array2<f64> {
    let (a, last) = last_inputs(layers, activation, inputs);
    last.affine(a.view())
}
