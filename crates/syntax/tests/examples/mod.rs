//! Compares a language's examples with the units and references expected of
//! them. `languages/<name>/examples/FILE` has beside it `FILE.units`,
//! `FILE.members` and `FILE.refs`, one line an entry.

#[path = "../../inherit.rs"]
mod inherit;

use scent_syntax::{Language, Queries};
use scent_types::{Import, Kind, Reference, Role, Unit};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// What checking one language found.
#[derive(Default)]
pub struct Checked {
    pub examples: usize,
    pub problems: Vec<String>,
}

pub fn languages_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("languages")
}

pub fn check_language(name: &str, update: bool) -> Checked {
    let mut checked = Checked::default();
    let queries = match queries_from_disk(name) {
        Ok(queries) => queries,
        Err(problem) => {
            checked.problems.push(problem);
            return checked;
        }
    };
    let language = scent_syntax::find(name).expect("a language of that name");
    for path in example_files(name) {
        checked.examples += 1;
        let text = scent_syntax::text_of(path.to_str().unwrap(), fs::read(&path).unwrap());
        let detected = scent_syntax::detect(path.to_str().unwrap(), text.as_bytes());
        if detected.map(|l| l.id) != Some(language.id) {
            checked.problems.push(format!(
                "{}: detected as {:?}",
                path.display(),
                detected.map(|l| l.id)
            ));
        }
        let units = describe_units(language, &queries, &path, &text);
        let references = describe_references(language, &queries, &text);
        compare(&path, "units", &units, update, &mut checked.problems);
        let members = describe_members(language, &queries, &text);
        compare(&path, "members", &members, update, &mut checked.problems);
        compare(&path, "refs", &references, update, &mut checked.problems);
    }
    checked
}

/// The queries of a language as they are on disk now, inherited ones first.
pub fn queries_from_disk(name: &str) -> Result<Queries, String> {
    let language = scent_syntax::find(name).ok_or(format!("{name}: no such language"))?;
    let read = |file: &str| inherit::whole_query(&languages_folder(), name, file);
    let compiled = language.try_queries(&read("units.scm"), &read("refs.scm"));
    compiled
        .ok_or(format!("{name}: no grammar"))?
        .map_err(|e| format!("{name}: {e}"))
}

fn example_files(name: &str) -> Vec<PathBuf> {
    let folder = languages_folder().join(name).join("examples");
    let expected = |p: &PathBuf| {
        p.extension()
            .is_some_and(|e| e == "units" || e == "members" || e == "refs")
    };
    let entries = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .map(|e| e.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|p| !expected(p)).collect();
    files.sort();
    files
}

/// One line a unit: lines, kind, qualified name, signature, doc's first line.
pub fn describe_units(
    language: &'static Language,
    queries: &Queries,
    path: &Path,
    text: &str,
) -> String {
    let outline = scent_syntax::outline_with(language, queries, text);
    let file = path.file_name().unwrap().to_string_lossy();
    let mut out = format!("# {file}: {:?}\n", outline.health);
    for unit in &outline.units {
        let (kind, lines) = (unit.kind, unit.lines.to_string());
        let _ = write!(out, "{lines:<9} {kind:<10} {}", unit.qualified);
        if unit.passage > 0 {
            let _ = write!(out, " ({})", unit.passage + 1);
        }
        if !unit.signature.is_empty() {
            let _ = write!(out, " | {}", unit.signature);
        }
        if let Some(doc) = unit.doc.lines().next() {
            let _ = write!(out, " | doc: {doc}");
        }
        out.push('\n');
    }
    out
}

/// One line a symbol that is no unit: line, kind, qualified name, visibility.
pub fn describe_members(language: &'static Language, queries: &Queries, text: &str) -> String {
    let outline = scent_syntax::outline_with(language, queries, text);
    let mut out = String::new();
    for symbol in &outline.symbols {
        let is_of = |unit: &Unit| {
            let is_named = unit.name == symbol.name || unit.names.contains(&symbol.name);
            let is_same = unit.qualified == symbol.qualified || is_named && unit.names.len() > 1;
            is_same && unit.lines.contains(symbol.line)
        };
        if symbol.kind != Kind::Test && outline.units.iter().any(is_of) {
            continue;
        }
        let (line, kind) = (symbol.line, symbol.kind);
        let _ = write!(out, "{line:<5} {kind:<10} {}", symbol.qualified);
        if let Some(visibility) = symbol.visibility {
            let _ = write!(out, " | {}", visibility.as_str());
        }
        out.push('\n');
    }
    out
}

/// One line a reference: line, role, name, and what it belongs to. Mere uses
/// of names share a line. Then one line an import: line, module, name, alias.
pub fn describe_references(language: &'static Language, queries: &Queries, text: &str) -> String {
    let outline = scent_syntax::outline_with(language, queries, text);
    let (uses, others): (Vec<_>, Vec<_>) = outline
        .references
        .iter()
        .partition(|r| matches!(r.role, Role::Use | Role::Read));
    let mut out = String::new();
    let mut last = String::new();
    for Reference {
        line,
        role,
        name,
        qualifier,
        ..
    } in others
    {
        let of = if qualifier.is_empty() { "" } else { " of " };
        let row = format!("{line} {} {name}{of}{qualifier}\n", role.as_str());
        // Calls in one line may differ in their arguments alone.
        if row != last {
            out += &row;
        }
        last = row;
    }
    for uses in uses.chunk_by(|a, b| (a.line, a.role) == (b.line, b.role)) {
        let names: Vec<&str> = uses.iter().map(|r| r.name.as_str()).collect();
        let _ = writeln!(
            out,
            "{} {} {}",
            uses[0].line,
            uses[0].role.as_str(),
            names.join(" ")
        );
    }
    for Import {
        line,
        module,
        name,
        alias,
        ..
    } in &outline.imports
    {
        let (takes, renames) = (!name.is_empty(), !alias.is_empty());
        let _ = write!(out, "{line} from {module}");
        let _ = write!(out, "{}{name}", if takes { " take " } else { "" });
        let _ = writeln!(out, "{}{alias}", if renames { " as " } else { "" });
    }
    out
}

fn compare(path: &Path, what: &str, found: &str, update: bool, problems: &mut Vec<String>) {
    let expected_path = PathBuf::from(format!("{}.{what}", path.display()));
    if update {
        fs::write(&expected_path, found).unwrap();
        return;
    }
    let expected = fs::read_to_string(&expected_path)
        .unwrap_or_default()
        .replace("\r\n", "\n");
    if expected == found {
        return;
    }
    problems.push(format!("{}: not as expected", expected_path.display()));
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), found.lines().collect());
    problems.extend(
        old.iter()
            .filter(|l| !new.contains(l))
            .map(|l| format!("  - {l}")),
    );
    problems.extend(
        new.iter()
            .filter(|l| !old.contains(l))
            .map(|l| format!("  + {l}")),
    );
}
