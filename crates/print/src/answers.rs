//! Several questions answered in one call.

use crate::json::search_answer;
use crate::markdown::span;
use crate::style::Style;
use crate::text::{Layout, Text};
use crate::wire::{Failure, Note, SCHEMA_VERSION, Search};
use scent_types::Response;
use serde::Serialize;

/// What a question was answered with.
#[derive(Debug)]
pub enum BatchAnswer<'a> {
    /// It has an answer.
    Answered(&'a Response),
    /// It has none.
    Failed {
        /// The question.
        query: String,
        /// The error for programs.
        code: &'static str,
        /// The error for people.
        message: String,
    },
}

#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Answered(Box<Search>),
    Failed(Failure),
}

/// The answers as a JSON array, in the order of the questions.
pub fn answers_json(all: &[BatchAnswer], style: &Style) -> Text {
    let mut answers = Vec::with_capacity(all.len());
    for one in all {
        answers.push(match one {
            BatchAnswer::Answered(response) => {
                Answer::Answered(Box::new(search_answer(response, style).0))
            }
            BatchAnswer::Failed {
                query,
                code,
                message,
            } => Answer::Failed(failure(Some(query.clone()), code, message)),
        });
    }
    Text::json_in(style.layout, &answers)
}

/// An error as JSON, with a line end.
pub fn error_json(code: &'static str, message: &str, layout: Layout) -> Text {
    Text::json_in(layout, &failure(None, code, message))
}

fn failure(query: Option<String>, code: &'static str, message: &str) -> Failure {
    Failure {
        schema: SCHEMA_VERSION,
        query,
        error: Note {
            code,
            message: message.to_owned(),
        },
    }
}

/// The line above the answer to one of several questions.
pub fn question_heading(query: &str, is_markdown: bool) -> Text {
    match is_markdown {
        true => Text::line(&format!("## {}", span(query))),
        false => Text::line(&format!("== {query}")),
    }
}
