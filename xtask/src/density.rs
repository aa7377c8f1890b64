//! How dense the code is: tokens a line and a function, and forms that pack
//! several steps into one line.

use crate::lexer::{Kind, pieces};
use anyhow::Context;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

pub(crate) const USAGE: &str = "\
usage: cargo run -p xtask -- density [FOLDER]

Counts tokens a line and a function in the Rust code of every crate below
FOLDER (this repository), tests included.

A token is a word (name, keyword, number, lifetime), a literal, or an operator
or bracket; `::`, `=>` and the like are one. Comments are not counted. A line
counts if a token begins on it. A function is counted from `fn` to the end of its body,
with what is inside; declarations without a body are not.

  closures      `let name = |…| …`: a function in all but form
  match ()      a chain of `if` in other clothes
  match bool    `match x { true => …, false => … }`
";

/// What was counted in some code.
#[derive(Default, Debug, PartialEq, Eq)]
struct Counts {
    lines: usize,
    tokens: usize,
    functions: usize,
    function_tokens: usize,
    closures: usize,
    unit_matches: usize,
    bool_matches: usize,
}

/// Prints one line a crate and one for all.
pub(crate) fn run(root: &Path) -> anyhow::Result<ExitCode> {
    let mut crates: BTreeMap<String, Counts> = BTreeMap::new();
    count_folder(root, "", &mut crates)?;
    println!("                lines  tokens/line  tokens/function  closures  match ()  match bool");
    let mut all = Counts::default();
    for (name, counts) in &crates {
        print_row(name, counts);
        all.add(counts);
    }
    print_row("all", &all);
    Ok(ExitCode::SUCCESS)
}

fn print_row(name: &str, counts: &Counts) {
    println!(
        "{name:12} {:8} {:12.1} {:16.0} {:9} {:9} {:11}",
        counts.lines,
        mean(counts.tokens, counts.lines),
        mean(counts.function_tokens, counts.functions),
        counts.closures,
        counts.unit_matches,
        counts.bool_matches,
    );
}

fn mean(sum: usize, number: usize) -> f64 {
    sum as f64 / number.max(1) as f64
}

/// Counts the Rust files below a folder. A crate is named after its folder.
fn count_folder(
    folder: &Path,
    name: &str,
    crates: &mut BTreeMap<String, Counts>,
) -> anyhow::Result<()> {
    let about = || folder.display().to_string();
    for entry in fs::read_dir(folder).with_context(about)? {
        let entry = entry.with_context(about)?;
        let path = entry.path();
        let file_name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().with_context(about)?.is_dir() {
            if ["target", ".git", "languages"].contains(&file_name.as_str()) {
                continue;
            }
            let is_crate = path.join("Cargo.toml").is_file();
            let inside = if is_crate { &file_name } else { name };
            count_folder(&path, inside, crates)?;
        } else if file_name.ends_with(".rs") {
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            crates
                .entry(name.to_owned())
                .or_default()
                .add(&count(&text));
        }
    }
    Ok(())
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.lines += other.lines;
        self.tokens += other.tokens;
        self.functions += other.functions;
        self.function_tokens += other.function_tokens;
        self.closures += other.closures;
        self.unit_matches += other.unit_matches;
        self.bool_matches += other.bool_matches;
    }
}

fn count(source: &str) -> Counts {
    let mut counts = Counts::default();
    let mut tokens = Vec::new();
    let mut line = 1;
    let mut last_line = 0;
    for piece in pieces(source) {
        if !matches!(piece.kind, Kind::Blank | Kind::Comment) {
            tokens.push(piece.text);
            counts.lines += usize::from(line != last_line);
            last_line = line;
        }
        line += piece.text.matches('\n').count();
    }
    counts.tokens = tokens.len();
    for at in 0..tokens.len() {
        count_form(&tokens[at..], &mut counts);
    }
    counts
}

/// Counts what begins with the first of the tokens.
fn count_form(tokens: &[&str], counts: &mut Counts) {
    match tokens {
        ["fn", name, ..] if name.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
            if let Some(length) = function_length(tokens) {
                counts.functions += 1;
                counts.function_tokens += length;
            }
        }
        ["let", "mut", _, "=", rest @ ..] | ["let", _, "=", rest @ ..] => {
            let opens = matches!(rest, ["|" | "||", ..] | ["move", "|" | "||", ..]);
            counts.closures += usize::from(opens);
        }
        ["match", "(", ")", "{", ..] => counts.unit_matches += 1,
        ["match", ..] => counts.bool_matches += usize::from(is_bool_match(tokens)),
        _ => {}
    }
}

/// The tokens from `fn` to the end of the body, if there is one.
fn function_length(tokens: &[&str]) -> Option<usize> {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            ";" if depth == 0 => return None,
            _ => continue,
        }
        if depth == 0 && *token == "}" {
            return Some(at + 1);
        }
    }
    None
}

/// Whether the first arm of a match is `true` or `false`.
fn is_bool_match(tokens: &[&str]) -> bool {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(1) {
        match *token {
            "{" if depth == 0 => {
                return matches!(tokens[at + 1..], ["true" | "false", "=>", ..]);
            }
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            ";" => return false,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_lines_and_functions_are_counted() {
        let source = "//! Doc.\n\nfn a(x: u8) -> u8 {\n    // why\n    x + 1\n}\nfn b();\n";
        let counts = count(source);
        assert_eq!((counts.lines, counts.tokens), (4, 19));
        assert_eq!((counts.functions, counts.function_tokens), (1, 14));
    }

    #[test]
    fn a_literal_over_several_lines_is_one_token() {
        let counts = count("const A: &str = \"\none\n\";\nconst B: u8 = 1;\n");
        assert_eq!((counts.lines, counts.tokens), (3, 15));
    }

    #[test]
    fn packed_forms_are_counted() {
        let cases = [
            ("let f = |x| x;", [1, 0, 0]),
            ("let mut f = move || 1;", [1, 0, 0]),
            ("let f = a.map(|x| x);", [0, 0, 0]),
            ("match () { _ if a => 1, _ => 2 }", [0, 1, 0]),
            ("match a.b(|c| { d }) { true => 1, false => 2 }", [0, 0, 1]),
            ("match a { Some(true) => 1, _ => 2 }", [0, 0, 0]),
        ];
        for (source, want) in cases {
            let counts = count(source);
            let found = [counts.closures, counts.unit_matches, counts.bool_matches];
            assert_eq!(found, want, "{source}");
        }
    }
}
