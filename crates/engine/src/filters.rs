//! Names of languages, kinds and categories as users type them.

use crate::request_error::RequestError;
use scent_types::{FileCategory, FileClass, Filters, Kind, RawRequest};

/// A name is suggested for another one if they are at least this similar.
const SIMILAR: f64 = 0.8;

/// The most names to suggest.
const SUGGESTIONS: usize = 3;

pub(crate) fn filters(raw: &RawRequest) -> Result<Filters, RequestError> {
    let mut filters = Filters {
        languages: each(&raw.languages, language)?,
        paths: raw.paths.clone(),
        not_paths: raw.not_paths.clone(),
        kinds: each(&raw.kinds, kind)?,
        names: raw.names.clone(),
        not_categories: each(&raw.not_categories, category)?,
        ..Filters::default()
    };
    for name in &raw.categories {
        only(name, &mut filters)?;
    }
    Ok(filters)
}

/// Narrows filters to a class or a category of file.
pub(crate) fn only(name: &str, filters: &mut Filters) -> Result<(), RequestError> {
    match FileClass::named(name) {
        Some(class) => filters.classes.push(class),
        None => filters.categories.push(category(name)?),
    }
    Ok(())
}

pub(crate) fn each<T>(
    names: &[String],
    parse: impl Fn(&str) -> Result<T, RequestError>,
) -> Result<Vec<T>, RequestError> {
    names.iter().map(|name| parse(name)).collect()
}

pub(crate) fn kind(name: &str) -> Result<Kind, RequestError> {
    let parsed = name.parse::<Kind>();
    let kind = parsed.map_err(|_| RequestError::UnknownKind(name.to_owned()))?;
    if kind.is_unit() {
        Ok(kind)
    } else {
        Err(RequestError::NoUnitKind(kind))
    }
}

pub(crate) fn category(name: &str) -> Result<FileCategory, RequestError> {
    let found = FileCategory::named(name);
    found.ok_or_else(|| RequestError::UnknownCategory(name.to_owned()))
}

/// The id of a language.
pub(crate) fn language(name: &str) -> Result<String, RequestError> {
    match scent_syntax::find(name) {
        Some(language) => Ok(language.id.to_owned()),
        None => Err(RequestError::UnknownLanguage {
            name: name.to_owned(),
            nearest: nearest_languages(name),
        }),
    }
}

/// The ids of the languages with the most similar names, best first.
fn nearest_languages(name: &str) -> Vec<&'static str> {
    let name = name.to_lowercase();
    let mut found = Vec::new();
    for language in scent_syntax::languages() {
        let mut similarity = strsim::jaro_winkler(&name, language.id);
        for alias in language.aliases {
            similarity = similarity.max(strsim::jaro_winkler(&name, alias));
        }
        if similarity >= SIMILAR {
            found.push((similarity, language.id));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.truncate(SUGGESTIONS);
    found.into_iter().map(|(_, id)| id).collect()
}
