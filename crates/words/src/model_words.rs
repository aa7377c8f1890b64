//! The words that a model reads: identifiers split, lower case, no punctuation.
//!
//! `training/words.py` does exactly the same; the tests of both read
//! `tests/words.tsv`.

/// Calls `emit` with every word of a text as it is written, in order.
fn each(text: &str, mut emit: impl FnMut(&str)) {
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = match Class::of(c) {
            Class::Other => {
                rest = &rest[c.len_utf8()..];
                continue;
            }
            Class::Digit => run(rest, Class::Digit),
            Class::Lower => run(rest, Class::Lower),
            Class::Upper => capitalised(rest),
        };
        emit(&rest[..length]);
        rest = &rest[length..];
    }
}

/// Appends the words of a text in lower case, each after a space unless it is
/// the first of all, until there are `most` words. Returns how many there are.
pub fn append(out: &mut String, text: &str, before: usize, most: usize) -> usize {
    let mut count = before;
    each(text, |word| {
        if count < most {
            if !out.is_empty() {
                out.push(' ');
            }
            push_lower(out, word);
            count += 1;
        }
    });
    count
}

/// The words of a text in lower case, with a space between them.
pub fn of(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    append(&mut out, text, 0, usize::MAX);
    out
}

fn push_lower(out: &mut String, word: &str) {
    if word.is_ascii() {
        out.extend(word.bytes().map(|byte| byte.to_ascii_lowercase() as char));
    } else {
        out.extend(word.chars().flat_map(char::to_lowercase));
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Upper,
    Lower,
    Digit,
    Other,
}

impl Class {
    /// Letters beyond ASCII are told by range, which is the same everywhere;
    /// they count as small.
    fn of(c: char) -> Class {
        match c {
            'a'..='z' => Class::Lower,
            'A'..='Z' => Class::Upper,
            '0'..='9' => Class::Digit,
            '\u{C0}'..='\u{24F}' | '\u{370}'..='\u{1FFF}' | '\u{3040}'..='\u{D7FF}' => Class::Lower,
            _ => Class::Other,
        }
    }
}

/// The length of the run of one class at the beginning.
fn run(text: &str, class: Class) -> usize {
    text.find(|c| Class::of(c) != class).unwrap_or(text.len())
}

/// The length of a word that begins with a capital: an acronym, also in the
/// plural, or one capital and small letters.
fn capitalised(text: &str) -> usize {
    let capitals = run(text, Class::Upper);
    let small = run(&text[capitals..], Class::Lower);
    match (capitals, small) {
        (_, 0) | (1, _) => capitals + small,
        (_, 1) if text[capitals..].starts_with('s') => capitals + 1,
        // The last capital belongs to the word after the acronym.
        _ => capitals - 1,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn words_are_those_of_training() {
        for line in include_str!("../tests/words.tsv").lines() {
            let (text, want) = line.split_once('\t').expect("a text, a tab and its words");
            assert_eq!(super::of(text), want, "{text}");
        }
        assert_eq!(super::of(""), "");
    }
}
