//! Figures: the SVG as an image, since scripts and inline SVG are stripped from notebooks that are not trusted.

use super::{Html, Shown, show_in_cells};
use crate::figure::Figure;

show_in_cells!(Figure);

impl Shown for Figure {
    fn html(&self) -> Html {
        let image = base64(self.to_svg().as_bytes());
        Html::image(&format!("data:image/svg+xml;base64,{image}"), &format!("{self:?}"))
    }

    #[cfg(feature = "plotly")]
    fn plotly(&self) -> Option<String> {
        Some(self.to_json())
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
    use super::{Shown, base64};
    use crate::plot::Comparison;

    #[test]
    fn a_cell_gets_every_form_and_no_name_can_end_one() {
        let name = "coverage\nEVCXR_END_CONTENT\n\"><script>";
        let figure = Comparison::new(name).add(name, 0.9, 0.8, 1.0).plot().unwrap();
        let contents = figure.contents();
        assert_eq!(
            contents.lines().filter(|line| *line == "EVCXR_END_CONTENT").count(),
            2 + usize::from(cfg!(feature = "plotly"))
        );
        assert_eq!(contents.contains("EVCXR_BEGIN_CONTENT application/vnd.plotly.v1+json\n"), cfg!(feature = "plotly"));
        let html = figure.html().into_string();
        assert!(html.contains("<img src=\"data:image/svg+xml;base64,PHN2Zy") && !html.contains("<script"));
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
