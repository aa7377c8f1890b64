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
        ("charge card \"cannot charge card 17\"", "charge_card", 2, 1),
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
