//! What can be wrong with a request.

use scent_types::{FileCategory, Kind, Lane};

/// What is wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// There is no such language.
    #[error("{name}: no such language; `scent languages` lists all{}", did_you_mean(.nearest))]
    UnknownLanguage {
        /// The name that was typed.
        name: String,
        /// The languages with the most similar names.
        nearest: Vec<&'static str>,
    },
    /// There is no such kind of unit.
    #[error("{0}: no such kind; there are: {all}", all = kinds())]
    UnknownKind(String),
    /// Symbols are of this kind, and no units.
    #[error(
        "{0}: no unit is of this kind; `scent def NAME` finds a {0} by its name, `scent outline FILE` lists those of a file"
    )]
    NoUnitKind(Kind),
    /// There is no such class or category of file.
    #[error("{0}: no such category; there are: {all}", all = categories())]
    UnknownCategory(String),
    /// There is no such lane.
    #[error("{0}: no such lane; there are: {all}", all = lanes())]
    UnknownLane(String),
    /// A filter that cannot be negated.
    #[error(
        "{0}: only paths and categories of file can be excluded, as in -path:GLOB, -test, -docs"
    )]
    NotExcludable(String),
    /// Options of a pattern without a pattern.
    #[error(
        "whole words and upper or lower case need a pattern: use -e PATTERN, or -F to search literally"
    )]
    NoPattern,
    /// Files are scanned for patterns only.
    #[error("-U and --no-ignore search for a pattern: use -e PATTERN, or -F to search literally")]
    ScanWithoutPattern,
    /// A scan lists matches by path and ranks nothing.
    #[error(
        "-U and --no-ignore list matches by path: leave out words and operators and keep the pattern"
    )]
    ScanWithWords,
    /// Not a way to choose lines.
    #[error(
        "{0}: no such context; give a number of lines, or one of: windows, lines, smart, none, full"
    )]
    BadContext(String),
    /// No results are wanted.
    #[error("a limit of 0 leaves no results; give a number from 1 on")]
    ZeroLimit,
}

impl RequestError {
    /// The error for programs. A code never changes; new ones may come.
    pub fn code(&self) -> &'static str {
        match self {
            RequestError::UnknownLanguage { .. } => "unknown-language",
            RequestError::UnknownKind(_) => "unknown-kind",
            RequestError::NoUnitKind(_) => "no-unit-kind",
            RequestError::UnknownCategory(_) => "unknown-category",
            RequestError::UnknownLane(_) => "unknown-lane",
            RequestError::NotExcludable(_) => "not-excludable",
            RequestError::NoPattern => "no-pattern",
            RequestError::ScanWithoutPattern => "scan-without-pattern",
            RequestError::ScanWithWords => "scan-with-words",
            RequestError::BadContext(_) => "bad-context",
            RequestError::ZeroLimit => "zero-limit",
        }
    }
}

fn did_you_mean(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        names => format!("; did you mean {}?", names.join(", ")),
    }
}

fn kinds() -> String {
    let units = Kind::ALL.into_iter().filter(|kind| kind.is_unit());
    units.map(Kind::as_str).collect::<Vec<_>>().join(", ")
}

fn categories() -> String {
    let all = FileCategory::ALL.map(FileCategory::as_str).join(", ");
    format!("code, config, {all}")
}

fn lanes() -> String {
    Lane::RETRIEVING.map(Lane::as_str).join(", ")
}
