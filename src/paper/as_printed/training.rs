//! How the authors trained a network: steps, not epochs.

use rand::Rng;

use crate::error::{Error, Result};
use crate::model::Differentiable;
use crate::model::network::step::State;
use crate::model::network::training::first_layers;
use crate::model::network::{Activation, Network};
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
        let layers = first_layers(sample.columns(), self.hidden, 1, rng);
        let mut network = Network::new(layers, self.activation, 0.0)?;
        let mut state = State::new(&network, BATCH.min(sample.len()));
        let mut rows = Vec::new();
        for _ in 0..self.steps {
            minibatch(&mut rows, sample.len(), rng);
            state.step(&mut network, sample.x(), sample.y(), &rows, self.rate);
        }
        match network.parameters().iter().all(|weight| weight.is_finite()) {
            true => Ok((network, rows)),
            false => {
                let what = format!("a weight after {} steps", self.steps);
                Err(Error::NotFinite { what, advice: "standardise the data, as the crate's own training does" })
            }
        }
    }
}

/// Draws the rows of a minibatch, with replacement, from `0..n`.
pub(super) fn minibatch(rows: &mut Vec<usize>, n: usize, rng: &mut impl Rng) {
    rows.resize(BATCH.min(n), 0);
    rows.fill_with(|| rng.gen_range(0..n));
}
