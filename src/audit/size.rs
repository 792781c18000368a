//! What an audit of many rows or parameters needs, found before anything is allocated.

use super::Audit;
use crate::error::Result;
use crate::hat;
use crate::interval::Method;
use crate::learner::Learner;
use crate::leave_one_out::Engine;
use crate::leave_one_out::shifts::kept;
use crate::memory;
use crate::sample::Sample;

/// Operations of asking each model at each row from which on that takes minutes.
const LONG: f64 = 5e11;

impl Audit {
    /// The same with the methods that answer in time, if nobody has chosen any: those that ask each leave-one-out model at each
    /// row are left out of the usual ones where the table is so large that this takes minutes.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (small, large) = (linear(300, 3, 0)?, linear(60_000, 3, 0)?);
    /// assert_eq!(Audit::default().suited_to(&small), Audit::default());
    /// assert_eq!(Audit::default().suited_to(&large), Audit::default().methods(&Method::QUICK));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn suited_to(self, sample: &Sample) -> Self {
        let (rows, parameters) = (sample.len() as f64, self.parameters(sample));
        let long = self.models.iter().any(Learner::is_network) && self.models.len() == 1;
        match self.methods.is_none() && long && 2.0 * rows * rows * parameters > LONG {
            true => self.methods(&Method::QUICK),
            false => self,
        }
    }

    /// Of the model that has most.
    fn parameters(&self, sample: &Sample) -> f64 {
        let of = |model: &Learner| match model {
            Learner::Kernel => sample.len(),
            model => model.parameters(sample.columns()),
        };
        self.models.iter().map(of).max().unwrap_or(0) as f64
    }

    /// Refuses what needs more memory than the machine has free.
    pub(super) fn check_size(&self, sample: &Sample) -> Result<()> {
        let (rows, parameters) = (sample.len() as f64, self.parameters(sample));
        let of = |method: &Method| match method {
            Method::Pair(Engine::Newton | Engine::Influence(1, _), _) => 8e-9 * kept(sample.len(), parameters as usize),
            // The derivatives, the steps and the models.
            Method::Pair(Engine::Influence(..) | Engine::Reminimised, _) => {
                8e-9 * (3.0 * rows * parameters + parameters * parameters)
            }
            Method::Pair(Engine::Tangent | Engine::TangentSplit | Engine::TangentFolds(_), _) => {
                hat::gigabytes(sample.len(), parameters as usize)
            }
            _ => 0.0,
        };
        let (lines, _) = self.lines()?;
        let largest = lines.iter().map(|(_, method)| of(method)).fold(0.0, f64::max);
        let together = rayon::current_num_threads().min(self.trainings()) as f64;
        let what =
            || format!("the derivatives of {parameters} parameters at {rows} rows, {together} splits at a time,");
        let advice = "audit fewer columns or rows, a smaller network, or --methods tangent";
        memory::check(what, largest * together, advice)
    }
}
