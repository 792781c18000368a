//! An error is its message, in a cell as elsewhere.

use std::fmt;

use super::{Html, Shown, show_in_cells};
use crate::error::Error;

show_in_cells!(Error);

impl Shown for Error {
    fn html(&self) -> Html {
        Html::titled("This was refused").warning(&self.to_string())
    }
}

/// The message: a failed `unwrap`, a `main` that returns an error and a cell that ends in a `Result` print this.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
