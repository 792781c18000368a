//! The squared error of a network as a power series: one forward and one backward pass for any order.
//!
//! Along a curve θ(t) = θ̂ + c₁t + … + c_K tᴷ every quantity of backpropagation is a polynomial in t, and the
//! chain rule for its coefficients is the ordinary one with products replaced by convolutions. What does not
//! depend on the curve, the constant terms, is computed once and shared by all left-out rows.

use std::ops::Range;

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, CowArray, Ix2, s};

use super::Network;
use super::activation::{Series, add_product};
use super::product::add_matrix_product;
use crate::model::Objective;

/// Rows that one pass takes at a time: its matrices then stay in the cache.
const CHUNK: usize = 256;

/// ½ Σ (yᵢ − f(xᵢ;θ))² around the network's θ, in standardised units.
pub(super) struct SquaredError<'a> {
    pub(super) network: &'a Network,
    /// eᵢ = yᵢ − f(xᵢ;θ).
    residuals: Array1<f64>,
    /// The input of each layer: a⁰ = x, a¹, …
    pub(super) inputs: Vec<Array2<f64>>,
    /// φ′(zˡ) of each hidden layer.
    pub(super) slopes: Vec<Array2<f64>>,
    /// ∂f/∂aˡ of each hidden layer.
    pub(super) backs: Vec<Array2<f64>>,
}

impl<'a> SquaredError<'a> {
    pub(super) fn new(network: &'a Network, x: Array2<f64>, target: &Array1<f64>) -> Self {
        let (last, hidden) = network.layers.split_last().expect("a network has a layer");
        let (mut inputs, mut slopes) = (vec![x], Vec::new());
        for (k, layer) in hidden.iter().enumerate() {
            let mut a = layer.affine(inputs[k].view());
            network.activation.apply(a.as_slice_mut().expect("standard layout"));
            slopes.push(a.mapv(|a| network.activation.slope(a)));
            inputs.push(a);
        }
        let output = last.affine(inputs[hidden.len()].view()).remove_axis(ndarray::Axis(1));
        let mut backs = vec![Array2::zeros((0, 0)); hidden.len()];
        let mut delta = Array2::ones((target.len(), 1));
        for k in (0..hidden.len()).rev() {
            backs[k] = delta.dot(&network.layers[k + 1].weight);
            delta = &backs[k] * &slopes[k];
        }
        Self { network, residuals: target - &output, inputs, slopes, backs }
    }

    /// ∂f/∂zˡ for the rows, l counted from 0; the output layer's is 1.
    pub(super) fn delta(&self, layer: usize, rows: Range<usize>) -> Array2<f64> {
        match self.slopes.get(layer) {
            Some(slope) => &self.backs[layer].slice(s![rows.clone(), ..]) * &slope.slice(s![rows, ..]),
            None => Array2::ones((rows.len(), 1)),
        }
    }

    /// Adds the K-th coefficient of the gradient over a chunk of rows.
    fn add_chunk(&self, path: &Path, rows: Range<usize>, gradient: &mut [Gradient]) {
        let (order, layers) = (path.order, &self.network.layers);
        // Forward: the inputs of each layer and the slopes, as series.
        let mut inputs: Vec<Series> = Vec::with_capacity(layers.len());
        let mut slopes: Vec<Series> = Vec::with_capacity(self.slopes.len());
        let mut series: Series = vec![None; order + 1];
        series[0] = Some(part(&self.inputs[0], &rows));
        let mut errors: Series = vec![None; order + 1];
        for l in 0..layers.len() {
            let z: Vec<_> = (1..=order).map(|k| self.pre_activation(path, l, &series, k, rows.len())).collect();
            inputs.push(series);
            if l + 1 == layers.len() {
                let constant = -&self.residuals.slice(s![rows.clone()]);
                errors[0] = Some(CowArray::from(constant.insert_axis(ndarray::Axis(1))));
                z.into_iter().enumerate().for_each(|(k, z)| errors[k + 1] = z.map(CowArray::from));
                break;
            }
            let (a, p) =
                self.network.activation.series(&z, part(&self.inputs[l + 1], &rows), part(&self.slopes[l], &rows));
            slopes.push(p);
            series = a;
        }
        // Backward: δ = ∂ loss/∂z of each layer as a series, and the gradient's K-th coefficient from it.
        let mut delta = errors;
        for l in (0..layers.len()).rev() {
            gradient[l].add(&delta, &inputs[l], order);
            if l == 0 {
                break;
            }
            // The first layer's inputs are constant, so it needs the last coefficient only.
            let wanted = if l == 1 { order..=order } else { 0..=order };
            let back: Vec<_> = (0..=order).map(|k| path.back(&layers[l].weight, l, &delta, k)).collect();
            delta = vec![None; order + 1];
            for k in wanted {
                let mut sum = None;
                for j in 0..=k {
                    if let (Some(back), Some(slope)) = (&back[j], &slopes[l - 1][k - j]) {
                        add_product(&mut sum, 1.0, back, slope);
                    }
                }
                delta[k] = sum.map(CowArray::from);
            }
        }
    }

    /// zₖ = Σⱼ aⱼ·Wₖ₋ⱼᵀ + bₖ.
    fn pre_activation(&self, path: &Path, l: usize, a: &Series, k: usize, rows: usize) -> Option<Array2<f64>> {
        let weight = &self.network.layers[l].weight;
        let mut sum: Option<Array2<f64>> = None;
        for j in 0..=k {
            let (Some(a), Some(w)) = (&a[j], path.weight(weight, l, k - j)) else { continue };
            let sum = sum.get_or_insert_with(|| match path.step(l, k) {
                Some((_, bias)) => Array2::zeros((rows, bias.len())) + bias,
                None => Array2::zeros((rows, weight.nrows())),
            });
            add_matrix_product(a.view(), w.t(), sum.view_mut());
        }
        sum
    }
}

impl Objective for SquaredError<'_> {
    fn residuals(&self) -> &Array1<f64> {
        &self.residuals
    }

    fn jacobian_of(&self, rows: Range<usize>) -> Array2<f64> {
        let p = self.network.layers.iter().map(|layer| layer.weight.len() + layer.bias.len()).sum();
        let mut jacobian = Array2::zeros((rows.len(), p));
        let mut start = 0;
        for (l, layer) in self.network.layers.iter().enumerate() {
            let delta = self.delta(l, rows.clone());
            let inputs = self.inputs[l].slice(s![rows.clone(), ..]);
            let (outputs, columns) = layer.weight.dim();
            for ((mut row, delta), input) in jacobian.rows_mut().into_iter().zip(delta.rows()).zip(inputs.rows()) {
                let cells = &mut row.as_slice_mut().expect("standard layout")[start..start + outputs * (columns + 1)];
                let (weights, biases) = cells.split_at_mut(outputs * columns);
                for (cells, &delta) in weights.chunks_mut(columns).zip(delta) {
                    cells.iter_mut().zip(input).for_each(|(cell, &input)| *cell = delta * input);
                }
                biases.iter_mut().zip(delta).for_each(|(bias, &delta)| *bias = delta);
            }
            start += outputs * (columns + 1);
        }
        jacobian
    }

    fn taylor(&self, path: &[ArrayView1<f64>], rows: Range<usize>) -> Array1<f64> {
        let path = Path::new(self.network, path);
        let mut gradient: Vec<_> =
            self.network.layers.iter().map(|layer| Gradient::zeros(layer.weight.dim())).collect();
        let mut start = rows.start;
        while start < rows.end {
            let end = (start + CHUNK).min(rows.end);
            self.add_chunk(&path, start..end, &mut gradient);
            start = end;
        }
        gradient.iter().flat_map(|layer| layer.weight.iter().chain(&layer.bias)).copied().collect()
    }

    fn hessian(&self) -> Array2<f64> {
        super::hessian::exact(self)
    }
}

fn part<'a>(matrix: &'a Array2<f64>, rows: &Range<usize>) -> CowArray<'a, f64, Ix2> {
    CowArray::from(matrix.slice(s![rows.clone(), ..]))
}

/// A direction's part in one layer: weights and biases.
type Step<'a> = (ArrayView2<'a, f64>, ArrayView1<'a, f64>);

/// The curve's coefficients, cut into weights and biases: `steps[k − 1][l]` is that of tᵏ in layer l.
struct Path<'a> {
    order: usize,
    steps: Vec<Option<Vec<Step<'a>>>>,
}

impl<'a> Path<'a> {
    fn new(network: &Network, path: &'a [ArrayView1<'_, f64>]) -> Self {
        let cut = |direction: &'a ArrayView1<'_, f64>| {
            let mut start = 0;
            let layers = network.layers.iter().map(|layer| {
                let (weights, biases) = (layer.weight.len(), layer.bias.len());
                let weight = direction.slice(s![start..start + weights]).into_shape_with_order(layer.weight.dim());
                let bias = direction.slice(s![start + weights..start + weights + biases]);
                start += weights + biases;
                (weight.expect("a direction is contiguous"), bias)
            });
            (!direction.is_empty()).then(|| layers.collect())
        };
        Self { order: path.len(), steps: path.iter().map(cut).collect() }
    }

    fn step(&self, l: usize, k: usize) -> Option<Step<'a>> {
        self.steps[k - 1].as_ref().map(|layers| layers[l])
    }

    /// The coefficient of tᵏ in layer l's weights.
    fn weight<'b>(&'b self, constant: &'b Array2<f64>, l: usize, k: usize) -> Option<ArrayView2<'b, f64>> {
        if k == 0 { Some(constant.view()) } else { self.step(l, k).map(|(weight, _)| weight.reborrow()) }
    }

    /// The coefficient of tᵏ in δ·W, the derivative by the layer's input.
    fn back(&self, constant: &Array2<f64>, l: usize, delta: &Series, k: usize) -> Option<Array2<f64>> {
        let mut sum: Option<Array2<f64>> = None;
        for (j, delta) in delta.iter().enumerate().take(k + 1) {
            let (Some(delta), Some(w)) = (delta, self.weight(constant, l, k - j)) else { continue };
            let sum = sum.get_or_insert_with(|| Array2::zeros((delta.nrows(), w.ncols())));
            add_matrix_product(delta.view(), w, sum.view_mut());
        }
        sum
    }
}

struct Gradient {
    weight: Array2<f64>,
    bias: Array1<f64>,
}

impl Gradient {
    fn zeros((outputs, inputs): (usize, usize)) -> Self {
        Self { weight: Array2::zeros((outputs, inputs)), bias: Array1::zeros(outputs) }
    }

    /// [tᴷ] δᵀ·a.
    fn add(&mut self, delta: &Series, input: &Series, order: usize) {
        for j in 0..=order {
            if let (Some(delta), Some(input)) = (&delta[j], &input[order - j]) {
                add_matrix_product(delta.t(), input.view(), self.weight.view_mut());
            }
        }
        if let Some(delta) = &delta[order] {
            self.bias += &delta.sum_axis(ndarray::Axis(0));
        }
    }
}
