//! Deep ensembles: several networks, each with a mean and a variance of its own.

use std::f64::consts::PI;

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut2};
use rayon::prelude::*;

use super::{Baseline, Moments, Probabilistic, stream};
use crate::check;
use crate::error::{Error, Result};
use crate::model::network::layer::outputs;
use crate::model::network::noise::Rates;
use crate::model::network::trainer::{Loss, Trainer};
use crate::model::network::{Activation, Layer, Training, Units};
use crate::sample::Sample;
use crate::setter::setters;

/// The least variance of a member, in squared deviations of the target, as the authors have it: a row that is
/// fitted exactly would else drive it to 0 and the loss to −∞.
const FLOOR: f64 = 1e-6;

/// A deep ensemble (Lakshminarayanan et al. 2017): M networks from different starts, each trained to state a mean
/// and a variance.
///
/// ```text
/// loss       ½ ln vₖ(x) + ½ (y − mₖ(x))²/vₖ(x),   vₖ = 10⁻⁶ + e^s, outputs m and s        eq. 1
/// mixture    m = (1/M) Σₖ mₖ,   v = (1/M) Σₖ (vₖ + mₖ²) − m²                               Section 2.4
/// ```
///
/// Every member sees all the rows. Adversarial training, which the authors offer beside it, is not done. The units are
/// rectified, as theirs: with tanh this loss can leave the mean untrained where the variance is large, as on the yacht
/// table.
///
/// | option | default | meaning | range |
/// |---|---|---|---|
/// | `training` | relu, rate 0.01, else [`Training::default`] | how each member is trained | |
/// | `members` | 5 | M | ≥ 1 |
/// | `seed` | the training's | of first weights and minibatches; each member has its own stream | |
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
/// let training = Training::default().hidden(&[20]).epochs(100);
/// let ensemble = Ensemble::default().training(training).fit(&train)?;
/// assert_eq!(ensemble.predictive(test.x())?.mean.len(), 62);
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Ensemble {
    training: Training,
    members: usize,
}

impl Default for Ensemble {
    fn default() -> Self {
        let training = Training::default().activation(Activation::Relu).learning_rate(0.01);
        Self { training, members: 5 }
    }
}

impl Ensemble {
    setters! {
        /// How each member is trained.
        training(training: Training) => training;

        /// M.
        members(members: usize) => members;
    }

    /// The units of each hidden layer, with the training as it is.
    pub fn hidden(mut self, units: &[usize]) -> Self {
        self.training = self.training.hidden(units);
        self
    }

    /// The seed of everything random, in place of the training's.
    pub fn seed(mut self, seed: u64) -> Self {
        self.training.seed = seed;
        self
    }

    /// Trains the members, in parallel.
    ///
    /// # Errors
    /// [`Error::Choice`] for an option out of its range, [`Error::NotFinite`] if a loss overflows.
    pub fn fit(&self, sample: &Sample) -> Result<Probabilistic> {
        let training = &self.training;
        training.check()?;
        check::at_least_one("the number of members", self.members, "5")?;
        let units = training.units(sample);
        let (x, y) = units.inside(sample);
        let member = |k: usize| {
            let mut rng = stream(training.seed, k);
            let trainer = Trainer::new(training, x.dim(), LIKELIHOOD, Rates::NONE, &mut rng);
            Ok(trainer.epochs((&x, &y), &mut rng, &mut |_, _| true)?.0)
        };
        let members = (0..self.members).into_par_iter().map(member).collect::<Result<Vec<_>>>()?;
        let mixture = Mixture { members, activation: training.activation, units };
        let notice = format!("{} networks, {}", self.members, mixture.fit_of(sample)?);
        Ok(Probabilistic::new(mixture, Baseline::Ensemble, notice))
    }
}

/// The negative log-likelihood without its constant.
const LIKELIHOOD: Loss = Loss { outputs: 2, sum: likelihood };

fn likelihood(output: ArrayView2<f64>, y: ArrayView1<f64>, mut delta: ArrayViewMut2<f64>) -> f64 {
    let mut total = 0.0;
    for ((output, mut delta), y) in output.rows().into_iter().zip(delta.rows_mut()).zip(y) {
        let power = output[1].exp();
        let (variance, difference) = (FLOOR + power, output[0] - y);
        let square = difference * difference / variance;
        total += 0.5 * (variance.ln() + square);
        delta[0] = difference / variance;
        delta[1] = 0.5 * (1.0 - square) * power / variance;
    }
    total
}

struct Mixture {
    members: Vec<Vec<Layer>>,
    activation: Activation,
    units: Units,
}

impl Mixture {
    /// How well it fits its own rows, in words.
    fn fit_of(&self, sample: &Sample) -> Result<String> {
        let (mean, variance) = self.moments(sample.x().view());
        let square = (sample.y() - &mean).mapv(|r| r * r) / &variance;
        let likelihood = 0.5 * (square + variance.mapv(|v| (2.0 * PI * v).ln())).mean().unwrap_or(0.0);
        if likelihood.is_finite() {
            return Ok(format!("negative log-likelihood {likelihood:.4} on the training rows"));
        }
        Err(Error::NotFinite {
            what: "the likelihood of the training rows".into(),
            advice: "try a smaller learning rate",
        })
    }
}

impl Moments for Mixture {
    fn columns(&self) -> usize {
        self.units.columns()
    }

    fn moments(&self, x: ArrayView2<f64>) -> (Array1<f64>, Array1<f64>) {
        let x = self.units.features(x);
        let answers = self.members.iter().map(|layers| outputs(layers, self.activation, x.clone()));
        let answers: Vec<Array2<f64>> = answers.collect();
        let average = |value: &dyn Fn(&Array2<f64>) -> Array1<f64>| {
            let sum = answers.iter().fold(Array1::zeros(x.nrows()), |sum, output| sum + value(output));
            sum / answers.len() as f64
        };
        let mean = average(&|output| output.column(0).to_owned());
        // Σ(vₖ + mₖ²)/M − m² with the squares taken around m, which loses no digits.
        let variance = average(&|output| {
            let spread = (&output.column(0) - &mean).mapv(|d| d * d);
            spread + output.column(1).mapv(|s| FLOOR + s.exp())
        });
        (self.units.predictions(mean), self.units.variances(variance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn the_derivatives_of_the_likelihood_are_its_differences() {
        let (output, y) = (array![[0.3, -0.5], [1.0, 0.7], [-2.0, -12.0]], array![1.0, -0.4, -1.999]);
        let mut delta = Array2::zeros((3, 2));
        likelihood(output.view(), y.view(), delta.view_mut());
        for (index, &found) in delta.indexed_iter() {
            let moved = |h: f64| {
                let mut output = output.clone();
                output[index] += h;
                likelihood(output.view(), y.view(), Array2::zeros((3, 2)).view_mut())
            };
            // The third row is steep: its fifth derivative is 1e5, and h² of it is left.
            let difference = (moved(1e-6) - moved(-1e-6)) / 2e-6;
            assert!((found - difference).abs() < 1e-6 * f64::max(1.0, found.abs()), "{index:?}: {found} {difference}");
        }
    }

    #[test]
    fn a_mixture_has_the_moments_of_its_members() {
        let member = |mean: f64, log: f64| vec![Layer { weight: Array2::zeros((2, 1)), bias: array![mean, log] }];
        let members = vec![member(1.0, 0.0), member(4.0, 4.0_f64.ln())];
        let units = Units::raw(1).with_target(10.0, 3.0);
        let mixture = Mixture { members, activation: Activation::Relu, units };
        let (mean, variance) = mixture.moments(array![[0.5]].view());
        // Means 1 and 4, variances 1 and 4: mean 2.5, variance (1 + 1 + 4 + 16)/2 − 2.5² = 4.75; then units of 3.
        assert!((mean[0] - 17.5).abs() < 1e-12);
        assert!((variance[0] - 9.0 * (4.75 + FLOOR)).abs() < 1e-12);
    }
}
