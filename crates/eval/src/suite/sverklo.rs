//! sverklo's layout: one task a line, for definitions (P1), references (P2),
//! dependencies (P4) and dead code (P5).

use super::{Question, Suite, SuiteFile, corpus_named, splits};
use crate::row::{Dependencies, Expected, Target, Task};
use scent_types::Lines;
use serde::Deserialize;

#[derive(Deserialize)]
struct Line {
    id: String,
    category: String,
    dataset: String,
    query: String,
    expected: Answer,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Answer {
    Locations {
        locations: Vec<Location>,
    },
    Deps {
        imports: Vec<String>,
        importers: Vec<String>,
    },
    Names {
        names: Vec<String>,
    },
}

#[derive(Deserialize)]
struct Location {
    file: String,
    line: u32,
}

pub(super) fn read(files: Vec<SuiteFile>, suite: &mut Suite) -> anyhow::Result<()> {
    for file in files {
        let lines = file
            .text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty());
        for (at, line) in lines {
            match question(line) {
                Ok((dataset, question)) => {
                    let split = splits::of(&suite.name, "sverklo", &dataset);
                    corpus_named(suite, &dataset, split)
                        .questions
                        .push(question);
                }
                Err(why) => {
                    suite
                        .left_out
                        .push(format!("{}: line {}: {why}", file.stem, at + 1));
                }
            }
        }
    }
    Ok(())
}

fn question(line: &str) -> Result<(String, Question), String> {
    let line: Line = serde_json::from_str(line).map_err(|e| e.to_string())?;
    let task = match line.category.as_str() {
        "P1" => Task::Define,
        "P2" => Task::Refer,
        "P4" => Task::Depend,
        "P5" => Task::Dead,
        other => return Err(format!("{}: no task is called {other}", line.id)),
    };
    let expected = match line.expected {
        // Nobody can be right where nothing is: such a task measures nothing.
        Answer::Locations { locations } if locations.is_empty() => {
            return Err(format!("{}: nothing is expected", line.id));
        }
        Answer::Locations { locations } => Expected::Places(
            locations
                .into_iter()
                .map(target)
                .collect::<Result<_, _>>()?,
        ),
        Answer::Deps { imports, importers } => Expected::Files(Dependencies { imports, importers }),
        Answer::Names { names } => Expected::Names(names),
    };
    let on_line = matches!(task, Task::Define | Task::Refer).then(|| line.query.clone());
    let question = Question {
        id: line.id,
        text: line.query,
        category: line.category,
        task,
        expected,
        class: None,
        on_line,
    };
    Ok((line.dataset, question))
}

fn target(place: Location) -> Result<Target, String> {
    if place.line == 0 {
        return Err(format!("{}: lines count from 1", place.file));
    }
    Ok(Target {
        path: place.file,
        lines: Some(Lines::new(place.line, place.line)),
        grade: 2,
    })
}
