//! Any linfa learner, through linfa's own `Fit` and `Predict`.

use linfa::DatasetBase;
use linfa::traits::{Fit, PredictInplace};
use ndarray::{Array1, Array2, ArrayView2};

use super::Model;
use crate::error::{Error, Result};
use crate::sample::Sample;

impl Sample {
    /// Fits any linfa learner to this sample.
    ///
    /// # Errors
    /// [`Error::Learner`] with the learner's own words.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// use linfa_linear::LinearRegression;
    /// let yacht = Table::Yacht.load();
    /// let model = yacht.fit(&LinearRegression::default())?;
    /// let ours = Ridge::least_squares().fit(&yacht)?;
    /// let difference = model.predict(yacht.x())? - ours.predict(yacht.x())?;
    /// assert!(difference.iter().all(|d| d.abs() < 1e-8));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn fit<L, E>(&self, learner: &L) -> Result<Box<dyn Model>>
    where
        L: Fit<Array2<f64>, Array1<f64>, E>,
        E: std::error::Error + From<linfa::Error>,
        L::Object: PredictInplace<Array2<f64>, Array1<f64>> + Send + Sync + 'static,
    {
        let dataset = DatasetBase::new(self.x().clone(), self.y().clone());
        let model =
            learner.fit(&dataset).map_err(|error| Error::Learner { rows: self.len(), reason: error.to_string() })?;
        Ok(Box::new(Learned { model, columns: self.columns() }))
    }
}

/// A fitted linfa model with the number of columns it was fitted to, which linfa does not ask of it.
struct Learned<M> {
    model: M,
    columns: usize,
}

impl<M: PredictInplace<Array2<f64>, Array1<f64>> + Send + Sync> Model for Learned<M> {
    fn columns(&self) -> usize {
        self.columns
    }

    fn evaluate(&self, x: ArrayView2<f64>) -> Array1<f64> {
        let x = x.to_owned();
        let mut prediction = self.model.default_target(&x);
        self.model.predict_inplace(&x, &mut prediction);
        prediction
    }
}
