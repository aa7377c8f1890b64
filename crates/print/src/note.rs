//! Notes in words.

use crate::json::next_offset;
use crate::wire;
use crate::{count, size};
use scent_types::{Files, NotCompared, Note, Response};

/// A note for people, on one line.
pub fn note_text(note: &Note) -> String {
    match note {
        Note::IndexRebuilt { why } => format!("{why}; rebuilt it"),
        Note::IndexOutdated => OUTDATED.into(),
        Note::IndexBusy { holder, generation } => {
            format!("{holder} is updating the index; {}", older(*generation))
        }
        Note::IndexNotUpdated { why, generation } => {
            format!("the index was not updated: {why}; {}", older(*generation))
        }
        Note::PartlyIndexed {
            files,
            all_files,
            bytes,
            all_bytes,
            goes_on,
        } => partly_indexed([*files, *all_files], [*bytes, *all_bytes], *goes_on),
        Note::ParserCrashed { files } => crashed(files),
        Note::IndexesRemoved { count, bytes } => removed(*count, *bytes),
        Note::NotSearched { why } => format!("not searched: {why}"),
        Note::NothingIndexed => NOTHING_INDEXED.into(),
        Note::FilesChanged { count } => changed(*count),
        Note::NotEmbedded { waiting, total } => not_embedded(*waiting, *total),
        Note::RefinedNotReady {
            model,
            units,
            total,
            primary,
        } => refined_not_ready(model, *units, *total, primary),
        Note::WordsOnly { why } => format!("found by words alone: {why}"),
        Note::EmbeddingFailed { why } => format!("not everything is embedded: {why}"),
        Note::AnsweredBefore { query } => format!("answered as {query:?} was"),
        Note::OpenQuote => "a quote is open: it is read as a space".into(),
        Note::QuoteNotFound { text } => {
            format!("nothing holds {text:?} as it is; its words are searched for")
        }
        Note::MissingWords {
            words,
            nearest,
            all,
        } => missing(&words.join(", "), nearest, *all),
        Note::Unsure { percent } => {
            format!("not sure: {percent}% that the first result is in the right file")
        }
        Note::NothingFound {
            units,
            files,
            without,
            missing,
            by_meaning,
        } => {
            let searched = format!("{units} units of {files} files");
            let found = nothing_found(&searched, &missing.join(", "), *by_meaning);
            match without {
                Some(filter) => format!("{found}; there are results without {filter}"),
                None => found,
            }
        }
        Note::UnknownFilter { word } => {
            format!("{word} is no filter ({FILTERS}): it is searched for as words")
        }
        Note::NoFilters { words } => no_filters(words),
        Note::MoreUnknownFilters { count } => format!("and {count} more words like these"),
        Note::NotWatched { why } => not_watched(why),
        Note::FilesScanned { count } => scanned(*count),
        Note::NotCompared {
            files,
            commit,
            reason,
        } => format!("{}: {}", named(files), not_compared(*reason, commit)),
    }
}

fn no_filters(words: &[String]) -> String {
    let words = words.join(" ");
    format!("the text is read as a report, in which {words} filters nothing; use options")
}

const OUTDATED: &str = "the index was made with other settings or another version; rebuilt it";

const NOTHING_INDEXED: &str =
    "nothing is indexed here: there are no text files, or ignore files exclude them all";

fn not_watched(why: &str) -> String {
    format!("changes are not watched ({why}): each answer looks for them first")
}

fn scanned(files: usize) -> String {
    format!("searched the files themselves, not the index ({files} files)")
}

fn refined_not_ready(model: &str, units: u64, total: u64, primary: &str) -> String {
    format!(
        "{model} has embedded {units} of {total} units; until it has embedded all, {primary} \
         answers alone"
    )
}

fn removed(indexes: usize, bytes: u64) -> String {
    let (indexes, bytes) = (count(indexes, "unused index"), size(bytes));
    format!("removed {indexes} to stay within index.max_total_size ({bytes} freed)")
}

fn crashed(files: &Files) -> String {
    let files = named(files);
    format!("the parser crashed on {files}, indexed by paragraphs (scent status --unhealthy)")
}

fn changed(count: usize) -> String {
    format!("files changed since they were indexed ({count}); their lines may be off or missing")
}

fn not_embedded(waiting: u64, total: u64) -> String {
    format!("{waiting} of {total} units are not embedded yet; these are found by words alone")
}

fn partly_indexed(files: [u64; 2], bytes: [u64; 2], goes_on: bool) -> String {
    let rest = if goes_on {
        "the rest is being indexed in the background"
    } else {
        "`scent index` indexes the rest"
    };
    format!("{}; {rest}", share(files, bytes))
}

/// How many results are shown, and how to see more; none where all are. `noun`
/// says what they are where they are no units.
pub fn rest_text(response: &Response, shown: usize, noun: &str) -> Option<String> {
    let Response { total, offset, .. } = response;
    let more = match next_offset(response, shown) {
        Some(next) => format!("; more with --offset {next}"),
        None if *total == 0 => return None,
        None if shown > 0 && offset + shown >= *total => return None,
        None => String::new(),
    };
    let which = match offset {
        0 => shown.to_string(),
        _ if shown == 0 => "none".to_owned(),
        before => format!("{} to {}", before + 1, before + shown),
    };
    Some(format!("{which} of {total} {noun}shown{more}"))
}

/// How much of something is indexed: so many files of all, so many bytes of all.
pub(crate) fn share(files: [u64; 2], bytes: [u64; 2]) -> String {
    let percent = |[part, all]: [u64; 2]| part * 100 / all.max(1);
    format!(
        "{}% of {} ({}% of {}) are indexed",
        percent(files),
        count(files[1] as usize, "file"),
        percent(bytes),
        size(bytes[1])
    )
}

fn missing(words: &str, nearest: &[String], all: bool) -> String {
    if !nearest.is_empty() {
        let names = nearest.join(", ");
        format!("no unit contains {words}; nearest names: {names}")
    } else if all {
        format!("no unit contains {words}; nearest by meaning:")
    } else {
        format!("no unit contains {words}")
    }
}

fn nothing_found(searched: &str, missing: &str, by_meaning: bool) -> String {
    match missing {
        "" => format!("nothing found in {searched}"),
        words if by_meaning => {
            format!(
                "no unit contains {words}, and none is near it by meaning (searched {searched})"
            )
        }
        words => format!("no unit contains {words} (searched {searched})"),
    }
}

/// The words that begin a filter.
const FILTERS: &str = "lang: path: kind: name: is:";

fn not_compared(reason: NotCompared, commit: &str) -> String {
    match reason {
        NotCompared::InLfs => {
            format!("git-lfs keeps the contents as of {commit}, so only sizes are compared")
        }
        NotCompared::Missing => format!(
            "this partial clone lacks the contents as of {commit}, so every line counts as changed"
        ),
        NotCompared::Submodule => {
            "a submodule is a repository of its own and not compared".to_owned()
        }
    }
}

fn older(generation: u64) -> String {
    format!("these answers are from before (generation {generation})")
}

fn named(Files { first, others }: &Files) -> String {
    match others {
        0 => first.clone(),
        more => format!("{first} and {more} more"),
    }
}

impl From<&Note> for wire::Note {
    fn from(note: &Note) -> wire::Note {
        wire::Note {
            code: note.code(),
            message: note_text(note),
        }
    }
}
