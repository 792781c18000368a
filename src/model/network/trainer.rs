//! The one training loop: Adam on minibatches, against any loss and under any noise.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut2, Ix1, Ix2, s};
use rand::Rng;
use rand::seq::SliceRandom;

use super::adam::{Adam, Moments};
use super::layer::first_layers;
use super::noise::Noise;
use super::pass::Pass;
use super::{Layer, Training};
use crate::error::{Error, Result};

/// What training makes small.
#[derive(Clone, Copy)]
pub(crate) struct Loss {
    /// The outputs it is about.
    pub(crate) outputs: usize,
    /// `sum(output, targets, δ)` answers the sum over the rows and writes its derivative by each output.
    pub(crate) sum: fn(ArrayView2<f64>, ArrayView1<f64>, ArrayViewMut2<f64>) -> f64,
}

impl Loss {
    /// ½(f − y)².
    pub(crate) const SQUARED_ERROR: Self = Self { outputs: 1, sum: squared_error };
}

fn squared_error(output: ArrayView2<f64>, y: ArrayView1<f64>, mut delta: ArrayViewMut2<f64>) -> f64 {
    let mut total = 0.0;
    for ((f, y), delta) in output.iter().zip(y).zip(&mut delta) {
        *delta = f - y;
        total += 0.5 * *delta * *delta;
    }
    total
}

/// Layers in training, with all that a step needs, allocated once.
pub(crate) struct Trainer<'a, N> {
    training: &'a Training,
    loss: Loss,
    noise: N,
    pub(crate) layers: Vec<Layer>,
    pass: Pass,
    y: Array1<f64>,
    moments: Vec<(Moments<Ix2>, Moments<Ix1>)>,
    steps: i32,
}

/// The least loss so far.
struct Best {
    loss: f64,
    epoch: usize,
    layers: Vec<Layer>,
}

impl<'a, N: Noise> Trainer<'a, N> {
    /// Random first layers for a table with so many columns, and room for minibatches of its rows.
    pub(crate) fn new(
        training: &'a Training,
        (rows, columns): (usize, usize),
        loss: Loss,
        noise: N,
        rng: &mut impl Rng,
    ) -> Self {
        let layers = first_layers(columns, &training.hidden, loss.outputs, rng);
        let batch = training.batch.min(rows);
        let pass = Pass::new(&layers, training.activation, &noise, batch);
        let moments = layers.iter().map(|layer| (Moments::of(&layer.weight), Moments::of(&layer.bias))).collect();
        Self { training, loss, noise, layers, pass, y: Array1::zeros(batch), moments, steps: 0 }
    }

    /// One step on the chosen rows; answers their summed loss before it.
    pub(crate) fn step(&mut self, x: &Array2<f64>, y: &Array1<f64>, rows: &[usize], rng: &mut impl Rng) -> f64 {
        self.y.iter_mut().zip(rows).for_each(|(to, &row)| *to = y[row]);
        self.pass.read(x.view(), rows);
        self.pass.forward(&self.layers, &self.noise, rng);
        let (output, mut delta) = self.pass.outputs();
        let total = (self.loss.sum)(output, self.y.slice(s![..rows.len()]), delta.view_mut());
        delta /= rows.len() as f64;
        self.pass.backward(&self.layers);
        self.steps = self.steps.saturating_add(1);
        let adam = Adam::at(self.steps, self.training.learning_rate, self.training.l2);
        for ((layer, gradient), moments) in self.layers.iter_mut().zip(self.pass.gradient()).zip(&mut self.moments) {
            adam.update(&mut layer.weight, &gradient.weight, &mut moments.0);
            adam.update(&mut layer.bias, &gradient.bias, &mut moments.1);
        }
        total
    }

    /// Epochs of steps, until there are enough, patience ends or `progress` answers `false`, which sees the loss after each
    /// epoch so far and the layers that would be kept; the trained layers and the loss after each epoch.
    pub(crate) fn epochs(
        mut self,
        (x, y): (&Array2<f64>, &Array1<f64>),
        rng: &mut impl Rng,
        progress: &mut dyn FnMut(&[f64], &[Layer]) -> bool,
    ) -> Result<(Vec<Layer>, Vec<f64>)> {
        let Training { epochs, batch, patience, .. } = *self.training;
        let mut order: Vec<usize> = (0..y.len()).collect();
        let (mut history, mut best) = (Vec::new(), None::<Best>);
        for epoch in 1..=epochs {
            order.shuffle(rng);
            let total: f64 = order.chunks(batch).fold(0.0, |total, rows| total + self.step(x, y, rows, rng));
            let loss = total / y.len() as f64 + self.penalty();
            if !loss.is_finite() {
                return Err(Error::NotFinite {
                    what: format!("the training loss after {epoch} epochs"),
                    advice: "try a smaller learning rate",
                });
            }
            history.push(loss);
            if let Some(patience) = patience {
                match &best {
                    Some(best) if loss >= best.loss => {
                        if epoch - best.epoch >= patience {
                            break;
                        }
                    }
                    _ => best = Some(Best { loss, epoch, layers: self.layers.clone() }),
                }
            }
            if !progress(&history, best.as_ref().map_or(&self.layers, |best| &best.layers)) {
                break;
            }
        }
        Ok((best.map_or(self.layers, |best| best.layers), history))
    }

    /// ½λ‖θ‖².
    fn penalty(&self) -> f64 {
        let squares: f64 = self.layers.iter().flat_map(Layer::parameters).map(|w| w * w).sum();
        0.5 * self.training.l2 * squares
    }
}
