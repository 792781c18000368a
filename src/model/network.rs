//! The paper's network: a multilayer perceptron with one output, trained on squared error.
//!
//! [`Training`] fits one, [`Network::load`] takes one that PyTorch has trained; either way it is a
//! [`Differentiable`] model with fast matrix code for the derivatives that influence functions need.

pub mod activation;
mod hessian;
mod product;
mod series;
pub(crate) mod step;
pub mod training;
mod weights;

use std::fmt;

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, s};

use super::{Differentiable, Model, Objective};
use crate::error::{Error, Result};
use crate::sample::Sample;
pub use activation::Activation;
pub(crate) use product::add_matrix_product;
use series::SquaredError;
pub use training::Training;

/// One affine layer, z = W·a + b.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// W: outputs × inputs.
    pub weight: Array2<f64>,
    /// b: one for each output.
    pub bias: Array1<f64>,
}

/// A multilayer perceptron with one output.
///
/// ```text
/// f(x; θ) = m_y + s_y·( W_L φ( … φ(W₁ (x − m)/s + b₁) … ) + b_L )
/// ```
///
/// The shifts m and scales s belong to the fitted object: users give and get raw units. They are 0 and 1 for
/// weights that come from elsewhere. θ is every weight and bias, layer by layer, in PyTorch's order, and every one
/// of them is penalised by λ.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let sample = cubic(60, Feature::Uniform { half_width: 2.0 }, 0.5, 1)?;
/// let network = Training::default().hidden(&[10]).epochs(200).fit(&sample)?;
/// assert_eq!(network.parameters().len(), 31);
/// assert_eq!(network.predict(sample.x())?.len(), 60);
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Network {
    pub(crate) layers: Vec<Layer>,
    activation: Activation,
    l2: f64,
    inputs: Standard,
    output: Standard,
    history: Vec<f64>,
}

/// (x − shift)/scale, column by column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Standard {
    pub(crate) shift: Array1<f64>,
    pub(crate) scale: Array1<f64>,
}

impl Standard {
    pub(crate) fn identity(columns: usize) -> Self {
        Self { shift: Array1::zeros(columns), scale: Array1::ones(columns) }
    }

    /// Mean 0 and deviation 1; a column without spread is only shifted.
    pub(crate) fn of(x: ArrayView2<f64>) -> Self {
        let shift = x.mean_axis(Axis(0)).expect("a sample has rows");
        let scale = x.std_axis(Axis(0), 0.0).mapv(|scale| if scale > 1e-100 { scale } else { 1.0 });
        Self { shift, scale }
    }

    pub(crate) fn apply(&self, x: ArrayView2<f64>) -> Array2<f64> {
        (&x - &self.shift) / &self.scale
    }
}

impl Network {
    /// A network from its layers, in raw units.
    ///
    /// # Errors
    /// [`Error::Weights`] if a layer does not fit the one before it, the last has not one output, or a weight is
    /// not finite; [`Error::Choice`] for a negative λ.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// use ndarray::array;
    /// let hidden = Layer { weight: array![[1.0]], bias: array![0.0] };
    /// let output = Layer { weight: array![[2.0]], bias: array![0.5] };
    /// let network = Network::new(vec![hidden, output], Activation::Tanh, 0.01)?;
    /// assert_eq!(network.predict(&array![[0.0]])?, array![0.5]);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn new(layers: Vec<Layer>, activation: Activation, l2: f64) -> Result<Self> {
        check_l2(l2)?;
        let Some((first, last)) = layers.first().zip(layers.last()) else {
            return Err(Error::Weights("there is no layer".into()));
        };
        for (k, layer) in layers.iter().enumerate() {
            if layer.weight.nrows() != layer.bias.len() || layer.weight.is_empty() {
                let (weights, biases) = (layer.weight.shape().to_vec(), layer.bias.len());
                return Err(Error::Weights(format!("layer {k} has weights {weights:?} but {biases} biases")));
            }
            if k > 0 && layers[k - 1].bias.len() != layer.weight.ncols() {
                let (outputs, inputs) = (layers[k - 1].bias.len(), layer.weight.ncols());
                return Err(Error::Weights(format!(
                    "layer {k} takes {inputs} inputs, but the one before gives {outputs}"
                )));
            }
            if layer.weight.iter().chain(&layer.bias).any(|weight| !weight.is_finite()) {
                return Err(Error::Weights(format!("layer {k} has a weight that is not finite")));
            }
        }
        if last.bias.len() != 1 {
            return Err(Error::Weights(format!("the last layer has {} outputs, regression needs 1", last.bias.len())));
        }
        let inputs = Standard::identity(first.weight.ncols());
        Ok(Self { layers, activation, l2, inputs, output: Standard::identity(1), history: Vec::new() })
    }

    /// The same layers between other units.
    pub(crate) fn with_units(mut self, inputs: Standard, output: Standard) -> Self {
        (self.inputs, self.output) = (inputs, output);
        self
    }

    /// The affine layers, in standardised units.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The non-linearity.
    pub fn activation(&self) -> Activation {
        self.activation
    }

    /// λ.
    pub fn l2(&self) -> f64 {
        self.l2
    }

    /// The training loss L after each epoch, in standardised units; empty for weights from elsewhere.
    pub fn history(&self) -> &[f64] {
        &self.history
    }

    /// What the last layer takes, and that layer.
    fn last_inputs(&self, inputs: Array2<f64>) -> (Array2<f64>, &Layer) {
        let (last, hidden) = self.layers.split_last().expect("a network has a layer");
        let through = |a: Array2<f64>, layer| {
            let mut z = affine(a.view(), layer);
            self.activation.apply(z.as_slice_mut().expect("standard layout"));
            z
        };
        (hidden.iter().fold(inputs, through), last)
    }
}

/// a·Wᵀ + b.
pub(crate) fn affine(a: ArrayView2<f64>, layer: &Layer) -> Array2<f64> {
    let mut z = Array2::zeros((a.nrows(), layer.bias.len()));
    z += &layer.bias;
    add_matrix_product(a, layer.weight.t(), z.view_mut());
    z
}

fn check_l2(l2: f64) -> Result<()> {
    if (0.0..=1e100).contains(&l2) {
        return Ok(());
    }
    Err(Error::Choice {
        name: "the penalty λ",
        value: l2.to_string(),
        range: "lie between 0 and 1e100",
        example: "0.01",
    })
}

impl Model for Network {
    fn columns(&self) -> usize {
        self.inputs.shift.len()
    }

    fn evaluate(&self, x: ArrayView2<f64>) -> Array1<f64> {
        let (a, last) = self.last_inputs(self.inputs.apply(x));
        affine(a.view(), last).remove_axis(Axis(1)) * self.output.scale[0] + self.output.shift[0]
    }

    fn contributions(&self, x: ArrayView2<f64>) -> Option<Array2<f64>> {
        let (a, last) = self.last_inputs(self.inputs.apply(x));
        Some(a * last.weight.row(0) * self.output.scale[0])
    }
}

impl Differentiable for Network {
    fn parameters(&self) -> Array1<f64> {
        self.layers.iter().flat_map(|layer| layer.weight.iter().chain(&layer.bias)).copied().collect()
    }

    fn with_parameters(&self, theta: ArrayView1<f64>) -> Self {
        let mut start = 0;
        let mut take = |count: usize| {
            start += count;
            theta.slice(s![start - count..start]).to_owned()
        };
        let layers = self.layers.iter().map(|layer| {
            let weight = take(layer.weight.len()).into_shape_with_order(layer.weight.dim());
            Layer { weight: weight.expect("as many as there were"), bias: take(layer.bias.len()) }
        });
        Self {
            layers: layers.collect(),
            activation: self.activation,
            l2: self.l2,
            inputs: self.inputs.clone(),
            output: self.output.clone(),
            history: Vec::new(),
        }
    }

    fn penalty(&self) -> Array1<f64> {
        let size: usize = self.layers.iter().map(|layer| layer.weight.len() + layer.bias.len()).sum();
        Array1::from_elem(size, self.l2)
    }

    fn objective<'a>(&'a self, sample: &'a Sample) -> Box<dyn Objective + 'a> {
        let target = (sample.y() - self.output.shift[0]) / self.output.scale[0];
        Box::new(SquaredError::new(self, self.inputs.apply(sample.x().view()), &target))
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "network {}", self.columns())?;
        for layer in &self.layers {
            write!(f, "–{}", layer.bias.len())?;
        }
        write!(f, ", {}, λ = {}, {} parameters", self.activation, self.l2, self.penalty().len())?;
        match self.history.last() {
            Some(loss) => write!(f, ", {} epochs to a loss of {loss:.3e}", self.history.len()),
            None => Ok(()),
        }
    }
}
