//! The page about languages, written from what describes them.

use anyhow::Context;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// Where the page is.
pub(crate) const PAGE: &str = "docs/languages.md";

const HEAD: &str = "\
# Languages

<!-- Written by `cargo run -p xtask -- languages` from crates/syntax/languages. -->

These languages are parsed: results are functions, types, sections and blocks. Text in any other
language is split into paragraphs. `.h` is C or C++ by its contents. A file whose name says nothing
is recognised by its `#!` line. [CONTRIBUTING.md](../CONTRIBUTING.md#adding-a-language) says how to
add a language.

A language is read by its grammar, or by its structure, for which the grammar of another language
does: notebooks by their cells, Vue by its sections, Teal as Lua with types. All have units. With
symbols, `scent def`, `outline` and `map` know what a file defines; with references, `scent refs`
and `impact` know who uses it; with imports, `scent deps` knows which files belong together.

| language | class | by | symbols | references | imports | names for `--lang` | files |
| --- | --- | --- | --- | --- | --- | --- | --- |
";

const TAIL: &str = "
The large parsers of rarer languages (Fortran, Julia, OCaml, Pascal, Perl, PowerShell) are behind the
feature `rare`, which is on by default. Built with `--no-default-features`, scent is about a third
smaller, indexes files in these languages by paragraphs, and cannot use models on servers, which are
behind the feature `remote`; `--no-default-features --features remote` leaves out the parsers alone.
";

/// The files of a language that say what is known of it.
const FILES: [&str; 3] = ["language.toml", "units.scm", "refs.scm"];

/// Kinds of units that define the name that they have.
const SYMBOLS: [&str; 13] = [
    "unit.function",
    "unit.method",
    "unit.class",
    "unit.struct",
    "unit.enum",
    "unit.trait",
    "unit.interface",
    "unit.type",
    "unit.constant",
    "unit.macro",
    "unit.module",
    "unit.rule",
    "unit.table",
];

/// Writes the page.
pub(crate) fn run(root: &Path) -> anyhow::Result<ExitCode> {
    let folder = root.join("crates/syntax/languages");
    let mut texts = BTreeMap::new();
    for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        for file in FILES {
            // A folder that only has queries for others has no description.
            if let Ok(text) = fs::read_to_string(path.join(file)) {
                texts.insert(format!("{name}/{file}"), text);
            }
        }
    }
    fs::write(root.join(PAGE), page(&texts)?).context(PAGE)?;
    Ok(ExitCode::SUCCESS)
}

/// The page, from the texts of all language folders by their paths in
/// `languages/`.
pub(crate) fn page(texts: &BTreeMap<String, String>) -> anyhow::Result<String> {
    let mut rows = Vec::new();
    for (path, text) in texts {
        if let Some(folder) = path.strip_suffix("/language.toml") {
            let queries = ["units.scm", "refs.scm"].map(|file| query(texts, folder, file));
            rows.push(row(folder, text, &queries).with_context(|| folder.to_owned())?);
        }
    }
    rows.sort_by_key(|row| row.to_lowercase());
    Ok(format!("{HEAD}{}{TAIL}", rows.concat()))
}

/// A query with those that it inherits.
fn query(texts: &BTreeMap<String, String>, folder: &str, file: &str) -> String {
    let Some(own) = texts.get(&format!("{folder}/{file}")) else {
        return String::new();
    };
    let first = own.lines().next().unwrap_or_default();
    let parents = first.strip_prefix("; inherits: ").unwrap_or_default();
    let mut whole = own.clone();
    for parent in parents.split(',').map(str::trim) {
        if parent != folder {
            whole += &query(texts, parent, file);
        }
    }
    whole
}

fn row(folder: &str, text: &str, [units, refs]: &[String; 2]) -> anyhow::Result<String> {
    let table: toml::Table = text.parse()?;
    let name = table.get("name").and_then(toml::Value::as_str);
    let class = table.get("class").and_then(toml::Value::as_str);
    let by = match table.contains_key("structure") {
        true => "structure",
        false => "grammar",
    };
    // What is in another language has what that has.
    let injects = units.contains("@inject");
    let symbols = injects || SYMBOLS.iter().any(|kind| has_capture(units, kind));
    let references = injects
        || ["call", "type", "use"]
            .iter()
            .any(|role| has_capture(refs, role));
    let imports = injects || has_capture(refs, "import");
    let known = [symbols, references, imports].map(|known| if known { "yes" } else { "–" });
    let mut names = format!("`{folder}`");
    for alias in strings(&table, "aliases") {
        let _ = write!(names, " `{alias}`");
    }
    let mut files = Vec::new();
    for extension in strings(&table, "extensions") {
        files.push(format!(".{extension}"));
    }
    files.extend(strings(&table, "file_names").map(str::to_owned));
    files.extend(strings(&table, "file_stems").map(|stem| format!("{stem}.*")));
    Ok(format!(
        "| {} | {} | {by} | {} | {names} | {} |\n",
        name.context("no name")?,
        class.context("no class")?,
        known.join(" | "),
        files.join(" ").replace('*', "\\*")
    ))
}

/// Whether a query has a capture.
fn has_capture(query: &str, name: &str) -> bool {
    query.contains(&format!("@{name}"))
}

fn strings<'t>(table: &'t toml::Table, key: &str) -> impl Iterator<Item = &'t str> {
    let values = table.get(key).and_then(toml::Value::as_array);
    values.into_iter().flatten().filter_map(toml::Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_names_and_files() -> anyhow::Result<()> {
        let text = "name = \"C++\"\nclass = \"code\"\naliases = [\"c++\"]\n\
                    extensions = [\"cpp\"]\nfile_names = [\"Cppfile\"]\nfile_stems = [\"Make\"]\n";
        let want =
            "| C++ | code | grammar | yes | – | yes | `cpp` `c++` | .cpp Cppfile Make.\\* |\n";
        let queries = ["(a) @unit.class", "(b) @import"].map(str::to_owned);
        assert_eq!(row("cpp", text, &queries)?, want);
        assert!(row("cpp", "name = \"C++\"", &queries).is_err());
        Ok(())
    }
}
