//! What the program should answer, what it does answer, and what lies between.

use super::repository::{pinned_name, pinned_path};
use super::world::{Run, World, remove};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// Everything that is asked, as it is typed.
pub(super) fn questions() -> Vec<Vec<String>> {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let pinned =
        |command: &str, language: usize| [words(command), vec![pinned_name(language)]].concat();
    let place = |command: &str, path: String| [words(command), vec![path]].concat();
    vec![
        [
            words("--json -k 30"),
            vec!["how is the cache refreshed".into()],
        ]
        .concat(),
        [
            words("--json -k 30 --keyword-only"),
            vec!["validate voucher".into()],
        ]
        .concat(),
        words("--json -k 100 -F total"),
        pinned("--json -k 20", 2),
        pinned("def --json", 0),
        pinned("refs --json", 1),
        pinned("impact --json", 3),
        place("deps --json --reverse", pinned_path(0)),
        place("outline --json", pinned_path(4)),
        place("similar --json -k 20", format!("{}:8", pinned_path(1))),
        words("def --json compress_*"),
        [
            words("--json --semantic-only"),
            vec!["wait before the next try".into()],
        ]
        .concat(),
    ]
}

/// What an index that nothing ever happened to answers.
pub(super) struct Fresh {
    pub answers: Vec<Answer>,
}

/// One answer.
pub(super) struct Answer {
    json: Value,
    /// What is said beside it even so.
    remarks: BTreeSet<String>,
}

/// The fresh answers of every state, each made once.
#[derive(Default)]
pub(super) struct Oracle {
    known: Mutex<HashMap<(u64, usize), Arc<Fresh>>>,
}

impl Oracle {
    /// The answers of the state that a world is in.
    pub fn fresh(&self, world: &World, state: usize) -> anyhow::Result<Arc<Fresh>> {
        let key = (world.seed, state);
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(fresh) = known().get(&key) {
            return Ok(fresh.clone());
        }
        let fresh = Arc::new(make(world)?);
        Ok(known().entry(key).or_insert(fresh).clone())
    }
}

fn make(world: &World) -> anyhow::Result<Fresh> {
    let data = world.beside("fresh");
    world.make_folder(&data)?;
    let indexed = world.run_in(&data, &["index"])?;
    anyhow::ensure!(indexed.is_well(), "a fresh index: {}", indexed.last_words());
    let mut answers = Vec::new();
    for question in questions() {
        let run = world.run_in(&data, &strs(&question))?;
        let json = comparable(world, &run.out);
        anyhow::ensure!(
            run.is_well() && json.is_some(),
            "{question:?}: {}",
            run.last_words()
        );
        answers.extend(json.map(|json| Answer {
            json,
            remarks: remarks(&run),
        }));
    }
    remove(&data)?;
    Ok(Fresh { answers })
}

pub(super) fn strs(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

pub(super) fn bytes_of(files: &[std::path::PathBuf]) -> u64 {
    files
        .iter()
        .filter_map(|path| path.metadata().ok())
        .map(|data| data.len())
        .sum()
}

/// An answer without what depends on the past of its index and on where its
/// project lies.
fn comparable(world: &World, out: &str) -> Option<Value> {
    let mut answer: Value = serde_json::from_str(&without_root(world, out)).ok()?;
    let fields = answer.as_object_mut()?;
    for field in ["generation", "notes", "meaning", "embeddings", "timing"] {
        fields.remove(field);
    }
    Some(answer)
}

fn without_root(world: &World, out: &str) -> String {
    out.replace(&world.root.to_string_lossy().into_owned(), "ROOT")
}

/// How an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Right,
    /// It differs, and a note says why.
    Noted,
    /// It differs without a word.
    Wrong,
    /// It differs without a word, and does not have all places that it should.
    Lost,
    /// There is none.
    Failed,
}

/// Compares what a run printed with the fresh answer.
pub(super) fn judge(world: &World, run: &Run, fresh: &Answer) -> Verdict {
    if !run.is_well() {
        return Verdict::Failed;
    }
    let Some(answer) = comparable(world, &run.out) else {
        return Verdict::Failed;
    };
    if answer == fresh.json {
        return Verdict::Right;
    }
    if !remarks(run).is_subset(&fresh.remarks) {
        return Verdict::Noted;
    }
    match places(&fresh.json).is_subset(&places(&answer)) {
        true => Verdict::Wrong,
        false => Verdict::Lost,
    }
}

/// What the program said beside its answer, without numbers.
fn remarks(run: &Run) -> BTreeSet<String> {
    let answer: Value = serde_json::from_str(&run.out).unwrap_or_default();
    let notes = answer["notes"].as_array().into_iter().flatten();
    let notes: Vec<String> = notes.map(Value::to_string).collect();
    let lines = run.err.lines().chain(notes.iter().map(String::as_str));
    lines
        .map(|line| line.replace(|c: char| c.is_ascii_digit(), ""))
        .collect()
}

/// Every place that an answer names.
fn places(answer: &Value) -> BTreeSet<String> {
    let mut places = BTreeSet::new();
    let mut rest = vec![answer];
    while let Some(value) = rest.pop() {
        match value {
            Value::Array(items) => rest.extend(items),
            Value::Object(fields) => {
                if let Some(path) = value["path"].as_str() {
                    let line = ["start_line", "line"].map(|name| value[name].to_string());
                    places.insert(format!("{path} {}", line.concat()));
                }
                rest.extend(fields.values());
            }
            _ => {}
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn verdicts() {
        let world = World::new("scent".as_ref(), 1, None).unwrap();
        let root = world.root.to_str().unwrap();
        let json = json!({"root": "ROOT", "results": [{"path": "a", "line": 1}, {"path": "b"}]});
        let remarks = BTreeSet::from(["scent:  of  shown".to_owned()]);
        let fresh = Answer { json, remarks };
        let results = |results: &str| format!("{{\"root\": {root:?}, \"results\": [{results}]}}");
        let both = r#"{"path": "a", "line": 1}, {"path": "b"}"#;
        let swapped = r#"{"path": "b"}, {"path": "a", "line": 1}"#;
        let cases = [
            (Some(0), results(both), "", Verdict::Right),
            (Some(0), results(both), "scent: rebuilt\n", Verdict::Right),
            (Some(0), results(swapped), "", Verdict::Wrong),
            (
                Some(0),
                results(r#"{"path": "a", "line": 1}"#),
                "",
                Verdict::Lost,
            ),
            (Some(1), results(""), "", Verdict::Lost),
            (
                Some(0),
                results(swapped),
                "scent: not up to date\n",
                Verdict::Noted,
            ),
            (
                Some(0),
                results(swapped),
                "scent: 2 of 31 shown\n",
                Verdict::Wrong,
            ),
            (Some(2), results(both), "", Verdict::Failed),
            (None, String::new(), "", Verdict::Failed),
            (Some(0), "half of".into(), "", Verdict::Failed),
        ];
        for (code, out, err, want) in cases {
            let run = Run {
                code,
                killed: false,
                hangs: false,
                out,
                err: err.into(),
            };
            assert_eq!(judge(&world, &run, &fresh), want, "{run:?}");
        }
    }
}
