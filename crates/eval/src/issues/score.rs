//! What an answer to an issue is worth.

use super::read::Issue;
use scent_types::Lines;
use std::collections::{BTreeMap, HashSet};

/// How deep rankings are looked at for NDCG.
const DEPTH: usize = 10;

/// The names of the numbers, in the order of the tables.
pub const METRICS: [&str; 11] = [
    "file@1",
    "file@3",
    "file@5",
    "file@10",
    "any@1",
    "any@5",
    "any@10",
    "func@5",
    "func@10",
    "ndcg_file",
    "ndcg_lines",
];

/// The numbers of one answer by their names; those that do not apply are
/// missing.
pub type Scores = BTreeMap<&'static str, f64>;

/// An answer: places in order, and the functions of the files they are in.
#[derive(Clone, Debug, Default)]
pub struct Hits {
    /// The path and the lines of each.
    pub places: Vec<(String, Lines)>,
    /// The functions of each file, in order of their lines.
    pub functions: BTreeMap<String, Vec<Lines>>,
}

/// Lines of a file.
type Stretch<'a> = (&'a str, Lines);

/// A function by its file and lines.
type Function<'a> = Stretch<'a>;

/// Scores an answer.
pub fn score(issue: &Issue, hits: &Hits) -> Scores {
    let mut scores = Scores::new();
    let files = files(hits);
    for (nth, (all, any)) in [
        ("file@1", Some("any@1")),
        ("file@3", None),
        ("file@5", Some("any@5")),
        ("file@10", Some("any@10")),
    ]
    .into_iter()
    .enumerate()
    {
        let first = &files[..files.len().min([1, 3, 5, 10][nth])];
        let found = issue.files.iter().filter(|f| first.contains(&f.as_str()));
        let count = found.count();
        scores.insert(all, f64::from(count == issue.files.len()));
        if let Some(any) = any {
            scores.insert(any, f64::from(count > 0));
        }
    }
    let edited = edited_functions(issue);
    if !edited.is_empty() {
        let functions = functions(hits, &edited);
        for (name, within) in [("func@5", 5), ("func@10", 10)] {
            let first = &functions[..functions.len().min(within)];
            let all = edited.iter().all(|function| first.contains(function));
            scores.insert(name, f64::from(all));
        }
    }
    let file_ranks = issue.files.iter().map(|file| {
        let is_it = |path: &&str| path == file;
        files.iter().position(is_it)
    });
    scores.insert("ndcg_file", ndcg(file_ranks.collect()));
    let place_ranks = places(issue).into_iter().map(|spans| {
        let is_in = |(path, lines): &(String, Lines)| {
            spans
                .iter()
                .any(|(of, at)| of == path && at.overlaps(*lines))
        };
        hits.places.iter().position(is_in)
    });
    scores.insert("ndcg_lines", ndcg(place_ranks.collect()));
    scores
}

/// The different files of an answer, in order.
fn files(hits: &Hits) -> Vec<&str> {
    let mut seen = HashSet::new();
    let paths = hits.places.iter().map(|(path, _)| path.as_str());
    paths.filter(|path| seen.insert(*path)).collect()
}

fn edited_functions(issue: &Issue) -> Vec<Function<'_>> {
    let mut edited: Vec<Function> = Vec::new();
    for span in &issue.spans {
        if let Some(lines) = span.function_lines()
            && !edited.contains(&(&span.path, lines))
        {
            edited.push((&span.path, lines));
        }
    }
    edited
}

/// The different functions of an answer, in order: of each place those that it
/// overlaps. Where a parser and the suite draw the same function differently,
/// the suite is right.
fn functions<'a>(hits: &'a Hits, edited: &[Function<'a>]) -> Vec<Function<'a>> {
    let mut seen = HashSet::new();
    let mut all = Vec::new();
    for (path, lines) in &hits.places {
        let known = hits.functions.get(path).into_iter().flatten();
        let ours = known.map(|function| as_edited((path, *function), edited));
        let theirs = edited.iter().filter(|(of, _)| of == path).copied();
        let mut here: Vec<Function> = ours
            .chain(theirs)
            .filter(|(_, function)| function.overlaps(*lines))
            .collect();
        here.sort();
        all.extend(here.into_iter().filter(|function| seen.insert(*function)));
    }
    all
}

/// The edited function that is nearly the same stretch of lines, or the function
/// itself.
fn as_edited<'a>(function: Function<'a>, edited: &[Function<'a>]) -> Function<'a> {
    let (path, lines) = function;
    let is_same = |(of, other): &&Function| {
        let shared = (lines.end.min(other.end) + 1).saturating_sub(lines.start.max(other.start));
        let longer = lines.count().max(other.count());
        *of == path && 2 * shared > longer
    };
    edited.iter().find(is_same).copied().unwrap_or(function)
}

/// The places of edit: the spans of one function are one, any other span is one
/// of its own.
fn places(issue: &Issue) -> Vec<Vec<Stretch<'_>>> {
    let mut places: Vec<(Option<Stretch>, Vec<Stretch>)> = Vec::new();
    for span in &issue.spans {
        let around = span.function_lines().map(|f| (span.path.as_str(), f));
        let here = (span.path.as_str(), span.lines());
        let known = places.iter_mut().find(|(f, _)| f.is_some() && *f == around);
        match known {
            Some((_, spans)) => spans.push(here),
            None => places.push((around, vec![here])),
        }
    }
    places.into_iter().map(|(_, spans)| spans).collect()
}

/// NDCG@10 with binary gains; what one result finds first counts once.
fn ndcg(ranks: Vec<Option<usize>>) -> f64 {
    let ideal: f64 = (0..ranks.len().min(DEPTH)).map(gain).sum();
    let found: HashSet<usize> = ranks.into_iter().flatten().filter(|r| *r < DEPTH).collect();
    let sum = found
        .into_iter()
        .map(gain)
        .fold(0.0, |sum, gain| sum + gain);
    if ideal > 0.0 { sum / ideal } else { 0.0 }
}

fn gain(rank: usize) -> f64 {
    1.0 / (rank as f64 + 2.0).log2()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn issue(spans: &str, files: &str) -> Issue {
        let text = format!(
            r#"{{"id": "a-1", "repo": "a", "language": "go", "base_commit": "c", "title": "t",
                "text": "t", "files": {files}, "spans": {spans}}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    fn hits(places: &[(&str, u32, u32)], functions: &[(&str, u32, u32)]) -> Hits {
        let mut hits = Hits::default();
        for (path, start, end) in places {
            let lines = Lines::new(*start, *end);
            hits.places.push(((*path).to_owned(), lines));
        }
        for (path, start, end) in functions {
            let all = hits.functions.entry((*path).to_owned()).or_default();
            all.push(Lines::new(*start, *end));
        }
        hits
    }

    #[test]
    fn all_files_count_and_any_file_counts() {
        let issue = issue(
            r#"[{"path": "a", "start_line": 3, "end_line": 3}]"#,
            r#"["a", "b"]"#,
        );
        let scores = score(&issue, &hits(&[("a", 1, 4), ("a", 9, 9), ("b", 1, 1)], &[]));
        assert_eq!((scores["file@1"], scores["any@1"]), (0.0, 1.0));
        assert_eq!((scores["file@3"], scores["ndcg_file"]), (1.0, 1.0));
        assert_eq!(scores["ndcg_lines"], 1.0);
        assert!(!scores.contains_key("func@5"));
    }

    #[test]
    fn functions_are_those_that_an_answer_overlaps() {
        let issue = issue(
            r#"[{"path": "a", "start_line": 12, "end_line": 12, "function": "f",
                 "function_lines": [11, 20]},
                {"path": "a", "start_line": 14, "end_line": 14, "function": "f",
                 "function_lines": [11, 20]}]"#,
            r#"["a"]"#,
        );
        let others: Vec<(&str, u32, u32)> = (1..6).map(|n| ("b", n * 10, n * 10 + 5)).collect();
        let mut all = others.clone();
        all.push(("a", 10, 20));
        // A class of five functions stands for all of them.
        let far = hits(&[("b", 1, 60), ("c", 1, 9), ("a", 14, 16)], &all);
        assert_eq!(score(&issue, &far)["func@5"], 0.0);
        assert_eq!(score(&issue, &far)["func@10"], 1.0);
        let near = hits(&[("b", 1, 45), ("a", 15, 16)], &all);
        assert_eq!(score(&issue, &near)["func@5"], 1.0);
        let third = (score(&issue, &far)["ndcg_lines"] * 4.0_f64.log2() - 1.0).abs();
        assert!(third < 1e-9, "one place, at rank 3");
    }
}
