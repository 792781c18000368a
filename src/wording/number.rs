//! Numbers as a reader wants them.

/// A share in percent, to two decimals: 90 %.
pub(crate) fn percent(share: f64) -> String {
    format!("{} %", short((1e4 * share).round() / 100.0))
}

/// A p-value: p = 0.003, p = 2×10⁻⁷.
pub(crate) fn chance(p: f64) -> String {
    match p {
        p if p < 1e-30 => format!("p < {}", power(-30)),
        p if p < 1e-3 => format!("p = {}", scientific(p, 0)),
        p => format!("p = {}", trimmed(p, 3)),
    }
}

/// A number with every digit that matters and no more letters than it takes: 0.1, 1e150.
pub(crate) fn exact(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (1e-5..1e16).contains(&size) { value.to_string() } else { format!("{value:e}") }
}

/// A number with four significant digits: what a point says.
pub(crate) fn short(value: f64) -> String {
    if value.is_nan() {
        return "not a number".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞".into() } else { "−∞".into() };
    }
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e7).contains(&size) {
        return scientific(value, 3);
    }
    let before = if size < 1.0 { 0 } else { size.log10().floor() as usize };
    trimmed(value, 3_usize.saturating_sub(before) + leading_zeros(size))
}

/// Numbers of one unit, row by row, with the same decimals: four digits for the largest.
pub(crate) fn alike<const N: usize>(rows: &[[f64; N]]) -> Vec<[String; N]> {
    let sizes = rows.iter().flatten().map(|value| value.abs()).filter(|size| size.is_finite());
    let largest = sizes.fold(0.0, f64::max);
    if !(1e-3..1e7).contains(&largest) {
        return rows.iter().map(|row| row.map(short)).collect();
    }
    let decimals = (3 - largest.log10().floor() as i32).max(0) as usize;
    let written = |value: f64| if value.is_finite() { fixed(value, decimals) } else { short(value) };
    rows.iter().map(|row| row.map(written)).collect()
}

/// A number with so many decimals, and a minus that is one.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    let digits = format!("{:.decimals$}", value.abs());
    let zero = digits.chars().all(|letter| matches!(letter, '0' | '.'));
    if value < 0.0 && !zero { format!("−{digits}") } else { digits }
}

/// The same without zeros at the end.
pub(crate) fn trimmed(value: f64, decimals: usize) -> String {
    let digits = fixed(value, decimals);
    match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => digits,
    }
}

/// 1.5×10⁻⁷.
pub(crate) fn scientific(value: f64, decimals: usize) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let mut exponent = value.abs().log10().floor() as i32;
    // In two steps: 10³⁰⁸ and more is not a number.
    let mut factor = value / 10_f64.powi(exponent / 2) / 10_f64.powi(exponent - exponent / 2);
    // 9.9996 is written as 10.000.
    if format!("{:.decimals$}", factor.abs()).starts_with("10") {
        factor /= 10.0;
        exponent += 1;
    }
    format!("{}×{}", trimmed(factor, decimals), power(exponent))
}

/// 10⁻⁷.
pub(crate) fn power(exponent: i32) -> String {
    let raised = |letter: char| match letter {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' => '⁰',
        digit => char::from_u32('⁰' as u32 + digit.to_digit(10).unwrap_or(0)).unwrap_or('⁰'),
    };
    format!("10{}", exponent.to_string().chars().map(raised).collect::<String>())
}

/// The zeros between the point and the first digit.
fn leading_zeros(size: f64) -> usize {
    if size > 0.0 && size < 1.0 { -(size.log10().floor()) as usize } else { 0 }
}
