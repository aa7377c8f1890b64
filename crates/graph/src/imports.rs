//! The names that imports bring.

use crate::paths::FileNo;
use scent_index::{ImportRef, StoredFacts, UseRef};
use scent_types::Role;
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// A name that an import brings.
#[derive(Clone, Debug)]
pub(crate) struct Bound<'s> {
    /// What it is called here.
    pub name: &'s str,
    /// What was taken, as it is called where it comes from.
    pub taken: &'s str,
    /// Whether that is the name of what a module gives by default.
    pub is_given: bool,
    pub import: ImportRef<'s>,
    /// Which of the file's imports it is.
    pub nth: usize,
    /// The files it comes from, once they were needed; none where they are not
    /// in the repository.
    pub files: OnceLock<Vec<FileNo>>,
}

impl<'s> Bound<'s> {
    /// The names that the imports of a file bring.
    pub fn all(facts: &StoredFacts<'s>) -> Vec<Bound<'s>> {
        let mut all = Vec::new();
        for (nth, import) in facts.imports().enumerate() {
            let taken = taken_name(&import);
            let alias = import.alias;
            all.push(Bound {
                name: if alias.is_empty() { taken } else { alias },
                taken,
                is_given: false,
                import,
                nth,
                files: OnceLock::new(),
            });
        }
        all
    }

    /// Whether it is a name for what a module gives by default, or for all of it.
    pub fn is_whole(&self) -> bool {
        !self.import.alias.is_empty() && ["", "default"].contains(&self.import.name)
    }

    /// Whether the import at a line brings something under a name.
    pub fn brings_at(&self, line: u32, name: &str) -> bool {
        self.import.line == line && (self.import.alias == name || self.taken == name)
    }
}

/// Every use of a name in a file: where it is written, where an import takes it
/// from the end of a path, and where it is used under the name an import gives
/// it.
pub(crate) fn uses_of<'s>(
    facts: &StoredFacts<'s>,
    bound: &[Bound<'s>],
    name: &str,
) -> Vec<UseRef<'s>> {
    let mut uses: Vec<UseRef> = facts.uses_of(name).collect();
    let mut aliases: BTreeSet<&str> = BTreeSet::new();
    for bound in bound.iter().filter(|bound| bound.taken == name) {
        let line = bound.import.line;
        let is_import = |used: &UseRef| used.line == line && used.role == Role::Import;
        if !uses.iter().any(is_import) {
            uses.push(UseRef {
                line,
                role: Role::Import,
                name: bound.taken,
                qualifier: "",
                arguments: None,
            });
        }
        aliases.insert(bound.import.alias);
    }
    for alias in aliases {
        if !alias.is_empty() && alias != name {
            uses.extend(facts.uses_of(alias).filter(|used| !used.role.gives()));
        }
    }
    uses
}

/// Whether an import takes all that there is.
pub(crate) fn is_everything(taken: &str) -> bool {
    ["*", "_"].contains(&taken)
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
                statement: 1,
                module: path,
                name: "",
                alias: "",
            };
            assert_eq!(taken_name(&import), taken, "{path}");
        }
    }
}
