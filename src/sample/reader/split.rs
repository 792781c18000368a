//! Text into lines of cells: separators, quotes, quotes doubled within quotes, and lines that end in any way.

use std::borrow::Cow;

/// Where a cell lies in the text: 40 bits for its place, 22 for its length, one for doubled quotes within.
#[derive(Clone, Copy)]
pub(super) struct Span(u64);

const LENGTH_BITS: u32 = 22;

impl Span {
    /// A cell with nothing in it.
    pub(super) const BLANK: Self = Self(0);

    fn new(start: usize, end: usize, doubled: bool) -> Option<Self> {
        let (start, length) = (start as u64, (end - start) as u64);
        let fits = start < 1 << 40 && length < 1 << LENGTH_BITS;
        fits.then_some(Self(start << (LENGTH_BITS + 1) | length << 1 | u64::from(doubled)))
    }

    /// The cell itself.
    pub(super) fn of(self, text: &str) -> Cow<'_, str> {
        let start = (self.0 >> (LENGTH_BITS + 1)) as usize;
        let length = (self.0 >> 1) as usize & ((1 << LENGTH_BITS) - 1);
        let cell = &text[start..start + length];
        if self.0 & 1 == 1 { Cow::Owned(cell.replace("\"\"", "\"")) } else { Cow::Borrowed(cell) }
    }
}

/// The lines of a text, one at a time. A cell in quotes may go over several.
pub(super) struct Lines<'a> {
    text: &'a str,
    at: usize,
    separator: u8,
    /// The number of the line that comes next.
    line: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str, separator: u8) -> Self {
        Self { text, at: 0, separator, line: 1 }
    }

    /// The cells of the next line that has any, and its number; `None` at the end of the text.
    pub(super) fn next(&mut self, cells: &mut Vec<Span>) -> Result<Option<usize>, String> {
        let bytes = self.text.as_bytes();
        loop {
            if self.at >= bytes.len() {
                return Ok(None);
            }
            let (start, line) = (self.at, self.line);
            cells.clear();
            while self.cell(cells)? {}
            // A blank line is none.
            if !self.text[start..self.at].trim().is_empty() {
                return Ok(Some(line));
            }
        }
    }

    /// Reads one cell, and says whether the line has more.
    fn cell(&mut self, cells: &mut Vec<Span>) -> Result<bool, String> {
        let bytes = self.text.as_bytes();
        let line = self.line;
        let refuse = |what: &str| format!("line {line} {what}");
        self.blanks();
        let (mut doubled, span) = (false, self.at);
        let span = if bytes.get(span) == Some(&b'"') {
            self.at += 1;
            let start = self.at;
            loop {
                match (bytes.get(self.at), bytes.get(self.at + 1)) {
                    (Some(b'"'), Some(b'"')) => {
                        doubled = true;
                        self.at += 2;
                    }
                    (Some(b'"'), _) => break,
                    (Some(b'\n'), _) => {
                        self.line += 1;
                        self.at += 1;
                    }
                    (Some(_), _) => self.at += 1,
                    (None, _) => return Err(refuse("opens a quote that nothing closes: close it, or double it")),
                }
            }
            let end = self.at;
            self.at += 1;
            self.blanks();
            if bytes.get(self.at).is_some_and(|&byte| !self.ends(byte)) {
                return Err(refuse("goes on after a closing quote: double the quotes within a cell, or give --sep"));
            }
            (start, end)
        } else {
            while bytes.get(self.at).is_some_and(|&byte| !self.ends(byte)) {
                self.at += 1;
            }
            (span, self.at)
        };
        let cell = &self.text[span.0..span.1];
        // Old files end in a control character.
        let hidden = |letter: char| letter.is_whitespace() || letter.is_control();
        let start = span.0 + (cell.len() - cell.trim_start_matches(hidden).len());
        let end = start + cell.trim_matches(hidden).len();
        cells.push(Span::new(start, end, doubled).ok_or_else(|| refuse("has a cell of more than 4 MB: shorten it"))?);
        match bytes.get(self.at) {
            Some(&byte) if byte == self.separator => {
                self.at += 1;
                // A separator at the very end has a blank cell behind it.
                if self.at == bytes.len() {
                    cells.push(Span::BLANK);
                }
                Ok(self.at < bytes.len())
            }
            Some(b'\r') => {
                self.at += if bytes.get(self.at + 1) == Some(&b'\n') { 2 } else { 1 };
                self.line += 1;
                Ok(false)
            }
            Some(_) => {
                self.at += 1;
                self.line += 1;
                Ok(false)
            }
            None => Ok(false),
        }
    }

    fn ends(&self, byte: u8) -> bool {
        byte == self.separator || byte == b'\n' || byte == b'\r'
    }

    fn blanks(&mut self) {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(|&byte| (byte == b' ' || byte == b'\t') && byte != self.separator) {
            self.at += 1;
        }
    }
}
