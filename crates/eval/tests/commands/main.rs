//! Every command, through the program, over two tiny repositories.

#[path = "../corpus/mod.rs"]
mod corpus;
mod gate;
mod matrix;
mod resume;
mod run;
mod score;
mod worst;

use crate::corpus::Ended;
use regex::Regex;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Names are not looked for as words: most questions find nothing.
const WEAK: &str = "[fusion.lanes]\ntext = 0\nvector = 0\nlate = 0\n";

fn holds(pattern: &str, text: &str) -> bool {
    Regex::new(pattern).unwrap().is_match(text)
}

fn assert_holds(pattern: &str, text: &str) {
    assert!(holds(pattern, text), "{pattern} is not in\n{text}");
}

/// Asserts that a call was refused for a reason that is said.
fn assert_refused(ended: &Ended, says: &[&str]) {
    assert_eq!(ended.code, Some(2), "{ended:?}");
    says.iter()
        .for_each(|text| assert!(ended.err.contains(text), "{text:?} is not in {ended:?}"));
}

fn entries(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    entries.map(|name| name.into_string().unwrap()).collect()
}

fn names(texts: &[&str]) -> BTreeSet<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}
