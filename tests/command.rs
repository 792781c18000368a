//! The command line: what it writes, what it says, and what it refuses.

mod folder;

use std::path::PathBuf;
use std::process::{Command, Output};

use folder::Folder;

fn fixture(name: &str) -> String {
    format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"))
}

struct Desk {
    folder: Folder,
}

impl Desk {
    fn new() -> Self {
        Self { folder: Folder::new() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A table in the folder.
    fn table(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    /// `jackknife intervals` with the options in a line.
    fn run(&self, options: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jackknife"));
        command.arg("intervals").args(options.split_whitespace()).arg("--out").arg(self.path("out.csv"));
        command.output().unwrap()
    }

    fn rows(&self) -> Vec<[f64; 3]> {
        let text = std::fs::read_to_string(self.path("out.csv")).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("prediction,lower,upper"));
        let row =
            |line: &str| line.split(',').map(|cell| cell.parse().unwrap()).collect::<Vec<f64>>().try_into().unwrap();
        lines.map(row).collect()
    }

    /// Exit 2, one message with `words`, and no file of any name left behind.
    fn refuses(&self, options: &str, words: &[&str]) {
        let before = self.files();
        let output = self.run(options);
        let message = String::from_utf8_lossy(&output.stderr).to_string();
        assert_eq!(output.status.code(), Some(2), "{options}\n{message}");
        assert!(message.starts_with("error: "), "{message}");
        assert!(!message.contains("panicked") && !message.contains("backtrace"), "{message}");
        for word in words {
            assert!(message.contains(word), "{options}\n`{word}` is not in: {message}");
        }
        assert_eq!(self.files(), before, "no partial output");
    }

    fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<_> =
            std::fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }
}

const LINE: &str = "x,y\n0,1\n1,3\n2,2\n3,5\n4,4\n5,7\n6,6\n7,9\n8,12\n";

#[test]
fn every_method_goes_with_every_model() {
    let desk = Desk::new();
    let (train, test) = (fixture("net_a_train.csv"), fixture("net_a_test.csv"));
    let weights = format!("{} --activation tanh --l2 0.01", fixture("net_a.safetensors"));
    let methods = ["naive", "jackknife", "jackknife+", "minmax", "studentized", "cv+", "cv+ --folds 5", "split"];
    let tangent = ["tangent", "full", "laplace", "signed", "tangent-cv", "tangent-cv --folds 3"];
    for model in ["ols", "ridge:0.1", "ridge", weights.as_str()] {
        for method in methods.into_iter().chain(tangent) {
            let output = desk.run(&format!("--train {train} --test {test} --model {model} --method {method}"));
            let said = String::from_utf8_lossy(&output.stderr).to_string();
            assert_eq!(output.status.code(), Some(0), "{model} {method}: {said}");
            assert!(said.is_empty(), "progress goes to terminals only: {said}");
            let rows = desk.rows();
            assert_eq!(rows.len(), 12);
            assert!(rows.iter().all(|[f, lower, upper]| lower < f && f < upper), "{model} {method}");
        }
    }
}

#[test]
fn the_tangent_says_its_features_its_penalty_and_how_far_the_model_is_from_it() {
    let desk = Desk::new();
    let (train, test) = (fixture("net_a_train.csv"), fixture("net_a_test.csv"));
    let told = |options: &str| {
        let output = desk.run(&format!("--train {train} --test {test} {options}"));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).to_string()
    };
    let network = told("--model network --method tangent");
    assert!(network.contains("no guarantee is proven\n"), "{network}");
    assert!(network.contains("note: ridge on 300 features of 150 rows, κ = "), "{network}");
    assert!(network.contains("the model's own differ by 0.") && network.contains("of the mean width\n"), "{network}");
    assert!(network.contains("note: nothing is proven of a network's tangent on its own training rows"), "{network}");
    let split = told("--model network --method split+");
    assert!(split.contains("covers with probability at least 80 %,"), "{split}");
    assert_ne!(split, told("--model network --method split+ --seed 1"), "the seed chooses the rows that train");
    let folds = told("--model network --method tangent-cv --folds 4");
    assert!(folds.contains("by nested (4 tangent folds)") && folds.contains("at least 76.1 %"), "{folds}");
    let weights = format!("--model {} --l2 0.01", fixture("net_a.safetensors"));
    let given = told(&format!("{weights} --method tangent"));
    assert!(given.contains("no guarantee is proven\n") && given.contains("ridge on 12 features"), "{given}");
    let folds = told(&format!("{weights} --method tangent-cv"));
    assert!(folds.contains("at least 74.84 % if the loss has a single minimum"), "re-minimised from θ̂: {folds}");
    let ols = told("--model ols --method tangent");
    assert!(ols.contains("covers with probability at least 80 %,") && !ols.contains("the model's own differ"), "{ols}");
    assert!(told("--model ols --method full").contains("covers with probability at least 90 %,"));
}

#[test]
fn ridge_without_a_penalty_promises_only_what_is_proven() {
    let desk = Desk::new();
    let (train, test) = (fixture("net_a_train.csv"), fixture("net_a_test.csv"));
    let cases = [
        ("tangent", "at least 80 %,"),
        ("split+", "at least 80 %,"),
        ("jackknife+", "at least 80 %,"),
        ("minmax", "at least 90 %,"),
        ("split", "at least 90 %,"),
        ("full", "no guarantee is proven\n"),
        ("jackknife+ --order 2", "no guarantee is proven\n"),
    ];
    for (method, words) in cases {
        let output = desk.run(&format!("--train {train} --test {test} --model ridge --method {method}"));
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && told.contains(words), "{method}: {told}");
        assert_eq!(told.contains("note: full is proven for a penalty that is given"), method == "full", "{told}");
        let chosen = told.contains("note: ridge on 2 features of 150 rows, κ = 4 by marginal likelihood");
        assert_eq!(chosen, !["split", "jackknife+ --order 2"].contains(&method), "{method}: {told}");
    }
    // κ = nλ: all but the choice is that of ridge:λ.
    let run = |options: &str| {
        assert!(desk.run(&format!("--train {train} --test {test} {options}")).status.success());
        desk.rows()
    };
    let (chosen, given) =
        (run("--model ridge --method laplace"), run(&format!("--model ridge:{} --method laplace", 4.0 / 150.0)));
    for (a, b) in chosen.iter().flatten().zip(given.iter().flatten()) {
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }
}

#[test]
fn influence_orders_as_printed_and_solvers_answer_as_the_reference() {
    let desk = Desk::new();
    let expected = std::fs::read_to_string(fixture("net_a_expected.csv")).unwrap();
    let mut lines = expected.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().unwrap();
    let cells: Vec<Vec<f64>> = lines.map(|line| line.iter().map(|cell| cell.parse().unwrap()).collect()).collect();
    let column = |name: &str| names.iter().position(|found| *found == name).unwrap();
    let base = format!(
        "--train {} --test {} --model {} --activation tanh --l2 0.01 --method jackknife+",
        fixture("net_a_train.csv"),
        fixture("net_a_test.csv"),
        fixture("net_a.safetensors")
    );
    let cases = [
        ("--order 1", "order1"),
        ("--order 2 --solver dense", "order2"),
        ("--order 2 --as-printed", "order2_paper"),
        ("--order 3 --solver cg", "order3"),
        ("--order 4", "order4"),
        ("", "refit"),
    ];
    for (options, name) in cases {
        let output = desk.run(&format!("{base} {options}"));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let (lower, upper) = (column(&format!("{name}_lower")), column(&format!("{name}_upper")));
        for (row, cells) in desk.rows().iter().zip(&cells) {
            assert!((row[0] - cells[0]).abs() < 1e-8, "{options}");
            assert!((row[1] - cells[lower]).abs() < 1e-8 && (row[2] - cells[upper]).abs() < 1e-8, "{options}");
        }
    }
}

#[test]
fn a_network_is_trained_here_and_the_seed_decides() {
    let desk = Desk::new();
    let (train, test) = (fixture("net_a_train.csv"), fixture("net_a_test.csv"));
    let run = |seed: u64| {
        let options =
            format!("--train {train} --test {test} --model network --method jackknife+ --order 1 --damping 0.01");
        let output = desk.run(&format!("{options} --l2 0.001 --seed {seed}"));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(String::from_utf8_lossy(&output.stdout).contains("trust: damping"));
        desk.rows()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn infinite_ends_are_written_as_inf_and_the_coverage_is_told_if_the_target_is_there() {
    let desk = Desk::new();
    let train = desk.table("train.csv", LINE);
    let output = desk.run(&format!("--train {train} --test {train} --model ols --method jackknife+ --alpha 0.05"));
    assert!(output.status.success());
    let text = std::fs::read_to_string(desk.path("out.csv")).unwrap();
    assert!(text.lines().nth(1).unwrap().ends_with(",-inf,inf"), "{text}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("coverage on the 9 test rows: 1.0000"));
}

#[test]
fn columns_are_found_by_name_and_texts_become_indicators() {
    let desk = Desk::new();
    let rows: String =
        (0..30).map(|i| format!("{},{},{i}\n", ["Oslo", "Bern", "Rom"][i % 3], (i * 7 % 11) as f64)).collect();
    let train = desk.table("train.csv", &format!("town,size,price\n{rows}"));
    let test = desk.table("test.csv", "note,size,town\nfirst,3,Rom\nsecond,4,Bern\n");
    let output = desk.run(&format!("--train {train} --test {test} --model ridge:0.1 --method minmax"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(desk.rows().len(), 2);
    assert!(String::from_utf8_lossy(&output.stdout).contains("note: `town` is text: 2 indicator columns for 3 values"));
}

#[test]
fn test_rows_may_lack_their_target_and_have_columns_of_their_own() {
    let desk = Desk::new();
    let train = desk.table("train.csv", LINE);
    let test = desk.table("test.csv", "name,y,x\nfirst,,3\nsecond,4,4\n");
    let output = desk.run(&format!("--train {train} --test {test} --model ols --method jackknife+ --alpha 0.2"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(desk.rows().len(), 2);
    assert!(!String::from_utf8_lossy(&output.stdout).contains("coverage on"), "one target is blank");
}

#[test]
fn bad_options_are_refused_in_one_sentence() {
    let desk = Desk::new();
    let train = desk.table("train.csv", LINE);
    let base = format!("--train {train} --test {train} --model ols");
    desk.refuses(&format!("{base} --method jackknife+ --alpha 0"), &["alpha is 0", "strictly between 0 and 1"]);
    desk.refuses(&format!("{base} --method jackknife+ --alpha 1"), &["alpha is 1"]);
    desk.refuses(&format!("{base} --method jackknife+ --alpha -0.1"), &["alpha is -0.1"]);
    desk.refuses(&format!("{base} --method bootstrap"), &["`bootstrap`", "jackknife+"]);
    desk.refuses(&format!("{base} --method jackknife+ --order 0"), &["order", "0", "at least 1"]);
    desk.refuses(&format!("{base} --method jackknife+ --order -1"), &["-1"]);
    desk.refuses(&format!("{base} --method jackknife+ --order 3 --as-printed"), &["order 2"]);
    desk.refuses(&format!("{base} --method jackknife+ --as-printed"), &["--order"]);
    desk.refuses(&format!("{base} --method jackknife+ --damping 1"), &["--order"]);
    desk.refuses(&format!("{base} --method jackknife+ --order 1 --damping -1"), &["damping is -1"]);
    desk.refuses(&format!("{base} --method jackknife+ --order 1 --solver magic"), &["magic", "cg"]);
    desk.refuses(&format!("{base} --method cv+ --folds 1"), &["folds is 1"]);
    desk.refuses(&format!("{base} --method cv+ --folds 10"), &["folds is 10"]);
    desk.refuses(&format!("{base} --method split --folds 3"), &["--folds", "cv+", "tangent-cv"]);
    desk.refuses(&format!("{base} --method tangent --folds 3"), &["--folds", "tangent-cv"]);
    for method in ["tangent", "split+", "tangent-cv", "full", "laplace", "signed"] {
        desk.refuses(&format!("{base} --method {method} --order 1"), &["--order", "tangent", "leave it away"]);
        desk.refuses(&format!("{base} --method {method} --alpha 0"), &["alpha is 0"]);
    }
    desk.refuses(&format!("{base} --method tangent-cv --folds 1"), &["folds is 1"]);
    desk.refuses(&format!("{base} --method split --order 1"), &["--order"]);
    desk.refuses(&format!("{base} --method naive --l2 1"), &["--l2", "ridge:λ"]);
    desk.refuses(&format!("{base} --method naive --epochs 10"), &["--epochs are for networks"]);
    let network = format!("--train {train} --test {train} --model network --method naive");
    desk.refuses(&format!("{network} --epochs soon"), &["`soon`", "or auto"]);
    desk.refuses(&format!("{network} --epochs 0"), &["epochs is 0"]);
    let other = format!("--train {train} --test {train} --method jackknife+");
    desk.refuses(&format!("{other} --model ridge:x"), &["`ridge:x`", "number"]);
    desk.refuses(&format!("{other} --model ridge:-1"), &["λ is -1"]);
    desk.refuses(&format!("{other} --model oracle"), &["`oracle`", "ridge:λ"]);
    desk.refuses(&format!("{other} --model ridge --l2 1"), &["--l2", "ridge:λ"]);
    desk.refuses(&format!("{other} --model missing.safetensors"), &["missing.safetensors", "cannot read"]);
    desk.refuses(&format!("{other} --model ols --target z"), &["`z`", "it has x, y"]);
}

#[test]
fn a_network_is_trained_for_the_epochs_that_are_asked_for() {
    let desk = Desk::new();
    let train = desk.table("train.csv", LINE);
    let rows = |epochs: &str| {
        let output = desk.run(&format!("--train {train} --test {train} --model network --method naive {epochs}"));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        desk.rows()
    };
    assert_eq!(rows(""), rows("--epochs 1000"));
    assert_ne!(rows(""), rows("--epochs 3"));
    let stages = ["30", "60", "100", "200", "500", "1000"].map(|stage| rows(&format!("--epochs {stage}")));
    assert!(stages.contains(&rows("--epochs auto")));
}

#[test]
fn bad_tables_are_refused_with_the_column_and_the_row() {
    let desk = Desk::new();
    let good = desk.table("good.csv", LINE);
    let with = |name: &str, text: &str, words: &[&str]| {
        let train = desk.table(name, text);
        desk.refuses(&format!("--train {train} --test {good} --model ols --method jackknife+"), words);
    };
    with("blank.csv", "x,y\n0,1\n,2\n3,4\n", &["column `x`, row 2 is blank"]);
    with("nan.csv", "x,y\n0,1\n1,NaN\n3,4\n", &["column `y`, row 2 is NaN"]);
    with("infinite.csv", "x,y\n0,1\ninf,2\n3,4\n", &["column `x`, row 2 is inf"]);
    with("huge.csv", "x,y\n0,1\n1,2\n1e308,4\n", &["column `x`, row 3 is 1", "rescale"]);
    with("stray.csv", "x,y\n0,1\n1,2\nn/a,4\n5,6\n", &["column `x`, row 3 is `n/a`"]);
    with("text.csv", "x,y\n0,a\n1,b\n2,c\n", &["column `y`", "text"]);
    with("twin.csv", "x,z,y\n0,1,1\n1,2,2\n5,3,3\n", &["column `z` repeats the target `y`"]);
    with("constant.csv", "x,y\n7,1\n7,2\n7,3\n", &["no feature column left: `x` is the same in every row"]);
    with("one.csv", "x,y\n0,1\n", &["needs at least 2 rows", "1"]);
    with("header.csv", "x,y\n", &["no rows"]);
    with("empty.csv", "", &["empty.csv", "cannot read"]);
    with("target-only.csv", "y\n1\n2\n", &["no feature column"]);
    let identifiers: String = (0..60).map(|i| format!("name{i},{i}\n")).collect();
    with("identifier.csv", &format!("x,y\n{identifiers}"), &["column `x`", "60 different texts", "identifier"]);
    desk.refuses(&format!("--train nowhere.csv --test {good} --model ols --method split"), &["nowhere.csv"]);
    desk.refuses(&format!("--train {good} --test nowhere.csv --model ols --method split"), &["nowhere.csv"]);
    let other = desk.table("other.csv", "z\n1\n");
    desk.refuses(
        &format!("--train {good} --test {other} --model ols --method split"),
        &["column `x` is not in the table"],
    );
    let none = desk.table("none.csv", "x\n");
    desk.refuses(&format!("--train {good} --test {none} --model ols --method split"), &["no rows"]);
}

#[test]
fn damaged_or_foreign_weights_are_refused() {
    let desk = Desk::new();
    let (train, test) = (fixture("net_a_train.csv"), fixture("net_a_test.csv"));
    let bytes = std::fs::read(fixture("net_a.safetensors")).unwrap();
    for cut in [0, 4, 8, 50, bytes.len() - 1] {
        let path = desk.path("cut.safetensors");
        std::fs::write(&path, &bytes[..cut]).unwrap();
        let options = format!("--train {train} --test {test} --model {} --method naive", path.display());
        desk.refuses(&options, &["the weights do not describe a network", "safetensors"]);
    }
    let line = desk.table("line.csv", LINE);
    let weights = fixture("net_a.safetensors");
    desk.refuses(&format!("--train {line} --test {line} --model {weights} --method naive"), &["2 columns", "1"]);
    desk.refuses(&format!("--train {line} --test {line} --model {weights} --method jackknife+"), &["2 columns", "1"]);
    desk.refuses(&format!("--train {line} --test {line} --model {weights} --method tangent"), &["2 columns", "1"]);
    let own = format!("--train {train} --test {test} --model {weights} --l2 0.01");
    desk.refuses(
        &format!("{own} --method split+"),
        &["have seen all of --train", "--method tangent", "--model network"],
    );
}

#[test]
fn a_folder_that_is_not_there_is_refused_before_the_work() {
    let desk = Desk::new();
    let train = desk.table("train.csv", LINE);
    let mut command = Command::new(env!("CARGO_BIN_EXE_jackknife"));
    let options = format!("intervals --train {train} --test {train} --model ols --method minmax --out");
    let output = command.args(options.split_whitespace()).arg(desk.path("no/where.csv")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("its folder does not exist"));
}

#[test]
fn degenerate_tables_have_an_answer_and_no_panic() {
    let desk = Desk::new();
    let tables = [
        ("a constant target", "x,y\n0,5\n1,5\n2,5\n4,5\n"),
        ("more features than rows", "a,b,c,d,y\n1,2,3,4,1\n2,1,5,3,2\n4,0,1,2,3\n"),
        ("collinear features", "a,b,y\n1,2,1\n2,4,2\n3,6,2\n4,8,5\n5,10,4\n"),
        ("two rows", "a,y\n1,2\n2,5\n"),
    ];
    for (what, text) in tables {
        let train = desk.table("train.csv", text);
        for model in ["ols", "ridge:0.1"] {
            for method in [
                "naive",
                "jackknife",
                "jackknife+",
                "minmax",
                "studentized",
                "jackknife+ --order 2",
                "split",
                "cv+ --folds 2",
            ] {
                let output =
                    desk.run(&format!("--train {train} --test {train} --model {model} --method {method} --alpha 0.5"));
                let said = String::from_utf8_lossy(&output.stderr).to_string();
                assert_eq!(output.status.code(), Some(0), "{what}, {model}, {method}: {said}");
                assert!(desk.rows().iter().flatten().all(|cell| !cell.is_nan()), "{what}, {model}, {method}");
            }
        }
    }
}

#[test]
fn weights_of_another_activation_are_refused_unless_insisted_on() {
    let desk = Desk::new();
    let (train, test) = (fixture("net_a_train.csv"), fixture("net_a_test.csv"));
    let base = format!("--train {train} --test {test} --model {} --l2 0.01", fixture("net_a.safetensors"));
    for activation in ["sigmoid", "relu", "softplus"] {
        for method in ["naive", "jackknife+", "jackknife+ --order 1", "cv+", "tangent", "tangent-cv"] {
            let words = ["do not belong to these rows", "activation", "--trust-anyway"];
            desk.refuses(&format!("{base} --activation {activation} --method {method}"), &words);
        }
    }
    let output = desk.run(&format!("{base} --activation sigmoid --method jackknife+ --trust-anyway"));
    let (said, told) = (String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.starts_with("warning: these leave-one-out models are not to be trusted"), "{said}");
    assert!(told.contains("predictions lie outside their own interval") && told.contains("trust: "), "{told}");
}

#[test]
fn degenerate_tables_have_a_tangent_or_a_sentence_and_no_panic() {
    let desk = Desk::new();
    let tables = [
        ("a constant target", "x,y\n0,5\n1,5\n2,5\n4,5\n"),
        ("more features than rows", "a,b,c,d,y\n1,2,3,4,1\n2,1,5,3,2\n4,0,1,2,3\n"),
        ("collinear features", "a,b,y\n1,2,1\n2,4,2\n3,6,2\n4,8,5\n5,10,4\n"),
        ("two rows", "a,y\n1,2\n2,5\n"),
        ("three rows", "a,y\n1,2\n2,5\n4,3\n"),
        ("copies", "a,y\n1,2\n1,2\n1,2\n2,5\n2,5\n2,5\n"),
        ("units far apart", "a,b,y\n1e12,1e-12,2\n2e12,3e-12,3\n5e12,-2e-12,2\n1e12,5e-12,5\n3e12,1e-12,1.5\n"),
    ];
    for (what, text) in tables {
        let train = desk.table("train.csv", text);
        for model in ["ols", "ridge:0.1", "ridge", "network"] {
            for method in ["tangent", "split+", "tangent-cv --folds 2", "full", "laplace", "signed"] {
                let _ = std::fs::remove_file(desk.path("out.csv"));
                let options = format!("--train {train} --test {train} --model {model} --method {method} --alpha 0.5");
                let output = desk.run(&options);
                let said = String::from_utf8_lossy(&output.stderr).to_string();
                match output.status.code() {
                    Some(0) => assert!(desk.rows().iter().flatten().all(|cell| !cell.is_nan()), "{what}, {options}"),
                    Some(2) => {
                        let is_sentence = said.contains("rows, but there are") || said.contains("alone decides");
                        assert!(is_sentence && said.lines().count() == 1, "{what}, {options}: {said}");
                        assert!(!desk.path("out.csv").exists());
                    }
                    _ => panic!("{what}, {options}: {said}"),
                }
            }
        }
    }
}
