//! The indexes that there are.

use crate::quantity::size;
use crate::text::{Layout, Text};
use crate::wire::{self, SCHEMA_VERSION};
use scent_types::IndexInfo;

/// Units of time in seconds, the largest first.
const UNITS: [(u64, &str); 3] = [(24 * 3600, "day"), (3600, "hour"), (60, "minute")];

/// A table of indexes. `now` is in seconds since 1970.
pub fn indexes_text(indexes: &[IndexInfo], now: u64) -> Text {
    let mut out = Text::default();
    for index in indexes {
        let (size, used) = (size(index.bytes), ago(index.last_used, now));
        let root = index.root.as_deref().unwrap_or(&index.folder);
        let mark = match index.project_exists {
            Some(true) => "",
            Some(false) => "  (no longer there)",
            None => "  (of an unknown project)",
        };
        out += Text::line(&format!("{size:>9}  {used:<16}{root}{mark}"));
    }
    out
}

/// The same as JSON, with a line end.
pub fn indexes_json(indexes: &[IndexInfo], layout: Layout) -> Text {
    let mut listed = Vec::new();
    for index in indexes {
        listed.push(wire::Index {
            index: index.folder.clone(),
            root: index.root.clone(),
            project_exists: index.project_exists,
            bytes: index.bytes,
            last_used: index.last_used,
        });
    }
    let answer = wire::Indexes {
        schema: SCHEMA_VERSION,
        total_bytes: indexes.iter().map(|index| index.bytes).sum(),
        indexes: listed,
    };
    Text::json_in(layout, &answer)
}

/// How long ago a time was.
fn ago(then: u64, now: u64) -> String {
    let seconds = now.saturating_sub(then);
    for (length, name) in UNITS {
        let number = seconds / length;
        if number > 0 {
            let ending = if number == 1 { "" } else { "s" };
            return format!("{number} {name}{ending} ago");
        }
    }
    "just now".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_said_in_one_unit() {
        for (seconds, want) in [
            (0, "just now"),
            (60, "1 minute ago"),
            (7_199, "1 hour ago"),
            (7_200, "2 hours ago"),
            (40 * 24 * 3600, "40 days ago"),
        ] {
            assert_eq!(ago(1_000_000_000, 1_000_000_000 + seconds), want);
        }
        assert_eq!(ago(5, 4), "just now", "a clock that was set back");
    }
}
