//! The few pieces that every display is made of; texts are escaped on their way in.
//!
//! The styles stand in the tags, since notebooks that are not trusted lose their style sheets; the colours are those
//! of the page, paler or stronger, so that a dark theme is as good as a light one.

use crate::wording::escaped;

const LINE: &str = "1px solid rgba(127,127,127,.3)";
/// Vermilion: seen on white and on black, and by the colour-blind.
const ALARM: &str = "#D55E00";

/// A piece of HTML on one line.
pub(crate) struct Html {
    text: String,
}

impl Html {
    /// Begins with what the result is.
    pub(crate) fn titled(title: &str) -> Self {
        Self { text: String::new() }.line("font-weight:600", title)
    }

    /// Begins with nothing, as in a page that has headings of its own.
    #[cfg(feature = "plotly")]
    pub(crate) fn bare() -> Self {
        Self { text: String::new() }
    }

    /// An image and what it shows in words; `source` is base64 or an address of ours.
    pub(super) fn image(source: &str, words: &str) -> Self {
        Self { text: format!("<img src=\"{source}\" alt=\"{}\"/>", escaped(words)) }
    }

    /// Names and what they are, one below the other.
    pub(crate) fn facts<N: AsRef<str>>(mut self, facts: impl IntoIterator<Item = (N, String)>) -> Self {
        let rows: Vec<String> = facts
            .into_iter()
            .map(|(name, value)| {
                let cells = [cell(Look::Name, "left", name.as_ref()), cell(Look::Cell, "left", &value)];
                format!("<tr>{}</tr>", cells.concat())
            })
            .collect();
        self.text += &format!("{}<tbody>{}</tbody></table>", table_tag(), rows.concat());
        self
    }

    /// A table; columns of numbers are aligned on the right.
    pub(crate) fn table<H: AsRef<str>>(mut self, headings: &[H], rows: impl IntoIterator<Item = Vec<String>>) -> Self {
        let rows: Vec<Vec<String>> = rows.into_iter().collect();
        let aligned = |column: usize| {
            let numbers = rows.iter().filter_map(|row| row.get(column)).all(|cell| is_number(cell));
            if numbers { "right" } else { "left" }
        };
        let head = headings.iter().enumerate().map(|(k, name)| cell(Look::Heading, aligned(k), name.as_ref()));
        let row = |cells: &Vec<String>| {
            let cells = cells
                .iter()
                .enumerate()
                .map(|(k, text)| cell(if k == 0 { Look::First } else { Look::Cell }, aligned(k), text));
            format!("<tr>{}</tr>", cells.collect::<String>())
        };
        self.text += &format!(
            "<div style=\"overflow-x:auto\">{}<thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>",
            table_tag(),
            head.collect::<String>(),
            rows.iter().map(row).collect::<String>()
        );
        self
    }

    /// A sentence below.
    pub(crate) fn words(self, text: &str) -> Self {
        self.line("margin:.2em 0", text)
    }

    /// A sentence in small print.
    pub(crate) fn note(self, text: &str) -> Self {
        self.line("opacity:.75;font-size:.92em", text)
    }

    /// A sentence that must not be missed.
    pub(crate) fn warning(self, text: &str) -> Self {
        self.line(&format!("color:{ALARM};font-weight:600"), text)
    }

    /// All of it.
    pub(crate) fn into_string(self) -> String {
        format!("<div style=\"line-height:1.45;max-width:70em\">{}</div>", self.text)
    }

    fn line(mut self, style: &str, text: &str) -> Self {
        self.text += &format!("<div style=\"{style}\">{}</div>", escaped(text));
        self
    }
}

fn table_tag() -> String {
    "<table style=\"border-collapse:collapse;margin:.5em 0;font-variant-numeric:tabular-nums\">".to_string()
}

/// What a cell is to its table.
#[derive(Clone, Copy, PartialEq)]
enum Look {
    /// Above a column.
    Heading,
    /// Before a fact.
    Name,
    /// In the first column.
    First,
    Cell,
}

fn cell(look: Look, align: &str, text: &str) -> String {
    let (tag, weight) = match look {
        Look::Heading => ("th", "font-weight:600;vertical-align:bottom;"),
        Look::Name => ("th", "font-weight:normal;opacity:.75;"),
        Look::First | Look::Cell => ("td", ""),
    };
    // Names and numbers stay on one line; sentences and headings need not.
    let wraps = look == Look::Heading || look == Look::Cell && align == "left";
    let wrap = if wraps { "" } else { "white-space:nowrap;" };
    let text = escaped(text);
    format!(
        "<{tag} style=\"{weight}{wrap}text-align:{align};padding:.2em .8em .2em 0;border:0;border-bottom:{LINE}\">\
         {text}</{tag}>"
    )
}

/// A row of a table: its number, and what it has.
pub(crate) fn numbered<const N: usize>(row: usize, numbers: [String; N]) -> Vec<String> {
    std::iter::once(row.to_string()).chain(numbers).collect()
}

/// Whether a cell belongs to a column of numbers: it starts as one, or there is none.
fn is_number(cell: &str) -> bool {
    cell.chars().next().is_none_or(|first| first.is_ascii_digit() || matches!(first, '−' | '-' | '–' | '∞' | '±'))
}
