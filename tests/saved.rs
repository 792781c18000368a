//! Fits that are kept: the same intervals from the file, and files that are damaged or foreign.
#![cfg(all(feature = "cli", feature = "linfa", feature = "trees"))]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use jackknife::prelude::*;

/// A folder of its own for each test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("saved-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn command(folder: &Path, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jackknife"));
    command.current_dir(folder).args(arguments.split_whitespace()).output().unwrap()
}

/// A table with everything that a reader decides: text, rare text, dates, holes, an index.
fn messy() -> String {
    let towns = ["Bern", "Oslo", "Rome"];
    let mut text = String::from(",town,built,area,rent\n");
    for i in 0..60 {
        let town = if i == 7 { "Ulm" } else { towns[i % 3] };
        let area = if i % 11 == 5 { "NA".to_string() } else { format!("{}", 30 + (i * 7) % 50) };
        let rent = 400.0 + 9.0 * ((i * 7) % 50) as f64 + 60.0 * (i % 3) as f64 + ((i * i) % 13) as f64;
        text += &format!("{},{town},20{:02}-0{}-1{},{area},{rent}\n", i + 1, i % 20, 1 + i % 8, i % 9);
    }
    text
}

#[test]
fn a_file_gives_the_intervals_that_the_fit_gave() {
    let folder = folder("same");
    let (train, test) = Table::Yacht.load().split(0.3, 2).unwrap();
    let network =
        || Learner::from(Training::default().hidden(&[8, 5]).epochs(60).activation(Activation::Softplus).l2(1e-3));
    let cases: [(Learner, Option<&str>); 10] = [
        ("ols".parse().unwrap(), None),
        ("ridge".parse().unwrap(), Some("jackknife+")),
        ("ridge:0.3".parse().unwrap(), Some("full")),
        ("kernel".parse().unwrap(), None),
        ("forest:40".parse().unwrap(), None),
        ("elasticnet".parse().unwrap(), Some("split")),
        ("tweedie".parse().unwrap(), Some("naive")),
        (network(), None),
        (network(), Some("split+")),
        (network(), Some("studentized")),
    ];
    for (learner, method) in cases {
        let method = method.map(|name| name.parse().unwrap());
        let fit = Saved::fit(learner, &train, method, 3).unwrap();
        let (first, second) = (folder.join("first.fit"), folder.join("second.fit"));
        fit.save(&first).unwrap();
        let again = Saved::load(&first).unwrap();
        again.save(&second).unwrap();
        assert!(std::fs::read(&first).unwrap() == std::fs::read(&second).unwrap(), "{fit:?}");
        assert_eq!(format!("{again:?}"), format!("{fit:?}"));
        assert_eq!(again.intervals(test.x(), 0.1).unwrap(), fit.intervals(test.x(), 0.1).unwrap(), "{fit:?}");
        assert_eq!(again.intervals(test.x(), 0.3).unwrap(), fit.intervals(test.x(), 0.3).unwrap(), "{fit:?}");
    }
    std::fs::remove_dir_all(folder).ok();
}

#[test]
fn intervals_are_those_of_the_library_and_other_methods_can_be_asked_for() {
    let (train, test) = Table::Yacht.load().split(0.3, 2).unwrap();
    let ridge = Saved::fit("ridge:0.3".parse().unwrap(), &train, None, 0).unwrap();
    let direct = LeaveOneOut::tangent(&Ridge::new(0.3).fit(&train).unwrap(), &train, &Tangent::default()).unwrap();
    assert_eq!(ridge.intervals(test.x(), 0.1).unwrap(), direct.nested(test.x(), 0.1).unwrap());
    let plus = ridge.intervals_by("jackknife+".parse().unwrap(), test.x(), 0.1).unwrap();
    let closed = LeaveOneOut::closed_form(&Ridge::new(0.3), &train).unwrap();
    assert_eq!(plus, closed.jackknife_plus(test.x(), 0.1).unwrap());

    let training = Training::default().hidden(&[6]).epochs(40);
    let fit = |rows: &Sample| training.clone().seed(5).fit(rows);
    let split = Saved::fit(training.clone().into(), &train, Some("split+".parse().unwrap()), 5).unwrap();
    let direct = LeaveOneOut::tangent_split(&train, 0.2, 5, fit).unwrap();
    assert_eq!(split.intervals(test.x(), 0.1).unwrap(), direct.nested(test.x(), 0.1).unwrap());
    assert_eq!(split.intervals(test.x(), 0.1).unwrap().guarantee, Guarantee::AtLeast(0.8));
    // Its network has not seen all rows, so that other methods would not be what they are called.
    assert!(split.intervals_by("tangent".parse().unwrap(), test.x(), 0.1).is_err());
    for (method, words) in [("cv+", "trained at each use"), ("dropout", "trained at each use")] {
        let refusal = Saved::fit(training.clone().into(), &train, Some(method.parse().unwrap()), 0).unwrap_err();
        assert!(refusal.to_string().contains(words), "{refusal}");
    }
    let refusal = Saved::fit("forest".parse().unwrap(), &train, Some("tangent".parse().unwrap()), 0).unwrap_err();
    assert!(refusal.to_string().contains("does not suit"), "{refusal}");
}

#[test]
fn new_rows_are_read_as_the_training_table_was_without_it() {
    let folder = folder("messy");
    std::fs::write(folder.join("rents.csv"), messy()).unwrap();
    let new = "area;rent;built;town\n40,5;;2011-03-12;Oslo\nNA;;2004-05-11;Paris\n55;;2019-01-10;Ulm\n";
    std::fs::write(folder.join("new.csv"), new).unwrap();
    let output = command(&folder, "fit rents.csv --target rent --model ridge --out rents.fit");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let direct =
        "intervals --train rents.csv --test new.csv --target rent --model ridge --method tangent --out direct.csv";
    assert!(command(&folder, direct).status.success());
    std::fs::remove_file(folder.join("rents.csv")).unwrap();
    let output = command(&folder, "predict rents.fit new.csv --out new.out.csv");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(read("new.out.csv"), read("direct.csv"));
    assert!(said.contains("`area` is missing in 1 of 3 new rows"), "{said}");
    std::fs::remove_dir_all(folder).ok();
}

#[test]
fn files_that_are_damaged_foreign_or_newer_are_refused_and_nothing_is_written() {
    let folder = folder("damaged");
    let sample = linear(30, 2, 0).unwrap();
    Saved::fit("ols".parse().unwrap(), &sample, None, 0).unwrap().save(folder.join("good.fit")).unwrap();
    let good = std::fs::read(folder.join("good.fit")).unwrap();
    let refused = |bytes: &[u8], words: &str| {
        std::fs::write(folder.join("bad.fit"), bytes).unwrap();
        let refusal = Saved::load(folder.join("bad.fit")).unwrap_err().to_string();
        assert!(refusal.contains(words) && refusal.contains("bad.fit"), "{refusal}");
    };
    for length in (0..good.len()).step_by(37) {
        let words = if length < 16 { "not a fit saved" } else { "not whole or was altered" };
        refused(&good[..length], words);
    }
    for place in (40..good.len()).step_by(101) {
        let mut bytes = good.clone();
        bytes[place] ^= 0x20;
        refused(&bytes, "not whole or was altered");
    }
    let newer = [b"jackknife fit 7\n".as_slice(), &good[16..]].concat();
    refused(&newer, "newer version");
    refused(b"a,b\n1,2\n", "not a fit saved");
    refused(b"", "not a fit saved");
    std::fs::write(folder.join("x.csv"), "x0,x1\n1,2\n").unwrap();
    for (arguments, words) in [
        ("predict bad.fit x.csv --out out.csv", "not a fit saved"),
        ("predict none.fit x.csv --out out.csv", "none.fit"),
        ("predict good.fit none.csv --out out.csv", "none.csv"),
        ("predict good.fit x.csv --alpha 0 --out out.csv", "alpha is 0"),
        ("predict good.fit x.csv --method cv --out out.csv", "`cv`"),
        ("predict good.fit x.csv --out no/out.csv", "its folder does not exist"),
        ("fit none.csv --out out.csv", "none.csv"),
        ("fit yacht --model forest --method tangent --out out.csv", "does not suit"),
        ("fit yacht --model ols --epochs 3 --out out.csv", "for networks"),
    ] {
        let output = command(&folder, arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {said}");
        assert!(said.contains(words), "{arguments}: {said}");
        assert!(!folder.join("out.csv").exists());
    }
    assert!(command(&folder, "predict good.fit x.csv --out out.csv").status.success());
    std::fs::remove_dir_all(folder).ok();
}
