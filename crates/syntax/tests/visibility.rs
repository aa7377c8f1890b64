//! Who may use a definition, language by language: `visibility.txt` has texts,
//! each after a line `--- LANGUAGE`, and after `===` what is expected of the
//! names in them, one a line.

use scent_syntax::{find, outline};
use scent_types::Visibility;

#[test]
fn visibility_is_as_expected() {
    let mut problems = Vec::new();
    for case in include_str!("visibility.txt").split("--- ").skip(1) {
        let (language, rest) = case.split_once('\n').unwrap();
        let (text, expected) = rest.split_once("===\n").unwrap();
        let found = find(language).expect(language);
        if found.queries().is_none() {
            continue; // A parser that this build does not have.
        }
        let symbols = outline(Some(found), text).symbols;
        let told: String = symbols
            .iter()
            .map(|s| format!("{} {}\n", s.name, word(s.visibility)))
            .collect();
        if told != expected {
            problems.push(format!("{language}: expected\n{expected}found\n{told}"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

fn word(visibility: Option<Visibility>) -> &'static str {
    match visibility {
        Some(Visibility::Public) => "public",
        Some(Visibility::Protected) => "protected",
        Some(Visibility::Internal) => "internal",
        Some(Visibility::Private) => "private",
        None => "unknown",
    }
}
