//! Probabilistic backpropagation: a Gaussian for every weight, moved by one row after the other.

mod filter;
mod precision;

use ndarray::{Array1, Array2, ArrayView2};
use rand::Rng;
use rand::seq::SliceRandom;
use rand_distr::StandardNormal;

use super::{Baseline, Moments, Probabilistic, stream};
use crate::check;
use crate::error::{Error, Result};
use crate::model::network::Units;
use crate::sample::Sample;
use crate::setter::setters;
use filter::{Belief, Filter};
use precision::Precision;

/// Probabilistic backpropagation, PBP (Hernández-Lobato & Adams 2015): assumed density filtering of a network of
/// rectified units.
///
/// ```text
/// y ~ N(f(x; W), 1/γ),   W ~ N(0, 1/λ),   γ, λ ~ Gamma(6, 6)
/// q = Π N(w; m, v) · Gamma(γ) · Gamma(λ)
/// m ← m + v·∂log Z/∂m,   v ← v − v²·( (∂log Z/∂m)² − 2·∂log Z/∂v ),   Z = N(y; E f, Var f + E 1/γ)
/// ```
///
/// A layer is W·(z, 1)/√(inputs + 1) and every hidden unit max(·, 0). Each epoch takes every row in once, as new, and
/// then refines the factor of the prior of each weight by expectation propagation. Rows that are seen
/// again are counted again, as in the paper: many epochs leave the variances of the weights too small.
///
/// | option | default | meaning | range |
/// |---|---|---|---|
/// | `hidden` | `[100]` | units of each hidden layer | any, none for a linear model |
/// | `epochs` | 40 | passes over the rows | ≥ 1 |
/// | `noise` | learnt | 1/√γ, the deviation of the noise, in raw units | > 0 |
/// | `prior` | learnt | 1/√λ, the prior deviation of a weight before the division by √(inputs + 1) | > 0 |
/// | `seed` | 0 | of the first means and of the order of the rows | |
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
/// let fitted = Pbp::default().hidden(&[20]).epochs(10).fit(&train)?;
/// assert_eq!(fitted.intervals(test.x(), 0.1)?.method.to_string(), "PBP");
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Pbp {
    hidden: Vec<usize>,
    epochs: usize,
    noise: Option<f64>,
    prior: Option<f64>,
    seed: u64,
}

impl Default for Pbp {
    fn default() -> Self {
        Self { hidden: vec![100], epochs: 40, noise: None, prior: None, seed: 0 }
    }
}

impl Pbp {
    setters! {
        /// The units of each hidden layer.
        hidden(units: &[usize]) => units.to_vec();

        /// Passes over the rows.
        epochs(epochs: usize) => epochs;

        /// A known deviation of the noise, in raw units.
        noise(deviation: f64) => Some(deviation);

        /// A known prior deviation of the weights.
        prior(deviation: f64) => Some(deviation);

        /// The seed of the first means and of the order of the rows.
        seed(seed: u64) => seed;
    }

    /// Filters the rows.
    ///
    /// # Errors
    /// [`Error::Choice`] for an option out of its range, [`Error::NotFinite`] if the evidence overflows.
    pub fn fit(&self, sample: &Sample) -> Result<Probabilistic> {
        self.check()?;
        let units = Units::of(sample);
        let (x, y) = units.inside(sample);
        let known = |deviation: f64| Precision::Known(deviation * deviation);

        let mut rng = stream(self.seed, 0);
        let noise = self.noise.map_or(Precision::PRIOR, |noise| known(noise / units.scale()));
        let mut prior = Prior::new(self.prior.map_or(Precision::PRIOR, known));
        let layers = self.first_beliefs(sample.columns(), prior.precision.variance(), &mut rng);
        let mut filter = Filter { layers, noise };
        let mut order: Vec<usize> = (0..sample.len()).collect();
        for epoch in 1..=self.epochs {
            order.shuffle(&mut rng);
            let evidence: f64 = order.iter().map(|&i| filter.observe(x.row(i), y[i])).sum();
            if !evidence.is_finite() {
                return Err(Error::NotFinite {
                    what: format!("the evidence of the rows after {epoch} epochs"),
                    advice: "look for rows far outside the others, or give the noise",
                });
            }
            prior.refine(&mut filter.layers);
        }
        let noise = filter.noise.variance().sqrt() * units.scale();
        let notice = format!("{} epochs of filtering, noise deviation {noise:.4}", self.epochs);
        Ok(Probabilistic::new(Filtered { filter, units }, Baseline::Pbp, notice))
    }

    /// The prior, its means moved at random so that the hidden units of a layer do not stay alike.
    fn first_beliefs(&self, columns: usize, variance: f64, rng: &mut impl Rng) -> Vec<Belief> {
        let mut sizes = vec![columns];
        sizes.extend(&self.hidden);
        sizes.push(1);
        let beliefs = sizes.windows(2).map(|pair| {
            let shape = (pair[1], pair[0] + 1);
            // A linear model has nothing that could stay alike.
            let scale = if self.hidden.is_empty() { 0.0 } else { 1.0 / (shape.1 as f64).sqrt() };
            let mean = Array2::from_shape_simple_fn(shape, || scale * rng.sample::<f64, _>(StandardNormal));
            Belief { mean, variance: Array2::from_elem(shape, variance) }
        });
        beliefs.collect()
    }

    fn check(&self) -> Result<()> {
        check::hidden(&self.hidden)?;
        check::at_least_one("the number of epochs", self.epochs, "40")?;
        check::positive("the noise deviation", self.noise.unwrap_or(1.0), "0.5")?;
        check::positive("the prior deviation", self.prior.unwrap_or(1.0), "1")
    }
}

/// N(w; 0, 1/λ) for every weight, each approximated by a Gaussian of w times a Gamma of λ.
struct Prior {
    precision: Precision,
    factors: Vec<Factor>,
}

/// One approximate factor by what it adds to the natural parameters of q.
#[derive(Clone, Copy)]
struct Factor {
    /// To 1/v.
    precision: f64,
    /// To m/v.
    shift: f64,
    /// To the shape of λ.
    shape: f64,
    /// To the rate of λ.
    rate: f64,
}

impl Prior {
    fn new(precision: Precision) -> Self {
        Self { precision, factors: Vec::new() }
    }

    /// Takes each factor out of q, puts the exact one in, and keeps the Gaussian and Gamma that match its moments.
    fn refine(&mut self, layers: &mut [Belief]) {
        // A known λ makes the factors exact as they are.
        let Precision::Gamma { .. } = self.precision else { return };
        let first = Factor { precision: 1.0 / self.precision.variance(), shift: 0.0, shape: 0.0, rate: 0.0 };
        self.factors.resize(layers.iter().map(|layer| layer.mean.len()).sum(), first);
        let weights = layers.iter_mut().flat_map(|layer| layer.mean.iter_mut().zip(&mut layer.variance));
        for ((mean, variance), factor) in weights.zip(&mut self.factors) {
            factor.refine(mean, variance, &mut self.precision);
        }
    }
}

impl Factor {
    fn refine(&mut self, mean: &mut f64, variance: &mut f64, precision: &mut Precision) {
        let Precision::Gamma { shape, rate } = *precision else { return };
        let without = Precision::Gamma { shape: shape - self.shape, rate: rate - self.rate };
        let v = 1.0 / (1.0 / *variance - self.precision);
        let m = v * (*mean / *variance - self.shift);
        // What is left without the factor need not be a distribution: then the factor stays as it is.
        if !(v > 0.0 && v.is_finite() && m.is_finite() && without.is_proper()) {
            return;
        }
        let gain = v / (v + without.variance());
        let (next_mean, next_variance) = (m - gain * m, v - gain * v);
        let next = without.after(m, v);
        let (Precision::Gamma { shape, rate }, Precision::Gamma { shape: shape0, rate: rate0 }) = (next, without)
        else {
            return;
        };
        if next_variance > 0.0 && next != without {
            let (precision_step, shift) = (1.0 / next_variance - 1.0 / v, next_mean / next_variance - m / v);
            *self = Self { precision: precision_step, shift, shape: shape - shape0, rate: rate - rate0 };
            (*mean, *variance, *precision) = (next_mean, next_variance, next);
        }
    }
}

struct Filtered {
    filter: Filter,
    units: Units,
}

impl Moments for Filtered {
    fn columns(&self) -> usize {
        self.units.columns()
    }

    fn moments(&self, x: ArrayView2<f64>) -> (Array1<f64>, Array1<f64>) {
        let x = self.units.features(x);
        let moments = x.rows().into_iter().map(|x| self.filter.predict(x));
        let (mean, variance): (Vec<f64>, Vec<f64>) = moments.unzip();
        let variance = Array1::from(variance) + self.filter.noise.variance();
        (self.units.predictions(mean.into()), self.units.variances(variance))
    }
}
