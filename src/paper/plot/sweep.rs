//! Width and coverage over the noise, width over the rows: the paper's Figure 4.

use crate::figure::Figure;
use crate::figure::chart::{Along, Axis, Dash, Layer, Panel, Point, Scale, Symbol};
use crate::figure::colour::{REFERENCE, of_rule};
use crate::interval::Rule;
use crate::paper::FigureFour;
use crate::paper::figure_four::Point as Found;
use crate::wording::short;

impl FigureFour {
    /// The three panels: width over σ², coverage over σ² with the level asked for, width over n.
    ///
    /// Levels differ in dash and symbol, for the method is one and the same.
    pub fn plot(&self) -> Figure {
        let mut levels: Vec<f64> = self.over_noise.iter().map(|point| point.alpha).collect();
        levels.dedup();
        let (mut widths, mut coverages) = (Vec::new(), Vec::new());
        for (k, &alpha) in levels.iter().enumerate() {
            let points: Vec<&Found> = self.over_noise.iter().filter(|point| point.alpha == alpha).collect();
            let name = format!("{} %", short(100.0 * (1.0 - alpha)));
            coverages.push(Layer::mark("", Along::Horizontal(1.0 - alpha)));
            widths.extend(curve(&name, k, &points, |p| p.variance, |p| p.width.value));
            coverages.extend(curve(&name, k, &points, |p| p.variance, |p| p.coverage.rate));
        }
        let rows: Vec<&Found> = self.over_rows.iter().collect();
        let mut sizes = vec![Layer::mark("", Along::Horizontal(floor(&rows)))];
        sizes.extend(curve("90 %", levels.len().saturating_sub(1), &rows, |p| p.rows as f64, |p| p.width.value));
        let noise = || Axis::new("variance of the noise");
        Figure::grid(
            vec![
                Panel::new(noise(), Axis::new("mean width").shows(0.0, 0.0), widths),
                Panel::new(noise(), Axis::new("coverage of new rows").shows(0.0, 1.0), coverages),
                Panel::new(
                    Axis::new("training rows").scale(Scale::Logarithmic),
                    Axis::new("mean width").shows(0.0, 0.0),
                    sizes,
                ),
            ],
            3,
        )
    }
}

/// The width that no number of rows goes below: 2·1.645·σ holds 90 % of the noise itself.
fn floor(rows: &[&Found]) -> f64 {
    2.0 * 1.644_853_626_951_472_7 * rows.first().map_or(0.0, |point| point.variance.sqrt())
}

fn curve(
    name: &str,
    level: usize,
    points: &[&Found],
    x: impl Fn(&Found) -> f64,
    y: impl Fn(&Found) -> f64,
) -> [Layer; 2] {
    let (dash, symbol) = match level {
        0 => (Dash::Dotted, Symbol::Triangle),
        1 => (Dash::Dashed, Symbol::Square),
        _ => (Dash::Solid, Symbol::Disc),
    };
    let colour = if points.is_empty() { REFERENCE } else { of_rule(Rule::Plus) };
    let says = |point: &&Found| {
        let (width, coverage) = (&point.width, &point.coverage);
        let hover = format!(
            "{name}, σ² {}, n {}\nwidth {} ± {}\ncoverage {coverage:?}",
            short(point.variance),
            point.rows,
            short(width.value),
            short(width.error)
        );
        Point::new(x(point), y(point), hover)
    };
    let (xs, ys) = points.iter().map(|point| (x(point), y(point))).unzip();
    [
        Layer::Line { name: String::new(), colour, dash, x: xs, y: ys },
        Layer::Points { name: name.into(), colour, symbol, points: points.iter().map(says).collect() },
    ]
}
