//! What speaks against exchangeable rows: a warning and its advice for each finding.

use super::{Html, Shown, show_in_cells};
use crate::condition::{Conditions, Finding};

show_in_cells!(Conditions, Finding);

impl Shown for Conditions {
    fn html(&self) -> Html {
        let title = Html::titled("are new rows like the training rows?");
        if self.is_empty() {
            return title.words(&self.to_string());
        }
        self.iter().fold(title, |html, finding| html.warning(&finding.sentence()).note(finding.advice()))
    }
}

impl Shown for Finding {
    fn html(&self) -> Html {
        Html::titled("against exchangeable rows").warning(&self.sentence()).note(self.advice())
    }
}
