//! Models: `scent model`, `similar` and searches by meaning.

use crate::world::*;
use serde_json::Value;
use std::path::Path;

#[test]
fn a_model_is_shown_and_a_bad_one_refused() {
    let world = World::sample();
    assert_holds(
        &world.found(&["model"]),
        &["small", "from default", "256 dimensions"],
        "shown",
    );
    let refused = world.refused(&["retry", "--model", "no-such"]);
    assert_holds(&refused, &["no-such", "ollama:NAME", "small"], "unknown");
}

/// Without a model that is needed there are answers by words, and a word about
/// it; where there can be no answer without it, an error.
#[test]
fn a_dead_server_leaves_the_words() {
    let world = World::sample();
    let with = |args: &[&str]| {
        let model = ["--model", "ollama:x@http://127.0.0.1:9"];
        world.run(&[&model[..], args].concat())
    };
    let run = with(&["retry delay", "-l"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_holds(
        &run.err,
        &["words alone", "127.0.0.1:9", "start the server"],
        "nobody there",
    );
    assert_eq!(run.err.lines().count(), 1, "{run:?}");
    for args in [
        &["retry delay", "--semantic-only"][..],
        &["index"],
        &["model"],
    ] {
        let run = with(args);
        assert_eq!(run.code, Some(2), "{args:?}: {run:?}");
        assert_holds(
            &run.err,
            &["127.0.0.1:9", "start the server"],
            "nobody there",
        );
    }
    assert_eq!(with(&["def", "retry_delay"]).err, "", "needs no model");
}

#[test]
fn the_large_model_answers_once_it_has_read_everything() {
    let world = World::sample();
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let run = |args: &[&str]| {
        ended(
            world
                .command()
                .env("SCENT_MODELS", &models)
                .args(["--model", "deep"])
                .args(args),
        )
    };
    assert_eq!(run(&["index", "--wait", "--quiet"]).code, Some(0));
    let answer: Value =
        serde_json::from_str(&run(&["search", "retry delay", "--json"]).out).unwrap();
    let known = &answer["embeddings"];
    assert_holds(
        known["model"].as_str().unwrap(),
        &["small-", " and deep-"],
        "who answers",
    );
    assert!(known["refined"].is_null(), "{known}");
    assert_holds(&run(&["status"]).out, &["small-", "deep-"], "both models");
    let shown = run(&["model"]).out;
    assert_holds(
        &shown,
        &["deep-", "384 dimensions", "answers alone until"],
        "shown",
    );
}

#[test]
fn meaning_can_be_asked_for_alone() {
    let world = World::sample();
    let lanes = |args: &[&str]| {
        let answer = world.json(args);
        let first = answer["results"][0]["lanes"].as_object().unwrap().clone();
        first.keys().cloned().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(lanes(&["retry delay", "--semantic-only"]), "late vector");
    assert_eq!(lanes(&["retry delay", "--keyword-only"]), "text");
    assert_eq!(lanes(&["retry delay", "--lanes", "vector"]), "vector");
    assert_holds(
        &world.found(&["similar", "src/retry.rs:4"]),
        &["method RetryPolicy::next"],
        "similar",
    );
    assert_holds(
        &world.refused(&["similar", "src/retry.rs"]),
        &["PATH:LINE"],
        "no line",
    );
    assert_holds(
        &world.refused(&["similar", "src/retry.rs:9999"]),
        &["scent units"],
        "no unit",
    );
    assert_holds(
        &world.found(&["units", "src/retry.rs"]),
        &["retry_delay", "retry delay"],
        "units",
    );
}

#[test]
fn without_a_repository_what_is_similar_is_sought_where_one_stands() {
    let wait = "def wait_for_reply(sock):\n    while not sock.ready():\n        sleep(1)\n    return sock.read()\n";
    let world = World::new(&[
        ("src/a.py", wait),
        ("lib/b.py", &wait.replace("reply", "answer")),
    ]);
    assert_holds(
        &world.found(&["similar", "src/a.py:2"]),
        &["lib/b.py"],
        "the other folder",
    );
}
