//! How a figure reaches a notebook cell: the only file here that knows MIME types.

use super::Figure;
use super::text::escaped;

impl Figure {
    /// Shows the figure in a notebook cell; evcxr calls this on the last expression.
    ///
    /// Three forms of it, so that every reader shows one: plotly where there is an extension for it, the SVG as an
    /// image elsewhere (scripts and inline SVG are stripped from notebooks that are not trusted), and a sentence.
    pub fn evcxr_display(&self) {
        for (mime, body) in self.contents() {
            println!("EVCXR_BEGIN_CONTENT {mime}\n{body}\nEVCXR_END_CONTENT");
        }
    }

    /// The forms, each with its MIME type and on one line.
    fn contents(&self) -> Vec<(&'static str, String)> {
        let (image, sentence) = (base64(self.to_svg().as_bytes()), format!("{self:?}"));
        let alternative = escaped(&sentence);
        vec![
            #[cfg(feature = "plotly")]
            ("application/vnd.plotly.v1+json", self.to_json()),
            ("text/html", format!("<img src=\"data:image/svg+xml;base64,{image}\" alt=\"{alternative}\"/>")),
            ("text/plain", sentence),
        ]
    }
}

/// Bytes in the 64 letters of RFC 4648, padded to fours.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, k| bits << 8 | u32::from(three.get(k).copied().unwrap_or(0)));
        for k in 0..4 {
            let letter = char::from(LETTERS[(bits >> (18 - 6 * k) & 63) as usize]);
            text.push(if k > three.len() { '=' } else { letter });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;
    use crate::figure::Comparison;

    #[test]
    fn a_cell_gets_every_form_and_no_name_can_end_one() {
        let name = "coverage\nEVCXR_END_CONTENT\n\"><script>";
        let contents = Comparison::new(name).add(name, 0.9, 0.8, 1.0).plot().unwrap().contents();
        let mimes: Vec<&str> = contents.iter().map(|(mime, _)| *mime).collect();
        assert!(mimes.ends_with(&["text/html", "text/plain"]));
        assert_eq!(mimes.contains(&"application/vnd.plotly.v1+json"), cfg!(feature = "plotly"));
        assert!(contents.iter().all(|(_, body)| body.lines().count() == 1));
        let html = &contents[contents.len() - 2].1;
        assert!(html.starts_with("<img src=\"data:image/svg+xml;base64,PHN2Zy") && !html.contains("<script"));
    }

    #[test]
    fn base64_is_that_of_the_examples_in_rfc_4648() {
        let pairs =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE=")];
        for (bytes, text) in pairs {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }
}
