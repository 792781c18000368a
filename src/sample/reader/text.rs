//! Which texts of a column have an indicator of their own.

use std::collections::HashMap;

use super::found::Found;
use super::number::is_missing;
use crate::sample::encoding::{MISSING, OTHER};

/// Texts that are kept unless the reader is told from how many rows on.
const MOST: usize = 15;

/// The texts of a column.
pub(super) struct Texts {
    /// Those with an indicator, in alphabetical order but for a missing one, which is last; the first is what the others are
    /// held against.
    pub(super) kept: Vec<String>,
    /// How many different ones are together, and in how many rows.
    pub(super) rare: (usize, usize),
    /// How many are frequent.
    pub(super) frequent: usize,
    /// How many different ones there are.
    pub(super) different: usize,
    /// In how many rows there is none.
    pub(super) missing: usize,
}

impl Texts {
    /// Counts; `least` rows make a text frequent, and `most` are kept at the most.
    pub(super) fn of(found: &Found, rows: &[usize], least: usize, most: Option<usize>) -> Self {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for &row in rows {
            let cell = found.cells.text(row);
            let value = if is_missing(&cell) { MISSING } else { &cell };
            match counts.get_mut(value) {
                Some(count) => *count += 1,
                None => {
                    counts.insert(value.to_string(), 1);
                }
            }
        }
        let (different, missing) = (counts.len(), counts.get(MISSING).copied().unwrap_or(0));
        let mut frequent: Vec<(String, usize)> = counts.into_iter().collect();
        // The order must not depend on the map's.
        frequent.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let enough = frequent.iter().take_while(|(_, count)| *count >= least).count();
        // The only rare one stays what it is, and so do those that come to no more columns than `other` would.
        let kept = match most.unwrap_or(MOST).min(enough) {
            kept if frequent.len() <= kept + 1 => frequent.len(),
            kept => kept.max(1),
        };
        let others = frequent.split_off(kept);
        let rare = (others.len(), others.iter().map(|(_, count)| count).sum());
        let mut kept: Vec<String> = frequent.into_iter().map(|(value, _)| value).collect();
        kept.sort_by(|a, b| (a == MISSING, a).cmp(&(b == MISSING, b)));
        Self { kept, rare, frequent: enough, different, missing }
    }

    /// One line on what became of them.
    pub(super) fn notice(&self, name: &str, of: usize) -> String {
        let (others, in_rows) = self.rare;
        let indicators = self.kept.len() - 1 + usize::from(others > 0);
        let columns =
            if indicators == 1 { "1 indicator column".to_string() } else { format!("{indicators} indicator columns") };
        let mut notice =
            format!("`{name}` is text: {columns} for {} values, against `{}`", self.different, self.kept[0]);
        if others > 0 {
            notice += &format!("; the {others} rarest, {in_rows} of {of} rows, together as `{OTHER}` (--rare)");
        }
        if self.missing > 0 {
            notice += &format!("; missing in {} of {of} rows, a value of its own", self.missing);
        }
        notice
    }
}
