//! Training: Adam on minibatches.

use std::fmt;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::noise::Rates;
use super::trainer::{Loss, Trainer};
use super::{Activation, Layer, Network, Units};
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
        self.train(sample, &mut |network| {
            let history = network.history;
            progress(history.len(), history[history.len() - 1])
        })
    }

    /// The networks after so many epochs of one run: each is bit for bit what [`Training::fit`] gives for that number.
    ///
    /// The training's own number of epochs is not asked. A run that patience ends has no stages after its end.
    ///
    /// # Errors
    /// As [`Training::fit`], and [`Error::Choice`](crate::Error::Choice) for no stage.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let sample = cubic(50, Feature::Normal { deviation: 1.0 }, 0.1, 0)?;
    /// let training = Training::default().hidden(&[10]);
    /// let stages = training.stages(&sample, &[10, 30, 100])?;
    /// assert_eq!(stages[1], training.epochs(30).fit(&sample)?);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn stages(&self, sample: &Sample, epochs: &[usize]) -> Result<Vec<Network>> {
        let Some(&last) = epochs.iter().max() else {
            return Err(check::refusal("the number of stages", 0, "be at least 1", "30, 100, 300, 1000"));
        };
        let first = epochs.iter().copied().min().unwrap_or(last);
        check::at_least_one("the number of epochs", first, "100")?;
        let mut stages = Vec::new();
        let end = self.clone().epochs(last).train(sample, &mut |network| {
            let now = network.history.len();
            // The last is what the run answers.
            if now < last && epochs.contains(&now) {
                stages.push(network.whole());
            }
            true
        })?;
        stages.push(end);
        Ok(stages)
    }

    fn train(&self, sample: &Sample, progress: &mut dyn FnMut(Unfinished<'_>) -> bool) -> Result<Network> {
        self.check()?;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let units = self.units(sample);
        let (x, y) = units.inside(sample);
        let trainer = Trainer::new(self, x.dim(), Loss::SQUARED_ERROR, Rates::NONE, &mut rng);
        let (layers, history) = trainer.epochs((&x, &y), &mut rng, &mut |history, layers| {
            progress(Unfinished { training: self, units: &units, layers, history })
        })?;
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

/// A network in training, after an epoch.
struct Unfinished<'a> {
    training: &'a Training,
    units: &'a Units,
    layers: &'a [Layer],
    history: &'a [f64],
}

impl Unfinished<'_> {
    /// What training until here would have given.
    fn whole(&self) -> Network {
        let (layers, history) = (self.layers.to_vec(), self.history.to_vec());
        let Training { activation, l2, .. } = *self.training;
        Network { layers, activation, l2, units: self.units.clone(), history }
    }
}

impl fmt::Debug for Training {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}, seed {}", self.seed)
    }
}

impl Training {
    /// In words, with others than the number for the epochs.
    pub(crate) fn with_words_for_epochs(&self, epochs: &str) -> String {
        let Self { hidden, activation, l2, batch, learning_rate, .. } = self;
        let patience = self.patience.map_or(String::new(), |patience| format!(", patience {patience}"));
        let data = if self.standardise { "standardised data" } else { "data as given" };
        format!(
            "network with hidden layers {hidden:?}, {activation}, λ = {l2}, {epochs} of Adam in batches of {batch}, \
             learning rate {learning_rate}{patience}, {data}"
        )
    }
}

impl fmt::Display for Training {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with_words_for_epochs(&format!("{} epochs", self.epochs)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::sample::synthetic::{Feature, cubic};

    fn sample() -> Sample {
        cubic(70, Feature::Normal { deviation: 1.0 }, 0.5, 3).unwrap()
    }

    #[test]
    fn stages_of_one_run_are_the_shorter_runs_bit_for_bit() {
        for training in [
            Training::default().hidden(&[8]).batch(16),
            Training::default().hidden(&[6, 4]).batch(30).l2(1e-3).activation(Activation::Relu).seed(5),
            // Patience keeps the best so far, of a shorter run as of a longer one.
            Training::default().hidden(&[8]).batch(16).learning_rate(0.3).patience(1000),
        ] {
            let epochs = [1, 7, 20, 41];
            let stages = training.stages(&sample(), &epochs).unwrap();
            assert_eq!(stages.len(), epochs.len());
            for (stage, epochs) in stages.iter().zip(epochs) {
                assert_eq!(*stage, training.clone().epochs(epochs).fit(&sample()).unwrap());
            }
            assert_ne!(stages[0].layers, stages[3].layers);
        }
    }

    #[test]
    fn a_run_that_patience_ends_has_no_stages_after_its_end() {
        let training = Training::default().hidden(&[8]).batch(16).learning_rate(1.0).patience(3);
        let end = training.clone().epochs(5000).fit(&sample()).unwrap();
        let trained = end.history().len();
        assert!(trained < 4000, "{trained}");
        let stages = training.stages(&sample(), &[1, 4000, 5000]).unwrap();
        assert_eq!(stages.len(), 2);
        assert_eq!(stages[1], end);
    }

    #[test]
    fn stages_are_in_the_order_of_training_however_they_are_asked_for() {
        let training = Training::default().hidden(&[3]);
        let stages = training.stages(&sample(), &[9, 2, 2, 5]).unwrap();
        assert_eq!(stages.iter().map(|stage| stage.history().len()).collect::<Vec<_>>(), [2, 5, 9]);
        for none in [&[][..], &[0, 5]] {
            assert!(matches!(training.stages(&sample(), none), Err(Error::Choice { .. })));
        }
    }
}
