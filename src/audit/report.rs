//! The report: one HTML file that opens offline.
//!
//! plotly's script is embedded once; every name that comes from the table is escaped.

use std::fmt::Write as _;
use std::path::Path;

use super::table::{AuditTable, Mean, Row};
use crate::error::Result;
use crate::figure::{Comparison, Figure, escaped};
use crate::file::write_whole;
use crate::interval::Intervals;
use crate::metric::Metrics;
use crate::sample::Sample;

/// Rows of the list of unreliable points.
const UNRELIABLE: usize = 10;

const STYLE: &str = "
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { margin-bottom: 0; } h2 { margin-top: 2.5rem; border-bottom: 1px solid #ddd; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .25rem .5rem; border-bottom: 1px solid #eee; font-size: .9rem; }
td { white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
.verdict { background: #f3f6fa; border-left: 4px solid #0072b2; padding: .8rem 1rem; font-size: 1.1rem; }
.note { color: #666; font-size: .9rem; } .failed { color: #b3420a; }
";

impl AuditTable {
    /// Writes the report: verdicts, numbers with their uncertainty, figures, worst slices, settings and seeds.
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
    /// assert!(std::fs::read_to_string(&path).unwrap().contains("These intervals"));
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
        let mut page = Page::new(&self.name);
        self.summary(&mut page);
        self.comparison(&mut page)?;
        self.first_split(&mut page)?;
        self.slices(&mut page);
        self.settings(&mut page);
        Ok(page.close())
    }

    /// The method whose intervals cover and have the best interval score.
    pub fn best(&self) -> Option<&Row> {
        let covers = |row: &&Row| row.coverage().is_ok_and(|coverage| coverage.high >= 1.0 - self.audit.alpha);
        let score = |row: &Row| row.mean(|run| Some(run.interval_score)).map_or(f64::INFINITY, |mean| mean.value);
        self.rows.iter().filter(covers).min_by(|a, b| score(a).total_cmp(&score(b)))
    }

    fn summary(&self, page: &mut Page) {
        let alpha = self.audit.alpha;
        match self.best() {
            Some(best) => {
                let verdict = best.verdict(alpha).replacen("these", "These", 1);
                page.paragraph("verdict", &format!("Of what was tried, use {}. {verdict}.", best.method));
            }
            None => page.paragraph("verdict", "None of the intervals cover as they promise on this table."),
        }
        page.paragraph("", &format!("Asked for: {} % coverage. Audited: {}", 100.0 * (1.0 - alpha), self.sample));
        page.heading("Every method in a line");
        let headings =
            ["method", "coverage (95 %)", "width", "average precision", "AUROC", "interval score", "RMSE", "seconds"];
        let rows = self.rows.iter().map(|row| self.line(row));
        page.table(&headings, rows);
        if let Some((_, prevalence)) = self.rows.iter().find_map(Row::discrimination) {
            page.paragraph("note", &format!(
                "Average precision: how well the width finds the largest tenth of the method's own errors; a random \
                 ranking has {prevalence:.3}. ± is one standard error over the splits; the coverage is over the test \
                 rows of all splits, with its exact binomial interval. Interval score and width: smaller is better."
            ));
        }
        for row in &self.rows {
            page.paragraph("", &format!("{}: {}.", row.method, row.verdict(alpha)));
            for (split, error) in &row.failures {
                page.paragraph("failed", &format!("{} failed on split {}: {error}", row.method, split + 1));
            }
        }
    }

    fn line(&self, row: &Row) -> Vec<String> {
        let mean = |get: fn(&Metrics) -> Option<f64>| match row.mean(get) {
            Some(Mean { value, error }) => format!("{value:.3} ± {error:.3}"),
            None => "–".into(),
        };
        let coverage =
            row.coverage().map_or("failed".into(), |c| format!("{:.3} ({:.3}–{:.3})", c.rate, c.low, c.high));
        let seconds = row.seconds.iter().sum::<f64>() / row.seconds.len().max(1) as f64;
        vec![
            row.method.to_string(),
            coverage,
            mean(|run| Some(run.width)),
            mean(|run| run.discrimination.as_ref().map(|d| d.average_precision)),
            mean(|run| run.discrimination.as_ref().map(|d| d.auroc)),
            mean(|run| Some(run.interval_score)),
            mean(|run| Some(run.rmse)),
            format!("{seconds:.2}"),
        ]
    }

    fn comparison(&self, page: &mut Page) -> Result<()> {
        page.heading("Do they cover, how wide are they, and do they know when the model is lost?");
        let mut coverage = Comparison::new("coverage").target(1.0 - self.audit.alpha);
        let mut width = Comparison::new(&format!("mean width ({})", self.target));
        let mut precision = Comparison::new("average precision of the width");
        for row in self.rows.iter().filter(|row| !row.runs.is_empty()) {
            let name = row.method.to_string();
            let c = row.coverage()?;
            coverage = coverage.add(&name, c.rate, c.low, c.high);
            if let Some(mean) = row.mean(|run| Some(run.width)).filter(|mean| mean.value.is_finite()) {
                width = width.add(&name, mean.value, mean.value - mean.error, mean.value + mean.error);
            }
            if let Some((mean, chance)) = row.discrimination() {
                precision =
                    precision.add(&name, mean.value, mean.value - mean.error, mean.value + mean.error).chance(chance);
            }
        }
        for (id, comparison) in [("coverage", coverage), ("width", width), ("precision", precision)] {
            if !comparison.entries.is_empty() {
                page.figure(id, &comparison.plot()?);
            }
        }
        Ok(())
    }

    fn first_split(&self, page: &mut Page) -> Result<()> {
        let Some(test) = &self.test else { return Ok(()) };
        let mut shown: Vec<(&Row, &Intervals)> =
            self.rows.iter().filter_map(|row| Some((row, row.shown.as_ref()?))).collect();
        let best = self.best().map(|row| row.method);
        shown.sort_by_key(|(row, _)| Some(row.method) != best);
        for (k, (row, intervals)) in shown.into_iter().enumerate() {
            page.heading(&format!("{}, on the {} test rows of the first split", row.method, test.len()));
            page.figure(&format!("band-{k}"), &intervals.plot(test)?);
            if k > 0 {
                continue;
            }
            page.figure("error", &intervals.plot_width(test)?);
            if let Ok(curve) = intervals.precision_recall(test.y()) {
                page.figure("recall", &curve.plot());
            }
            page.heading("The predictions it trusts least");
            unreliable(page, intervals, test);
        }
        if let Some(fidelity) = &self.fidelity {
            page.heading("Are the leave-one-out models right?");
            page.paragraph("", &format!("{fidelity:?}."));
            page.figure("fidelity", &fidelity.plot());
        }
        Ok(())
    }

    fn slices(&self, page: &mut Page) {
        page.heading("Where each method covers worst");
        let worst = |row: &Row| {
            let slices = row.runs.iter().map(|run| &run.worst);
            let slice = slices.min_by(|a, b| a.coverage.high.total_cmp(&b.coverage.high))?;
            let range = format!("{} from {:.4} to {:.4}", slice.feature, slice.from, slice.to);
            let coverage = format!("{:.3} ({:.3}–{:.3})", slice.coverage.rate, slice.coverage.low, slice.coverage.high);
            Some(vec![row.method.to_string(), range, slice.coverage.of.to_string(), coverage])
        };
        page.table(&["method", "slice", "rows", "coverage (95 %)"], self.rows.iter().filter_map(worst));
        page.paragraph("note", "The worst of many slices looks worse than it is; a slice to look at, not a verdict.");
    }

    fn settings(&self, page: &mut Page) {
        page.heading("How this was made");
        page.paragraph("", &format!("{}.", self.audit));
        if let Some(network) = &self.network {
            page.paragraph("", &format!("First split: {network:?}."));
        }
        page.paragraph("note", &format!("jackknife {}", env!("CARGO_PKG_VERSION")));
    }
}

fn unreliable(page: &mut Page, intervals: &Intervals, test: &Sample) {
    let width = intervals.width();
    let mut order: Vec<usize> = (0..test.len()).collect();
    order.sort_by(|&a, &b| width[b].total_cmp(&width[a]));
    let rows = order.into_iter().take(UNRELIABLE).map(|k| {
        let (lower, upper, y) = (intervals.lower[k], intervals.upper[k], test.y()[k]);
        vec![
            (k + 1).to_string(),
            format!("{:.4}", intervals.prediction[k]),
            format!("{lower:.4} to {upper:.4}"),
            format!("{y:.4}"),
            if lower <= y && y <= upper { "covered" } else { "not covered" }.to_string(),
        ]
    });
    page.table(&["test row", "prediction", "interval", test.target(), ""], rows);
}

/// An HTML page in the making; texts are escaped on their way in.
struct Page {
    html: String,
}

impl Page {
    fn new(title: &str) -> Self {
        // The crate's own copy of plotly.js comes with MathJax behind it, which no figure here needs.
        let scripts = plotly::Plot::offline_js_sources();
        let script = scripts.split_inclusive("</script>").next().unwrap_or_default();
        let title = escaped(title);
        Self {
            html: format!(
                "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Audit of {title}</title>\n\
                 <style>{STYLE}</style>\n{script}\n</head><body>\n<h1>Audit of {title}</h1>\n"
            ),
        }
    }

    fn heading(&mut self, text: &str) {
        writeln!(self.html, "<h2>{}</h2>", escaped(text)).ok();
    }

    fn paragraph(&mut self, class: &str, text: &str) {
        writeln!(self.html, "<p class=\"{class}\">{}</p>", escaped(text)).ok();
    }

    fn table(&mut self, headings: &[&str], rows: impl Iterator<Item = Vec<String>>) {
        let row = |cells: Vec<String>, tag: &str| {
            let cells = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect::<String>();
            format!("<tr>{cells}</tr>\n")
        };
        self.html += "<table>\n";
        self.html += &row(headings.iter().map(|heading| heading.to_string()).collect(), "th");
        rows.for_each(|cells| self.html += &row(cells, "td"));
        self.html += "</table>\n";
    }

    fn figure(&mut self, id: &str, figure: &Figure) {
        self.html += &figure.to_html(id);
    }

    fn close(self) -> String {
        self.html + "</body></html>\n"
    }
}
