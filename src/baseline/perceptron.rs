//! A perceptron with any number of outputs, any loss and dropout: what [`crate::model::network`] does not need.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Zip};
use rand::Rng;
use rand::seq::SliceRandom;

use crate::error::{Error, Result};
use crate::model::network::step::Adam;
use crate::model::network::{Activation, Layer, Training, add_matrix_product, affine};

/// The shares of units that dropout switches off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rates {
    pub(super) input: f64,
    pub(super) hidden: f64,
}

impl Rates {
    pub(super) const NONE: Self = Self { input: 0.0, hidden: 0.0 };

    /// 0 for each unit switched off and 1/(1 − p) for the others, before layer `l`; `None` if p = 0.
    pub(super) fn mask(&self, l: usize, shape: (usize, usize), rng: &mut impl Rng) -> Option<Array2<f64>> {
        let p = if l == 0 { self.input } else { self.hidden };
        let draw = || if rng.r#gen::<f64>() < p { 0.0 } else { 1.0 / (1.0 - p) };
        (p > 0.0).then(|| Array2::from_shape_simple_fn(shape, draw))
    }
}

/// One pass through the layers, with what the way back needs.
pub(crate) struct Pass {
    /// The input of each layer, with the units switched off.
    inputs: Vec<Array2<f64>>,
    /// φ(z) before each layer but the first, with all units on.
    hidden: Vec<Array2<f64>>,
    masks: Vec<Option<Array2<f64>>>,
    pub(crate) output: Array2<f64>,
}

impl Pass {
    pub(crate) fn new(
        layers: &[Layer],
        activation: Activation,
        x: ArrayView2<f64>,
        mut mask: impl FnMut(usize, (usize, usize)) -> Option<Array2<f64>>,
    ) -> Self {
        let (mut inputs, mut hidden, mut masks) = (Vec::new(), Vec::new(), Vec::new());
        let mut output = x.to_owned();
        for (l, layer) in layers.iter().enumerate() {
            if l > 0 {
                activation.apply(output.as_slice_mut().expect("standard layout"));
                hidden.push(output.clone());
            }
            masks.push(mask(l, output.dim()));
            if let Some(mask) = &masks[l] {
                output *= mask;
            }
            let next = affine(output.view(), layer);
            inputs.push(output);
            output = next;
        }
        Self { inputs, hidden, masks, output }
    }

    /// ∂ loss/∂θ from δ = ∂ loss/∂ output.
    pub(crate) fn gradient(&self, layers: &[Layer], activation: Activation, mut delta: Array2<f64>) -> Vec<Layer> {
        let mut gradient = Vec::with_capacity(layers.len());
        for (l, layer) in layers.iter().enumerate().rev() {
            let mut weight = Array2::zeros(layer.weight.dim());
            add_matrix_product(delta.t(), self.inputs[l].view(), weight.view_mut());
            gradient.push(Layer { weight, bias: delta.sum_axis(Axis(0)) });
            if l > 0 {
                let mut back = Array2::zeros(self.inputs[l].dim());
                add_matrix_product(delta.view(), layer.weight.view(), back.view_mut());
                if let Some(mask) = &self.masks[l] {
                    back *= mask;
                }
                let layout = "standard layout";
                let a = self.hidden[l - 1].as_slice().expect(layout);
                activation.multiply_slope(a, back.as_slice_mut().expect(layout));
                delta = back;
            }
        }
        gradient.reverse();
        gradient
    }
}

/// Trains `layers` by Adam on minibatches, as [`Training::fit`] does, against any loss.
///
/// `loss(output, targets, δ)` answers the sum of the losses of the rows and writes its derivative by each output.
pub(super) fn train(
    mut layers: Vec<Layer>,
    training: &Training,
    rates: Rates,
    (x, y): (ArrayView2<f64>, ArrayView1<f64>),
    rng: &mut impl Rng,
    loss: impl Fn(&Array2<f64>, &Array1<f64>, &mut Array2<f64>) -> f64,
) -> Result<Vec<Layer>> {
    let (mut first, mut second) = (zeros(&layers), zeros(&layers));
    let (mut order, mut steps): (Vec<usize>, i32) = ((0..y.len()).collect(), 0);
    let mut best: Option<(f64, usize, Vec<Layer>)> = None;
    for epoch in 1..=training.epochs {
        order.shuffle(rng);
        let mut total = 0.0;
        for rows in order.chunks(training.batch) {
            let (x, y) = (x.select(Axis(0), rows), y.select(Axis(0), rows));
            let pass = Pass::new(&layers, training.activation, x.view(), |l, shape| rates.mask(l, shape, rng));
            let mut delta = Array2::zeros(pass.output.dim());
            total += loss(&pass.output, &y, &mut delta);
            delta /= rows.len() as f64;
            let gradient = pass.gradient(&layers, training.activation, delta);
            steps = steps.saturating_add(1);
            let adam = Adam::at(steps, training.learning_rate, training.l2);
            for (((layer, gradient), m), v) in layers.iter_mut().zip(&gradient).zip(&mut first).zip(&mut second) {
                let update = |w: &mut f64, g: &f64, m: &mut f64, v: &mut f64| adam.update(w, *g, m, v);
                Zip::from(&mut layer.weight)
                    .and(&gradient.weight)
                    .and(&mut m.weight)
                    .and(&mut v.weight)
                    .for_each(update);
                Zip::from(&mut layer.bias).and(&gradient.bias).and(&mut m.bias).and(&mut v.bias).for_each(update);
            }
        }
        let total = total / y.len() as f64 + 0.5 * training.l2 * squares(&layers);
        if !total.is_finite() {
            return Err(Error::NotFinite {
                what: format!("the training loss after {epoch} epochs"),
                advice: "try a smaller learning rate",
            });
        }
        let Some(patience) = training.patience else { continue };
        match &best {
            Some((least, since, _)) if total >= *least => {
                if epoch - since >= patience {
                    break;
                }
            }
            _ => best = Some((total, epoch, layers.clone())),
        }
    }
    Ok(best.map_or(layers, |(_, _, layers)| layers))
}

/// ½(f − y)², the loss of networks with one output.
pub(super) fn squared_error(output: &Array2<f64>, y: &Array1<f64>, delta: &mut Array2<f64>) -> f64 {
    let mut difference = delta.column_mut(0);
    difference.assign(&(&output.column(0) - y));
    0.5 * difference.dot(&difference)
}

/// ‖θ‖².
pub(super) fn squares(layers: &[Layer]) -> f64 {
    layers.iter().flat_map(|layer| layer.weight.iter().chain(&layer.bias)).map(|w| w * w).sum()
}

fn zeros(layers: &[Layer]) -> Vec<Layer> {
    let zero = |l: &Layer| Layer { weight: Array2::zeros(l.weight.dim()), bias: Array1::zeros(l.bias.len()) };
    layers.iter().map(zero).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::stream;
    use crate::model::network::training::first_layers;

    #[test]
    fn the_gradient_with_units_switched_off_is_its_differences() {
        let mut rng = stream(3, 0);
        let layers = first_layers(2, &[5, 4], 2, &mut rng);
        let x = Array2::from_shape_fn((3, 2), |(i, j)| (1.3 * i as f64 + j as f64).cos());
        let rates = Rates { input: 0.2, hidden: 0.4 };
        let loss = |layers: &[Layer]| {
            let mut rng = stream(4, 0); // the same units in every pass
            let pass = Pass::new(layers, Activation::Tanh, x.view(), |l, shape| rates.mask(l, shape, &mut rng));
            (0.5 * pass.output.mapv(|f| f * f).sum(), pass)
        };
        let pass = loss(&layers).1;
        assert!(pass.masks.iter().flatten().any(|mask| mask.iter().any(|&m| m == 0.0)));
        let gradient = pass.gradient(&layers, Activation::Tanh, pass.output.clone());
        for l in 0..3 {
            for (index, found) in gradient[l].weight.indexed_iter() {
                let moved = |h: f64| {
                    let mut layers = layers.clone();
                    layers[l].weight[index] += h;
                    loss(&layers).0
                };
                let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                assert!((found - difference).abs() < 1e-9, "{index:?} of layer {l}");
            }
        }
    }
}
