//! The names that imports bring.

use crate::paths::FileNo;
use scent_index::ImportRef;
use std::cell::OnceCell;

/// A name that an import brings.
#[derive(Clone, Debug)]
pub(crate) struct Bound<'s> {
    /// What it is called here.
    pub name: &'s str,
    /// What was taken, as it is called where it comes from.
    pub taken: &'s str,
    pub import: ImportRef<'s>,
    /// Which of the file's imports it is.
    pub nth: usize,
    /// The files it comes from, once that was asked; none where they are not in
    /// the repository.
    pub files: OnceCell<Vec<FileNo>>,
}

impl<'s> Bound<'s> {
    pub fn new((nth, import): (usize, ImportRef<'s>)) -> Bound<'s> {
        let (name, taken) = (bound_name(&import), taken_name(&import));
        Bound {
            name,
            taken,
            import,
            nth,
            files: OnceCell::new(),
        }
    }
}

/// Whether an import takes all that there is.
pub(crate) fn is_everything(taken: &str) -> bool {
    ["*", "_"].contains(&taken)
}

/// What an import is called in its file.
pub(crate) fn bound_name<'s>(import: &ImportRef<'s>) -> &'s str {
    match import.alias {
        "" => taken_name(import),
        alias => alias,
    }
}

/// Endings of files that are imported by their names.
const FILES: [&str; 12] = [
    "zig", "php", "sh", "bash", "h", "hpp", "hh", "rb", "dart", "js", "ts", "json",
];

/// What an import takes, as it is called where it comes from: the last part of
/// a path.
pub(crate) fn taken_name<'s>(import: &ImportRef<'s>) -> &'s str {
    let path = if import.name.is_empty() {
        import.module
    } else {
        import.name
    };
    if is_everything(path) {
        return path;
    }
    let path = match last_separator(path) {
        // A path of a file, not of a module.
        Some(at) if path[at..].starts_with('.') && FILES.contains(&&path[at + 1..]) => &path[..at],
        _ => path,
    };
    let end = path.trim_end_matches(['/', '.', '*', '_', ':', '\\']);
    let end = if end.is_empty() { path } else { end };
    match last_separator(end) {
        Some(at) => &end[at + 1..],
        None => end,
    }
}

/// Where the last part of a path is parted from the others. Separators are
/// single bytes, and every import of a file is looked at for many names.
fn last_separator(path: &str) -> Option<usize> {
    path.bytes()
        .rposition(|byte| matches!(byte, b'/' | b'.' | b':' | b'\\'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_takes_the_last_part_of_its_path() {
        let paths = [
            ("os.path", "path"),
            ("std::fmt::*", "fmt"),
            ("./lib/shop.ts", "shop"),
            ("../shop.test", "test"),
            ("lib.v2/shop", "shop"),
            ("zig", "zig"),
            ("App\\Models\\", "Models"),
            ("größe.maß_", "maß"),
            ("...", ""),
            ("*", "*"),
        ];
        for (path, taken) in paths {
            let import = ImportRef {
                line: 1,
                module: path,
                name: "",
                alias: "",
            };
            assert_eq!(taken_name(&import), taken, "{path}");
        }
    }
}
