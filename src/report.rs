//! The report: one HTML file that opens offline.
//!
//! plotly's script is embedded once; every name that comes from the table is escaped.

mod page;

use std::path::Path;

use crate::audit::{AuditTable, Row};
use crate::display::{AUDIT_HEADINGS, Html, Shown, audit_line};
use crate::error::Result;
use crate::file::write_whole;
use crate::interval::{Guarantee, Intervals};
use crate::metric::Slice;
use crate::sample::Sample;
use crate::wording::{alike, percent, short};
use page::Page;

/// Rows of the list of unreliable points.
const UNRELIABLE: usize = 10;

impl AuditTable {
    /// Writes the report: verdicts, numbers with their uncertainty, figures, fidelity, unreliable points, worst
    /// slices, settings and seeds.
    ///
    /// The file is self-contained (plotly's script makes it about 5 MB), opens offline, and appears whole or not at
    /// all.
    ///
    /// # Errors
    /// [`Error::File`](crate::Error::File) if it cannot be written.
    ///
    /// # Example
    /// ```
    /// use jackknife::prelude::*;
    /// let sample = cubic(60, Feature::Uniform { half_width: 2.0 }, 0.5, 0)?;
    /// let audit = Audit::default().splits(2).training(Training::default().hidden(&[5]).epochs(50));
    /// let path = std::env::temp_dir().join("jackknife-doc-report.html");
    /// audit.run("cubic", &sample)?.report(&path)?;
    /// assert!(std::fs::read_to_string(&path).unwrap().contains("the intervals"));
    /// # std::fs::remove_file(path).ok();
    /// # Ok::<(), jackknife::Error>(())
    /// ```
    pub fn report(&self, path: impl AsRef<Path>) -> Result<()> {
        write_whole(path.as_ref(), self.to_html()?.as_bytes())
    }

    /// The report as a page.
    ///
    /// # Errors
    /// Those of the figures, for results that cannot be drawn.
    pub fn to_html(&self) -> Result<String> {
        let mut page = Page::new(self.name());
        self.summary(&mut page);
        self.comparison(&mut page);
        self.intervals(&mut page)?;
        self.trust(&mut page);
        self.slices(&mut page);
        self.settings(&mut page);
        Ok(page.close())
    }

    fn summary(&self, page: &mut Page) {
        let (alpha, sample) = (self.audit().alpha, self.sample());
        let (rows, columns, asked) = (sample.len(), sample.columns(), percent(1.0 - alpha));
        let counts = format!("{rows} rows, {columns} features, target {}; {asked} coverage asked for", self.target());
        page.paragraph("lead", &counts);
        page.pieces(self.warnings().iter().fold(Html::bare(), |html, warning| html.warning(warning)));
        page.paragraph("verdict", &self.advice());
        page.heading("Every method in a line");
        page.pieces(Html::bare().table(&AUDIT_HEADINGS, self.rows().iter().map(audit_line)).note(&self.note()));
        page.heading("In words");
        let words = self.rows().iter().map(|row| {
            let proven = row.intervals().map_or("–".into(), |intervals| intervals.guarantee.brief());
            vec![row.name(), self.verdict(row), proven]
        });
        let condition = format!("What is proven holds {}.", Guarantee::CONDITION);
        let mut table =
            Html::bare().table(&["method", "what the test rows say", "what is proven"], words).note(&condition);
        for row in self.rows() {
            for (split, error) in row.failures() {
                table = table.warning(&format!("{} failed on split {}: {error}", row.name(), split + 1));
            }
        }
        if self.conditions().is_empty() {
            table = table.note(&self.conditions().to_string());
        }
        page.pieces(table);
    }

    /// What to do, in two or three sentences.
    fn advice(&self) -> String {
        let Some(best) = self.best() else {
            return self.sentence();
        };
        let words = self.verdict(best).replacen("on", "On", 1);
        let proven = match best.intervals().map(|shown| &shown.guarantee) {
            None => String::new(),
            Some(Guarantee::None) => " Nothing is proven of them.".into(),
            Some(guarantee) => format!(" Proven: {guarantee}."),
        };
        let check = self.checks().iter().find(|check| {
            check.methods.contains(&best.method()) && check.model.as_deref().is_none_or(|model| model == best.model())
        });
        let behind = match check.and_then(|check| check.fidelity.as_ref().ok()) {
            Some(fidelity) => format!(" Its leave-one-out models against real refits: {fidelity:?}."),
            None => String::new(),
        };
        format!("{} {words}.{proven}{behind}", self.sentence())
    }

    /// The choice as a sentence.
    fn sentence(&self) -> String {
        let choice = self.choice();
        let mut letters = choice.chars();
        letters.next().map_or(String::new(), |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
    }

    fn comparison(&self, page: &mut Page) {
        page.heading("Do they cover, and do they know when the model is lost?");
        match self.plot() {
            Ok(figure) => page.figure("comparison", &figure),
            Err(reason) => page.paragraph("", &reason.to_string()),
        }
        page.paragraph(
            "note",
            "Coverage and average precision with 95 % intervals over the rows tested; width with one standard error.",
        );
    }

    fn intervals(&self, page: &mut Page) -> Result<()> {
        let test = self.test();
        let mut shown: Vec<(&Row, &Intervals)> =
            self.rows().iter().filter_map(|row| Some((row, row.intervals()?))).collect();
        let best = self.best().map(Row::name);
        shown.sort_by_key(|(row, _)| Some(row.name()) != best);
        let Some((first, others)) = shown.split_first() else { return Ok(()) };
        page.heading(&format!("{}, on the {} rows tested", first.0.name(), test.len()));
        page.figure("band-0", &first.1.plot(test)?);
        page.figure("error-0", &first.1.plot_width(test)?);
        for (k, (row, intervals)) in others.iter().enumerate() {
            let (band, error) = (intervals.plot(test)?, intervals.plot_width(test)?);
            page.folded(&format!("{}: the same figures", row.name()), |page| {
                page.figure(&format!("band-{}", k + 1), &band);
                page.figure(&format!("error-{}", k + 1), &error);
            });
        }
        page.heading("How well does each width find the largest errors?");
        let all: Vec<(String, &Intervals)> = shown.iter().map(|(row, intervals)| (row.name(), *intervals)).collect();
        match Intervals::precision_recall_of(&all, test) {
            Ok(figure) => page.figure("recall", &figure),
            Err(reason) => page.paragraph("", &reason.to_string()),
        }
        page.heading(&format!("The predictions that {} trusts least", first.0.name()));
        page.pieces(unreliable(first.1, test, self.tested()));
        Ok(())
    }

    fn trust(&self, page: &mut Page) {
        if self.checks().is_empty() {
            return;
        }
        page.heading("Are the leave-one-out models right?");
        page.paragraph(
            "",
            "No method here refits without each row; this is what the first split says of their models.",
        );
        for (k, check) in self.checks().iter().enumerate() {
            page.pieces(check.html());
            let Ok(fidelity) = &check.fidelity else { continue };
            let scatter = |page: &mut Page| page.figure(&format!("fidelity-{k}"), &fidelity.plot());
            match k {
                0 => scatter(page),
                _ => page.folded("against the refits", scatter),
            }
        }
    }

    fn slices(&self, page: &mut Page) {
        page.heading("Where each method covers worst");
        let worst = |row: &Row| {
            let Slice { feature, from, to, coverage } = row.intervals()?.worst_slice(self.test()).ok()?;
            let place = format!("{feature} from {} to {}", short(from), short(to));
            Some(vec![row.name(), place, coverage.of.to_string(), coverage.to_string(), by_width(row)])
        };
        let headings =
            ["method", "worst slice of a feature", "rows", "coverage (95 % interval)", "coverage, narrow to wide"];
        page.pieces(Html::bare().table(&headings, self.rows().iter().filter_map(worst)).note(
            "The slice is the worst of many, so it looks worse than it is: one to look at, not a verdict. Narrow to \
             wide: the coverage in each fifth of the intervals by width; they should be equal.",
        ));
    }

    fn settings(&self, page: &mut Page) {
        page.heading("What was audited, and how");
        page.pieces(self.sample().html());
        page.pieces(Html::bare().facts(self.audit().facts()));
        if let Some(network) = self.network() {
            page.pieces(Html::bare().note(&format!("First split: {network:?}.")));
        }
        page.pieces(Html::bare().note(&format!("Made by jackknife {}.", env!("CARGO_PKG_VERSION"))));
    }
}

/// The coverage from the narrowest to the widest fifth.
fn by_width(row: &Row) -> String {
    match row.summary().map_or(&[][..], |summary| &summary.by_width) {
        [] | [_] => "one width everywhere".into(),
        groups => groups.iter().map(|group| format!("{:.2}", group.coverage.rate)).collect::<Vec<_>>().join(" · "),
    }
}

/// The rows with the widest intervals.
fn unreliable(intervals: &Intervals, test: &Sample, tested: &[usize]) -> Html {
    let width = intervals.width();
    let mut order: Vec<usize> = (0..test.len()).collect();
    order.sort_by(|&a, &b| width[b].total_cmp(&width[a]));
    let order = &order[..test.len().min(UNRELIABLE)];
    let numbers = |&k: &usize| {
        let (prediction, y) = (intervals.prediction[k], test.y()[k]);
        let own = intervals.own.as_ref().map_or(prediction, |own| own[k]);
        [prediction, intervals.lower[k], intervals.upper[k], width[k], y, (y - prediction).abs(), own]
    };
    let written = alike(&order.iter().map(numbers).collect::<Vec<_>>());
    let rows = order.iter().zip(written).map(|(&k, written)| {
        let (lower, upper, y) = (intervals.lower[k], intervals.upper[k], test.y()[k]);
        let covered = if lower <= y && y <= upper { "covered" } else { "not covered" };
        let shown = if intervals.own.is_some() { 7 } else { 6 };
        let numbers = written.into_iter().take(shown);
        std::iter::once(tested[k].to_string()).chain(numbers).chain([covered.to_string()]).collect()
    });
    let own = intervals.own.is_some().then_some("the network's own");
    let headings = ["row", "prediction", "lower", "upper", "width", test.target(), "|error|"];
    let headings: Vec<&str> = headings.into_iter().chain(own).chain([""]).collect();
    Html::bare()
        .table(&headings, rows)
        .note("The widest intervals, whatever the target turned out to be; rows of the table, counted from 0.")
}
