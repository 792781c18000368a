//! Training: Adam on minibatches.

use std::fmt;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::noise::Rates;
use super::trainer::{Loss, Trainer};
use super::{Activation, Network, Units};
use crate::check;
use crate::error::Result;
use crate::sample::Sample;
use crate::setter::setters;

/// How a [`Network`] is trained; the defaults are the paper's.
///
/// | option | default | meaning | range |
/// |---|---|---|---|
/// | `hidden` | `[100]` | units of each hidden layer | any, none for a linear model |
/// | `activation` | tanh | after every hidden layer | |
/// | `l2` | 0 | λ of ½λ‖θ‖² in every ℓᵢ, on every weight and bias | ≥ 0 |
/// | `epochs` | 1000 | passes over the rows | ≥ 1 |
/// | `batch` | 100 | rows of a minibatch | ≥ 1 |
/// | `learning_rate` | 0.001 | Adam's step | > 0 |
/// | `patience` | none | stop after so many epochs without a better loss, and keep the best | ≥ 1 |
/// | `standardise` | yes | shift and scale features and target inside | |
/// | `seed` | 0 | of the first weights and of the minibatches | |
///
/// The first weights are PyTorch's: uniform within ±1/√inputs.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
/// let training = Training::default().hidden(&[20]).epochs(100).l2(1e-4).seed(7);
/// let network = training.fit(&train)?;
/// assert_eq!(network, training.fit(&train)?); // same seed, same network
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Training {
    pub(crate) hidden: Vec<usize>,
    pub(crate) activation: Activation,
    pub(crate) l2: f64,
    pub(crate) epochs: usize,
    pub(crate) batch: usize,
    pub(crate) learning_rate: f64,
    pub(crate) patience: Option<usize>,
    pub(crate) standardise: bool,
    pub(crate) seed: u64,
}

impl Default for Training {
    fn default() -> Self {
        Self {
            hidden: vec![100],
            activation: Activation::Tanh,
            l2: 0.0,
            epochs: 1000,
            batch: 100,
            learning_rate: 1e-3,
            patience: None,
            standardise: true,
            seed: 0,
        }
    }
}

impl Training {
    setters! {
        /// The units of each hidden layer.
        hidden(units: &[usize]) => units.to_vec();

        /// The non-linearity.
        activation(activation: Activation) => activation;

        /// λ.
        l2(l2: f64) => l2;

        /// Passes over the rows.
        epochs(epochs: usize) => epochs;

        /// Rows of a minibatch.
        batch(rows: usize) => rows;

        /// Adam's step.
        learning_rate(rate: f64) => rate;

        /// Stop after `epochs` without a better training loss, and keep the best network.
        patience(epochs: usize) => Some(epochs);

        /// Whether features and target are standardised inside.
        standardise(yes: bool) => yes;

        /// The seed of the first weights and of the minibatches.
        seed(seed: u64) => seed;
    }

    /// Trains a network on the sample.
    ///
    /// # Errors
    /// [`Error::Choice`](crate::Error::Choice) for an option out of its range,
    /// [`Error::NotFinite`](crate::Error::NotFinite) if the loss overflows.
    pub fn fit(&self, sample: &Sample) -> Result<Network> {
        self.fit_with(sample, |_, _| true)
    }

    /// Trains a network and tells of its progress: `progress(epoch, loss)` is called after each epoch, counted
    /// from 1, and training stops early when it answers `false`.
    ///
    /// # Errors
    /// As [`Training::fit`].
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let sample = cubic(50, Feature::Normal { deviation: 1.0 }, 0.1, 0)?;
    /// let network = Training::default().fit_with(&sample, |epoch, _loss| epoch < 10)?;
    /// assert_eq!(network.history().len(), 10);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn fit_with(&self, sample: &Sample, mut progress: impl FnMut(usize, f64) -> bool) -> Result<Network> {
        self.train(sample, &mut progress)
    }

    fn train(&self, sample: &Sample, progress: &mut dyn FnMut(usize, f64) -> bool) -> Result<Network> {
        self.check()?;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let units = self.units(sample);
        let (x, y) = units.inside(sample);
        let trainer = Trainer::new(self, x.dim(), Loss::SQUARED_ERROR, Rates::NONE, &mut rng);
        let (layers, history) = trainer.epochs((&x, &y), &mut rng, progress)?;
        Ok(Network { layers, activation: self.activation, l2: self.l2, units, history })
    }

    /// The number of parameters of a network with so many features.
    pub fn parameters(&self, columns: usize) -> usize {
        let mut sizes = vec![columns];
        sizes.extend(&self.hidden);
        sizes.push(1);
        sizes.windows(2).map(|pair| pair[1] * (pair[0] + 1)).sum()
    }

    pub(crate) fn check(&self) -> Result<()> {
        check::penalty(self.l2)?;
        check::hidden(&self.hidden)?;
        check::at_least_one("the number of epochs", self.epochs, "100")?;
        check::at_least_one("the batch size", self.batch, "100")?;
        check::at_least_one("the patience", self.patience.unwrap_or(1), "100")?;
        let (rate, holds) = (self.learning_rate, self.learning_rate > 0.0 && self.learning_rate.is_finite());
        check::that(holds, "the learning rate", rate, "be positive", "0.001")
    }

    /// How features and target are shifted and scaled.
    pub(crate) fn units(&self, sample: &Sample) -> Units {
        if self.standardise { Units::of(sample) } else { Units::raw(sample.columns()) }
    }
}

impl fmt::Debug for Training {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}, seed {}", self.seed)
    }
}

impl fmt::Display for Training {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "network with hidden layers {:?}, {}, λ = {}, ", self.hidden, self.activation, self.l2)?;
        write!(f, "{} epochs of Adam in batches of {}, learning rate {}", self.epochs, self.batch, self.learning_rate)?;
        if let Some(patience) = self.patience {
            write!(f, ", patience {patience}")?;
        }
        write!(f, ", {}", if self.standardise { "standardised data" } else { "data as given" })
    }
}
