//! Suites in every layout that is read, made by hand, and what of them is
//! left out, and why.

mod corpus;

use corpus::write;
use regex::Regex;
use scent_eval::row::{Dependencies, Expected, Target, Task};
use scent_eval::suite::{Choice, Corpus, Question, Suite, commit_of};
use scent_types::{FileClass, Lines};
use std::path::PathBuf;
use tempfile::TempDir;

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";
const OTHER: &str = "89abcdef0123456789abcdef0123456789abcdef";

/// A folder with suites and one with repositories.
struct Fixture {
    dir: TempDir,
}

impl Fixture {
    fn new(files: &[(&str, &str)]) -> Fixture {
        let dir = TempDir::new().unwrap();
        write(dir.path(), files);
        Fixture { dir }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    fn choose(&self, suite: &str, choice: &Choice) -> Suite {
        Suite::read(&self.path(suite), &self.path("corpora"), choice).unwrap()
    }

    fn read(&self, suite: &str) -> Suite {
        self.choose(suite, &Choice::default())
    }

    fn error(&self, suite: &str) -> String {
        let read = Suite::read(&self.path(suite), &self.path("corpora"), &Choice::default());
        format!("{:#}", read.unwrap_err())
    }
}

fn place(path: &str, lines: Option<(u32, u32)>, grade: u8) -> Target {
    let lines = lines.map(|(start, end)| Lines::new(start, end));
    Target {
        path: path.to_owned(),
        lines,
        grade,
    }
}

fn places(question: &Question) -> &[Target] {
    match &question.expected {
        Expected::Places(targets) => targets,
        other => panic!("{other:?}"),
    }
}

fn corpus<'s>(suite: &'s Suite, name: &str) -> &'s Corpus {
    suite
        .corpora
        .iter()
        .find(|corpus| corpus.name == name)
        .unwrap()
}

fn names(suite: &Suite) -> Vec<&str> {
    suite
        .corpora
        .iter()
        .map(|corpus| corpus.name.as_str())
        .collect()
}

fn questions(suite: &Suite) -> Vec<(&str, &str)> {
    let all = suite.corpora.iter().flat_map(|corpus| &corpus.questions);
    all.map(|q| (q.id.as_str(), q.category.as_str())).collect()
}

/// Asserts that as many things were left out as there are texts, each of them
/// naming what its text says.
fn assert_left_out(left_out: &[String], wanted: &[&[&str]]) {
    assert_eq!(left_out.len(), wanted.len(), "{left_out:#?}");
    for (says, texts) in left_out.iter().zip(wanted) {
        texts
            .iter()
            .for_each(|text| assert!(says.contains(text), "{text:?} is not in {says:?}"));
    }
}

/// A repository list, its questions in `annotations/` and beside it.
fn semble() -> Fixture {
    Fixture::new(&[
        (
            "semble/repos.json",
            r#"[
                {"name": "flask", "language": "python", "benchmark_root": "src/flask",
                 "revision": "0123456789abcdef0123456789abcdef01234567", "url": "https://…"},
                {"name": "zls", "language": "zig", "benchmark_root": "/src/"},
                {"name": "unheard-of", "benchmark_root": null},
                {"name": "gin", "language": "go"},
                {"name": "rack", "language": "ruby"},
                {"name": "cobra", "language": "go"}
            ]"#,
        ),
        (
            "semble/annotations/flask.json",
            r#"[
                {"query": "how is a request dispatched", "category": "semantic",
                 "relevant": ["src/flask/app.py",
                              {"path": "src/flask/ctx.py", "start_line": 2, "end_line": 3}],
                 "secondary": [{"path": "src/flask/app.py", "start_line": 1, "end_line": 1}]},
                {"query": "Flask", "category": "symbol", "relevant": [{"path": "src/flask/app.py"}]}
            ]"#,
        ),
        // What lies beside the list counts only where annotations/ has nothing.
        ("semble/flask.json", "[]"),
        (
            "semble/zls.json",
            r#"[
                {"query": "completions", "category": "semantic", "relevant": ["analysis.zig"]},
                {"query": "hover", "category": "semantic", "relevant": ["src/hover.zig"]},
                {"category": "semantic", "relevant": ["src/hover.zig"]},
                {"query": "from 0", "category": "semantic",
                 "relevant": [{"path": "src/hover.zig", "start_line": 0, "end_line": 3}]},
                {"query": "backwards", "category": "semantic",
                 "relevant": [{"path": "src/hover.zig", "start_line": 3, "end_line": 2}]},
                {"query": "nothing", "category": "semantic", "relevant": [], "secondary": []}
            ]"#,
        ),
        (
            "semble/unheard-of.json",
            r#"[{"query": "q", "category": "architecture", "relevant": ["a.c"]}]"#,
        ),
        ("semble/rack.json", r#"{"query": "not in a list"}"#),
        (
            "semble/cobra.json",
            r#"[{"query": "a", "category": "symbol", "relevant": ["a.go"]},
                {"query": "b", "category": "symbol", "relevant": ["b.go"]}]"#,
        ),
        (
            "corpora/semble/flask/src/flask/app.py",
            "class Flask:\n    pass\n",
        ),
        (
            "corpora/semble/flask/src/flask/ctx.py",
            "import os\n\nclass Context:\n    pass\n",
        ),
        (
            "corpora/semble/zls/src/analysis.zig",
            "fn complete() void {}\n",
        ),
        ("corpora/semble/zls/src/hover.zig", "fn hover() void {}\n"),
        // A repository may lie without its suite's name, too.
        ("corpora/unheard-of/a.c", "int main(void) {}\n"),
    ])
}

#[test]
fn semble_is_read() {
    let fixture = semble();
    let suite = fixture.read("semble");
    assert_eq!(suite.name, "semble");
    assert_eq!(names(&suite), ["flask", "zls", "unheard-of"]);
    assert_eq!(suite.questions(), 5);

    let flask = corpus(&suite, "flask");
    assert_eq!(flask.folder, fixture.path("corpora/semble/flask"));
    assert_eq!(
        flask.searched(),
        fixture.path("corpora/semble/flask/src/flask")
    );
    assert_eq!(flask.language.as_deref(), Some("python"));
    assert_eq!(flask.revision.as_deref(), Some(COMMIT));
    assert_eq!(flask.split, "dev");
    let question = &flask.questions[0];
    assert_eq!(
        (question.task, question.category.as_str()),
        (Task::Search, "semantic")
    );
    assert_eq!(question.text, "how is a request dispatched");
    let wanted = [
        place("src/flask/app.py", None, 2),
        place("src/flask/ctx.py", Some((2, 3)), 2),
        place("src/flask/app.py", Some((1, 1)), 1),
    ];
    assert_eq!(places(question), wanted);
    assert_eq!(
        places(&flask.questions[1]),
        [place("src/flask/app.py", None, 2)]
    );

    assert_eq!(corpus(&suite, "zls").root, "src");
    let other = corpus(&suite, "unheard-of");
    assert_eq!((other.root.as_str(), other.split.as_str()), ("", "test"));
    assert_eq!(other.folder, fixture.path("corpora/unheard-of"));
}

#[test]
fn what_of_semble_is_left_out_is_named() {
    let fixture = semble();
    let wanted: &[&[&str]] = &[
        &["zls", "question 3", "query"],
        &["zls", "question 4", "src/hover.zig", "0-3"],
        &["zls", "question 5", "src/hover.zig", "3-2"],
        &["zls", "question 6", "nothing is expected"],
        &["gin", "gin.json"],
        &["rack", "not a list"],
        &["cobra", "missing corpus", "2 questions", "semble/cobra"],
    ];
    assert_left_out(&fixture.read("semble").left_out, wanted);
}

/// Some suites give paths from the repository, some from the folder that is
/// searched. All end up relative to the repository, as results are.
#[test]
fn targets_become_relative_to_the_repository() {
    let fixture = semble();
    let mut suite = fixture.read("semble");
    assert_eq!(suite.verify(), []);
    let paths: Vec<&str> = corpus(&suite, "zls")
        .questions
        .iter()
        .flat_map(places)
        .map(|target| target.path.as_str())
        .collect();
    assert_eq!(paths, ["src/analysis.zig", "src/hover.zig"]);
    assert_eq!(places(&corpus(&suite, "flask").questions[0]).len(), 3);
}

#[test]
fn a_split_and_repositories_are_chosen() {
    let fixture = semble();
    let choice = |split: Option<&str>, only: Option<&str>| Choice {
        split: split.map(str::to_owned),
        only: only.map(|only| Regex::new(only).unwrap()),
    };
    let cases: [(Choice, &[&str]); 6] = [
        (choice(Some("dev"), None), &["flask", "zls"]),
        (choice(Some("test"), None), &["unheard-of"]),
        (
            choice(None, Some("^semble/(zls|unheard-of)$")),
            &["zls", "unheard-of"],
        ),
        (choice(Some("dev"), Some("unheard-of")), &[]),
        (choice(None, Some("^flask")), &[]),
        (
            choice(None, Some("semble/")),
            &["flask", "zls", "unheard-of"],
        ),
    ];
    for (choice, wanted) in cases {
        assert_eq!(
            names(&fixture.choose("semble", &choice)),
            wanted,
            "{choice:?}"
        );
    }
    // What was not asked for is not missing.
    let left_out = fixture
        .choose("semble", &choice(None, Some("flask")))
        .left_out;
    assert!(
        !left_out.iter().any(|why| why.contains("missing corpus")),
        "{left_out:?}"
    );
}

fn octocode(folder: &str) -> Fixture {
    let code = "query,result1,result2,result3\n\
                where are chunks merged,src/merge.rs:2-3:2,src/lib.rs:1-1:1,\n\
                \"commas, and \"\"quotes\"\"\",src/merge.rs:1-1:2,,\n\
                no grade,src/merge.rs:1-1,,\n\
                nothing,,,\n";
    let docs = "query,result1,result2,result3\nhow to install,README.md:1-2:2,,\n";
    let suite = |file: &str| format!("{folder}/{file}");
    let lib = format!("corpora/{folder}/src/lib.rs");
    let merge = format!("corpora/{folder}/src/merge.rs");
    let readme = format!("corpora/{folder}/README.md");
    Fixture::new(&[
        (&suite("code.csv"), code),
        (&suite("docs.csv"), docs),
        (&suite("notes.txt"), "not of the suite"),
        (&lib, "mod merge;\n"),
        (&merge, "fn merge() {\n}\n\n"),
        (&readme, "# Install\n\nUse cargo.\n"),
    ])
}

/// One repository, called like the suite; categories are the names of files,
/// which are asked of all files, and of files of that sort only.
#[test]
fn octocode_is_read() {
    let fixture = octocode("octocode");
    let mut suite = fixture.read("octocode");
    assert_eq!(names(&suite), ["octocode"]);
    assert_eq!(suite.corpora[0].split, "dev");
    let wanted = [
        ("where are chunks merged", "code"),
        ("commas, and \"quotes\"", "code"),
        ("where are chunks merged#2", "code only"),
        ("commas, and \"quotes\"#2", "code only"),
        ("how to install", "docs"),
        ("how to install#2", "docs only"),
    ];
    assert_eq!(questions(&suite), wanted);
    let wanted = [
        place("src/merge.rs", Some((2, 3)), 2),
        place("src/lib.rs", Some((1, 1)), 1),
    ];
    assert_eq!(places(&suite.corpora[0].questions[0]), wanted);
    let left_out: &[&[&str]] = &[
        &["code", "row 4", "src/merge.rs:1-1"],
        &["code", "row 5", "nothing is expected"],
    ];
    assert_left_out(&suite.left_out, left_out);
    assert_eq!(suite.verify(), []);
    assert_eq!(
        octocode("elsewhere").read("elsewhere").corpora[0].split,
        "test"
    );
}

const TASKS: &str = r#"
{"id":"p1","category":"P1","dataset":"express","query":"Route","expected":{"kind":"locations","locations":[{"file":"lib/route.js","line":3,"snippet":"function Route"}]}}
{"id":"p2","category":"P2","dataset":"express","query":"Layer","expected":{"kind":"locations","locations":[{"file":"lib/route.js","line":1},{"file":"lib/layer.js","line":1}]}}
{"id":"p4","category":"P4","dataset":"express","query":"lib/route.js","expected":{"kind":"deps","imports":["lib/layer"],"importers":[]}}
{"id":"p5","category":"P5","dataset":"express","query":"","expected":{"kind":"names","names":["unused"]}}

{"id":"empty","category":"P1","dataset":"express","query":"None","expected":{"kind":"locations","locations":[]}}
{"id":"zero","category":"P2","dataset":"express","query":"Layer","expected":{"kind":"locations","locations":[{"file":"lib/layer.js","line":0}]}}
{"id":"p3","category":"P3","dataset":"express","query":"x","expected":{"kind":"names","names":[]}}
not a task
{"id":"other","category":"P5","dataset":"other","query":"","expected":{"kind":"names","names":[]}}
"#;

fn sverklo(tasks: &str) -> Fixture {
    Fixture::new(&[
        ("sverklo/tasks.jsonl", tasks.trim_start()),
        (
            "corpora/express/lib/route.js",
            "var Layer = require('./layer');\n\nfunction Route() {}\n",
        ),
        ("corpora/express/lib/layer.js", "function Layer() {}\n"),
        ("corpora/other/a.js", "1\n"),
    ])
}

#[test]
fn sverklo_is_read() {
    let fixture = sverklo(TASKS);
    let mut suite = fixture.read("sverklo");
    let splits: Vec<(&str, &str)> = suite
        .corpora
        .iter()
        .map(|c| (c.name.as_str(), c.split.as_str()))
        .collect();
    assert_eq!(splits, [("express", "dev"), ("other", "test")]);
    assert_eq!(suite.verify(), []);
    let asked = &corpus(&suite, "express").questions;
    let seen: Vec<(&str, Task, &str)> = asked
        .iter()
        .map(|q| (q.id.as_str(), q.task, q.text.as_str()))
        .collect();
    let wanted = [
        ("p1", Task::Define, "Route"),
        ("p2", Task::Refer, "Layer"),
        ("p4", Task::Depend, "lib/route.js"),
        ("p5", Task::Dead, ""),
    ];
    assert_eq!(seen, wanted);
    assert_eq!(places(&asked[0]), [place("lib/route.js", Some((3, 3)), 2)]);
    assert_eq!(places(&asked[1]).len(), 2);
    let files = Dependencies {
        imports: vec!["lib/layer".into()],
        importers: Vec::new(),
    };
    assert_eq!(asked[2].expected, Expected::Files(files));
    assert_eq!(asked[3].expected, Expected::Names(vec!["unused".into()]));
    let left_out: &[&[&str]] = &[
        &["tasks", "line 6", "empty", "nothing is expected"],
        &["tasks", "line 7", "lib/layer.js", "count from 1"],
        &["tasks", "line 8", "p3", "P3"],
        &["tasks", "line 9"],
    ];
    assert_left_out(&suite.left_out, left_out);
}

/// Nobody can say what a file imports that is not there.
#[test]
fn a_question_about_a_missing_file_is_not_asked() {
    let task = r#"{"id":"p4","category":"P4","dataset":"express","query":"lib/gone.js","expected":{"kind":"deps","imports":[],"importers":[]}}"#;
    let fixture = sverklo(task);
    let mut suite = fixture.read("sverklo");
    let drift = suite.verify();
    assert_eq!(drift.len(), 1);
    assert!(drift[0].what.contains("lib/gone.js"), "{drift:?}");
    assert_eq!(suite.questions(), 0);
}

fn own(csv: &str) -> Fixture {
    Fixture::new(&[
        ("ours/code.csv", csv),
        ("corpora/shop/a.rs", "one\ntwo\nthree\nfour\n"),
    ])
}

#[test]
fn our_own_layout_is_read() {
    let csv = format!(
        "# corpus: shop\n\
         # commit: {COMMIT}\n\
         # Anything else is a comment, \"even with one quote.\n\
         query,result1,result2,result3\n\
         of the file,a.rs:1-2:2,,\n\
         \n\
         # category: hard\n\
         \"a comma, a \"\"quote\"\"\",a.rs:2-2:2,a.rs:4-4:1,\n\
         \"two\nlines\",a.rs:3-3:2\n\
         of the file,a.rs:4-4:2,,\n"
    );
    let fixture = own(&csv);
    let mut suite = fixture.read("ours");
    assert_eq!(suite.left_out, [""; 0]);
    let shop = corpus(&suite, "shop");
    assert_eq!(
        (shop.revision.as_deref(), shop.split.as_str()),
        (Some(COMMIT), "dev")
    );
    let wanted = [
        ("of the file", "code"),
        ("a comma, a \"quote\"", "hard"),
        ("two\nlines", "hard"),
        // Asked twice: the number tells them apart.
        ("of the file#2", "hard"),
    ];
    assert_eq!(questions(&suite), wanted);
    assert_eq!(shop.questions[3].text, "of the file");
    assert_eq!(places(&shop.questions[1]).len(), 2);
    assert_eq!(suite.verify(), []);
}

#[test]
fn a_table_may_be_of_the_test_split() {
    let fixture = own("# corpus: shop\n# split: test\nq,a.rs:1-1:2\n");
    assert_eq!(fixture.read("ours").corpora[0].split, "test");
    let dev = Choice {
        split: Some("dev".into()),
        only: None,
    };
    assert_eq!(names(&fixture.choose("ours", &dev)), [""; 0]);
}

#[test]
fn a_table_may_ask_for_files_of_one_sort() {
    let csv = "# corpus: shop\na,a.rs:1-1:2\n# class: docs\nb,a.rs:1-1:2\n\
               # class: prose\nc,a.rs:1-1:2\n# class: all\nd,a.rs:1-1:2\n";
    let suite = own(csv).read("ours");
    let classes: Vec<(&str, Option<FileClass>)> = suite.corpora[0]
        .questions
        .iter()
        .map(|q| (q.id.as_str(), q.class))
        .collect();
    let docs = Some(FileClass::Docs);
    assert_eq!(
        classes,
        [("a", None), ("b", docs), ("c", docs), ("d", None)]
    );
    assert_left_out(&suite.left_out, &[&["code", "row 5", "prose"]]);
}

/// Only the first row is a header.
#[test]
fn a_question_may_be_the_word_query() {
    let suite = own("# corpus: shop\nquery,result1\nquery,a.rs:1-1:2\n").read("ours");
    assert_eq!(questions(&suite), [("query", "code")]);
}

#[test]
fn rows_of_a_table_that_cannot_be_read_are_named() {
    let rows = [
        "a.rs:1-2",
        "a.rs:x-2:2",
        "a.rs:0-2:2",
        "a.rs:3-2:2",
        "a.rs:1-2:0",
        ":1-2:2",
        "a",
    ];
    for place in rows {
        let suite = own(&format!("# corpus: shop\nbad,{place}\ngood,a.rs:1-1:2\n")).read("ours");
        assert_left_out(&suite.left_out, &[&["code", "row 2", place]]);
        assert_eq!(questions(&suite), [("good", "code")]);
    }
}

#[test]
fn a_suite_is_pinned_to_one_commit() {
    let table = |commit: &str| format!("# corpus: shop\n# commit: {commit}\nq,a.rs:1-1:2\n");
    let files = |a: &str, b: &str| {
        Fixture::new(&[
            ("ours/a.csv", a),
            ("ours/b.csv", b),
            ("corpora/shop/a.rs", "one\n"),
        ])
    };
    let fixture = files(&table(COMMIT), &table(COMMIT));
    assert_eq!(commit_of(&fixture.path("ours")).unwrap(), COMMIT);
    assert_eq!(questions(&fixture.read("ours")), [("q", "a"), ("q#2", "b")]);

    let fixture = files(&table(COMMIT), &table(OTHER));
    let error = commit_of(&fixture.path("ours")).unwrap_err().to_string();
    assert!(error.contains(COMMIT) && error.contains(OTHER), "{error}");
    assert!(fixture.error("ours").contains("another commit"));

    let fixture = files("# corpus: shop\nq,a.rs:1-1:2\n", "");
    assert!(
        commit_of(&fixture.path("ours"))
            .unwrap_err()
            .to_string()
            .contains("no CSV file")
    );
}

#[test]
fn what_is_no_suite_is_an_error() {
    let fixture = Fixture::new(&[
        ("empty/readme.txt", "nothing"),
        ("broken/repos.json", "[{]"),
        ("nameless/repos.json", r#"[{"language": "go"}]"#),
    ]);
    let cases = [
        ("missing", "no such suite"),
        ("empty", "no repos.json, no *.jsonl and no *.csv"),
        ("broken", "repos.json"),
        ("nameless", "name"),
    ];
    for (suite, says) in cases {
        let error = fixture.error(suite);
        assert!(error.contains(says), "{suite}: {error}");
    }
}

/// A suite of one question with these answers, over a repository of which
/// only `src` is searched.
fn one_question(relevant: &str) -> Suite {
    let fixture = Fixture::new(&[
        (
            "semble/repos.json",
            r#"[{"name": "flask", "benchmark_root": "src"}]"#,
        ),
        (
            "semble/flask.json",
            &format!(r#"[{{"query": "q", "category": "semantic", "relevant": [{relevant}]}}]"#),
        ),
        ("corpora/flask/src/a.py", "one\ntwo\nthree\n"),
        ("corpora/flask/srcs/b.py", "one\n"),
        ("corpora/flask/tests/c.py", "one\n"),
    ]);
    let mut suite = fixture.read("semble");
    let drift = suite.verify();
    let says = drift.iter().map(|d| {
        assert_eq!((d.corpus.as_str(), d.question.as_str()), ("flask", "q"));
        format!("drift: {}", d.what)
    });
    suite.left_out.extend(says);
    suite
}

#[test]
fn answers_are_looked_up() {
    let lines = |path: &str, start: u32, end: u32| {
        format!(r#"{{"path": "{path}", "start_line": {start}, "end_line": {end}}}"#)
    };
    let cases: [(String, usize, &[&[&str]]); 8] = [
        (r#""src/a.py", "a.py""#.into(), 2, &[]),
        (lines("a.py", 1, 3), 1, &[]),
        (
            lines("a.py", 3, 4),
            0,
            &[&["drift", "src/a.py:3-4", "ends at 3"]],
        ),
        (
            r#""src/gone.py""#.into(),
            0,
            &[&["drift", "src/gone.py", "no such file"]],
        ),
        // What is there but not searched is nobody's fault.
        (
            r#""tests/c.py""#.into(),
            0,
            &[&["flask", "tests/c.py", "outside"]],
        ),
        (
            r#""srcs/b.py""#.into(),
            0,
            &[&["flask", "srcs/b.py", "outside"]],
        ),
        // What is left is still asked.
        (
            r#""a.py", "tests/c.py""#.into(),
            1,
            &[&["tests/c.py", "outside"]],
        ),
        (
            r#""gone.py", "a.py", "tests/c.py""#.into(),
            1,
            &[&["outside"], &["drift", "gone.py"]],
        ),
    ];
    for (relevant, kept, left_out) in cases {
        let suite = one_question(&relevant);
        let asked: Vec<&Target> = suite
            .corpora
            .iter()
            .flat_map(|c| &c.questions)
            .flat_map(places)
            .collect();
        assert_eq!(asked.len(), kept, "{relevant}");
        assert!(
            asked.iter().all(|target| target.path == "src/a.py"),
            "{asked:?}"
        );
        assert_left_out(&suite.left_out, left_out);
    }
}

/// A name may be as far from its line as an answer may: three lines.
#[test]
fn a_name_is_to_be_near_its_line() {
    let file = "\n\n\n\nfunction Route() {}\n\n\n\n\n";
    for (line, drifts) in [(5, 0), (2, 0), (8, 0), (1, 1), (9, 1)] {
        let task = format!(
            r#"{{"id":"p1","category":"P1","dataset":"express","query":"Route","expected":{{"kind":"locations","locations":[{{"file":"a.js","line":{line}}}]}}}}"#
        );
        let fixture = Fixture::new(&[
            ("sverklo/tasks.jsonl", &task),
            ("corpora/express/a.js", file),
        ]);
        let mut suite = fixture.read("sverklo");
        let drift = suite.verify();
        assert_eq!(drift.len(), drifts, "{line}: {drift:?}");
        assert_eq!(suite.questions(), 1 - drifts, "{line}");
        assert!(
            drift.iter().all(|d| d.what.contains("Route is not there")),
            "{drift:?}"
        );
    }
}

#[test]
fn a_checkout_at_another_commit_is_drift() {
    let cases = [(Some(COMMIT), 0), (Some(OTHER), 1), (None, 0)];
    for (head, drifts) in cases {
        let csv = format!("# corpus: shop\n# commit: {COMMIT}\nq,a.rs:1-1:2\n");
        let fixture = own(&csv);
        if let Some(head) = head {
            write(
                &fixture.path("corpora/shop"),
                &[(".git/HEAD", &format!("{head}\n"))],
            );
        }
        let mut suite = fixture.read("ours");
        let drift = suite.verify();
        assert_eq!(drift.len(), drifts, "{head:?}");
        assert!(
            drift.iter().all(|d| d.to_string().contains(OTHER)),
            "{drift:?}"
        );
        assert_eq!(suite.questions(), 1);
    }
}

/// The repository of the suite comes before one of the same name.
#[test]
fn a_repository_lies_below_its_suite_or_alone() {
    let fixture = own("# corpus: shop\nq,a.rs:1-1:2\n");
    assert_eq!(
        fixture.read("ours").corpora[0].folder,
        fixture.path("corpora/shop")
    );
    write(&fixture.path("corpora"), &[("ours/shop/a.rs", "one\n")]);
    assert_eq!(
        fixture.read("ours").corpora[0].folder,
        fixture.path("corpora/ours/shop")
    );
}
