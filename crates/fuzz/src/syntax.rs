//! Any text in any language gives units that cover each of its lines once.

use crate::headed;
use scent_syntax::{Language, decode, outline};
use scent_types::Outline;
use std::sync::LazyLock;

/// The ids of the languages that a run keeps to, with commas between them;
/// without it, all.
const ONLY: &str = "SCENT_FUZZ_LANGUAGES";

/// The first line is the id of a language; without one, the text is plain.
pub fn syntax(bytes: &[u8]) -> bool {
    let named = headed(bytes).and_then(|(id, rest)| Some((language(id)?, rest)));
    let (language, bytes) = match named {
        Some((language, rest)) => (Some(language), rest),
        None => (None, bytes),
    };
    if !is_wanted(language) {
        return false;
    }
    let text = decode(bytes);
    check(&outline(language, &text), &text);
    true
}

fn language(id: &str) -> Option<&'static Language> {
    scent_syntax::languages()
        .iter()
        .find(|language| language.id == id)
}

fn is_wanted(language: Option<&Language>) -> bool {
    static WANTED: LazyLock<Option<String>> = LazyLock::new(|| std::env::var(ONLY).ok());
    let id = language.map_or("", |language| language.id);
    WANTED
        .as_ref()
        .is_none_or(|ids| ids.split(',').any(|wanted| wanted == id))
}

fn check(outline: &Outline, text: &str) {
    let count = text.split_inclusive('\n').count() as u32;
    let mut next = 1;
    for (at, unit) in outline.units.iter().enumerate() {
        assert_eq!(unit.cover.start, next, "{unit:?}");
        assert!(unit.cover.start <= unit.lines.start, "{unit:?}");
        assert!(unit.lines.start <= unit.lines.end, "{unit:?}");
        assert!(unit.lines.end <= unit.cover.end, "{unit:?}");
        assert!(unit.extent_end >= unit.lines.end, "{unit:?}");
        assert!(unit.whole.start <= unit.lines.start, "{unit:?}");
        assert!(unit.lines.end <= unit.whole.end, "{unit:?}");
        assert!(
            unit.parent.is_none_or(|parent| (parent as usize) < at),
            "{unit:?}"
        );
        next = unit.cover.end + 1;
    }
    assert_eq!(next, count + 1, "lines without a unit");
    let in_text = |line: u32| (1..=count).contains(&line);
    for symbol in &outline.symbols {
        assert!(
            in_text(symbol.line) && in_text(symbol.lines.end),
            "{symbol:?}"
        );
    }
    assert!(
        outline
            .references
            .iter()
            .all(|reference| in_text(reference.line))
    );
    assert!(outline.imports.iter().all(|import| in_text(import.line)));
}
