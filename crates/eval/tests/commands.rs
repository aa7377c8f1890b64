//! Every command, through the program, over two tiny repositories.

mod corpus;

use corpus::{ABOUT_BOTH, ABOUT_DESK, ABOUT_SHOP, Bench, Ended, Run, in_table, system};
use regex::Regex;
use scent_eval::store::Store;
use scent_eval::summary::{ALL, Summary};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Names are not looked for as words: most questions find nothing.
const WEAK: &str = "[fusion.lanes]\ntext = 0\nvector = 0\nlate = 0\n";

fn holds(pattern: &str, text: &str) -> bool {
    Regex::new(pattern).unwrap().is_match(text)
}

fn assert_holds(pattern: &str, text: &str) {
    assert!(holds(pattern, text), "{pattern} is not in\n{text}");
}

/// Asserts that a call was refused for a reason that is said.
fn assert_refused(ended: &Ended, says: &[&str]) {
    assert_eq!(ended.code, Some(2), "{ended:?}");
    says.iter().for_each(|text| assert!(ended.err.contains(text), "{text:?} is not in {ended:?}"));
}

fn entries(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    entries.map(|name| name.into_string().unwrap()).collect()
}

fn names(texts: &[&str]) -> BTreeSet<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn a_run_is_a_dated_folder() {
    let bench = Bench::new();
    let run = bench.run(&[]);
    let name = run.folder.file_name().unwrap().to_str().unwrap();
    assert_holds(r"^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$", name);
    let files = [
        "RESULTS.json",
        "RESULTS.md",
        "questions.csv",
        "rows",
        "run.json",
        "tiny-languages.svg",
        "tiny-quality.svg",
        "tiny-recall.svg",
    ];
    let seen = entries(&run.folder);
    assert!(seen.is_superset(&names(&files)), "{seen:?}");
    assert_eq!(entries(&run.folder.join("rows/scent/tiny")), names(&["desk.jsonl", "shop.jsonl"]));

    let manifest = Store::new(&run.folder).manifest().unwrap();
    assert_holds(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$", &manifest.started);
    // In full, so that the run can be looked at from anywhere.
    assert!(manifest.suites[0].is_absolute() && manifest.suites[0].ends_with("tiny"));
    assert!(manifest.corpora.is_absolute() && manifest.corpora.ends_with("corpora"));
    assert_eq!(manifest.systems.len(), 1);
    assert_eq!((manifest.left_out.len(), manifest.drift.len()), (0, 0));
    assert!(manifest.command.contains(&"--quiet".to_owned()));

    let rows = run.rows("scent");
    assert_eq!(rows.len(), ABOUT_BOTH);
    assert!(rows.iter().all(|row| row.answered().is_some_and(|answer| !answer.hits.is_empty())));
    let suite = run.suite();
    assert_eq!((suite.questions, suite.corpora), (ABOUT_BOTH, 2));
    assert_eq!(suite.split, "dev");
    assert!(system(&suite, "scent").groups[ALL].means["hit@5"] > 0.9);
    assert_holds(r"(?m)^scent +lines \d\.\d{3} +file ", &run.ended.out);
    assert_eq!(run.ended.err, "");
}

/// A class asks for files of that sort only.
#[test]
fn questions_may_be_about_documentation() {
    let bench = Bench::new();
    let csv = "# corpus: shop\n# class: docs\nmoney goes back,docs/refunds.md:1-3:2\n\
               xylophone,docs/refunds.md:1-3:2\n";
    bench.write(&[("docs-only/shop.csv", csv)]);
    let run = bench.run_of("docs-only", &[]);
    let rows = run.rows("scent");
    let hits = |at: usize| &rows[at].answered().unwrap().hits;
    assert_eq!((hits(0).len(), hits(1).len()), (1, 0));
    assert_eq!(hits(0)[0].path, "docs/refunds.md");
}

/// Another run in the same second is another folder.
#[test]
fn runs_do_not_mix() {
    let bench = Bench::new();
    let folders: BTreeSet<PathBuf> =
        (0..2).map(|_| bench.run(&["--only", "tiny/desk"]).folder).collect();
    assert_eq!(folders.len(), 2);
}

#[test]
fn a_run_may_be_of_a_part() {
    let bench = Bench::new();
    let run = bench.run(&["--only", "tiny/d.*k$", "--name", "half"]);
    assert_eq!(in_table(&run.suite()), ["half"]);
    assert_eq!(run.suite().questions, ABOUT_DESK);
    let cases: [&[&str]; 2] = [&["--only", "^desk"], &["--split", "test"]];
    for more in cases {
        assert_refused(&bench.try_run(more), &["nothing to ask"]);
    }
    assert_eq!(bench.run(&["--split", "dev"]).suite().questions, ABOUT_BOTH);
}

#[test]
fn what_cannot_be_run_is_said() {
    let bench = Bench::new();
    bench.write(&[("syntax.toml", "[fusion"), ("key.toml", "[fusion]\nkk = 1\n")]);
    bench.write(&[("type.toml", "[fusion]\nk = \"much\"\n"), ("lane.toml", "[lanes]\ntext = 1\n")]);
    let cases: [(&[&str], &[&str]); 6] = [
        (&["--config", "syntax.toml"], &["the weights given for", "fusion"]),
        (&["--config", "key.toml"], &["the weights given for", "kk"]),
        (&["--config", "type.toml"], &["the weights given for", "much", "fusion.k"]),
        (&["--config", "lane.toml"], &["the weights given for", "lanes"]),
        (&["--config", "missing.toml"], &["missing.toml"]),
        (&["--name", "a/b"], &["a/b", "letters"]),
    ];
    for (more, says) in cases {
        assert_refused(&bench.try_run(more), says);
    }
    assert_refused(&bench.try_run_of("missing", &[]), &["missing: no such suite"]);
    assert!(!bench.path("out").exists());
}

/// Their answers would lie in the same place.
#[test]
fn two_suites_of_one_name_are_refused() {
    let bench = Bench::new();
    bench.write(&[("other/tiny/shop.csv", "# corpus: shop\nsignIn,web/login.js:1-3:2\n")]);
    let args = ["run", "tiny", "other/tiny", "--corpora", "corpora", "--out", "out", "-q"];
    assert_refused(&bench.call(&args), &["tiny"]);
}

/// What is generated is given to all; what is ignored or no text, to nobody.
#[test]
fn everybody_is_given_the_same_files() {
    let bench = Bench::new();
    bench.write(&[
        ("corpora/desk/.ignore", "secret.py\n"),
        ("corpora/desk/desk/secret.py", "def hidden(): pass\n"),
        ("corpora/desk/desk/logo.png", "\u{0}\u{1}\u{2}"),
        ("corpora/desk/desk/made.py", "# @generated by a tool\n"),
    ]);
    bench.run(&[]);
    let given = entries(&bench.path("out/cache/views/tiny/desk/desk"));
    assert_eq!(given, names(&["made.py", "pager.py", "rota.py", "tickets.py"]));
}

/// The names of elements that are opened and not closed, in order. Panics
/// where one is closed that was not opened, or where there is stray markup.
fn left_open(svg: &str) -> Vec<String> {
    let tag = Regex::new(r#"^<(/?)([a-z]+)((?: [a-zA-Z0-9:-]+="[^"<>]*")*)(/?)>"#).unwrap();
    let mut open: Vec<String> = Vec::new();
    let mut rest = svg;
    while let Some(at) = rest.find(['<', '>']) {
        let seen = tag.captures(&rest[at..]).unwrap_or_else(|| panic!("stray: {}", &rest[at..]));
        match (&seen[1], &seen[4]) {
            ("/", "") => assert_eq!(open.pop().as_deref(), Some(&seen[2])),
            ("", "") => open.push(seen[2].to_owned()),
            ("", "/") => {}
            _ => panic!("{}", &seen[0]),
        }
        rest = &rest[at + seen[0].len()..];
    }
    open
}

#[test]
fn plots_are_whole_and_load_nothing() {
    let bench = Bench::new();
    bench.write(&[("r&d's/shop.csv", "# corpus: shop\nsignIn,web/login.js:1-3:2\n")]);
    let run = bench.run_of("r&d's", &[]);
    for name in ["quality", "recall", "languages"] {
        let file = format!("r&d's-{name}.svg");
        let svg = run.read(&file);
        assert!(run.read("RESULTS.md").contains(&file), "{name}");
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" "), "{svg}");
        assert_eq!(left_open(&svg), [""; 0], "{svg}");
        let text = svg.replacen("http://www.w3.org/2000/svg", "", 1);
        for loads in ["http", "//", "href", "url(", "<script", "<style", "<image", "@import"] {
            assert!(!text.contains(loads), "{loads} in {svg}");
        }
        assert!(!holds(r"&[^a-z]|\bNaN\b|\binf\b", &text), "{svg}");
        assert!(svg.contains("r&amp;d"), "{svg}");
        assert!(svg.contains(">scent<"), "{svg}");
    }
}

/// Goes on with a run; which repositories were asked about again.
fn asked_again(bench: &Bench, run: &Run) -> Vec<&'static str> {
    let time = SystemTime::now() - Duration::from_secs(3600);
    let files = ["shop", "desk"].map(|corpus| run.rows_file("scent", "tiny", corpus));
    for file in files.iter().filter(|file| file.exists()) {
        fs::File::options().write(true).open(file).unwrap().set_modified(time).unwrap();
    }
    let again = bench.run(&["--resume"]);
    assert_eq!(again.folder, run.folder);
    assert_eq!(again.suite().questions, ABOUT_BOTH);
    assert_eq!(again.rows("scent").len(), ABOUT_BOTH);
    let written = |file: &PathBuf| fs::metadata(file).unwrap().modified().unwrap() != time;
    ["shop", "desk"].into_iter().zip(files).filter(|(_, f)| written(f)).map(|(c, _)| c).collect()
}

#[test]
fn a_run_goes_on_where_it_was() {
    let bench = Bench::new();
    let run = bench.run(&[]);
    assert_eq!(asked_again(&bench, &run), [""; 0]);
    fs::remove_file(run.rows_file("scent", "tiny", "shop")).unwrap();
    assert_eq!(asked_again(&bench, &run), ["shop"]);
}

/// Something that happens to a run.
type Damage = fn(&Bench, &Run);

/// What a killed run leaves, and what depends on what has changed.
#[test]
fn answers_that_do_not_hold_are_asked_for_again() {
    let damage: [(&str, Damage); 4] = [
        ("cut", |_, run| {
            let file = run.rows_file("scent", "tiny", "shop");
            let text = fs::read_to_string(&file).unwrap();
            fs::write(file, &text[..text.len() / 2]).unwrap();
        }),
        ("unfinished", |_, run| {
            let file = run.rows_file("scent", "tiny", "shop");
            fs::rename(&file, file.with_extension("unfinished")).unwrap();
        }),
        ("another file", |bench, _| {
            bench.write(&[("corpora/shop/src/more.rs", "fn more() {}\n")]);
        }),
        ("another answer", |bench, _| {
            let file = bench.path("tiny/shop.csv");
            let text = fs::read_to_string(&file).unwrap();
            fs::write(file, text.replace("coupon.rs:1-4:2", "coupon.rs:2-4:2")).unwrap();
        }),
    ];
    let bench = Bench::new();
    let run = bench.run(&[]);
    for (what, damage) in damage {
        damage(&bench, &run);
        assert_eq!(asked_again(&bench, &run), ["shop"], "{what}");
    }
}

/// What goes on is the same run: another one would lose its answers.
#[test]
fn another_run_cannot_go_on() {
    let bench = Bench::new();
    bench.write(&[("weak.toml", WEAK)]);
    let before = bench.run(&[]).read("RESULTS.json");
    for more in [["--config", "weak.toml"], ["--only", "shop"], ["--split", "dev"]] {
        let ended = bench.try_run(&[&["--resume"], &more[..]].concat());
        assert_refused(&ended, &["the newest run asked something else"]);
    }
    assert_eq!(bench.run(&["--resume"]).read("RESULTS.json"), before);
}

/// What is called scent is what users have.
#[test]
fn other_weights_have_their_own_name() {
    let bench = Bench::new();
    bench.write(&[("weak.toml", WEAK)]);
    let run = bench.run(&["--config", "weak.toml"]);
    assert_eq!(in_table(&run.suite()), ["weak"]);
    assert_holds("weak has weights of its own", &run.read("RESULTS.md"));
}

/// The copy of a repository may be swept away with other caches.
#[test]
fn a_lost_view_is_laid_out_again() {
    let bench = Bench::new();
    let run = bench.run(&[]);
    fs::remove_dir_all(bench.path("out/cache/views/tiny/shop")).unwrap();
    fs::remove_file(run.rows_file("scent", "tiny", "shop")).unwrap();
    assert_eq!(asked_again(&bench, &run), ["shop"]);
}

#[test]
fn only_what_there_is_can_go_on() {
    let bench = Bench::new();
    bench.write(&[("out/notes/readme.txt", "no run")]);
    assert_refused(&bench.try_run(&["--resume"]), &["there is no run to go on with"]);
}

#[test]
fn drift_stops_a_run_unless_it_is_allowed() {
    let bench = Bench::new();
    bench.write(&[("corpora/shop/src/coupon.rs", "fn apply_coupon() {}\n")]);
    fs::remove_file(bench.path("corpora/desk/desk/rota.py")).unwrap();
    let places =
        ["src/coupon.rs:1-4: the file ends at 1", "desk/rota.py: no such file", "2 answers"];
    let ended = bench.try_run(&[]);
    assert_refused(&ended, &["--allow-drift"]);
    assert_refused(&ended, &places);
    assert!(!bench.path("out").exists());

    let run = bench.run(&["--allow-drift"]);
    places[..2].iter().for_each(|place| assert!(run.ended.err.contains(place), "{place}"));
    // One question lost its only answer, another one of its two.
    assert_eq!(run.suite().questions, ABOUT_BOTH - 1);
    assert!(run.rows("scent").iter().all(|row| row.id != "apply_coupon"));
    assert_eq!(Store::new(&run.folder).manifest().unwrap().drift.len(), 2);
    places[..2].iter().for_each(|place| assert!(run.read("RESULTS.md").contains(place), "{place}"));
}

#[test]
fn a_missing_repository_is_named_and_the_run_goes_on() {
    let bench = Bench::new();
    fs::rename(bench.path("corpora/desk"), bench.path("desk-is-away")).unwrap();
    let run = bench.run(&[]);
    assert_eq!((run.suite().questions, run.suite().corpora), (ABOUT_SHOP, 1));
    let says = format!("desk: missing corpus, {ABOUT_DESK} questions left out");
    for text in [&run.ended.err, &run.read("RESULTS.md"), &run.read("run.json")] {
        assert!(text.contains(&says), "{text}");
    }
    fs::rename(bench.path("corpora/shop"), bench.path("shop-is-away")).unwrap();
    assert_refused(&bench.try_run(&[]), &["nothing to ask", "shop: missing corpus"]);
}

#[test]
fn a_score_is_made_of_rows_alone() {
    let bench = Bench::new();
    bench.write(&[(
        "eval/peers/peers.toml",
        "[[published]]\nname = \"famous\"\nsuite = \"tiny\"\nmode = \"file\"\n\
         metric = \"ndcg_file\"\nscore = 0.9\nrepositories = 2\nsource = \"a paper\"\n\
         note = \"needs a model\"\n",
    )]);
    let run = bench.run(&[]);
    assert!(run.read("RESULTS.md").contains("famous"));
    let files = ["RESULTS.json", "RESULTS.md", "tiny-quality.svg", "tiny-recall.svg"];
    let before = files.map(|file| run.read(file));
    files.iter().for_each(|file| fs::remove_file(run.folder.join(file)).unwrap());
    fs::remove_dir_all(bench.path("corpora")).unwrap();

    let ended = bench.call(&["score", run.shown()]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(files.map(|file| run.read(file)), before);
    assert!(run.ended.out.starts_with(&ended.out), "{}", ended.out);
    assert_eq!(bench.call(&["score", run.shown(), "--json"]).out, before[0]);

    assert_refused(&bench.call(&["score", "tiny"]), &["tiny is no run"]);
}

#[test]
fn a_comparison_shows_what_changed() {
    let bench = Bench::new();
    bench.write(&[("weak.toml", WEAK)]);
    let strong = bench.run(&[]);
    let weak = bench.run(&["--config", "weak.toml", "--name", "weak"]);
    let ended = bench.call(&["compare", strong.shown(), weak.shown()]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let number = r"[+-]\d\.\d{3}";
    let line = format!(
        r"(?m)^ndcg_file +A +[\d.]+ +B +[\d.]+ +B-A -0\.\d{{3}}, {number} to {number} +wins 0 losses [1-9] of {ABOUT_BOTH}$"
    );
    assert_holds(&line, &ended.out);
    // More tokens are a loss as well.
    assert_holds(r"(?m)^tokens_to_hit .*B-A \+\d.* wins 0 losses [1-9] of 10$", &ended.out);
    for group in ["tiny semantic", "tiny symbol"] {
        assert_holds(&format!(r"(?m)^{group} +A .* of 5$"), &ended.out);
    }
    // The questions that changed, each with what was expected and both lists.
    let changed = r#"(?m)^-1\.000  tiny/shop  "send the receipt to the customer"
    expected  src/mail\.rs:1-4
    A  src/mail\.rs:1-4.*
    B  nothing$"#;
    assert_holds(changed, &ended.out);
    let shown = |most: &str| {
        let ended = bench.call(&["compare", strong.shown(), weak.shown(), "--changed", most]);
        ended.out.matches("    expected  ").count()
    };
    assert_eq!((shown("0"), shown("2")), (0, 2));

    // Turned around, a loss is a win.
    let ended = bench.call(&["compare", weak.shown(), strong.shown(), "--metric", "mrr"]);
    assert_holds(r"(?m)^mrr .*B-A \+0\.\d{3}, .* wins [1-9] losses 0 of 10$", &ended.out);
    assert_holds(r#"(?m)^\+1\.000  tiny/shop  "send the receipt"#, &ended.out);
}

#[test]
fn a_run_is_no_better_than_itself() {
    let bench = Bench::new();
    let run = bench.run(&[]);
    let named = format!("{}:scent", run.shown());
    let ended = bench.call(&["compare", run.shown(), &named]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let lines: Vec<&str> = ended.out.lines().filter(|line| line.contains("B-A")).collect();
    assert!(lines.len() > 15, "{}", ended.out);
    for line in lines {
        assert!(line.contains("B-A +0.000, +0.000 to +0.000  wins 0 losses 0"), "{line}");
    }
    assert!(!ended.out.contains("expected"), "{}", ended.out);

    let named = format!("{}:nobody", run.shown());
    let cases: [(&str, &[&str]); 2] = [(&named, &["no such system", "scent"]), ("tiny", &["tiny"])];
    for (other, says) in cases {
        assert_refused(&bench.call(&["compare", run.shown(), other]), says);
    }
}

#[test]
fn a_comparison_counts_what_only_one_answered() {
    let bench = Bench::new();
    let (both, shop) = (bench.run(&[]), bench.run(&["--only", "shop"]));
    let says = format!("{ABOUT_DESK} questions are left out");
    for (a, b) in [(&both, &shop), (&shop, &both)] {
        let ended = bench.call(&["compare", a.shown(), b.shown()]);
        assert_holds(&format!(" of {ABOUT_SHOP}\n"), &ended.out);
        assert!(ended.out.contains(&says), "{} against {}: {}", a.shown(), b.shown(), ended.out);
    }
    let desk = bench.run(&["--only", "desk"]);
    assert_refused(
        &bench.call(&["compare", shop.shown(), desk.shown()]),
        &["no question was answered by both"],
    );
}

/// A misspelt metric would look as if nothing had changed.
#[test]
fn a_metric_that_nobody_has_cannot_be_compared() {
    let bench = Bench::new();
    let run = bench.run(&[]);
    let ended = bench.call(&["compare", run.shown(), run.shown(), "--metric", "ndgc_file"]);
    assert_refused(&ended, &["ndgc_file"]);
}

const MATRIX: &str = "suites = [\"../tiny\"]\ncorpora = \"../corpora\"\n\n\
     [[variant]]\nname = \"base\"\n\n\
     [[variant]]\nname = \"weak\"\nweights = { fusion = { lanes = { text = 0, vector = 0, late = 0 } } }\n\n\
     [[variant]]\nname = \"flat\"\nweights = { fusion = { k = 600 } }\n";

fn with_matrix(text: &str) -> Bench {
    let bench = Bench::new();
    bench.write(&[("variants/matrix.toml", text)]);
    bench
}

fn matrix(bench: &Bench, more: &[&str]) -> Summary {
    let args = ["matrix", "variants/matrix.toml", "--out", "out", "--quiet"];
    let ended = bench.call(&[&args, more].concat());
    assert_eq!(ended.code, Some(0), "{ended:?}");
    serde_json::from_str(&fs::read_to_string(bench.path("out/RESULTS.json")).unwrap()).unwrap()
}

#[test]
fn a_matrix_accumulates() {
    let bench = with_matrix(MATRIX);
    let summary = matrix(&bench, &["--only", "weak|flat"]);
    assert_eq!(in_table(&summary.suites[0]), ["weak", "flat"]);
    // What came later stands where the file has it, and is what the others
    // are held against.
    let summary = matrix(&bench, &["--only", "base"]);
    let suite = &summary.suites[0];
    assert_eq!(in_table(suite), ["base", "weak", "flat"]);
    assert_eq!((suite.questions, suite.corpora), (ABOUT_BOTH, 2));
    assert!(system(suite, "base").groups[ALL].gains.is_empty());
    assert!(system(suite, "weak").groups[ALL].gains["mrr"].gain.high < 0.0);
    assert_eq!(entries(&bench.path("out/rows")), names(&["base", "weak", "flat"]));
}

/// One index a repository, made once for all variants of a call.
#[test]
fn variants_share_the_index() {
    let bench = with_matrix(MATRIX);
    let summary = matrix(&bench, &[]);
    let index_ms = |name: &str| system(&summary.suites[0], name).speed.index_ms;
    assert!(index_ms("base") > 0.0);
    assert_eq!(index_ms("base"), index_ms("weak"));
    let indexes = entries(&bench.path("out/cache/index"));
    let of = |name: &str| indexes.iter().filter(|index| index.starts_with(name)).count();
    assert_eq!((of("shop-"), of("desk-")), (1, 1), "{indexes:?}");
    matrix(&bench, &["--only", "flat"]);
    assert_eq!(entries(&bench.path("out/cache/index")), indexes);
}

/// What was measured under another set of weights is no result of a variant.
#[test]
fn a_variant_that_changed_is_not_shown_with_old_results() {
    let bench = with_matrix(MATRIX);
    matrix(&bench, &["--only", "base|flat"]);
    bench.write(&[("variants/matrix.toml", &MATRIX.replace("600", "6"))]);
    let summary = matrix(&bench, &["--only", "base"]);
    assert_eq!(in_table(&summary.suites[0]), ["base"]);
}

#[test]
fn a_matrix_may_get_its_suites_from_the_command_line() {
    let bench = with_matrix("[[variant]]\nname = \"base\"\n");
    let args = ["matrix", "variants/matrix.toml", "--out", "out", "--quiet"];
    assert_refused(&bench.call(&args), &["corpora"]);
    assert_refused(&bench.call(&[&args[..], &["--corpora", "corpora"]].concat()), &["suites"]);
    let args = ["matrix", "variants/matrix.toml", "tiny", "--corpora", "corpora", "--out", "out"];
    assert_eq!(bench.call(&args).code, Some(0));
}

#[test]
fn the_report_of_a_matrix_is_copied() {
    let bench = with_matrix(MATRIX);
    bench.write(&[("docs/index.md", "")]);
    matrix(&bench, &["--only", "base", "--report", "docs/results.md"]);
    let files =
        ["index.md", "results.md", "tiny-languages.svg", "tiny-quality.svg", "tiny-recall.svg"];
    let seen = entries(&bench.path("docs"));
    assert!(seen.is_superset(&names(&files)), "{seen:?}");
    for (copy, file) in [("results.md", "RESULTS.md"), ("tiny-recall.svg", "tiny-recall.svg")] {
        let read = |path: PathBuf| fs::read_to_string(path).unwrap();
        assert_eq!(read(bench.path("docs").join(copy)), read(bench.path("out").join(file)));
    }
}

#[test]
fn a_matrix_that_makes_no_sense_is_refused() {
    let variant = |name: &str| format!("[[variant]]\nname = \"{name}\"\n");
    let cases: [(String, &[&str]); 7] = [
        (variant("base") + &variant("base"), &["two variants are called base"]),
        (variant("a/b"), &["a/b"]),
        (variant("base") + "weights = {}\npeer = \"base\"\n", &["base is a peer and has weights"]),
        (variant("base") + "peer = \"other\"\n", &["other"]),
        (variant("base") + "weight = {}\n", &["weight"]),
        (
            variant("base") + "weights = { fusion = { kk = 1 } }\n",
            &["the weights given for base", "kk"],
        ),
        ("[[variant]".to_owned(), &["matrix.toml"]),
    ];
    for (text, says) in cases {
        let bench =
            with_matrix(&format!("suites = [\"../tiny\"]\ncorpora = \"../corpora\"\n{text}"));
        let args = ["matrix", "variants/matrix.toml", "--out", "out", "--quiet"];
        assert_refused(&bench.call(&args), says);
    }
    let args = ["matrix", "variants/matrix.toml", "--out", "out", "--only", "nobody"];
    assert_refused(&with_matrix(MATRIX).call(&args), &["no variant", "matches"]);
}

/// A matrix that was carried out, `weak` after `base`.
fn measured() -> Bench {
    let bench = with_matrix(MATRIX);
    matrix(&bench, &["--only", "base|weak"]);
    bench
}

fn gate(bench: &Bench, text: &str) -> Ended {
    bench.write(&[("gate.toml", text)]);
    bench.call(&["gate", "gate.toml", "out"])
}

fn floor(system: &str, more: &str) -> String {
    format!("[[floor]]\nsystem = \"{system}\"\nsuite = \"tiny\"\n{more}\n")
}

fn gain(a: &str, b: &str, more: &str) -> String {
    format!("[[gain]]\na = \"{a}\"\nb = \"{b}\"\nsuite = \"tiny\"\n{more}\n")
}

/// Asserts how a gate judges, and that it says so.
fn check_gate(bench: &Bench, text: &str, code: i32, says: &[&str]) {
    let ended = gate(bench, text);
    assert_eq!(ended.code, Some(code), "{text}{ended:?}");
    let all = ended.out + &ended.err;
    says.iter().for_each(|pattern| assert_holds(pattern, &all));
}

/// Asserts that each condition is met, or that each is missed, and what is
/// said of it.
fn check_each(bench: &Bench, conditions: &[(String, &str)], met: bool) {
    let text: String = conditions.iter().map(|(text, _)| text.as_str()).collect();
    let ended = gate(bench, &text);
    assert_eq!(ended.code, Some(i32::from(!met)), "{ended:?}");
    let word = if met { "ok    " } else { "MISSED" };
    for (_, says) in conditions {
        assert_holds(&format!(r"(?m)^{word}  .*{says}"), &ended.out);
    }
    let others = ended.out.lines().filter(|line| !line.starts_with(word)).count();
    assert!(!met || others == 0, "{ended:?}");
}

#[test]
fn floors_hold_or_are_missed() {
    let bench = measured();
    let mrr = |bound: &str| floor("base", &format!("metric = \"mrr\"\n{bound}"));
    let group = |group: &str| mrr(&format!("at_least = 0.9\ngroup = \"{group}\""));
    let met = [
        (mrr("at_least = 0.9"), r"base on tiny, all: mrr is [01]\.\d+, to be at least 0\.9"),
        (mrr("at_least = 0.9\nat_most = 1.0"), "mrr is .*, to be from 0.9 to 1"),
        (group("category: symbol"), "category: symbol: mrr is "),
        (floor("base", "metric = \"p95_ms\"\nat_most = 100000"), "p95_ms is .*at most 100000"),
    ];
    check_each(&bench, &met, true);
    let missed = [
        (mrr("at_most = 0.5"), "mrr is .*, to be at most 0.5"),
        (floor("weak", "metric = \"mrr\"\nat_least = 0.9"), "weak on tiny, all: mrr is "),
        (floor("base", "metric = \"p95_ms\"\nat_most = 0.0"), "p95_ms is "),
        (group("category: nothing"), "category: nothing: mrr was not measured"),
        (floor("base", "metric = \"mrrr\"\nat_least = 0.0"), "mrrr was not measured"),
        (floor("nobody", "metric = \"mrr\"\nat_least = 0.0"), "nobody .* was not measured"),
    ];
    check_each(&bench, &missed, false);
    // What was not measured, alone; and one that is missed among others.
    check_each(&bench, &missed[4..5], false);
    check_gate(&bench, &(mrr("at_least = 0.9") + &mrr("at_least = 2")), 1, &["ok ", "MISSED"]);
}

#[test]
fn gains_hold_or_are_missed() {
    let bench = measured();
    let over = |more: &str| gain("weak", "base", &format!("metric = \"mrr\"\n{more}"));
    let met = [
        (over(""), r"base over weak on tiny: mrr is \+0\.\d+ \(\+0\.\d+ to \+\d\.\d+\)"),
        (over("at_least = 0.1"), "to be at least 0.1"),
        (over("no_loss_on = [\"symbol\", \"semantic\"]"), "category: symbol is .*, to be no loss"),
        (over("p95_ms = 100000"), "base on tiny, all: p95_ms"),
    ];
    check_each(&bench, &met, true);
    let missed = [
        (over("at_least = 2.0"), "to be at least 2"),
        (over("no_loss_on = [\"nothing\"]"), "category: nothing was not measured"),
        (over("p95_ms = 0.0"), "base on tiny, all: p95_ms"),
        (gain("base", "weak", "metric = \"mrr\"\nno_loss_on = [\"semantic\"]"), "semantic is -"),
        (gain("base", "weak", "metric = \"mrr\""), "weak over base on tiny: mrr is -"),
        // The same is no gain.
        (gain("base", "base", "metric = \"mrr\""), r"base over base on tiny: mrr is \+0"),
        (gain("weak", "base", "metric = \"mrrr\""), "mrrr was not measured"),
        (gain("weak", "nobody", "metric = \"mrr\""), "nobody over weak .* was not measured"),
    ];
    check_each(&bench, &missed, false);
}

/// Fewer tokens to the first match are a gain, more are none.
#[test]
fn a_gain_may_be_less() {
    let bench = measured();
    let metric = "metric = \"tokens_to_hit\"\nno_loss_on = [\"semantic\"]";
    check_gate(&bench, &gain("weak", "base", metric), 0, &["ok"]);
    check_gate(&bench, &gain("base", "weak", metric), 1, &["MISSED"]);
}

#[test]
fn a_gate_that_keeps_nothing_out_is_refused() {
    let bench = measured();
    let cases: [(String, &[&str]); 4] = [
        (String::new(), &[r"no \[\[floor\]\] and no \[\[gain\]\]"]),
        ("# later\n".into(), &[r"no \[\[floor\]\]"]),
        ("[[floor]\n".into(), &["gate.toml"]),
        (floor("base", "metric = \"mrr\"\natleast = 0.5"), &["atleast"]),
    ];
    for (text, says) in cases {
        check_gate(&bench, &text, 2, says);
    }
    let text = floor("base", "metric = \"mrr\"\nat_least = 0.5");
    bench.write(&[("gate.toml", &text)]);
    assert_refused(&bench.call(&["gate", "gate.toml", "tiny"]), &["tiny is no run"]);
    assert_refused(&bench.call(&["gate", "missing.toml", "out"]), &["missing.toml"]);
}

/// It would hold whatever is measured.
#[test]
fn a_floor_without_a_bound_is_refused() {
    check_gate(&measured(), &floor("base", "metric = \"mrr\""), 2, &["at_least"]);
}

/// A run of a suite whose answers are lost on the way.
fn lost() -> (Bench, Run) {
    let bench = Bench::new();
    bench.write(&[
        ("corpora/shop/web/logo.bin", "a\u{0}b\n"),
        (
            "lost/shop.csv",
            "# corpus: shop\n\
             total_price,src/cart.rs:6-9:2\n\
             shelf_table,src/schema.rs:2-2:2\n\
             the picture on top,web/logo.bin:1-1:2\n\
             zebra xylophone,src/mail.rs:1-4:2\n\
             order,src/audit.rs:1-8:2\n",
        ),
        // The file that is full of orders fills the first page.
        ("flat.toml", "[names.signals]\nfurther = 1.0\nlength = 0.0\n"),
    ]);
    let flat = bench.path("flat.toml");
    let run = bench.run_of("lost", &["--config", flat.to_str().unwrap()]);
    (bench, run)
}

#[test]
fn the_stage_that_lost_an_answer_is_named() {
    let (bench, run) = lost();
    let ended = bench.call(&["worst", run.shown()]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let wanted = [
        r#""shelf_table".*\n +src/schema\.rs:2-2: not indexed: generated"#,
        r#""the picture on top".*\n +web/logo\.bin:1-1: not indexed: not among the files"#,
        r#""zebra xylophone".*\n +src/mail\.rs:1-4: not retrieved by any lane \[\]"#,
        r#""order".*\n +src/audit\.rs:1-8: ranked low by every lane \(best: text #1\d\)"#,
        r#""total_price".*\n +src/cart\.rs:6-9: on the first page \[text #1"#,
        "targets of these 5 questions:\n",
        "(?m)^ +2  not indexed$",
        "(?m)^ +1  not retrieved by any lane$",
        "(?m)^ +1  ranked low by every lane$",
        "(?m)^ +1  on the first page$",
    ];
    wanted.iter().for_each(|pattern| assert_holds(pattern, &ended.out));
    // What came instead is shown, where something did.
    assert_holds(r"ranked low.*\n +instead: src/orders\.rs", &ended.out);
    // The worst comes first, the best last.
    assert!(ended.out.find("order").unwrap() < ended.out.find("total_price").unwrap());
}

#[test]
fn the_worst_may_be_few_and_by_another_metric() {
    let (bench, run) = lost();
    let args = ["worst", run.shown(), "-n", "2", "--metric", "tokens_to_hit", "--only", "lost/s"];
    let ended = bench.call(&args);
    assert_holds("targets of these 2 questions:", &ended.out);
    assert_holds(r"(?m)^32000\.000  lost/shop ", &ended.out);
    assert!(!ended.out.contains("total_price"), "{}", ended.out);

    let cases: [(&[&str], &str); 3] = [
        (&["--metric", "mrrr"], "has the metric mrrr"),
        (&["--only", "elsewhere"], "no question about words"),
        (&["--system", "ripgrep"], "only scent can be replayed"),
    ];
    for (more, says) in cases {
        assert_refused(&bench.call(&[&["worst", run.shown()], more].concat()), &[says]);
    }
}

/// The weights are those of the run.
#[test]
fn a_replay_has_the_weights_of_its_run() {
    let bench = Bench::new();
    bench.write(&[("weak.toml", WEAK)]);
    let weak = bench.run(&["--config", "weak.toml"]);
    let ended = bench.call(&["worst", weak.shown(), "-n", "10"]);
    assert_holds(
        r#""send the receipt.*\n +src/mail\.rs:1-4: not retrieved by any lane"#,
        &ended.out,
    );
}
