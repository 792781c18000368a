//! Names from tables, made harmless where they are shown.

/// Text for SVG and HTML, between tags or within quotes.
///
/// Control characters are spaces: XML allows most of them not even as entities.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in plain(text).chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            letter => safe.push(letter),
        }
    }
    safe
}

/// Text on one line.
pub(super) fn plain(text: &str) -> String {
    let hidden = |letter: char| letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}');
    text.chars().map(|letter| if hidden(letter) { ' ' } else { letter }).collect()
}

/// The first of many names, and a sign that there are more.
pub(crate) fn listed<N: AsRef<str>>(names: &[N], most: usize) -> String {
    let shown: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    shown.join(", ") + if names.len() > most { ", …" } else { "" }
}

/// Text of at most so many letters, the end cut off.
pub(super) fn shortened(text: &str, letters: usize) -> String {
    if text.chars().count() <= letters {
        return text.to_string();
    }
    text.chars().take(letters.saturating_sub(1)).chain(['…']).collect()
}

/// About how many pixels wide a text is: there is no font to ask.
pub(super) fn width(text: &str, size: f64) -> f64 {
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
