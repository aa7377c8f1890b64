//! Every language folder against its own examples, and the promises that hold
//! for any text in any language.

mod examples;

use proptest::prelude::*;
use scent_syntax::{decode, detect, languages, outline};
use scent_types::Outline;
use std::fs;

#[test]
fn examples_are_as_expected() {
    let mut problems = Vec::new();
    for language in languages().iter().filter(|l| l.queries().is_some()) {
        let checked = examples::check_language(language.id, false);
        problems.extend(checked.problems);
        if checked.examples == 0 {
            problems.push(format!("{}: has no example", language.id));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_line_of_every_example_is_in_one_unit() {
    for language in languages() {
        let folder = examples::languages_folder()
            .join(language.id)
            .join("examples");
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            check_cover(
                &outline(Some(language), &text),
                &text,
                &path.display().to_string(),
            );
        }
    }
}

/// Each line in exactly one unit, in order; what a unit covers beyond its own
/// lines says nothing; parents come first.
fn check_cover(outline: &Outline, text: &str, what: &str) {
    let rows: Vec<&str> = text.split('\n').collect();
    let count = text.split_inclusive('\n').count() as u32;
    let mut next = 1;
    for (at, unit) in outline.units.iter().enumerate() {
        assert_eq!(unit.cover.start, next, "{what}: {unit:?}");
        assert!(unit.cover.start <= unit.lines.start, "{what}: {unit:?}");
        assert!(unit.lines.end <= unit.cover.end, "{what}: {unit:?}");
        assert!(unit.extent_end >= unit.lines.end, "{what}: {unit:?}");
        assert!(unit.whole.start <= unit.lines.start, "{what}: {unit:?}");
        assert!(unit.lines.end <= unit.whole.end, "{what}: {unit:?}");
        assert!(unit.signature.chars().count() <= 200, "{what}: {unit:?}");
        assert!(
            unit.parent.is_none_or(|parent| (parent as usize) < at),
            "{what}: {unit:?}"
        );
        for line in unit.cover.start..=unit.cover.end {
            let row = rows[line as usize - 1].trim();
            // A closing tag may be broken and still close.
            let closes = row.starts_with("</") || row.len() < 60 && !row.contains('=');
            let says = row.chars().any(char::is_alphanumeric) && !closes;
            assert!(
                !says || unit.lines.contains(line),
                "{what}:{line}: {unit:?}"
            );
        }
        next = unit.cover.end + 1;
    }
    assert_eq!(next, count + 1, "{what}: lines without a unit");
}

#[test]
fn blank_lines_are_a_unit_too() {
    for text in ["\n", " \n\t\n", "\n\n\n\n"] {
        for language in languages().iter().map(Some).chain([None]) {
            check_cover(
                &outline(language, text),
                text,
                language.map_or("plain", |l| l.id),
            );
        }
    }
}

/// A text made of pieces of an example, shuffled: full of broken syntax.
fn shuffled(text: &str, cuts: &[(usize, usize)]) -> String {
    let chars: Vec<char> = text.chars().collect();
    let piece = |&(at, len): &(usize, usize)| {
        let at = at % chars.len().max(1);
        chars[at.min(chars.len())..(at + len).min(chars.len())]
            .iter()
            .collect::<String>()
    };
    cuts.iter().map(piece).collect()
}

fn all_examples() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for language in languages() {
        let folder = examples::languages_folder()
            .join(language.id)
            .join("examples");
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let is_expected = [".units", ".members", ".refs"];
            if !is_expected.iter().any(|ending| name.ends_with(ending)) {
                all.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    all
}

#[test]
fn an_open_here_document_ends_with_its_file() {
    let text = "sub total { 1 }\n\nprint <<\"END\";\nIt was $x and more";
    let outline = outline(scent_syntax::find("perl"), text);
    check_cover(&outline, text, "perl");
    assert_eq!(outline.units[0].name, "total");
}

proptest! {
    #[test]
    fn any_bytes_give_units_in_any_language(
        bytes in proptest::collection::vec(any::<u8>(), 0..600),
        nth in any::<proptest::sample::Index>(),
    ) {
        let text = decode(&bytes);
        let language = &languages()[nth.index(languages().len())];
        check_cover(&outline(Some(language), &text), &text, language.id);
        check_cover(&outline(None, &text), &text, "plain");
    }

    #[test]
    fn broken_source_gives_units(
        nth in any::<proptest::sample::Index>(),
        cuts in proptest::collection::vec((any::<usize>().prop_map(|at| at % 100_000), 0usize..400), 1..12),
    ) {
        let examples = all_examples();
        let (name, text) = &examples[nth.index(examples.len())];
        let text = shuffled(text, &cuts);
        let language = detect(name, text.as_bytes());
        check_cover(&outline(language, &text), &text, name);
    }
}
