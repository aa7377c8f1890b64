//! The page about languages, written from what describes them.

use anyhow::Context;
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

| language | class | names for `--lang` | files |
| --- | --- | --- | --- |
";

const TAIL: &str = "
The large parsers of rarer languages (Fortran, Julia, OCaml, Pascal, Perl, PowerShell) are behind the
feature `rare`, which is on by default. Built with `--no-default-features`, scent is about a third
smaller and indexes files in these languages by paragraphs.
";

/// Writes the page.
pub(crate) fn run(root: &Path) -> anyhow::Result<ExitCode> {
    let folder = root.join("crates/syntax/languages");
    let mut languages = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('_') {
            continue;
        }
        let path = entry.path().join("language.toml");
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        languages.push((name, text));
    }
    let languages: Vec<(&str, &str)> = languages
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    fs::write(root.join(PAGE), page(&languages)?).context(PAGE)?;
    Ok(ExitCode::SUCCESS)
}

/// The page, from the folder and the description of every language.
pub(crate) fn page(languages: &[(&str, &str)]) -> anyhow::Result<String> {
    let mut rows = Vec::new();
    for (folder, text) in languages {
        rows.push(row(folder, text).with_context(|| (*folder).to_owned())?);
    }
    rows.sort_by_key(|row| row.to_lowercase());
    Ok(format!("{HEAD}{}{TAIL}", rows.concat()))
}

fn row(folder: &str, text: &str) -> anyhow::Result<String> {
    let table: toml::Table = text.parse()?;
    let name = table.get("name").and_then(toml::Value::as_str);
    let class = table.get("class").and_then(toml::Value::as_str);
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
        "| {} | {} | {names} | {} |\n",
        name.context("no name")?,
        class.context("no class")?,
        files.join(" ").replace('*', "\\*")
    ))
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
        let want = "| C++ | code | `cpp` `c++` | .cpp Cppfile Make.\\* |\n";
        assert_eq!(row("cpp", text)?, want);
        assert!(row("cpp", "name = \"C++\"").is_err());
        Ok(())
    }
}
