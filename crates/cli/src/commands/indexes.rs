//! `scent indexes`: every index with its size and its last use.

use super::engine;
use crate::Outcome;
use crate::args::{GlobalArgs, IndexesArgs, SortIndexes};
use crate::output::{json_layout, print};
use scent_print::{indexes_json, indexes_text};
use std::cmp::Reverse;
use std::time::{SystemTime, UNIX_EPOCH};

pub(crate) fn run(args: &IndexesArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let mut indexes = engine(flags)?.indexes();
    match args.sort {
        SortIndexes::Size => indexes.sort_by_key(|index| Reverse(index.bytes)),
        SortIndexes::Used => indexes.sort_by_key(|index| Reverse(index.last_used)),
    }
    print(if args.json {
        indexes_json(&indexes, json_layout())
    } else {
        indexes_text(&indexes, now())
    })?;
    Ok(Outcome::found(!indexes.is_empty()))
}

/// The seconds since 1970.
pub(super) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_secs()
}
