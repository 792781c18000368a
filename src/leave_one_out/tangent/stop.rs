//! When to stop training: where the tangent errs least on rows left out.

use std::fmt;

use ndarray::Array1;

use super::Tangent;
use crate::error::Result;
use crate::leave_one_out::LeaveOneOut;
use crate::model::network::{Network, Training};
use crate::sample::Sample;
use crate::wording::short;

/// A network of the stage of its training at which its tangent errs least on rows left out: early stopping without
/// validation rows.
///
/// ```text
/// PRESS = (1/n) Σ rᵢ²,    rᵢ = yᵢ − f₋ᵢ(xᵢ) of LeaveOneOut::tangent
/// ```
///
/// All stages are of one run, so the network that is kept is bit for bit the one that training for so many epochs gives. What the
/// choice is worth is told in [`guide::rematch`](crate::guide::rematch).
///
/// # Example
/// ```
/// use jackknife::prelude::*;
/// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
/// let training = Training::default().hidden(&[20]);
/// let stopped = Stopped::train(&training, &train, &[30, 100, 300])?;
/// assert_eq!(stopped.network, training.epochs(stopped.epochs()).fit(&train)?);
/// let intervals = LeaveOneOut::tangent(&stopped.network, &train, &Tangent::default())?.nested(test.x(), 0.1)?;
/// assert!(intervals.coverage(test.y())?.rate > 0.8);
/// # Ok::<(), jackknife::Error>(())
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Stopped {
    /// The network of the best stage.
    pub network: Network,
    /// The epochs of each stage, rising, and its PRESS in squared units of the target.
    pub stages: Vec<(usize, f64)>,
}

impl Stopped {
    /// Stages that serve most tables, in epochs.
    pub const STAGES: [usize; 6] = [30, 60, 100, 200, 500, 1000];

    /// Trains until the last of the stages, given in epochs, and keeps the network of the one with the least PRESS, the first of
    /// equals. The training's own number of epochs is not asked.
    ///
    /// # Errors
    /// As [`Training::stages`] and [`LeaveOneOut::tangent`].
    pub fn train(training: &Training, sample: &Sample, stages: &[usize]) -> Result<Self> {
        let networks = training.stages(sample, stages)?;
        let mut stages = Vec::with_capacity(networks.len());
        let mut best: Option<(f64, Network)> = None;
        for network in networks {
            let press = press(&LeaveOneOut::tangent(&network, sample, &Tangent::default())?);
            stages.push((network.history().len(), press));
            if best.as_ref().is_none_or(|(least, _)| press < *least) {
                best = Some((press, network));
            }
        }
        let (_, network) = best.expect("there is a stage");
        Ok(Self { network, stages })
    }

    /// The epochs after which the network was kept.
    pub fn epochs(&self) -> usize {
        self.network.history().len()
    }
}

/// The mean of the squared left-out residuals.
fn press(loo: &LeaveOneOut) -> f64 {
    let squares: Array1<f64> = loo.residuals().mapv(|r| r * r);
    squares.mean().unwrap_or(f64::INFINITY)
}

impl fmt::Debug for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "trained for {} epochs, where the tangent errs least on rows left out", self.epochs())?;
        self.stages.iter().try_for_each(|(epochs, press)| write!(f, "\n  {epochs:<6} {}", short(*press)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::synthetic::{Feature, cubic};

    #[test]
    fn the_stage_of_the_least_left_out_error_is_kept_and_is_a_shorter_run() {
        let sample = cubic(60, Feature::Normal { deviation: 1.0 }, 1.0, 1).unwrap();
        let training = Training::default().hidden(&[12]).batch(20).seed(4);
        let epochs = [3, 10, 40, 160];
        let stopped = Stopped::train(&training, &sample, &epochs).unwrap();
        let errors = epochs.map(|epochs| {
            let network = training.clone().epochs(epochs).fit(&sample).unwrap();
            let loo = LeaveOneOut::tangent(&network, &sample, &Tangent::default()).unwrap();
            let squares = loo.residuals().iter().map(|r| r * r).sum::<f64>() / 60.0;
            (epochs, squares, network)
        });
        let best = errors.iter().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        assert_eq!(stopped.epochs(), best.0);
        assert_eq!(stopped.network, best.2);
        for ((epochs, press), expected) in stopped.stages.iter().zip(&errors) {
            assert_eq!(*epochs, expected.0);
            approx::assert_relative_eq!(*press, expected.1, max_relative = 1e-12); // sums in another order
        }
        assert!(format!("{stopped:?}").starts_with(&format!("trained for {} epochs", best.0)));
    }

    #[test]
    fn no_stage_is_refused() {
        let sample = cubic(20, Feature::Normal { deviation: 1.0 }, 1.0, 1).unwrap();
        let refusal = Stopped::train(&Training::default(), &sample, &[]).unwrap_err();
        assert!(refusal.to_string().starts_with("the number of stages is 0"), "{refusal}");
    }
}
