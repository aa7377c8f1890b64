//! Peers that answer, crash, hang, talk nonsense or are not there: the run
//! goes on, and what was not answered is in nobody's numbers.
//!
//! The adapters are scripts for `sh` that know the protocol of
//! `eval/peers/README.md` well enough.

mod corpus;

use corpus::{ABOUT_BOTH, ABOUT_DESK, Bench, Run, in_table, system};
use scent_eval::row::{Answer, Outcome};
use scent_eval::summary::{ALL, SuiteSummary};
use scent_types::Lines;
use std::fs;

/// The question at which peers go wrong.
const TROUBLE: &str = "apply_coupon";

const READY: &str =
    r#"{"version":"peer 1.2","index_ms":5,"index_bytes":10,"files":3,"prefix":true}"#;

/// Two places, one of them the answer to `total_price`.
const HITS: &str = r#"{"hits":[{"path":"src/orders.rs","start":1,"end":1},{"path":"src/cart.rs","start":6,"end":9}],"ms":2.5}"#;

/// The other repository has no such files.
const NOTHING: &str = r#"{"hits":[],"ms":2.5}"#;

fn say(json: &str) -> String {
    format!("printf '%s\\n' '{json}'")
}

/// A script that does something special where a request holds a text, and
/// otherwise answers as it should.
fn adapter(special: &[(&str, &str)]) -> String {
    let special: String = special
        .iter()
        .map(|(holds, does)| format!("    *'{holds}'*) {does} ;;\n"))
        .collect();
    format!(
        "while IFS= read -r line; do\n  \
         case \"$line\" in *'\"name\":\"desk\"'*) at=desk ;; esac\n  \
         case \"$line\" in\n{special}    \
         *'\"do\":\"prepare\"'*) {} ;;\n    \
         *'\"do\":\"search\"'*) if [ \"$at\" = desk ]; then {}; else {}; fi ;;\n    \
         *'\"do\":\"end\"'*) {}; exit 0 ;;\n    \
         *) {} ;;\n  esac\ndone\n",
        say(READY),
        say(NOTHING),
        say(HITS),
        say(r#"{"peak_bytes":1000}"#),
        say(r#"{"unsupported":true}"#),
    )
}

/// The folder of adapters: one script for each name.
fn with_peers(peers: &[(&str, String)]) -> Bench {
    let bench = Bench::new();
    let mut list = String::new();
    for (name, script) in peers {
        list += &format!(
            "[[peer]]\nname = \"{name}\"\ncommand = [\"sh\", \"{name}.sh\"]\n\
             install = \"not to be had\"\n\n"
        );
        bench.write(&[(&format!("peers/{name}.sh"), script)]);
    }
    bench.write(&[("peers/peers.toml", &list)]);
    bench
}

fn run(bench: &Bench, more: &[&str]) -> Run {
    bench.run(
        &[
            &["--peers-dir", "peers", "--patience", "1", "--peers"],
            more,
        ]
        .concat(),
    )
}

/// One peer of this name, asked everything.
fn run_one(name: &str, special: &[(&str, &str)]) -> Run {
    run(&with_peers(&[(name, adapter(special))]), &[name])
}

fn failure(run: &Run, peer: &str, question: &str) -> String {
    match run.outcome(peer, question) {
        Outcome::Failed(why) => why,
        other => panic!("{question} did not fail: {other:?}"),
    }
}

fn answer(run: &Run, peer: &str, question: &str) -> Answer {
    match run.outcome(peer, question) {
        Outcome::Answered(answer) => answer,
        other => panic!("{question} was not answered: {other:?}"),
    }
}

/// How many rows of a peer were answered, unsupported and failed.
fn counts(run: &Run, peer: &str) -> [usize; 3] {
    let mut counts = [0; 3];
    for row in run.rows(peer) {
        let at = match row.answer {
            Outcome::Answered(_) => 0,
            Outcome::Unsupported => 1,
            Outcome::Failed(_) => 2,
        };
        counts[at] += 1;
    }
    counts
}

fn mean(run: &Run, name: &str, metric: &str) -> f64 {
    system(&run.suite(), name).groups[ALL].means[metric]
}

/// A failure that begins so gives this reason.
fn assert_told(suite: &SuiteSummary, says: &str, why: &str) {
    let told = suite
        .failures
        .iter()
        .map(ToString::to_string)
        .find(|told| told.starts_with(says));
    assert!(
        told.is_some_and(|told| told.contains(why)),
        "{:?}",
        suite.failures
    );
}

/// scent answered every question, and its numbers are what they are alone.
fn assert_scent_is_whole(run: &Run) {
    assert_eq!(counts(run, "scent"), [ABOUT_BOTH, 0, 0]);
    assert!(mean(run, "scent", "hit@5") > 0.9);
    assert!(run.read("RESULTS.md").contains("| scent | "));
}

#[test]
fn a_good_peer_is_in_the_table() {
    let run = run_one("good", &[]);
    assert_scent_is_whole(&run);
    assert_eq!(counts(&run, "good"), [ABOUT_BOTH, 0, 0]);

    let said = answer(&run, "good", "total_price");
    assert_eq!(said.ms, 2.5);
    assert_eq!(said.hits[1].path, "src/cart.rs");
    assert_eq!(said.hits[1].lines, Some(Lines::new(6, 9)));
    // `pub fn order_open() {}` and its line break are 23 bytes.
    assert_eq!(said.hits[0].tokens, 6);

    let suite = run.suite();
    assert_eq!(in_table(&suite), ["scent", "good"]);
    assert_eq!((suite.questions, suite.failures.len()), (ABOUT_BOTH, 0));
    let good = system(&suite, "good");
    assert_eq!(good.version, "peer 1.2");
    assert_eq!((good.speed.index_ms, good.speed.index_bytes), (10.0, 20));
    assert_eq!(
        (good.speed.peak_bytes, good.speed.p50_ms),
        (Some(1000), 2.5)
    );
    // One of the six of the shop is at rank 2, and nothing of the desk is found.
    assert!((good.groups[ALL].means["mrr"] - 1.0 / 2.0 / 6.0 / 2.0).abs() < 1e-9);
    let gain = &good.groups[ALL].gains["mrr"];
    assert_eq!((gain.questions, gain.wins), (ABOUT_BOTH, 0));
    assert!(gain.gain.high < 0.0 && gain.losses > 5, "{gain:?}");
}

/// Each goes wrong at one question, in its own way. None of them scores zero
/// for it: they are held against scent on the other questions.
#[test]
fn a_peer_that_goes_wrong_once() {
    let cases = [
        ("crash", "exit 3", "crashed: exit status: 3"),
        ("hang", ":", "no answer within 1 s"),
        (
            "garbage",
            "echo 'Traceback (most recent call last):'",
            "said what is no JSON",
        ),
        ("words", r#"printf '%s\n' '"sorry"'"#, "not an answer"),
        (
            "shape",
            r#"printf '%s\n' '{"hits":[{"file":"src/cart.rs"}],"ms":1}'"#,
            "not an answer",
        ),
        (
            "error",
            r#"printf '%s\n' '{"error":"the index is locked"}'"#,
            "the index is locked",
        ),
    ];
    let scripts: Vec<(&str, String)> = cases
        .iter()
        .map(|(name, does, _)| (*name, adapter(&[(TROUBLE, does)])))
        .collect();
    let bench = with_peers(&scripts);
    let run = run(&bench, &["all"]);
    assert_scent_is_whole(&run);
    let suite = run.suite();
    assert_eq!(
        (in_table(&suite), suite.questions),
        (vec!["scent"], ABOUT_BOTH)
    );
    assert_eq!(suite.partial.len(), cases.len());
    for ((name, _, why), partial) in cases.iter().zip(&suite.partial) {
        assert_eq!(counts(&run, name), [ABOUT_BOTH - 1, 0, 1], "{name}");
        assert!(failure(&run, name, TROUBLE).contains(why), "{name}");
        assert_eq!(answer(&run, name, "total_price").hits.len(), 2, "{name}");

        assert_eq!((partial.name.as_str(), partial.failed), (*name, 1));
        let seen = &partial.groups[ALL]["mrr"];
        assert_eq!(seen.questions, ABOUT_BOTH - 1, "{name}");
        // One of the five that are left of the shop is at rank 2.
        assert!(
            (seen.b - 1.0 / 2.0 / 5.0 / 2.0).abs() < 1e-9,
            "{name}: {seen:?}"
        );

        let says = format!("{name}: failed at 1 questions (shop): ");
        assert_told(&suite, &says, why);
        assert!(run.read("RESULTS.md").contains(&says), "{name}");
        assert!(
            run.ended
                .err
                .contains(&format!("{name} failed at 1 questions about shop"))
        );

        let begins = format!("{name},tiny,shop,dev,rust,symbol,{TROUBLE},failed,");
        let table = run.read("questions.csv");
        let line = table
            .lines()
            .find(|line| line.starts_with(&begins))
            .unwrap();
        assert!(line[begins.len()..].chars().all(|c| c == ','), "{line}");
    }
}

/// An answer without its results is no answer that found nothing.
#[test]
fn what_lacks_its_results_is_no_answer() {
    let cases = [
        ("list", "[]"),
        ("empty", "{}"),
        ("other", r#"{"results":[],"ms":1}"#),
    ];
    let scripts: Vec<(&str, String)> = cases
        .iter()
        .map(|(name, json)| (*name, adapter(&[(TROUBLE, &say(json))])))
        .collect();
    let run = run(&with_peers(&scripts), &["all"]);
    for (name, json) in cases {
        let outcome = run.outcome(name, TROUBLE);
        assert!(
            matches!(outcome, Outcome::Failed(_)),
            "{json} became {outcome:?}"
        );
    }
}

/// Where it went wrong: the reader of its output ended, and the harness waited
/// for a process that waited for the next question.
#[test]
fn output_that_is_no_text_is_a_failure() {
    let run = run_one("bytes", &[(TROUBLE, r"printf '\377\376\n'")]);
    assert_eq!(counts(&run, "bytes"), [ABOUT_BOTH - 1, 0, 1]);
}

/// The same for a process that closes its output and stays.
#[test]
fn a_closed_output_is_a_failure() {
    let run = run_one("closed", &[(TROUBLE, "exec >&-")]);
    assert_eq!(counts(&run, "closed"), [ABOUT_BOTH - 1, 0, 1]);
}

/// A peer that is not there, says why it cannot begin, or never begins, fails
/// at everything and is in no table. Nobody else loses a question for it.
#[test]
fn a_peer_that_cannot_begin() {
    let prepare = |does: &str| adapter(&[(r#""do":"prepare""#, does)]);
    let bench = with_peers(&[
        (
            "refuses",
            prepare(&say(r#"{"error":"the tool is not installed"}"#)),
        ),
        ("stumbles", prepare("exit 7")),
        ("mumbles", prepare("echo ready")),
    ]);
    let mut list = fs::read_to_string(bench.path("peers/peers.toml")).unwrap();
    for (name, command) in [
        ("absent", r#"["no-such-program-anywhere"]"#),
        ("blank", "[]"),
    ] {
        list += &format!("[[peer]]\nname = \"{name}\"\ncommand = {command}\ninstall = \"\"\n");
    }
    bench.write(&[("peers/peers.toml", &list)]);
    let run = run(&bench, &["all"]);
    assert_scent_is_whole(&run);
    let suite = run.suite();
    assert_eq!(in_table(&suite), ["scent"]);
    assert_eq!(suite.questions, ABOUT_BOTH);
    let cases = [
        ("refuses", "the tool is not installed (not to be had)"),
        ("stumbles", "crashed: exit status: 7"),
        ("mumbles", "said what is no JSON"),
        ("absent", "no-such-program-anywhere cannot be started"),
        ("blank", "its command in peers.toml is empty"),
    ];
    for (name, why) in cases {
        assert_eq!(counts(&run, name), [0, 0, ABOUT_BOTH], "{name}");
        let errors: Vec<String> = run
            .cells(name)
            .into_iter()
            .filter_map(|cell| cell.prepared.error)
            .collect();
        assert_eq!(errors.len(), 2, "{name}: {errors:?}");
        assert!(
            errors.iter().all(|error| error.contains(why)),
            "{name}: {errors:?}"
        );
        let says = format!("{name}: failed at {ABOUT_BOTH} questions (desk, shop): ");
        assert_told(&suite, &says, why);
        assert!(
            run.ended
                .err
                .contains(&format!("{name} cannot answer about shop: ")),
            "{name}"
        );
    }
}

#[test]
fn what_a_peer_cannot_do_is_no_failure() {
    let run = run_one(
        "other",
        &[(r#""do":"search""#, &say(r#"{"unsupported":true}"#))],
    );
    assert_scent_is_whole(&run);
    assert_eq!(counts(&run, "other"), [0, ABOUT_BOTH, 0]);
    let suite = run.suite();
    assert_eq!(in_table(&suite), ["scent"]);
    assert_eq!(suite.questions, ABOUT_BOTH);
    assert_eq!(
        suite
            .failures
            .iter()
            .map(ToString::to_string)
            .filter(|why| why.contains("failed"))
            .count(),
        0
    );
}

/// Who was asked and is in no table is named all the same.
#[test]
fn who_can_do_nothing_is_named() {
    let run = run_one(
        "other",
        &[(r#""do":"search""#, &say(r#"{"unsupported":true}"#))],
    );
    assert!(
        run.suite()
            .failures
            .iter()
            .map(ToString::to_string)
            .any(|why| why.starts_with("other: "))
    );
}

/// Definitions are found and uses are not: the peer is in the table of what it
/// can do, and has no mean over both.
#[test]
fn a_peer_that_can_do_a_part() {
    let defined = r#"{"hits":[{"path":"src/coupon.rs","start":2,"end":2}],"ms":1}"#;
    let bench = with_peers(&[("part", adapter(&[(r#""do":"define""#, &say(defined))]))]);
    bench.write(&[(
        "symbols/tasks.jsonl",
        r#"{"id":"1","category":"P1","dataset":"shop","query":"apply_coupon","expected":{"kind":"locations","locations":[{"file":"src/coupon.rs","line":2}]}}
{"id":"2","category":"P2","dataset":"shop","query":"prices","expected":{"kind":"locations","locations":[{"file":"src/cart.rs","line":8}]}}
"#,
    )]);
    let run = bench.run_of("symbols", &["--peers-dir", "peers", "--peers", "part"]);
    assert_eq!(counts(&run, "part"), [1, 1, 0]);
    let suite = run.suite();
    assert_eq!(
        (in_table(&suite), suite.questions),
        (vec!["scent", "part"], 2)
    );
    let f1 = |name: &str, group: &str| {
        system(&suite, name)
            .groups
            .get(group)
            .map(|group| group.means["f1"])
    };
    assert_eq!(f1("part", "category: P1"), Some(1.0));
    assert_eq!(f1("part", "category: P2"), None);
    assert_eq!(f1("part", ALL), None);
    assert_eq!(f1("scent", "category: P1"), Some(1.0));
    assert!(f1("scent", ALL).is_some_and(|f1| f1 > 0.5));
}

/// It is started again, but not for ever, and it does not get into the table.
#[test]
fn a_peer_that_crashes_at_everything() {
    let does = r#"echo again >> "$0.starts"; exit 3"#;
    let bench = with_peers(&[("crash", adapter(&[(r#""do":"search""#, does)]))]);
    let run = run(&bench, &["crash", "--only", "tiny/shop"]);
    assert_eq!(in_table(&run.suite()), ["scent"]);
    assert_eq!(run.suite().partial, []);
    assert_eq!(run.suite().questions, ABOUT_BOTH - ABOUT_DESK);
    assert_eq!(counts(&run, "crash"), [0, 0, ABOUT_BOTH - ABOUT_DESK]);
    // The first time, and three times again.
    let starts = fs::read_to_string(bench.path("peers/crash.sh.starts")).unwrap();
    assert_eq!(starts.lines().count(), 4);
    assert!(
        run.suite()
            .failures
            .iter()
            .map(ToString::to_string)
            .any(|why| why.contains("not asked again"))
    );
}

/// Where the ranking depends on how much is asked for, the page that a user
/// sees comes first.
#[test]
fn a_page_comes_before_the_rest() {
    let hits = |paths: &[&str]| {
        let hits: Vec<String> = paths
            .iter()
            .map(|path| format!(r#"{{"path":"{path}","start":1,"end":1}}"#))
            .collect();
        say(&format!(r#"{{"hits":[{}],"ms":1}}"#, hits.join(",")))
    };
    let ready = say(&READY.replace("true", "false"));
    let special = [
        (r#""do":"prepare""#, ready.as_str()),
        (
            r#""limit":100"#,
            &hits(&["src/mail.rs", "src/stock.rs", "src/cart.rs"]),
        ),
        (r#""limit":10"#, &hits(&["src/cart.rs", "src/mail.rs"])),
    ];
    let run = run_one("pages", &special);
    let said = answer(&run, "pages", "total_price");
    let paths: Vec<&str> = said.hits.iter().map(|hit| hit.path.as_str()).collect();
    assert_eq!(paths, ["src/cart.rs", "src/mail.rs", "src/stock.rs"]);
}

/// Half an answer would count as one that found little.
#[test]
fn a_page_without_the_rest_is_a_failure() {
    let ready = say(&READY.replace("true", "false"));
    let error = say(r#"{"error":"too much is asked for"}"#);
    let run = run_one(
        "pages",
        &[(r#""do":"prepare""#, &ready), (r#""limit":100"#, &error)],
    );
    assert!(failure(&run, "pages", "total_price").contains("too much is asked for"));
}

/// Who says more than was asked for gains nothing by it.
#[test]
fn no_more_is_kept_than_was_asked_for() {
    let hit = r#"{"path":"src/orders.rs","start":1,"end":1}"#;
    let many = say(&format!(
        r#"{{"hits":[{}],"ms":1}}"#,
        vec![hit; 110].join(",")
    ));
    let run = run_one("many", &[(r#""do":"search""#, &many)]);
    assert_eq!(answer(&run, "many", "total_price").hits.len(), 100);
}

/// Adapters run in another folder than the harness.
#[test]
fn both_folders_are_given_in_full() {
    let show = format!(r#"printf '%s\n' "$line" >> "$0.asked"; {}"#, say(READY));
    let bench = with_peers(&[("good", adapter(&[(r#""do":"prepare""#, &show)]))]);
    run(&bench, &["good"]);
    let asked = fs::read_to_string(bench.path("peers/good.sh.asked")).unwrap();
    assert_eq!(asked.lines().count(), 2);
    for line in asked.lines() {
        let request: serde_json::Value = serde_json::from_str(line).unwrap();
        for folder in ["root", "work"] {
            let path = std::path::Path::new(request[folder].as_str().unwrap());
            assert!(path.is_absolute(), "{folder} is {}", path.display());
            assert!(path.is_dir(), "{folder} is {}", path.display());
        }
    }
}

/// A tool that was installed meanwhile is asked when the run goes on.
#[test]
fn a_peer_that_could_not_begin_is_tried_again() {
    let ready = say(READY);
    let does = format!(
        r#"if [ -f installed ]; then {ready}; else {}; fi"#,
        say(r#"{"error":"the tool is not installed"}"#)
    );
    let bench = with_peers(&[("late", adapter(&[(r#""do":"prepare""#, &does)]))]);
    assert_eq!(counts(&run(&bench, &["late"]), "late"), [0, 0, ABOUT_BOTH]);
    bench.write(&[("peers/installed", "")]);
    let run = run(&bench, &["late", "--resume"]);
    assert_eq!(counts(&run, "late"), [ABOUT_BOTH, 0, 0]);
}

#[test]
fn a_peer_that_nobody_knows_stops_the_run() {
    let bench = with_peers(&[("good", adapter(&[]))]);
    let ended = bench.try_run(&["--peers-dir", "peers", "--peers", "god"]);
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.err.contains("no peer is called god; there are good"),
        "{}",
        ended.err
    );
    let ended = bench.try_run(&["--peers-dir", "elsewhere", "--peers", "good"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.err.contains("peers.toml"), "{}", ended.err);
}

/// Their answers would lie in the same place.
#[test]
fn two_systems_of_one_name_stop_the_run() {
    let bench = with_peers(&[("good", adapter(&[]))]);
    for more in [
        ["--peers", "good,good", "--name", "scent"],
        ["--peers", "good", "--name", "good"],
    ] {
        let ended = bench.try_run(&[&["--peers-dir", "peers"], &more[..]].concat());
        assert_eq!(ended.code, Some(2), "{more:?}: {ended:?}");
    }
}

/// An adapter that gets its folders wrong would otherwise find nothing, ever.
#[test]
fn who_finds_what_it_was_not_given_has_failed() {
    let elsewhere = say(r#"{"hits":[{"path":"shop/src/cart.rs","start":1,"end":2}],"ms":1}"#);
    let run = run_one("lost", &[(r#""do":"search""#, &elsewhere)]);
    assert_scent_is_whole(&run);
    assert!(failure(&run, "lost", "total_price").contains("shop/src/cart.rs"));
}
