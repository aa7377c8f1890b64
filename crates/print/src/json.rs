//! Search results as JSON.

use crate::also;
use crate::budget::fitting;
use crate::style::{Printed, Style};
use crate::text::Text;
use crate::wire::{LeftOut, SCHEMA_VERSION, Search, SearchResult, Stage};
use scent_types::{Hit, Response};
use serde::Serialize;

/// A response as JSON, with a line end.
pub fn json(response: &Response, style: &Style) -> Printed {
    let (answer, shown) = search_answer(response, style);
    let text = Text::json_in(style.layout, &answer);
    Printed { text, shown }
}

/// The answer to a search, and how many results it shows.
pub(crate) fn search_answer(response: &Response, style: &Style) -> (Search, usize) {
    let hits = response.hits.iter();
    let mut results: Vec<SearchResult> = hits.map(|hit| result(hit, response)).collect();
    let mut left_out: Vec<LeftOut> = response.hits.iter().map(LeftOut::from).collect();
    // Where all of them fit, they are written but once.
    let (shown, listed) = match style.max_tokens {
        None => (results.len(), 0),
        budget => fitting(&written(&results), &written(&left_out), budget),
    };
    results.truncate(shown);
    left_out.drain(..shown);
    left_out.truncate(listed);
    let answer = Search {
        schema: SCHEMA_VERSION,
        root: response.root.clone(),
        query: response.query.clone(),
        generation: response.generation,
        total: response.total,
        shown,
        offset: response.offset,
        next_offset: next_offset(response, shown),
        certainty: response.certainty.map(in_percent),
        results,
        left_out,
        counts: response.counts.iter().map(Into::into).collect(),
        embeddings: response.embeddings.as_ref().map(Into::into),
        notes: response.notes.iter().map(Into::into).collect(),
        timing: style.timing.then(|| response.timing.into()),
        steps: response.stages.iter().map(Into::into).collect(),
    };
    (answer, shown)
}

/// Where to go on after the results that are shown.
pub(crate) fn next_offset(response: &Response, shown: usize) -> Option<usize> {
    if shown < response.hits.len() {
        return Some(response.offset + shown);
    }
    response.next_offset
}

/// What every step of a search had, one line of JSON a step.
pub fn stages(response: &Response) -> Text {
    let mut out = Text::default();
    for stage in &response.stages {
        out += Text::json(&Stage::from(stage));
    }
    out
}

fn in_percent(probability: f32) -> f32 {
    (probability * 100.0).round() / 100.0
}

fn written(values: &[impl Serialize]) -> Vec<Text> {
    values.iter().map(Text::json).collect()
}

fn result(hit: &Hit, response: &Response) -> SearchResult {
    let (mut snippet, mut snippet_lines) = (Vec::new(), Vec::new());
    for line in &hit.excerpt {
        snippet.push(line.text.as_str());
        snippet_lines.push(line.number);
    }
    SearchResult {
        path: hit.path.clone(),
        start_line: hit.lines.start,
        end_line: hit.lines.end,
        kind: hit.kind.as_str(),
        name: hit.name.clone(),
        qualified_name: hit.qualified.clone(),
        signature: hit.signature.clone(),
        language: hit.language.clone(),
        score: hit.score,
        lanes: hit
            .lanes
            .iter()
            .map(|(lane, score)| (lane.as_str(), *score))
            .collect(),
        parts: hit.parts.iter().map(Into::into).collect(),
        passages: hit.passages.iter().map(Into::into).collect(),
        also_here: also::here(hit, response)
            .into_iter()
            .map(Into::into)
            .collect(),
        also_in: hit.also_in.iter().map(Into::into).collect(),
        snippet: snippet.join("\n"),
        snippet_lines,
    }
}
