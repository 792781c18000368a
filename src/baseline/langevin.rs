//! A Bayesian network by stochastic-gradient Langevin dynamics.

use std::sync::Arc;

use ndarray::{Array1, Array2};
use rand::Rng;
use rand::seq::SliceRandom;
use rand_distr::{Distribution, Gamma, StandardNormal};

use super::draws::Draws;
use super::{Baseline, Probabilistic, stream};
use crate::check;
use crate::error::{Error, Result};
use crate::model::Model;
use crate::model::network::layer::{first_layers, outputs};
use crate::model::network::noise::Rates;
use crate::model::network::pass::Pass;
use crate::model::network::{Activation, Layer, Network, Units};
use crate::sample::Sample;
use crate::setter::setters;

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
    setters! {
        /// The units of each hidden layer.
        hidden(units: &[usize]) => units.to_vec();

        /// The non-linearity.
        activation(activation: Activation) => activation;

        /// σ, the prior deviation of every weight and bias, in standardised units.
        prior(deviation: f64) => deviation;

        /// s, a known deviation of the noise, in raw units.
        noise(deviation: f64) => Some(deviation);

        /// The learning rate at first.
        step(rate: f64) => rate;

        /// The power with which the learning rate falls.
        decay(power: f64) => power;

        /// Rows of a minibatch.
        batch(rows: usize) => rows;

        /// Epochs before the first draw.
        burn_in(epochs: usize) => epochs;

        /// Networks kept.
        draws(networks: usize) => networks;

        /// Epochs from one draw to the next.
        thin(epochs: usize) => epochs;

        /// The seed of everything random.
        seed(seed: u64) => seed;
    }

    /// Draws networks from the posterior.
    ///
    /// # Errors
    /// [`Error::Choice`] for an option out of its range, [`Error::Diverged`] if the steps are too long.
    pub fn fit(&self, sample: &Sample) -> Result<Probabilistic> {
        self.check()?;
        let units = Units::of(sample);
        let (x, y) = units.inside(sample);
        let scale = units.scale() * units.scale();
        let known = self.noise.map(|noise| noise * noise / scale);

        let mut rng = stream(self.seed, 0);
        let mut layers = first_layers(sample.columns(), &self.hidden, 1, &mut rng);
        let mut pass = Pass::new(&layers, self.activation, &Rates::NONE, self.batch.min(sample.len()));
        let mut noise = known.unwrap_or(1.0);
        let mut order: Vec<usize> = (0..sample.len()).collect();
        let half = (self.burn_in.max(1) * sample.len().div_ceil(self.batch)) as f64;
        let (mut steps, mut total, mut models) = (0_usize, 0.0, Vec::<Arc<dyn Model>>::new());
        for epoch in 1..=self.burn_in.saturating_add(self.draws.saturating_mul(self.thin)) {
            order.shuffle(&mut rng);
            for rows in order.chunks(self.batch) {
                let rate = self.step * (1.0 + steps as f64 / half).powf(-self.decay);
                pass.read(x.view(), rows);
                pass.forward(&layers, &Rates::NONE, &mut rng);
                let (output, mut delta) = pass.outputs();
                delta.iter_mut().zip(output).zip(rows).for_each(|((delta, f), &row)| *delta = f - y[row]);
                pass.backward(&layers);
                self.move_along(&mut layers, &pass, noise / sample.len() as f64, rate, &mut rng);
                steps += 1;
            }
            let error = half_squares(&layers, self.activation, &x, &y);
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
                models.push(Arc::new(network.with_units(units.clone())));
                total += noise;
            }
        }
        let draws = Draws { models, centre: None, noise: scale * total / self.draws as f64 };
        let notice = format!("{} networks after {steps} steps, noise deviation {:.4}", self.draws, draws.noise.sqrt());
        Ok(Probabilistic::new(draws, Baseline::Langevin, notice))
    }

    /// One step with ε = `variance`·`rate`, where `variance` is s²/n, down the gradient of ½ Σᵢ (yᵢ − f(xᵢ))² that the
    /// pass has found.
    fn move_along(&self, layers: &mut [Layer], pass: &Pass, variance: f64, rate: f64, rng: &mut impl Rng) {
        let epsilon = variance * rate;
        let shrink = 0.5 * epsilon / (self.prior * self.prior);
        // (ε/2)·(n/|S|)/s²: the noise drops out.
        let drift = 0.5 * rate / pass.rows() as f64;
        let deviation = epsilon.sqrt();
        let mut step = |w: &mut f64, g: &f64| {
            let kick: f64 = rng.sample(StandardNormal);
            *w += deviation * kick - shrink * *w - drift * g;
        };
        for (layer, gradient) in layers.iter_mut().zip(pass.gradient()) {
            layer.weight.zip_mut_with(&gradient.weight, &mut step);
            layer.bias.zip_mut_with(&gradient.bias, &mut step);
        }
    }

    fn check(&self) -> Result<()> {
        check::hidden(&self.hidden)?;
        check::positive("the prior deviation", self.prior, "1")?;
        check::positive("the noise deviation", self.noise.unwrap_or(1.0), "0.5")?;
        check::positive("the step", self.step, "0.1")?;
        let holds = (0.0..=1.0).contains(&self.decay);
        check::that(holds, "the decay of the step", self.decay, "lie between 0 and 1", "0.55")?;
        check::at_least_one("the batch size", self.batch, "100")?;
        check::at_least_two("the number of draws", self.draws, "100")?;
        check::at_least_one("the thinning", self.thin, "10")
    }
}

/// ½ Σᵢ (yᵢ − f(xᵢ))² over all rows.
fn half_squares(layers: &[Layer], activation: Activation, x: &Array2<f64>, y: &Array1<f64>) -> f64 {
    let difference = &outputs(layers, activation, x.clone()).column(0) - y;
    0.5 * difference.dot(&difference)
}

/// s² from its posterior given the network, 1/s² ~ Gamma(1 + n/2, 0.01 + ½ Σᵢ (yᵢ − f(xᵢ))²).
fn draw_noise(half_squares: f64, n: usize, rng: &mut impl Rng) -> f64 {
    let (shape, rate) = (PRIOR.0 + 0.5 * n as f64, PRIOR.1 + half_squares);
    let precision = Gamma::new(shape, 1.0 / rate).map_or(shape / rate, |gamma| gamma.sample(rng));
    1.0 / precision
}
