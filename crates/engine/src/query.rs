//! What stands in a query beside its words: filters (`lang:rust path:src/
//! kind:function name:parse* is:test -test -path:vendor/`) and a text in double
//! quotes, which some line has to hold as it is.

use crate::error::EngineError;
use scent_types::{Case, FileCategory, FileClass, Kind, Note, Pattern, Request, Syntax};

/// The words that begin a filter.
const KEYS: [&str; 5] = ["lang:", "path:", "kind:", "name:", "is:"];

/// Nobody reads more of them.
const MOST_NOTES: usize = 5;

/// The request with what its query says, and words to the user about what
/// could not be taken as it was meant.
pub(crate) fn read(request: &Request) -> Result<(Request, Vec<Note>), EngineError> {
    let mut read = request.clone();
    let mut notes = Vec::new();
    // A query that is the pattern itself is taken as it is.
    if request
        .pattern
        .as_ref()
        .is_some_and(|pattern| pattern.text == request.query)
    {
        return Ok((read, notes));
    }
    let (query, quoted) = quoted(&request.query, &mut notes);
    match quoted.as_slice() {
        [text] if request.pattern.is_none() => {
            let (syntax, case) = (Syntax::Literal, Case::Smart);
            read.pattern = Some(Pattern {
                text: text.clone(),
                syntax,
                case,
                word: false,
            });
        }
        [] => {}
        _ => notes.push(Note::SeveralQuotes),
    }
    let mut words = Vec::new();
    for word in query.split_whitespace() {
        if !take(word, &mut read, &mut notes)? {
            words.push(word);
        }
    }
    read.query = words.join(" ");
    let more = notes.len().saturating_sub(MOST_NOTES);
    if more > 0 {
        notes.truncate(MOST_NOTES);
        notes.push(Note::MoreUnknownFilters { count: more });
    }
    Ok((read, notes))
}

/// The query without quotes, and what stood in them.
fn quoted(query: &str, notes: &mut Vec<Note>) -> (String, Vec<String>) {
    let parts: Vec<&str> = query.split('"').collect();
    if parts.len().is_multiple_of(2) {
        notes.push(Note::OpenQuote);
        return (parts.join(" "), Vec::new());
    }
    let inside = parts
        .iter()
        .skip(1)
        .step_by(2)
        .filter(|text| !text.trim().is_empty());
    (
        parts.join(" "),
        inside.map(|text| (*text).to_owned()).collect(),
    )
}

/// Takes a word that is a filter; false where it is a word to look for.
fn take(word: &str, request: &mut Request, notes: &mut Vec<Note>) -> Result<bool, EngineError> {
    let (not, plain) = match word.strip_prefix('-') {
        Some(plain) => (true, plain),
        None => (false, word),
    };
    let key = KEYS
        .into_iter()
        .find(|key| plain.starts_with(key) && plain.len() > key.len());
    let Some(key) = key else {
        return Ok(leave_out(not, plain, request) || unknown(word, plain, notes));
    };
    let value = &plain[key.len()..];
    let filters = &mut request.filters;
    match (key, not) {
        ("lang:", false) => filters.languages.push(language(value)?),
        ("path:", false) => filters.paths.push(value.to_owned()),
        ("path:", true) => filters.not_paths.push(value.to_owned()),
        ("kind:", false) => filters.kinds.push(kind(value)?),
        ("name:", false) => filters.names.push(value.to_owned()),
        ("is:", false) => match FileClass::named(value) {
            Some(class) => filters.classes.push(class),
            None => filters.categories.push(category(value)?),
        },
        ("is:", true) => filters.not_categories.push(category(value)?),
        _ => {
            return Err(EngineError::Query(format!(
                "{word}: only paths and categories of file can be left out: -path:GLOB, -test, -docs"
            )));
        }
    }
    Ok(true)
}

/// `-test` leaves files of a category out.
fn leave_out(not: bool, plain: &str, request: &mut Request) -> bool {
    let category = FileCategory::named(plain).filter(|_| not);
    request.filters.not_categories.extend(category);
    category.is_some()
}

/// What looks like a filter and is none stays a word, and is said to.
fn unknown(word: &str, plain: &str, notes: &mut Vec<Note>) -> bool {
    let looks = plain.split_once(':').is_some_and(|(key, value)| {
        let lower = !key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase());
        lower && !value.is_empty() && !value.starts_with([':', '/']) && !value.contains(':')
    });
    if looks {
        let word = word.to_owned();
        notes.push(Note::UnknownFilter { word });
    }
    false
}

fn language(name: &str) -> Result<String, EngineError> {
    let found = scent_syntax::find(name).map(|language| language.id.to_owned());
    found.ok_or_else(|| {
        EngineError::Query(format!(
            "lang:{name}: no such language; `scent languages` lists them"
        ))
    })
}

fn kind(name: &str) -> Result<Kind, EngineError> {
    let all = Kind::ALL.map(Kind::as_str).join(", ");
    let unknown = |_| EngineError::Query(format!("kind:{name}: no such kind; there are: {all}"));
    name.parse().map_err(unknown)
}

fn category(name: &str) -> Result<FileCategory, EngineError> {
    let all = FileCategory::ALL.map(FileCategory::as_str).join(", ");
    FileCategory::named(name).ok_or_else(|| {
        EngineError::Query(format!(
            "is:{name}: no such category; there are: code, config, {all}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use scent_types::Filters;

    fn of(query: &str) -> Request {
        let request = Request {
            query: query.into(),
            ..Request::default()
        };
        read(&request)
            .map(|(read, _)| read)
            .unwrap_or_else(|e| panic!("{query}: {e}"))
    }

    #[test]
    fn filters_are_taken_out_of_the_words() {
        let read = of("retry lang:rs path:src/ kind:function delay -test -path:vendor/ is:code");
        assert_eq!(read.query, "retry delay");
        let want = Filters {
            languages: vec!["rust".into()],
            paths: vec!["src/".into()],
            not_paths: vec!["vendor/".into()],
            kinds: vec![Kind::Function],
            classes: vec![FileClass::Code],
            not_categories: vec![FileCategory::Test],
            ..Filters::default()
        };
        assert_eq!(read.filters, want);
        assert_eq!(
            of("-examples x").filters.not_categories,
            [FileCategory::Example]
        );
        assert_eq!(of("is:tests x").filters.categories, [FileCategory::Test]);
    }

    #[test]
    fn words_with_colons_stay_words() {
        for query in [
            "std::move",
            "http://a.b",
            "error: no such file",
            "a -b",
            "margin:auto",
            "path:",
        ] {
            let read = of(query);
            assert_eq!(
                (read.query.as_str(), read.filters),
                (query, Filters::default())
            );
        }
    }

    #[test]
    fn a_quoted_text_is_a_pattern_and_its_words_are_words() {
        let read = of("retry \"no such file\" now");
        assert_eq!(read.query, "retry no such file now");
        assert_eq!(read.pattern.unwrap().text, "no such file");
        assert_eq!(of("an \"open quote").pattern, None);
        assert_eq!(of("\"a\" \"b\"").pattern, None);
        assert_eq!(of("\"\"  x").pattern, None);
    }

    #[test]
    fn what_cannot_be_meant_is_said() {
        for (query, says) in [
            ("x lang:klingon", "no such language"),
            ("x kind:thing", "there are: function"),
            ("x is:odd", "no such category"),
            ("x -lang:rust", "only paths and categories"),
        ] {
            let request = Request {
                query: query.into(),
                ..Request::default()
            };
            let error = read(&request).unwrap_err().to_string();
            assert!(error.contains(says), "{query}: {error}");
        }
        let odd = Request {
            query: "x file:a.rs \"".into(),
            ..Request::default()
        };
        let word = "file:a.rs".to_owned();
        let want = [Note::OpenQuote, Note::UnknownFilter { word }];
        assert_eq!(read(&odd).unwrap().1, want);
    }
}
