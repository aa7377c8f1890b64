//! What a project is called. In a question about the project, its name says
//! nothing: every file belongs to it.

use crate::corpus::Corpus;
use crate::letters::letters;
use scent_index::{Result, Snapshot};
use std::collections::BTreeSet;

/// The manifests at the top of a project that say what it is called.
const MANIFESTS: [&str; 4] = ["Cargo.toml", "package.json", "go.mod", "pubspec.yaml"];

/// The names of projects, in lower case and without separators.
#[derive(Debug, Default)]
pub(crate) struct OwnNames(BTreeSet<String>);

impl OwnNames {
    /// Those of a corpus: what its folders are called, and what manifests say.
    pub fn of(corpus: &Corpus) -> Result<OwnNames> {
        let mut names = OwnNames::default();
        for snapshot in corpus.snapshots() {
            names.add(last_part(&snapshot.table().root));
            names.add_manifests(snapshot)?;
        }
        Ok(names)
    }

    fn add_manifests(&mut self, snapshot: &Snapshot) -> Result<()> {
        for path in MANIFESTS {
            let Some(file) = snapshot.table().find(path) else {
                continue;
            };
            if file.id().is_none() {
                continue;
            }
            for (name, _) in snapshot.facts().of(file)?.roots() {
                self.add(in_manifest(name));
            }
        }
        Ok(())
    }

    fn add(&mut self, name: &str) {
        let name = letters(name);
        if name.len() > 1 {
            self.0.insert(name);
        }
    }

    /// Whether a word is one of the names, or the name with `'s`.
    pub fn has(&self, word: &str) -> bool {
        let word = word.strip_suffix("'s").unwrap_or(word);
        self.0.contains(&letters(word))
    }
}

/// The name that an import of the project begins with: `@scope/name/*`,
/// `github.com/owner/name/v2`, `package:name`.
fn in_manifest(import: &str) -> &str {
    let import = import.trim_end_matches("/*");
    let mut parts = import.rsplit(['/', ':']);
    let last = parts.next().unwrap_or_default();
    let is_version = |part: &str| {
        let number = part.strip_prefix('v').unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    if is_version(last) {
        parts.next().unwrap_or(last)
    } else {
        last
    }
}

fn last_part(folder: &str) -> &str {
    let folder = folder.trim_end_matches(['/', '\\']);
    folder.rsplit(['/', '\\']).next().unwrap_or(folder)
}

#[cfg(test)]
impl OwnNames {
    /// These names.
    pub fn these(names: &[&str]) -> OwnNames {
        let mut all = OwnNames::default();
        for name in names {
            all.add(name);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_names_its_project_last() {
        for (import, want) in [
            ("@scope/name/*", "name"),
            ("name", "name"),
            ("github.com/owner/name/v2", "name"),
            ("github.com/owner/name", "name"),
            ("package:name", "name"),
            ("v2", "v2"),
        ] {
            assert_eq!(in_manifest(import), want, "{import}");
        }
        assert_eq!(last_part("/home/me/Some-Project/"), "Some-Project");
        assert!(OwnNames::these(&["Some-Project"]).has("someProject's"));
    }
}
