//! Leave-one-out predictions made elsewhere.

use std::collections::HashMap;

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

use super::{Engine, LeaveOneOut, Models};
use crate::error::{Error, Result};
use crate::sample::{Sample, check_points};

impl LeaveOneOut {
    /// Leave-one-out predictions from another program: at the training rows and at the points of interest.
    ///
    /// * `fitted`: f(xᵢ; θ̂) and `left_out`: f(xᵢ; θ₋ᵢ), one for each row of the sample;
    /// * `points` (m rows), `prediction`: f(x; θ̂) and `without`: f(x; θ₋ᵢ), m × n, at each of them.
    ///
    /// The rules then answer at those points, and at no others. The studentised rule also needs f(xᵢ; θ₋ⱼ) at the
    /// training rows, so it answers only if these are among the points.
    ///
    /// # Errors
    /// [`Error::Shape`] for sizes that do not belong together, [`Error::NotFinite`] for predictions that are not
    /// finite.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// use ndarray::array;
    /// let sample = Sample::new(array![[0.0], [1.0], [2.0]], array![0.0, 1.0, 3.0])?;
    /// let (fitted, left_out) = (array![0.1, 1.2, 2.7], array![0.5, 1.5, 2.0]);
    /// let (points, without) = (array![[1.5]], array![[1.9, 2.1, 1.4]]);
    /// let loo = LeaveOneOut::given(&sample, fitted, left_out, points.clone(), array![1.8], without)?;
    /// let interval = loo.jackknife_plus(&points, 0.25)?;
    /// assert_eq!((interval.lower[0], interval.upper[0]), (0.3999999999999999, 2.6));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn given(
        sample: &Sample,
        fitted: Array1<f64>,
        left_out: Array1<f64>,
        points: Array2<f64>,
        prediction: Array1<f64>,
        without: Array2<f64>,
    ) -> Result<Self> {
        super::check_rows(sample)?;
        check_points(&points, sample.columns())?;
        let shape = |what: &str, left, right| match left == right {
            true => Ok(()),
            false => Err(Error::Shape { what: what.into(), left, right }),
        };
        shape("fitted values and rows", fitted.len(), sample.len())?;
        shape("left-out predictions and rows", left_out.len(), sample.len())?;
        shape("predictions and points", prediction.len(), points.nrows())?;
        shape("rows of the leave-one-out predictions and points", without.nrows(), points.nrows())?;
        shape("columns of the leave-one-out predictions and rows of the sample", without.ncols(), sample.len())?;
        if fitted.iter().chain(&prediction).chain(&without).any(|value| !value.is_finite()) {
            return Err(Error::NotFinite { what: "a given prediction".into(), advice: "leave that point out" });
        }
        let places = points.rows().into_iter().enumerate().map(|(k, row)| (key(row), k)).collect();
        // The training rows need their fitted values too; points that are training rows keep what was given.
        let mut fits: HashMap<_, _> =
            sample.x().rows().into_iter().zip(&fitted).map(|(row, &f)| (key(row), f)).collect();
        fits.extend(points.rows().into_iter().zip(&prediction).map(|(row, &f)| (key(row), f)));
        Self::new(Given { places, fits, without }, Engine::Given, sample, left_out, None)
    }
}

type Key = Vec<u64>;

fn key(row: ArrayView1<f64>) -> Key {
    // Adding 0 makes one zero of the two.
    row.iter().map(|value| (value + 0.0).to_bits()).collect()
}

struct Given {
    places: HashMap<Key, usize>,
    fits: HashMap<Key, f64>,
    without: Array2<f64>,
}

fn unknown(row: ArrayView1<f64>) -> Error {
    Error::NoSuchPoint { point: row.to_string() }
}

impl Models for Given {
    fn full(&self, x: ArrayView2<f64>) -> Result<Array1<f64>> {
        x.rows().into_iter().map(|row| self.fits.get(&key(row)).copied().ok_or_else(|| unknown(row))).collect()
    }

    fn without(&self, x: ArrayView2<f64>) -> Result<Array2<f64>> {
        let places: Result<Vec<usize>> =
            x.rows().into_iter().map(|row| self.places.get(&key(row)).copied().ok_or_else(|| unknown(row))).collect();
        Ok(self.without.select(Axis(0), &places?))
    }
}
