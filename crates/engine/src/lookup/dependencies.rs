//! What files depend on, and what depends on them.

use super::{Look, categories};
use crate::EngineError;
use scent_index::Snapshot;
use scent_index::graph::{self, FileNo};
use scent_types::{Dependencies, Dependency};
use std::collections::BTreeSet;
use std::path::Path;

/// How far and in which direction dependencies are followed.
#[derive(Clone, Debug)]
pub struct Reach {
    /// To what depends on a file, not to what it depends on.
    pub reverse: bool,
    /// How many steps.
    pub depth: u32,
    /// Of what depends on a file, only tests, or none of them.
    pub tests: Option<bool>,
}

/// What files depend on, or what depends on them. A path that is a folder stands
/// for all files below it.
pub(crate) fn dependencies(
    root: &Path,
    snapshot: &Snapshot,
    path: &str,
    wish: &Reach,
) -> Result<Dependencies, EngineError> {
    let look = Look::new(root, snapshot)?;
    let files = look.below(path);
    if files.is_empty() {
        return Err(EngineError::NoSuchPlace {
            path: path.to_owned(),
            line: 1,
        });
    }
    let mut seen: BTreeSet<FileNo> = files.iter().copied().collect();
    let mut found: Vec<Dependency> = Vec::new();
    let mut step = files.clone();
    for depth in 1..=wish.depth {
        let mut next = BTreeSet::new();
        for &file in &step {
            for dependency in look.step(file, wish)? {
                let told = look.depends(&dependency, depth);
                let same = |other: &Dependency| {
                    (&other.from, other.line, &other.module)
                        == (&told.from, told.line, &told.module)
                };
                let ends = if wish.reverse {
                    vec![dependency.file]
                } else {
                    dependency.to.clone()
                };
                next.extend(ends.into_iter().filter(|end| seen.insert(*end)));
                // Names that are taken from one module are one dependency.
                match found.iter_mut().find(|other| same(other)) {
                    Some(Dependency { to, .. }) => {
                        to.extend(told.to);
                        to.sort_unstable();
                        to.dedup();
                    }
                    None => found.push(told),
                }
            }
        }
        step = next.into_iter().collect();
    }
    Ok(Dependencies {
        of: files
            .iter()
            .map(|&file| look.path(file).to_owned())
            .collect(),
        reverse: wish.reverse,
        total: found.len(),
        dependencies: found,
    })
}

impl<'s> Look<'s> {
    /// The file at a path, or those below a folder.
    fn below(&self, path: &str) -> Vec<FileNo> {
        let path = path.trim_end_matches('/');
        if let Some(file) = self.graph.file_at(path) {
            return vec![file];
        }
        let folder = if path.is_empty() {
            String::new()
        } else {
            format!("{path}/")
        };
        let files = self.snapshot.table().files.iter().enumerate();
        let inside =
            files.filter(|(_, file)| file.id().is_some() && file.path.starts_with(&folder));
        inside.map(|(at, _)| at as FileNo).collect()
    }

    fn step(&self, file: FileNo, wish: &Reach) -> Result<Vec<graph::Dependency<'s>>, EngineError> {
        let mut found = match wish.reverse {
            true => self.graph.dependents(file)?,
            false => self.graph.dependencies(file)?,
        };
        let is_wanted = |file| {
            wish.tests
                .is_none_or(|t| t == categories::is_test(self.path(file)))
        };
        found.retain(|dependency| is_wanted(dependency.file) || !wish.reverse);
        Ok(found)
    }

    fn depends(&self, dependency: &graph::Dependency, depth: u32) -> Dependency {
        let graph::Dependency { file, import, to } = dependency;
        Dependency {
            from: self.path(*file).to_owned(),
            line: import.line,
            module: import.module.to_owned(),
            to: to.iter().map(|&to| self.path(to).to_owned()).collect(),
            depth,
            parse_errors: self.record(*file).has_errors(),
        }
    }
}
