//! semble's layout: `repos.json`, and one file of questions a repository,
//! beside it or in `annotations/`.

use super::{Corpus, Question, Suite, splits};
use crate::row::{Expected, Target, Task};
use anyhow::Context;
use scent_types::Lines;
use serde::Deserialize;
use std::fs;
use std::path::Path;

#[derive(Deserialize)]
struct Repository {
    name: String,
    language: Option<String>,
    revision: Option<String>,
    benchmark_root: Option<String>,
}

#[derive(Deserialize)]
struct Annotation {
    query: String,
    category: String,
    #[serde(default)]
    relevant: Vec<Place>,
    #[serde(default)]
    secondary: Vec<Place>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Place {
    File(String),
    Lines {
        path: String,
        start_line: u32,
        end_line: u32,
    },
    Path(OnlyPath),
}

/// A place with one end alone is a mistake, not a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OnlyPath {
    path: String,
}

pub(super) fn read(folder: &Path, suite: &mut Suite) -> anyhow::Result<()> {
    let list = folder.join("repos.json");
    let text = fs::read_to_string(&list).with_context(|| list.display().to_string())?;
    let repositories: Vec<Repository> =
        serde_json::from_str(&text).with_context(|| list.display().to_string())?;
    for repository in repositories {
        let file = format!("{}.json", repository.name);
        let places = [folder.join("annotations").join(&file), folder.join(&file)];
        match places.iter().find_map(|path| fs::read_to_string(path).ok()) {
            Some(text) => add(repository, &text, suite),
            None => suite
                .left_out
                .push(format!("{}: there is no {file}", repository.name)),
        }
    }
    Ok(())
}

fn add(repository: Repository, text: &str, suite: &mut Suite) {
    let name = repository.name;
    let rows: Vec<serde_json::Value> = match serde_json::from_str(text) {
        Ok(rows) => rows,
        Err(error) => return suite.left_out.push(format!("{name}: not a list: {error}")),
    };
    let mut corpus = Corpus::new(&name, splits::of(&suite.name, "semble", &name));
    corpus.root = repository
        .benchmark_root
        .unwrap_or_default()
        .trim_matches('/')
        .to_owned();
    corpus.language = repository.language;
    corpus.revision = repository.revision;
    for (at, row) in rows.into_iter().enumerate() {
        match question(row) {
            Ok(question) => corpus.questions.push(question),
            Err(why) => suite
                .left_out
                .push(format!("{name}: question {}: {why}", at + 1)),
        }
    }
    suite.corpora.push(corpus);
}

fn question(row: serde_json::Value) -> Result<Question, String> {
    let row: Annotation = serde_json::from_value(row).map_err(|e| e.to_string())?;
    let graded = |places: Vec<Place>, grade| places.into_iter().map(move |p| target(p, grade));
    let targets = graded(row.relevant, 2).chain(graded(row.secondary, 1));
    let targets = targets.collect::<Result<Vec<Target>, String>>()?;
    if targets.is_empty() {
        return Err("nothing is expected".into());
    }
    Ok(Question {
        id: row.query.clone(),
        text: row.query,
        category: row.category,
        task: Task::Search,
        expected: Expected::Places(targets),
        class: None,
        on_line: None,
    })
}

fn target(place: Place, grade: u8) -> Result<Target, String> {
    let (path, lines) = match place {
        Place::File(path) | Place::Path(OnlyPath { path }) => (path, None),
        Place::Lines {
            path,
            start_line,
            end_line,
        } => (path, Some((start_line, end_line))),
    };
    let lines = match lines {
        Some((start, end)) if 1 <= start && start <= end => Some(Lines::new(start, end)),
        Some((start, end)) => return Err(format!("{path}: {start}-{end} are no lines")),
        None => None,
    };
    Ok(Target { path, lines, grade })
}
