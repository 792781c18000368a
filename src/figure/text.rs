//! The room that a text takes.

/// Text of at most so many letters, the end cut off.
pub(crate) fn shortened(text: &str, letters: usize) -> String {
    if text.chars().count() <= letters {
        return text.to_string();
    }
    text.chars().take(letters.saturating_sub(1)).chain(['…']).collect()
}

/// About how many pixels wide a text is: there is no font to ask.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let em = |letter: char| match letter {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.26,
        'f' | 't' | 'r' | ' ' | '(' | ')' | '[' | ']' | '/' | '-' => 0.32,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.86,
        '⁰' | '¹' | '²' | '³' | '⁴'..='⁹' | '⁻' | '⁺' => 0.37,
        letter if letter.is_uppercase() => 0.69,
        letter if letter as u32 > 0x2e80 => 1.0,
        _ => 0.56,
    };
    size * text.chars().map(em).sum::<f64>()
}
