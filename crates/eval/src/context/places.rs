//! Places, the lines that are hidden there, and the names in them.

use scent_engine::{EngineError, Project};
use scent_types::{FileClass, Lines};

/// So many lines are hidden behind a cursor.
pub const HIDDEN: u32 = 10;

/// Names that are defined so near are seen by whoever writes there.
const SEEN: u32 = 20;

/// So many lines of a file come before a cursor at least.
const BEFORE: u32 = 10;

/// So often a place is drawn that turns out to need nothing.
const TRIES: usize = 200;

/// A cursor, with the lines behind it that are hidden.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, relative to the root.
    pub path: String,
    /// The line that the cursor is on, the last that is not hidden.
    pub line: u32,
    /// The names in the hidden lines, and where each may be defined.
    pub names: Vec<Needed>,
}

/// A name of the project that is used in the hidden lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needed {
    /// The name.
    pub name: String,
    /// The lines of its definitions, as they are once the lines are hidden.
    pub at: Vec<(String, u32)>,
}

impl Place {
    /// The lines that are hidden.
    pub fn hidden(&self) -> Lines {
        Lines::new(self.line + 1, self.line + HIDDEN)
    }
}

/// Draws places in a project whose hidden lines use names of it that are not
/// defined there.
pub fn draw(
    project: &Project,
    number: usize,
    random: &mut fastrand::Rng,
) -> Result<Vec<Place>, EngineError> {
    let mut files = Vec::new();
    for file in project.files()? {
        let language = scent_engine::detect_language(&file.path, b"");
        let is_code = language.is_some_and(|language| language.class == FileClass::Code);
        if file.skipped.is_some() || !is_code || !file.is_unicode {
            continue;
        }
        let text = project.file_text(&file.path)?.unwrap_or_default();
        let lines = text.lines().count() as u32;
        if lines > BEFORE + HIDDEN {
            files.push((file.path, lines));
        }
    }
    let all: u32 = files.iter().map(|(_, lines)| lines - BEFORE - HIDDEN).sum();
    let mut places: Vec<Place> = Vec::new();
    for _ in 0..number * TRIES {
        if places.len() == number || all == 0 {
            break;
        }
        let (path, line) = at(&files, random.u32(0..all));
        let names = needed(project, path, line)?;
        let overlaps = |other: &Place| other.path == path && other.line.abs_diff(line) < HIDDEN;
        if !names.is_empty() && !places.iter().any(overlaps) {
            let path = path.to_owned();
            places.push(Place { path, line, names });
        }
    }
    Ok(places)
}

/// The place that a number stands for, so that every line is as likely.
fn at(files: &[(String, u32)], mut number: u32) -> (&str, u32) {
    for (path, lines) in files {
        let room = lines - BEFORE - HIDDEN;
        if number < room {
            return (path, BEFORE + number);
        }
        number -= room;
    }
    unreachable!("the number is below the sum")
}

/// The names that the lines behind a line use, but for those that are defined
/// there or next to it.
pub fn needed(project: &Project, path: &str, line: u32) -> Result<Vec<Needed>, EngineError> {
    let hidden = Lines::new(line + 1, line + HIDDEN);
    let mut needed = Vec::new();
    for used in project.used_names(path, hidden)? {
        let mut at = Vec::new();
        let mut is_seen = false;
        for defined in &used.definitions {
            if defined.path != path {
                at.push((defined.path.clone(), defined.line));
                continue;
            }
            let after = defined.line > hidden.end;
            let shown = if after {
                defined.line - HIDDEN
            } else {
                defined.line
            };
            is_seen |= hidden.contains(defined.line) || shown.abs_diff(line) <= SEEN;
            at.push((defined.path.clone(), shown));
        }
        if !is_seen && !at.is_empty() {
            let name = used.name;
            needed.push(Needed { name, at });
        }
    }
    Ok(needed)
}

/// A text without some of its lines.
pub fn without(text: &str, lines: Lines) -> String {
    let kept = text.split_inclusive('\n').zip(1..);
    kept.filter(|(_, number)| !lines.contains(*number))
        .map(|(line, _)| line)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_as_likely_and_lines_are_taken_out() {
        let files = [("a".to_owned(), 22), ("b".to_owned(), 23)];
        let all: Vec<(&str, u32)> = (0..5).map(|number| at(&files, number)).collect();
        assert_eq!(all, [("a", 10), ("a", 11), ("b", 10), ("b", 11), ("b", 12)]);
        assert_eq!(without("1\n2\n3\n4", Lines::new(2, 3)), "1\n4");
    }
}
