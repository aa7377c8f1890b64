//! Files that end the process while they are parsed.
//!
//! Grammars are C code of many authors, and one of them may abort, or write
//! where it must not, on some text that nobody thought of. Where a signal ends
//! the process while a file is parsed, the file is noted in the folder of the
//! indexes and the same command is started again in the same process. From then
//! on a text of the same contents is split into paragraphs. Whoever kills the
//! process from outside, or cuts its power, leaves no note, and blames nobody.

use crate::{os, small_file};
use scent_syntax::Language;
use scent_types::{Health, Outline};
use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::OnceLock;

/// The file that notes are kept in, beside the indexes.
const NOTES: &str = "crashed";

/// So often a command starts again. More files like these are a project that
/// wants to be left alone, and nobody waits for minutes to be told so.
const MOST_STARTS: usize = 50;

/// Notes are not more than this, in bytes.
const MOST_NOTES: u64 = 4 << 20;

/// The hashes of texts that ended a process, by this version of the parsers.
static KNOWN: OnceLock<HashSet<u128>> = OnceLock::new();

/// From now on, a file that ends the process while it is parsed is noted below
/// a folder, and the command starts again. For programs that run one command.
/// Returns what to tell the user where that happened too often.
pub fn survive_parser_crashes(data: &Path) -> Option<String> {
    let mut told = None;
    KNOWN.get_or_init(|| {
        let notes = data.join(NOTES);
        let text = read_notes(&notes);
        let starts = os::starts();
        if starts >= MOST_STARTS {
            told = Some(format!(
                "parsers crashed on {starts} files, which {} lists; the next one ends this \
                 command: name them in .scentignore, or run it again to go on",
                notes.display()
            ));
        } else if std::fs::create_dir_all(data).is_ok() {
            os::restart_on_crash(&notes, starts + 1);
        }
        let (version, known) = (
            scent_syntax::fingerprint(),
            text.lines().filter_map(Note::parse),
        );
        known
            .filter(|note| note.version == version)
            .map(|note| note.hash)
            .collect()
    });
    told
}

/// The notes so far. A file that is too large, or not a file, is removed, and
/// the notes start from scratch.
fn read_notes(notes: &Path) -> String {
    match small_file::read_regular(notes, MOST_NOTES) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => {
            if error.kind() != ErrorKind::NotFound {
                let _ = std::fs::remove_file(notes);
            }
            String::new()
        }
    }
}

/// One line of the notes: the version of the parsers and the hash of the text;
/// then its path, for people.
struct Note {
    version: u64,
    hash: u128,
}

impl Note {
    fn parse(line: &str) -> Option<Note> {
        let mut words = line.split(' ');
        Some(Note {
            version: u64::from_str_radix(words.next()?, 16).ok()?,
            hash: u128::from_str_radix(words.next()?, 16).ok()?,
        })
    }
}

fn note(path: &str, hash: u128) -> String {
    let path: String = path.chars().filter(|c| !c.is_control()).take(100).collect();
    format!("{:016x} {hash:032x} {path}\n", scent_syntax::fingerprint())
}

/// The units of a text of this path and hash, by paragraphs where parsing it is
/// known to end the process.
pub(crate) fn outline(
    path: &str,
    hash: u128,
    language: Option<&'static Language>,
    text: &str,
) -> Outline {
    let parsed = guarded(path, hash, || {
        if KNOWN.get().is_some() {
            crash_on_purpose(text);
        }
        scent_syntax::outline(language, text)
    });
    parsed.unwrap_or_else(|| Outline {
        health: Health::Crashed,
        ..scent_syntax::paragraphs(language, text)
    })
}

/// What parsing a text of this path and hash gives; none where that is known to
/// end the process.
pub(crate) fn guarded<T>(path: &str, hash: u128, parse: impl FnOnce() -> T) -> Option<T> {
    let Some(known) = KNOWN.get() else {
        return Some(parse());
    };
    let is_sound = !known.contains(&hash);
    is_sound.then(|| os::while_noted(note(path, hash).as_bytes(), parse))
}

/// Ends the process as a grammar would, where a test asks for it. There is no
/// way to ask in a program that people use.
#[cfg(debug_assertions)]
fn crash_on_purpose(text: &str) {
    if text.contains("scent-test: abort while parsing") {
        std::process::abort();
    }
    if text.contains("scent-test: overflow while parsing") {
        std::hint::black_box(overflow(1));
    }
}

#[cfg(debug_assertions)]
#[allow(unconditional_recursion)]
fn overflow(depth: u64) -> u64 {
    let frame = std::hint::black_box([depth; 512]);
    overflow(frame[7] + 1) + frame[3]
}

#[cfg(not(debug_assertions))]
fn crash_on_purpose(_: &str) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_one_line_that_is_read_again() {
        let line = note("a\nb c.yaml", 7);
        assert_eq!(line.matches('\n').count(), 1);
        let read = Note::parse(line.trim_end()).unwrap();
        assert_eq!((read.hash, read.version), (7, scent_syntax::fingerprint()));
        for broken in ["", "x", "12 x y", "0123"] {
            assert!(Note::parse(broken).is_none(), "{broken}");
        }
    }
}
