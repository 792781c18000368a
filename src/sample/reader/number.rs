//! Cells as numbers: decimal points and commas, thousands in groups, percent and currency signs; and cells with nothing in them.

/// What a cell without a value says.
const MISSING: [&str; 10] = ["", "na", "n/a", "nan", "null", "?", "-", ".", "#n/a", "<na>"];
const CURRENCIES: [char; 5] = ['$', '€', '£', '¥', '₹'];

/// Whether a cell has no value.
pub(in crate::sample) fn is_missing(cell: &str) -> bool {
    cell.len() <= 4 && MISSING.iter().any(|word| word.eq_ignore_ascii_case(cell))
}

/// What stands between whole and parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decimal {
    Point,
    Comma,
}

/// A number, and what it was written with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    pub(super) value: f64,
    pub(super) percent: bool,
    pub(super) currency: bool,
    pub(super) grouped: bool,
}

/// The number that a cell holds, if it is one.
pub(super) fn number(cell: &str, decimal: Decimal) -> Option<Number> {
    let first = cell.as_bytes().first()?;
    let is_plain = decimal == Decimal::Point || !cell.contains('.');
    if let (true, Ok(value)) = (is_plain, cell.parse::<f64>()) {
        return Some(Number { value, percent: false, currency: false, grouped: false });
    }
    // Most texts end here.
    if first.is_ascii_alphabetic() { None } else { written(cell, decimal) }
}

/// The same with signs and groups.
fn written(cell: &str, decimal: Decimal) -> Option<Number> {
    let mut rest = cell.trim();
    let (mut negative, mut percent, mut currency) = (false, false, false);
    loop {
        let shorter = match rest.chars().next()? {
            '-' | '−' if !negative => {
                negative = true;
                rest.trim_start_matches(['-', '−'])
            }
            '+' => &rest[1..],
            sign if CURRENCIES.contains(&sign) && !currency => {
                currency = true;
                &rest[sign.len_utf8()..]
            }
            _ => break,
        };
        rest = shorter.trim_start();
    }
    while let Some(sign) = rest.chars().next_back() {
        match sign {
            '%' if !percent => percent = true,
            sign if CURRENCIES.contains(&sign) && !currency => currency = true,
            _ => break,
        }
        rest = rest[..rest.len() - sign.len_utf8()].trim_end();
    }
    let (digits, grouped) = ungrouped(rest, decimal)?;
    let size: f64 = digits.parse().ok()?;
    Some(Number { value: if negative { -size } else { size }, percent, currency, grouped })
}

/// Digits with a point and without groups.
fn ungrouped(text: &str, decimal: Decimal) -> Option<(String, bool)> {
    let (point, group) = match decimal {
        Decimal::Point => ('.', ','),
        Decimal::Comma => (',', '.'),
    };
    if !text.starts_with(|first: char| first.is_ascii_digit() || first == point) {
        return None;
    }
    let (whole, part) = text.split_once(point).map_or((text, None), |(whole, part)| (whole, Some(part)));
    let between =
        |letter: char| letter == group || matches!(letter, '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}');
    let mut groups = whole.split(between);
    let first = groups.next().unwrap_or_default();
    let others: Vec<&str> = groups.collect();
    let grouped = !others.is_empty();
    let are_thousands = (1..=3).contains(&first.len())
        && others.iter().all(|group| group.len() == 3 && group.bytes().all(|byte| byte.is_ascii_digit()));
    if grouped && !are_thousands {
        return None;
    }
    let mut digits = first.to_string() + &others.concat();
    if let Some(part) = part {
        digits.push('.');
        digits += part;
    }
    Some((digits, grouped))
}

/// What a cell says of the decimal sign: a comma, or a point, that cannot stand between thousands.
pub(super) fn evidence(cell: &str) -> Option<Decimal> {
    let body = cell.trim_matches(|letter: char| "+-−% ".contains(letter) || CURRENCIES.contains(&letter));
    let lawful = |letter: char| letter.is_ascii_digit() || ",.' eE+-".contains(letter);
    if !body.starts_with(|first: char| first.is_ascii_digit() || first == ',' || first == '.')
        || !body.chars().all(lawful)
    {
        return None;
    }
    let (comma, point) = (body.rfind(','), body.rfind('.'));
    let (place, decimal) = match (comma, point) {
        (Some(comma), Some(point)) if comma > point => (comma, Decimal::Comma),
        (Some(_), Some(point)) => (point, Decimal::Point),
        (Some(comma), None) => (comma, Decimal::Comma),
        (None, Some(point)) => (point, Decimal::Point),
        (None, None) => return None,
    };
    let sign = &body[place..=place];
    let (whole, part) = (&body[..place], &body[place + 1..]);
    let digits = part.bytes().take_while(u8::is_ascii_digit).count();
    // 1,234 may be either; 0,123 and 12,34 and 1.234,5 may not, and 1,234,567 is in groups.
    let twice = body.matches(sign).count() > 1;
    let could_be_group = digits == 3 && digits == part.len() && (1..=3).contains(&whole.len()) && whole != "0";
    let both = comma.is_some() && point.is_some();
    (!twice && (both || !could_be_group)).then_some(decimal)
}
