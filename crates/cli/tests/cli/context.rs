//! `scent context`: what code at a place will need.

use crate::world::*;
use serde_json::Value;
use std::fmt::Write;

/// A project in which `handle` is written: it imports, has a type of its own,
/// and there is a function like it elsewhere.
fn world() -> World {
    let mut app = "from store import open_store\nfrom policy import RetryPolicy\n\n\n".to_owned();
    app += "class App:\n    def close(self):\n        pass\n\n";
    for n in 0..30 {
        let _ = writeln!(app, "    # {n}");
    }
    app += "    def handle(self, request):\n        policy = RetryPolicy()\n";
    let world = World::new(&[(".git/HEAD", "x\n"), ("src/app.py", &app)]);
    world.write(
        "src/store.py",
        "def open_store(path, mode):\n    return path\n\n\ndef unrelated_thing():\n    pass\n",
    );
    world.write(
        "src/policy.py",
        "class RetryPolicy:\n    def next_delay(self, attempt):\n        return attempt\n",
    );
    world.write(
        "src/worker.py",
        "from store import open_store\nfrom audit.log import write_audit\n\n\n\
         def work(request):\n    policy = RetryPolicy()\n    write_audit(request)\n",
    );
    world.write(
        "src/audit/log.py",
        "def write_audit(record):\n    print(record)\n",
    );
    world
}

const CURSOR: &str = "src/app.py:40";

#[test]
fn signatures_of_what_will_be_needed_are_printed() {
    let world = world();
    let out = world.found(&["context", CURSOR]);
    for wanted in [
        // What imports bring, and members of what they bring.
        "    1 def open_store(path, mode):",
        "    1 class RetryPolicy:",
        "    2 def next_delay(self, attempt):",
        // The type around the cursor.
        "    6 def close(self):",
        // What code like this uses.
        "    1 def write_audit(record):",
        "src/worker.py:5  similar: work",
    ] {
        assert!(out.contains(wanted), "{wanted}:\n{out}");
    }
    assert!(
        !out.contains("def handle"),
        "the cursor's own lines:\n{out}"
    );
}

#[test]
fn an_answer_in_json_says_why_and_keeps_its_budget() {
    let world = world();
    for tokens in ["40", "120", "1000"] {
        let run = world.run(&["context", CURSOR, "--max-tokens", tokens, "--json"]);
        let answer: Value = serde_json::from_str(&run.out).unwrap();
        let snippets = answer["snippets"].as_array().unwrap();
        let bytes: usize = snippets
            .iter()
            .map(|s| s["text"].as_str().unwrap().len())
            .sum();
        assert!(bytes / 4 <= tokens.parse().unwrap(), "{tokens}: {answer}");
        assert!(answer["total"].as_u64().unwrap() as usize >= snippets.len() - 1);
        let known = [
            "imported",
            "member",
            "used",
            "used-by-similar",
            "near",
            "similar",
        ];
        for snippet in snippets {
            assert!(
                known.contains(&snippet["reason"].as_str().unwrap()),
                "{snippet}"
            );
        }
    }
}

/// What an editor has is not what is on disk.
#[test]
fn unsaved_text_decides() {
    let world = world();
    world.found(&["context", CURSOR]);
    let text = "from policy import RetryPolicy\n\n\ndef fresh():\n    unrelated_thing(\n";
    let ask = |place: &str| {
        let run = ended(
            world
                .command()
                .args(["context", place, "--stdin"])
                .write_stdin(text),
        );
        assert_eq!(run.code, Some(0), "{place}: {}", run.err);
        run.out
    };
    for place in ["src/app.py:5", "src/brand_new.py:5"] {
        let out = ask(place);
        assert!(out.contains("def unrelated_thing():"), "{place}:\n{out}");
    }
    let refused = world.refused(&["context", "src/brand_new.py:5"]);
    assert_holds(&refused, &["no such file; --stdin"], "a new file");
}
