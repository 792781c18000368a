//! One direction: a module of `src/` uses those that stand before it in ARCHITECTURE.md, and none that stand after it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The crate's root and the program, which belong to no module.
const ROOTS: [&str; 2] = ["lib", "main"];

/// The names of an ordered list whose items begin as "3. `name`".
fn listed(text: &str) -> Vec<String> {
    let name = |line: &str| {
        let (number, rest) = line.split_once(". `")?;
        number.parse::<usize>().ok()?;
        Some(rest.split_once('`')?.0.to_string())
    };
    text.lines().filter_map(name).collect()
}

/// The code alone: without comments, docs and what is compiled for tests only.
fn code(source: &str) -> String {
    let mut lines = source.lines();
    let mut kept = String::new();
    while let Some(line) = lines.next() {
        if line.trim() == "#[cfg(test)]" {
            // The item after it, which rustfmt closes where its first line begins.
            let Some(item) = lines.find(|line| !line.trim_start().starts_with("#[")) else { break };
            let end = format!("{}}}", &item[..item.len() - item.trim_start().len()]);
            if !item.ends_with(';') && !item.ends_with('}') {
                lines.find(|line| *line == end);
            }
            continue;
        }
        // A comment at the end of a line has a space before it; the slashes of an address have none.
        let line = if line.trim_start().starts_with("//") { "" } else { line.split(" // ").next().unwrap_or("") };
        kept += line;
        kept.push('\n');
    }
    kept
}

/// The identifier that a text begins with.
fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// What a path through the root goes to: `name::…`, or each of `{name::…, name::{…}}`.
fn targets(text: &str) -> Vec<String> {
    let Some(group) = text.strip_prefix('{') else { return vec![identifier(text).to_string()] };
    let (mut depth, mut item, mut names) = (1, String::new(), Vec::new());
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 || depth == 1 && c == ',' {
            names.push(identifier(item.trim()).to_string());
            item.clear();
        } else {
            item.push(c);
        }
        if depth == 0 {
            break;
        }
    }
    // A comma may close the group.
    names.retain(|name| !name.is_empty());
    names
}

/// The names that a source reaches through the root of the crate, from a file so many folders and files below it.
fn reached(source: &str, depth: usize) -> BTreeSet<String> {
    let code = code(source);
    let up = "super::".repeat(depth);
    let reach = |path: &'static str| code.match_indices(path).map(move |(at, _)| at).collect::<Vec<_>>();
    let mut names = BTreeSet::new();
    for at in reach("crate::") {
        names.extend(targets(&code[at + "crate::".len()..]));
    }
    for at in reach("super::") {
        // Where the path begins, so that its tail is not taken for another one.
        if !code[..at].ends_with("super::") && code[at..].starts_with(&up) {
            names.extend(targets(&code[at + up.len()..]));
        }
    }
    names
}

/// Every use of a module that stands after the one that uses it, as "a uses b".
fn upward(order: &[String], uses: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let place = |name: &str| order.iter().position(|listed| listed == name);
    let mut found = Vec::new();
    for (module, names) in uses {
        let Some(here) = place(module) else { continue };
        found.extend(names.iter().filter(|name| place(name) > Some(here)).map(|name| format!("{module} uses {name}")));
    }
    found
}

/// Every source below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found
}

/// What each module of the crate reaches, by the name of the module.
fn crate_uses() -> BTreeMap<String, BTreeSet<String>> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in sources(&src) {
        let parts: Vec<String> =
            path.strip_prefix(&src).unwrap().iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let module = parts[0].trim_end_matches(".rs").to_string();
        if ROOTS.contains(&module.as_str()) {
            continue;
        }
        let names = uses.entry(module).or_default();
        // `#[cfg(test)] mod tests;` has a file of its own.
        if parts.last().is_some_and(|name| name != "tests.rs") {
            names.extend(reached(&fs::read_to_string(&path).unwrap(), parts.len()));
        }
    }
    uses
}

fn crate_order() -> Vec<String> {
    listed(&fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md")).unwrap())
}

#[test]
fn no_module_uses_one_that_stands_after_it() {
    let (order, uses) = (crate_order(), crate_uses());
    let edges: usize = uses.values().map(|names| names.iter().filter(|name| order.contains(name)).count()).sum();
    assert!(edges > 50, "only {edges} uses were found: the reading of the sources is broken");
    assert_eq!(upward(&order, &uses), [""; 0]);
}

#[test]
fn every_module_stands_in_the_list_once() {
    let order = crate_order();
    for module in crate_uses().keys() {
        let times = order.iter().filter(|name| *name == module).count();
        assert_eq!(times, 1, "ARCHITECTURE.md lists `{module}` {times} times");
    }
    for name in &order {
        assert!(crate_uses().contains_key(name), "ARCHITECTURE.md lists `{name}`, which is gone");
    }
}

#[test]
fn a_use_of_what_stands_later_is_found_and_one_of_what_stands_earlier_is_not() {
    let order =
        listed("1. `error`: first.\n2. `sample`: second,\n   `not` a name.\n- `nor` this.\n10. `report`: last.\n");
    assert_eq!(order, ["error", "sample", "report"]);
    let uses = |source: &str| BTreeMap::from([("sample".to_string(), reached(source, 2))]);
    assert_eq!(upward(&order, &uses("use crate::error::Error;\nuse crate::sample::Sample;\n")), [""; 0]);
    assert_eq!(upward(&order, &uses("fn f() {\n    crate::report::page();\n}\n")), ["sample uses report"]);
}

#[test]
fn groups_and_relative_paths_are_uses_too() {
    let names = |source: &str, depth| reached(source, depth).into_iter().collect::<Vec<_>>();
    assert_eq!(names("use crate::{\n    error::{Error, Result},\n    report,\n};\n", 1), ["error", "report"]);
    assert_eq!(names("use super::report::Page;\n", 1), ["report"]);
    assert_eq!(names("use super::super::report::Page;\n", 2), ["report"]);
    assert_eq!(names("use super::report::Page;\n", 2), [""; 0]);
}

#[test]
fn comments_docs_and_tests_are_no_uses() {
    let source = "//! [`crate::report`]\n/// As crate::report.\nfn f() {} // crate::report\n\
                  #[cfg(test)]\nmod tests {\n    use crate::report::Page;\n}\n\
                  #[cfg(test)]\nmod other;\nuse crate::error::Error;\n";
    assert_eq!(reached(source, 1).into_iter().collect::<Vec<_>>(), ["error"]);
}
