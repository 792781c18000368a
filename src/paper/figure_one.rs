//! Figure 1: coverage against discrimination.

use std::fmt;

use ndarray::{Array2, Axis};

use super::ALPHA;
use super::band::{Band, Source};
use crate::baseline::{Baseline, Predictive};
use crate::curvature::Curvature;
use crate::error::Result;
use crate::interval::{Intervals, Recipe, Rule};
use crate::leave_one_out::{Influence, LeaveOneOut, Newton};
use crate::model::network::Training;
use crate::sample::synthetic::Feature;

/// With less, the variability alone would exceed the noise far from the rows.
const DAMPING: f64 = 1e-2;

/// Figure 1 of the paper, with real intervals in place of drawn ones.
#[derive(Clone, PartialEq)]
pub struct FigureOne {
    /// Covers but does not discriminate; discriminates but does not cover; both; and where the DJ stands.
    pub panels: Vec<Band>,
}

/// Figure 1: what an interval must do, shown on y = x³ + ε with few rows far from 0.
///
/// The paper draws three panels by hand. Here they are four rules on the leave-one-out models of one
/// network (300 rows, normal x of deviation 1.5, σ = 3, Gauss–Newton curvature with damping 0.01):
///
/// | panel | rule | covers | discriminates |
/// |---|---|---|---|
/// | left | naive jackknife: the same width everywhere | yes | no |
/// | middle | f(x) ± z·s(x), s² = Σvᵢ², the variability alone | no | yes |
/// | right | studentised jackknife+: both together | yes | yes |
/// | and | the paper's discriminative jackknife, of order 2 | | |
///
/// # Errors
/// None that a seed could cause; those of training and of the engines.
///
/// # Example
/// ```no_run
/// use jackknife::prelude::*;
/// let figure = paper::figure_one(0)?;
/// println!("{figure:?}");
/// let picture = figure.plot().to_svg();
/// # Ok::<(), jackknife::Error>(())
/// ```
pub fn figure_one(seed: u64) -> Result<FigureOne> {
    let source = Source { feature: Feature::Normal { deviation: 1.5 }, variance: 9.0, rows: 300, seed };
    let train = source.train()?;
    let network = Training::default().seed(seed).fit(&train)?;
    let newton = LeaveOneOut::newton(&network, &train, &Newton::default().damping(DAMPING))?;
    let how = Influence::order(2).curvature(Curvature::GaussNewton).damping(DAMPING);
    let second = LeaveOneOut::influence(&network, &train, &how)?;
    let band = |caption: &str, ask: &dyn Fn(&Array2<f64>) -> Result<Intervals>| {
        Band::new(caption.into(), &source, &train, ask)
    };
    let panels = vec![
        band("covers: naive jackknife", &|x| newton.intervals(Rule::Jackknife, x, ALPHA))?,
        band("discriminates: variability alone", &|x| newton.intervals(Rule::of(&VariabilityAlone), x, ALPHA))?,
        band("both: studentised jackknife+", &|x| newton.intervals(Rule::Studentised, x, ALPHA))?,
        band("the paper's DJ, order 2", &|x| second.jackknife_plus(x, ALPHA))?,
    ];
    Ok(FigureOne { panels })
}

/// f(x) ± z·s(x): what the model does not know, without what the data do not say. A rule of this figure's own.
struct VariabilityAlone;

impl Recipe for VariabilityAlone {
    fn name(&self) -> &str {
        "variability alone"
    }

    fn ends(&self, loo: &LeaveOneOut, x: &Array2<f64>, alpha: f64) -> Result<Vec<(f64, f64)>> {
        let deviation = loo.variability(x)?.map_axis(Axis(1), |v| v.dot(&v).sqrt());
        // The same construction from resampling: a Gaussian around the prediction, with this deviation.
        let around = Predictive { mean: loo.predict(x)?, deviation }.intervals(alpha, Baseline::Resampling)?;
        Ok(around.lower.into_iter().zip(around.upper).collect())
    }
}

impl fmt::Debug for FigureOne {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Figure 1 of the paper, with real intervals")?;
        self.panels.iter().try_for_each(|band| write!(f, "\n  {band:?}"))
    }
}
