//! What else answers beside a result: its neighbours, and its copies.

use crate::paths::Paths;
use crate::style::shortened;
use scent_types::{Hit, Neighbour, Response};

/// So many copies are named.
const NAMED: usize = 2;

/// The neighbours of a hit that have no result of their own.
pub(crate) fn here<'h>(hit: &'h Hit, response: &Response) -> Vec<&'h Neighbour> {
    let mut neighbours = Vec::new();
    for neighbour in &hit.also_here {
        let mut others = response.hits.iter();
        let is_result =
            others.any(|other| other.path == hit.path && other.lines == neighbour.lines);
        if !is_result {
            neighbours.push(neighbour);
        }
    }
    neighbours
}

/// The same in words, with where else the text of the hit is, a line each.
pub(crate) fn lines(hit: &Hit, response: &Response, paths: &Paths) -> Vec<String> {
    let mut lines = Vec::new();
    // Where no lines are wanted, a result is its place alone.
    if hit.excerpt.is_empty() {
        return lines;
    }
    let mut places = Vec::new();
    for Neighbour { kind, name, lines } in here(hit, response) {
        let name = if name.is_empty() {
            kind.to_string()
        } else {
            shortened(name).into_owned()
        };
        places.push(format!("{name} {lines}"));
    }
    if !places.is_empty() {
        lines.push(format!("also here: {}", places.join(", ")));
    }
    let mut copies = Vec::new();
    for copy in hit.also_in.iter().take(NAMED) {
        copies.push(paths.shown(&copy.path));
    }
    if !copies.is_empty() {
        let more = match hit.also_in.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        lines.push(format!("also in {}{more}", copies.join(", ")));
    }
    lines
}
