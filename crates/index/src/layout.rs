//! What the files of an index are called.

/// The file that names a generation.
pub const MANIFEST: &str = "meta.json";

/// What the text index notes of its own files.
pub(crate) const MANAGED: &str = ".managed.json";

/// How the names of our own files begin, before a number.
const STORES: [&str; 7] = [
    "files", "seal", "sketch", "facts", "pending", "vectors", "ranks",
];

/// How the names of the files of a segment end.
const SEGMENT_ENDINGS: [&str; 8] = [
    "term",
    "idx",
    "pos",
    "fieldnorm",
    "fast",
    "store",
    "temp",
    "del",
];

/// The lock of whoever writes the index.
pub(crate) const WRITER_LOCK: &str = "lock";

/// Who has it.
pub(crate) const HOLDER: &str = "holder";

/// Notes when the index was used last, and who uses it now.
pub(crate) const USED: &str = "used";

/// The lock of whoever makes vectors of a model, or computes ranks.
pub(crate) fn work_lock(work: &str) -> String {
    format!("turn-{work}")
}

/// The table of files of a generation.
pub(crate) fn table(generation: u64) -> String {
    format!("files-{generation}")
}

/// Notes that the files of a generation were verified.
pub(crate) fn stamp(generation: u64) -> String {
    format!("seal-{generation}")
}

/// How important files and symbols are.
pub(crate) fn ranks(number: u64) -> String {
    format!("ranks-{number}")
}

/// Texts that wait for vectors.
pub(crate) fn pending(number: u64) -> String {
    format!("pending-{number}")
}

/// Vectors of one model.
pub(crate) fn vectors(number: u64) -> String {
    format!("vectors-{number}")
}

/// Whether a name is one that files of an index have, but for the few that are
/// always there.
pub(crate) fn is_store(name: &str) -> bool {
    if store_number(name).is_some() {
        return true;
    }
    // The text index replaces a file by writing another first.
    if name.starts_with(".tmp") {
        return true;
    }
    let Some((segment, ending)) = name.split_once('.') else {
        return false;
    };
    let last = ending.rsplit('.').next().unwrap_or(ending);
    let is_id = segment.len() == 32 && segment.bytes().all(|b| b.is_ascii_hexdigit());
    is_id && SEGMENT_ENDINGS.contains(&last)
}

/// The number of a store of our own.
pub(crate) fn store_number(name: &str) -> Option<u64> {
    let (kind, number) = name.split_once('-')?;
    let is_plain = number.bytes().all(|byte| byte.is_ascii_digit());
    if !STORES.contains(&kind) || !is_plain {
        return None;
    }
    number.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_names_are_ours() {
        let id = "0123456789abcdef0123456789abcdef";
        let ours = [
            "files-1",
            "seal-22",
            "vectors-3",
            ".tmpX1",
            &format!("{id}.term"),
        ];
        for name in ours
            .into_iter()
            .chain([&*format!("{id}.15.del"), &format!("{id}.store.temp")])
        {
            assert!(is_store(name), "{name}");
        }
        let others = [
            "meta.json",
            "lock",
            "files-",
            "files-x",
            "notes.txt",
            "a.term",
            "turn-1",
            ".managed.json",
        ];
        for name in others.into_iter().chain([&*format!("{id}.txt"), id]) {
            assert!(!is_store(name), "{name}");
        }
    }
}
