//! `search` and `similar`.

use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The answer of `scent search` and `scent similar`.
#[derive(Debug, Serialize, ToSchema)]
pub struct Search {
    /// The version of this format. It grows when a field goes away or changes
    /// its meaning; new fields may come without it.
    pub schema: u32,
    /// The folder that all paths are relative to: the project, or the deepest
    /// folder that holds all projects.
    pub root: String,
    /// The query as it was given; empty for a pattern alone.
    pub query: String,
    /// How many commits the index has seen; of several indexes, the highest.
    pub generation: u64,
    /// How many units matched.
    pub total: usize,
    /// How many of them are in `results`.
    pub shown: usize,
    /// With `--offset`: how many better results were passed over. Absent when
    /// none.
    #[serde(skip_serializing_if = "is_zero")]
    #[schema(required = false)]
    pub offset: usize,
    /// The `--offset` of the next results. Absent where these are the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next_offset: Option<usize>,
    /// The probability that the first result is in the right file, from 0 to
    /// 1. Absent where results are not ranked by words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub certainty: Option<f32>,
    /// The results, best first.
    pub results: Vec<SearchResult>,
    /// With `--max-tokens`: results that did not fit, without their lines.
    /// Absent when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub left_out: Vec<LeftOut>,
    /// With `--count`: how many units of each file match. Absent when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub counts: Vec<FileCount>,
    /// How much of the index was embedded when it answered. Absent where only
    /// words were searched for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub embeddings: Option<Embeddings>,
    /// What the reader should know: an index that was rebuilt, files that
    /// changed. Absent when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub notes: Vec<Note>,
    /// With `--timing`: how long the search took.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub timing: Option<Timing>,
    /// With `--explain`: how long each step took. Absent when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub steps: Vec<Step>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// A unit that was found: a function, a type, a section of documentation.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchResult {
    /// The file, relative to `root`, with `/`.
    pub path: String,
    /// The first line of the unit, counted from 1.
    pub start_line: u32,
    /// The last line of the unit: of all of a function, and of a type with its
    /// members.
    pub end_line: u32,
    /// What the unit is, such as `function` or `section`.
    pub kind: &'static str,
    /// Its own name; may be empty.
    pub name: String,
    /// The name with everything that encloses it.
    pub qualified_name: String,
    /// The declaration on one line, at most 200 characters.
    pub signature: String,
    /// The id of the language, or `text`.
    pub language: String,
    /// What results are ordered by; comparable within one answer only.
    pub score: f32,
    /// The raw score in each lane that found the unit: `text`, `symbol`,
    /// `path`, `vector`, `late`, `pattern`.
    pub lanes: BTreeMap<&'static str, f32>,
    /// With `--explain`: what the score is made of. Absent when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub parts: Vec<Part>,
    /// The passages that were found, best first, of a unit that is searched in
    /// parts: a long function, the header of a type. Absent where the unit is
    /// one passage.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub passages: Vec<Passage>,
    /// Other units of the same file that answer nearly as well and have no
    /// result of their own; with the first result of a file only. Absent when
    /// empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub also_here: Vec<Neighbour>,
    /// Where else the same text is. Absent when nowhere.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub also_in: Vec<Duplicate>,
    /// The lines that matter, or all of them with `--full`; long lines are
    /// cut. Empty with `-l`.
    pub snippet: String,
    /// The number of each line of the snippet.
    pub snippet_lines: Vec<u32>,
}

/// A part of a unit that is searched for itself.
#[derive(Debug, Serialize, ToSchema)]
pub struct Passage {
    /// The first line, counted from 1.
    pub start_line: u32,
    /// The last line.
    pub end_line: u32,
    /// Its own score.
    pub score: f32,
}

/// Another unit of the same file.
#[derive(Debug, Serialize, ToSchema)]
pub struct Neighbour {
    /// Its name; may be empty.
    pub name: String,
    /// What it is.
    pub kind: &'static str,
    /// The first line, counted from 1.
    pub start_line: u32,
    /// The last line.
    pub end_line: u32,
}

/// A unit with the same text in another place.
#[derive(Debug, Serialize, ToSchema)]
pub struct Duplicate {
    /// The file, relative to `root`, with `/`.
    pub path: String,
    /// The first line, counted from 1.
    pub start_line: u32,
    /// The last line.
    pub end_line: u32,
}

/// A part of a score.
#[derive(Debug, Serialize, ToSchema)]
pub struct Part {
    /// The lane or the signal that adds it.
    pub name: &'static str,
    /// What it adds; may be negative.
    pub amount: f32,
    /// Why, in words.
    pub why: String,
}

/// A result that did not fit into the budget.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeftOut {
    /// The file, relative to `root`, with `/`.
    pub path: String,
    /// The first line of the unit, counted from 1.
    pub start_line: u32,
    /// The last line of the unit.
    pub end_line: u32,
    /// The name with everything that encloses it; may be empty.
    pub qualified_name: String,
}

/// How many units of a file match.
#[derive(Debug, Serialize, ToSchema)]
pub struct FileCount {
    /// The file, relative to `root`, with `/`.
    pub path: String,
    /// How many of its units match.
    pub units: usize,
}

/// How much of the index was embedded.
#[derive(Debug, Serialize, ToSchema)]
pub struct Embeddings {
    /// The model whose vectors answered.
    pub model: String,
    /// How many units have vectors.
    pub units: u64,
    /// How many units are not embedded yet.
    pub waiting: u64,
    /// The larger model, while it has not embedded everything and does not
    /// answer yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub refined: Option<ModelCoverage>,
}

/// How much of the index a model has embedded.
#[derive(Debug, Serialize, ToSchema)]
pub struct ModelCoverage {
    /// The model.
    pub model: String,
    /// How many units have vectors.
    pub units: u64,
    /// How many units are not embedded yet.
    pub waiting: u64,
}

/// Something that the reader of an answer should know.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Note {
    /// What kind of note it is, such as `index-rebuilt` or `not-embedded`;
    /// stable.
    pub code: &'static str,
    /// The same in words; may change.
    pub message: String,
}

/// How long a search took, in microseconds.
#[derive(Debug, Serialize, ToSchema)]
pub struct Timing {
    /// To bring the index up to date.
    pub refresh: u64,
    /// To search it.
    pub search: u64,
}

/// A step of the search.
#[derive(Debug, Serialize, ToSchema)]
pub struct Step {
    /// The lane or the step.
    pub name: &'static str,
    /// How long it took, in microseconds.
    pub micros: u64,
    /// How many units it had.
    pub units: usize,
}

/// With `--trace`: what one step of the search had, one object a line.
#[derive(Debug, Serialize, ToSchema)]
pub struct Stage {
    /// The lane, or `fused` for all of them as one list, or `ordered` for the
    /// result.
    pub name: &'static str,
    /// Whether it is a lane. Lanes run side by side, other steps in a row.
    pub lane: bool,
    /// How long it took, in microseconds.
    pub micros: u64,
    /// How many units it had.
    pub count: usize,
    /// The first of them.
    pub units: Vec<StagedUnit>,
}

/// A unit in a step of the search.
#[derive(Debug, Serialize, ToSchema)]
pub struct StagedUnit {
    /// The same for the same unit of the same path in every generation.
    pub id: u64,
    /// The file, relative to the root of its project, with `/`.
    pub path: String,
    /// The first line of the unit, counted from 1.
    pub start_line: u32,
    /// The last line of the unit.
    pub end_line: u32,
    /// What the step orders by.
    pub score: f32,
}

impl From<&scent_types::Part> for Part {
    fn from(part: &scent_types::Part) -> Part {
        Part {
            name: part.name,
            amount: part.amount,
            why: part.why.clone(),
        }
    }
}

impl From<&scent_types::Passage> for Passage {
    fn from(passage: &scent_types::Passage) -> Passage {
        Passage {
            start_line: passage.lines.start,
            end_line: passage.lines.end,
            score: passage.score,
        }
    }
}

impl From<&scent_types::Neighbour> for Neighbour {
    fn from(neighbour: &scent_types::Neighbour) -> Neighbour {
        Neighbour {
            name: neighbour.name.clone(),
            kind: neighbour.kind.as_str(),
            start_line: neighbour.lines.start,
            end_line: neighbour.lines.end,
        }
    }
}

impl From<&scent_types::Duplicate> for Duplicate {
    fn from(duplicate: &scent_types::Duplicate) -> Duplicate {
        Duplicate {
            path: duplicate.path.clone(),
            start_line: duplicate.lines.start,
            end_line: duplicate.lines.end,
        }
    }
}

impl From<&scent_types::Hit> for LeftOut {
    fn from(hit: &scent_types::Hit) -> LeftOut {
        LeftOut {
            path: hit.path.clone(),
            start_line: hit.lines.start,
            end_line: hit.lines.end,
            qualified_name: hit.qualified.clone(),
        }
    }
}

impl From<&scent_types::FileCount> for FileCount {
    fn from(count: &scent_types::FileCount) -> FileCount {
        FileCount {
            path: count.path.clone(),
            units: count.units,
        }
    }
}

impl From<&scent_types::Embeddings> for Embeddings {
    fn from(known: &scent_types::Embeddings) -> Embeddings {
        Embeddings {
            model: known.model.clone(),
            units: known.units,
            waiting: known.waiting,
            refined: known.refined.as_ref().map(ModelCoverage::from),
        }
    }
}

impl From<&scent_types::Refined> for ModelCoverage {
    fn from(model: &scent_types::Refined) -> ModelCoverage {
        ModelCoverage {
            model: model.model.clone(),
            units: model.units,
            waiting: model.waiting,
        }
    }
}

impl From<scent_types::Timing> for Timing {
    fn from(timing: scent_types::Timing) -> Timing {
        Timing {
            refresh: timing.refresh,
            search: timing.search,
        }
    }
}

impl From<&scent_types::Stage> for Step {
    fn from(stage: &scent_types::Stage) -> Step {
        Step {
            name: stage.name,
            micros: stage.micros,
            units: stage.count,
        }
    }
}

impl From<&scent_types::Stage> for Stage {
    fn from(stage: &scent_types::Stage) -> Stage {
        Stage {
            name: stage.name,
            lane: stage.lane,
            micros: stage.micros,
            count: stage.count,
            units: stage.units.iter().map(StagedUnit::from).collect(),
        }
    }
}

impl From<&scent_types::StagedUnit> for StagedUnit {
    fn from(unit: &scent_types::StagedUnit) -> StagedUnit {
        StagedUnit {
            id: unit.id,
            path: unit.path.clone(),
            start_line: unit.lines.start,
            end_line: unit.lines.end,
            score: unit.score,
        }
    }
}
