//! Coverage where it matters: by width and by feature, since a good average may hide a bad corner.

use std::fmt;

use ndarray::Array1;

use super::coverage::Coverage;
use super::interpolation::interpolated;
use crate::error::{Error, Result};
use crate::interval::Intervals;
use crate::sample::Sample;

/// The rows whose feature, or width, lies in a range, and how well they are covered.
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let (train, test) = Table::BostonHousing.load().split(0.2, 1)?;
/// let intervals = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?.jackknife_plus(test.x(), 0.1)?;
/// let worst = intervals.worst_slice(&test)?;
/// assert!(worst.coverage.rate <= intervals.coverage(test.y())?.rate);
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Slice {
    /// The feature's name, or `width`.
    pub feature: String,
    /// The smallest value in the slice.
    pub from: f64,
    /// The largest value in the slice.
    pub to: f64,
    /// How well its rows are covered; `coverage.of` is their number.
    pub coverage: Coverage,
}

impl fmt::Debug for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` from {:.4} to {:.4}: {:?}", self.feature, self.from, self.to, self.coverage)
    }
}

impl Intervals {
    /// The coverage in each fifth of the intervals, from the narrowest to the widest.
    ///
    /// Equal widths stay together, so there may be fewer groups than five: one only, if the width is constant.
    /// Intervals that adapt as they should are covered equally often in every group.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one target for each interval, [`Error::Rows`] if there are none.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::PowerPlant.load().split(0.2, 0)?;
    /// let loo = LeaveOneOut::closed_form(&Ridge::least_squares(), &train)?;
    /// assert_eq!(loo.jackknife(test.x(), 0.1)?.coverage_by_width(test.y())?.len(), 1);
    /// assert_eq!(loo.studentised(test.x(), 0.1)?.coverage_by_width(test.y())?.len(), 5);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn coverage_by_width(&self, y: &Array1<f64>) -> Result<Vec<Slice>> {
        self.errors(y)?;
        slices("width", &self.tied_width().to_vec(), &self.covers(y)?, &[0.2, 0.4, 0.6, 0.8])
    }

    /// The coverage in each quarter of each feature, in the order of the features and rising within each.
    ///
    /// The quarters are those of the test rows. Equal values stay together: an indicator has two slices.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one row for each interval.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::PowerPlant.load().split(0.2, 0)?;
    /// let loo = LeaveOneOut::closed_form(&Ridge::least_squares(), &train)?;
    /// let slices = loo.jackknife_plus(test.x(), 0.1)?.coverage_by_feature(&test)?;
    /// assert_eq!(slices.len(), 4 * 4);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn coverage_by_feature(&self, test: &Sample) -> Result<Vec<Slice>> {
        self.errors(test.y())?;
        let covers = self.covers(test.y())?;
        let columns = test.features().iter().zip(test.x().columns());
        let each: Result<Vec<_>> =
            columns.map(|(name, column)| slices(name, &column.to_vec(), &covers, &[0.25, 0.5, 0.75])).collect();
        Ok(each?.into_iter().flatten().collect())
    }

    /// The coverage in each group of the rows, if a column says which rows belong together, in the order of the groups.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one row for each interval.
    ///
    /// # Example
    /// ```
    /// # #[cfg(feature = "polars")] {
    /// use jackknife::prelude::*;
    /// use polars::df;
    /// let frame = df!("x" => [1.0, 2.0, 3.0, 4.0], "town" => ["a", "a", "b", "b"], "y" => [1.0, 2.0, 3.0, 9.0]).unwrap();
    /// let sample = Reader::default().group("town").frame(&frame).unwrap();
    /// let model = Ridge::new(1.0).fit(&sample).unwrap();
    /// let groups = Intervals::in_sample(&model, &sample, sample.x(), 0.4).unwrap().coverage_by_group(&sample).unwrap();
    /// assert_eq!((groups[0].0.as_str(), groups[0].1.of), ("a", 2));
    /// # }
    /// ```
    pub fn coverage_by_group(&self, test: &Sample) -> Result<Vec<(String, Coverage)>> {
        self.errors(test.y())?;
        let covers = self.covers(test.y())?;
        let Some(group) = test.group() else { return Ok(Vec::new()) };
        let mut counts = vec![(0, 0); group.names().len()];
        for (&of, covers) in group.of_rows().iter().zip(covers) {
            counts[of].0 += usize::from(covers);
            counts[of].1 += 1;
        }
        let tested = group.names().iter().zip(counts).filter(|(_, (_, of))| *of > 0);
        tested.map(|(name, (covered, of))| Ok((name.clone(), Coverage::from_counts(covered, of)?))).collect()
    }

    /// The slice of [`Intervals::coverage_by_feature`] that is covered worst beyond doubt.
    ///
    /// It is the one whose 95 % interval ends lowest, so that a slice of one unlucky row does not hide a real gap.
    /// The worst of many slices looks worse than it is: its interval does not know that it was picked.
    ///
    /// # Errors
    /// As [`Intervals::coverage_by_feature`].
    pub fn worst_slice(&self, test: &Sample) -> Result<Slice> {
        let slices = self.coverage_by_feature(test)?.into_iter();
        let worst = slices.min_by(|a, b| a.coverage.high.total_cmp(&b.coverage.high));
        worst.ok_or_else(|| Error::Rows { what: "a slice".into(), need: 1, have: 0 })
    }
}

/// The rows cut at the quantiles of some values; a value on a cut belongs below it, and empty slices are left out.
pub(crate) fn slices(feature: &str, values: &[f64], covers: &[bool], levels: &[f64]) -> Result<Vec<Slice>> {
    let cuts: Vec<f64> = levels.iter().map(|&level| interpolated(values, level)).collect();
    let place = |value: f64| cuts.iter().filter(|&&cut| value > cut).count();
    let mut slices = Vec::new();
    for group in 0..=cuts.len() {
        let rows: Vec<usize> = (0..values.len()).filter(|&row| place(values[row]) == group).collect();
        if rows.is_empty() {
            continue;
        }
        let (from, to) = rows
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(from, to), &row| (from.min(values[row]), to.max(values[row])));
        let covered = rows.iter().filter(|&&row| covers[row]).count();
        let coverage = Coverage::from_counts(covered, rows.len())?;
        slices.push(Slice { feature: feature.to_string(), from, to, coverage });
    }
    Ok(slices)
}
