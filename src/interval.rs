//! Intervals: what is made of the leave-one-out models at a new x.
//!
//! A *rule* turns f(x), the f₋ᵢ(x) and the residuals into an interval. The engines that make those stand in
//! [`crate::leave_one_out`]; any engine goes with any rule, and one fitted object serves every rule and every α.
//!
//! | rule | interval at x | guarantee with exact leave-one-out models |
//! |---|---|---|
//! | [`Rule::InSample`] | f(x) ± Q⁺(in-sample residuals) | none, too narrow |
//! | [`Rule::Jackknife`] | f(x) ± Q⁺(R) | none |
//! | [`Rule::Plus`] | [ Q⁻{f₋ᵢ(x) − rᵢ}, Q⁺{f₋ᵢ(x) + rᵢ} ] | ≥ 1 − 2α |
//! | [`Rule::Minmax`] | [ minᵢ f₋ᵢ(x) − Q⁺(R), maxᵢ f₋ᵢ(x) + Q⁺(R) ] | ≥ 1 − α |
//! | [`Rule::Studentised`] | jackknife+ with rᵢ scaled by s(x)/s₋ᵢ(xᵢ) | none proven: see [`studentised`] |
//! | [`LeaveOneOut::weighted_jackknife_plus`] | jackknife+ with a weight for each row | ≥ 1 − 2α under covariate shift |
//! | [`HeldOut`] | f(x) ± Q⁺(residuals of rows held out) | ≥ 1 − α |

pub mod guarantee;
mod held_out;
pub mod studentised;
pub mod weighted;

use std::fmt;

use ndarray::{Array1, Array2};

use crate::error::{Error, Result};
use crate::leave_one_out::LeaveOneOut;
use crate::model::Model;
use crate::quantile;
use crate::sample::Sample;
use crate::wording::percent;
pub use guarantee::Guarantee;
pub use held_out::HeldOut;

/// How leave-one-out models become an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// f(x) ± the quantile of the in-sample residuals: what one should not do.
    InSample,
    /// The naive jackknife: f(x) ± the quantile of R.
    Jackknife,
    /// The jackknife+, which is also the rule of the paper's discriminative jackknife.
    Plus,
    /// The jackknife-minmax: wide, and sure.
    Minmax,
    /// The studentised jackknife+.
    Studentised,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InSample => "naive",
            Self::Jackknife => "jackknife",
            Self::Plus => "jackknife+",
            Self::Minmax => "minmax",
            Self::Studentised => "studentized",
        })
    }
}

/// Predictive intervals at some points, with what is proven about them.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let (train, test) = Table::BostonHousing.load().split(0.2, 1)?;
/// let intervals = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?.jackknife_plus(test.x(), 0.1)?;
/// assert_eq!(intervals.prediction.len(), 102);
/// assert_eq!(intervals.guarantee, Guarantee::AtLeast(0.8));
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Intervals {
    /// f(x) at each point.
    pub prediction: Array1<f64>,
    /// The lower ends; −∞ where the rows are too few for α.
    pub lower: Array1<f64>,
    /// The upper ends; +∞ where the rows are too few for α.
    pub upper: Array1<f64>,
    /// The miscoverage that was asked for.
    pub alpha: f64,
    /// Which method made them.
    pub method: String,
    /// What is proven about them.
    pub guarantee: Guarantee,
}

impl LeaveOneOut {
    /// The intervals of any rule at each row of `x`.
    ///
    /// # Errors
    /// [`Error::Level`] unless 0 < `alpha` < 1, [`Error::Columns`] if `x` has not the columns trained on,
    /// [`Error::Cell`] for cells that are not finite.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let loo = LeaveOneOut::closed_form(&Ridge::new(0.1), &train)?;
    /// let plus = loo.intervals(Rule::Plus, test.x(), 0.1)?;
    /// let minmax = loo.intervals(Rule::Minmax, test.x(), 0.1)?;
    /// assert!(minmax.lower.iter().zip(&plus.lower).all(|(minmax, plus)| minmax <= plus));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn intervals(&self, rule: Rule, x: &Array2<f64>, alpha: f64) -> Result<Intervals> {
        quantile::check(alpha)?;
        let ends = match rule {
            Rule::InSample => constant(&self.predict(x)?, self.in_sample_residuals(), alpha)?,
            Rule::Jackknife => constant(&self.predict(x)?, self.residuals(), alpha)?,
            Rule::Plus => self.plus(x, alpha)?,
            Rule::Minmax => self.extremes(x, alpha)?,
            Rule::Studentised => self.studentise(x, alpha)?,
        };
        let method = format!("{rule} ({})", self.engine());
        Intervals::new(self.predict(x)?, ends, alpha, method, self.guarantee(rule, alpha))
    }

    /// f(x) ± Q⁺ of the residuals on rows seen: too narrow, for comparison.
    ///
    /// # Errors
    /// As [`LeaveOneOut::intervals`].
    pub fn in_sample(&self, x: &Array2<f64>, alpha: f64) -> Result<Intervals> {
        self.intervals(Rule::InSample, x, alpha)
    }

    /// The naive jackknife, f(x) ± Q⁺_α(R) (the paper's eq. 4): the same width everywhere, and no guarantee.
    ///
    /// # Errors
    /// As [`LeaveOneOut::intervals`].
    pub fn jackknife(&self, x: &Array2<f64>, alpha: f64) -> Result<Intervals> {
        self.intervals(Rule::Jackknife, x, alpha)
    }

    /// The jackknife+ interval at each row of `x`.
    ///
    /// ```text
    /// [ Q⁻_α{ f(x; θ₋ᵢ) − rᵢ },  Q⁺_α{ f(x; θ₋ᵢ) + rᵢ } ]        Alaa & van der Schaar 2020, eqs. 6–7
    /// ```
    ///
    /// Covers with probability at least 1 − 2α whatever the data (Barber et al. 2021, Theorem 1), if the models are
    /// exact.
    ///
    /// # Errors
    /// As [`LeaveOneOut::intervals`].
    pub fn jackknife_plus(&self, x: &Array2<f64>, alpha: f64) -> Result<Intervals> {
        self.intervals(Rule::Plus, x, alpha)
    }

    /// The jackknife-minmax: covers with probability at least 1 − α if the models are exact (Barber et al. 2021,
    /// Theorem 2).
    ///
    /// # Errors
    /// As [`LeaveOneOut::intervals`].
    pub fn minmax(&self, x: &Array2<f64>, alpha: f64) -> Result<Intervals> {
        self.intervals(Rule::Minmax, x, alpha)
    }

    /// The studentised jackknife+: see [`studentised`].
    ///
    /// # Errors
    /// As [`LeaveOneOut::intervals`].
    pub fn studentised(&self, x: &Array2<f64>, alpha: f64) -> Result<Intervals> {
        self.intervals(Rule::Studentised, x, alpha)
    }

    fn plus(&self, x: &Array2<f64>, alpha: f64) -> Result<Vec<(f64, f64)>> {
        let residuals = self.residuals().to_vec();
        let ranks = Ranks::new(self.len(), alpha)?;
        self.at_points(x, |_, _, without| ranks.ends(without, &residuals, 1.0))
    }

    fn extremes(&self, x: &Array2<f64>, alpha: f64) -> Result<Vec<(f64, f64)>> {
        let half = quantile::upper(&self.residuals(), alpha)?;
        self.at_points(x, |_, _, without| {
            let (low, high) =
                without.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &f| (l.min(f), h.max(f)));
            (low - half, high + half)
        })
    }
}

/// f(x) ± Q⁺ of some residuals.
fn constant(prediction: &Array1<f64>, residuals: Array1<f64>, alpha: f64) -> Result<Vec<(f64, f64)>> {
    let half = quantile::upper(&residuals, alpha)?;
    Ok(prediction.iter().map(|f| (f - half, f + half)).collect())
}

/// The two ranks of α, found once for all points.
struct Ranks {
    lower: usize,
    upper: usize,
}

impl Ranks {
    fn new(n: usize, alpha: f64) -> Result<Self> {
        Ok(Self { lower: quantile::lower_rank(n, alpha)?, upper: quantile::upper_rank(n, alpha)? })
    }

    /// Q⁻{fᵢ − scale·rᵢ} and Q⁺{fᵢ + scale·rᵢ}.
    fn ends(&self, f: &[f64], r: &[f64], scale: f64) -> (f64, f64) {
        let pairs = || f.iter().zip(r);
        let lower = quantile::order_statistic(pairs().map(|(f, r)| f - scale * r), self.lower);
        (lower, quantile::order_statistic(pairs().map(|(f, r)| f + scale * r), self.upper))
    }
}

impl Intervals {
    /// Intervals from their parts; refuses ends that are not numbers.
    pub(crate) fn new(
        prediction: Array1<f64>,
        ends: Vec<(f64, f64)>,
        alpha: f64,
        method: String,
        guarantee: Guarantee,
    ) -> Result<Self> {
        let (lower, upper): (Vec<f64>, Vec<f64>) = ends.into_iter().unzip();
        let good = prediction.iter().all(|f| f.is_finite()) && lower.iter().chain(&upper).all(|end| !end.is_nan());
        if !good {
            return Err(Error::NotFinite {
                what: "a prediction or an end of its interval".into(),
                advice: "look for points far outside the training rows, or models that did not converge",
            });
        }
        Ok(Self { prediction, lower: lower.into(), upper: upper.into(), alpha, method, guarantee })
    }

    /// f(x) ± Q⁺ of the residuals on the very rows that the model was fitted to: too narrow, for comparison.
    ///
    /// # Errors
    /// As [`LeaveOneOut::intervals`].
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let model = Ridge::new(0.1).fit(&train)?;
    /// let intervals = Intervals::in_sample(&model, &train, test.x(), 0.1)?;
    /// assert_eq!(intervals.guarantee, Guarantee::None);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn in_sample(model: &impl Model, sample: &Sample, x: &Array2<f64>, alpha: f64) -> Result<Self> {
        Self::around(model, sample, x, alpha)
    }

    fn around(model: &dyn Model, sample: &Sample, x: &Array2<f64>, alpha: f64) -> Result<Self> {
        let residuals = (sample.y() - &model.predict(sample.x())?).mapv(f64::abs);
        let prediction = model.predict(x)?;
        let ends = constant(&prediction, residuals, alpha)?;
        Self::new(prediction, ends, alpha, Rule::InSample.to_string(), Guarantee::None)
    }

    /// upper − lower at each point.
    pub fn width(&self) -> Array1<f64> {
        &self.upper - &self.lower
    }

    /// The mean width; +∞ if any interval is infinite.
    pub fn mean_width(&self) -> f64 {
        self.width().mean().unwrap_or(0.0)
    }

    /// Whether each interval contains its target.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one target for each interval.
    pub fn covers(&self, y: &Array1<f64>) -> Result<Vec<bool>> {
        if y.len() != self.lower.len() {
            return Err(Error::Shape { what: "targets and intervals".into(), left: y.len(), right: self.lower.len() });
        }
        Ok(y.iter().zip(self.lower.iter().zip(&self.upper)).map(|(y, (l, u))| l <= y && y <= u).collect())
    }

    /// The share of targets inside their intervals.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one target for each interval.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::PowerPlant.load().split(0.2, 0)?;
    /// let intervals = LeaveOneOut::closed_form(&Ridge::least_squares(), &train)?.jackknife_plus(test.x(), 0.1)?;
    /// let coverage = intervals.coverage(test.y())?;
    /// assert!(coverage > 0.88 && coverage < 0.92);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn coverage(&self, y: &Array1<f64>) -> Result<f64> {
        let covers = self.covers(y)?;
        Ok(covers.iter().filter(|&&inside| inside).count() as f64 / covers.len().max(1) as f64)
    }

    /// The intervals as a data frame with the columns `prediction`, `lower`, `upper`.
    ///
    /// # Errors
    /// [`Error::Table`] if the public fields were given different lengths.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let intervals = LeaveOneOut::closed_form(&Ridge::new(0.1), &train)?.minmax(test.x(), 0.1)?;
    /// assert_eq!(intervals.to_frame()?.shape(), (62, 3));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    #[cfg(feature = "polars")]
    pub fn to_frame(&self) -> Result<polars::prelude::DataFrame> {
        use polars::prelude::{Column, NamedFrom, Series};
        let column = |name: &str, cells: &Array1<f64>| Column::from(Series::new(name.into(), cells.to_vec()));
        let columns =
            vec![column("prediction", &self.prediction), column("lower", &self.lower), column("upper", &self.upper)];
        crate::sample::frame_of(columns, self.prediction.len())
    }
}

impl fmt::Debug for Intervals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} intervals by {} for {} coverage, mean width {:.4}; {}",
            self.prediction.len(),
            self.method,
            percent(1.0 - self.alpha),
            self.mean_width(),
            self.guarantee
        )?;
        for k in 0..self.prediction.len().min(5) {
            write!(f, "\n  {:.4}  [{:.4}, {:.4}]", self.prediction[k], self.lower[k], self.upper[k])?;
        }
        if self.prediction.len() > 5 { write!(f, "\n  …") } else { Ok(()) }
    }
}
