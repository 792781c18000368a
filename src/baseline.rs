//! What the paper compares with: networks that state a mean and a deviation, and claim that the target is Gaussian.
//!
//! | baseline | where the spread comes from | options |
//! |---|---|---|
//! | MC dropout (Gal & Ghahramani 2016) | sub-networks with random units switched off | [`Dropout`] |
//! | deep ensemble (Lakshminarayanan et al. 2017) | networks from several starts, each with a variance of its own | [`Ensemble`] |
//! | probabilistic backpropagation (Hernández-Lobato & Adams 2015) | a Gaussian for every weight | [`Pbp`] |
//! | Langevin dynamics (Welling & Teh 2011) | draws from the posterior | [`Langevin`] |
//! | resampling (Schulam & Saria 2019) | a bootstrap of a trained model by one influence step | [`Resampling`] |
//!
//! None of them has a guarantee: the interval is right where the model is. Each fit gives a [`Probabilistic`] model,
//! in raw units. The intervals that do carry a guarantee are in [`crate::interval`].

mod draws;
pub mod dropout;
pub mod ensemble;
pub mod langevin;
pub mod pbp;
pub mod resampling;

use std::fmt;
use std::sync::Arc;

use ndarray::{Array1, Array2, ArrayView2, Axis};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use crate::error::{Error, Result};
pub use crate::interval::Baseline;
use crate::interval::{Guarantee, Intervals, Method};
use crate::model::Model;
use crate::quantile;
use crate::sample::check_points;
pub use dropout::Dropout;
pub use ensemble::Ensemble;
pub use langevin::Langevin;
pub use pbp::Pbp;
pub use resampling::Resampling;

/// Rows that one thread takes at a time: their numbers then do not depend on the threads.
const BLOCK: usize = 256;

/// The mean and the standard deviation of the target at some points, noise included.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// use ndarray::array;
/// let predictive = Predictive { mean: array![2.0], deviation: array![0.5] };
/// let intervals = predictive.intervals(0.05, Baseline::Ensemble)?;
/// assert!((intervals.upper[0] - (2.0 + 1.959964 * 0.5)).abs() < 1e-6);
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Predictive {
    /// E[y | x].
    pub mean: Array1<f64>,
    /// √Var[y | x].
    pub deviation: Array1<f64>,
}

impl Predictive {
    /// The central intervals of Gaussians with these moments.
    ///
    /// ```text
    /// mean ± z·deviation,    Φ(z) = 1 − α/2
    /// ```
    ///
    /// # Errors
    /// [`Error::Level`] unless 0 < `alpha` < 1, [`Error::Shape`] if the public fields were given different lengths,
    /// [`Error::NotFinite`] for moments that are not finite.
    pub fn intervals(&self, alpha: f64, baseline: Baseline) -> Result<Intervals> {
        quantile::check(alpha)?;
        let (left, right) = (self.mean.len(), self.deviation.len());
        if left != right {
            return Err(Error::Shape { what: "means and deviations".into(), left, right });
        }
        // The quantile of α/2 keeps the digits that 1 − α/2 would lose.
        let z = -crate::normal::quantile(0.5 * alpha);
        let ends =
            self.mean.iter().zip(&self.deviation).map(|(mean, deviation)| (mean - z * deviation, mean + z * deviation));
        Intervals::from_ends(self.mean.clone(), ends.collect(), alpha, Method::Baseline(baseline), Guarantee::None)
    }
}

impl fmt::Debug for Predictive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "mean ± deviation at {} points", self.mean.len())?;
        for (mean, deviation) in self.mean.iter().zip(&self.deviation).take(5) {
            write!(f, "\n  {mean:.4} ± {deviation:.4}")?;
        }
        if self.mean.len() > 5 { write!(f, "\n  …") } else { Ok(()) }
    }
}

/// A fitted baseline: it predicts a mean and a deviation, in raw units.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let (train, test) = cubic(80, Feature::Uniform { half_width: 2.0 }, 0.5, 1)?.split(0.25, 0)?;
/// let training = Training::default().hidden(&[10]).epochs(200);
/// let fitted = Ensemble::default().training(training).members(3).fit(&train)?;
/// let intervals = fitted.intervals(test.x(), 0.1)?;
/// assert_eq!(intervals.method.to_string(), "deep ensemble");
/// assert_eq!(intervals.guarantee, Guarantee::None);
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone)]
pub struct Probabilistic {
    source: Arc<dyn Moments>,
    baseline: Baseline,
    /// What the fit found, for the reader.
    notice: String,
}

/// Where a mean and a variance come from.
trait Moments: Send + Sync {
    /// The number of features trained on.
    fn columns(&self) -> usize;

    /// The mean and the variance at each row of `x`, which has been checked.
    fn moments(&self, x: ArrayView2<f64>) -> (Array1<f64>, Array1<f64>);
}

impl Probabilistic {
    fn new(source: impl Moments + 'static, baseline: Baseline, notice: String) -> Self {
        Self { source: Arc::new(source), baseline, notice }
    }

    /// Which baseline this is.
    pub fn baseline(&self) -> Baseline {
        self.baseline
    }

    /// What the fit found, in words.
    pub fn notice(&self) -> &str {
        &self.notice
    }

    /// The mean and the deviation of the target at each row of `x`.
    ///
    /// # Errors
    /// [`Error::Columns`] if `x` has not the columns trained on, [`Error::Cell`] for cells that are not finite.
    pub fn predictive(&self, x: &Array2<f64>) -> Result<Predictive> {
        check_points(x, self.source.columns())?;
        let (mean, variance) = self.moments(x.view());
        Ok(Predictive { mean, deviation: deviations(&variance) })
    }

    /// The Gaussian interval at each row of `x`: see [`Predictive::intervals`].
    ///
    /// # Errors
    /// [`Error::Level`] unless 0 < `alpha` < 1, [`Error::Columns`] if `x` has not the columns trained on,
    /// [`Error::Cell`] for cells that are not finite.
    pub fn intervals(&self, x: &Array2<f64>, alpha: f64) -> Result<Intervals> {
        quantile::check(alpha)?;
        self.predictive(x)?.intervals(alpha, self.baseline)
    }

    fn moments(&self, x: ArrayView2<f64>) -> (Array1<f64>, Array1<f64>) {
        let blocks: Vec<_> =
            x.axis_chunks_iter(Axis(0), BLOCK).into_par_iter().map(|x| self.source.moments(x)).collect();
        let (means, variances): (Vec<_>, Vec<_>) = blocks.into_iter().unzip();
        (means.into_iter().flatten().collect(), variances.into_iter().flatten().collect())
    }
}

impl Model for Probabilistic {
    fn columns(&self) -> usize {
        self.source.columns()
    }

    fn evaluate(&self, x: ArrayView2<f64>) -> Array1<f64> {
        self.moments(x).0
    }

    fn stated_deviation(&self, x: ArrayView2<f64>) -> Option<Array1<f64>> {
        Some(deviations(&self.moments(x).1))
    }
}

impl fmt::Debug for Probabilistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {} features: {}", self.baseline, self.source.columns(), self.notice)
    }
}

fn deviations(variances: &Array1<f64>) -> Array1<f64> {
    variances.mapv(|variance| variance.max(0.0).sqrt())
}

/// The k-th of the independent random streams of a seed.
fn stream(seed: u64, k: usize) -> Xoshiro256PlusPlus {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..k).for_each(|_| rng.jump());
    rng
}
