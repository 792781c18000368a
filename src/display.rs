//! How a result reaches a notebook cell: the only file that knows MIME types.
//!
//! evcxr calls `.evcxr_display()` on the last expression of a cell. Every result of the crate has that method; it shows
//! the result as HTML (tables and plain words, see `html`), a [`Figure`](crate::figure::Figure) also as plotly's JSON,
//! and all of them as text: their `Debug`, which reads as a sentence or a small table.
//!
//! What a result shows is written in one small file each below.

mod audit;
mod baseline;
mod comparison;
mod condition;
mod error;
mod figure;
mod html;
mod interval;
mod leave_one_out;
mod metric;
mod model;
mod sample;

use std::fmt::{self, Write as _};

#[cfg(feature = "plotly")]
pub(crate) use audit::{AUDIT_HEADINGS, audit_line};
pub(crate) use html::Html;

/// How many rows a table in a cell has at most.
const ROWS: usize = 8;

/// A result that a cell can show.
pub(crate) trait Shown: fmt::Debug {
    /// What a browser shows; on one line.
    fn html(&self) -> Html;

    /// What a reader with plotly's extension shows, if it is a figure; on one line.
    fn plotly(&self) -> Option<String> {
        None
    }

    /// Prints every form between the marks that evcxr looks for. One call, so that no other thread comes between.
    fn show(&self) {
        print!("{}", self.contents());
    }

    /// What [`Shown::show`] prints.
    fn contents(&self) -> String {
        forms(self.plotly(), self.html(), format!("{self:?}"))
    }
}

/// Every form between its marks.
fn forms(plotly: Option<String>, html: Html, text: String) -> String {
    let plotly = plotly.map(|json| ("application/vnd.plotly.v1+json", json));
    let forms = [("text/html", html.into_string()), ("text/plain", text)];
    plotly.into_iter().chain(forms).fold(String::new(), |mut text, (mime, body)| {
        writeln!(text, "EVCXR_BEGIN_CONTENT {mime}\n{}\nEVCXR_END_CONTENT", harmless(&body)).ok();
        text
    })
}

/// A text in which no line is one of evcxr's marks, whatever a column is called.
fn harmless(body: &str) -> String {
    body.replace("EVCXR_", "EVCXR\u{2060}_")
}

/// Gives types that are [`Shown`] the method that evcxr calls.
macro_rules! show_in_cells {
    ($($type:ty),+ $(,)?) => {
        $(
            impl $type {
                /// Shows this in a notebook cell, as HTML and as text; evcxr calls it on the last expression.
                pub fn evcxr_display(&self) {
                    $crate::display::Shown::show(self);
                }
            }
        )+
    };
}
pub(crate) use show_in_cells;

#[cfg(test)]
pub(crate) mod tests {
    use super::Shown;
    use crate::prelude::*;

    /// The forms as evcxr would take them apart.
    fn forms(shown: &impl Shown) -> Vec<(String, Vec<String>)> {
        let mut forms: Vec<(String, Vec<String>)> = Vec::new();
        let mut open = false;
        for line in shown.contents().lines() {
            match line.strip_prefix("EVCXR_BEGIN_CONTENT ") {
                Some(mime) if !open => {
                    forms.push((mime.to_string(), Vec::new()));
                    open = true;
                }
                None if line == "EVCXR_END_CONTENT" => open = false,
                _ => {
                    assert!(open, "a line that belongs to no form: {line}");
                    forms.last_mut().unwrap().1.push(line.to_string());
                }
            }
        }
        assert!(!open);
        forms
    }

    /// HTML on one line and the `Debug` beside it, with no name that could become a tag or end a form.
    pub(crate) fn check(shown: &impl Shown) -> String {
        let forms = forms(shown);
        let mimes: Vec<&str> = forms.iter().map(|(mime, _)| mime.as_str()).collect();
        assert_eq!(&mimes[mimes.len() - 2..], ["text/html", "text/plain"]);
        let html = &forms[forms.len() - 2].1;
        assert_eq!(html.len(), 1);
        assert!(!html[0].contains("<script") && !html[0].contains("</script"), "{}", html[0]);
        for (tag, count) in
            ["div", "table", "tr", "td", "th"].map(|tag| (tag, html[0].matches(&format!("</{tag}>")).count()))
        {
            let opened = html[0].matches(&format!("<{tag} ")).count() + html[0].matches(&format!("<{tag}>")).count();
            assert_eq!(opened, count, "<{tag}> in {}", html[0]);
        }
        let text = forms[forms.len() - 1].1.join("\n");
        assert!(!text.contains(" { "), "a derived `Debug` is no sentence: {text}");
        html[0].clone()
    }

    #[derive(Clone)]
    struct Line;

    impl Formula for Line {
        fn predict<S: Scalar>(&self, theta: &[S], x: &[f64]) -> S {
            theta[0] + theta[1] * x[0]
        }
    }

    pub(crate) const WILD: &str = "a\nEVCXR_END_CONTENT\nEVCXR_BEGIN_CONTENT text/html\n</td><script>alert(1)</script>";

    struct Wild;

    impl Recipe for Wild {
        fn name(&self) -> &str {
            WILD
        }

        fn ends(&self, _: &LeaveOneOut, x: &ndarray::Array2<f64>, _: f64) -> Result<Vec<(f64, f64)>> {
            Ok(vec![(0.0, 0.0); x.nrows()])
        }
    }

    #[test]
    fn every_result_shows_itself_and_no_name_can_end_a_form_or_become_a_tag() {
        let cubic = cubic(60, Feature::Uniform { half_width: 2.0 }, 0.5, 0).unwrap();
        let names = vec![WILD.to_string()];
        let sample = Sample::named(cubic.x().clone(), cubic.y().clone(), names, WILD).unwrap();
        let (train, test) = sample.with_notice(format!("`{WILD}` is wild")).split(0.25, 0).unwrap();
        assert!(check(&train).contains("&lt;script&gt;"));
        let training = Training::default().hidden(&[3]).epochs(20);
        let (linear, network) = (Ridge::new(0.1).fit(&train).unwrap(), training.fit(&train).unwrap());
        check(&linear);
        check(&network);
        check(&training);
        let loo = LeaveOneOut::influence(&linear, &train, &Influence::order(2)).unwrap();
        check(&loo);
        check(loo.trust().unwrap());
        check(&loo.fidelity(&linear, &train, 0).unwrap());
        check(&Curve::fit(Line, &train, &[0.0, 0.0], 0.0).unwrap());
        assert!(check(&loo.jackknife_plus(test.x(), 0.001).unwrap()).contains("15 are infinite"));
        let mut intervals = loo.jackknife_plus(test.x(), 0.1).unwrap();
        intervals.method = Method::Pair(Engine::Given, Rule::of(&Wild));
        check(&intervals);
        check(&intervals.guarantee);
        check(&HeldOut::new(linear.clone(), &test).unwrap());
        let metrics = intervals.metrics(&test, 0).unwrap();
        check(&metrics);
        check(&metrics.worst);
        check(&metrics.coverage);
        check(&metrics.discrimination.unwrap());
        check(&intervals.precision_recall(test.y()).unwrap());
        check(&intervals.plot(&test).unwrap());
        check(&Comparison::new(WILD).add(WILD, 0.9, 0.8, 1.0).target(0.9));
        check(&Convergence::new(WILD).add(WILD, &[(1, 0.1)]));
        let fitted = Ensemble::default().training(training.clone()).members(2).fit(&train).unwrap();
        check(&fitted);
        check(&fitted.predictive(test.x()).unwrap());
        let audit = Audit::default().splits(2).training(training).methods(&Method::POST_HOC[..3]);
        check(&audit);
        let table = audit.run(WILD, &train).unwrap();
        check(&table);
        table.checks().iter().for_each(|each| drop(check(each)));
        table.rows().iter().for_each(|row| drop(check(row)));
        check(&Error::empty(WILD, "give one"));
    }
}
