//! The curve behind the average precision.

use crate::figure::Figure;
use crate::figure::chart::{Along, Axis, Dash, Layer, Panel, Point, Symbol};
use crate::figure::colour::of_rule;
use crate::interval::Rule;
use crate::metric::PrecisionRecall;
use crate::wording::short;

impl PrecisionRecall {
    /// Precision over recall, in the steps whose area is the average precision, and the prevalence to compare with.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// use ndarray::array;
    /// let curve = PrecisionRecall::from_scores(&[false, false, true, true], &array![0.1, 0.4, 0.35, 0.8])?;
    /// assert!(format!("{:?}", curve.plot()).contains("prevalence 0.5"));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn plot(&self) -> Figure {
        let corners = steps(self, |threshold, recall, precision| {
            format!("score ≥ {}\nrecall {}\nprecision {}", short(threshold), short(recall), short(precision))
        });
        let (x, y) = corners.iter().map(|point| (point.x, point.y)).unzip();
        // The second corner of a step is where its threshold is reached.
        let points = corners.into_iter().skip(1).step_by(2).collect();
        let name = format!("average precision {}", short(self.average_precision()));
        let colour = of_rule(Rule::Plus);
        let mut layers = vec![Layer::Line { name, colour, dash: Dash::Solid, x, y }];
        // At the lowest threshold everything counts as positive.
        if let Some(&prevalence) = self.precision.first() {
            let name = format!("prevalence {}", short(prevalence));
            layers.push(Layer::mark(name, Along::Horizontal(prevalence)));
        }
        layers.push(Layer::Points { name: String::new(), colour, symbol: Symbol::Disc, points });
        let axis = |name: &str| Axis::new(name).shows(0.0, 1.0);
        Figure::single(Panel::new(axis("recall"), axis("precision"), layers))
    }
}

/// Two corners for each threshold, from the highest down, with what `says(threshold, recall, precision)` says.
///
/// Between two recalls the precision is that of the lower threshold: the area below is the average precision.
pub(super) fn steps(curve: &PrecisionRecall, says: impl Fn(f64, f64, f64) -> String) -> Vec<Point> {
    let (recall, precision) = (curve.recall.to_vec(), curve.precision.to_vec());
    let steps = recall.windows(2).zip(&precision).zip(&curve.threshold).rev();
    steps
        .flat_map(|((pair, &precision), &threshold)| {
            [pair[1], pair[0]].map(|at| Point::new(at, precision, says(threshold, pair[0], precision)))
        })
        .collect()
}
