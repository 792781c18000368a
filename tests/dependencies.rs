//! What the crate and the notebooks' kernel are built from, held against the lists of `deny.toml`: licences, registries, and a
//! single version of each crate but for those that have a reason.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

struct Crate {
    name: String,
    version: String,
    license: String,
    /// A path or a repository, if it is not from the registry.
    place: Option<String>,
}

/// All that is built for this machine, tests and build scripts included.
fn crates() -> Vec<Crate> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let tree = Command::new(cargo)
        .args(["tree", "--workspace", "--locked", "--prefix", "none", "--no-dedupe", "--format", "{p}|{l}"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let lines: BTreeSet<String> = String::from_utf8(tree.stdout).unwrap().lines().map(str::to_owned).collect();
    let crates = lines.iter().filter_map(|line| {
        let (package, license) = line.split_once('|')?;
        let (name, rest) = package.split_once(" v")?;
        let mut words = rest.split_whitespace();
        let version = words.next()?.to_owned();
        let place = words.find(|word| *word != "(proc-macro)").map(str::to_owned);
        Some(Crate { name: name.to_owned(), version, license: license.to_owned(), place })
    });
    crates.collect()
}

/// The lines of the list `name` in `deny.toml`.
fn list(name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/deny.toml")).unwrap();
    let lines = text.lines().skip_while(|line| *line != format!("{name} = [")).skip(1).take_while(|line| *line != "]");
    let lines: Vec<_> = lines.map(|line| line.trim().to_owned()).filter(|line| !line.starts_with('#')).collect();
    assert!(!lines.is_empty(), "deny.toml has no list `{name}`");
    lines
}

/// The texts between quotation marks.
fn quoted(line: &str) -> Vec<&str> {
    line.split('"').skip(1).step_by(2).collect()
}

/// Whether an expression of licences can be met by those that `may` says yes to.
fn is_met(expression: &str, may: &dyn Fn(&str) -> bool) -> bool {
    let expression = expression.trim();
    if let Some(parts) = split(expression, " OR ") {
        return parts.iter().any(|part| is_met(part, may));
    }
    if let Some(parts) = split(expression, " AND ") {
        return parts.iter().all(|part| is_met(part, may));
    }
    match expression.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => is_met(inner, may),
        None => may(expression),
    }
}

/// The parts between a word that stands outside all brackets.
fn split<'a>(expression: &'a str, word: &str) -> Option<Vec<&'a str>> {
    let depth = |end: usize| expression[..end].matches('(').count() - expression[..end].matches(')').count();
    let ends: Vec<usize> = expression.match_indices(word).map(|(at, _)| at).filter(|&at| depth(at) == 0).collect();
    let mut parts = Vec::new();
    let mut start = 0;
    for &end in &ends {
        parts.push(&expression[start..end]);
        start = end + word.len();
    }
    parts.push(&expression[start..]);
    (parts.len() > 1).then_some(parts)
}

#[test]
fn an_expression_of_licences_is_met_by_one_side_of_or_and_both_of_and() {
    let may = |license: &str| license == "MIT" || license == "Unicode-3.0";
    for met in ["MIT", "GPL-3.0 OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0", "MIT AND Unicode-3.0"] {
        assert!(is_met(met, &may), "{met}");
    }
    for unmet in ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT AND GPL-3.0) OR Zlib", "MIT WITH exception"] {
        assert!(!is_met(unmet, &may), "{unmet}");
    }
}

#[test]
#[ignore = "cargo downloads the crates of the notebooks' kernel for it"]
fn licences_are_allowed_and_all_crates_come_from_the_registry() {
    let (allowed, exceptions) = (list("allow"), list("exceptions"));
    let allowed: Vec<&str> = allowed.iter().flat_map(|line| quoted(line)).collect();
    for Crate { name, version, license, place } in crates() {
        let exception: Vec<&str> =
            exceptions.iter().map(|line| quoted(line)).filter(|words| words[0] == name).flatten().skip(1).collect();
        let may = |license: &str| allowed.contains(&license) || exception.contains(&license);
        // The older way to write it.
        let license = license.replace(" / ", " OR ").replace('/', " OR ");
        assert!(is_met(&license, &may), "{name} {version} has the licence `{license}`, which deny.toml does not allow");
        let ours = name == "jackknife" || name == "jackknife-kernel";
        assert_eq!(ours, place.is_some(), "{name} {version} comes from {}", place.as_deref().unwrap_or("a registry"));
    }
}

#[test]
#[ignore = "cargo downloads the crates of the notebooks' kernel for it"]
fn a_crate_is_there_in_one_version_unless_deny_toml_says_why() {
    let skip = list("skip");
    let skip: Vec<(&str, &str)> = skip
        .iter()
        .map(|line| match quoted(line)[..] {
            [which, reason] if !reason.is_empty() => which.split_once(':').unwrap(),
            _ => panic!("no reason: {line}"),
        })
        .collect();
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for Crate { name, version, .. } in crates() {
        versions.entry(name).or_default().insert(version);
    }
    let is = |version: &str, start: &str| version == start || version.starts_with(&format!("{start}."));
    for (name, versions) in &versions {
        let starts = || skip.iter().filter(|(skipped, _)| skipped == name).map(|(_, start)| *start);
        let others: Vec<_> = versions.iter().filter(|version| !starts().any(|start| is(version, start))).collect();
        assert!(others.len() <= 1, "{name} is there as {others:?}: give deny.toml the reason");
    }
    for (name, start) in skip {
        let there = versions.get(name).is_some_and(|all| all.len() > 1 && all.iter().any(|version| is(version, start)));
        assert!(there, "{name} {start} is no second version any more: deny.toml can forget it");
    }
}
