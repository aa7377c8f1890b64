//! Files that are not what their names promise: pipes, devices, links that lead
//! to them, and files without an end. Nothing may wait for one or fill the
//! memory with it.

use crate::world::*;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// What hangs is what fails.
const LIMIT: Duration = Duration::from_secs(20);

const CODE: &str = "def retry():\n    return 1\n";

/// What it is called, and how it is made.
type Kind = (&'static str, fn(&Path));

/// What is put in place of a file.
const KINDS: [Kind; 5] = [
    ("pipe", pipe),
    ("link to /dev/zero", |path| {
        symlink("/dev/zero", path).unwrap()
    }),
    ("link to a pipe", |path| {
        let target = path.with_file_name("target.fifo");
        pipe(&target);
        symlink(target, path).unwrap();
    }),
    ("folder", |path| fs::create_dir(path).unwrap()),
    ("file of 5 GB", |path| {
        fs::File::create(path).unwrap().set_len(5 << 30).unwrap()
    }),
];

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn within_limit(world: &World, args: &[&str]) -> Run {
    let run = ended(world.command().timeout(LIMIT).args(args));
    assert!(run.code.is_some(), "{args:?} did not end: {run:?}");
    run
}

/// Files that a search reads by their names, wherever they are.
#[test]
fn files_that_scent_reads_by_name() {
    for name in [
        ".gitignore",
        ".ignore",
        ".scentignore",
        "src/.gitignore",
        "src/.ignore",
        "src/.scentignore",
        ".git/info/exclude",
        ".git/commondir",
        ".gitmodules",
        "src/.git",
    ] {
        for (kind, make) in KINDS {
            let world = World::new(&[(".git/HEAD", "x\n"), ("src/a.py", CODE), ("b.py", CODE)]);
            let path = world.root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            make(&path);
            let run = within_limit(&world, &["def", "retry"]);
            let what = format!("{name} is a {kind}");
            assert_eq!(run.code, Some(0), "{what}: {run:?}");
            let nested = (name, kind) == ("src/.git", "folder");
            assert_eq!(run.out.contains("src/a.py"), !nested, "{what}: {}", run.out);
            let is_rules = name.ends_with("ignore") && kind != "folder";
            let skipped = within_limit(&world, &["status", "--skipped"]);
            assert_eq!(
                skipped.out.contains("its rules: "),
                is_rules,
                "{what}: {}",
                skipped.out
            );
        }
    }
}

/// `.git` says where a repository is; the files there say it of another folder.
#[test]
fn a_git_file_may_be_anything() {
    for (kind, make) in KINDS {
        let world = World::new(&[("a.py", CODE)]);
        make(&world.root.join(".git"));
        assert_eq!(
            within_limit(&world, &["def", "retry"]).code,
            Some(0),
            "{kind}"
        );
        for name in ["commondir", "gitdir"] {
            let world = World::new(&[("a.py", CODE), ("own/HEAD", "x\n")]);
            world.write(".git", "gitdir: own\n");
            make(&world.root.join("own").join(name));
            assert_eq!(
                within_limit(&world, &["def", "retry"]).code,
                Some(0),
                "{name}: {kind}"
            );
        }
    }
}

/// The rules of folders above a project count for nothing, so nothing there is
/// opened.
#[test]
fn ignore_files_above_a_project_are_not_read() {
    let world = World::new(&[("in/.git/HEAD", "x\n"), ("in/a.py", CODE)]);
    for name in [".gitignore", ".ignore", ".scentignore"] {
        pipe(&world.root.join(name));
    }
    let mut command = world.command();
    let run = ended(
        command
            .current_dir(world.root.join("in"))
            .timeout(LIMIT)
            .args(["def", "retry"]),
    );
    assert_eq!(run.code, Some(0), "{run:?}");
}

#[test]
fn files_that_are_given_by_name() {
    let world = World::new(&[]);
    for (nth, (kind, make)) in KINDS.into_iter().enumerate() {
        let name = format!("{nth}/given.py");
        fs::create_dir_all(world.root.join(nth.to_string())).unwrap();
        make(&world.root.join(&name));
        for command in ["units", "outline"] {
            let run = within_limit(&world, &[command, &name]);
            if (command, kind) == ("outline", "folder") {
                assert_eq!(run.code, Some(1), "nothing is in it: {run:?}");
                continue;
            }
            assert_eq!(run.code, Some(2), "{command} of a {kind}: {run:?}");
            let why = ["not a regular file", "a folder", "larger than"];
            assert!(
                why.iter().any(|why| run.err.contains(why)),
                "{kind}: {}",
                run.err
            );
        }
    }
    assert_eq!(within_limit(&world, &["units", "/dev/zero"]).code, Some(2));
}

/// What was indexed may be something else when it is read again.
#[test]
fn files_that_change_their_kind() {
    for (kind, make) in KINDS {
        let world = World::new(&[("a.py", CODE), ("b.py", "def other():\n    retry()\n")]);
        assert_eq!(within_limit(&world, &["def", "retry"]).code, Some(0));
        fs::remove_file(world.root.join("a.py")).unwrap();
        make(&world.root.join("a.py"));
        for args in [
            &["retry"] as &[&str],
            &["-F", "retry"],
            &["refs", "retry"],
            &["status"],
        ] {
            let run = within_limit(&world, args);
            assert!(run.code < Some(2), "{kind}: {args:?}: {run:?}");
            assert!(
                !run.out.contains("return 1"),
                "{kind}: {args:?}: {}",
                run.out
            );
        }
    }
}

/// A megabyte of patterns, each of which is made to take long.
#[test]
fn hostile_patterns() {
    let mega = 1 << 20;
    let lines = |line: &str| line.repeat(mega / line.len());
    for (about, text) in [
        ("many short ones", lines("a\n")),
        (
            "many different ones",
            (0..150_000).map(|n| format!("{n}\n")).collect(),
        ),
        (
            "many with wildcards",
            (0..100_000).map(|n| format!("*{n}*\n")).collect(),
        ),
        ("stars in all lines", lines("*a*a*a*a*a*a*a*a*a*a*a*a*b\n")),
        ("one line of stars", lines("*a")),
        ("one line of brackets", lines("[")),
        ("one line of classes", lines("[a-z]")),
        ("one line of alternatives", lines("{a,b}")),
        (
            "many lines of classes",
            lines("[a-z][!b-y]**/[[:alpha:]]?{a,b,c}\n"),
        ),
        ("no text", "\u{fffd}\u{0}\n".repeat(200_000)),
    ] {
        let world = World::new(&[("a.py", CODE)]);
        for n in 0..50 {
            world.write(&format!("src/{}.py", "a".repeat(n + 1)), CODE);
        }
        world.write(".gitignore", &text.as_bytes()[..text.len().min(mega)]);
        let run = within_limit(&world, &["status", "--skipped"]);
        assert!(run.code.is_some(), "{about}");
        let run = within_limit(&world, &["index"]);
        assert_eq!(run.code, Some(0), "{about}: {run:?}");
    }
}

/// Patterns and names that take long to compare, as long as names are kept.
#[test]
fn hostile_names() {
    let name = "a".repeat(100) + "b";
    let names: String = (0..500)
        .map(|n| format!("def {name}{n}():\n    pass\n"))
        .collect();
    let world = World::new(&[("a.py", names.as_str()), ("b.py", CODE)]);
    assert_holds(
        &world.found(&["def", "*ab499"]),
        &["function aaa"],
        "the names are there",
    );
    let (stars, long) = ("*a".repeat(30) + "*b", "a".repeat(100_000));
    let words = "retry request again ".repeat(6_000);
    for args in [
        &["def", &stars] as &[&str],
        &["refs", &stars],
        &["def", &long],
        &["refs", &long],
        &["impact", &long],
        &["callpath", &long, &stars],
        &["retry", "--name", &stars],
        &["retry", "--path", &stars],
        &[&long],
        &[&words],
    ] {
        let run = within_limit(&world, args);
        assert!(
            run.code < Some(2),
            "{:?}: {}",
            &args[0][..args[0].len().min(20)],
            run.err
        );
    }
}

/// Files of a repository that git would wait for, or fill the memory with.
#[test]
fn files_that_git_reads_first() {
    for name in [
        "HEAD",
        "config",
        "commondir",
        "packed-refs",
        "objects/info/alternates",
    ] {
        for (kind, make) in KINDS.into_iter().filter(|(kind, _)| *kind != "folder") {
            let world = World::new(&[("a.py", CODE)]);
            for folder in ["refs", "objects/info"] {
                fs::create_dir_all(world.root.join(".git").join(folder)).unwrap();
            }
            if name != "HEAD" {
                world.write(".git/HEAD", "ref: refs/heads/main\n");
            }
            make(&world.root.join(".git").join(name));
            let run = within_limit(&world, &["impact", "--diff", "HEAD"]);
            assert_eq!(run.code, Some(2), "{name} is a {kind}: {run:?}");
            assert_holds(&run.err, &[name, "not a file that git can read"], kind);
        }
    }
}
