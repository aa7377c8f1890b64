//! What each system shows for a place.

use super::places::Place;
use crate::bm25::Bm25;
use scent_types::{CodeContext, Lines, Response};
use std::collections::BTreeMap;

/// Lines of a file that a context holds.
pub type Shown = (String, Lines);

/// Lines of a chunk.
const CHUNK: u32 = 20;

/// So many lines before the cursor are the query.
const QUERY: usize = 20;

/// Chunks that are as near as this to the cursor are not shown.
const SEEN: u32 = 20;

/// What scent's context shows.
pub fn of_context(found: &CodeContext) -> Vec<Shown> {
    let snippets = found.snippets.iter();
    snippets.map(|s| (s.path.clone(), s.lines)).collect()
}

/// What the hits of a search for similar code show within a budget.
pub fn of_similar(
    response: &Response,
    place: &Place,
    texts: &BTreeMap<String, String>,
    max_tokens: usize,
) -> Vec<Shown> {
    let around = Lines::new(place.line.saturating_sub(SEEN).max(1), place.line + SEEN);
    let hits = response.hits.iter().filter(|hit| {
        let meets = hit.lines.start <= around.end && around.start <= hit.lines.end;
        hit.path != place.path || !meets
    });
    let pieces = hits.map(|hit| (hit.path.clone(), hit.lines));
    within(pieces, texts, max_tokens)
}

/// A repository in chunks of lines.
pub struct Chunks {
    places: Vec<Shown>,
    index: Bm25,
}

impl Chunks {
    /// The chunks of some texts, by path.
    pub fn new(texts: &BTreeMap<String, String>) -> Chunks {
        let mut chunks = Chunks {
            places: Vec::new(),
            index: Bm25::default(),
        };
        for (path, text) in texts {
            let lines: Vec<&str> = text.lines().collect();
            for (nth, part) in lines.chunks(CHUNK as usize).enumerate() {
                let start = nth as u32 * CHUNK + 1;
                chunks.index.add(&part.join("\n"));
                let end = start + part.len() as u32 - 1;
                chunks.places.push((path.clone(), Lines::new(start, end)));
            }
        }
        chunks
    }

    /// The best chunks for a place within a budget, as completion has them that
    /// searches with the lines before the cursor.
    pub fn shown(
        &self,
        place: &Place,
        texts: &BTreeMap<String, String>,
        max_tokens: usize,
    ) -> Vec<Shown> {
        let text = texts.get(&place.path).map_or("", String::as_str);
        let before: Vec<&str> = text.lines().take(place.line as usize).collect();
        let query = before[before.len().saturating_sub(QUERY)..].join("\n");
        let around = Lines::new(place.line.saturating_sub(SEEN).max(1), place.line + SEEN);
        let found = self.index.search(&query).into_iter();
        let pieces = found
            .map(|nth| self.places[nth].clone())
            .filter(|(path, lines)| {
                let meets = lines.start <= around.end && around.start <= lines.end;
                *path != place.path || !meets
            });
        within(pieces, texts, max_tokens)
    }
}

/// What of some pieces fits into a budget, each with its path before it; the
/// last one is cut.
fn within(
    pieces: impl Iterator<Item = Shown>,
    texts: &BTreeMap<String, String>,
    max_tokens: usize,
) -> Vec<Shown> {
    let mut left = max_tokens * 4;
    let mut shown = Vec::new();
    for (path, lines) in pieces {
        let text = texts.get(&path).map_or("", String::as_str);
        left = left.saturating_sub(path.len() + 1);
        let mut end = lines.start - 1;
        let all = text.lines().skip(lines.start as usize - 1);
        for line in all.take((lines.end + 1 - lines.start) as usize) {
            if line.len() + 1 > left {
                left = 0;
                break;
            }
            left -= line.len() + 1;
            end += 1;
        }
        if end >= lines.start {
            shown.push((path, Lines::new(lines.start, end)));
        }
        if left == 0 {
            break;
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_cuts_the_last_piece() {
        let texts = BTreeMap::from([("a".to_owned(), "12345\n12345\n12345\n".to_owned())]);
        let piece = || std::iter::once(("a".to_owned(), Lines::new(1, 3)));
        let ends: Vec<Option<u32>> = [1, 2, 4, 5, 9]
            .map(|budget| within(piece(), &texts, budget).first().map(|(_, l)| l.end))
            .to_vec();
        assert_eq!(ends, [None, Some(1), Some(2), Some(3), Some(3)]);
    }
}
