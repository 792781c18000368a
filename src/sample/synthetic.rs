//! Data whose truth is known: the paper's y = x³ + ε, and a linear model with as many features as one likes.

use ndarray::{Array1, Array2};
use rand::{Rng, SeedableRng};
use rand_distr::{Distribution, Normal, StandardNormal, Uniform};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::Sample;
use crate::check;
use crate::error::Result;

/// Where the feature of the synthetic example comes from (the paper, Section 6.1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Feature {
    /// x ~ U(−h, h): every x is equally well known, the uncertainty is that of the noise.
    Uniform {
        /// The half width h.
        half_width: f64,
    },
    /// x ~ N(0, s²): the further from 0, the fewer the observations.
    Normal {
        /// The standard deviation s.
        deviation: f64,
    },
}

impl Feature {
    fn draw(self, rng: &mut impl Rng) -> f64 {
        match self {
            Self::Uniform { half_width } => Uniform::new_inclusive(-half_width, half_width).sample(rng),
            Self::Normal { deviation } => Normal::new(0.0, deviation).map_or(f64::NAN, |normal| normal.sample(rng)),
        }
    }

    fn scale(self) -> f64 {
        match self {
            Self::Uniform { half_width } => half_width,
            Self::Normal { deviation } => deviation,
        }
    }
}

/// `n` rows of y = x³ + ε with ε ~ N(0, `noise`²).
///
/// `noise` is the standard deviation, as the paper's text has it; its code took σ² for the deviation.
///
/// # Errors
/// [`Error::Choice`](crate::Error::Choice) for a negative noise or a spread of the feature that is not positive,
/// [`Error::Empty`](crate::Error::Empty) for no rows.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let sample = cubic(100, Feature::Uniform { half_width: 4.0 }, 3.0, 7)?;
/// assert_eq!((sample.len(), sample.columns()), (100, 1));
/// assert_eq!(sample, cubic(100, Feature::Uniform { half_width: 4.0 }, 3.0, 7)?);
/// # Ok::<(), jackknife::Error>(())
/// ```
pub fn cubic(n: usize, feature: Feature, noise: f64, seed: u64) -> Result<Sample> {
    check::that((0.0..=1e30).contains(&noise), "the noise", noise, "lie between 0 and 1e30", "1.0")?;
    let spread = feature.scale();
    let holds = spread > 0.0 && spread <= 1e30;
    check::that(holds, "the spread of the feature", spread, "lie above 0 and up to 1e30", "1.0")?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let normal = Normal::new(0.0, noise).map_err(|_| check::refusal("the noise", noise, "be finite", "1.0"))?;
    let x = Array2::from_shape_simple_fn((n, 1), || feature.draw(&mut rng));
    let y: Array1<f64> = x.column(0).mapv(|x| x.powi(3)) + Array1::from_shape_simple_fn(n, || normal.sample(&mut rng));
    Sample::named(x, y, vec!["x".into()], "y")
}

/// `n` rows of y = x·β + ε with `d` standard normal features, ‖β‖² = 10 and ε ~ N(0, 1).
///
/// The simulation of Barber et al. (2021), Section 6: near d = n, where least squares begins to interpolate, the
/// naive jackknife loses its coverage.
///
/// # Errors
/// [`Error::Empty`](crate::Error::Empty) for no rows or no features.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let sample = linear(2000, 3, 0)?;
/// let model = Ridge::least_squares().fit(&sample)?;
/// let norm = model.coefficients().dot(model.coefficients());
/// assert!((norm - 10.0).abs() < 1.0);
/// # Ok::<(), jackknife::Error>(())
/// ```
pub fn linear(n: usize, d: usize, seed: u64) -> Result<Sample> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut normal = || -> f64 { StandardNormal.sample(&mut rng) };
    let mut beta = Array1::from_shape_simple_fn(d, &mut normal);
    beta *= (10.0 / beta.dot(&beta)).sqrt();
    let x = Array2::from_shape_simple_fn((n, d), &mut normal);
    let y = x.dot(&beta) + Array1::from_shape_simple_fn(n, &mut normal);
    Sample::new(x, y)
}
