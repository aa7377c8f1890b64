//! `scent impact --diff`: what changed since a commit, and that nothing which a
//! repository names is run to find out.

use crate::world::*;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// git with nothing of the user who runs the test; what it says is dropped.
fn git_in(world: &World, folder: &Path, args: &[&str]) -> Option<String> {
    let mut git = Command::new("git");
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("GIT_")) {
        git.env_remove(name);
    }
    let me = [
        "-c",
        "user.name=me",
        "-c",
        "user.email=me@example.org",
        "-c",
        "gc.auto=0",
    ];
    git.env("HOME", &world.home)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_TERMINAL_PROMPT", "0");
    git.current_dir(folder)
        .args(me)
        .args(args)
        .stdin(std::process::Stdio::null());
    let output = git.output().unwrap();
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn git(world: &World, args: &[&str]) -> String {
    git_in(world, &world.root, args).unwrap_or_else(|| panic!("git {args:?} failed"))
}

const ONE: &str = "def first():\n    return 1\n\n\ndef second():\n    return 2\n";
const TWO: &str = "def third():\n    return first()\n";

/// A repository of one commit, unless there is no git here.
fn repository() -> Option<World> {
    if Command::new("git").arg("--version").output().is_err() {
        println!("skipped: there is no git here");
        return None;
    }
    let world = World::new(&[("one.py", ONE), ("sub/two.py", TWO), ("empty.py", "")]);
    git(&world, &["init", "-q", "-b", "main"]);
    commit(&world);
    Some(world)
}

fn commit(world: &World) {
    git(world, &["add", "-A"]);
    git(world, &["commit", "-q", "-m", "all"]);
}

/// The names that changed since a commit, as `path name`.
fn changed(world: &World, args: &[&str]) -> Vec<String> {
    let run = world.run(&[&["impact", "--json", "--diff"], args].concat());
    let answer: Value = serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {run:?}"));
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let changed = answer["changed"]
        .as_array()
        .unwrap_or_else(|| panic!("{run:?}"))
        .iter();
    changed
        .map(|place| text(&place["path"]) + " " + &text(&place["qualified_name"]))
        .collect()
}

/// An edit, and what changed with it.
struct Edit {
    about: &'static str,
    make: fn(&World),
    want: &'static [&'static str],
}

const EDITS: [Edit; 15] = [
    Edit {
        about: "nothing",
        make: |_| {},
        want: &[],
    },
    Edit {
        about: "one line",
        make: |world| world.write("one.py", ONE.replace("2", "3")),
        want: &["one.py second"],
    },
    Edit {
        about: "a line is gone",
        make: |world| world.write("one.py", ONE.replace("    return 2\n", "")),
        want: &["one.py second"],
    },
    Edit {
        about: "an edit that is committed and one that is staged",
        make: |world| {
            world.write("one.py", ONE.replace("2", "3"));
            git(world, &["commit", "-q", "-a", "-m", "more"]);
            git(world, &["tag", "-f", "later"]);
            world.write("sub/two.py", TWO.replace("first", "second"));
            git(world, &["add", "-A"]);
        },
        want: &["one.py second", "sub/two.py third"],
    },
    Edit {
        about: "a new file",
        make: |world| world.write("new/four.py", "def fourth():\n    pass\n"),
        want: &["new/four.py fourth"],
    },
    Edit {
        about: "a file that git ignores",
        make: |world| {
            world.write(".git/info/exclude", "made.py\n");
            world.write("made.py", "def made():\n    pass\n");
        },
        want: &[],
    },
    Edit {
        about: "an ignored file that is brought back has no history",
        make: |world| {
            world.write(".git/info/exclude", "made.py\n.scentignore\n");
            world.write(".scentignore", "!made.py\n");
            world.write("made.py", "def made():\n    pass\n");
        },
        want: &[],
    },
    Edit {
        about: "a file is gone",
        make: |world| fs::remove_file(world.root.join("one.py")).unwrap(),
        want: &[],
    },
    Edit {
        about: "another name",
        make: |world| {
            fs::rename(world.root.join("one.py"), world.root.join("uno.py")).unwrap();
        },
        want: &["uno.py first", "uno.py second"],
    },
    Edit {
        about: "other line ends",
        make: |world| world.write("one.py", ONE.replace('\n', "\r\n")),
        want: &[],
    },
    Edit {
        about: "other line ends, and one line",
        make: |world| world.write("one.py", ONE.replace('\n', "\r\n").replace("2", "3")),
        want: &["one.py second"],
    },
    Edit {
        about: "no last line end",
        make: |world| world.write("one.py", ONE.trim_end()),
        want: &[],
    },
    Edit {
        about: "a file is emptied, and an empty one is filled",
        make: |world| {
            world.write("one.py", "");
            world.write("empty.py", "def filled():\n    pass\n");
        },
        want: &["empty.py filled"],
    },
    Edit {
        about: "names that have to be quoted",
        make: |world| {
            world.write("a \"b\" ü.py", "def quoted():\n    pass\n");
            world.write(" lead.py", "def lead():\n    pass\n");
        },
        want: &[" lead.py lead", "a \"b\" ü.py quoted"],
    },
    Edit {
        about: "git shows differences in another form",
        make: |world| {
            for (key, value) in [
                ("diff.noprefix", "true"),
                ("diff.mnemonicPrefix", "true"),
                ("diff.srcPrefix", "x"),
                ("diff.algorithm", "patience"),
                ("color.ui", "always"),
                ("core.autocrlf", "true"),
            ] {
                git(world, &["config", key, value]);
            }
            world.write("one.py", ONE.replace("2", "3"));
        },
        want: &["one.py second"],
    },
];

#[test]
fn what_changed_is_found() {
    for Edit { about, make, want } in EDITS {
        let Some(world) = repository() else { return };
        git(&world, &["tag", "base"]);
        make(&world);
        assert_eq!(changed(&world, &["base"]), want, "{about}");
    }
}

/// Names with a line end or without an encoding, modes, and links.
#[cfg(unix)]
#[test]
fn odd_files_are_compared() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};
    let Some(world) = repository() else { return };
    let odd = world.root.join(OsStr::from_bytes(b"caf\xE9.py"));
    fs::write(&odd, ONE).unwrap();
    world.write("a\nb.py", ONE);
    symlink("one.py", world.root.join("link.py")).unwrap();
    commit(&world);
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(world.root.join("one.py"), mode).unwrap();
    assert_eq!(changed(&world, &["HEAD"]), [""; 0], "a mode");
    fs::write(&odd, ONE.replace("2", "3")).unwrap();
    world.write("a\nb.py", ONE.replace("1", "3"));
    assert_eq!(
        changed(&world, &["HEAD"]),
        ["a\nb.py first", "caf\\xE9.py second"],
        "names"
    );
    fs::remove_file(world.root.join("link.py")).unwrap();
    world.write("link.py", "def linked():\n    pass\n");
    assert!(
        changed(&world, &["HEAD"]).contains(&"link.py linked".to_owned()),
        "a link"
    );
}

#[test]
fn a_folder_of_a_repository_is_compared_too() {
    let Some(world) = repository() else { return };
    world.write("one.py", ONE.replace("2", "3"));
    world.write("sub/two.py", TWO.replace("first", "second"));
    world.write("sub/scent.toml", "");
    let run = ended(
        world
            .command()
            .current_dir(world.root.join("sub"))
            .args(["impact", "--diff", "HEAD", "--json"]),
    );
    assert_holds(&run.out, &["\"two.py\""], "paths inside");
    assert!(!run.out.contains("one.py"), "{}", run.out);
}

#[test]
fn what_cannot_be_compared_is_said() {
    let Some(world) = repository() else { return };
    let same = world.run(&["impact", "--diff", "HEAD"]);
    assert_eq!((same.code, same.out.as_str()), (Some(1), ""));
    assert_holds(&same.err, &["nothing changed since HEAD"], "nothing");
    assert!(!same.err.contains("no symbol is named"), "{}", same.err);
    world.write("notes.txt", "words\n");
    let text = world.run(&["impact", "--diff", "HEAD"]);
    assert_eq!(text.code, Some(1));
    assert_holds(
        &text.err,
        &["no definition changed since HEAD"],
        "no definition",
    );
    for (commit, says) in [
        ("nowhere", "no such commit"),
        ("--output=x", "not the name of a commit"),
        ("HEAD..HEAD", "no such commit"),
        ("HEAD:one.py", ""),
    ] {
        let diff = format!("--diff={commit}");
        assert_holds(&world.refused(&["impact", &diff]), &[says, commit], commit);
    }
    assert!(!world.root.join("x").exists());
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 20\n";
    world.write("big.py", pointer);
    commit(&world);
    for (text, code) in [
        ("def big():\n    pass\n", 1),
        ("def bigger():\n    pass\n", 0),
    ] {
        world.write("big.py", text);
        let run = world.run(&["impact", "--diff", "HEAD"]);
        assert_eq!(run.code, Some(code), "{text}: {run:?}");
        assert_holds(&run.err, &["big.py", "git-lfs", "sizes"], text);
    }
}

#[test]
fn submodules_are_left_alone() {
    let Some(world) = repository() else { return };
    let Some(other) = repository() else { return };
    let from = other.root.to_str().unwrap();
    git(
        &world,
        &[
            "-c",
            "protocol.file.allow=always",
            "submodule",
            "--quiet",
            "add",
            from,
            "lib",
        ],
    );
    commit(&world);
    world.write("lib/one.py", ONE.replace("2", "3"));
    world.write("one.py", ONE.replace("1", "3"));
    assert_eq!(changed(&world, &["HEAD"]), ["one.py first"]);
    let run = world.run(&["impact", "--diff", "HEAD"]);
    assert_holds(&run.err, &["lib", "submodule"], "the note");
}

#[test]
fn other_hashes_are_compared_by_contents() {
    let Some(world) = repository() else { return };
    fs::remove_dir_all(world.root.join(".git")).unwrap();
    git(&world, &["init", "-q", "--object-format=sha256"]);
    commit(&world);
    assert_eq!(changed(&world, &["HEAD"]), [""; 0]);
    world.write("one.py", ONE.replace("2", "3").replace('\n', "\r\n"));
    assert_eq!(changed(&world, &["HEAD"]), ["one.py second"]);
}

/// Programs that a repository can have git run.
#[cfg(unix)]
mod traps {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;
    use std::time::Duration;

    /// A trap, what springs it, and where to ask from.
    struct Trap {
        about: &'static str,
        set: fn(&World, &str),
        /// A call of plain git that runs the program, to show that the trap works.
        springs: &'static [&'static str],
        from: &'static str,
    }

    const TRAPS: [Trap; 12] = [
        Trap {
            about: "fsmonitor",
            set: |world, program| config(world, "core.fsmonitor", program),
            springs: &["status"],
            from: ".",
        },
        Trap {
            about: "textconv",
            set: |world, program| {
                config(world, "diff.trap.textconv", program);
                attribute(world, "diff=trap");
            },
            springs: &["diff", "HEAD"],
            from: ".",
        },
        Trap {
            about: "a program that shows differences",
            set: |world, program| config(world, "diff.external", program),
            springs: &["diff", "HEAD"],
            from: ".",
        },
        Trap {
            about: "a clean filter",
            set: |world, program| {
                config(world, "filter.trap.clean", program);
                attribute(world, "filter=trap");
            },
            springs: &["diff", "HEAD"],
            from: ".",
        },
        Trap {
            about: "a process filter",
            set: |world, program| {
                config(world, "filter.trap.process", program);
                attribute(world, "filter=trap");
            },
            springs: &["diff", "HEAD"],
            from: ".",
        },
        Trap {
            about: "a smudge filter",
            set: |world, program| {
                config(world, "filter.trap.smudge", program);
                attribute(world, "filter=trap");
            },
            springs: &["checkout", "-f", "one.py"],
            from: ".",
        },
        Trap {
            about: "the ssh command of a partial clone",
            set: |world, program| {
                config(world, "core.repositoryFormatVersion", "1");
                config(world, "extensions.partialClone", "origin");
                config(world, "remote.origin.promisor", "true");
                config(world, "remote.origin.url", "ssh://127.0.0.1/trap");
                config(world, "core.sshCommand", program);
                let id = git(world, &["rev-parse", "HEAD:one.py"]);
                let object = world
                    .root
                    .join(".git/objects")
                    .join(&id[..2])
                    .join(&id[2..]);
                fs::remove_file(object).unwrap();
            },
            springs: &["cat-file", "-p", "HEAD:one.py"],
            from: ".",
        },
        Trap {
            about: "a remote helper of a partial clone",
            set: |world, program| {
                config(world, "core.repositoryFormatVersion", "1");
                config(world, "extensions.partialClone", "origin");
                config(world, "remote.origin.promisor", "true");
                config(world, "remote.origin.url", &format!("ext::{program}"));
                config(world, "protocol.ext.allow", "always");
                let id = git(world, &["rev-parse", "HEAD:one.py"]);
                let object = world
                    .root
                    .join(".git/objects")
                    .join(&id[..2])
                    .join(&id[2..]);
                fs::remove_file(object).unwrap();
            },
            springs: &["cat-file", "-p", "HEAD:one.py"],
            from: ".",
        },
        Trap {
            about: "hooks",
            set: |world, program| {
                let hooks = world.root.join(".git/traps");
                fs::create_dir_all(&hooks).unwrap();
                for hook in [
                    "post-index-change",
                    "post-checkout",
                    "reference-transaction",
                ] {
                    fs::copy(program, hooks.join(hook)).unwrap();
                }
                config(world, "core.hooksPath", hooks.to_str().unwrap());
            },
            springs: &["checkout", "-f", "-b", "trap"],
            from: ".",
        },
        Trap {
            about: "other names and pagers",
            set: |world, program| {
                for name in ["ls-tree", "cat-file", "rev-parse", "trap"] {
                    config(world, &format!("alias.{name}"), &format!("!{program}"));
                    config(world, &format!("pager.{name}"), program);
                }
                config(world, "core.pager", program);
            },
            springs: &["trap"],
            from: ".",
        },
        Trap {
            about: "a program that checks signatures",
            set: |world, program| {
                config(world, "gpg.program", program);
                config(world, "log.showSignature", "true");
                let commit = git(world, &["cat-file", "commit", "HEAD"]);
                let signed =
                    "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n";
                fs::write(
                    world.home.join("commit"),
                    commit.replacen("\n\n", &format!("\n{signed}"), 1) + "\n",
                )
                .unwrap();
                let file = world.home.join("commit");
                let id = git(
                    world,
                    &["hash-object", "-t", "commit", "-w", file.to_str().unwrap()],
                );
                git(world, &["update-ref", "HEAD", &id]);
            },
            springs: &["log", "-1"],
            from: ".",
        },
        Trap {
            about: "a bare repository inside",
            set: |world, program| {
                let inside = world.root.join("sub/inside");
                fs::create_dir_all(&inside).unwrap();
                for part in ["HEAD", "objects", "refs"] {
                    let (from, to) = (world.root.join(".git").join(part), inside.join(part));
                    assert!(
                        Command::new("cp")
                            .arg("-r")
                            .arg(from)
                            .arg(to)
                            .status()
                            .unwrap()
                            .success()
                    );
                }
                let config = format!(
                    "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\t\
                     fsmonitor = {program}\n"
                );
                fs::write(inside.join("config"), config).unwrap();
            },
            springs: &["status"],
            from: "sub/inside",
        },
    ];

    fn config(world: &World, key: &str, value: &str) {
        git(world, &["config", key, value]);
    }

    fn attribute(world: &World, attribute: &str) {
        world.write(".git/info/attributes", format!("*.py {attribute}\n"));
    }

    /// A program that leaves a mark where it ran.
    fn program(world: &World) -> (PathBuf, PathBuf) {
        let (program, mark) = (world.home.join("program"), world.home.join("mark"));
        // One that went on might wait for git, which waits for it.
        let text = format!("#!/bin/sh\ntouch '{}'\nexit 1\n", mark.display());
        fs::write(&program, text).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        (program, mark)
    }

    #[test]
    fn nothing_that_a_repository_names_is_run() {
        for Trap {
            about,
            set,
            springs,
            from,
        } in TRAPS
        {
            let Some(world) = repository() else { return };
            let (program, mark) = program(&world);
            set(&world, program.to_str().unwrap());
            let _ = fs::remove_file(&mark);
            world.write("one.py", ONE.replace("2", "3"));
            let folder = world.root.join(from);
            for args in [
                &["index"] as &[&str],
                &["impact", "--diff", "HEAD"],
                &["--exact", "impact", "--diff", "HEAD"],
                &["impact", "--diff", "HEAD^{/all}"],
                &["impact", "one.py"],
                &["second"],
                &["def", "second"],
                &["refs", "second"],
                &["deps", "one.py"],
                &["outline", "one.py"],
                &["status"],
            ] {
                let mut command = world.command();
                let run = ended(
                    command
                        .current_dir(&folder)
                        .timeout(Duration::from_secs(60))
                        .args(args),
                );
                assert!(!mark.exists(), "{about}: {args:?} ran it: {run:?}");
                assert!(run.code.is_some(), "{about}: {args:?}: {run:?}");
            }
            git_in(&world, &folder, springs);
            assert!(mark.exists(), "{about}: git {springs:?} does not run it");
        }
    }

    #[test]
    fn traps_do_not_change_answers() {
        for Trap { about, set, .. } in TRAPS
            .into_iter()
            .filter(|trap| !trap.about.contains("partial"))
        {
            let Some(world) = repository() else { return };
            set(&world, program(&world).0.to_str().unwrap());
            world.write("one.py", ONE.replace("2", "3"));
            assert_eq!(changed(&world, &["HEAD"]), ["one.py second"], "{about}");
        }
    }

    /// Contents that only a fetch would bring are said to be missing.
    #[test]
    fn a_partial_clone_is_not_completed() {
        let Some(world) = repository() else { return };
        let (program, mark) = program(&world);
        let trap = TRAPS
            .into_iter()
            .find(|trap| trap.about.contains("ssh"))
            .unwrap();
        (trap.set)(&world, program.to_str().unwrap());
        assert_eq!(
            changed(&world, &["HEAD"]),
            [""; 0],
            "what is the same needs no contents"
        );
        world.write("one.py", ONE.replace("2", "3"));
        assert_eq!(
            changed(&world, &["HEAD"]),
            ["one.py first", "one.py second"]
        );
        assert_holds(
            &world.run(&["impact", "--diff", "HEAD"]).err,
            &["partial clone"],
            "the note",
        );
        assert!(!mark.exists());
    }

    /// A git that does not end is stopped: its configuration is a pipe.
    #[test]
    fn a_git_that_hangs_is_stopped() {
        let Some(world) = repository() else { return };
        world.found(&["def", "first"]);
        let pipe = world.home.join("pipe");
        assert!(
            Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        config(&world, "include.path", pipe.to_str().unwrap());
        let mut command = world.command();
        let run = ended(
            command
                .timeout(Duration::from_secs(60))
                .args(["impact", "--diff", "HEAD"]),
        );
        assert_eq!(run.code, Some(2), "{run:?}");
        assert_holds(&run.err, &["seconds"], "the reason");
    }
}
