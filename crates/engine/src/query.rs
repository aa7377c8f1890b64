//! What stands in a query beside its words: filters (`lang:rust path:src/
//! kind:function name:parse* is:test -test -path:vendor/`), operators between
//! them (`-word`, `AND`, `OR`, parentheses) and texts in double quotes. Where
//! the query is one text in quotes and nothing else, only what holds it may
//! answer; beside other words, what holds it comes first.

use crate::filters::{category, kind, language, only};
use crate::operators::{self, Word};
use crate::request_error::RequestError;
use scent_types::{Case, Condition, FileCategory, Filters, Note, Pattern, Request, Syntax};

/// The words that begin a filter.
const KEYS: [&str; 5] = ["lang:", "path:", "kind:", "name:", "is:"];

/// Nobody reads more of them.
const MOST_NOTES: usize = 5;

/// Nobody quotes more lines at once.
const MOST_QUOTED: usize = 8;

/// A shorter line in quotes is everywhere, a longer one nowhere.
const QUOTED_CHARS: std::ops::RangeInclusive<usize> = 3..=500;

/// Moves filters and texts in quotes from the query of a request to where they
/// belong, and leaves the words. Adds notes on what could not be taken as it
/// was typed.
pub(crate) fn read(request: &mut Request) -> Result<(), RequestError> {
    let query = std::mem::take(&mut request.query);
    let parts: Vec<&str> = query.split('"').collect();
    let is_open = parts.len().is_multiple_of(2);
    if is_open {
        request.notes.push(Note::OpenQuote);
    }
    let mut words = Vec::new();
    let mut quoted = Vec::new();
    for (nth, part) in parts.into_iter().enumerate() {
        let is_quoted = nth % 2 == 1 && !is_open;
        if is_quoted && !part.trim().is_empty() {
            quoted.push(part);
        }
        for text in part.split_whitespace() {
            words.push(Word { text, is_quoted });
        }
    }
    take_operators(&words, request)?;
    match quoted.as_slice() {
        [text] if request.pattern.is_none() && is_all_quoted(&words, &request.query) => {
            request.pattern = Some(literal(text));
        }
        _ => request.quoted = quoted_lines(&quoted),
    }
    let more = request.notes.len().saturating_sub(MOST_NOTES);
    if more > 0 {
        request.notes.truncate(MOST_NOTES);
        request.notes.push(Note::MoreUnknownFilters { count: more });
    }
    Ok(())
}

/// Takes a long text apart. It was written for people: what looks like a filter
/// in it is none, and a note says so.
pub(crate) fn read_report(request: &mut Request) {
    let text = std::mem::take(&mut request.query);
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let is_new = !words.iter().any(|known| known == word);
        if is_new && words.len() < MOST_NOTES && has_key(word) {
            words.push(word.to_owned());
        }
    }
    if !words.is_empty() {
        request.notes.push(Note::NoFilters { words });
    }
    let report = scent_search::read_report(&text);
    request.query.clone_from(&report.title);
    request.report = Some(report);
}

/// Whether a word of a short query would be a filter with a key.
fn has_key(word: &str) -> bool {
    let plain = word.strip_prefix('-').unwrap_or(word);
    let has = |key: &str| plain.starts_with(key) && plain.len() > key.len();
    KEYS.into_iter().any(has) && matches!(filters_of(word, &mut Vec::new()), Ok(Some(_)))
}

/// A text in quotes as a pattern.
pub(crate) fn literal(text: &str) -> Pattern {
    Pattern {
        text: text.to_owned(),
        syntax: Syntax::Literal,
        case: Case::Smart,
        word: false,
    }
}

/// Takes the filters and operators out of the words and leaves the words to
/// look for. Where there would be nothing else, a word to leave out is one to
/// look for.
fn take_operators(words: &[Word], request: &mut Request) -> Result<(), RequestError> {
    let notes = &mut request.notes;
    let operated = operators::read(words, |word| filters_of(word, notes))?;
    let mut others = operated.filters.clone();
    others.conditions.clear();
    others.add(request.filters.clone());
    let has_others = request.pattern.is_some() || others != Filters::default();
    if operated.words.is_empty() && !has_others && only_excludes(&operated.filters) {
        let typed: Vec<&str> = words.iter().map(|word| word.text).collect();
        request.query = typed.join(" ");
        return Ok(());
    }
    request.query = operated.words.join(" ");
    request.filters.add(operated.filters);
    Ok(())
}

/// Whether nothing but words to leave out is named.
fn only_excludes(filters: &Filters) -> bool {
    let mut conditions = filters.conditions.iter();
    conditions.all(|condition| !asks_for_units(condition))
}

/// Whether a condition names units, and not only words that they lack.
fn asks_for_units(condition: &Condition) -> bool {
    match condition {
        Condition::Has(_) | Condition::Not(_) => false,
        Condition::Passes(_) => true,
        Condition::All(all) | Condition::Any(all) => all.iter().any(asks_for_units),
    }
}

/// Whether all words to look for stood in quotes.
fn is_all_quoted(words: &[Word], query: &str) -> bool {
    let quoted = words.iter().filter(|word| word.is_quoted);
    let quoted: Vec<&str> = quoted.map(|word| word.text).collect();
    query == quoted.join(" ")
}

/// The lines of texts in quotes, each once: a message of several lines may have
/// any of them in a file.
fn quoted_lines(texts: &[&str]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in texts.iter().flat_map(|text| text.lines()) {
        let line = line.trim();
        let is_new = !lines.iter().any(|known| known == line);
        if is_new && QUOTED_CHARS.contains(&line.chars().count()) {
            lines.push(line.to_owned());
        }
        if lines.len() == MOST_QUOTED {
            break;
        }
    }
    lines
}

/// What a word says that is a filter; none where it is a word to look for.
fn filters_of(word: &str, notes: &mut Vec<Note>) -> Result<Option<Filters>, RequestError> {
    let (not, plain) = match word.strip_prefix('-') {
        Some(plain) => (true, plain),
        None => (false, word),
    };
    let key = KEYS
        .into_iter()
        .find(|key| plain.starts_with(key) && plain.len() > key.len());
    let Some(key) = key else {
        return Ok(without_key(not, plain, notes));
    };
    let value = &plain[key.len()..];
    let mut filters = Filters::default();
    match (key, not) {
        ("lang:", false) => filters.languages.push(language(value)?),
        ("path:", false) => filters.paths.push(value.to_owned()),
        ("path:", true) => filters.not_paths.push(value.to_owned()),
        ("kind:", false) => filters.kinds.push(kind(value)?),
        ("name:", false) => filters.names.push(value.to_owned()),
        ("is:", false) => only(value, &mut filters)?,
        ("is:", true) => filters.not_categories.push(category(value)?),
        _ => return Err(RequestError::NotExcludable(word.to_owned())),
    }
    Ok(Some(filters))
}

/// `-test` excludes a category of file. What looks like a filter and is none
/// stays a word, with a note.
fn without_key(not: bool, plain: &str, notes: &mut Vec<Note>) -> Option<Filters> {
    if not && let Some(category) = FileCategory::named(plain) {
        return Some(Filters {
            not_categories: vec![category],
            ..Filters::default()
        });
    }
    if looks_like_filter(plain) {
        let sign = if not { "-" } else { "" };
        let word = format!("{sign}{plain}");
        notes.push(Note::UnknownFilter { word });
    }
    None
}

fn looks_like_filter(word: &str) -> bool {
    let Some((key, value)) = word.split_once(':') else {
        return false;
    };
    let is_key = !key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase());
    let is_value = !value.is_empty() && !value.starts_with([':', '/']) && !value.contains(':');
    is_key && is_value
}

#[cfg(test)]
mod tests {
    use super::*;
    use scent_types::{FileClass, Kind};

    fn of(query: &str) -> Request {
        let mut request = Request {
            query: query.into(),
            ..Request::default()
        };
        read(&mut request).unwrap_or_else(|e| panic!("{query}: {e}"));
        request
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
    fn filters_between_operators_are_conditions() {
        let language = |id: &str| {
            Condition::Passes(Box::new(Filters {
                languages: vec![id.into()],
                ..Filters::default()
            }))
        };
        let either = Condition::Any(vec![language("rust"), language("go")]);
        for (query, words) in [
            ("(lang:rs OR lang:go) retry", "retry"),
            ("lang:rust OR lang:golang", ""),
            ("retry (lang:rs OR lang:go)", "retry"),
        ] {
            let read = of(query);
            assert_eq!(read.query, words, "{query}");
            assert_eq!(
                read.filters.conditions,
                std::slice::from_ref(&either),
                "{query}"
            );
            assert!(read.filters.languages.is_empty(), "{query}");
        }
        let mut bad = Request {
            query: "(lang:rst OR lang:go) retry".into(),
            ..Request::default()
        };
        assert_eq!(read(&mut bad).unwrap_err().code(), "unknown-language");
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
    fn words_that_are_left_out_are_no_words_to_look_for() {
        let without = |word: &str| Condition::Not(Box::new(Condition::Has(word.to_owned())));
        for (query, words, filters) in [
            ("retry -delay -test", "retry", vec![without("delay")]),
            ("-delay lang:rust", "", vec![without("delay")]),
            ("-Wall", "-Wall", vec![]),
            ("-delay -retry", "-delay -retry", vec![]),
            ("\"a -delay AND b\"", "a -delay AND b", vec![]),
            ("x -\"delay\"", "x - delay", vec![]),
        ] {
            let read = of(query);
            assert_eq!(
                (read.query.as_str(), &read.filters.conditions),
                (words, &filters)
            );
        }
    }

    #[test]
    fn a_query_wholly_in_quotes_is_a_pattern_and_other_quotes_are_preferred() {
        for (query, words, pattern, quoted) in [
            ("\"no such\"", "no such", Some("no such"), ""),
            (
                "\"no such\" lang:go -test -xy",
                "no such",
                Some("no such"),
                "",
            ),
            (
                "retry \"no such\" now",
                "retry no such now",
                None,
                "no such",
            ),
            ("\"no such\" -v", "no such -v", None, "no such"),
            ("\"the one\" \"two\"", "the one two", None, "the one|two"),
            ("x \"one\n  two\" \"one\"", "x one two one", None, "one|two"),
            ("x \"is:odd\" \"ab\"", "x is:odd ab", None, "is:odd"),
            ("an \"open quote", "an open quote", None, ""),
            ("\"\"  x", "x", None, ""),
        ] {
            let read = of(query);
            assert_eq!(read.query, words, "{query}");
            let found = read.pattern.as_ref().map(|pattern| pattern.text.as_str());
            assert_eq!(found, pattern, "{query}");
            assert_eq!(read.quoted.join("|"), quoted, "{query}");
        }
        let mut patterned = Request {
            pattern: Some(literal("x")),
            query: "\"one\"".into(),
            ..Request::default()
        };
        read(&mut patterned).unwrap();
        assert_eq!(patterned.pattern.unwrap().text, "x");
        assert_eq!(patterned.quoted, ["one"]);
    }

    #[test]
    fn a_report_has_no_filters_and_says_so() {
        let mut request = Request {
            query: "The pool leaks\nsince lang:rust -test and \"a b\" are\nin it: path:".into(),
            ..Request::default()
        };
        read_report(&mut request);
        assert_eq!((request.filters, request.quoted), Default::default());
        assert_eq!(request.pattern, None);
        let words = vec!["lang:rust".to_owned()];
        assert_eq!(request.notes, [Note::NoFilters { words }]);
        assert_eq!(request.query, "The pool leaks");
        assert!(request.report.unwrap().prose.contains("lang:rust -test"));
    }

    #[test]
    fn what_looks_like_a_filter_and_is_none_is_noted() {
        let word = "file:a.rs".to_owned();
        let want = [Note::OpenQuote, Note::UnknownFilter { word }];
        assert_eq!(of("x file:a.rs \"").notes, want);
        let many = of("a:b c:d e:f g:h i:j k:l m:n");
        let rest = Note::MoreUnknownFilters { count: 2 };
        assert_eq!(many.notes.len(), MOST_NOTES + 1);
        assert_eq!(many.notes.last(), Some(&rest));
    }
}
