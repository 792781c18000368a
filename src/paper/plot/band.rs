//! Bands over one feature: the paper's Figures 1 and 3.

use crate::figure::Figure;
use crate::figure::chart::{Axis, Dash, Layer, Panel, Point, Symbol};
use crate::figure::colour::{CALM, REFERENCE, colour};
use crate::paper::{Band, FigureOne, FigureThree};
use crate::wording::short;

impl FigureOne {
    /// The panels in two rows; the dashed line is the curve without noise, the points are the training rows.
    pub fn plot(&self) -> Figure {
        Figure::grid(self.panels.iter().map(panel).collect(), 2)
    }
}

impl FigureThree {
    /// The eight panels in two rows of four, as in the paper.
    pub fn plot(&self) -> Figure {
        Figure::grid(self.panels.iter().map(panel).collect(), 4)
    }
}

fn panel(band: &Band) -> Panel {
    let (x, intervals) = (band.x.to_vec(), &band.intervals);
    let colour = colour(intervals.method);
    let seen = band.train.x().column(0).to_vec().into_iter().zip(band.train.y());
    let point = |(row, (x, &y)): (usize, (f64, &f64))| {
        Point::new(x, y, format!("training row {row}\nx {}\ny {}", short(x), short(y)))
    };
    let layers = vec![
        Layer::Band {
            name: intervals.method.to_string(),
            colour,
            x: x.clone(),
            lower: intervals.lower.to_vec(),
            upper: intervals.upper.to_vec(),
        },
        Layer::Line {
            name: "x³".into(),
            colour: REFERENCE,
            dash: Dash::Dashed,
            x: x.clone(),
            y: x.iter().map(|x| x.powi(3)).collect(),
        },
        Layer::Line { name: "prediction".into(), colour, dash: Dash::Solid, x, y: intervals.prediction.to_vec() },
        Layer::Points {
            name: "training rows".into(),
            colour: CALM,
            symbol: Symbol::Disc,
            points: seen.enumerate().map(point).collect(),
        },
    ];
    Panel::new(Axis::new(&band.caption), Axis::new("y"), layers)
}
