//! The paper's network: a multilayer perceptron with one output, trained on squared error.
//!
//! [`Training`] fits one, [`Network::load`] takes one that PyTorch has trained; either way it is a
//! [`Differentiable`] model with fast matrix code for the derivatives that influence functions need.

pub mod activation;
pub(crate) mod adam;
mod hessian;
pub mod layer;
pub(crate) mod noise;
pub(crate) mod pass;
mod product;
mod series;
mod tangent;
pub(crate) mod trainer;
pub mod training;
mod units;
mod weights;

use std::fmt;

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, s};

use super::{Differentiable, Features, Model, Objective};
use crate::check;
use crate::error::{Error, Result};
use crate::factor::product;
use crate::sample::Sample;
pub use activation::Activation;
pub use layer::Layer;
use layer::{last_inputs, outputs};
use product::add_matrix_product;
use series::SquaredError;
use tangent::Derivatives;
pub use training::Training;
pub(crate) use units::Units;

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
    units: Units,
    history: Vec<f64>,
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
        check::penalty(l2)?;
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
            if layer.parameters().any(|weight| !weight.is_finite()) {
                return Err(Error::Weights(format!("layer {k} has a weight that is not finite")));
            }
        }
        if last.bias.len() != 1 {
            return Err(Error::Weights(format!("the last layer has {} outputs, regression needs 1", last.bias.len())));
        }
        let units = Units::raw(first.weight.ncols());
        Ok(Self { layers, activation, l2, units, history: Vec::new() })
    }

    /// The same layers between other units.
    pub(crate) fn with_units(self, units: Units) -> Self {
        Self { units, ..self }
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
}

impl Model for Network {
    fn columns(&self) -> usize {
        self.units.columns()
    }

    fn evaluate(&self, x: ArrayView2<f64>) -> Array1<f64> {
        let output = outputs(&self.layers, self.activation, self.units.features(x));
        self.units.predictions(output.remove_axis(Axis(1)))
    }

    fn contributions(&self, x: ArrayView2<f64>) -> Option<Array2<f64>> {
        let (a, last) = last_inputs(&self.layers, self.activation, self.units.features(x));
        Some(a * last.weight.row(0) * self.units.scale())
    }
}

impl Differentiable for Network {
    fn parameters(&self) -> Array1<f64> {
        self.layers.iter().flat_map(Layer::parameters).copied().collect()
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
            units: self.units.clone(),
            history: Vec::new(),
        }
    }

    fn penalty(&self) -> Array1<f64> {
        let size: usize = self.layers.iter().map(|layer| layer.weight.len() + layer.bias.len()).sum();
        Array1::from_elem(size, self.l2)
    }

    fn objective<'a>(&'a self, sample: &'a Sample) -> Box<dyn Objective + 'a> {
        let (x, y) = self.units.inside(sample);
        Box::new(SquaredError::new(self, x, &y))
    }

    /// The derivatives by the parameters of the hidden layers.
    fn tangent(&self) -> Box<dyn Features> {
        Box::new(Derivatives::of_hidden(self))
    }

    fn derivatives(&self) -> Box<dyn Features> {
        Box::new(Derivatives::of_all(self))
    }

    /// ΔW·a = Σⱼ αⱼδⱼ(aⱼ·a), layer by layer: no step is ever written down.
    fn stepped(
        &self,
        x: ArrayView2<f64>,
        u: ArrayView1<f64>,
        along: ArrayView2<f64>,
        rows: ArrayView2<f64>,
    ) -> Array1<f64> {
        let start = self.with_parameters((self.parameters() + u).view());
        let (way, last) = (Derivatives::of_all(self).way(rows), self.layers.len() - 1);
        let mut a = self.units.features(x);
        for (l, layer) in start.layers.iter().enumerate() {
            let mut alike = product(a.view(), way.inputs[l].t());
            alike += 1.0;
            alike *= &along;
            a = layer.affine(a.view()) + product(alike.view(), way.deltas[l].view());
            if l < last {
                self.activation.apply(a.as_slice_mut().expect("standard layout"));
            }
        }
        self.units.predictions(a.remove_axis(Axis(1)))
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
