//! What only the HTTP API answers: problems, folders, events, and lists line by
//! line.

use crate::json::search_answer;
use crate::lookup::wired;
use crate::style::Style;
use crate::text::Text;
use crate::wire::{self, Done, SCHEMA_VERSION};
use scent_types::{Impact, Note, References, Response};
use serde::Serialize;

/// A problem as JSON.
pub fn problem_json(problem: &wire::Problem) -> Text {
    Text::json(problem)
}

/// The folders that are served, as JSON.
pub fn roots_json(program: String, roots: Vec<wire::Root>) -> Text {
    Text::json(&wire::Roots {
        schema: SCHEMA_VERSION,
        program,
        roots,
    })
}

/// Whether the server can answer, as JSON. `waiting` are the folders that
/// cannot be searched yet.
pub fn health_json(waiting: Vec<String>) -> Text {
    let status = match waiting.is_empty() {
        true => "ok",
        false => "starting",
    };
    Text::json(&wire::Health { status, waiting })
}

/// That a folder will be looked through, as JSON.
pub fn refreshing_json(root: String, generation: Option<u64>) -> Text {
    Text::json(&wire::Refreshing {
        schema: SCHEMA_VERSION,
        root,
        generation,
    })
}

/// An event as JSON, without a line end.
pub fn event_json(event: &wire::Event) -> String {
    Text::json(event).as_str().trim_end().to_owned()
}

/// The results of a search, an object a line; the last line says that it is the
/// last.
pub fn search_lines(response: &Response) -> Text {
    let (answer, _) = search_answer(response, &Style::default());
    lines(&answer.results, answer.total, &response.notes)
}

/// References in the same form.
pub fn reference_lines(found: &References, notes: &[Note]) -> Text {
    let uses: Vec<wire::Reference> = wired(&found.uses);
    lines(&uses, found.total, notes)
}

/// What a change affects in the same form.
pub fn impact_lines(found: &Impact, notes: &[Note]) -> Text {
    let affected: Vec<wire::Affected> = wired(&found.affected);
    lines(&affected, found.total, notes)
}

fn lines(results: &[impl Serialize], total: usize, notes: &[Note]) -> Text {
    let mut text: Text = results.iter().map(Text::json).collect();
    text += Text::json(&Done {
        done: true,
        total,
        notes: wired(notes),
    });
    text
}
