//! What one interval is made of: the paper's Figure 2.

use ndarray::{Array2, Axis as Dimension};

use crate::error::{Error, Result};
use crate::figure::Figure;
use crate::figure::chart::{Axis, Layer, Panel, Point, Scale, Symbol};
use crate::figure::colour::{ALARM, CALM, of_rule};
use crate::interval::Rule;
use crate::leave_one_out::LeaveOneOut;
use crate::quantile::{lower_rank, upper_rank};
use crate::wording::short;

impl LeaveOneOut {
    /// The residuals R and the variability V(x) at one row of `x`, each in rising order, with a star at the ranks of α.
    ///
    /// ```text
    /// left:   r₍₁₎ ≤ … ≤ r₍ₙ₎,          star at ⌈(1−α)(n+1)⌉
    /// right:  v₍₁₎(x) ≤ … ≤ v₍ₙ₎(x),    stars at ⌊α(n+1)⌋ and ⌈(1−α)(n+1)⌉        the paper's Figure 2
    /// ```
    ///
    /// A rank that α puts outside 1 … n has no star: that quantile is infinite.
    ///
    /// # Errors
    /// [`Error::NoSuchRow`] for a row beyond `x`, [`Error::Level`] unless 0 < `alpha` < 1, and as
    /// [`LeaveOneOut::predict`].
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let (train, test) = Table::Yacht.load().split(0.2, 0)?;
    /// let loo = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?;
    /// assert!(format!("{:?}", loo.plot_residuals(test.x(), 0, 0.1)?).contains("beside it"));
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn plot_residuals(&self, x: &Array2<f64>, row: usize, alpha: f64) -> Result<Figure> {
        if row >= x.nrows() {
            return Err(Error::NoSuchRow { row, rows: x.nrows() });
        }
        let (lower, upper) = (lower_rank(self.len(), alpha)?, upper_rank(self.len(), alpha)?);
        let residuals = self.residuals().to_vec();
        let variability = self.variability(&x.select(Dimension(0), &[row]))?.row(0).to_vec();
        let panel = |name: String, short_name: &str, values: Vec<f64>, ranks: &[usize]| {
            let rank = Axis::new("rank").scale(Scale::Whole);
            Panel::new(rank, Axis::new(name), layers(short_name, values, ranks, alpha))
        };
        Ok(Figure::beside(vec![
            panel("residual rᵢ of the row left out".into(), "R", residuals, &[upper]),
            panel(format!("variability vᵢ(x) at row {row}"), "V(x)", variability, &[lower, upper]),
        ]))
    }
}

fn layers(name: &str, values: Vec<f64>, ranks: &[usize], alpha: f64) -> Vec<Layer> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let n = values.len();
    let point = |rank: usize, note: &str| {
        let row = order[rank - 1];
        let hover = format!("row {row} left out{note}\n{name} {}\nrank {rank} of {n}", short(values[row]));
        Point::new(rank as f64, values[row], hover)
    };
    let inside = ranks.iter().filter(|rank| (1..=n).contains(*rank));
    let stars: Vec<Point> = inside.map(|&rank| point(rank, ", quantile")).collect();
    let quantile = match stars.len() {
        0 => format!("no quantile at α = {}: infinite with {n} rows", short(alpha)),
        _ => format!("quantile ranks at α = {}", short(alpha)),
    };
    let (colour, method) = if name == "R" { (CALM, "R, sorted") } else { (of_rule(Rule::Plus), "V(x), sorted") };
    let sorted = (1..=n).map(|rank| point(rank, ""));
    vec![
        Layer::Points { name: method.into(), colour, symbol: Symbol::Disc, points: sorted.collect() },
        Layer::Points { name: quantile, colour: ALARM, symbol: Symbol::Star, points: stars },
    ]
}
