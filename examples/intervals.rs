//! Intervals for the rows of a table: `cargo run --release --example intervals -- TABLE.csv COLUMN`, or without arguments the
//! resistance of yachts.

use jackknife::prelude::*;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| "data/yacht.csv".into());

    // Text columns become indicators, constant ones are dropped, and the printed sample says so. Without a name the last column
    // is the target.
    let sample = Sample::read(path, arguments.next().as_deref())?;
    println!("{sample:?}\n");

    // A fifth of the rows is kept for testing; 0 is the seed.
    let (train, test) = sample.split(0.2, 0)?;

    // The model, and the n models that have each not seen one row. Ridge has them in closed form; for a network there are
    // `tangent`, `influence` and `newton`, for any learner `refit`, `folds` and `bags`.
    let loo = LeaveOneOut::closed_form(&Ridge::new(0.01), &train)?;

    // One fitted object serves every rule and every α.
    for rule in [Rule::Plus, Rule::Studentised] {
        let intervals = loo.intervals(rule, test.x(), 0.1)?;
        println!("{intervals:?}");
        println!("  covers {:?}", intervals.coverage(test.y())?);
        println!("  tells large errors with {:?}\n", intervals.discrimination(test.y(), 0)?);
    }
    Ok(())
}
