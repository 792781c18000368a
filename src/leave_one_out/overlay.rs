//! Some of the models found again by refitting, the others kept.

use std::collections::BTreeSet;
use std::sync::Arc;

use ndarray::{Array1, Array2, ArrayView2, Axis, s};
use rayon::prelude::*;

use super::{LeaveOneOut, Models};
use crate::error::{Error, Result};
use crate::model::erased::{AnyDifferentiable, Fit, boxing, reminimised};
use crate::model::{Differentiable, Model};
use crate::sample::{Sample, check_points};

impl LeaveOneOut {
    /// The same leave-one-out world with the models without `rows` refitted, in parallel.
    ///
    /// `sample` must be the training rows, in their order; a row given twice is refitted once. Refitted rows are no
    /// longer flagged by [`Trust`](super::Trust). What was proven for n models of one learner is not proven for a
    /// mixture, so the intervals carry at most [`Guarantee::InTheLimit`](crate::interval::Guarantee::InTheLimit).
    ///
    /// # Errors
    /// [`Error::NoSuchRow`] for a row beyond the sample, [`Error::OtherRows`] if the sample is not what the models were
    /// made of, [`Error::Columns`] if a refitted model has other columns, and whatever `fit` answers.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let yacht = Table::Yacht.load();
    /// let ridge = Ridge::new(0.01);
    /// let quick = LeaveOneOut::influence(&ridge.fit(&yacht)?, &yacht, &Influence::order(1))?;
    /// let mended = quick.with_refits(&yacht, &[7], |rest| ridge.fit(rest))?;
    /// let exact = LeaveOneOut::closed_form(&ridge, &yacht)?;
    /// assert!((mended.residuals()[7] - exact.residuals()[7]).abs() < 1e-9);
    /// assert_eq!(mended.residuals()[8], quick.residuals()[8]);
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn with_refits<M: Model + 'static>(
        &self,
        sample: &Sample,
        rows: &[usize],
        fit: impl Fn(&Sample) -> Result<M> + Sync,
    ) -> Result<Self> {
        self.overlaid(sample, rows, &boxing(fit))
    }

    fn overlaid(&self, sample: &Sample, rows: &[usize], fit: Fit<'_, 'static>) -> Result<Self> {
        let rows: Vec<usize> = BTreeSet::from_iter(rows.iter().copied()).into_iter().collect();
        let (refits, predictions): (Vec<_>, Vec<f64>) = self.refits(sample, &rows, fit)?.into_iter().unzip();
        let mut left_out = self.left_out.clone();
        let mut trust = self.trust.clone();
        for (&row, prediction) in rows.iter().zip(predictions) {
            left_out[row] = prediction;
            if let Some(trust) = &mut trust {
                (trust.ratios[row], trust.omitted[row]) = (0.0, 0.0);
            }
        }
        let mixed = self.mixed || !rows.is_empty();
        let models = Overlay { below: self.models.clone(), refits: rows.into_iter().zip(refits).collect() };
        Ok(Self { mixed, ..Self::new(models, self.engine, sample, left_out, trust)? })
    }

    /// The rows that [`Trust::flagged`](super::Trust::flagged) names, re-minimised from θ̂; the others kept.
    ///
    /// `model` is the one that the influence was asked of. Without flagged rows nothing changes.
    ///
    /// # Errors
    /// As [`LeaveOneOut::with_refits`]; [`Error::Diverged`] if a loss without its row has no minimum nearby.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let yacht = Table::Yacht.load();
    /// let model = Ridge::new(0.01).fit(&yacht)?;
    /// let loo = LeaveOneOut::influence(&model, &yacht, &Influence::order(2))?;
    /// let mended = loo.refit_flagged(&model, &yacht)?;
    /// assert!(mended.trust().is_some_and(|trust| trust.flagged().is_empty()));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn refit_flagged<M: Differentiable>(&self, model: &M, sample: &Sample) -> Result<Self> {
        self.minima_of_flagged(model, sample)
    }

    fn minima_of_flagged(&self, model: &dyn AnyDifferentiable, sample: &Sample) -> Result<Self> {
        let flagged = self.trust.as_ref().map_or_else(Vec::new, |trust| trust.flagged());
        self.overlaid(sample, &flagged, &|rest| reminimised(model, rest))
    }

    /// For each of some rows a model that has not seen it, and its prediction there.
    pub(super) fn refits<'m>(
        &self,
        sample: &Sample,
        rows: &[usize],
        fit: Fit<'_, 'm>,
    ) -> Result<Vec<(Box<dyn Model + 'm>, f64)>> {
        if *sample.x() != *self.x || sample.y() != self.y {
            return Err(Error::OtherRows);
        }
        let refit = |&row: &usize| {
            let model = fit(&sample.without(row)?)?;
            let x = sample.x().select(Axis(0), &[row]);
            check_points(&x, model.columns())?;
            let prediction = model.evaluate(x.view())[0];
            Ok((model, prediction))
        };
        rows.par_iter().map(refit).collect()
    }
}

/// Refitted models in place of some of those below.
struct Overlay {
    below: Arc<dyn Models>,
    /// Each with the row that it has not seen.
    refits: Vec<(usize, Box<dyn Model>)>,
}

impl Models for Overlay {
    fn full(&self, x: ArrayView2<f64>) -> Result<Array1<f64>> {
        self.below.full(x)
    }

    fn shifts(&self, x: ArrayView2<f64>) -> Result<Array2<f64>> {
        let (mut shifts, fitted) = (self.below.shifts(x)?, self.full(x)?);
        for (row, model) in &self.refits {
            shifts.column_mut(*row).assign(&(&fitted - &model.evaluate(x)));
        }
        Ok(shifts)
    }

    fn contributions(&self, x: ArrayView2<f64>) -> Option<Array2<f64>> {
        self.below.contributions(x)
    }

    fn stated(&self, x: ArrayView2<f64>) -> Option<Array1<f64>> {
        self.below.stated(x)
    }

    fn stated_left_out(&self, x: ArrayView2<f64>) -> Option<Array1<f64>> {
        let mut stated = self.below.stated_left_out(x)?;
        for (row, model) in &self.refits {
            stated[*row] = model.stated_deviation(x.slice(s![*row..=*row, ..]))?[0];
        }
        Some(stated)
    }

    fn without(&self, x: ArrayView2<f64>) -> Result<Array2<f64>> {
        let mut without = self.below.without(x)?;
        for (row, model) in &self.refits {
            without.column_mut(*row).assign(&model.evaluate(x));
        }
        Ok(without)
    }
}
