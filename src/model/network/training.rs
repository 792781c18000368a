//! Training: Adam on minibatches.

use std::fmt;

use ndarray::{Array1, Array2, ArrayView2, Axis};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::step::State;
use super::{Activation, Layer, Network, Standard, check_l2};
use crate::error::{Error, Result};
use crate::sample::Sample;

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

    /// λ.
    pub fn l2(mut self, l2: f64) -> Self {
        self.l2 = l2;
        self
    }

    /// Passes over the rows.
    pub fn epochs(mut self, epochs: usize) -> Self {
        self.epochs = epochs;
        self
    }

    /// Rows of a minibatch.
    pub fn batch(mut self, rows: usize) -> Self {
        self.batch = rows;
        self
    }

    /// Adam's step.
    pub fn learning_rate(mut self, rate: f64) -> Self {
        self.learning_rate = rate;
        self
    }

    /// Stop after `epochs` without a better training loss, and keep the best network.
    pub fn patience(mut self, epochs: usize) -> Self {
        self.patience = Some(epochs);
        self
    }

    /// Whether features and target are standardised inside.
    pub fn standardise(mut self, yes: bool) -> Self {
        self.standardise = yes;
        self
    }

    /// The seed of the first weights and of the minibatches.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Trains a network on the sample.
    ///
    /// # Errors
    /// [`Error::Choice`] for an option out of its range, [`Error::NotFinite`] if the loss overflows.
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
        let mut network = self.start(sample, &mut rng);
        let x = network.inputs.apply(sample.x().view());
        let y = (sample.y() - network.output.shift[0]) / network.output.scale[0];
        let mut state = State::new(&network, self.batch.min(sample.len()));
        let mut order: Vec<usize> = (0..sample.len()).collect();
        let mut best: Option<(f64, usize, Vec<Layer>)> = None;
        for epoch in 1..=self.epochs {
            order.shuffle(&mut rng);
            let mut total = 0.0;
            for rows in order.chunks(self.batch) {
                total += state.step(&mut network, &x, &y, rows, self.learning_rate);
            }
            let norm: f64 = network.layers.iter().flat_map(|l| l.weight.iter().chain(&l.bias)).map(|w| w * w).sum();
            let loss = total / sample.len() as f64 + 0.5 * self.l2 * norm;
            if !loss.is_finite() {
                return Err(Error::NotFinite {
                    what: format!("the training loss after {epoch} epochs"),
                    advice: "try a smaller learning rate",
                });
            }
            network.history.push(loss);
            if let Some(patience) = self.patience {
                match &best {
                    Some((least, since, _)) if loss >= *least => {
                        if epoch - since >= patience {
                            break;
                        }
                    }
                    _ => best = Some((loss, epoch, network.layers.clone())),
                }
            }
            if !progress(epoch, loss) {
                break;
            }
        }
        if let Some((_, _, layers)) = best {
            network.layers = layers;
        }
        Ok(network)
    }

    /// The number of parameters of a network with so many features.
    pub fn parameters(&self, columns: usize) -> usize {
        let mut sizes = vec![columns];
        sizes.extend(&self.hidden);
        sizes.push(1);
        sizes.windows(2).map(|pair| pair[1] * (pair[0] + 1)).sum()
    }

    pub(crate) fn check(&self) -> Result<()> {
        check_l2(self.l2)?;
        let count = |name, value: usize| match value {
            0 => Err(Error::Choice { name, value: "0".into(), range: "be at least 1", example: "100" }),
            _ => Ok(()),
        };
        for &units in &self.hidden {
            count("the size of a hidden layer", units)?;
        }
        count("the number of epochs", self.epochs)?;
        count("the batch size", self.batch)?;
        count("the patience", self.patience.unwrap_or(1))?;
        if !(self.learning_rate > 0.0 && self.learning_rate.is_finite()) {
            return Err(Error::Choice {
                name: "the learning rate",
                value: self.learning_rate.to_string(),
                range: "be positive",
                example: "0.001",
            });
        }
        Ok(())
    }

    fn start(&self, sample: &Sample, rng: &mut impl Rng) -> Network {
        let (inputs, output) = self.units(sample);
        Network {
            layers: first_layers(sample.columns(), &self.hidden, 1, rng),
            activation: self.activation,
            l2: self.l2,
            inputs,
            output,
            history: Vec::new(),
        }
    }

    /// How features and target are shifted and scaled.
    pub(crate) fn units(&self, sample: &Sample) -> (Standard, Standard) {
        let standard =
            |x: ArrayView2<f64>| if self.standardise { Standard::of(x) } else { Standard::identity(x.ncols()) };
        (standard(sample.x().view()), standard(sample.y().view().insert_axis(Axis(1))))
    }
}

/// Random layers as PyTorch draws them: uniform within ±1/√inputs.
pub(crate) fn first_layers(columns: usize, hidden: &[usize], outputs: usize, rng: &mut impl Rng) -> Vec<Layer> {
    let mut sizes = vec![columns];
    sizes.extend(hidden);
    sizes.push(outputs);
    let layers = sizes.windows(2).map(|pair| {
        let bound = 1.0 / (pair[0] as f64).sqrt();
        let mut draw = || rng.gen_range(-bound..=bound);
        let weight = Array2::from_shape_simple_fn((pair[1], pair[0]), &mut draw);
        Layer { weight, bias: Array1::from_shape_simple_fn(pair[1], draw) }
    });
    layers.collect()
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
