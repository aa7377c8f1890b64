//! Where the targets of a question were lost: replays a search and follows
//! each target through its stages.

use crate::row::{Expected, Row, Target};
use crate::run::PAGE;
use crate::store::Named;
use crate::suite::inside;
use crate::system::{Ask, Indexes, Scent, request};
use crate::view::View;
use scent_engine::{EngineError, Project, Silent};
use scent_types::{FileClass, Stage, StagedUnit};
use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::rc::Rc;

/// A target, and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fate {
    /// The target.
    pub target: Target,
    /// Its rank at each stage that had it, best unit first.
    pub ranks: Vec<(&'static str, usize)>,
    /// Where it was lost.
    pub lost: Lost,
}

/// Where a target was lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    /// It was not.
    No,
    /// The file is not in the index.
    NotIndexed(String),
    /// No lane brought it.
    NotRetrieved,
    /// A lane brought it, but none put it on the first page.
    RankedLow {
        /// The lane that ranked it best.
        lane: &'static str,
        /// Its rank there.
        rank: usize,
    },
    /// It was on the first page before this stage, and not after.
    At {
        /// The stage that lost it.
        stage: &'static str,
        /// Its rank before.
        before: usize,
        /// Its rank after.
        after: Option<usize>,
    },
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lost::No => write!(f, "on the first page"),
            Lost::NotIndexed(why) => write!(f, "not indexed: {why}"),
            Lost::NotRetrieved => write!(f, "not retrieved by any lane"),
            Lost::RankedLow { lane, rank } => {
                write!(f, "ranked low by every lane (best: {lane} #{rank})")
            }
            Lost::At {
                stage,
                before,
                after: Some(after),
            } => {
                write!(f, "lost at {stage}: #{before} before, #{after} after")
            }
            Lost::At {
                stage,
                before,
                after: None,
            } => {
                write!(f, "lost at {stage}: #{before} before, gone after")
            }
        }
    }
}

/// Asks again with every stage kept.
pub struct Replay {
    scent: Scent,
    project: Project,
    /// The files that were left out, with the reason, and those that were not.
    files: HashMap<String, Option<String>>,
    root: String,
}

impl Replay {
    /// scent as it was asked, over the files of a view.
    pub fn new(system: &Named, view: &View, root: &str, cache: &Path) -> anyhow::Result<Replay> {
        let indexes = Rc::new(Indexes::default());
        let scent = Scent::new(system, &cache.join("index"), &indexes)?;
        let project = scent.open(&view.folder)?;
        project.update(&Silent)?;
        let mut files = HashMap::new();
        for file in project.files()? {
            files.insert(file.path, file.skipped.map(|skipped| skipped.reason));
        }
        Ok(Replay {
            scent,
            project,
            files,
            root: root.to_owned(),
        })
    }

    /// Follows every target of a question.
    pub fn fates(&self, row: &Row) -> Result<Vec<Fate>, EngineError> {
        let Expected::Places(targets) = &row.expected else {
            return Ok(Vec::new());
        };
        let class = row.class.as_deref().and_then(FileClass::named);
        let ask = Ask {
            task: row.task,
            text: &row.query,
            class,
            limit: PAGE,
        };
        let request = request(ask)?;
        let projects = std::slice::from_ref(&self.project);
        let stages = self.scent.engine().trace(projects, &request)?;
        Ok(targets
            .iter()
            .map(|target| self.fate(target, &stages))
            .collect())
    }

    fn fate(&self, target: &Target, stages: &[Stage]) -> Fate {
        let inside = inside(&self.root, &target.path);
        let ranks: Vec<(&'static str, usize)> = stages
            .iter()
            .filter_map(|stage| Some((stage.name, rank(stage, inside, target)?)))
            .collect();
        let lost = match self.not_indexed(inside) {
            Some(why) => Lost::NotIndexed(why),
            None => lost(stages, &ranks),
        };
        Fate {
            target: target.clone(),
            ranks,
            lost,
        }
    }

    fn not_indexed(&self, path: &str) -> Option<String> {
        match self.files.get(path) {
            Some(skipped) => skipped.clone(),
            None => Some("not among the files that were given".to_owned()),
        }
    }
}

fn rank(stage: &Stage, path: &str, target: &Target) -> Option<usize> {
    let overlaps = |unit: &StagedUnit| target.lines.is_none_or(|lines| unit.lines.overlaps(lines));
    let at = stage
        .units
        .iter()
        .position(|unit| unit.path == path && overlaps(unit));
    at.map(|at| at + 1)
}

fn lost(stages: &[Stage], ranks: &[(&'static str, usize)]) -> Lost {
    let of = |name: &str| {
        ranks
            .iter()
            .find(|(stage, _)| *stage == name)
            .map(|(_, rank)| *rank)
    };
    let lanes = stages.iter().filter(|stage| stage.lane);
    let found = lanes.filter_map(|stage| Some((stage.name, of(stage.name)?)));
    let Some((lane, best)) = found.min_by_key(|(_, rank)| *rank) else {
        return Lost::NotRetrieved;
    };
    let mut before = best;
    for stage in stages.iter().filter(|stage| !stage.lane) {
        let after = of(stage.name);
        if before <= PAGE && after.is_none_or(|after| after > PAGE) {
            return Lost::At {
                stage: stage.name,
                before,
                after,
            };
        }
        before = after.unwrap_or(usize::MAX);
    }
    if before <= PAGE {
        Lost::No
    } else {
        Lost::RankedLow { lane, rank: best }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scent_types::Lines;

    fn stage(name: &'static str, ranked: &[(&str, usize)]) -> Stage {
        let unit = |path: &str| StagedUnit {
            id: 0,
            path: path.to_owned(),
            lines: Lines::new(1, 9),
            score: 1.0,
        };
        let mut units = vec![unit("other"); 100];
        ranked
            .iter()
            .for_each(|(path, rank)| units[rank - 1] = unit(path));
        let lane = ["text", "symbol"].contains(&name);
        Stage {
            name,
            lane,
            micros: 0,
            count: units.len(),
            units,
        }
    }

    fn fate(stages: &[Stage]) -> Lost {
        let target = Target {
            path: "x".into(),
            lines: Some(Lines::new(4, 5)),
            grade: 2,
        };
        let ranks: Vec<_> = stages
            .iter()
            .filter_map(|stage| Some((stage.name, rank(stage, "x", &target)?)))
            .collect();
        lost(stages, &ranks)
    }

    #[test]
    fn the_stage_that_lost_it_is_named() {
        assert_eq!(
            fate(&[stage("text", &[]), stage("fused", &[])]),
            Lost::NotRetrieved
        );
        assert_eq!(
            fate(&[stage("text", &[("x", 3)]), stage("fused", &[("x", 4)])]),
            Lost::No
        );
        assert_eq!(
            fate(&[stage("text", &[("x", 40)]), stage("fused", &[("x", 41)])]),
            Lost::RankedLow {
                lane: "text",
                rank: 40
            }
        );
        assert_eq!(
            fate(&[
                stage("text", &[("x", 40)]),
                stage("symbol", &[("x", 2)]),
                stage("fused", &[("x", 12)])
            ]),
            Lost::At {
                stage: "fused",
                before: 2,
                after: Some(12)
            }
        );
        assert_eq!(
            fate(&[
                stage("text", &[("x", 1)]),
                stage("fused", &[("x", 2)]),
                stage("tests", &[("x", 30)])
            ]),
            Lost::At {
                stage: "tests",
                before: 2,
                after: Some(30)
            }
        );
    }
}
