//! A run that goes on where it was.

use crate::corpus::{ABOUT_BOTH, Bench, Run};
use crate::{WEAK, assert_refused};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// Goes on with a run; which repositories were asked about again.
fn asked_again(bench: &Bench, run: &Run) -> Vec<&'static str> {
    let time = SystemTime::now() - Duration::from_secs(3600);
    let files = ["shop", "desk"].map(|corpus| run.rows_file("scent", "tiny", corpus));
    for file in files.iter().filter(|file| file.exists()) {
        fs::File::options()
            .write(true)
            .open(file)
            .unwrap()
            .set_modified(time)
            .unwrap();
    }
    let again = bench.run(&["--resume"]);
    assert_eq!(again.folder, run.folder);
    assert_eq!(again.suite().questions, ABOUT_BOTH);
    assert_eq!(again.rows("scent").len(), ABOUT_BOTH);
    let written = |file: &PathBuf| fs::metadata(file).unwrap().modified().unwrap() != time;
    ["shop", "desk"]
        .into_iter()
        .zip(files)
        .filter(|(_, f)| written(f))
        .map(|(c, _)| c)
        .collect()
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
    for more in [
        ["--config", "weak.toml"],
        ["--only", "shop"],
        ["--split", "dev"],
    ] {
        let ended = bench.try_run(&[&["--resume"], &more[..]].concat());
        assert_refused(&ended, &["the newest run asked something else"]);
    }
    assert_eq!(bench.run(&["--resume"]).read("RESULTS.json"), before);
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
    assert_refused(
        &bench.try_run(&["--resume"]),
        &["there is no run to go on with"],
    );
}
