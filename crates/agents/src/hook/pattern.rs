//! The names that a search pattern holds whole.

use super::Question;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Shorter ones are in too many names to tell anything.
const SHORTEST: usize = 3;
/// Whoever looks for more has another question than where one of them is.
const MOST: usize = 4;

static WORDS: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let lines = include_str!("words.txt").lines();
    lines
        .filter(|line| !line.starts_with('#'))
        .flat_map(str::split_whitespace)
        .collect()
});

/// The question of a search through contents.
pub(super) fn question(pattern: &str, is_literal: bool) -> Option<Question> {
    let names = names_in(pattern, is_literal)?;
    asked(pattern, names, false)
}

/// The question of a search for files, by the last part of a glob.
pub(super) fn question_of_files(glob: &str) -> Option<Question> {
    let last = glob.rsplit('/').next()?;
    // What stands before the ending; `*.rs` names no file.
    let stem = last.split('.').next()?.trim_matches('*');
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let names = if stem.chars().all(is_name) {
        vec![stem.to_owned()]
    } else {
        Vec::new()
    };
    asked(glob, names, true)
}

fn asked(pattern: &str, names: Vec<String>, of_files: bool) -> Option<Question> {
    let mut kept: Vec<String> = Vec::new();
    for name in names
        .into_iter()
        .filter(|name| tells_something(name, of_files))
    {
        if !kept.contains(&name) {
            kept.push(name);
        }
    }
    let question = Question {
        pattern: pattern.to_owned(),
        names: kept,
        of_files,
        paths: Vec::new(),
    };
    (1..=MOST)
        .contains(&question.names.len())
        .then_some(question)
}

fn tells_something(name: &str, of_files: bool) -> bool {
    name.chars().count() >= SHORTEST
        && name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.contains(char::is_alphabetic)
        && (of_files || !WORDS.contains(name.to_lowercase().as_str()))
}

/// Part of a pattern: a letter of a name, what ends a name, or what may go on
/// with it.
enum Part {
    Letter(char),
    End,
    Wild,
}

/// The names in a pattern; nothing where it puts names together from groups.
fn names_in(pattern: &str, is_literal: bool) -> Option<Vec<String>> {
    let characters: Vec<char> = pattern.chars().collect();
    let mut names = Vec::new();
    let mut name = String::new();
    let mut is_whole = true;
    let mut at = 0;
    while at < characters.len() {
        let (part, length) = part_at(&characters, at, is_literal)?;
        match part {
            Part::Letter(letter) => name.push(letter),
            Part::End => {
                keep(&mut names, &mut name, is_whole);
                is_whole = true;
            }
            Part::Wild => {
                name.clear();
                is_whole = false;
            }
        }
        at += length;
    }
    keep(&mut names, &mut name, is_whole);
    Some(names)
}

fn keep(names: &mut Vec<String>, name: &mut String, is_whole: bool) {
    let name = std::mem::take(name);
    if is_whole && !name.is_empty() {
        names.push(name);
    }
}

fn part_at(characters: &[char], at: usize, is_literal: bool) -> Option<(Part, usize)> {
    let next = characters.get(at + 1).copied();
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let found = characters[at];
    if is_letter(found) {
        return Some((Part::Letter(found), 1));
    }
    // `Type::method` is one name.
    if found == ':' {
        let before = at > 0 && characters[at - 1] == ':' || next == Some(':');
        let inner = at > 0 && is_qualified(characters, at);
        return Some((
            if before && inner {
                Part::Letter(':')
            } else {
                Part::End
            },
            1,
        ));
    }
    if is_literal {
        return Some((Part::End, 1));
    }
    let repeated = |length: usize| repeat_length(&characters[at + length..]);
    Some(match found {
        '\\' => match next {
            Some('w' | 'W' | 'd' | 'D' | 'S' | 'p' | 'P' | 'x' | 'u' | 'Q') => {
                (Part::Wild, 2 + repeated(2))
            }
            Some(_) => (Part::End, 2 + repeated(2)),
            None => (Part::End, 1),
        },
        '.' if repeated(1) > 0 => (Part::Wild, 1 + repeated(1)),
        '[' => {
            let length = class_length(&characters[at..])?;
            (Part::Wild, length + repeated(length))
        }
        '*' | '+' | '?' | '{' if at > 0 && is_letter(characters[at - 1]) => (Part::Wild, 1),
        '(' if joins_names(characters, at) => return None,
        ')' if next.is_some_and(is_letter) || repeated(1) > 0 => return None,
        _ => (Part::End, 1),
    })
}

/// How long the sign is that what stands before it may come often, or not at all.
fn repeat_length(characters: &[char]) -> usize {
    match characters {
        ['*' | '+' | '?', '?' | '+', ..] => 2,
        ['*' | '+' | '?', ..] => 1,
        ['{', rest @ ..] => {
            let length = rest
                .iter()
                .take_while(|c| c.is_ascii_digit() || **c == ',')
                .count();
            let is_closed = length > 0 && rest.get(length) == Some(&'}');
            if is_closed { length + 2 } else { 0 }
        }
        _ => 0,
    }
}

/// Whether a colon at a place is one of two between letters.
fn is_qualified(characters: &[char], at: usize) -> bool {
    let is = |at: usize, test: fn(char) -> bool| characters.get(at).copied().is_some_and(test);
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let first = if at > 0 && characters[at - 1] == ':' {
        at - 1
    } else {
        at
    };
    first > 0 && is(first - 1, is_letter) && is(first + 1, |c| c == ':') && is(first + 2, is_letter)
}

/// How long a class in brackets is.
fn class_length(characters: &[char]) -> Option<usize> {
    // A closing bracket that stands first is one of the class.
    let first = if characters.get(1) == Some(&'^') {
        3
    } else {
        2
    };
    let end = characters.iter().skip(first).position(|c| *c == ']')?;
    Some(first + end + 1)
}

/// Whether a group with alternatives follows a letter: its names are ends of names.
fn joins_names(characters: &[char], at: usize) -> bool {
    let follows = at > 0 && (characters[at - 1].is_alphanumeric() || characters[at - 1] == '_');
    let inner: Vec<char> = characters[at + 1..]
        .iter()
        .take_while(|c| **c != ')')
        .copied()
        .collect();
    let is_closed = at + 1 + inner.len() < characters.len();
    follows && is_closed && inner.contains(&'|')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_whole_or_not_at_all() {
        let cases: &[(&str, &[&str])] = &[
            ("solve_dependencies", &["solve_dependencies"]),
            ("def solve_dependencies", &["solve_dependencies"]),
            (r"\bparseRequest\b", &["parseRequest"]),
            (r"fn parse\(", &["parse"]),
            ("fn parse(", &["parse"]),
            ("parse()", &["parse"]),
            ("Retry|Backoff", &["Retry", "Backoff"]),
            (r"Retry\|Backoff", &["Retry", "Backoff"]),
            (r"class\s+Reader", &["Reader"]),
            ("retry limit", &["retry", "limit"]),
            ("Reader::open", &["Reader::open"]),
            ("impl.*Reader", &[]),
            (r"get_\w+", &[]),
            ("get_[a-z]+_limit", &[]),
            ("colou?r", &[]),
            ("(get|set)Name", &[]),
            ("get(Name|Size)", &[]),
            ("(Name|Size)", &["Name", "Size"]),
            ("logger.warn", &["logger", "warn"]),
            ("^import os", &[]),
            ("TODO", &[]),
            ("[a-z", &[]),
            ("id", &[]),
            ("123456", &[]),
            ("one1 two2 three3 four4 five5", &[]),
            ("", &[]),
            ("étiquette", &["étiquette"]),
        ];
        for (pattern, want) in cases {
            let names = question(pattern, false)
                .map(|q| q.names)
                .unwrap_or_default();
            assert_eq!(names, *want, "{pattern}");
        }
        assert_eq!(question("a.*foo_bar", true).unwrap().names, ["foo_bar"]);
    }

    #[test]
    fn the_stem_of_a_glob_names_a_file() {
        let cases = [
            ("**/*dependencies*.py", Some("dependencies")),
            ("src/server/mod_access.c", Some("mod_access")),
            ("*.rs", None),
            ("**/*", None),
            ("src/{a,b}/x[ab]y.rs", None),
        ];
        for (glob, want) in cases {
            let question = question_of_files(glob);
            assert_eq!(
                question.map(|q| q.names[0].clone()).as_deref(),
                want,
                "{glob}"
            );
        }
    }
}
