//! Names that a repository defines, and the units that hold them: found by
//! reading the files, not by asking an index.

use anyhow::Context;
use scent_engine::file_units;
use scent_types::{Lines, Source, UnitWords};
use std::collections::BTreeSet;
use std::path::Path;

/// Shorter names are words of every other line.
const SHORTEST: usize = 4;

/// A name that only its definition holds is found by every search.
const FEWEST_UNITS: usize = 2;

/// A file cut into units.
pub struct ScannedFile {
    path: String,
    source: Source,
    /// Whole units, of whatever length.
    units: Vec<Lines>,
    names: BTreeSet<String>,
}

/// The files of a repository, read.
pub struct Scanned(Vec<ScannedFile>);

impl Scanned {
    /// Reads these files below a folder.
    pub fn read(folder: &Path, paths: &[String]) -> anyhow::Result<Scanned> {
        let mut files = Vec::new();
        for path in paths {
            files.push(scan(folder, path).with_context(|| path.clone())?);
        }
        Ok(Scanned(files))
    }

    /// Names that are defined here and held by several units, drawn by chance.
    pub fn draw_names(&self, many: usize, random: &mut fastrand::Rng) -> Vec<String> {
        let defined: BTreeSet<&String> = self.0.iter().flat_map(|file| &file.names).collect();
        let mut names: Vec<&String> = defined.into_iter().collect();
        random.shuffle(&mut names);
        names
            .into_iter()
            .filter(|name| self.units_with(name) >= FEWEST_UNITS)
            .take(many)
            .cloned()
            .collect()
    }

    /// How many units hold a name.
    pub fn units_with(&self, name: &str) -> usize {
        let mut units = 0;
        for file in &self.0 {
            if file.source.text().contains(name) {
                units += file.units_with(name);
            }
        }
        units
    }

    /// Whether these lines of a file hold a name.
    pub fn holds(&self, path: &str, lines: Lines, name: &str) -> bool {
        let file = self.0.iter().find(|file| file.path == path);
        file.is_some_and(|file| holds_name(file.source.slice(lines), name))
    }

    /// Whether some file holds a text, in whatever case.
    pub fn holds_text(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        let mut files = self.0.iter();
        files.any(|file| file.source.text().to_lowercase().contains(&text))
    }
}

impl ScannedFile {
    fn units_with(&self, name: &str) -> usize {
        let mut units = 0;
        for lines in &self.units {
            units += usize::from(holds_name(self.source.slice(*lines), name));
        }
        units
    }
}

fn scan(folder: &Path, path: &str) -> anyhow::Result<ScannedFile> {
    let file = file_units(&folder.join(path))?;
    let symbols = file.symbols.into_iter().map(|symbol| symbol.name);
    Ok(ScannedFile {
        path: path.to_owned(),
        source: file.source,
        units: whole_units(&file.units),
        names: symbols.filter(|name| is_identifier(name)).collect(),
    })
}

/// The passages of a unit are one unit.
fn whole_units(units: &[UnitWords]) -> Vec<Lines> {
    let mut whole: Vec<Lines> = Vec::new();
    for UnitWords { unit, .. } in units {
        match whole.last_mut() {
            Some(last) if unit.passage > 0 => last.end = unit.cover.end,
            _ => whole.push(unit.cover),
        }
    }
    whole
}

fn is_identifier(name: &str) -> bool {
    name.len() >= SHORTEST && name.chars().all(is_in_name) && !name.starts_with(char::is_numeric)
}

fn is_in_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a text holds a name as it is, not as a part of another name.
pub fn holds_name(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(is_in_name) && !after.is_some_and(is_in_name)
    })
}

/// Whether a name is made of several words.
pub fn is_compound(name: &str) -> bool {
    let name = name.trim_matches('_');
    let inner_capital = name.chars().skip(1).any(char::is_uppercase);
    name.contains('_') || inner_capital && name.chars().any(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_held_as_it_is() {
        let cases = [
            ("let parse_all = 1;", true),
            ("parse_all", true),
            ("self.parse_all()", true),
            ("reparse_all, parse_all", true),
            ("parse_all_files", false),
            ("reparse_all", false),
            ("Parse_All", false),
            ("parse all", false),
        ];
        for (text, wanted) in cases {
            assert_eq!(holds_name(text, "parse_all"), wanted, "{text}");
        }
    }

    #[test]
    fn names_of_several_words() {
        for name in ["parseAll", "parse_all", "ParseAll", "PARSE_ALL"] {
            assert!(is_compound(name), "{name}");
        }
        for name in ["parse", "Parse", "PARSE", "_parse", "parse2"] {
            assert!(!is_compound(name), "{name}");
        }
    }

    #[test]
    fn units_are_counted_whole() {
        let folder = tempfile::tempdir().unwrap();
        let mut long = String::from("fn long_one() {\n");
        for at in 0..200 {
            long += &format!("    shared_name({at});\n\n");
        }
        long += "}\n\nfn shared_name(n: u32) {}\n\nfn shared_names() {}\n";
        std::fs::write(folder.path().join("a.rs"), long).unwrap();
        let scanned = Scanned::read(folder.path(), &["a.rs".to_owned()]).unwrap();
        assert_eq!(scanned.units_with("shared_name"), 2);
        assert_eq!(scanned.units_with("shared_names"), 1);
        let names = scanned.draw_names(10, &mut fastrand::Rng::with_seed(1));
        assert_eq!(names, ["shared_name"]);
    }
}
