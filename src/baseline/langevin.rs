//! A Bayesian network by stochastic-gradient Langevin dynamics.

use std::sync::Arc;

use ndarray::{Array1, Array2, ArrayView2, Axis};
use rand::Rng;
use rand::seq::SliceRandom;
use rand_distr::{Distribution, Gamma, StandardNormal};

use super::draws::Draws;
use super::perceptron::{Pass, squared_error};
use super::{Baseline, Probabilistic, check_count, check_positive, stream};
use crate::error::{Error, Result};
use crate::model::Model;
use crate::model::network::training::first_layers;
use crate::model::network::{Activation, Layer, Network, Standard};
use crate::sample::Sample;

/// Shape and rate of the Gamma prior of the noise precision, in standardised units. It is worth two rows with a noise
/// of a tenth: the Gamma(6, 6) of probabilistic backpropagation would hold some hundred rows to a noise of a fifth.
const PRIOR: (f64, f64) = (1.0, 0.01);

/// A Bayesian network by stochastic-gradient Langevin dynamics (Welling & Teh 2011): gradient steps with as much
/// noise as makes them draws from the posterior.
///
/// ```text
/// θ ← θ + (ε/2)·( −θ/σ² + (n/|S|) Σ_{i ∈ S} (yᵢ − f(xᵢ))∇f(xᵢ)/s² ) + N(0, ε)        Welling & Teh 2011, eq. 4
/// ε = (s²/n)·step·(1 + t/t₀)^(−decay)
/// ```
///
/// for yᵢ ~ N(f(xᵢ; θ), s²) and θ ~ N(0, σ²) in standardised units; t counts the steps and t₀ is the length of the
/// burn-in, at least one epoch. The scale s²/n makes `step` the learning rate of the squared error. A noise that is
/// not given has the precision 1/s² ~ Gamma(1, 0.01) and is drawn from its own posterior after each epoch. All draws
/// count alike; the authors weight them by ε.
///
/// | option | default | meaning | range |
/// |---|---|---|---|
/// | `hidden` | `[100]` | units of each hidden layer | any, none for a linear model |
/// | `activation` | tanh | after every hidden layer | |
/// | `prior` | 1 | σ, the deviation of every weight and bias | > 0 |
/// | `noise` | drawn | s, the deviation of the noise, in raw units | > 0 |
/// | `step` | 0.1 | the learning rate at first | > 0 |
/// | `decay` | 0.55 | the power with which it falls | 0 to 1 |
/// | `batch` | 100 | rows of a minibatch | ≥ 1 |
/// | `burn_in` | 1000 | epochs before the first draw | any |
/// | `draws` | 100 | networks kept | ≥ 2 |
/// | `thin` | 10 | epochs from one draw to the next | ≥ 1 |
/// | `seed` | 0 | of everything random | |
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let sample = cubic(60, Feature::Uniform { half_width: 2.0 }, 0.5, 1)?;
/// let fitted = Langevin::default().hidden(&[10]).burn_in(100).draws(20).fit(&sample)?;
/// assert_eq!(fitted.intervals(sample.x(), 0.1)?.method.to_string(), "BNN (SGLD)");
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Langevin {
    hidden: Vec<usize>,
    activation: Activation,
    prior: f64,
    noise: Option<f64>,
    step: f64,
    decay: f64,
    batch: usize,
    burn_in: usize,
    draws: usize,
    thin: usize,
    seed: u64,
}

impl Default for Langevin {
    fn default() -> Self {
        Self {
            hidden: vec![100],
            activation: Activation::Tanh,
            prior: 1.0,
            noise: None,
            step: 0.1,
            decay: 0.55,
            batch: 100,
            burn_in: 1000,
            draws: 100,
            thin: 10,
            seed: 0,
        }
    }
}

impl Langevin {
    /// The units of each hidden layer.
    pub fn hidden(mut self, units: &[usize]) -> Self {
        self.hidden = units.to_vec();
        self
    }

    /// The non-linearity.
    pub fn activation(mut self, activation: Activation) -> Self {
        self.activation = activation;
        self
    }

    /// σ, the prior deviation of every weight and bias, in standardised units.
    pub fn prior(mut self, deviation: f64) -> Self {
        self.prior = deviation;
        self
    }

    /// s, a known deviation of the noise, in raw units.
    pub fn noise(mut self, deviation: f64) -> Self {
        self.noise = Some(deviation);
        self
    }

    /// The learning rate at first.
    pub fn step(mut self, rate: f64) -> Self {
        self.step = rate;
        self
    }

    /// The power with which the learning rate falls.
    pub fn decay(mut self, power: f64) -> Self {
        self.decay = power;
        self
    }

    /// Rows of a minibatch.
    pub fn batch(mut self, rows: usize) -> Self {
        self.batch = rows;
        self
    }

    /// Epochs before the first draw.
    pub fn burn_in(mut self, epochs: usize) -> Self {
        self.burn_in = epochs;
        self
    }

    /// Networks kept.
    pub fn draws(mut self, networks: usize) -> Self {
        self.draws = networks;
        self
    }

    /// Epochs from one draw to the next.
    pub fn thin(mut self, epochs: usize) -> Self {
        self.thin = epochs;
        self
    }

    /// The seed of everything random.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Draws networks from the posterior.
    ///
    /// # Errors
    /// [`Error::Choice`] for an option out of its range, [`Error::Diverged`] if the steps are too long.
    pub fn fit(&self, sample: &Sample) -> Result<Probabilistic> {
        self.check()?;
        let inputs = Standard::of(sample.x().view());
        let output = Standard::of(sample.y().view().insert_axis(Axis(1)));
        let x = inputs.apply(sample.x().view());
        let y = (sample.y() - output.shift[0]) / output.scale[0];
        let scale = output.scale[0] * output.scale[0];
        let known = self.noise.map(|noise| noise * noise / scale);

        let mut rng = stream(self.seed, 0);
        let mut layers = first_layers(sample.columns(), &self.hidden, 1, &mut rng);
        let mut noise = known.unwrap_or(1.0);
        let mut order: Vec<usize> = (0..sample.len()).collect();
        let half = (self.burn_in.max(1) * sample.len().div_ceil(self.batch)) as f64;
        let (mut steps, mut total, mut models) = (0_usize, 0.0, Vec::<Arc<dyn Model>>::new());
        for epoch in 1..=self.burn_in.saturating_add(self.draws.saturating_mul(self.thin)) {
            order.shuffle(&mut rng);
            for rows in order.chunks(self.batch) {
                let rate = self.step * (1.0 + steps as f64 / half).powf(-self.decay);
                let (x, y) = (x.select(Axis(0), rows), y.select(Axis(0), rows));
                self.move_along(&mut layers, (x.view(), &y), noise / sample.len() as f64, rate, &mut rng);
                steps += 1;
            }
            let error = half_squares(&layers, self.activation, x.view(), &y);
            if !error.is_finite() {
                let advice = "try a smaller step";
                return Err(Error::Diverged { what: "the Langevin dynamics", steps, advice });
            }
            if known.is_none() {
                noise = draw_noise(error, sample.len(), &mut rng);
            }
            if epoch > self.burn_in && (epoch - self.burn_in).is_multiple_of(self.thin) {
                // λ plays no part in a prediction.
                let network = Network::new(layers.clone(), self.activation, 0.0)?;
                models.push(Arc::new(network.with_units(inputs.clone(), output.clone())));
                total += noise;
            }
        }
        let draws = Draws { models, centre: None, noise: scale * total / self.draws as f64 };
        let notice = format!("{} networks after {steps} steps, noise deviation {:.4}", self.draws, draws.noise.sqrt());
        Ok(Probabilistic::new(draws, Baseline::Langevin, notice))
    }

    /// One step with ε = `variance`·`rate`, where `variance` is s²/n.
    fn move_along(
        &self,
        layers: &mut [Layer],
        (x, y): (ArrayView2<f64>, &Array1<f64>),
        variance: f64,
        rate: f64,
        rng: &mut impl Rng,
    ) {
        let pass = Pass::new(layers, self.activation, x, |_, _| None);
        let mut delta = Array2::zeros(pass.output.dim());
        squared_error(&pass.output, y, &mut delta);
        let gradient = pass.gradient(layers, self.activation, delta);
        let epsilon = variance * rate;
        let shrink = 0.5 * epsilon / (self.prior * self.prior);
        // (ε/2)·(n/|S|)/s²: the noise drops out.
        let drift = 0.5 * rate / y.len() as f64;
        let deviation = epsilon.sqrt();
        let mut step = |w: &mut f64, g: &f64| {
            let kick: f64 = rng.sample(StandardNormal);
            *w += deviation * kick - shrink * *w - drift * g;
        };
        for (layer, gradient) in layers.iter_mut().zip(&gradient) {
            layer.weight.zip_mut_with(&gradient.weight, &mut step);
            layer.bias.zip_mut_with(&gradient.bias, &mut step);
        }
    }

    fn check(&self) -> Result<()> {
        for &units in &self.hidden {
            check_count("the size of a hidden layer", units, 1, "100")?;
        }
        check_positive("the prior deviation", self.prior, "1")?;
        check_positive("the noise deviation", self.noise.unwrap_or(1.0), "0.5")?;
        check_positive("the step", self.step, "0.1")?;
        if !(0.0..=1.0).contains(&self.decay) {
            let (value, range) = (self.decay.to_string(), "lie between 0 and 1");
            return Err(Error::Choice { name: "the decay of the step", value, range, example: "0.55" });
        }
        check_count("the batch size", self.batch, 1, "100")?;
        check_count("the number of draws", self.draws, 2, "100")?;
        check_count("the thinning", self.thin, 1, "10")
    }
}

/// ½ Σᵢ (yᵢ − f(xᵢ))² over all rows.
fn half_squares(layers: &[Layer], activation: Activation, x: ArrayView2<f64>, y: &Array1<f64>) -> f64 {
    let output = Pass::new(layers, activation, x, |_, _| None).output;
    squared_error(&output, y, &mut Array2::zeros(output.dim()))
}

/// s² from its posterior given the network, 1/s² ~ Gamma(1 + n/2, 0.01 + ½ Σᵢ (yᵢ − f(xᵢ))²).
fn draw_noise(half_squares: f64, n: usize, rng: &mut impl Rng) -> f64 {
    let (shape, rate) = (PRIOR.0 + 0.5 * n as f64, PRIOR.1 + half_squares);
    let precision = Gamma::new(shape, 1.0 / rate).map_or(shape / rate, |gamma| gamma.sample(rng));
    1.0 / precision
}
