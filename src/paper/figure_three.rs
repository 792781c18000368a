//! Figure 3: the intervals of the discriminative jackknife in one dimension.

use std::fmt;

use rayon::prelude::*;

use super::band::{Band, Source};
use crate::curvature::Curvature;
use crate::error::Result;
use crate::leave_one_out::{Influence, LeaveOneOut};
use crate::model::network::Training;
use crate::sample::synthetic::Feature;

/// Rows of each panel; the paper does not say how many.
const ROWS: usize = 100;

/// Figure 3 of the paper: eight panels, (a) to (h).
#[derive(Clone, PartialEq)]
pub struct FigureThree {
    /// The panels in their order.
    pub panels: Vec<Band>,
}

/// Half width or deviation, σ², α and the order of each panel, as the caption has them.
const PANELS: [(char, Feature, f64, f64, usize); 8] = [
    ('a', Feature::Uniform { half_width: 1.0 }, 0.0, 0.1, 2),
    ('b', Feature::Uniform { half_width: 2.0 }, 0.5, 0.1, 2),
    ('c', Feature::Uniform { half_width: 2.0 }, 1.0, 0.1, 2),
    ('d', Feature::Uniform { half_width: 2.0 }, 2.0, 0.1, 2),
    ('e', Feature::Normal { deviation: 1.0 }, 1.0, 0.5, 2),
    ('f', Feature::Normal { deviation: 1.0 }, 1.0, 0.25, 2),
    ('g', Feature::Normal { deviation: 1.0 }, 1.0, 0.05, 2),
    ('h', Feature::Normal { deviation: 1.0 }, 1.0, 0.05, 1),
];

/// Figure 3 (a)–(h): DJ intervals on y = x³ + ε.
///
/// | panel | x | σ² | 1 − α | order |
/// |---|---|---|---|---|
/// | a | uniform on ±1 | 0 | 0.9 | 2 |
/// | b, c, d | uniform on ±2 | 0.5, 1, 2 | 0.9 | 2 |
/// | e, f, g | normal | 1 | 0.5, 0.75, 0.95 | 2 |
/// | h | normal | 1 | 0.95 | 1 |
///
/// The caption gives these; 100 rows, the level of (a)–(d) and a deviation of 1 for the normal x are ours. The network
/// is the paper's, on standardised data; influence has exact terms on Gauss–Newton curvature with damping 0.001. (e)
/// to (h) have the same rows and the same network.
///
/// # Errors
/// None that a seed could cause; those of training and of the engine.
///
/// # Example
/// ```no_run
/// use jackknife::prelude::*;
/// let figure = paper::figure_three(0)?;
/// assert!(figure.panels[3].width > figure.panels[1].width); // more noise, wider
/// let picture = figure.plot().to_svg();
/// # Ok::<(), jackknife::Error>(())
/// ```
pub fn figure_three(seed: u64) -> Result<FigureThree> {
    let panels: Result<Vec<Band>> = PANELS
        .into_par_iter()
        .map(|(letter, feature, variance, alpha, order)| {
            let source = Source { feature, variance, rows: ROWS, seed };
            let train = source.train()?;
            let network = Training::default().seed(seed).fit(&train)?;
            let how = Influence::order(order).curvature(Curvature::GaussNewton).damping(1e-3);
            let loo = LeaveOneOut::influence(&network, &train, &how)?;
            let caption = match feature {
                Feature::Uniform { .. } => format!("({letter}) uniform, σ² = {variance}"),
                Feature::Normal { .. } => format!("({letter}) normal, {} %, m = {order}", 100.0 * (1.0 - alpha)),
            };
            Band::new(caption, &source, &train, |x| loo.jackknife_plus(x, alpha))
        })
        .collect();
    Ok(FigureThree { panels: panels? })
}

impl fmt::Debug for FigureThree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Figure 3 of the paper: the discriminative jackknife on y = x³ + ε")?;
        self.panels.iter().try_for_each(|band| write!(f, "\n  {band:?}"))
    }
}
