//! Several methods, before they are drawn.

use super::{Html, Shown, show_in_cells};
use crate::plot::{Comparison, Convergence};
use crate::wording::short;

show_in_cells!(Comparison, Convergence);

impl Shown for Comparison {
    fn html(&self) -> Html {
        let rows = self.entries.iter().map(|(method, value, low, high)| {
            vec![method.clone(), short(*value), format!("{} to {}", short(*low), short(*high))]
        });
        let html =
            Html::titled(&format!("{}, method by method", self.name)).table(&["method", &self.name, "error bar"], rows);
        match &self.mark {
            Some((name, number)) => html.note(&format!("{name} {}", short(*number))),
            None => html,
        }
    }
}

impl Shown for Convergence {
    fn html(&self) -> Html {
        let rows = self.entries.iter().flat_map(|(method, errors)| {
            errors.iter().map(move |(order, error)| vec![method.clone(), order.to_string(), short(*error)])
        });
        Html::titled(&format!("{} over the order", self.name)).table(&["method", "order", &self.name], rows)
    }
}
