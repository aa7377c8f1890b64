//! What a user typed becomes a request, once for every interface.

use crate::filters::{each, filters};
use crate::query;
use crate::request_error::RequestError;
use scent_search::is_report;
use scent_types::{Case, Context, Excerpt, Lane, Pattern, RawRequest, Request, Scan, Syntax};

/// How many hits a request gets that names no number.
const LIMIT: usize = 10;

/// Parses what was typed. Everything that can be wrong with it is found here,
/// but for patterns and globs, which the search compiles.
pub fn parse_request(raw: &RawRequest) -> Result<Request, RequestError> {
    let excerpt = excerpt(raw)?;
    let mut request = Request {
        query: raw.query.clone(),
        typed: Some(raw.query.clone()),
        pattern: pattern(raw)?,
        filters: filters(raw)?,
        lanes: each(&raw.lanes, lane)?,
        limit: limit(raw.limit)?,
        offset: raw.offset,
        files_only: raw.files_only,
        per_file: raw.per_file,
        count: raw.count,
        explain: raw.explain,
        hide_secrets: raw.hide_secrets,
        excerpt,
        near: raw.near.clone(),
        ..Request::default()
    };
    // A query that is the pattern itself has no filters.
    let is_pattern = raw.literal && raw.pattern.is_none();
    if !is_pattern && is_report(&raw.query) {
        query::read_report(&mut request);
    } else if !is_pattern {
        query::read(&mut request)?;
    }
    if raw.multiline || raw.no_ignore {
        request.scan = Some(scan(raw, &request, is_pattern)?);
        request.query.clear();
    }
    Ok(request)
}

/// Files are scanned for a pattern alone.
fn scan(raw: &RawRequest, request: &Request, is_pattern: bool) -> Result<Scan, RequestError> {
    if request.pattern.is_none() {
        return Err(RequestError::ScanWithoutPattern);
    }
    let has_operators = !request.filters.conditions.is_empty();
    if has_operators || !is_pattern && !request.query.is_empty() {
        return Err(RequestError::ScanWithWords);
    }
    Ok(Scan {
        multiline: raw.multiline,
        no_ignore: raw.no_ignore,
    })
}

fn limit(limit: Option<usize>) -> Result<usize, RequestError> {
    match limit {
        Some(0) => Err(RequestError::ZeroLimit),
        Some(limit) => Ok(limit),
        None => Ok(LIMIT),
    }
}

fn pattern(raw: &RawRequest) -> Result<Option<Pattern>, RequestError> {
    let text = match &raw.pattern {
        Some(pattern) => pattern,
        None if raw.literal => &raw.query,
        None if raw.whole_words || raw.case_sensitive || raw.ignore_case => {
            return Err(RequestError::NoPattern);
        }
        None => return Ok(None),
    };
    let syntax = if raw.literal {
        Syntax::Literal
    } else {
        Syntax::Regex
    };
    Ok(Some(Pattern {
        text: text.clone(),
        syntax,
        case: case(raw),
        word: raw.whole_words,
    }))
}

fn case(raw: &RawRequest) -> Case {
    if raw.case_sensitive {
        Case::Sensitive
    } else if raw.ignore_case {
        Case::Insensitive
    } else {
        Case::Smart
    }
}

fn excerpt(raw: &RawRequest) -> Result<Excerpt, RequestError> {
    let name = raw.context.as_deref().unwrap_or("windows");
    let (context, around) = match name {
        "windows" if raw.before.or(raw.after).is_none() => (Context::Windows, 0),
        "windows" => (Context::Lines, 0),
        "smart" => (Context::Smart, 0),
        "none" => (Context::None, 0),
        "full" => (Context::Full, 0),
        "lines" => (Context::Lines, 0),
        number => (Context::Lines, lines(number)?),
    };
    let default = Excerpt::default();
    Ok(Excerpt {
        context,
        before: raw.before.unwrap_or(around),
        after: raw.after.unwrap_or(around),
        max_lines: raw.max_lines.unwrap_or(default.max_lines),
        max_columns: raw.max_columns.unwrap_or(default.max_columns),
    })
}

fn lines(number: &str) -> Result<u32, RequestError> {
    let parsed = number.parse();
    parsed.map_err(|_| RequestError::BadContext(number.to_owned()))
}

fn lane(name: &str) -> Result<Lane, RequestError> {
    Lane::named(name).ok_or_else(|| RequestError::UnknownLane(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use scent_types::{FileCategory, FileClass, Filters};

    fn raw(query: &str) -> RawRequest {
        RawRequest {
            query: query.into(),
            ..RawRequest::default()
        }
    }

    fn list(name: &str) -> Vec<String> {
        vec![name.to_owned()]
    }

    #[test]
    fn flags_and_filters_of_the_query_add_up() {
        let raw = RawRequest {
            languages: list("rs"),
            categories: list("code"),
            not_categories: list("tests"),
            ..raw("retry lang:python -docs")
        };
        let request = parse_request(&raw).unwrap();
        assert_eq!(request.query, "retry");
        assert_eq!(request.typed.as_deref(), Some("retry lang:python -docs"));
        let filters = Filters {
            languages: vec!["rust".into(), "python".into()],
            classes: vec![FileClass::Code],
            not_categories: vec![FileCategory::Test, FileCategory::Docs],
            ..Filters::default()
        };
        assert_eq!(request.filters, filters);
    }

    #[test]
    fn a_literal_query_is_taken_as_it_is() {
        let raw = RawRequest {
            literal: true,
            whole_words: true,
            ..raw("lang:rust \"x\"")
        };
        let request = parse_request(&raw).unwrap();
        let pattern = request.pattern.unwrap();
        assert_eq!((pattern.text, pattern.word), (raw.query.clone(), true));
        assert_eq!(request.query, raw.query);
        assert_eq!(request.filters, Filters::default());
    }

    #[test]
    fn context_names_lines_or_counts_them() {
        for (context, before, want) in [
            ("lines", None, (Context::Lines, 0, 0)),
            ("windows", None, (Context::Windows, 0, 0)),
            ("windows", Some(2), (Context::Lines, 2, 0)),
            ("3", None, (Context::Lines, 3, 3)),
            ("3", Some(1), (Context::Lines, 1, 3)),
            ("smart", None, (Context::Smart, 0, 0)),
            ("full", None, (Context::Full, 0, 0)),
        ] {
            let raw = RawRequest {
                context: Some(context.to_owned()),
                before,
                ..raw("x")
            };
            let request = parse_request(&raw).unwrap();
            let excerpt = request.excerpt;
            let found = (excerpt.context, excerpt.before, excerpt.after);
            assert_eq!(found, want, "{context}");
        }
    }

    #[test]
    fn a_scan_knows_no_operators() {
        let raw = RawRequest {
            multiline: true,
            pattern: Some("y".into()),
            ..raw("lang:rust OR lang:go")
        };
        assert_eq!(parse_request(&raw), Err(RequestError::ScanWithWords));
    }

    #[test]
    fn what_does_not_parse_has_a_code_and_advice() {
        let x = raw("x");
        let cases = [
            (raw("x lang:rst"), "unknown-language", "did you mean rust"),
            (raw("x lang:qqqq"), "unknown-language", "`scent languages`"),
            (raw("x kind:thing"), "unknown-kind", "there are: function"),
            (raw("x is:odd"), "unknown-category", "there are: code"),
            (raw("x -lang:rust"), "not-excludable", "-path:GLOB"),
            (
                RawRequest {
                    lanes: list("words"),
                    ..x.clone()
                },
                "unknown-lane",
                "there are: text",
            ),
            (
                RawRequest {
                    ignore_case: true,
                    ..x.clone()
                },
                "no-pattern",
                "-e PATTERN",
            ),
            (
                RawRequest {
                    context: Some("some".into()),
                    ..x.clone()
                },
                "bad-context",
                "windows, lines, smart, none",
            ),
            (
                RawRequest {
                    multiline: true,
                    ..x.clone()
                },
                "scan-without-pattern",
                "-e PATTERN",
            ),
            (
                RawRequest {
                    no_ignore: true,
                    pattern: Some("y".into()),
                    ..x.clone()
                },
                "scan-with-words",
                "leave out words",
            ),
            (
                RawRequest {
                    limit: Some(0),
                    ..x
                },
                "zero-limit",
                "from 1 on",
            ),
        ];
        for (raw, code, advice) in cases {
            let error = parse_request(&raw).unwrap_err();
            assert_eq!(error.code(), code, "{raw:?}");
            assert!(error.to_string().contains(advice), "{error}");
        }
    }
}
