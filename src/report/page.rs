//! An HTML page in the making; texts are escaped on their way in.

use crate::display::Html;
use crate::figure::Figure;
use crate::wording::escaped;

const STYLE: &str = "
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 70rem; margin: 2rem auto; padding: 0 1.2rem; }
h1 { margin-bottom: .3rem; } h2 { margin-top: 2.8rem; border-bottom: 1px solid #ddd; padding-bottom: .2rem; }
.verdict { background: #f3f6fa; border-left: 4px solid #0072b2; padding: .9rem 1.1rem; font-size: 1.12rem; margin: 1.2rem 0; }
.note { color: #666; font-size: .92rem; }
.lead { margin-top: 0; color: #555; }
.table { overflow-x: auto; font-size: .92rem; } .table > div { max-width: none !important; }
details { margin: .5rem 0; } summary { cursor: pointer; padding: .3rem 0; font-weight: 600; }
@media print { details > summary { display: none; } }
";

/// A figure in a closed `details` has no width to fill: it takes the page's when it is opened.
const RESIZE: &str = "<script>document.querySelectorAll('details').forEach(part => part.addEventListener('toggle', () => \
part.querySelectorAll('.js-plotly-plot').forEach(plot => Plotly.Plots.resize(plot))));</script>";

/// The page.
pub(super) struct Page {
    html: String,
}

impl Page {
    pub(super) fn new(title: &str) -> Self {
        // The crate's own copy of plotly.js comes with MathJax behind it, which no figure here needs.
        let scripts = plotly::Plot::offline_js_sources();
        let script = scripts.split_inclusive("</script>").next().unwrap_or_default();
        let title = escaped(title);
        Self {
            html: format!(
                "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
                 <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>Audit of {title}</title>\n\
                 <style>{STYLE}</style>\n{script}\n</head><body>\n<h1>Audit of {title}</h1>\n"
            ),
        }
    }

    pub(super) fn heading(&mut self, text: &str) {
        self.html += &format!("<h2>{}</h2>\n", escaped(text));
    }

    /// A paragraph of one of the classes of the style.
    pub(super) fn paragraph(&mut self, class: &str, text: &str) {
        self.html += &format!("<p class=\"{class}\">{}</p>\n", escaped(text));
    }

    /// Tables and notes.
    pub(super) fn pieces(&mut self, html: Html) {
        self.html += &format!("<div class=\"table\">{}</div>\n", html.into_string());
    }

    /// A figure; `id` is ours and used once.
    pub(super) fn figure(&mut self, id: &str, figure: &Figure) {
        self.html += &figure.to_html(id);
    }

    /// A part that the reader opens.
    pub(super) fn folded(&mut self, summary: &str, fill: impl FnOnce(&mut Self)) {
        self.html += &format!("<details><summary>{}</summary>\n", escaped(summary));
        fill(self);
        self.html += "</details>\n";
    }

    pub(super) fn close(self) -> String {
        self.html + RESIZE + "\n</body></html>\n"
    }
}
