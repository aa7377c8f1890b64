//! What files depend on, and what depends on them.

use super::{Lookup, categories};
use crate::EngineError;
use crate::tree::Tree;
use scent_graph::{self as graph, FileNo};
use scent_index::Snapshot;
use scent_types::{Dependencies, Dependency};
use std::collections::BTreeSet;

/// How options and in which direction dependencies are followed.
#[derive(Clone, Debug)]
pub struct DependencyOptions {
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
    tree: &dyn Tree,
    snapshot: &Snapshot,
    path: &str,
    options: &DependencyOptions,
) -> Result<Dependencies, EngineError> {
    let lookup = Lookup::new(tree, snapshot)?;
    let files = lookup.files_below(path)?;
    let mut seen: BTreeSet<FileNo> = files.iter().copied().collect();
    let mut found: Vec<Dependency> = Vec::new();
    let mut step = files.clone();
    for depth in 1..=options.depth {
        let mut next = BTreeSet::new();
        for &file in &step {
            for dependency in lookup.step(file, options)? {
                let ends = if options.reverse {
                    &[dependency.file][..]
                } else {
                    &dependency.to
                };
                next.extend(ends.iter().filter(|end| seen.insert(**end)));
                add(&mut found, lookup.to_dependency(&dependency, depth));
            }
        }
        step = next.into_iter().collect();
    }
    Ok(Dependencies {
        of: files
            .iter()
            .map(|&file| lookup.path(file).to_owned())
            .collect(),
        reverse: options.reverse,
        total: found.len(),
        dependencies: found,
    })
}

/// Adds a dependency. Names that are taken from one module are one.
fn add(found: &mut Vec<Dependency>, more: Dependency) {
    let same = found.iter_mut().find(|known| {
        (&known.from, known.line, &known.module) == (&more.from, more.line, &more.module)
    });
    match same {
        Some(known) => {
            known.to.extend(more.to);
            known.to.sort_unstable();
            known.to.dedup();
        }
        None => found.push(more),
    }
}

impl<'s> Lookup<'s> {
    /// The file at a path, or those below a folder; an error where there is none.
    pub(super) fn files_below(&self, path: &str) -> Result<Vec<FileNo>, EngineError> {
        let files = self.below(path);
        if files.is_empty() && !path.is_empty() {
            return Err(EngineError::NoSuchPlace {
                path: path.to_owned(),
                line: 1,
            });
        }
        Ok(files)
    }

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

    fn step(
        &self,
        file: FileNo,
        options: &DependencyOptions,
    ) -> Result<Vec<graph::Dependency<'s>>, EngineError> {
        if !options.reverse {
            return Ok(self.graph.dependencies(file)?);
        }
        let mut found = self.graph.dependents(file)?;
        if let Some(tests) = options.tests {
            found.retain(|dependency| tests == categories::is_test(self.path(dependency.file)));
        }
        Ok(found)
    }

    pub(super) fn to_dependency(&self, dependency: &graph::Dependency, depth: u32) -> Dependency {
        let graph::Dependency { file, import, to } = dependency;
        Dependency {
            from: self.path(*file).to_owned(),
            line: import.statement,
            module: import.module.to_owned(),
            to: to.iter().map(|&to| self.path(to).to_owned()).collect(),
            depth,
            parse_errors: self.record(*file).has_errors(),
        }
    }
}
