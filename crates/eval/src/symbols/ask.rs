//! The questions, as scent's own interfaces would ask them.

use super::suite::{Suite, Task, TaskKind};
use scent_engine::{CallPathOptions, DependencyOptions, EngineError, Project, ReferenceFilter};
use scent_types::References;
use serde::Serialize;
use std::collections::BTreeSet;

/// From here on an answer counts as sure.
pub const SURE: f32 = 0.5;

/// A line of a file, and how sure it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Place {
    /// The file, relative to the root.
    pub path: String,
    /// The line; 0 for the whole file.
    pub line: u32,
    /// From 0 to 1.
    pub confidence: f32,
    /// How a use is known.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub reason: &'static str,
    /// For an import, the line that imports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<u32>,
}

/// What scent says to a task.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Answer {
    /// The places; of a call path, the steps in their order.
    pub places: Vec<Place>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Asks a project the tasks of a suite.
pub struct Asker<'a> {
    project: &'a Project,
    suite: &'a Suite,
}

impl<'a> Asker<'a> {
    /// The project is that of the suite.
    pub fn new(project: &'a Project, suite: &'a Suite) -> Asker<'a> {
        Asker { project, suite }
    }

    /// Asks one question. One that scent refuses has no places.
    pub fn ask(&self, task: &Task) -> Answer {
        let places = match task.kind {
            TaskKind::Definition | TaskKind::Member => self.define(task),
            TaskKind::References => self.refer(task),
            TaskKind::Imports => self.depend(task, false),
            TaskKind::Importers => self.depend(task, true),
            TaskKind::Callpath => self.call(task),
        };
        match places {
            Ok(places) => Answer {
                places,
                error: None,
            },
            Err(error) => Answer {
                places: Vec::new(),
                error: Some(error.to_string()),
            },
        }
    }

    fn define(&self, task: &Task) -> Result<Vec<Place>, EngineError> {
        let found = self.project.definitions(&task.name, usize::MAX)?;
        let definitions = found.definitions.into_iter();
        Ok(definitions.map(|one| at(one.path, one.line)).collect())
    }

    /// By the place of the definition. Whoever asks sees which name the answer
    /// is about, and asks by name where it is another one.
    fn refer(&self, task: &Task) -> Result<Vec<Place>, EngineError> {
        let filter = ReferenceFilter::default();
        let place = place_of(&task.at);
        let found = match self.project.references_at(place, &filter, usize::MAX) {
            Err(
                EngineError::NoOneName { .. }
                | EngineError::NoSuchPlace { .. }
                | EngineError::NoDefinition { .. },
            ) => self.project.references(&task.name, &filter, usize::MAX)?,
            found => found?,
        };
        if is_about(&found.name, &task.name) {
            return Ok(uses(found));
        }
        let found = self.project.references(&task.name, &filter, usize::MAX)?;
        Ok(uses(found))
    }

    fn depend(&self, task: &Task, reverse: bool) -> Result<Vec<Place>, EngineError> {
        let options = DependencyOptions {
            reverse,
            depth: 1,
            tests: None,
        };
        let mut places = Vec::new();
        for path in self.files_at(&task.name) {
            let found = self.project.dependencies(path, &options)?;
            for one in found.dependencies {
                let ends = if reverse { vec![one.from] } else { one.to };
                for path in ends {
                    let by = Some(one.line);
                    places.push(Place { by, ..at(path, 0) });
                }
            }
        }
        Ok(places)
    }

    /// A file, or the files directly in a folder.
    fn files_at<'t>(&self, path: &'t str) -> Vec<&'t str>
    where
        'a: 't,
    {
        if !path.ends_with('/') {
            return vec![path];
        }
        let read: &'a BTreeSet<String> = &self.suite.read;
        let inside = |file: &str| {
            file.strip_prefix(path)
                .is_some_and(|rest| !rest.contains('/'))
        };
        let files = read.iter().map(String::as_str);
        files.filter(|file| inside(file)).collect()
    }

    fn call(&self, task: &Task) -> Result<Vec<Place>, EngineError> {
        let options = CallPathOptions { confidence: SURE };
        let found = self.project.callpath(&task.name, &task.to, options)?;
        let sure = found.steps.first().map_or(0.0, |step| step.confidence);
        let steps = found.steps.into_iter();
        Ok(steps
            .map(|step| Place {
                confidence: sure,
                ..at(step.path, step.line)
            })
            .collect())
    }
}

/// Whether the last part of what was asked for is this name.
fn is_about(name: &str, asked: &str) -> bool {
    let before = asked
        .strip_suffix(name)
        .and_then(|rest| rest.chars().last());
    asked == name || before.is_some_and(|last| matches!(last, '.' | ':' | '#'))
}

fn uses(found: References) -> Vec<Place> {
    let mut places = Vec::new();
    for used in found.uses {
        places.push(Place {
            confidence: used.confidence,
            reason: used.reason,
            ..at(used.path, used.line)
        });
    }
    places
}

fn at(path: String, line: u32) -> Place {
    Place {
        path,
        line,
        confidence: 1.0,
        reason: "",
        by: None,
    }
}

/// The path and the line of `PATH:LINE:COLUMN`.
fn place_of(text: &str) -> (&str, u32) {
    let mut parts = text.rsplitn(3, ':');
    let line = parts.nth(1).and_then(|line| line.parse().ok());
    (parts.next().unwrap_or_default(), line.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_may_be_about_another_name() {
        for (name, asked, want) in [
            ("f", "f", true),
            ("f", "T.f", true),
            ("f", "T::f", true),
            ("f", "T.gf", false),
            ("T", "T.f", false),
        ] {
            assert_eq!(is_about(name, asked), want, "{name} {asked}");
        }
    }

    #[test]
    fn places_are_taken_apart_from_behind() {
        assert_eq!(place_of("a:b/c.d:12:3"), ("a:b/c.d", 12));
    }
}
