//! How tables are read: the options that `audit` and `intervals` share.

use std::path::Path;

use clap::Args;

use crate::check::refusal;
use crate::prelude::*;

/// The options of reading a table.
#[derive(Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "Reading the table")]
pub struct Reading {
    /// Columns that are no features
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    drop: Vec<String>,
    /// The features, whatever they look like [default: every column but the target]
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    only: Vec<String>,
    /// Columns that are features although they look like an index, an identifier or the target
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    keep: Vec<String>,
    /// Missing cells: median (of the training rows, and a column that marks them), leave-out (their rows) or refuse
    /// [default: median]
    #[arg(long, value_name = "WHAT")]
    missing: Option<Missing>,
    /// Texts in fewer rows than this go together as `other` [default: a hundredth of the rows, at least 2, and at most 15
    /// texts are kept]
    #[arg(long, value_name = "ROWS")]
    rare: Option<usize>,
    /// What stands between cells: a sign, or comma, semicolon, tab [default: found]
    #[arg(long, value_name = "SIGN", allow_hyphen_values = true, value_parser = separator)]
    sep: Option<char>,
    /// The decimal sign, . or , [default: found]
    #[arg(long, value_name = "SIGN")]
    decimal: Option<char>,
    /// The first line has names [default: found]
    #[arg(long, conflicts_with = "no_header")]
    header: bool,
    /// The first line has no names, but is a row
    #[arg(long)]
    no_header: bool,
    /// In dates such as 3/4/2024 the day is first [default: found]
    #[arg(long, conflicts_with = "month_first")]
    day_first: bool,
    /// In dates such as 3/4/2024 the month is first
    #[arg(long)]
    month_first: bool,
    /// Guess nothing: commas, decimal points and a line of names; missing cells and identifiers are refused
    #[arg(long)]
    strict: bool,
}

/// A sign, by itself or by its name.
pub(super) fn separator(text: &str) -> std::result::Result<char, Error> {
    let mut letters = text.chars();
    match (text, letters.next(), letters.next()) {
        ("comma", ..) => Ok(','),
        ("semicolon", ..) => Ok(';'),
        ("tab" | "\\t", ..) => Ok('\t'),
        (_, Some(sign), None) => Ok(sign),
        _ => Err(refusal("--sep", format!("`{text}`"), "be one sign, or comma, semicolon or tab", "semicolon")),
    }
}

impl Reading {
    /// The reader that these options ask for.
    pub(super) fn reader(&self, target: Option<&str>) -> Reader {
        let mut reader = Reader::default().strict(self.strict);
        reader = reader.drop(&self.drop).only(&self.only).keep(&self.keep).missing(self.missing.unwrap_or_default());
        let yes_or_no = |yes: bool, no: bool| if yes { Some(true) } else { no.then_some(false) };
        reader = target.map_or(reader.clone(), |target| reader.target(target));
        reader = self.rare.map_or(reader.clone(), |rows| reader.rare(rows));
        reader = self.sep.map_or(reader.clone(), |sign| reader.separator(sign));
        reader = self.decimal.map_or(reader.clone(), |sign| reader.decimal(sign));
        reader = yes_or_no(self.header, self.no_header).map_or(reader.clone(), |header| reader.header(header));
        yes_or_no(self.day_first, self.month_first).map_or(reader.clone(), |day| reader.day_first(day))
    }

    /// A bundled table by its name, else a file; rows of one `group` belong together.
    pub(super) fn sample(&self, table: &str, target: Option<&str>, group: Option<&str>) -> Result<Sample> {
        let reader = group.map_or(self.reader(target), |group| self.reader(target).group(group));
        match table.parse::<Table>() {
            _ if Path::new(table).exists() => reader.read(table),
            Ok(bundled) => {
                let sample = target.map_or_else(|| Ok(bundled.load()), |column| bundled.load_for(column))?;
                match *self == Self::default() && group.is_none() {
                    true => Ok(sample),
                    false => reader.target(sample.target()).frame(&sample.to_frame()?),
                }
            }
            Err(unknown) => Err(Error::File {
                action: "read",
                path: table.into(),
                reason: format!("there is no such file, and {unknown}"),
            }),
        }
    }
}
