//! Files that hold nothing but ours. A line in them has a hash of the rest, by
//! which it is seen whether somebody changed them.

use super::{Edited, Refusal};
use xxhash_rust::xxh3::xxh3_64;

/// What the line with the hash begins with, in a comment of the format.
const MARK: &str = "scent v1 ";

/// Writes the file, unless there is one that is not as it was written.
pub(super) fn install(text: Option<&str>, ours: &str, is_toml: bool) -> Edited {
    match text {
        Some(text) if !text.trim().is_empty() && !is_unchanged(text, is_toml) => {
            Err(refusal(text, is_toml))
        }
        _ => Ok(Some(marked(ours, is_toml))),
    }
}

/// Removes the file, unless it is not as it was written.
pub(super) fn uninstall(text: &str, is_toml: bool) -> Edited {
    if is_unchanged(text, is_toml) {
        return Ok(None);
    }
    match mark_in(text, is_toml) {
        Some(_) => Err(Refusal::Changed),
        None => Ok(Some(text.to_owned())),
    }
}

fn refusal(text: &str, is_toml: bool) -> Refusal {
    match mark_in(text, is_toml) {
        Some(_) => Refusal::Changed,
        None => Refusal::Foreign("scent".to_owned()),
    }
}

fn marked(ours: &str, is_toml: bool) -> String {
    let ours = ours.trim_end();
    let [open, close] = comment(is_toml);
    format!("{ours}\n\n{open}{MARK}{}{close}\n", hash(ours))
}

fn is_unchanged(text: &str, is_toml: bool) -> bool {
    mark_in(text, is_toml).is_some_and(|(body, found)| found == hash(body))
}

/// What stands before the line with the hash, and the hash.
fn mark_in(text: &str, is_toml: bool) -> Option<(&str, &str)> {
    let [open, close] = comment(is_toml);
    let (body, rest) = text.rsplit_once(&format!("{open}{MARK}"))?;
    let found = rest.trim_end().strip_suffix(close)?;
    Some((body.trim_end(), found))
}

/// Line ends do not count: a checkout may change them.
fn hash(body: &str) -> String {
    format!("{:016x}", xxh3_64(body.replace('\r', "").as_bytes()))
}

fn comment(is_toml: bool) -> [&'static str; 2] {
    if is_toml {
        ["# ", ""]
    } else {
        ["<!-- ", " -->"]
    }
}
