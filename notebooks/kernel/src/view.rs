//! What type inference reads.
//!
//! evcxr finds the types of a cell's variables with rust-analyzer, which reads the sources of the whole dependency tree
//! before the first cell runs, though only those can matter that a signature names: `ndarray`, but not the matrix product
//! underneath. It asks the `cargo` in `$CARGO_HOME/bin` for the tree. In the lab's own cargo home that is a link to this
//! program, which passes on what the real cargo says, without the crates that no signature names. What is built stays
//! whole: evcxr calls the compiler's own cargo for that.

use crate::{Result, lab::Lab};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// For crates whose name begins so, the dependencies (by the beginning of their names) that show in a public signature.
/// Of every other crate all dependencies are read, and so is whatever a `:dep` line names itself.
const SHOWN: [(&str, &[&str]); 5] = [
    ("jackknife", &["ndarray", "linfa", "polars"]),
    ("ndarray", &["num-complex", "num-traits"]),
    ("num-", &["num-traits"]),
    ("linfa", &["linfa", "ndarray", "num-traits"]),
    ("polars", &["polars", "num-traits", "indexmap", "hashbrown", "either", "compact_str", "chrono"]),
];

/// Dependencies that are left out all the same: engines behind the signatures.
const HIDDEN: [&str; 10] = [
    "ndarray-stats",
    "polars-async",
    "polars-config",
    "polars-expr",
    "polars-mem-engine",
    "polars-ooc",
    "polars-parquet",
    "polars-row",
    "polars-sql",
    "polars-stream",
];

/// The members of the standard library's workspace that cells can name.
const STANDARD: [&str; 4] = ["alloc", "core", "proc_macro", "std"];

/// Whether this program was called by the name of cargo.
pub fn is_asked() -> bool {
    std::env::args_os().next().is_some_and(|name| Path::new(&name).file_stem().is_some_and(|stem| stem == "cargo"))
}

/// Puts this program in the place where rust-analyzer looks for cargo. Without it the first cells take longer, so that
/// failing is no error.
pub fn install(lab: &Lab) {
    let place = lab.cargo_home().join("bin");
    let link = place.join("cargo");
    let Ok(program) = std::env::current_exe() else { return };
    if std::fs::read_link(&link).is_ok_and(|target| target == program) || std::fs::create_dir_all(&place).is_err() {
        return;
    }
    #[cfg(unix)]
    {
        // Made beside and renamed: another kernel may be looking.
        let fresh = place.join(format!("cargo-{}", std::process::id()));
        if std::os::unix::fs::symlink(&program, &fresh).is_ok() && std::fs::rename(&fresh, &link).is_err() {
            let _ = std::fs::remove_file(&fresh);
        }
    }
}

/// Answers as cargo, but with fewer crates where rust-analyzer asks for the tree. Gives the exit code.
pub fn answer() -> Result<i32> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let asks_for_tree =
        arguments.first().is_some_and(|first| first == "metadata") && !arguments.iter().any(|a| a == "--no-deps");
    let mut cargo = Command::new(real_cargo().ok_or("cargo was not found beside rustc nor in PATH")?);
    cargo.args(&arguments);
    if !asks_for_tree {
        let status = cargo.status().map_err(|e| format!("cargo cannot be run: {e}"))?;
        return Ok(status.code().unwrap_or(1));
    }
    let output = cargo.stderr(Stdio::inherit()).output().map_err(|e| format!("cargo cannot be run: {e}"))?;
    match serde_json::from_slice(&output.stdout).map(shorten) {
        Ok(tree) => println!("{tree}"),
        // What cannot be read is rust-analyzer's to judge.
        Err(_) => print!("{}", String::from_utf8_lossy(&output.stdout)),
    }
    Ok(output.status.code().unwrap_or(1))
}

/// The toolchain's cargo: never this program, even if rustup has put the lab's cargo home in front of PATH.
fn real_cargo() -> Option<PathBuf> {
    let own = std::env::current_exe().ok().and_then(|path| path.canonicalize().ok());
    let named = std::env::var_os("RUSTUP_TOOLCHAIN").map(|root| PathBuf::from(root).join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = named.filter(|folder| folder.is_absolute()).into_iter().chain(std::env::split_paths(&path));
    folders
        .map(|folder| folder.join(format!("cargo{}", std::env::consts::EXE_SUFFIX)))
        .find(|cargo| cargo.is_file() && cargo.canonicalize().ok() != own)
}

/// The answer of `cargo metadata` without the crates that no signature names.
pub fn shorten(mut tree: Value) -> Value {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let packages = tree["packages"].as_array().cloned().unwrap_or_default();
    let names: BTreeMap<String, String> = packages.iter().map(|p| (text(&p["id"]), text(&p["name"]))).collect();
    let name = |id: &str| names.get(id).map_or("", String::as_str);
    let is_standard = text(&tree["workspace_root"]).replace('\\', "/").ends_with("rust/library");
    let is_wanted = |id: &Value| !is_standard || STANDARD.contains(&name(id.as_str().unwrap_or_default()));
    for members in ["workspace_members", "workspace_default_members"] {
        if let Some(members) = tree[members].as_array_mut() {
            members.retain(is_wanted);
        }
    }
    let members: BTreeSet<String> = tree["workspace_members"].as_array().into_iter().flatten().map(text).collect();
    let mut nodes = tree["resolve"]["nodes"].as_array().cloned().unwrap_or_default();
    let named_by_cells: BTreeSet<String> = nodes
        .iter()
        .filter(|node| members.contains(&text(&node["id"])))
        .flat_map(|node| node["deps"].as_array().into_iter().flatten().map(|d| text(&d["pkg"])))
        .collect();

    let mut shown: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for node in &mut nodes {
        let from = text(&node["id"]);
        if let Some(dependencies) = node["deps"].as_array_mut() {
            dependencies.retain(|dependency| {
                let to = &dependency["pkg"];
                let is_linked =
                    dependency["dep_kinds"].as_array().is_none_or(|k| k.iter().any(|k| k["kind"].is_null()));
                let is_named = named_by_cells.contains(to.as_str().unwrap_or_default());
                is_wanted(to) && is_linked && (is_named || is_shown(name(&from), name(to.as_str().unwrap_or_default())))
            });
            let kept: Vec<String> = dependencies.iter().map(|d| text(&d["pkg"])).collect();
            node["dependencies"] = kept.clone().into();
            shown.insert(from, kept);
        }
    }

    let mut reached = members.clone();
    let mut open: Vec<String> = members.into_iter().collect();
    while let Some(id) = open.pop() {
        for next in shown.get(&id).into_iter().flatten() {
            if reached.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    let keep = |all: Vec<Value>| -> Vec<Value> {
        all.into_iter().filter(|entry| reached.contains(entry["id"].as_str().unwrap_or_default())).collect()
    };
    tree["packages"] = keep(packages).into();
    tree["resolve"]["nodes"] = keep(nodes).into();
    tree
}

/// Whether a signature of the first crate may name the second.
fn is_shown(from: &str, to: &str) -> bool {
    match SHOWN.iter().find(|(crates, _)| from.starts_with(crates)) {
        Some((_, shown)) => shown.iter().any(|beginning| to.starts_with(beginning)) && !HIDDEN.contains(&to),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A tree of the given edges; the first crate is the cells' own.
    fn tree(edges: &[(&str, &[&str])]) -> Value {
        let dependency = |to: &&str| json!({ "pkg": to, "dep_kinds": [{ "kind": null }] });
        json!({
            "workspace_root": "/somewhere",
            "workspace_members": [edges[0].0],
            "packages": edges.iter().map(|(id, _)| json!({ "id": id, "name": id })).collect::<Vec<_>>(),
            "resolve": { "nodes": edges.iter().map(|(id, to)| {
                json!({ "id": id, "dependencies": to, "deps": to.iter().map(dependency).collect::<Vec<_>>() })
            }).collect::<Vec<_>>() },
        })
    }

    fn read(tree: &Value) -> Vec<&str> {
        tree["packages"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect()
    }

    #[test]
    fn crates_behind_the_signatures_are_not_read() {
        let whole =
            tree(&[("ctx", &["jackknife"]), ("jackknife", &["ndarray", "faer"]), ("ndarray", &[]), ("faer", &[])]);
        let short = shorten(whole);
        assert_eq!(read(&short), ["ctx", "jackknife", "ndarray"]);
        // Every edge leads to a crate that is there: rust-analyzer panics otherwise.
        assert_eq!(short["resolve"]["nodes"][1]["dependencies"], json!(["ndarray"]));
    }

    #[test]
    fn what_a_dep_line_names_is_read_with_all_that_it_needs() {
        let whole = tree(&[
            ("ctx", &["jackknife", "faer", "other"]),
            ("jackknife", &["faer", "rayon"]),
            ("faer", &["gemm"]),
            ("gemm", &[]),
            ("other", &["rand"]),
            ("rand", &[]),
            ("rayon", &[]),
        ]);
        let short = shorten(whole);
        assert_eq!(read(&short), ["ctx", "jackknife", "faer", "gemm", "other", "rand"]);
        assert_eq!(short["resolve"]["nodes"][1]["dependencies"], json!(["faer"]));
    }

    #[test]
    fn of_the_standard_library_the_nameable_members_stay() {
        let mut whole = tree(&[("std", &["core", "hashbrown"]), ("core", &[]), ("hashbrown", &[]), ("coretests", &[])]);
        whole["workspace_root"] = "/toolchain/lib/rustlib/src/rust/library".into();
        whole["workspace_members"] = json!(["std", "core", "coretests"]);
        let short = shorten(whole);
        assert_eq!(read(&short), ["std", "core"]);
        assert_eq!(short["workspace_members"], json!(["std", "core"]));
    }
}
