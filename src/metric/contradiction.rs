//! Where test rows contradict what is proven or asked for, beyond what the draw of rows explains.

use std::fmt;

use ndarray::Array1;

use super::binomial::{binomial_tail, share_tail};
use super::coverage::Coverage;
use crate::error::Result;
use crate::interval::{Guarantee, Intervals, Method};
use crate::wording::{chance, percent};

/// The chance up to which so few covered rows are no accident: what the 95 % interval of a [`Coverage`] leaves out below.
const BEYOND: f64 = 0.025;

impl Coverage {
    /// The chance of so few covered rows where the rate is `level` on average over training sets, and each set had `rows` rows.
    ///
    /// ```text
    /// P(X ≤ covered),     X ~ Binomial(of, V),     V ~ Beta(k, n + 1 − k),     k = ⌈level·(n + 1)⌉
    /// ```
    ///
    /// A guarantee is an average over training sets, and one set may cover less by accident: V is how the coverage of split
    /// conformal with n calibration rows varies, exactly, and about how that of the jackknife rules does. Without `rows` the
    /// rate is `level` for this very training set, as a binomial test has it.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let coverage = Coverage::from_counts(830, 1000)?;
    /// assert!(coverage.chance_below(0.9, None) < 1e-9);
    /// assert!(coverage.chance_below(0.9, Some(30)) > 0.05); // thirty rows may calibrate as badly
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn chance_below(&self, level: f64, rows: Option<usize>) -> f64 {
        match rows {
            Some(rows) => share_tail(self.covered, self.of, level, rows),
            None => binomial_tail(self.covered, self.of, level),
        }
    }

    /// Whether so few covered rows contradict a guarantee beyond chance, for intervals that stand on the errors of `rows` rows.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let coverage = Coverage::from_counts(19, 100)?;
    /// assert!(coverage.contradicts(&Guarantee::AtLeast(0.8), Some(200)));
    /// assert!(!coverage.contradicts(&Guarantee::None, Some(200)));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn contradicts(&self, guarantee: &Guarantee, rows: Option<usize>) -> bool {
        guarantee.level().is_some_and(|level| self.falls_short(level, rows))
    }

    fn falls_short(&self, level: f64, rows: Option<usize>) -> bool {
        self.high < level && self.chance_below(level, rows) <= BEYOND
    }
}

/// A coverage below what is proven, or else below what was asked for, beyond chance.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
/// let intervals = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?.jackknife_plus(test.x(), 0.1)?;
/// assert!(intervals.contradiction(test.y())?.is_none());
/// let other_units = test.y() * 1000.0;
/// let contradiction = intervals.contradiction(&other_units)?.unwrap();
/// assert!(contradiction.to_string().contains("contradicts the proven 80 % beyond chance"));
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Contradiction {
    /// The coverage on the test rows.
    pub coverage: Coverage,
    /// The rate that it falls short of.
    pub level: f64,
    /// What is proven about the intervals.
    pub guarantee: Guarantee,
    /// The chance of so low a coverage at that rate: see [`Coverage::chance_below`].
    pub p: f64,
    method: Method,
}

impl Contradiction {
    /// Whether it is the proof that is contradicted, and not only the wish.
    pub fn is_proven(&self) -> bool {
        self.guarantee.level() == Some(self.level)
    }
}

impl Intervals {
    /// What test targets say against these intervals, if they do so beyond chance.
    ///
    /// # Errors
    /// As [`Intervals::coverage`].
    pub fn contradiction(&self, y: &Array1<f64>) -> Result<Option<Contradiction>> {
        let coverage = self.coverage(y)?;
        let asked = 1.0 - self.alpha;
        let short = |level: &f64| coverage.falls_short(*level, self.rows);
        let level = self.guarantee.level().filter(short).or(Some(asked).filter(short));
        Ok(level.map(|level| Contradiction {
            coverage,
            level,
            guarantee: self.guarantee,
            p: coverage.chance_below(level, self.rows),
            method: self.method,
        }))
    }
}

/// One sentence: what contradicts what, and what follows.
impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (coverage, level, p) = (self.coverage, percent(self.level), chance(self.p));
        let rows = if coverage.of == 1 { "row" } else { "rows" };
        write!(f, "coverage {coverage} on {} test {rows} ", coverage.of)?;
        match (self.is_proven(), self.guarantee) {
            (true, Guarantee::IfMinimumUnique(_)) => write!(
                f,
                "contradicts the proven {level} beyond chance ({p}): these rows are not like the training rows, or the loss \
                 has more than one minimum"
            ),
            (true, Guarantee::IfFeaturesFixed(_)) => write!(
                f,
                "contradicts the proven {level} beyond chance ({p}): these rows are not like the training rows, or the \
                 features have seen those and their targets"
            ),
            (true, Guarantee::IfWeightsTrue(_)) => write!(
                f,
                "contradicts the {level} that is proven for true weights beyond chance ({p}): the weights are not the \
                 likelihood ratios, or the target does not depend on the features as before"
            ),
            (true, _) => {
                write!(
                    f,
                    "contradicts the proven {level} beyond chance ({p}): these rows are not like the training rows"
                )
            }
            (false, guarantee) => {
                write!(f, "is below the {level} asked for beyond chance ({p}); ")?;
                match guarantee.level() {
                    Some(proven) => write!(f, "it does not contradict the {} that is proven", percent(proven)),
                    None => write!(f, "it contradicts no proof, for there is none for {}", self.method),
                }
            }
        }
    }
}

impl fmt::Debug for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Forty calibration rows and five hundred test rows: the coverage of one calibration varies by 0.05.
    #[test]
    fn split_conformal_on_exchangeable_rows_is_contradicted_at_most_as_often_as_stated() {
        use crate::prelude::*;
        let (mut contradicted, mut by_binomial, draws) = (0, 0, 400);
        for seed in 0..draws {
            let (train, test) = linear(580, 1, seed).unwrap().split(500.0 / 580.0, seed).unwrap();
            let held = HeldOut::fit(&train, 0.5, seed, |rows| Ridge::new(1.0).fit(rows)).unwrap();
            let intervals = held.intervals(test.x(), 0.1).unwrap();
            contradicted += usize::from(intervals.contradiction(test.y()).unwrap().is_some());
            by_binomial += usize::from(intervals.coverage(test.y()).unwrap().high < 0.9);
        }
        // 2.5 % of 400 are 10; 20 and more have probability 0.003.
        assert!(contradicted < 20, "{contradicted}");
        // The test that forgets the training rows cries wolf far more often.
        assert!(by_binomial > 60, "{by_binomial}");
    }

    #[test]
    fn a_sentence_tells_the_proof_from_the_wish() {
        let coverage = Coverage::from_counts(80, 100).unwrap();
        let method = "jackknife+".parse().unwrap();
        let told = |guarantee, level| Contradiction { coverage, level, guarantee, p: 1e-3, method }.to_string();
        assert!(told(Guarantee::AtLeast(0.9), 0.9).contains("contradicts the proven 90 % beyond chance (p = 0.001)"));
        let wish = told(Guarantee::AtLeast(0.8), 0.9);
        assert!(wish.contains("below the 90 % asked for") && wish.contains("the 80 % that is proven"), "{wish}");
        assert!(told(Guarantee::None, 0.9).contains("contradicts no proof"));
        assert!(told(Guarantee::IfFeaturesFixed(0.8), 0.8).contains("or the features have seen those"));
        assert!(told(Guarantee::IfWeightsTrue(0.8), 0.8).contains("the weights are not the likelihood ratios"));
    }
}
