//! What a tool answers, as one text.

use scent_print::{Text, note_text, tokens};
use scent_types::Note;

/// The answer to a call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Told {
    pub text: String,
}

impl Told {
    /// Results, then notes, a line each, within about so many tokens. Notes are
    /// kept whole: they say how to see the rest.
    pub fn text(results: &Text, notes: Vec<String>, max_tokens: usize) -> Told {
        let mut tail = String::new();
        for note in &notes {
            tail += Text::line(&format!("note: {note}")).as_str();
        }
        let room = max_tokens.saturating_sub(tokens(&tail)).max(1);
        let mut text = cut(results.as_str(), room);
        if !text.is_empty() && !tail.is_empty() {
            text.push('\n');
        }
        text += &tail;
        if text.is_empty() {
            text.push_str("nothing found\n");
        }
        Told { text }
    }

    /// An answer in JSON, which has its own notes.
    pub fn json(text: Text, _notes: Vec<String>) -> Told {
        Told {
            text: text.as_str().to_owned(),
        }
    }
}

pub(super) fn notes_in_words(notes: &[Note]) -> Vec<String> {
    notes.iter().map(note_text).collect()
}

/// The lines of a text that fit into about so many tokens.
fn cut(text: &str, room: usize) -> String {
    if tokens(text) <= room + room / 10 {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut lines = text.lines();
    for line in lines.by_ref() {
        if tokens(&kept) + tokens(line) + 12 > room && !kept.is_empty() {
            break;
        }
        kept += line;
        kept.push('\n');
    }
    let left = lines.count() + 1;
    kept + &format!("… {left} more lines; raise max_tokens to see them\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_keeps_its_notes_and_its_budget() {
        let results = Text::from("a line of thirty-six characters, yes\n".repeat(100));
        for budget in [200, 400, 2_000] {
            let notes = vec!["3 of 9 shown; more with offset: 3".to_owned()];
            let Told { text } = Told::text(&results, notes, budget);
            assert!(tokens(&text) <= budget + budget / 10, "{budget}");
            assert!(text.ends_with("\nnote: 3 of 9 shown; more with offset: 3\n"));
            assert_eq!(text.contains("more lines"), budget < 900, "{budget}");
        }
        let nothing = Told::text(&Text::default(), Vec::new(), 200);
        assert_eq!(nothing.text, "nothing found\n");
    }
}
