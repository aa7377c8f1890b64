//! What may answer at all, decided before anything is retrieved.

use crate::SearchError;
use crate::corpus::Corpus;
use crate::sorts::is_of_sort;
use crate::units::{Allowed, UnitSet};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use scent_index::{FileRecord, Snapshot, State};
use scent_types::{Filters, Sort};
use std::collections::HashSet;

pub(crate) fn allowed(corpus: &Corpus, filters: &Filters) -> Result<Allowed, SearchError> {
    let scoped = corpus.scopes().iter().any(|scope| !scope.is_empty());
    if *filters == Filters::default() && !scoped {
        return Ok(Allowed::default());
    }
    let files = FileFilter::new(filters)?;
    let names = (!filters.names.is_empty())
        .then(|| name_globs(&filters.names))
        .transpose()?;
    let mut set = UnitSet::default();
    let mut all_ids = Vec::with_capacity(corpus.scopes().len());
    for ((base, snapshot), scope) in corpus.parts().zip(corpus.scopes()) {
        let ids = files.ids(snapshot, scope);
        let fits = |unit: u32| {
            let kind = filters.kinds.is_empty() || filters.kinds.contains(&snapshot.kind(unit));
            kind && ids.contains(&snapshot.place(unit).0)
        };
        let mut keep = |unit: u32| {
            if fits(unit) {
                set.insert(base + unit);
            }
        };
        match &names {
            Some(names) => snapshot.names_where(|name| names.is_match(name), keep)?,
            None => snapshot.each_unit(&mut keep),
        }
        all_ids.push(ids);
    }
    Ok(Allowed::these(set, all_ids))
}

/// The filters that a whole file passes or fails.
struct FileFilter<'a> {
    filters: &'a Filters,
    paths: Option<GlobSet>,
    not_paths: GlobSet,
}

impl FileFilter<'_> {
    fn new(filters: &Filters) -> Result<FileFilter<'_>, SearchError> {
        let paths = (!filters.paths.is_empty())
            .then(|| path_globs(&filters.paths))
            .transpose()?;
        Ok(FileFilter {
            filters,
            paths,
            not_paths: path_globs(&filters.not_paths)?,
        })
    }

    fn ids(&self, snapshot: &Snapshot, scope: &[String]) -> HashSet<u32> {
        let fits = |f: &&FileRecord| is_inside(&f.path, scope) && self.fits(f);
        snapshot
            .table()
            .files
            .iter()
            .filter(fits)
            .filter_map(FileRecord::id)
            .collect()
    }

    fn fits(&self, file: &FileRecord) -> bool {
        let State::Indexed {
            language, class, ..
        } = &file.state
        else {
            return false;
        };
        let Filters {
            languages,
            classes,
            sorts,
            not_sorts,
            ..
        } = self.filters;
        let is_of = |sort: &Sort| is_of_sort(*sort, &file.path);
        (languages.is_empty() || languages.contains(language))
            && (classes.is_empty() || classes.contains(class))
            && self
                .paths
                .as_ref()
                .is_none_or(|globs| globs.is_match(&file.path))
            && !self.not_paths.is_match(&file.path)
            && (sorts.is_empty() || sorts.iter().any(is_of))
            && !not_sorts.iter().any(is_of)
    }
}

/// Tries a path on the globs, for fuzzing.
pub(crate) fn try_globs(filters: &Filters, path: &str) {
    if let Ok(files) = FileFilter::new(filters) {
        let _ = files.paths.is_some_and(|globs| globs.is_match(path));
        files.not_paths.is_match(path);
    }
    let _ = name_globs(&filters.names).map(|globs| globs.is_match(path));
}

/// Whether a path is one of these, or lies below one.
fn is_inside(path: &str, scope: &[String]) -> bool {
    let below = |folder: &String| {
        let rest = path.strip_prefix(folder.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    scope.is_empty() || scope.iter().any(below)
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
    let first = globs.first().cloned().unwrap_or_default();
    let why = format!(
        "too large, with {} more beside it",
        globs.len().saturating_sub(1)
    );
    set.build()
        .map_err(|_| SearchError::BadGlob { glob: first, why })
}

fn compile(form: &str, glob: &str, star_crosses: bool) -> Result<globset::Glob, SearchError> {
    let built = GlobBuilder::new(form)
        .literal_separator(!star_crosses)
        .build();
    built.map_err(|e| SearchError::BadGlob {
        glob: glob.into(),
        why: e.kind().to_string(),
    })
}
