//! A response as terminal text, Markdown or JSON.
//!
//! The only place that gives results a form. Each format is a function from a
//! response to a [`Text`]; nothing here prints.

mod agents;
mod also;
mod answers;
mod budget;
mod context;
mod counts;
mod doctor;
mod explain;
mod graph;
mod health;
mod http;
mod indexes;
mod json;
mod listing;
mod lookup;
mod map;
mod markdown;
mod note;
mod paths;
mod quantity;
mod schema;
mod status;
mod style;
mod terminal;
mod text;
mod vimgrep;
pub mod wire;

pub use agents::{agents_text, changes_text, snippets_text};
pub use answers::{BatchAnswer, answers_json, error_json, question_heading};
pub use budget::{Budget, tokens};
pub use counts::{counts_text, counts_total};
pub use doctor::doctor_text;
pub use graph::{dependencies_dot, dependencies_mermaid, impact_dot, impact_mermaid};
pub use http::{
    event_json, health_json, impact_lines, problem_json, reference_lines, refreshing_json,
    roots_json, search_lines,
};
pub use indexes::{indexes_json, indexes_text};
pub use json::{json, stages};
pub use listing::{
    config_json, config_text, languages_json, languages_text, units_json, units_text,
};
pub use lookup::{Answer, Envelope, no_callpath};
pub use map::map_markdown;
pub use markdown::markdown;
pub use note::{note_text, rest_text};
pub use paths::Paths;
pub use quantity::{count, size};
pub use schema::{answer_schema, json_schema};
pub use status::{skipped_text, status_json, status_text, unhealthy_text};
pub use style::{Printed, Style};
pub use terminal::terminal;
pub use text::{Layout, Text};
pub use vimgrep::vimgrep;
