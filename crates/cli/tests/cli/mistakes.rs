//! What a mistake on the command line is answered with.

use crate::world::*;

#[test]
fn an_error_says_what_to_do_next() {
    let world = World::sample();
    world.found(&["index", "--quiet"]);
    let mistakes: [(&[&str], &str); 18] = [
        (&["where", "is"], "`scent 'where is'`"),
        (&["retry", "lang:rust"], "`scent 'retry lang:rust'`"),
        (&["serch", "retry"], "did you mean `scent search retry`?"),
        (&["retry", "src/no.rs"], "src/no.rs: no such file or folder"),
        (&["retry", "--langs", "rust"], "'--lang'"),
        (&["retry", "--lang", "rst"], "rust"),
        (&["retry", "-k", "-1"], "give a number from 1 on"),
        (&["retry", "--per-file", "0"], "give a number from 1 on"),
        (&["retry", "--max-tokens", "-5"], "give a number"),
        (&["retry", "-C", "x"], "windows, lines, smart, none"),
        (&[], "scent [OPTIONS] QUERY [PATH]..."),
        (&["similar", "src/retry.rs"], "PATH:LINE"),
        (
            &["similar", "src/retry.rs:99"],
            "`scent units src/retry.rs`",
        ),
        (&["refs", "x", "--role", "caller"], "there are: call, type"),
        (
            &["impact", "--diff", "x"],
            "cannot tell what changed since x",
        ),
        (&["man", "nosuch"], "`scent --help` lists the commands"),
        (&["completions", "tcsh"], "zsh"),
        (&["retry", "--path", "["], "not a glob"),
    ];
    for (args, advice) in mistakes {
        assert_holds(&world.refused(args), &[advice], &args.join(" "));
    }
}

#[test]
fn words_without_quotes_are_answered() {
    let world = World::sample();
    let run = world.run(&["how", "long", "to", "wait", "--keyword-only"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_holds(
        &run.err,
        &["quote them: `scent 'how long to wait'`"],
        "note",
    );
    let quoted = world.run(&["how long to wait", "--keyword-only"]);
    assert_eq!(run.out, quoted.out);
}

#[test]
fn an_answer_without_results_says_why() {
    let world = World::sample();
    for (args, why, want) in [
        (
            &["retry lang:php"][..],
            "nothing found in",
            "without lang:php",
        ),
        (
            &["retry", "--keyword-only", "--kind", "rule"],
            "nothing found in",
            "without kind:rule",
        ),
        (
            &["zzzzqqqq", "--keyword-only"],
            "no unit contains zzzzqqqq (searched ",
            " units of ",
        ),
    ] {
        let run = world.run(args);
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{args:?}");
        assert_holds(&run.err, &[why, want], &args.join(" "));
        assert_eq!(run.err.lines().count(), 1, "{args:?}");
    }
}

#[test]
fn a_search_for_a_mistyped_command_suggests_it() {
    let world = World::new(&[("a.txt", "nothing of the kind\n")]);
    let run = world.run(&["languges", "--keyword-only"]);
    assert_eq!(run.code, Some(1));
    assert_holds(&run.err, &["did you mean `scent languages`?"], "a typo");
}

#[test]
fn help_is_found_wherever_it_is_asked() {
    let world = World::sample();
    let refs = world.found(&["refs", "--help"]);
    assert_holds(
        &refs,
        &["Find the references", "Examples:", "Exit status:"],
        "refs",
    );
    assert_eq!(world.found(&["--help", "refs"]), refs);
    assert_eq!(world.found(&["help", "refs"]), refs);
    let program = world.found(&["--help"]);
    let parts = [
        "Examples:",
        "Query syntax:",
        "SCENT_DATA_DIR",
        "NO_COLOR",
        "callpath",
    ];
    assert_holds(&program, &parts, "the program");
    assert!(world.found(&["-h"]).len() < program.len());
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let world = World::sample();
    let program = world.found(&["man"]);
    assert_holds(&program, &[".TH scent", "scent\\-callpath(1)"], "scent.1");
    let page = world.found(&["man", "model", "use"]);
    assert_holds(
        &page,
        &[".TH scent-model-use", "ollama"],
        "scent-model-use.1",
    );
    let folder = world.home.join("man1");
    let run = world.run(&["man", "--out", folder.to_str().unwrap()]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(
        std::fs::read_to_string(folder.join("scent.1")).unwrap(),
        program
    );
    assert!(folder.join("scent-refs.1").exists());
}
