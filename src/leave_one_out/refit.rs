//! Any learner: a training without each row, or without each fold.

use std::ops::Range;

use ndarray::{Array1, Array2, ArrayView2, s};
use rayon::prelude::*;

use super::{Engine, LeaveOneOut, Models, check_rows};
use crate::error::Result;
use crate::model::Model;
use crate::model::erased::{Fit, boxing};
use crate::sample::Sample;

impl LeaveOneOut {
    /// Fits the whole sample and then, in parallel, the sample without each of its rows.
    ///
    /// `fit` is any function from a sample to a model: a linfa learner by [`Sample::fit`], the crate's own, or one
    /// from elsewhere.
    ///
    /// # Errors
    /// [`Error::Rows`](crate::Error::Rows) for a single row, and whatever `fit` answers.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let loo = LeaveOneOut::refit(&train, |rows| Ridge::new(0.1).fit(rows))?;
    /// let intervals = loo.jackknife_plus(test.x(), 0.1)?;
    /// assert!(intervals.coverage(test.y())?.rate > 0.8);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn refit<M: Model + 'static>(sample: &Sample, fit: impl Fn(&Sample) -> Result<M> + Sync) -> Result<Self> {
        Self::refit_with(sample, fit, |_| {})
    }

    /// As [`LeaveOneOut::refit`]; `progress(done)` is called after each of the n trainings.
    ///
    /// # Errors
    /// As [`LeaveOneOut::refit`].
    pub fn refit_with<M: Model + 'static>(
        sample: &Sample,
        fit: impl Fn(&Sample) -> Result<M> + Sync,
        progress: impl Fn(usize) + Sync,
    ) -> Result<Self> {
        Self::one_by_one(sample, &boxing(fit), &progress)
    }

    fn one_by_one(sample: &Sample, fit: Fit<'_, 'static>, progress: &(dyn Fn(usize) + Sync)) -> Result<Self> {
        check_rows(sample)?;
        let rows = (0..sample.len()).map(|i| i..i + 1).collect();
        Self::trained(sample, fit, rows, Engine::Refit, progress)
    }

    /// Fits the sample without each of K folds of consecutive rows: K trainings instead of n.
    ///
    /// With the jackknife+ rule this is CV+ (Barber et al. 2021).
    ///
    /// # Errors
    /// [`Error::Choice`](crate::Error::Choice) unless 2 ≤ K ≤ n, and whatever `fit` answers.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let cv = LeaveOneOut::folds(&train, 10, |rows| Ridge::new(0.1).fit(rows))?;
    /// assert!(cv.jackknife_plus(test.x(), 0.1)?.coverage(test.y())?.rate > 0.8);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn folds<M: Model + 'static>(
        sample: &Sample,
        folds: usize,
        fit: impl Fn(&Sample) -> Result<M> + Sync,
    ) -> Result<Self> {
        Self::trained(sample, &boxing(fit), sample.folds(folds)?, Engine::Folds(folds), &|_| {})
    }

    fn trained(
        sample: &Sample,
        fit: Fit<'_, 'static>,
        left_out: Vec<Range<usize>>,
        engine: Engine,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Self> {
        let full = fit(sample)?;
        let done = std::sync::atomic::AtomicUsize::new(0);
        let models: Result<Vec<_>> = left_out
            .par_iter()
            .map(|rows| {
                let model = fit(&sample.without_rows(rows.clone())?)?;
                let predictions = model.predict(&sample.rows(&rows.clone().collect::<Vec<_>>())?.x().clone())?;
                progress(1 + done.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
                Ok((rows.len(), model, predictions))
            })
            .collect();
        let (mut trained, mut predictions) = (Vec::new(), Vec::new());
        for (rows, model, left_out) in models? {
            trained.push((rows, model));
            predictions.extend(left_out);
        }
        let models = Trained { full, without: trained };
        Self::new(models, engine, sample, predictions.into(), None)
    }
}

struct Trained {
    full: Box<dyn Model>,
    /// Each model with the number of consecutive rows it has not seen.
    without: Vec<(usize, Box<dyn Model>)>,
}

impl Models for Trained {
    fn full(&self, x: ArrayView2<f64>) -> Result<Array1<f64>> {
        Ok(self.full.evaluate(x))
    }

    fn contributions(&self, x: ArrayView2<f64>) -> Option<Array2<f64>> {
        self.full.contributions(x)
    }

    fn stated(&self, x: ArrayView2<f64>) -> Option<Array1<f64>> {
        self.full.stated_deviation(x)
    }

    fn stated_left_out(&self, x: ArrayView2<f64>) -> Option<Array1<f64>> {
        let (mut stated, mut start) = (Array1::zeros(x.nrows()), 0);
        for (rows, model) in &self.without {
            let unseen = start..start + rows;
            start = unseen.end;
            let deviations = model.stated_deviation(x.slice(s![unseen.clone(), ..]))?;
            stated.slice_mut(s![unseen]).assign(&deviations);
        }
        Some(stated)
    }

    fn without(&self, x: ArrayView2<f64>) -> Result<Array2<f64>> {
        let n = self.without.iter().map(|(rows, _)| rows).sum();
        let mut without = Array2::zeros((x.nrows(), n));
        let mut columns = without.columns_mut().into_iter();
        for (rows, model) in &self.without {
            let prediction = model.evaluate(x);
            columns.by_ref().take(*rows).for_each(|mut column| column.assign(&prediction));
        }
        Ok(without)
    }
}
