//! A request that has to stop gives an error, never a shorter list.

mod project;

use project::{Project, pattern, words};
use scent_engine::{EngineError, Refresh, Silent};
use scent_index::{FileRecord, Lock};
use scent_search::Weights;
use scent_search::{Corpus, Matcher, Query, SearchError, Trace, search};
use scent_types::{Deadline, FileClass, Filters, Lane, Request, Syntax};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

#[test]
fn a_cancelled_pattern_scan_ends_at_once() {
    let names: Vec<String> = (0..300).map(|n| format!("src/f{n}.py")).collect();
    let text = "def retry():\n    return delay\n";
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), text)).collect();
    let snapshot = Project::new(&files).update().snapshot;
    let corpus = Corpus::new(vec![(snapshot, Vec::new())]);

    let flag = Arc::new(AtomicBool::new(false));
    let count = AtomicUsize::new(0);
    let read = |_: usize, _: &FileRecord| {
        if count.fetch_add(1, Ordering::Relaxed) == 5 {
            flag.store(true, Ordering::Relaxed);
        }
        Some(text.to_owned())
    };
    let request = Request {
        deadline: Deadline::default().or_cancelled(Arc::clone(&flag)),
        ..pattern("delay", Syntax::Literal)
    };
    let ask = |request: &Request| {
        let matcher = request.pattern.as_ref().map(|p| Matcher::new(p).unwrap());
        let query = Query {
            request,
            matcher: matcher.as_ref(),
            quoted: &[],
            questions: &[],
            body: &[],
        };
        search(
            &corpus,
            query,
            &Weights::default(),
            &read,
            &mut Trace::off(),
        )
    };
    assert!(matches!(ask(&request), Err(SearchError::Cancelled)));
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    assert!(count.load(Ordering::Relaxed) <= 6 + threads);

    flag.store(false, Ordering::Relaxed);
    assert_eq!(ask(&request).unwrap().total, 300);
    flag.store(true, Ordering::Relaxed);
    let by_words = Request {
        deadline: request.deadline.clone(),
        ..words("retry")
    };
    assert!(matches!(ask(&by_words), Err(SearchError::Cancelled)));
}

#[test]
fn every_kind_of_query_ends_at_its_deadline() {
    let project = Project::new(&[("src/retry.py", "def retry():\n    return delay\n")]);
    project.update();
    let past = Deadline::at(Instant::now());
    let far = Deadline::after(Duration::from_secs(3600));
    let listed = Filters {
        classes: vec![FileClass::Code],
        ..Filters::default()
    };
    let kinds = [
        words("where is the delay computed"),
        words("retry"),
        words("src/retry.py"),
        words("lang:python"),
        Request {
            lanes: vec![Lane::Vector, Lane::Late],
            ..words("delay")
        },
        Request {
            filters: listed,
            ..words("")
        },
        pattern("delay", Syntax::Regex),
    ];
    for request in kinds {
        for refresh in [Refresh::Always, Refresh::Never] {
            let ask = |deadline: &Deadline| {
                let request = Request {
                    deadline: deadline.clone(),
                    ..request.clone()
                };
                let engine = project.engine();
                engine.search(&project.targets(), &request, refresh, &Silent)
            };
            let stopped = ask(&past);
            assert!(
                matches!(
                    stopped,
                    Err(EngineError::Search(SearchError::DeadlineExceeded))
                ),
                "{request:?}"
            );
            assert!(ask(&far).is_ok(), "{request:?}");
        }
    }
}

#[test]
fn nobody_waits_for_a_writer_past_the_deadline() {
    let project = Project::new(&[("a.rs", "fn retry() {}\n")]);
    let _lock = Lock::acquire(&project.storage(), Duration::ZERO).unwrap();
    let request = Request {
        deadline: Deadline::after(Duration::from_millis(300)),
        ..words("retry")
    };
    let started = Instant::now();
    let engine = project.engine();
    let stopped = engine.search(&project.targets(), &request, Refresh::Always, &Silent);
    assert!(matches!(
        stopped,
        Err(EngineError::Search(SearchError::DeadlineExceeded))
    ));
    assert!(started.elapsed() < Duration::from_secs(10));
}
