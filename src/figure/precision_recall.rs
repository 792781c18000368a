//! The curve behind the average precision.

use super::Figure;
use super::chart::{Along, Axis, Dash, Layer, Panel, Point, Symbol};
use super::colour::colour;
use super::number::short;
use crate::interval::Rule;
use crate::metric::PrecisionRecall;

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
        // Between two recalls the precision is that of the lower threshold: the steps of the area.
        let (recall, precision) = (self.recall.to_vec(), self.precision.to_vec());
        let steps = recall.windows(2).zip(&precision).rev();
        let (x, y) = steps.flat_map(|(pair, &precision)| [(pair[1], precision), (pair[0], precision)]).unzip();
        let points = (self.threshold.iter().zip(recall.iter().zip(&precision)))
            .map(|(&threshold, (&recall, &precision))| {
                let hover =
                    format!("score ≥ {}\nrecall {}\nprecision {}", short(threshold), short(recall), short(precision));
                Point::new(recall, precision, hover)
            })
            .collect();
        let name = format!("average precision {}", short(self.average_precision()));
        let colour = colour(&Rule::Plus.to_string());
        let mut layers = vec![Layer::Line { name, colour, dash: Dash::Solid, x, y }];
        // At the lowest threshold everything counts as positive.
        if let Some(&prevalence) = precision.first() {
            let name = format!("prevalence {}", short(prevalence));
            layers.push(Layer::mark(name, Along::Horizontal(prevalence)));
        }
        layers.push(Layer::Points { name: String::new(), colour, symbol: Symbol::Disc, points });
        let axis = |name: &str| Axis::new(name).shows(0.0, 1.0);
        Figure::single(Panel::new(axis("recall"), axis("precision"), layers))
    }
}
