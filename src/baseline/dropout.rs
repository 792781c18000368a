//! MC dropout: random units are switched off in training, and again when predicting.

use std::sync::Arc;

use ndarray::Array1;
use rand::Rng;
use rayon::prelude::*;

use super::draws::Draws;
use super::{Baseline, Probabilistic, stream};
use crate::check;
use crate::error::{Error, Result};
use crate::model::Model;
use crate::model::network::noise::{Noise, Rates};
use crate::model::network::trainer::{Loss, Trainer};
use crate::model::network::{Network, Training};
use crate::sample::Sample;
use crate::setter::setters;

/// MC dropout (Gal & Ghahramani 2016): the spread of T passes through one network with units switched off.
///
/// ```text
/// Var[y | x] = (1/T) Σₜ fₜ(x)² − ( (1/T) Σₜ fₜ(x) )² + 1/τ
/// ```
///
/// fₜ is the network with each unit switched off with probability p and the others scaled by 1/(1 − p). A pass draws
/// its units once for all rows, so that the interval at x does not depend on the rows asked with it. The precision τ
/// is 1 over the mean squared residual of the training rows; the authors choose it by a search on held-out rows.
///
/// | option | default | meaning | range |
/// |---|---|---|---|
/// | `training` | [`Training::default`] | layers, epochs, penalty and seed | |
/// | `rate` | 0.1 | p of the hidden units | 0 ≤ p < 1 |
/// | `input_rate` | 0 | p of the features | 0 ≤ p < 1 |
/// | `passes` | 100 | T | ≥ 2 |
/// | `seed` | the training's | of first weights, minibatches and units switched off | |
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
/// let training = Training::default().hidden(&[30]).epochs(100);
/// let dropout = Dropout::default().training(training).rate(0.05).fit(&train)?;
/// assert_eq!(dropout.intervals(test.x(), 0.1)?.method.to_string(), "MC dropout");
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Dropout {
    training: Training,
    rate: f64,
    input_rate: f64,
    passes: usize,
}

impl Default for Dropout {
    fn default() -> Self {
        Self { training: Training::default(), rate: 0.1, input_rate: 0.0, passes: 100 }
    }
}

impl Dropout {
    setters! {
        /// How the network is trained.
        training(training: Training) => training;

        /// The probability with which a hidden unit is switched off.
        rate(probability: f64) => probability;

        /// The probability with which a feature is switched off.
        input_rate(probability: f64) => probability;

        /// T.
        passes(passes: usize) => passes;
    }

    /// The seed of everything random, in place of the training's.
    pub fn seed(mut self, seed: u64) -> Self {
        self.training.seed = seed;
        self
    }

    /// Trains a network with dropout and draws the passes.
    ///
    /// # Errors
    /// [`Error::Choice`] for an option out of its range, [`Error::NotFinite`] if the loss overflows.
    pub fn fit(&self, sample: &Sample) -> Result<Probabilistic> {
        self.check()?;
        self.around(&self.network(sample)?, sample)
    }

    /// Draws the passes around a network that was trained with dropout elsewhere; `sample` is what it was trained
    /// on.
    ///
    /// # Errors
    /// [`Error::Choice`] for an option out of its range, [`Error::Columns`] if the network has other columns than
    /// the sample, [`Error::NotFinite`] if a prediction overflows.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let sample = cubic(50, Feature::Normal { deviation: 1.0 }, 0.1, 0)?;
    /// let network = Training::default().hidden(&[20]).epochs(50).fit(&sample)?;
    /// let spread = |rate| Dropout::default().rate(rate).around(&network, &sample)?.predictive(sample.x());
    /// assert!(spread(0.2)?.deviation.sum() > spread(0.01)?.deviation.sum());
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn around(&self, network: &Network, sample: &Sample) -> Result<Probabilistic> {
        self.check()?;
        if network.columns() != sample.columns() {
            return Err(Error::Columns { trained: network.columns(), given: sample.columns() });
        }
        // Stream 0 has trained the network; one more seeds a stream for each pass.
        let seed = stream(self.training.seed, 1).r#gen::<u64>();
        let models = (0..self.passes as u64).into_par_iter().map(|t| self.pass(network, seed.wrapping_add(t)));
        let draws = Draws { models: models.collect(), centre: None, noise: 0.0 }.with_residual_noise(sample)?;
        let notice = format!("{} passes through a {network:?}, noise deviation {:.4}", self.passes, draws.noise.sqrt());
        Ok(Probabilistic::new(draws, Baseline::Dropout, notice))
    }

    fn rates(&self) -> Rates {
        Rates { input: self.input_rate, hidden: self.rate }
    }

    fn network(&self, sample: &Sample) -> Result<Network> {
        let training = &self.training;
        let units = training.units(sample);
        let (x, y) = units.inside(sample);
        let mut rng = stream(training.seed, 0);
        let trainer = Trainer::new(training, x.dim(), Loss::SQUARED_ERROR, self.rates(), &mut rng);
        let (layers, _) = trainer.epochs((&x, &y), &mut rng, &mut |_, _| true)?;
        Ok(Network::new(layers, training.activation, training.l2)?.with_units(units))
    }

    /// The network with units switched off: a factor 0 or 1/(1 − p) on the weights that read them.
    fn pass(&self, network: &Network, seed: u64) -> Arc<dyn Model> {
        let (rates, mut rng) = (self.rates(), stream(seed, 0));
        let mut drawn = network.clone();
        for (l, layer) in drawn.layers.iter_mut().enumerate().filter(|(l, _)| rates.touches(*l)) {
            let units = layer.weight.ncols();
            layer.weight *= &Array1::from_shape_simple_fn(units, || rates.factor(l, &mut rng));
        }
        Arc::new(drawn)
    }

    fn check(&self) -> Result<()> {
        self.training.check()?;
        for (name, rate) in [("the dropout rate", self.rate), ("the input dropout rate", self.input_rate)] {
            check::that((0.0..1.0).contains(&rate), name, rate, "be at least 0 and below 1", "0.1")?;
        }
        check::at_least_two("the number of passes", self.passes, "100")
    }
}
