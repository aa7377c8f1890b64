//! A shell command taken apart into simple commands.

/// A command between the operators of a shell.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Simple {
    /// Its words, without quotes and redirections.
    pub words: Vec<String>,
    /// Whether it reads what another writes.
    pub is_piped: bool,
    /// Whether a variable stands in it, so that its words are not certain.
    pub has_variables: bool,
}

/// The simple commands of a line. Nothing where it holds what only a shell
/// understands: substitutions, documents in the line, quotes that are not closed.
pub(super) fn simple_commands(line: &str) -> Option<Vec<Simple>> {
    let mut commands = Vec::new();
    for piece in pieces(line)? {
        let words = without_redirections(shlex::split(&piece.text)?);
        let start = words.iter().take_while(|word| is_prefix(word)).count();
        if start < words.len() {
            commands.push(Simple {
                words: words[start..].to_vec(),
                is_piped: piece.is_piped,
                has_variables: piece.has_variables,
            });
        }
    }
    Some(commands)
}

#[derive(Default)]
struct Piece {
    text: String,
    is_piped: bool,
    has_variables: bool,
}

fn pieces(line: &str) -> Option<Vec<Piece>> {
    let mut pieces = vec![Piece::default()];
    let mut quote = None;
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        let piece = pieces.last_mut()?;
        let next = characters.peek().copied();
        match (quote, c) {
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (Some('\''), _) => {}
            (_, '`') => return None,
            (_, '$') if next == Some('(') => return None,
            (_, '$') if next.is_some_and(|n| n.is_alphanumeric() || "_{@*'\"".contains(n)) => {
                // A `$` before the closing quote is the end of a line in a pattern.
                piece.has_variables |= !(quote == Some('"') && next == Some('"'));
            }
            (_, '\\') => {
                piece.text.push(c);
                piece.text.extend(characters.next());
                continue;
            }
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '<') if matches!(next, Some('<' | '(')) => return None,
            (None, '>') if next == Some('(') => return None,
            (None, '&') if piece.text.ends_with(['>', '<']) || next == Some('>') => {}
            (None, ';' | '\n' | '&' | '(' | ')' | '|') => {
                let is_pipe = c == '|' && next != Some('|') && !piece_is_or(piece, c);
                pieces.push(Piece {
                    is_piped: is_pipe,
                    ..Piece::default()
                });
                continue;
            }
            _ => {}
        }
        piece.text.push(c);
    }
    quote.is_none().then_some(pieces)
}

/// Whether an operator of one character is the second half of one of two: then
/// nothing stands between the halves.
fn piece_is_or(piece: &Piece, c: char) -> bool {
    c == '|' && piece.text.is_empty()
}

/// Words before a command that leave it what it is.
fn is_prefix(word: &str) -> bool {
    let is_assignment = word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    });
    let words = [
        "{", "}", "!", "time", "command", "builtin", "sudo", "then", "do", "else", "if", "while",
    ];
    is_assignment || words.contains(&word)
}

fn without_redirections(words: Vec<String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let rest = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '&');
        match rest.strip_prefix(['>', '<']) {
            Some("" | ">") => {
                words.next();
            }
            Some(_) => {}
            None => kept.push(word),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_taken_apart_at_operators_outside_quotes() {
        let cases: &[(&str, &[&[&str]])] = &[
            ("grep -rn foo .", &[&["grep", "-rn", "foo", "."]]),
            (
                "cd src && grep -rn 'a|b' . | head -5",
                &[
                    &["cd", "src"],
                    &["grep", "-rn", "a|b", "."],
                    &["head", "-5"],
                ],
            ),
            ("rg foo 2>/dev/null || true", &[&["rg", "foo"], &["true"]]),
            ("rg foo > out.txt 2>&1; ls", &[&["rg", "foo"], &["ls"]]),
            ("rg foo &>/dev/null", &[&["rg", "foo"]]),
            ("LC_ALL=C time grep -r \"a b\"", &[&["grep", "-r", "a b"]]),
            ("(cd x; rg foo\\(bar)", &[&["cd", "x"], &["rg", "foo(bar"]]),
            (
                "rg 'end$' && rg \"end$\"",
                &[&["rg", "end$"], &["rg", "end$"]],
            ),
            ("", &[]),
        ];
        for (line, want) in cases {
            let words: Vec<Vec<String>> = simple_commands(line)
                .unwrap()
                .into_iter()
                .map(|c| c.words)
                .collect();
            assert_eq!(words, *want, "{line}");
        }
    }

    #[test]
    fn what_only_a_shell_understands_is_left_to_it() {
        for line in [
            "rg $(cat x)",
            "rg `cat x`",
            "cat <<E\nrg foo\nE",
            "rg 'foo",
            "diff <(rg a) b",
        ] {
            assert_eq!(simple_commands(line), None, "{line}");
        }
        let commands = simple_commands("for f in *; do grep -r foo $f; done | rg bar").unwrap();
        let flags: Vec<_> = commands
            .iter()
            .map(|c| (c.is_piped, c.has_variables))
            .collect();
        assert_eq!(
            flags,
            [(false, false), (false, true), (false, false), (true, false)]
        );
    }
}
