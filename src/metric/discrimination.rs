//! Whether wide intervals stand where errors are large.

use std::fmt;

use ndarray::Array1;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::curve::PrecisionRecall;
use super::interpolation::{interpolated, interpolated_of_sorted};
use super::permutation::share_of_deals;
use super::ranking::{Ranking, auroc, average_precision_of};
use super::skill::Skill;
use crate::check;
use crate::error::{Error, Result};
use crate::interval::Intervals;
use crate::wording::short;

/// An error is large if it exceeds this quantile of all errors; numpy's quantile and the paper's level.
const LARGE: f64 = 0.9;

/// How many resamples the interval of a [`Discrimination`] has.
pub const RESAMPLES: usize = 1000;

/// Fewer large errors say nothing of a ranking: rows for which 5 % of random orders put two of three first are no proof.
pub(crate) const FEWEST: usize = 5;

/// The p-value up to which a ranking is called better than chance.
const LEVEL: f64 = 0.05;

/// How well the width tells large errors from small ones.
///
/// Positive are the errors |y − f(x)| above their 90 % quantile; the width ranks them. Raw, never folded: beside it
/// stand what a random ranking of these rows has on average, and the p-value of a permutation test: the share of random
/// orders that do as well.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
/// let loo = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?;
/// let studentised = loo.studentised(test.x(), 0.1)?.discrimination(test.y(), 0)?;
/// assert!(studentised.low <= studentised.average_precision);
/// assert!(studentised.average_precision <= studentised.high);
/// assert_eq!((studentised.positives, studentised.rows), (7, 62));
/// assert!(studentised.chance > 7.0 / 62.0); // rows are few
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Discrimination {
    /// The average precision.
    pub average_precision: f64,
    /// The lower end of its 95 % bootstrap interval.
    pub low: f64,
    /// The upper end of its 95 % bootstrap interval.
    pub high: f64,
    /// What a random ranking has on average: [`average_precision_by_chance`](super::average_precision_by_chance).
    pub chance: f64,
    /// The share of random rankings that do as well; in an audit adjusted for the methods that were tried, by Holm.
    pub p: f64,
    /// The share of positives.
    pub prevalence: f64,
    /// The area under the ROC curve; ½ is chance.
    pub auroc: f64,
    /// The large errors.
    pub positives: usize,
    /// All errors.
    pub rows: usize,
    /// Whether all widths are the same.
    pub constant: bool,
    /// What the predictions themselves are worth.
    pub skill: Skill,
}

/// Whether intervals are wide where errors are large: the answer of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tells {
    /// Better than chance, p ≤ 0.05, of a model that predicts better than the mean.
    Yes,
    /// One width everywhere, or at most twice as good as chance.
    No,
    /// Too few rows to tell, or a model whose errors are not worth telling.
    Unclear,
}

impl Tells {
    /// In a word, as tables have it: `yes`, `no` or `unclear`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Unclear => "unclear",
        }
    }
}

/// Errors and the scores that are to rank them, one pair for each row.
pub(crate) struct Ranked<'a> {
    pub(crate) errors: &'a Array1<f64>,
    pub(crate) score: &'a Array1<f64>,
    pub(crate) skill: Skill,
    /// By how much the variance of the average precision exceeds that of independent rows; 1 if they are.
    pub(crate) inflation: f64,
}

impl Ranked<'_> {
    /// Which errors are large.
    pub(crate) fn positive(&self) -> Result<Vec<bool>> {
        let threshold = interpolated(&self.errors.to_vec(), LARGE);
        let positive: Vec<bool> = self.errors.iter().map(|&error| error > threshold).collect();
        match positive.contains(&true) {
            true => Ok(positive),
            false => Err(Error::NoLargeError { rows: positive.len(), threshold }),
        }
    }

    /// All that there is to say of the ranking.
    pub(crate) fn discrimination(&self, seed: u64) -> Result<Discrimination> {
        let positive = self.positive()?;
        let ranking = Ranking::new(&positive, self.score)?;
        let (positives, rows) = (ranking.totals().0, positive.len());
        let (low, high) = average_precision_interval(&positive, self.score, RESAMPLES, seed)?;
        let (average_precision, chance) = (average_precision_of(&ranking.ties), ranking.chance());
        let constant = ranking.ties.len() == 1;
        let excess = (average_precision - chance) / self.inflation.sqrt();
        Ok(Discrimination {
            average_precision,
            low,
            high,
            chance,
            p: if constant { 1.0 } else { share_of_deals(&ranking, chance + excess, seed) },
            prevalence: positives as f64 / rows as f64,
            auroc: auroc(&positive, self.score)?,
            positives,
            rows,
            constant,
            skill: self.skill,
        })
    }
}

impl Discrimination {
    /// The answer of the test.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.5, 0)?;
    /// let loo = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?;
    /// let constant = loo.jackknife(test.x(), 0.1)?.discrimination(test.y(), 0)?;
    /// assert_eq!(constant.verdict(), Tells::No);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn verdict(&self) -> Tells {
        match () {
            () if self.constant => Tells::No,
            () if self.positives < FEWEST => Tells::Unclear,
            () if self.p <= LEVEL && self.skill.is_beyond_chance() => Tells::Yes,
            () if self.p <= LEVEL => Tells::Unclear,
            () if self.high < 2.0 * self.chance => Tells::No,
            () => Tells::Unclear,
        }
    }

    /// The answer in words that follow "they".
    pub fn words(&self) -> String {
        let times = self.average_precision / self.chance;
        match self.verdict() {
            Tells::Yes => {
                format!("tell large errors from small ones {times:.1} times as well as chance (p = {})", short(self.p))
            }
            Tells::No if self.constant => "have one width everywhere and tell no error from another".into(),
            Tells::No => {
                format!("show no sign of telling large errors from small ones (p = {})", short(self.p))
            }
            Tells::Unclear if self.positives < FEWEST => {
                let Self { positives, rows, .. } = self;
                format!("have too few test rows to tell: {positives} large errors among {rows}")
            }
            Tells::Unclear if self.p <= LEVEL => format!(
                "are judged by a model that predicts no better than the mean of the target (skill {}), so that its large errors are no sign of anything",
                self.skill
            ),
            Tells::Unclear => {
                format!("have too few test rows to tell large errors from chance (p = {})", short(self.p))
            }
        }
    }
}

impl fmt::Debug for Discrimination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { average_precision, low, high, chance, p, auroc, .. } = self;
        write!(f, "average precision {average_precision:.4} (95 % interval {low:.4} to {high:.4}), ")?;
        write!(f, "chance {chance:.4}, p = {}; AUROC {auroc:.4}", short(*p))
    }
}

/// The 95 % percentile interval of the average precision over seeded resamples of the rows.
///
/// A resample draws as many rows as there are, with replacement; one without a positive is drawn again. The labels
/// stay as they are.
///
/// # Errors
/// As [`average_precision`](super::average_precision); [`Error::Choice`] for no resamples.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// use ndarray::array;
/// let (positive, score) = ([true, true, false, false], array![4.0, 3.0, 2.0, 1.0]);
/// assert_eq!(average_precision_interval(&positive, &score, 100, 0)?, (1.0, 1.0)); // perfect in any resample
/// # Ok::<(), jackknife::Error>(())
/// ```
pub fn average_precision_interval(
    positive: &[bool],
    score: &Array1<f64>,
    resamples: usize,
    seed: u64,
) -> Result<(f64, f64)> {
    let ranking = Ranking::new(positive, score)?;
    ranking.check_positives()?;
    check::at_least_one("the number of resamples", resamples, "1000")?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut ties = ranking.ties.clone();
    let mut precisions: Vec<f64> = (0..resamples)
        .map(|_| {
            // The order of the scores is known: a resample only counts anew.
            loop {
                ties.iter_mut().for_each(|tie| (tie.positives, tie.negatives) = (0, 0));
                for _ in 0..ranking.rows.len() {
                    let (tie, positive) = ranking.rows[rng.gen_range(0..ranking.rows.len())];
                    let count = if positive { &mut ties[tie].positives } else { &mut ties[tie].negatives };
                    *count += 1;
                }
                if ties.iter().any(|tie| tie.positives > 0) {
                    return average_precision_of(&ties);
                }
            }
        })
        .collect();
    precisions.sort_by(f64::total_cmp);
    Ok((interpolated_of_sorted(&precisions, 0.025), interpolated_of_sorted(&precisions, 0.975)))
}

impl Intervals {
    /// How well the width tells large errors from small ones, with what so many rows can tell.
    ///
    /// The interval has [`RESAMPLES`] resamples of the given seed; so has the test, whose hypothesis is that errors fall on
    /// widths as they come. Infinite widths are allowed, and tie.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one target for each interval, [`Error::Rows`] if there are none,
    /// [`Error::NoLargeError`] if no error stands out from the others.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let loo = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?;
    /// // Intervals of constant width cannot discriminate: precision is chance, the share of large errors.
    /// let constant = loo.jackknife(test.x(), 0.1)?.discrimination(test.y(), 0)?;
    /// assert!((constant.average_precision - 7.0 / 62.0).abs() < 1e-9);
    /// assert_eq!(constant.chance, constant.average_precision);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn discrimination(&self, y: &Array1<f64>, seed: u64) -> Result<Discrimination> {
        let errors = self.errors(y)?;
        let skill = Skill::measure(y, &self.prediction)?;
        Ranked { errors: &errors, score: &self.tied_width(), skill, inflation: 1.0 }.discrimination(seed)
    }

    /// The precision–recall curve behind [`Intervals::discrimination`].
    ///
    /// # Errors
    /// As [`Intervals::discrimination`].
    pub fn precision_recall(&self, y: &Array1<f64>) -> Result<PrecisionRecall> {
        let errors = self.errors(y)?;
        let width = self.tied_width();
        let ranked =
            Ranked { errors: &errors, score: &width, skill: Skill::measure(y, &self.prediction)?, inflation: 1.0 };
        PrecisionRecall::from_scores(&ranked.positive()?, &width)
    }

    /// The error |y − f(x)| above which it counts as large: the 90 % quantile of all errors, numpy's.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one target for each interval, [`Error::Rows`] if there are none.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let intervals = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?.jackknife_plus(test.x(), 0.1)?;
    /// let threshold = intervals.large_error(test.y())?;
    /// let errors = test.y() - &intervals.prediction;
    /// assert_eq!(errors.iter().filter(|error| error.abs() > threshold).count(), 7);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn large_error(&self, y: &Array1<f64>) -> Result<f64> {
        Ok(interpolated(&self.errors(y)?.to_vec(), LARGE))
    }
}
