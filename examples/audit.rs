//! Can these intervals be trusted on this table? `cargo run --release --example audit -- TABLE.csv COLUMN`, or without arguments
//! the bundled yacht table. Writes `report.html`, which opens offline.

use jackknife::prelude::*;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (name, sample) = match arguments.next() {
        Some(path) => (path.clone(), Sample::read(path, arguments.next().as_deref())?),
        None => ("yacht".into(), Table::Yacht.load()),
    };

    // Methods by name, as on the command line: one network for the first three, a training of its own for `split`.
    let methods = ["naive", "jackknife+", "studentized", "split"].map(str::parse::<Method>);
    let methods = methods.into_iter().collect::<Result<Vec<_>>>()?;

    // Every option has a default; these make it quick.
    let audit = Audit::default().methods(&methods).splits(5).training(Training::default().hidden(&[50]).epochs(500));
    let table = audit.run(&name, &sample)?;
    println!("{table:?}");

    // The method that covers and has the best interval score; `rows` has the numbers of every line.
    if let Some(best) = table.best() {
        println!("\nuse {}, which covers {}", best.name(), best.coverage()?);
    }
    table.report("report.html")
}
