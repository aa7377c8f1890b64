//! Which files and units pass filters.

use crate::categories::is_of_category;
use crate::corpus::Corpus;
use crate::error::SearchError;
use crate::units::UnitSet;
use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use scent_index::{FileRecord, Snapshot, State};
use scent_types::{FileCategory, FileClass, Filters, Kind};
use std::collections::HashSet;

/// The units that pass filters, whatever operators say, and the ids of the files
/// that hold them, by snapshot.
pub(crate) fn passing(
    corpus: &Corpus,
    filters: &Filters,
) -> Result<(UnitSet, Vec<HashSet<u32>>), SearchError> {
    let files = FileFilter::new(filters)?;
    let names = name_globs(&filters.names)?;
    let mut set = UnitSet::default();
    let mut all_ids = Vec::with_capacity(corpus.scopes().len());
    for ((base, snapshot), scope) in corpus.parts().zip(corpus.scopes()) {
        let ids = files.ids(snapshot, scope);
        let keep = |unit: u32| {
            if ids.contains(&snapshot.text().place(unit).0)
                && is_of_kind(filters, snapshot.text().kind(unit))
            {
                set.insert(base + unit);
            }
        };
        if filters.names.is_empty() {
            snapshot.text().each_unit(keep);
        } else {
            snapshot
                .text()
                .names_where(|name| names.is_match(name), keep)?;
        }
        all_ids.push(ids);
    }
    Ok((set, all_ids))
}

/// Whether a unit passes what filters say of its kind and its name.
pub fn is_of_unit(filters: &Filters, kind: Kind, name: &str) -> Result<bool, SearchError> {
    let is_named = filters.names.is_empty() || name_globs(&filters.names)?.is_match(name);
    Ok(is_named && is_of_kind(filters, kind))
}

fn is_of_kind(filters: &Filters, kind: Kind) -> bool {
    filters.kinds.is_empty() || filters.kinds.contains(&kind)
}

/// The filters that a whole file passes or fails.
pub struct FileFilter<'a> {
    filters: &'a Filters,
    paths: GlobSet,
    not_paths: GlobSet,
}

impl FileFilter<'_> {
    /// The filters of a request, compiled.
    pub fn new(filters: &Filters) -> Result<FileFilter<'_>, SearchError> {
        Ok(FileFilter {
            filters,
            paths: path_globs(&filters.paths)?,
            not_paths: path_globs(&filters.not_paths)?,
        })
    }

    fn ids(&self, snapshot: &Snapshot, scope: &[String]) -> HashSet<u32> {
        let mut ids = HashSet::new();
        for file in &snapshot.table().files {
            if let Some(id) = file.id()
                && is_inside(&file.path, scope)
                && self.fits_record(file)
            {
                ids.insert(id);
            }
        }
        ids
    }

    fn fits_record(&self, file: &FileRecord) -> bool {
        match &file.state {
            State::Indexed {
                language, class, ..
            } => self.fits(&file.path, language, *class),
            State::Skipped(_) => false,
        }
    }

    /// Whether a file passes, of a language and a class.
    pub fn fits(&self, path: &str, language: &str, class: FileClass) -> bool {
        let filters = self.filters;
        let is_of = |category: &FileCategory| is_of_category(*category, path);
        (filters.languages.is_empty() || filters.languages.iter().any(|known| known == language))
            && (filters.classes.is_empty() || filters.classes.contains(&class))
            && (filters.paths.is_empty() || self.paths.is_match(path))
            && !self.not_paths.is_match(path)
            && (filters.categories.is_empty() || filters.categories.iter().any(is_of))
            && !filters.not_categories.iter().any(is_of)
    }
}

/// Tries a path on the globs, for fuzzing.
pub(crate) fn try_globs(filters: &Filters, path: &str) {
    if let Ok(files) = FileFilter::new(filters) {
        files.paths.is_match(path);
        files.not_paths.is_match(path);
    }
    let _ = name_globs(&filters.names).map(|globs| globs.is_match(path));
}

/// Whether a path is one of these, or lies below one; any path where there are
/// none.
pub fn is_inside(path: &str, scope: &[String]) -> bool {
    scope.is_empty() || scope.iter().any(|folder| is_below(path, folder))
}

fn is_below(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Globs over paths. `src/` means everything below, `*.rs` any such file, and
/// a plain path itself and everything below it.
fn path_globs(globs: &[String]) -> Result<GlobSet, SearchError> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        let plain = glob.trim_start_matches("./").trim_end_matches('/');
        let anywhere = !plain.contains('/') && plain.contains(['*', '?', '[', '{']);
        let own = if anywhere {
            format!("**/{plain}")
        } else {
            plain.to_owned()
        };
        let below = format!("{own}/**");
        for form in [own, below] {
            set.add(compile(&form, glob, false)?);
        }
    }
    build(&set, globs)
}

/// Globs over names, which are kept in lower case.
fn name_globs(globs: &[String]) -> Result<GlobSet, SearchError> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        set.add(compile(&glob.to_lowercase(), glob, true)?);
    }
    build(&set, globs)
}

/// All globs together, which may be too much where each of them is not.
fn build(set: &GlobSetBuilder, globs: &[String]) -> Result<GlobSet, SearchError> {
    let others = globs.len().saturating_sub(1);
    set.build().map_err(|_| SearchError::BadGlob {
        glob: globs.first().cloned().unwrap_or_default(),
        why: format!("too large, with {others} more beside it"),
    })
}

fn compile(form: &str, glob: &str, star_crosses: bool) -> Result<Glob, SearchError> {
    let built = GlobBuilder::new(form)
        .literal_separator(!star_crosses)
        .build();
    built.map_err(|error| SearchError::BadGlob {
        glob: glob.into(),
        why: error.kind().to_string(),
    })
}
