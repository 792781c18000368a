//! What the kernel of the notebooks is made of, and the runner that tests them.
//!
//! By default evcxr builds every dependency anew for every kernel. Here one [`template`] is built once, each kernel gets a
//! hard-linked [`copy`] of it, type inference reads no more than its [`view`], and the first plot comes after seconds.
//! [`notebook`] reads and writes `.ipynb`, [`run`] executes one on the `evcxr` crate without Jupyter, [`check`] compares
//! what it gave with what the file holds.

pub mod check;
pub mod copy;
pub mod kernel;
pub mod lab;
pub mod notebook;
pub mod run;
pub mod seconds;
pub mod template;
pub mod view;

/// A sentence for the person at the terminal is all that an error here has to be.
pub type Result<T> = std::result::Result<T, String>;
