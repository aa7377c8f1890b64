//! What is said where nothing was found: how much was searched, and which filter
//! alone is in the way.

use crate::error::EngineError;
use crate::searched::Searched;
use scent_search::{Corpus, Missing, Query, ReadFile, SearchError, Trace, Weights, search};
use scent_types::{Filters, Kind, Lane, Note, Pattern, Request, Syntax};

/// A request without one of its filters, and how that filter is written.
struct Attempt {
    without: String,
    request: Request,
    /// Whether the pattern is left out.
    no_pattern: bool,
    /// Whether the folders that the search is limited to are left out.
    everywhere: bool,
}

/// The note on a query that found nothing. Filters are left out one by one,
/// until something is found.
pub(crate) fn found(
    searched: &Searched,
    query: Query,
    missing: Missing,
    (weights, read): (&Weights, ReadFile),
) -> Result<Note, EngineError> {
    let corpus = searched.corpus();
    let whole = everywhere(searched);
    let mut without = None;
    for attempt in attempts(searched, query.request) {
        let corpus = if attempt.everywhere { &whole } else { &corpus };
        if finds_something(corpus, query, &attempt, weights, read)? {
            without = Some(attempt.without);
            break;
        }
    }
    let snapshots = corpus.snapshots().iter();
    Ok(Note::NothingFound {
        units: snapshots.clone().map(|s| s.text().count()).sum(),
        files: snapshots
            .map(|s| s.table().files.iter().filter(|f| f.id().is_some()).count())
            .sum(),
        without,
        missing: if missing.all {
            missing.words
        } else {
            Vec::new()
        },
        by_meaning: !query.questions.is_empty(),
    })
}

/// The same projects, whole.
fn everywhere(searched: &Searched) -> Corpus {
    let snapshots = searched.snapshots.iter().cloned();
    Corpus::new(snapshots.map(|snapshot| (snapshot, Vec::new())).collect())
}

fn finds_something(
    corpus: &Corpus,
    query: Query,
    attempt: &Attempt,
    weights: &Weights,
    read: ReadFile,
) -> Result<bool, EngineError> {
    let query = Query {
        request: &attempt.request,
        matcher: query.matcher.filter(|_| !attempt.no_pattern),
        ..query
    };
    match search(corpus, query, weights, read, &mut Trace::off()) {
        Ok(ranking) => Ok(!ranking.hits.is_empty()),
        // Without the filter, nothing is left to search for.
        Err(SearchError::EmptyQuery) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// The request without each of its filters. A pattern comes last: without it,
/// the question is another.
fn attempts(searched: &Searched, request: &Request) -> Vec<Attempt> {
    let one = Request {
        limit: 1,
        offset: 0,
        explain: false,
        ..request.clone()
    };
    let mut attempts = Vec::new();
    let scopes = searched.scopes();
    if !scopes.is_empty() {
        attempts.push(Attempt {
            everywhere: true,
            ..Attempt::new(scopes.join(" "), one.clone())
        });
    }
    for (without, filters) in without_each(&request.filters) {
        let request = Request {
            filters,
            ..one.clone()
        };
        attempts.push(Attempt::new(without, request));
    }
    if !request.lanes.is_empty() {
        let names = request.lanes.iter().map(|lane: &Lane| lane.as_str());
        let names: Vec<&str> = names.collect();
        let without = format!("--lanes {}", names.join(","));
        let request = Request {
            lanes: Vec::new(),
            ..one.clone()
        };
        attempts.push(Attempt::new(without, request));
    }
    if let Some(pattern) = &request.pattern {
        let request = Request {
            pattern: None,
            ..one
        };
        attempts.push(Attempt {
            no_pattern: true,
            ..Attempt::new(written(pattern, &request), request)
        });
    }
    attempts
}

impl Attempt {
    fn new(without: String, request: Request) -> Attempt {
        Attempt {
            without,
            request,
            no_pattern: false,
            everywhere: false,
        }
    }
}

/// How a pattern was given.
fn written(pattern: &Pattern, request: &Request) -> String {
    let typed = request.typed.as_deref().unwrap_or_default();
    match pattern.syntax {
        Syntax::Regex => format!("-e '{}'", pattern.text),
        Syntax::Literal if typed.contains(&format!("\"{}\"", pattern.text)) => {
            "the quotes".to_owned()
        }
        Syntax::Literal => "-F".to_owned(),
    }
}

/// How a list of filters begins in a query, what it holds, and how to empty it.
type List = (&'static str, Vec<String>, fn(&mut Filters));

/// The filters without each list that is not empty, and how that is written.
fn without_each(all: &Filters) -> Vec<(String, Filters)> {
    let Filters {
        languages,
        paths,
        not_paths,
        kinds,
        names,
        classes,
        categories,
        not_categories,
        conditions,
    } = all;
    let operators = if conditions.is_empty() {
        Vec::new()
    } else {
        vec!["-word, AND and OR".to_owned()]
    };
    let kinds = kinds.iter().map(|kind: &Kind| kind.as_str().to_owned());
    let classes = classes.iter().map(|class| class.as_str().to_owned());
    let only = categories.iter().map(|one| one.as_str().to_owned());
    let not = not_categories.iter().map(|one| one.as_str().to_owned());
    let each: [List; 9] = [
        ("-", not.collect(), |f| f.not_categories.clear()),
        ("is:", only.collect(), |f| f.categories.clear()),
        ("is:", classes.collect(), |f| f.classes.clear()),
        ("kind:", kinds.collect(), |f| f.kinds.clear()),
        ("name:", names.clone(), |f| f.names.clear()),
        ("lang:", languages.clone(), |f| f.languages.clear()),
        ("path:", paths.clone(), |f| f.paths.clear()),
        ("-path:", not_paths.clone(), |f| f.not_paths.clear()),
        ("", operators, |f| f.conditions.clear()),
    ];
    let mut without = Vec::new();
    for (key, values, clear) in each {
        if !values.is_empty() {
            let values: Vec<String> = values.iter().map(|value| format!("{key}{value}")).collect();
            let mut filters = all.clone();
            clear(&mut filters);
            without.push((values.join(" "), filters));
        }
    }
    without
}
