//! The wire schema, defined once for every interface.

use crate::{Style, Text, cut, excerpt, fitting};
use scent_types::{Hit, Response};
use serde::Serialize;
use std::collections::BTreeMap;

/// Grows when a field changes its meaning or goes away; new fields may come
/// without it.
pub const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    query: &'a str,
    root: &'a str,
    generation: u64,
    total: usize,
    shown: usize,
    /// How sure it is that the first is in the right file.
    #[serde(skip_serializing_if = "Option::is_none")]
    certainty: Option<f32>,
    results: Vec<Found<'a>>,
    /// Places that were found and did not fit into the budget.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<Place<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    meaning: Option<Meaning<'a>>,
    #[serde(skip_serializing_if = "is_empty")]
    notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    timing: Option<Micros>,
    /// How long each step took.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<Step>,
}

/// A step of the search.
#[derive(Serialize)]
struct Step {
    name: &'static str,
    micros: u64,
    units: usize,
}

/// How far meanings were known.
#[derive(Serialize)]
struct Meaning<'a> {
    model: &'a str,
    units: u64,
    waiting: u64,
    /// The better model that does not answer yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    better: Option<Better<'a>>,
}

#[derive(Serialize)]
struct Better<'a> {
    model: &'a str,
    units: u64,
    waiting: u64,
}

/// How long the parts took, in microseconds.
#[derive(Serialize)]
struct Micros {
    refresh: u64,
    search: u64,
}

#[derive(Serialize)]
struct Found<'a> {
    path: &'a str,
    start_line: u32,
    end_line: u32,
    kind: &'static str,
    name: &'a str,
    qualified_name: &'a str,
    signature: &'a str,
    language: &'a str,
    score: f32,
    lanes: BTreeMap<&'static str, f32>,
    /// What the score is made of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<Part<'a>>,
    snippet: String,
    /// The number of each line of the snippet.
    snippet_lines: Vec<u32>,
}

#[derive(Serialize)]
struct Part<'a> {
    name: &'static str,
    amount: f32,
    why: &'a str,
}

#[derive(Serialize)]
struct Place<'a> {
    path: &'a str,
    start_line: u32,
    end_line: u32,
    name: &'a str,
}

fn is_empty(notes: &&[String]) -> bool {
    notes.is_empty()
}

/// A response as JSON, on lines of its own, with a line end.
pub fn json(response: &Response, style: &Style) -> Text {
    let mut results: Vec<Found> = response
        .hits
        .iter()
        .map(|hit| describe(hit, style))
        .collect();
    let mut places: Vec<Place> = response.hits.iter().map(place).collect();
    let (shown, listed) = fitting(&written(&results), &written(&places), style.max_tokens);
    results.truncate(shown);
    let answer = Answer {
        schema: SCHEMA_VERSION,
        query: &response.query,
        root: &response.root,
        generation: response.generation,
        total: response.total,
        shown,
        certainty: response
            .certainty
            .map(|sure| (sure * 100.0).round() / 100.0),
        results,
        left_out: places.drain(shown..).take(listed).collect(),
        meaning: response.meaning.as_ref().map(meaning),
        notes: &response.notes,
        timing: style.timing.then_some(Micros {
            refresh: response.timing.refresh,
            search: response.timing.search,
        }),
        steps: response.stages.iter().map(step).collect(),
    };
    Text::json_pretty(&answer)
}

fn step(stage: &scent_types::Stage) -> Step {
    Step {
        name: stage.name,
        micros: stage.micros,
        units: stage.count,
    }
}

fn written(values: &[impl Serialize]) -> Vec<Text> {
    values.iter().map(Text::json).collect()
}

fn describe<'a>(hit: &'a Hit, style: &Style) -> Found<'a> {
    let lines = if style.files_only {
        Vec::new()
    } else {
        excerpt::lines(hit, style)
    };
    let text: Vec<&str> = lines
        .iter()
        .map(|&n| cut(hit.line(n).unwrap_or(""), style.max_columns).0)
        .collect();
    Found {
        path: &hit.path,
        start_line: hit.lines.start,
        end_line: hit.lines.end,
        kind: hit.kind.as_str(),
        name: &hit.name,
        qualified_name: &hit.qualified,
        signature: &hit.signature,
        language: &hit.language,
        score: hit.score,
        lanes: hit
            .lanes
            .iter()
            .map(|(lane, score)| (lane.as_str(), *score))
            .collect(),
        parts: hit.parts.iter().map(part).collect(),
        snippet: text.join("\n"),
        snippet_lines: lines,
    }
}

fn part(part: &scent_types::Part) -> Part<'_> {
    Part {
        name: part.name,
        amount: part.amount,
        why: &part.why,
    }
}

fn meaning(known: &scent_types::Meaning) -> Meaning<'_> {
    let better = known.better.as_ref().map(|better| Better {
        model: &better.model,
        units: better.units,
        waiting: better.waiting,
    });
    Meaning {
        model: &known.model,
        units: known.units,
        waiting: known.waiting,
        better,
    }
}

fn place(hit: &Hit) -> Place<'_> {
    Place {
        path: &hit.path,
        start_line: hit.lines.start,
        end_line: hit.lines.end,
        name: &hit.qualified,
    }
}
