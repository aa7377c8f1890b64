//! The licences of all that is built in, against the list in `deny.toml`.
//!
//! `cargo deny` checks this too, and more, but takes minutes to install; this
//! needs nothing. It sees what is built for this system with the features that
//! are on unless told otherwise.

use anyhow::{Context, ensure};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Fails where a dependency has no licence that is allowed.
pub(crate) fn run(root: &Path) -> anyhow::Result<ExitCode> {
    let deny = std::fs::read_to_string(root.join("deny.toml")).context("deny.toml")?;
    let allowed = allowed(&deny)?;
    let packages = packages(root)?;
    let problems: Vec<String> = packages
        .iter()
        .filter_map(|(name, licence)| problem(name, licence, &allowed))
        .collect();
    for problem in &problems {
        eprintln!("{problem}");
    }
    println!(
        "licences: {} packages, {} problems",
        packages.len(),
        problems.len()
    );
    Ok(ExitCode::from(u8::from(!problems.is_empty())))
}

fn problem(name: &str, licence: &str, allowed: &[String]) -> Option<String> {
    let says = if licence.is_empty() {
        "no licence"
    } else {
        licence
    };
    (!is_allowed(licence, allowed)).then(|| format!("{name}: {says} is not allowed by deny.toml"))
}

fn allowed(deny: &str) -> anyhow::Result<Vec<String>> {
    let table: toml::Table = deny.parse().context("deny.toml")?;
    let list = table
        .get("licenses")
        .and_then(|licences| licences.get("allow")?.as_array());
    let list = list.context("deny.toml: there is no licenses.allow")?;
    Ok(list
        .iter()
        .filter_map(|licence| licence.as_str())
        .map(str::to_owned)
        .collect())
}

/// Every package that is not ours, with its licence.
fn packages(root: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let system = output(Command::new("rustc").arg("-vV"))?;
    let system = system.lines().find_map(|line| line.strip_prefix("host: "));
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .current_dir(root)
        .args(["metadata", "--locked", "--format-version", "1"]);
    command.args([
        "--filter-platform",
        system.context("rustc does not say its system")?,
    ]);
    let all: Value = serde_json::from_str(&output(&mut command)?)?;
    let packages = all["packages"]
        .as_array()
        .context("cargo metadata names no packages")?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let foreign = packages
        .iter()
        .filter(|package| !package["source"].is_null());
    Ok(foreign
        .map(|package| (text(&package["name"]), text(&package["license"])))
        .collect())
}

fn output(command: &mut Command) -> anyhow::Result<String> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{command:?}: {said}");
    Ok(String::from_utf8(output.stdout)?)
}

/// Whether an SPDX expression can be met with these licences.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    // Before SPDX, a slash was an "or"; since SPDX 3, operators may be lower case.
    let spaced = expression
        .replace('/', " OR ")
        .replace(" or ", " OR ")
        .replace(" and ", " AND ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let (met, rest) = any(&words, allowed);
    met && rest.is_empty()
}

/// Alternatives, and the words after them.
fn any<'w>(words: &'w [&'w str], allowed: &[String]) -> (bool, &'w [&'w str]) {
    let (mut met, mut rest) = all(words, allowed);
    while let ["OR", next @ ..] = rest {
        let (this, after) = all(next, allowed);
        (met, rest) = (met | this, after);
    }
    (met, rest)
}

/// What has to be met together, and the words after it.
fn all<'w>(words: &'w [&'w str], allowed: &[String]) -> (bool, &'w [&'w str]) {
    let (mut met, mut rest) = one(words, allowed);
    while let ["AND", next @ ..] = rest {
        let (this, after) = one(next, allowed);
        (met, rest) = (met & this, after);
    }
    (met, rest)
}

fn one<'w>(words: &'w [&'w str], allowed: &[String]) -> (bool, &'w [&'w str]) {
    let is_in = |licence: &str| allowed.iter().any(|known| known == licence);
    match words {
        ["(", inner @ ..] => match any(inner, allowed) {
            (met, [")", rest @ ..]) => (met, rest),
            (_, rest) => (false, rest),
        },
        [name, "WITH", exception, rest @ ..] => (is_in(&format!("{name} WITH {exception}")), rest),
        [name, rest @ ..] => (is_in(name), rest),
        [] => (false, words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_met_or_not() {
        let allowed = ["MIT", "ISC", "Apache-2.0"].map(str::to_owned);
        for (expression, want) in [
            ("MIT", true),
            ("MIT/GPL-3.0", true),
            ("GPL-3.0 OR MIT", true),
            ("GPL-3.0 or MIT", true),
            ("GPL-3.0 and MIT", false),
            ("MIT AND ISC", true),
            ("MIT AND GPL-3.0", false),
            ("GPL-3.0 OR MIT AND ISC", true),
            ("MIT AND (GPL-3.0 OR ISC)", true),
            ("(MIT OR ISC) AND GPL-3.0", false),
            ("Apache-2.0 WITH LLVM-exception", false),
            ("Apache-2.0 WITH LLVM-exception OR MIT", true),
            ("GPL-3.0", false),
            ("", false),
            ("MIT ISC", false),
            ("(MIT", false),
        ] {
            assert_eq!(is_allowed(expression, &allowed), want, "{expression}");
        }
    }

    #[test]
    fn the_list_is_that_of_cargo_deny() {
        let list = allowed("[licenses]\nallow = [\"MIT\", \"ISC\"]\n").unwrap();
        assert_eq!(list, ["MIT", "ISC"]);
        assert!(allowed("[licenses]\n").is_err());
    }
}
