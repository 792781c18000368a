//! An error is its message, in a cell as elsewhere.

use super::{Html, Shown, show_in_cells};
use crate::error::Error;

show_in_cells!(Error);

impl Shown for Error {
    fn html(&self) -> Html {
        Html::titled("This was refused").warning(&self.to_string())
    }
}
