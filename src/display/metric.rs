//! Metrics: each number with its uncertainty, and what it means in words.

use super::{Html, Shown, show_in_cells};
use crate::condition::Conditions;
use crate::metric::{Contradiction, Coverage, Discrimination, Metrics, PrecisionRecall, Promise, Slice};
use crate::wording::{percent, short};

show_in_cells!(Contradiction, Coverage, Discrimination, Metrics, PrecisionRecall, Slice);

/// 90.3 % (80.1 % to 96.4 %).
fn rate(coverage: &Coverage) -> String {
    let [rate, low, high] = [coverage.rate, coverage.low, coverage.high].map(percent);
    format!("{rate} (95 % interval {low} to {high})")
}

impl Shown for Coverage {
    fn html(&self) -> Html {
        Html::titled(&format!("{} of {} rows covered: {}", self.covered, self.of, rate(self)))
    }
}

impl Shown for Contradiction {
    fn html(&self) -> Html {
        let title = Html::titled("what the test rows say against the intervals").warning(&self.to_string());
        title.note(&Conditions::default().reasons())
    }
}

impl Shown for Slice {
    fn html(&self) -> Html {
        Html::titled(&format!("rows whose {} lies from {} to {}", self.feature, short(self.from), short(self.to)))
            .words(&format!("{} of {} covered: {}", self.coverage.covered, self.coverage.of, rate(&self.coverage)))
    }
}

impl Discrimination {
    /// The numbers with their names.
    fn facts(&self) -> [(&'static str, String); 4] {
        let [precision, low, high, chance, p, auroc] =
            [self.average_precision, self.low, self.high, self.chance, self.p, self.auroc].map(short);
        [
            ("average precision", format!("{precision} (95 % interval {low} to {high})")),
            ("of a random order", format!("{chance} on average; a share {p} of them does as well")),
            ("AUROC", format!("{auroc}; chance 0.5")),
            ("skill of the predictions", format!("{} of the variance of the target", self.skill)),
        ]
    }
}

impl Shown for Discrimination {
    fn html(&self) -> Html {
        Html::titled("are the intervals wide where the errors are large?")
            .facts(self.facts())
            .words(&format!("they {}", self.words()))
    }
}

impl Shown for Metrics {
    fn html(&self) -> Html {
        let promised = 1.0 - self.alpha;
        let mut facts = vec![
            ("coverage", rate(&self.coverage)),
            ("mean width", short(self.width)),
            ("median width", short(self.width_median)),
            ("interval score (smaller is better)", short(self.interval_score)),
            ("RMSE of the predictions", short(self.rmse)),
        ];
        match &self.discrimination {
            Some(discrimination) => facts.extend(discrimination.facts()),
            None => facts.push(("average precision", "no error stands out".into())),
        }
        let by_width: Vec<String> = self.by_width.iter().map(|slice| percent(slice.coverage.rate)).collect();
        facts.push(("coverage, narrow to wide", by_width.join(" · ")));
        let Slice { feature, from, to, coverage } = &self.worst;
        let place = format!("{feature} from {} to {}", short(*from), short(*to));
        facts.push(("covered worst", format!("{place}: {} of {}", coverage.covered, coverage.of)));
        let title = format!("{} on {} rows, {} asked for", self.method, self.coverage.of, percent(promised));
        let html = Html::titled(&title).facts(facts);
        let said = self.coverage.promise(promised);
        let html = match said {
            _ if self.contradiction.is_some() => self.contradiction.iter().fold(html, |html, contradiction| {
                html.warning(&contradiction.to_string()).note(&Conditions::default().reasons())
            }),
            Promise::Broken => html.warning(&format!("they {said}")),
            Promise::Kept => html.words(&format!("they {said} rows like these, as far as so many rows can tell")),
            Promise::Exceeded | Promise::Unclear => html.words(&format!("they {said}")),
        };
        let html = match &self.discrimination {
            Some(discrimination) => html.words(&format!("they {}", discrimination.words())),
            None => html,
        };
        html.note("widths, interval score and RMSE are in units of the target")
    }
}

impl Shown for PrecisionRecall {
    fn html(&self) -> Html {
        let at = |share: f64| {
            // Thresholds rise, so the last recall that is large enough has the highest threshold.
            let place =
                (0..self.threshold.len()).rev().find(|&k| self.recall.get(k).is_some_and(|recall| *recall >= share))?;
            Some(vec![percent(share), short(*self.precision.get(place)?), short(self.threshold[place])])
        };
        let rows: Vec<Vec<String>> = [0.25, 0.5, 0.75, 1.0].into_iter().filter_map(at).collect();
        Html::titled(&format!("precision and recall, average precision {}", short(self.average_precision())))
            .table(&["of the positives found", "precision", "with scores from"], rows)
            .note(&format!("{} thresholds; plot() draws the curve", self.threshold.len()))
    }
}
