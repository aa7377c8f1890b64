//! Literals and regular expressions: units with a line that matches.
//!
//! The trigram filters of the files tell which may match; only those are read.

use crate::analyse::Intent;
use crate::corpus::{Corpus, UnitNo};
use crate::error::SearchError;
use crate::matcher::Matcher;
use crate::query::{Context, Query, ReadFile};
use crate::units::Allowed;
use rayon::prelude::*;
use scent_index::{FileRecord, Snapshot};
use scent_types::{Deadline, Lines};
use std::collections::HashMap;

/// The units that match a pattern.
pub(crate) type Matches = HashMap<UnitNo, Match>;

/// Where a unit matches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Match {
    /// The lines, in order.
    pub lines: Vec<u32>,
    /// Whether the name of the unit matches too.
    pub in_name: bool,
}

/// The units that match the pattern, or all that pass the filters where a
/// request is nothing but filters; none where there is neither.
pub(crate) fn matches(
    corpus: &Corpus,
    query: Query,
    intent: &Intent,
    allowed: &Allowed,
    read: ReadFile,
) -> Result<Option<Matches>, SearchError> {
    query.request.deadline.check()?;
    if intent.lists {
        let all = allowed.iter().map(|unit| (unit, Match::default()));
        return Ok(Some(all.collect()));
    }
    let Some(matcher) = query.matcher else {
        return Ok(None);
    };
    let scan = Scan {
        matcher,
        deadline: &query.request.deadline,
        read,
    };
    scan.units(corpus, allowed).map(Some)
}

/// The units that match each quoted text.
pub(crate) fn quoted(
    corpus: &Corpus,
    query: Query,
    allowed: &Allowed,
    read: ReadFile,
) -> Result<Vec<Matches>, SearchError> {
    let mut all = Vec::with_capacity(query.quoted.len());
    for matcher in query.quoted {
        let scan = Scan {
            matcher,
            deadline: &query.request.deadline,
            read,
        };
        all.push(scan.units(corpus, allowed)?);
    }
    Ok(all)
}

/// The units that may answer and match.
pub(crate) fn units_matching(cx: &Context, matcher: &Matcher) -> Result<Matches, SearchError> {
    let scan = Scan {
        matcher,
        deadline: &cx.request.deadline,
        read: cx.read,
    };
    scan.units(cx.corpus, &cx.allowed)
}

/// Only the units that match, where there is a pattern.
pub(crate) fn narrowed(allowed: Allowed, matches: Option<&Matches>) -> Allowed {
    match matches {
        Some(matches) => allowed.narrowed_to(matches.keys().copied()),
        None => allowed,
    }
}

/// A look into files.
struct Scan<'a> {
    matcher: &'a Matcher,
    deadline: &'a Deadline,
    read: ReadFile<'a>,
}

impl Scan<'_> {
    /// The units that match, among those that may answer.
    fn units(&self, corpus: &Corpus, allowed: &Allowed) -> Result<Matches, SearchError> {
        let mut all = Matches::new();
        for (nth, (base, snapshot)) in corpus.parts().enumerate() {
            for found in self.files(nth, snapshot, allowed)? {
                all.extend(found.into_iter().map(|(at, found)| (base + at, found)));
            }
        }
        all.retain(|&unit, _| allowed.holds(unit));
        Ok(all)
    }

    /// The units of each file that match, for the files that may answer.
    fn files(
        &self,
        nth: usize,
        snapshot: &Snapshot,
        allowed: &Allowed,
    ) -> Result<Vec<Vec<(u32, Match)>>, SearchError> {
        let mut files: Vec<&FileRecord> = Vec::new();
        for file in &snapshot.table().files {
            if let Some(id) = file.id()
                && allowed.holds_file(nth, id)
                && self.matcher.allows(snapshot.trigram_filters().of(file))
            {
                files.push(file);
            }
        }
        let found = files.par_iter().map(|file| self.file(nth, snapshot, file));
        found.collect()
    }

    fn file(
        &self,
        nth: usize,
        snapshot: &Snapshot,
        file: &FileRecord,
    ) -> Result<Vec<(u32, Match)>, SearchError> {
        self.deadline.check()?;
        let Some(text) = (self.read)(nth, file) else {
            return Ok(Vec::new());
        };
        let lines = self.matcher.lines(&text);
        if lines.is_empty() {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for (at, unit) in snapshot.text().units_of(file.id().unwrap_or_default())? {
            let lines = inside(&lines, unit.cover);
            if !lines.is_empty() {
                let in_name = self.matcher.is_match(&unit.name);
                found.push((at, Match { lines, in_name }));
            }
        }
        Ok(found)
    }
}

/// The lines of a sorted list that are among these.
fn inside(lines: &[u32], cover: Lines) -> Vec<u32> {
    let from = lines.partition_point(|&line| line < cover.start);
    let to = lines.partition_point(|&line| line <= cover.end);
    lines[from..to].to_vec()
}
