//! How a table of text is written: what separates its cells, what its decimals, and whether names stand above.

use super::number::{Decimal, evidence, is_missing, number};
use super::split::{Lines, Span};

/// What may separate cells, the likeliest last where several would do: a comma may be in any text, a tab is in hardly any.
const SEPARATORS: [u8; 4] = [b'\t', b';', b',', b'|'];
/// Lines that the separator is judged by.
const LINES: usize = 200;
/// The share of them that must have as many cells as the first.
const ALIKE: f64 = 0.9;

/// What separates the cells of a text.
pub(super) fn separator(text: &str) -> u8 {
    let shares = SEPARATORS.map(|separator| (separator, alike(text, separator)));
    match shares.iter().find(|(_, share)| *share >= ALIKE) {
        Some((separator, _)) => *separator,
        None => {
            let best = shares.iter().max_by(|a, b| a.1.total_cmp(&b.1));
            best.filter(|(_, share)| *share > 0.0).map_or(b',', |(separator, _)| *separator)
        }
    }
}

/// The share of lines with as many cells as the first, or one more, which R writes for its row names; 0 if that is one.
fn alike(text: &str, separator: u8) -> f64 {
    let (mut lines, mut cells, mut counts) = (Lines::new(text, separator), Vec::new(), Vec::new());
    while let (true, Ok(Some(_))) = (counts.len() < LINES, lines.next(&mut cells)) {
        counts.push(cells.len());
    }
    match counts[..] {
        [first, ..] if first > 1 => {
            let like = |more: usize| counts[1..].iter().filter(|&&count| count == first + more).count();
            let rows = counts.len() - 1;
            if rows == 0 { 1.0 } else { like(0).max(like(1)) as f64 / rows as f64 }
        }
        _ => 0.0,
    }
}

/// What stands between whole and parts in most cells that tell; a comma where all could be thousands but commas separate
/// nothing, as in files of a spreadsheet that writes decimal commas.
pub(super) fn decimal(text: &str, columns: &[Vec<Span>], separator: u8) -> Decimal {
    let (mut commas, mut points) = (0_usize, 0_usize);
    for cell in columns.iter().flatten() {
        let cell = cell.of(text);
        if !cell.contains([',', '.']) {
            continue;
        }
        match evidence(&cell) {
            Some(Decimal::Comma) => commas += 1,
            Some(Decimal::Point) => points += 1,
            None => {}
        }
    }
    let open =
        commas == 0 && points == 0 && separator == b';' && columns.iter().flatten().any(|cell| is_open(&cell.of(text)));
    if commas > points || open { Decimal::Comma } else { Decimal::Point }
}

/// Whether a cell is 1,234 and so may be either.
fn is_open(cell: &str) -> bool {
    cell.contains(',') && number(cell, Decimal::Point).is_some_and(|number| number.grouped)
}

/// Whether the first line has names: it has none if all of it is numbers, or if its numbers stand above numbers and its texts
/// come again below.
pub(super) fn has_header(text: &str, columns: &[Vec<Span>], decimal: Decimal) -> bool {
    let is_number = |cell: &str| number(cell, decimal).is_some() && !is_missing(cell);
    let first: Vec<_> = columns.iter().filter_map(|column| column.first().map(|cell| cell.of(text))).collect();
    if first.iter().all(|cell| is_number(cell)) {
        return columns.iter().all(Vec::is_empty);
    }
    let below = |column: &'_ Vec<Span>| column[1..].iter().take(LINES).map(|cell| cell.of(text)).collect::<Vec<_>>();
    let (mut numbers_go_on, mut texts_come_again, mut numeric) = (true, true, 0);
    for (column, first) in columns.iter().zip(&first) {
        let below = below(column);
        let given = below.iter().filter(|cell| !is_missing(cell)).count();
        let are_numbers = 10 * below.iter().filter(|cell| is_number(cell)).count() >= 9 * given && given > 0;
        numeric += usize::from(are_numbers);
        match are_numbers {
            true => numbers_go_on &= is_number(first),
            false => texts_come_again &= below.contains(first),
        }
    }
    !(numeric > 0 && numbers_go_on && texts_come_again)
}
