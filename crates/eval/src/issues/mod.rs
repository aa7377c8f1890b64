//! Issues as people paste them: how far down the files and functions stand that
//! their fixes changed.
//!
//! A suite is a folder of `*.jsonl`, one task a line, each with a base commit of
//! its own. Its README defines the numbers; [`score`] computes them.

mod read;
mod score;
mod table;
mod traits;

pub use read::{Issue, Issues, Span};
pub use score::{Hits, METRICS, Scores, score};
pub use table::{Row, changes, table};
pub use traits::{TRAITS, traits_of};

/// How an issue is asked about: what of it, and with which flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Its name in tables.
    pub name: &'static str,
    /// All of the text, and not the title alone.
    pub whole: bool,
    /// With `--code --no-tests`.
    pub code: bool,
}

/// Every form, in the order of the tables.
pub const FORMS: [Form; 4] = [
    Form {
        name: "title",
        whole: false,
        code: false,
    },
    Form {
        name: "title --code --no-tests",
        whole: false,
        code: true,
    },
    Form {
        name: "whole",
        whole: true,
        code: false,
    },
    Form {
        name: "whole --code --no-tests",
        whole: true,
        code: true,
    },
];
