//! From the bytes of a file to its text: gzip, byte order marks, UTF-16, Latin-1.

use std::io::Read;

use flate2::read::MultiGzDecoder;

/// A file's text, and what was decided on the way to it.
pub(super) struct Text {
    pub(super) text: String,
    pub(super) notices: Vec<String>,
}

/// What Windows writes between 0x80 and 0x9f, where Latin-1 has control characters; five places are free.
const WINDOWS: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";

/// Whether the file is gzip, by its first bytes.
pub(super) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

/// Whether the file is Parquet, by its first bytes.
pub(super) fn is_parquet(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PAR1")
}

/// The text, or the reason why there is none.
pub(super) fn decoded(mut bytes: Vec<u8>, strict: bool) -> Result<Text, String> {
    if is_gzip(&bytes) {
        let mut inner = Vec::new();
        let broken = |error| format!("it is gzip, but damaged or cut off ({error}): compress it again");
        MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut inner).map_err(broken)?;
        bytes = inner;
    }
    if bytes.starts_with(b"PK\x03\x04") {
        return Err("it is a workbook or an archive, not a table of text: save it as CSV".into());
    }
    if bytes.starts_with(&[0xef, 0xbb, 0xbf]) {
        bytes.drain(..3);
    }
    if let Some(order) = utf16(&bytes) {
        let text = from_utf16(&bytes, order)?;
        return Ok(Text { text, notices: vec!["the file is UTF-16".into()] });
    }
    if let Some(place) = bytes.iter().position(|&byte| byte == 0) {
        let line = 1 + bytes[..place].iter().filter(|&&byte| byte == b'\n').count();
        return Err(format!("it is not text (line {line} has a zero byte): give CSV, TSV or Parquet"));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Text { text, notices: Vec::new() }),
        Err(error) => {
            let place = error.utf8_error().valid_up_to();
            let bytes = error.into_bytes();
            let line = 1 + bytes[..place].iter().filter(|&&byte| byte == b'\n').count();
            if strict {
                return Err(format!("line {line} is not UTF-8: save the table as UTF-8"));
            }
            let notices = vec![format!("the file is not UTF-8 (line {line}): read as Latin-1")];
            Ok(Text { text: bytes.iter().map(|&byte| latin(byte)).collect(), notices })
        }
    }
}

fn latin(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS.chars().nth(usize::from(byte) - 0x80).unwrap_or('\u{fffd}'),
        byte => char::from(byte),
    }
}

/// How the bytes of a unit of UTF-16 become one, if the text is UTF-16: by its mark, else by its zeros.
fn utf16(bytes: &[u8]) -> Option<fn([u8; 2]) -> u16> {
    match bytes {
        [0xff, 0xfe, ..] => return Some(u16::from_le_bytes),
        [0xfe, 0xff, ..] => return Some(u16::from_be_bytes),
        _ => {}
    }
    let pairs = &bytes[..bytes.len().min(1000) / 2 * 2];
    let zeros = |side: usize| pairs.chunks_exact(2).filter(|pair| pair[side] == 0).count();
    // A table is mostly digits, one byte of which is zero in each unit.
    let most = |count: usize| 10 * count > 8 * (pairs.len() / 2) && count > 0;
    match (most(zeros(0)), most(zeros(1))) {
        (false, true) => Some(u16::from_le_bytes),
        (true, false) => Some(u16::from_be_bytes),
        _ => None,
    }
}

fn from_utf16(bytes: &[u8], order: fn([u8; 2]) -> u16) -> Result<String, String> {
    let units = bytes.chunks_exact(2).map(|pair| order([pair[0], pair[1]]));
    let text: Result<String, _> = char::decode_utf16(units).collect();
    let cut = bytes.len() % 2 == 1;
    match text {
        Ok(text) if !cut => Ok(text.trim_start_matches('\u{feff}').to_string()),
        _ => Err("it is UTF-16, but damaged or cut off: save it as UTF-8".into()),
    }
}
