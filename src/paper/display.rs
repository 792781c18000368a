//! The paper rebuilt, in a cell.

use crate::display::{Html, Shown, show_in_cells};
use crate::paper::{Band, FigureFour, FigureOne, FigureThree, FigureTwo, Printed, SideBySide, TableTwo, Version, fold};
use crate::wording::{percent, short};

show_in_cells!(Band, FigureFour, FigureOne, FigureThree, FigureTwo, Printed, SideBySide, TableTwo);

const BAND: [&str; 6] = ["panel", "promised", "covered", "mean width", "widest / narrowest", "average precision"];

fn band(band: &Band) -> Vec<String> {
    vec![
        band.caption.clone(),
        percent(1.0 - band.intervals.alpha),
        format!("{:.3}", band.coverage.rate),
        short(band.width),
        format!("{:.2}", band.variation),
        format!("{:.3}", band.precision),
    ]
}

impl Shown for Band {
    fn html(&self) -> Html {
        Html::titled("Intervals over one feature").table(&BAND, [band(self)])
    }
}

impl Shown for FigureOne {
    fn html(&self) -> Html {
        Html::titled("Figure 1 of the paper, with real intervals").table(&BAND, self.panels.iter().map(band))
    }
}

impl Shown for FigureThree {
    fn html(&self) -> Html {
        Html::titled("Figure 3 of the paper: the discriminative jackknife on y = x³ + ε")
            .table(&BAND, self.panels.iter().map(band))
    }
}

impl Shown for FigureTwo {
    fn html(&self) -> Html {
        let (low, high) = self.variability;
        Html::titled("Figure 2 of the paper: what one interval is made of").facts([
            ("quantile of R", short(self.residual)),
            ("quantiles of V(x)", format!("{} and {}", short(low), short(high))),
            ("half width of the interval", short(self.half_width)),
        ])
    }
}

impl Shown for FigureFour {
    fn html(&self) -> Html {
        let rows = self.over_noise.iter().chain(&self.over_rows).map(|point| {
            vec![
                percent(1.0 - point.alpha),
                short(point.variance),
                point.rows.to_string(),
                format!("{:.3} ± {:.3}", point.width.value, point.width.error),
                format!("{:.3}", point.coverage.rate),
                format!("{:.3}", point.coverage_of_curve.rate),
            ]
        });
        Html::titled("Figure 4 of the paper")
            .table(&["1 − α", "σ²", "n", "mean width", "coverage", "coverage of x³ alone"], rows)
    }
}

impl Shown for Printed {
    fn html(&self) -> Html {
        Html::titled("A cell of the paper's Table 2").words(&format!("{self:?}"))
    }
}

impl Shown for TableTwo {
    fn html(&self) -> Html {
        let precision = match self.version {
            Version::AsPrinted => "folded precision",
            Version::AsItIs => "precision",
        };
        let rows = self.cells.iter().map(|cell| {
            vec![
                cell.table.to_string(),
                cell.method.name(),
                format!("{:.3} ± {:.3}", cell.precision.value, cell.precision.error),
                format!("{:.3}", cell.raw.value),
                format!("{:.3}", cell.chance),
                format!("{:.3}", cell.coverage),
                format!("{:.2}", cell.mse),
            ]
        });
        let html = Html::titled(&format!("Table 2 of the paper, {}", self.version))
            .table(&["table", "method", precision, "raw", "chance", "coverage", "MSE"], rows);
        let notes = self.cells.iter().flat_map(|cell| {
            cell.notes.iter().map(move |note| format!("{}, {}: {note}", cell.table, cell.method.name()))
        });
        notes.fold(html, |html, note| html.note(&note))
    }
}

impl Shown for SideBySide {
    fn html(&self) -> Html {
        let headings = [
            "table",
            "method",
            "folded: printed",
            "again",
            "raw: again",
            "is",
            "chance",
            "coverage: printed",
            "again",
            "is",
            "MSE: printed",
            "again",
            "is",
        ];
        let rows = self.lines().into_iter().map(|line| {
            let names = [line.table.to_string(), line.method.name()];
            names.into_iter().chain(line.numbers().into_iter().flatten()).collect()
        });
        let html = Html::titled("Table 2: printed, the same settings again, and as it is").table(&headings, rows);
        let folds = self.as_printed.tables().into_iter().filter_map(|table| {
            let cell = self.as_printed.cells.iter().find(|cell| cell.table == table)?;
            Some(format!("{:.2} on {table}", fold(cell.chance)))
        });
        let folds: Vec<String> = folds.collect();
        html.note(&format!("folded: 1 − AP where AP ≤ ½; a random ranking folds to {}", folds.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use crate::audit::Mean;
    use crate::display::tests::{WILD, check};
    use crate::prelude::*;

    #[test]
    fn every_part_of_the_paper_shows_itself() {
        check(&paper::printed(Table::Yacht, paper::METHODS[0]).unwrap());
        let options = paper::Options { runs: 1, variances: vec![1.0], sizes: vec![12], ..Default::default() };
        check(&paper::figure_four(&options).unwrap());
        let three = paper::figure_three(0).unwrap();
        check(&three);
        check(&three.panels[0]);
        check(&paper::FigureOne { panels: three.panels });
        check(&paper::figure_two(0).unwrap());
        let cell = paper::Cell {
            table: Table::Yacht,
            method: paper::METHODS[0],
            precision: Mean { value: 0.8, error: 0.1 },
            raw: Mean { value: 0.2, error: 0.1 },
            chance: 0.16,
            coverage: 0.9,
            mse: 1.0,
            runs: 1,
            notes: vec![WILD.into()],
        };
        let two = TableTwo { version: paper::Version::AsPrinted, cells: vec![cell] };
        check(&two);
        check(&SideBySide { as_printed: two.clone(), as_it_is: two });
    }
}
