//! Rows become tables: means by category, language and repository, and what it
//! took to get them. Each split of a suite has a table of its own: what was
//! looked at while the engine was made is not mixed with what was not.
//!
//! A mean is taken over repositories of the mean over their questions, so that
//! a repository with many questions counts as one. Only questions that every
//! system in the table answered are in it. A system that failed at more than a
//! few is in no table with others: it is held against the first system alone,
//! on what both answered.

mod means;
mod member;
mod speed;
mod suite;
mod table;

pub use speed::Speed;
pub use suite::{
    ALL, CATEGORY, CORPUS, Failure, GroupSummary, LANGUAGE, PROGRAM, Partial, SuiteSummary,
    Summary, SystemSummary,
};

use crate::store::{Cell, Named};
use member::Member;
use std::collections::BTreeSet;
use table::Table;

/// Everything that is reported of these cells.
pub fn summarise(cells: &[Cell], systems: &[Named]) -> Summary {
    let mut tables: BTreeSet<(&str, &str)> = BTreeSet::new();
    for row in cells.iter().flat_map(|cell| &cell.rows) {
        tables.insert((&row.suite, &row.split));
    }
    let mut suites = Vec::new();
    for (suite, split) in tables {
        let mut members = Vec::new();
        for named in systems {
            members.push(Member::new(named, cells, suite, split));
        }
        suites.push(Table::new(suite, split, members).summary());
    }
    Summary { suites }
}
