//! The notebooks' form, read from their files: executed, short-celled, and with prose that leads somewhere.

use jackknife_kernel::lab;
use jackknife_kernel::notebook::{Notebook, text};
use std::path::{Path, PathBuf};

fn notebooks() -> Vec<(String, Notebook)> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let paths: Vec<PathBuf> = lab::notebooks(&repository).unwrap();
    let name = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    let read = paths.iter().map(|path| (name(path), Notebook::read(path).unwrap())).collect::<Vec<_>>();
    assert!(!read.is_empty(), "there are notebooks");
    read
}

#[test]
fn there_are_eight_in_the_order_of_the_story() {
    let names: Vec<String> = notebooks().into_iter().map(|(name, _)| name).collect();
    assert_eq!(
        names,
        [
            "01_naive_jackknife",
            "02_jackknife_plus",
            "03_first_order_dj",
            "04_second_order_dj",
            "05_uci_audit",
            "06_the_paper_rebuilt",
            "07_your_own_data",
            "08_the_tangent"
        ]
    );
}

#[test]
fn each_asks_for_the_kernel_and_was_executed_from_top_to_bottom() {
    for (name, notebook) in notebooks() {
        assert_eq!(notebook.kernel(), "jackknife", "{name}");
        for (number, cell) in notebook.code_cells().enumerate() {
            let count = notebook.execution_count(cell.index);
            assert_eq!(count, Some(number as u64 + 1), "{name}, cell {}", cell.index + 1);
        }
    }
}

#[test]
fn only_cells_tagged_for_it_show_an_error_and_every_notebook_has_one() {
    for (name, notebook) in notebooks() {
        let complains = |output: &serde_json::Value| output["output_type"] == "error" || output["name"] == "stderr";
        for cell in notebook.code_cells() {
            let complaint = cell.outputs.iter().any(complains);
            assert_eq!(complaint, cell.raises(), "{name}, cell {}", cell.index + 1);
        }
        assert!(notebook.code_cells().any(|cell| cell.raises()), "{name} shows no error on purpose");
    }
}

#[test]
fn cells_are_short_and_prose_is_at_least_as_frequent_as_code() {
    for (name, notebook) in notebooks() {
        let (code, prose) = (notebook.code_cells().count(), notebook.prose().len());
        assert!((20..=45).contains(&(code + prose)), "{name} has {} cells", code + prose);
        assert!(4 * prose >= 3 * code, "{name} has {code} code cells and {prose} of prose");
        for cell in notebook.code_cells() {
            let lines = cell.source.lines().count();
            assert!(lines <= 12, "{name}, cell {} has {lines} lines", cell.index + 1);
            let longest = cell.source.lines().map(|line| line.chars().count()).max().unwrap_or(0);
            assert!(longest <= 110, "{name}, cell {} has a line of {longest} characters", cell.index + 1);
        }
    }
}

#[test]
fn each_begins_with_a_title_and_a_question_and_ends_with_where_to_go() {
    for (name, notebook) in notebooks() {
        let prose = notebook.prose();
        let mut opening = prose[0].lines();
        assert!(opening.next().unwrap().starts_with("# "), "{name}");
        assert!(opening.any(|line| line.starts_with("> ")), "{name} has no subtitle");
        assert!(prose.last().unwrap().contains(".ipynb)"), "{name} ends without a link to the next");
        let first = notebook.code_cells().next().unwrap();
        assert!(first.source.starts_with(":dep jackknife = { path = \"..\""), "{name}");
    }
}

#[test]
fn links_between_notebooks_lead_somewhere() {
    let names: Vec<String> = notebooks().into_iter().map(|(name, _)| format!("{name}.ipynb")).collect();
    for (name, notebook) in notebooks() {
        for link in notebook.prose().iter().flat_map(|p| p.split("](").skip(1).filter_map(|l| l.split(')').next())) {
            if link.ends_with(".ipynb") {
                assert!(names.iter().any(|n| n == link), "{name} links to {link}");
            }
        }
    }
}

#[test]
fn no_output_names_a_path_of_the_machine_that_ran_it() {
    let home = std::env::var("HOME").unwrap_or_default();
    let clone = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap().display().to_string();
    for (name, notebook) in notebooks() {
        for cell in notebook.code_cells() {
            for output in &cell.outputs {
                let plain = text(&output["text"]) + &text(&output["data"]["text/plain"]);
                for stranger in ["/tmp/", "/root/", "/home/", &clone] {
                    assert!(!plain.contains(stranger), "{name}, cell {}: {plain}", cell.index + 1);
                }
                assert!(home.len() < 4 || !plain.contains(&home), "{name}, cell {}", cell.index + 1);
            }
        }
    }
}
