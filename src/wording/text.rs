//! Lists, and names from tables made harmless where they are shown.

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
pub(crate) fn plain(text: &str) -> String {
    let hidden = |letter: char| letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}');
    text.chars().map(|letter| if hidden(letter) { ' ' } else { letter }).collect()
}

/// The first of many names, and a sign that there are more.
pub(crate) fn listed<N: AsRef<str>>(names: &[N], most: usize) -> String {
    let shown: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    shown.join(", ") + if names.len() > most { ", …" } else { "" }
}
