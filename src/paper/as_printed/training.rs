//! How the authors trained a network: steps, not epochs.

use rand::Rng;

use crate::error::{Error, Result};
use crate::model::network::noise::{Noise, Rates};
use crate::model::network::trainer::{Loss, Trainer};
use crate::model::network::{Activation, Layer, Network, Training};
use crate::sample::Sample;

/// Rows of a minibatch.
const BATCH: usize = 100;

/// The settings of one training: Adam on squared error, data as given.
pub(super) struct Steps<'a> {
    pub(super) hidden: &'a [usize],
    pub(super) activation: Activation,
    /// The "1000 epochs" of the text are this many minibatches.
    pub(super) steps: usize,
    pub(super) rate: f64,
}

impl Steps<'_> {
    /// A trained network, and the rows of its last minibatch.
    pub(super) fn fit(&self, sample: &Sample, rng: &mut impl Rng) -> Result<(Network, Vec<usize>)> {
        let (layers, rows) = self.layers(sample, Rates::NONE, rng);
        if layers.iter().flat_map(Layer::parameters).any(|weight| !weight.is_finite()) {
            let what = format!("a weight after {} steps", self.steps);
            return Err(Error::NotFinite { what, advice: "standardise the data, as the crate's own training does" });
        }
        Ok((Network::new(layers, self.activation, 0.0)?, rows))
    }

    /// Layers trained under noise on minibatches drawn with replacement, and the rows of the last.
    pub(super) fn layers(&self, sample: &Sample, noise: impl Noise, rng: &mut impl Rng) -> (Vec<Layer>, Vec<usize>) {
        let training = Training::default().hidden(self.hidden).activation(self.activation);
        let training = training.batch(BATCH).learning_rate(self.rate);
        let mut trainer = Trainer::new(&training, sample.x().dim(), Loss::SQUARED_ERROR, noise, rng);
        let mut rows = vec![0; BATCH.min(sample.len())];
        for _ in 0..self.steps {
            rows.fill_with(|| rng.gen_range(0..sample.len()));
            trainer.step(sample.x(), sample.y(), &rows, rng);
        }
        (trainer.layers, rows)
    }
}
