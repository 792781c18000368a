//! A tangent for each fold.

use std::ops::Range;

use ndarray::{Array1, Array2, ArrayView2, s};
use rayon::prelude::*;

use super::world::World;
use super::{Nested, SharedFeaturesOf, Tangent};
use crate::error::Result;
use crate::hat::{Asked, Hat, relative};
use crate::leave_one_out::{Engine, LeaveOneOut, Models};
use crate::quantile::order_statistic;
use crate::sample::Sample;

/// The tangent of all rows, and that without each fold.
struct Folds {
    full: World,
    without: Vec<(Range<usize>, World)>,
    scores: Array1<f64>,
}

pub(super) fn trained(sample: &Sample, folds: usize, fit: SharedFeaturesOf) -> Result<LeaveOneOut> {
    let world = |rows: &Sample| World::new(fit(rows)?, rows, (0..rows.len()).collect(), &Tangent::default(), false);
    let full = world(sample)?;
    let without: Result<Vec<(Range<usize>, World)>> = sample
        .folds(folds)?
        .into_par_iter()
        .map(|rows| Ok((rows.clone(), world(&sample.without_rows(rows)?)?)))
        .collect();
    let without = without?;
    let (mut left_out, mut scores) = (Array1::zeros(sample.len()), Array1::zeros(sample.len()));
    for (rows, world) in &without {
        let x = sample.x().slice(s![rows.clone(), ..]);
        let (predictions, scales) = (world.full(x)?, world.scales(x));
        for (k, i) in rows.clone().enumerate() {
            left_out[i] = predictions[k];
            let error = sample.y()[i] - predictions[k];
            scores[i] = relative(error, scales[k]);
        }
    }
    LeaveOneOut::new(Folds { full, without, scores }, Engine::TangentFolds(folds), sample, left_out, None)
}

impl Models for Folds {
    fn full(&self, x: ArrayView2<f64>) -> Result<Array1<f64>> {
        self.full.full(x)
    }

    fn without(&self, x: ArrayView2<f64>) -> Result<Array2<f64>> {
        let mut without = Array2::zeros((x.nrows(), self.scores.len()));
        for (rows, world) in &self.without {
            let prediction = world.full(x)?;
            rows.clone().for_each(|i| without.column_mut(i).assign(&prediction));
        }
        Ok(without)
    }

    fn contributions(&self, x: ArrayView2<f64>) -> Option<Array2<f64>> {
        self.full.contributions(x)
    }

    fn nested(&self) -> Option<&dyn Nested> {
        Some(self)
    }
}

impl Nested for Folds {
    fn scores(&self) -> Array1<f64> {
        self.scores.clone()
    }

    fn order_statistics(&self, x: ArrayView2<f64>, asked: &[Asked]) -> Result<Array2<f64>> {
        let parts: Result<Vec<(Array1<f64>, Array1<f64>)>> =
            self.without.par_iter().map(|(_, world)| Ok((world.full(x)?, world.scales(x)))).collect();
        let parts = parts?;
        let mut all = Array2::zeros((x.nrows(), asked.len()));
        for (t, mut out) in all.rows_mut().into_iter().enumerate() {
            for (out, asked) in out.iter_mut().zip(asked) {
                let values = self.without.iter().zip(&parts).flat_map(|((rows, _), (predictions, scales))| {
                    let scale = if asked.scaled { scales[t] } else { 1.0 };
                    let value = move |multiple: f64| match multiple.is_finite() {
                        true => predictions[t] + multiple * scale,
                        false => multiple,
                    };
                    rows.clone().map(move |i| value(asked.multiples[i]))
                });
                *out = order_statistic(values, asked.rank);
            }
        }
        Ok(all)
    }

    fn own(&self, x: ArrayView2<f64>) -> Option<Array1<f64>> {
        self.full.own(x)
    }

    fn scales(&self, x: ArrayView2<f64>) -> Array1<f64> {
        self.full.scales(x)
    }

    fn is_proven(&self) -> bool {
        true
    }

    fn has_given_features(&self) -> bool {
        self.full.has_given_features()
    }

    fn rows(&self) -> &[usize] {
        &[]
    }

    fn has_fixed_penalty(&self) -> bool {
        false
    }

    fn hat(&self) -> Option<(&Hat, f64)> {
        None
    }

    fn notes(&self) -> Vec<String> {
        self.full.notes()
    }
}
