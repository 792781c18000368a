//! Intervals: what is made of the leave-one-out models at a new x.
//!
//! A *rule* turns f(x), the f₋ᵢ(x) and the residuals into an interval. The engines that make those stand in
//! [`crate::leave_one_out`]; any engine goes with any rule, and one fitted object serves every rule and every α.
//!
//! | rule | interval at x | guarantee with exact leave-one-out models |
//! |---|---|---|
//! | [`Rule::InSample`], called `naive` | f(x) ± Q⁺(in-sample residuals) | none, too narrow |
//! | [`Rule::Jackknife`], the paper's naive jackknife | f(x) ± Q⁺(R) | none |
//! | [`Rule::Plus`] | [ Q⁻{f₋ᵢ(x) − rᵢ}, Q⁺{f₋ᵢ(x) + rᵢ} ] | ≥ 1 − 2α |
//! | [`Rule::Minmax`] | [ minᵢ f₋ᵢ(x) − Q⁺(R), maxᵢ f₋ᵢ(x) + Q⁺(R) ] | ≥ 1 − α |
//! | [`Rule::Studentised`] | jackknife+ with rᵢ scaled by s(x)/s₋ᵢ(xᵢ) | none proven: see [`studentised`] |
//! | [`Rule::Nested`] | jackknife+ with \|qᵢ\|s₋ᵢ(x) in place of rᵢ | ≥ 1 − 2α: see [`tangent`](crate::leave_one_out::tangent) |
//! | [`Rule::Full`] | full conformal prediction of a ridge | ≥ 1 − α for a fixed penalty |
//! | [`Rule::Laplace`] | f(x) ± z·σ√(1 + g(x)) | none |
//! | [`LeaveOneOut::weighted_jackknife_plus`] | jackknife+ with a weight for each row | ≥ 1 − 2α under covariate shift |
//! | [`LeaveOneOut::shifted_jackknife_plus`] | the same, the weights estimated | none proven: see [`ratio`] |
//! | [`HeldOut`] | f(x) ± Q⁺(residuals of rows held out) | ≥ 1 − α |
//!
//! A rule of your own is a [`Recipe`] or a [`Score`]; a [`Method`] is an engine times a rule, and every result says which
//! made it.

pub mod guarantee;
mod held_out;
mod jackknife;
pub mod method;
mod minmax;
mod naive;
pub mod nested;
mod plus;
pub mod ratio;
pub mod rule;
pub mod score;
pub mod studentised;
pub mod weighted;

use std::fmt;

use ndarray::{Array1, Array2};

use crate::error::{Error, Result};
use crate::leave_one_out::LeaveOneOut;
use crate::quantile;
use crate::wording::{percent, short};
pub use guarantee::Guarantee;
pub use held_out::HeldOut;
pub use method::{Baseline, Method};
pub use ratio::Ratios;
pub use rule::{Recipe, Rule};
pub use score::{Scaled, Score};

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
#[non_exhaustive]
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
    pub method: Method,
    /// What is proven about them.
    pub guarantee: Guarantee,
    /// What the model itself predicts, where the intervals are about another prediction: the tangent's.
    pub own: Option<Array1<f64>>,
    /// The rows whose errors they stand on, with weights as many as those are worth; `None` if that is not known.
    pub rows: Option<usize>,
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
        let ends = rule.recipe().ends(self, x, alpha)?;
        let (method, guarantee) = (Method::Pair(self.engine(), rule), rule.recipe().guarantee(self, alpha));
        let own = self.nested_models().and_then(|models| models.own(x.view()));
        let intervals = Intervals::from_ends(self.predict(x)?, ends, alpha, method, guarantee)?;
        Ok(Intervals { own, ..intervals.standing_on(self.len()) })
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

    /// The tangent's own rule, of models made by [`LeaveOneOut::tangent`] and its kin.
    ///
    /// ```text
    /// [ Q⁻_α{ f₋ᵢ(x) − |qᵢ|s₋ᵢ(x) },  Q⁺_α{ f₋ᵢ(x) + |qᵢ|s₋ᵢ(x) } ]        nothing of it has seen row i
    /// ```
    ///
    /// # Errors
    /// [`Error::Rule`] for models of another engine, and as [`LeaveOneOut::intervals`].
    pub fn nested(&self, x: &Array2<f64>, alpha: f64) -> Result<Intervals> {
        self.intervals(Rule::Nested, x, alpha)
    }

    /// The studentised jackknife+: see [`studentised`].
    ///
    /// # Errors
    /// As [`LeaveOneOut::intervals`].
    pub fn studentised(&self, x: &Array2<f64>, alpha: f64) -> Result<Intervals> {
        self.intervals(Rule::Studentised, x, alpha)
    }
}

impl Intervals {
    /// Intervals from their parts: what another program made, or a rule outside this crate.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is a lower and an upper end for each prediction, [`Error::Level`] unless
    /// 0 < `alpha` < 1, [`Error::NotFinite`] for predictions that are not finite and ends that are not numbers.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// use ndarray::array;
    /// let intervals = Intervals::new(array![1.0, 2.0], array![0.5, 1.0], array![1.5, 3.5], 0.1, Method::Given)?;
    /// assert_eq!(intervals.width(), array![1.0, 2.5]);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn new(
        prediction: Array1<f64>,
        lower: Array1<f64>,
        upper: Array1<f64>,
        alpha: f64,
        method: Method,
    ) -> Result<Self> {
        quantile::check(alpha)?;
        for (what, ends) in [("lower ends and predictions", &lower), ("upper ends and predictions", &upper)] {
            if ends.len() != prediction.len() {
                return Err(Error::Shape { what: what.into(), left: ends.len(), right: prediction.len() });
            }
        }
        let ends = lower.into_iter().zip(upper).collect();
        Self::from_ends(prediction, ends, alpha, method, Guarantee::None)
    }

    /// As [`Intervals::new`], from pairs, with what is proven.
    pub(crate) fn from_ends(
        prediction: Array1<f64>,
        ends: Vec<(f64, f64)>,
        alpha: f64,
        method: Method,
        guarantee: Guarantee,
    ) -> Result<Self> {
        let (lower, upper): (Vec<f64>, Vec<f64>) = ends.into_iter().unzip();
        if lower.len() != prediction.len() {
            let what = format!("intervals of the rule {method} and points");
            return Err(Error::Shape { what, left: lower.len(), right: prediction.len() });
        }
        let good = prediction.iter().all(|f| f.is_finite()) && lower.iter().chain(&upper).all(|end| !end.is_nan());
        if !good {
            return Err(Error::NotFinite {
                what: "a prediction or an end of its interval".into(),
                advice: "look for points far outside the training rows, or models that did not converge",
            });
        }
        Ok(Self {
            prediction,
            lower: lower.into(),
            upper: upper.into(),
            alpha,
            method,
            guarantee,
            own: None,
            rows: None,
        })
    }

    /// The same, known to stand on the errors of so many rows.
    pub(crate) fn standing_on(self, rows: usize) -> Self {
        Self { rows: Some(rows), ..self }
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

    /// How many predictions lie outside their own interval, which no honest model asks for.
    ///
    /// The leave-one-out models then predict something else than the model itself: it is not at the minimum that they are
    /// at, or it is another model than that of these rows; a few may come of leave-one-out models that lie to one side.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let intervals = LeaveOneOut::closed_form(&Ridge::new(0.1), &train)?.jackknife_plus(test.x(), 0.1)?;
    /// assert_eq!(intervals.predictions_outside(), 0);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn predictions_outside(&self) -> usize {
        let ends = self.lower.iter().zip(&self.upper);
        self.prediction.iter().zip(ends).filter(|(f, (lower, upper))| *f < *lower || *f > *upper).count()
    }

    /// The same in a sentence, if there are any.
    pub(crate) fn outside_words(&self) -> Option<String> {
        let count = self.predictions_outside();
        (count > 0).then(|| {
            format!(
                "{count} of {} predictions lie outside their own interval: the model is not the one that its leave-one-out \
                 models come from (weights not at a minimum, or of other rows), or those lie to one side of it",
                self.prediction.len()
            )
        })
    }

    /// How far the model's own predictions are from those that the intervals are about, in a sentence, if there are any.
    pub(crate) fn own_words(&self) -> Option<String> {
        let own = self.own.as_ref().filter(|own| !own.is_empty())?;
        let apart = (own - &self.prediction).mapv(f64::abs).mean().unwrap_or(0.0);
        let width = self.mean_width();
        let share = if width.is_finite() && width > 0.0 {
            format!(", {} of the mean width", percent(apart / width))
        } else {
            String::new()
        };
        Some(format!(
            "the predictions are the tangent's, which the intervals are about; the model's own differ by {} on average{share}",
            short(apart)
        ))
    }

    /// The intervals as a data frame with the columns `prediction`, `lower`, `upper`, and `model` where the model itself
    /// predicts something else.
    ///
    /// # Errors
    /// [`Error::Frame`] if the public fields were given different lengths.
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
        let mut columns =
            vec![column("prediction", &self.prediction), column("lower", &self.lower), column("upper", &self.upper)];
        columns.extend(self.own.iter().map(|own| column("model", own)));
        crate::sample::frame_of(columns, self.prediction.len())
    }

    /// Intervals that another program made, from a data frame: the names of the lower and the upper ends and, if it has them, of the
    /// predictions; else these are the middles.
    ///
    /// # Errors
    /// [`Error::Column`] for a column that is missing or text, [`Error::Cell`] for blanks, [`Error::Ends`] for a lower end above its
    /// upper one, [`Error::NotFinite`] for middles of infinite intervals and ends that are not numbers.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// use polars::df;
    /// let frame = df!("low" => [0.0, 1.0], "high" => [2.0, 5.0])?;
    /// let intervals = Intervals::from_frame(&frame, ("low", "high", None), 0.1)?;
    /// assert_eq!(intervals.prediction, ndarray::array![1.0, 3.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "polars")]
    pub fn from_frame(
        frame: &polars::prelude::DataFrame,
        (lower, upper, prediction): (&str, &str, Option<&str>),
        alpha: f64,
    ) -> Result<Self> {
        use crate::sample::column;
        let ends = (column(frame, lower)?, column(frame, upper)?);
        if let Some(row) = ends.0.iter().zip(&ends.1).position(|(lower, upper)| lower > upper) {
            return Err(Error::Ends { row: row + 1, lower: ends.0[row], upper: ends.1[row] });
        }
        let prediction = match prediction {
            Some(name) => column(frame, name)?,
            None => (&ends.0 + &ends.1) / 2.0,
        };
        Self::new(prediction, ends.0, ends.1, alpha, Method::Given)
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
