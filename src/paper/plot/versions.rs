//! Table 2 as a picture: what was printed, what the same settings give, what is there.

use crate::figure::Figure;
use crate::figure::chart::{Along, Axis, Layer, Panel, Point, Scale, Symbol};
use crate::figure::colour::colour;
use crate::interval::Method;
use crate::paper::side_by_side::Line;
use crate::paper::{Cell, SideBySide, TableTwo, fold};
use crate::wording::short;

impl TableTwo {
    /// The average precision of each method as the version reports it, with twice its standard error and chance.
    pub fn plot(&self) -> Figure {
        let panels = self.tables().into_iter().map(|table| {
            let cells: Vec<&Cell> = self.cells.iter().filter(|cell| cell.table == table).collect();
            let chance = cells.first().map_or(0.0, |cell| cell.chance);
            // Raw and folded numbers do not have their chance at the same place.
            let folded = cells.iter().any(|cell| cell.precision != cell.raw);
            let mut layers = vec![Layer::mark("chance", Along::Vertical(if folded { fold(chance) } else { chance }))];
            for (k, cell) in cells.iter().rev().enumerate() {
                let (value, error) = (cell.precision.value, 2.0 * cell.precision.error);
                let hover = format!("{}\n{} ± {}", cell.method.name(), short(value), short(error));
                let point = Point::new(value, k as f64, hover).bar(value - error, value + error);
                layers.push(points("", cell.method, Symbol::Disc, vec![point]));
            }
            let name = if folded { "folded average precision" } else { "average precision" };
            panel(format!("{name}, {table}"), cells.iter().rev().map(|cell| cell.method.name()), layers)
        });
        Figure::grid(panels.collect(), 2)
    }
}

impl SideBySide {
    /// For each table and method the precision that was printed (square), that the same settings give again (diamond),
    /// both folded, and the raw one as it is (disc); lines at what chance reaches, folded and raw.
    pub fn plot(&self) -> Figure {
        let lines = self.lines();
        let mut tables: Vec<_> = lines.iter().map(|line| line.table).collect();
        tables.dedup();
        let panels = tables.into_iter().map(|table| {
            let rows: Vec<&Line> = lines.iter().filter(|line| line.table == table).collect();
            let cells = |cell: fn(&Line) -> Option<&Cell>| rows.iter().find_map(|line| cell(line)).map(|c| c.chance);
            let (again, is) = (cells(|line| line.as_printed.as_ref()), cells(|line| line.as_it_is.as_ref()));
            let mut layers: Vec<Layer> =
                again.map(fold).into_iter().chain(is).map(|at| Layer::mark("chance", Along::Vertical(at))).collect();
            for (k, line) in rows.iter().rev().enumerate() {
                let method = line.method.name();
                let numbers = [
                    ("printed (folded)", Symbol::Square, line.printed.map(|printed| printed.precision)),
                    ("again (folded)", Symbol::Diamond, line.as_printed.as_ref().map(|cell| cell.precision.value)),
                    ("as it is (raw)", Symbol::Disc, line.as_it_is.as_ref().map(|cell| cell.raw.value)),
                ];
                for (name, symbol, value) in numbers {
                    let point = |value: f64| Point::new(value, k as f64, format!("{method}\n{name} {}", short(value)));
                    layers.extend(value.map(|value| points(name, line.method, symbol, vec![point(value)])));
                }
            }
            panel(format!("average precision, {table}"), rows.iter().rev().map(|line| line.method.name()), layers)
        });
        Figure::grid(panels.collect(), 2)
    }
}

fn points(name: &str, method: Method, symbol: Symbol, points: Vec<Point>) -> Layer {
    Layer::Points { name: name.into(), colour: colour(method), symbol, points }
}

/// Names from the bottom up.
fn panel(name: String, methods: impl Iterator<Item = String>, layers: Vec<Layer>) -> Panel {
    let methods = Axis::new("methods").scale(Scale::Names(methods.collect()));
    Panel::new(Axis::new(name).shows(0.0, 1.0), methods, layers)
}
