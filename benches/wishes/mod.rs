//! What stands behind `cargo bench … --`: a number of splits, names of tables, settings such as `epochs=300`.
#![allow(dead_code)] // each benchmark has its own wishes

use jackknife::prelude::*;

pub struct Wishes(Vec<String>);

impl Wishes {
    pub fn read() -> Self {
        // Cargo adds `--bench`.
        Self(std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect())
    }

    pub fn number(&self) -> Option<u64> {
        self.0.iter().find_map(|word| word.parse().ok())
    }

    /// The tables named, or all of them.
    pub fn tables(&self, all: &[Table]) -> impl Iterator<Item = Table> {
        let named = |table: &&Table| self.0.iter().any(|word| word == table.name());
        let some: Vec<Table> = all.iter().filter(named).copied().collect();
        if some.is_empty() { all.to_vec() } else { some }.into_iter()
    }

    /// The number behind `name=`.
    pub fn value(&self, name: &str) -> Option<usize> {
        self.0.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('=')?.parse().ok())
    }
}
