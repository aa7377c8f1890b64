//! What comes first, and what the notes of an answer say.

mod project;

use project::*;
use scent_engine::{Refresh, Silent};
use scent_types::{Lane, Note, RawRequest, Response};

/// Answers by words alone: nothing here depends on a model.
fn ask(project: &Project, query: &str) -> Response {
    answer(project, raw(query))
}

fn raw(query: &str) -> RawRequest {
    let lanes = [Lane::Text, Lane::Symbol, Lane::Path];
    RawRequest {
        query: query.into(),
        lanes: lanes.map(|lane| lane.as_str().to_owned()).to_vec(),
        ..RawRequest::default()
    }
}

fn answer(project: &Project, raw: RawRequest) -> Response {
    let request = scent_engine::parse_request(&raw).unwrap();
    let engine = project.engine();
    let projects = [engine.open(&project.root)];
    engine
        .search(&projects, &request, Refresh::Always, &Silent)
        .unwrap()
}

fn names(response: &Response) -> Vec<&str> {
    response.hits.iter().map(|hit| hit.name.as_str()).collect()
}

const SHOP: &str = r#"
/// Pays a bill with a card: cannot charge the card, says the bank.
pub fn pay(bill: u32) -> Result<u32, String> {
    Err(format!("cannot charge card {bill}"))
}

/// Cards and charges, and how to charge a card.
pub fn charge_card(card: u32) -> u32 {
    card
}

/// Nothing to do with money.
pub fn paint() -> &'static str {
    "out of paint"
}
"#;

#[test]
fn a_quoted_text_comes_first_and_leaves_the_others() {
    let project = Project::new(&[("src/shop.rs", SHOP)]);
    for (query, first, all, missing) in [
        ("how is a card charged", "charge_card", 2, 0),
        ("how is \"cannot charge card\" a card charged", "pay", 2, 0),
        ("charge card \"out of paint\"", "paint", 3, 0),
        ("charge card \"cannot charge card 17\"", "pay", 2, 1),
        ("\"out of paint\"", "paint", 1, 0),
        ("\"out of paint 17\"", "", 0, 0),
    ] {
        let response = ask(&project, query);
        let found = names(&response);
        assert_eq!(found.first().copied().unwrap_or(""), first, "{query}");
        assert_eq!(found.len(), all, "{query}: {found:?}");
        let is_missing = |note: &&Note| matches!(note, Note::QuoteNotFound { .. });
        let notes = response.notes.iter().filter(is_missing).count();
        assert_eq!(notes, missing, "{query}");
    }
}

const READER: &str = r#"
pub fn read_from_file(path: &str) -> String {
    std::fs::read_to_string(path).unwrap()
}

pub fn read_to_file(path: &str, file: &str) {
    read_file(path, file);
}

pub fn read_file(path: &str, file: &str) {
    file_read(path, file);
}
"#;

const USES: &str = r#"
# Reads every file: read, file, read, file.
def load(path):
    return readFromFile(path)

def reload(path, file, read):
    value = native.read_from_file(path)
    return value
"#;

#[test]
fn a_name_comes_before_its_parts() {
    let project = Project::new(&[
        ("src/reader.rs", READER),
        ("file/read/uses.py", USES),
        (
            "src/session_store.rs",
            "pub fn session_of() {\n    session();\n}\n",
        ),
        (
            "src/session.rs",
            "pub fn session_from() {\n    session();\n}\n",
        ),
        (
            "src/pool.rs",
            "pub struct Session;\n\npub fn sessions() {}\n",
        ),
    ]);
    for (query, want) in [
        ("read_from_file", "read_from_file reload load"),
        ("native.read_from_file", "reload read_from_file load"),
        ("readFromFile", "load"),
        ("session", "Session session_from session_of"),
    ] {
        let response = ask(&project, query);
        let found = names(&response);
        let count = want.split(' ').count();
        assert_eq!(found[..count].join(" "), want, "{query}: {found:?}");
        let scores: Vec<f32> = response.hits.iter().map(|hit| hit.score).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{query}: {scores:?}");
    }
}

#[test]
fn a_name_that_nobody_has_finds_those_like_it() {
    let project = Project::new(&[
        (
            "src/lock.rs",
            "pub fn getContentHash() {}\n\npub fn paint_wall() {}\n",
        ),
        (
            "src/hash.rs",
            "/// Gets the lock of a hash.\npub fn unrelated() {}\n",
        ),
    ]);
    for (query, first, nearest) in [
        ("getLockHash", "getContentHash", "getContentHash"),
        ("paint_wal", "paint_wall", "paint_wall"),
        ("paintwall", "paint_wall", ""),
    ] {
        let response = ask(&project, query);
        assert!(names(&response).contains(&first), "{query}");
        let mut found = String::new();
        for note in &response.notes {
            if let Note::MissingWords { words, nearest, .. } = note {
                assert_eq!(words, &[query]);
                found = nearest.join(" ");
            }
        }
        assert_eq!(found, nearest, "{query}");
    }
}

/// The codes of the notes on an answer.
fn codes(response: &Response) -> Vec<&'static str> {
    response.notes.iter().map(Note::code).collect()
}

#[test]
fn a_word_that_is_nowhere_is_named() {
    let project = Project::new(&[("src/shop.rs", SHOP)]);
    for (query, want) in [
        ("charge card", ""),
        ("charge zzzzqqqq", "zzzzqqqq"),
        (
            "how is a card charged when the bank says out of money or paint zzzzqqqq",
            "",
        ),
        ("where is chargeBills of a card", "chargeBills"),
    ] {
        let response = ask(&project, query);
        let mut found = Vec::new();
        for note in &response.notes {
            if let Note::MissingWords { words, all, .. } = note {
                assert!(!all, "{query}");
                found.extend(words.clone());
            }
        }
        assert_eq!(found.join(" "), want, "{query}");
    }
}

#[test]
fn an_empty_answer_says_what_to_leave_out() {
    let project = Project::new(&[
        ("src/shop.rs", SHOP),
        ("docs/shop.md", "# Shop\n\nWhere cards are charged.\n"),
    ]);
    for (query, pattern, want) in [
        ("card lang:python", None, Some("lang:python")),
        ("card lang:rust kind:section", None, Some("kind:section")),
        ("card path:docs/ -docs", None, Some("-docs")),
        ("card name:nobody is:code", None, Some("name:nobody")),
        ("\"card out of paint\"", None, Some("the quotes")),
        ("card", Some("cards? of$"), Some("-e 'cards? of$'")),
        ("zzzzqqqq", None, None),
    ] {
        let raw = RawRequest {
            pattern: pattern.map(str::to_owned),
            lanes: Vec::new(),
            ..raw(query)
        };
        let keyword = RawRequest {
            lanes: vec!["text".into()],
            ..raw.clone()
        };
        let response = answer(&project, if want.is_some() { raw } else { keyword });
        assert!(response.hits.is_empty(), "{query}");
        let Some(Note::NothingFound {
            units,
            files,
            without,
            missing,
            ..
        }) = response.notes.last()
        else {
            panic!("{query}: {:?}", response.notes);
        };
        assert_eq!((*units, *files), (4, 2), "{query}");
        let is_nowhere = query == "zzzzqqqq";
        assert_eq!(missing.is_empty(), !is_nowhere, "{query}: {missing:?}");
        if want.is_some() {
            assert_eq!(without.as_deref(), want, "{query}");
        }
    }
    let empty = Project::new(&[("a.bin", [0u8; 9])]);
    assert_eq!(codes(&ask(&empty, "card")), ["nothing-indexed"]);
}
