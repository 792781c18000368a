//! The rows' features, made when they are asked for.

use std::ops::Range;

use ndarray::{Array1, Array2, ArrayView2, Axis, s};
use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::model::Features;

/// Rows whose features one thread makes at a time.
const PART: usize = 256;
/// Numbers that a block of rows has about.
const CELLS: usize = 1 << 20;

/// Features, and the rows that the ridge is made of.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) features: &'a dyn Features,
    pub(super) x: &'a Array2<f64>,
}

/// What features are centred by and divided by.
pub(super) struct Frame {
    /// The mean of the rows' features, where an intercept is free.
    mean: Option<Array1<f64>>,
    /// The norms of the columns, where no penalty ties their units.
    pub(super) scale: Option<Array1<f64>>,
}

impl Frame {
    /// Centred with a free intercept, and not yet divided.
    pub(super) fn new(source: Source, is_free: bool) -> Self {
        Self { mean: is_free.then(|| source.mean()), scale: None }
    }

    /// (J(x) − mean)/scale.
    pub(super) fn of(&self, features: &dyn Features, x: ArrayView2<f64>) -> Array2<f64> {
        let mut rows = features.features(x);
        if let Some(mean) = &self.mean {
            rows -= mean;
        }
        if let Some(scale) = &self.scale {
            rows /= scale;
        }
        if rows.is_standard_layout() { rows } else { rows.as_standard_layout().into_owned() }
    }
}

impl Source<'_> {
    /// The blocks of rows that work is cut into: they depend on the sizes only.
    pub(super) fn blocks(&self, width: usize) -> Vec<Range<usize>> {
        let (n, size) = (self.x.nrows(), (CELLS / width.max(1)).clamp(PART, 4096));
        (0..n).step_by(size).map(|start| start..(start + size).min(n)).collect()
    }

    /// The features of consecutive rows, made by all threads.
    pub(super) fn framed(&self, frame: &Frame, rows: Range<usize>) -> Array2<f64> {
        let mut all = Array2::zeros((rows.len(), self.features.width()));
        let x = self.x.slice(s![rows, ..]);
        let parts: Vec<_> = all.axis_chunks_iter_mut(Axis(0), PART).zip(x.axis_chunks_iter(Axis(0), PART)).collect();
        parts.into_par_iter().for_each(|(mut part, x)| part.assign(&frame.of(self.features, x)));
        all
    }

    /// Those of some rows, by the thread that asks.
    pub(super) fn selected(&self, frame: &Frame, rows: &[usize]) -> Array2<f64> {
        frame.of(self.features, self.x.select(Axis(0), rows).view())
    }

    fn mean(&self) -> Array1<f64> {
        let width = self.features.width();
        let sum = |rows: Range<usize>| self.features.features(self.x.slice(s![rows, ..])).sum_axis(Axis(0));
        let sums: Vec<Array1<f64>> = self.blocks(width).into_par_iter().map(sum).collect();
        sums.iter().fold(Array1::zeros(width), |all, part| all + part) / self.x.nrows() as f64
    }
}

/// Refuses what no decomposition can take.
pub(super) fn check_finite(features: &Array2<f64>) -> Result<()> {
    match features.iter().all(|cell| cell.is_finite()) {
        true => Ok(()),
        false => Err(Error::NotFinite {
            what: "a feature of the tangent".into(),
            advice: "look for weights or columns of very large magnitude",
        }),
    }
}
