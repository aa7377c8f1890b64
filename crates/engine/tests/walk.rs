//! What of a folder is indexed, and why the rest is not.

mod project;

use project::{Project, pattern, words};
use scent_engine::{Refresh, targets};
use scent_index::State;
use scent_types::{Response, Syntax};

/// A project, and what becomes of each of its files: `path` for one that is
/// indexed, `path: reason` for one that is left out and noted as such. Files
/// that are not named at all are ignored, as the user asked for.
struct Case {
    about: &'static str,
    files: &'static [(&'static str, &'static str)],
    want: &'static [&'static str],
}

const DEPENDENCIES: &str = "folder of dependencies or caches";

fn check(case: &Case) {
    let project = Project::new(case.files);
    assert_eq!(seen(&project), case.want, "{}", case.about);
}

fn seen(project: &Project) -> Vec<String> {
    let update = project.update();
    let files = update.snapshot.table().files.iter();
    let line = |file: &scent_index::FileRecord| match &file.state {
        State::Indexed { .. } => file.path.clone(),
        State::Skipped(reason) => format!("{}: {reason}", file.path),
    };
    files.map(line).collect()
}

const CODE: &str = "fn retry() {}\n";

#[test]
#[allow(clippy::too_many_lines)] // a table of cases
fn ignore_files_decide() {
    let cases = [
        Case {
            about: "a .gitignore counts without a repository, as for ripgrep with --no-require-git",
            files: &[
                (".gitignore", "*.log\n/top.rs\n"),
                ("a.log", "x\n"),
                ("top.rs", CODE),
                ("src/top.rs", CODE),
            ],
            want: &[".gitignore", "src/top.rs"],
        },
        Case {
            about: "a nested .gitignore counts below its folder and wins over the outer one",
            files: &[
                (".gitignore", "*.gen.rs\n"),
                ("a/.gitignore", "!keep.gen.rs\nlocal.rs\n"),
                ("a/keep.gen.rs", CODE),
                ("a/drop.gen.rs", CODE),
                ("a/local.rs", CODE),
                ("b/keep.gen.rs", CODE),
                ("b/local.rs", CODE),
            ],
            want: &[".gitignore", "a/.gitignore", "a/keep.gen.rs", "b/local.rs"],
        },
        Case {
            about: "a folder that is ignored is not entered",
            files: &[
                (".gitignore", "gen/\n!gen/a.rs\n"),
                ("gen/a.rs", CODE),
                ("src/a.rs", CODE),
            ],
            want: &[".gitignore", "src/a.rs"],
        },
        Case {
            about: ".git/info/exclude",
            files: &[
                (".git/HEAD", "x\n"),
                (".git/info/exclude", "private/\n"),
                ("private/a.rs", CODE),
                ("a.rs", CODE),
            ],
            want: &["a.rs"],
        },
        Case {
            about: ".ignore, which other search tools read",
            files: &[
                (".ignore", "fixtures/\n"),
                ("fixtures/a.rs", CODE),
                ("a.rs", CODE),
            ],
            want: &[".ignore", "a.rs"],
        },
        Case {
            about: ".scentignore leaves out what git keeps",
            files: &[
                (".scentignore", "legacy/\n"),
                ("legacy/a.rs", CODE),
                ("a.rs", CODE),
            ],
            want: &[".scentignore", "a.rs"],
        },
        Case {
            about: ".scentignore brings back files and folders that .gitignore leaves out",
            files: &[
                (".gitignore", "*.proto\ngen/\nother/\n"),
                (".scentignore", "!*.proto\n!gen/\n"),
                ("api/a.proto", "message A {}\n"),
                ("gen/a.rs", CODE),
                ("gen/b.proto", "message B {}\n"),
                ("other/a.rs", CODE),
            ],
            want: &[
                ".gitignore",
                ".scentignore",
                "api/a.proto",
                "gen/a.rs",
                "gen/b.proto",
            ],
        },
        Case {
            about: "a nested .scentignore counts below its folder",
            files: &[
                (".gitignore", "*.proto\n"),
                ("api/.scentignore", "!*.proto\n"),
                ("api/a.proto", "message A {}\n"),
                ("b.proto", "message B {}\n"),
            ],
            want: &[".gitignore", "api/.scentignore", "api/a.proto"],
        },
        Case {
            about: ".scentignore brings back what a tool wrote",
            files: &[
                (".scentignore", "!wanted.rs\n"),
                ("wanted.rs", "// @generated\nfn retry() {}\n"),
                ("other.rs", "// @generated\nfn retry() {}\n"),
            ],
            want: &[".scentignore", "other.rs: generated", "wanted.rs"],
        },
        Case {
            about: ".scentignore brings back a folder of dependencies",
            files: &[
                (".scentignore", "!node_modules/\n"),
                ("node_modules/a/index.js", "function retry() {}\n"),
                ("__pycache__/a.py", "pass\n"),
            ],
            want: &[
                ".scentignore",
                "__pycache__/: folder of dependencies or caches",
                "node_modules/a/index.js",
            ],
        },
    ];
    cases.iter().for_each(check);
}

#[test]
fn folders_of_dependencies_are_noted_and_others_are_in() {
    let left_out: &[(&str, &str)] = &[
        ("node_modules/a/index.js", "x\n"),
        ("web/node_modules/a/index.js", "x\n"),
        (".venv/lib/a.py", "x = 1\n"),
        ("pkg/__pycache__/a.py", "x = 1\n"),
        ("env/pyvenv.cfg", "home = /usr\n"),
        ("env/lib/a.py", "x = 1\n"),
        (
            "out/CACHEDIR.TAG",
            "Signature: 8a477f597d28d172789f06886806bc55\n",
        ),
        ("out/a.rs", CODE),
    ];
    let want = [
        "node_modules/",
        "web/node_modules/",
        ".venv/",
        "pkg/__pycache__/",
        "env/",
        "out/",
    ];
    let mut want = want.map(|folder| format!("{folder}: {DEPENDENCIES}"));
    want.sort();
    assert_eq!(seen(&Project::new(left_out)), want);

    check(&Case {
        about: "names that real projects use for source, and hidden files",
        files: &[
            (".github/workflows/ci.yaml", "on: push\n"),
            (".gitlab-ci.yml", "test: {}\n"),
            (".vscode/settings.json", "{}\n"),
            ("bin/run.sh", "echo\n"),
            ("build/a.rs", CODE),
            ("dist/a.rs", CODE),
            ("lib/a.rs", CODE),
            ("output/a.rs", CODE),
            ("target/a.rs", CODE),
            ("vendor/a.go", "package a\n"),
        ],
        want: &[
            ".github/workflows/ci.yaml",
            ".gitlab-ci.yml",
            ".vscode/settings.json",
            "bin/run.sh",
            "build/a.rs",
            "dist/a.rs",
            "lib/a.rs",
            "output/a.rs",
            "target/a.rs",
            "vendor/a.go",
        ],
    });
    check(&Case {
        about: "a file may have the name of a folder that is left out",
        files: &[("node_modules", "text\n"), ("src/.cache", "text\n")],
        want: &["node_modules", "src/.cache"],
    });
}

#[test]
#[allow(clippy::too_many_lines)] // a table of cases
fn repositories_within_a_repository() {
    let cases = [
        Case {
            about: "the data of version control is never shown",
            files: &[
                (".git/HEAD", "x\n"),
                (".hg/store", "x\n"),
                (".jj/x", "x\n"),
                ("a/.svn/x", "x\n"),
                ("a.rs", CODE),
            ],
            want: &["a.rs"],
        },
        Case {
            about: "a submodule is in",
            files: &[
                (".git/HEAD", "x\n"),
                (".git/modules/x/HEAD", "x\n"),
                ("x/.git", "gitdir: ../.git/modules/x\n"),
                ("x/a.rs", CODE),
            ],
            want: &["x/a.rs"],
        },
        Case {
            about: "a submodule of an older git, whose data is in place, is in",
            files: &[
                (".git/HEAD", "x\n"),
                (
                    ".gitmodules",
                    "[submodule \"x\"]\n\tpath = third/x\n\turl = ../x\n",
                ),
                ("third/x/.git/HEAD", "x\n"),
                ("third/x/a.rs", CODE),
            ],
            want: &[".gitmodules", "third/x/a.rs"],
        },
        Case {
            about: "another worktree of a repository is out",
            files: &[
                (".git/HEAD", "x\n"),
                (
                    "trees/x/.git",
                    "gitdir: /home/me/project/.git/worktrees/x\n",
                ),
                ("trees/x/a.rs", CODE),
                ("a.rs", CODE),
            ],
            want: &["a.rs", "trees/x/: another worktree of a repository"],
        },
        Case {
            about: "a repository of its own is out",
            files: &[
                (".git/HEAD", "x\n"),
                ("clone/.git/HEAD", "x\n"),
                ("clone/a.rs", CODE),
                ("a.rs", CODE),
            ],
            want: &["a.rs", "clone/: a repository of its own"],
        },
        Case {
            about: "a folder of repositories holds them all",
            files: &[
                ("one/.git/HEAD", "x\n"),
                ("one/a.rs", CODE),
                ("two/.git/HEAD", "x\n"),
                ("two/a.rs", CODE),
            ],
            want: &["one/a.rs", "two/a.rs"],
        },
        Case {
            about: "the rules of a repository in a folder of repositories are its own",
            files: &[
                ("one/.git/info/exclude", "b.rs\n"),
                ("one/.gitignore", "c.rs\n"),
                ("one/a.rs", CODE),
                ("one/b.rs", CODE),
                ("one/c.rs", CODE),
                ("two/b.rs", CODE),
                ("two/c.rs", CODE),
            ],
            want: &["one/.gitignore", "one/a.rs", "two/b.rs", "two/c.rs"],
        },
    ];
    cases.iter().for_each(check);
}

#[test]
fn contents_decide() {
    let minified = format!("var a={};\n", "f()+".repeat(2_000));
    let files: &[(&str, &[u8])] = &[
        ("a.bin", b"\x7fELF\0\0\x01"),
        ("a.rs", b"fn a() {}\0"),
        ("app.js", minified.as_bytes()),
        ("jquery.min.js", b"f()\n"),
        ("one_long_line.txt", minified.as_bytes()),
        (
            "api.pb.go",
            b"// Code generated by protoc-gen-go. DO NOT EDIT.\npackage api\n",
        ),
        ("quoted.rs", b"const MARK: &str = \"@generated\";\n"),
        ("Cargo.lock", b"version = 4\n"),
        ("web/package-lock.json", b"{}\n"),
        ("go.sum", b"a v1 h1:x\n"),
        ("latin1.txt", b"caf\xe9\n"),
        ("only_blank.txt", b"\n\n"),
    ];
    let update = Project::new(files).update();
    let reason = |path: &str| match &update
        .snapshot
        .table()
        .find(path)
        .unwrap_or_else(|| panic!("{path}"))
        .state
    {
        State::Indexed { .. } => String::new(),
        State::Skipped(reason) => reason.to_string(),
    };
    let cases = [
        ("a.bin", "binary"),
        ("a.rs", "binary"),
        ("app.js", "minified"),
        ("jquery.min.js", "minified"),
        ("one_long_line.txt", ""),
        ("api.pb.go", "generated"),
        ("quoted.rs", ""),
        ("Cargo.lock", "generated"),
        ("web/package-lock.json", "generated"),
        ("go.sum", "generated"),
        ("latin1.txt", ""),
        ("only_blank.txt", ""),
    ];
    for (path, want) in cases {
        assert_eq!(reason(path), want, "{path}");
    }
}

/// The settings that change what is in, each with a file that shows it.
#[test]
#[allow(clippy::too_many_lines)] // a table of cases
fn settings_decide() {
    let minified = format!("var a={};\n", "f()+".repeat(2_000));
    let files = [
        ("big.txt", "x\n".repeat(600)),
        ("gen.rs", "// @generated\nfn retry() {}\n".to_owned()),
        ("app.js", minified),
    ];
    let mut project = Project::new(&files);
    project.settings.max_file_size = 1_000;
    let too_large = "larger than index.max_file_size";
    assert_eq!(
        seen(&project),
        [
            format!("app.js: {too_large}"),
            format!("big.txt: {too_large}"),
            "gen.rs: generated".into()
        ]
    );
    project.settings.max_file_size = 1_200;
    assert_eq!(
        seen(&project)[1],
        "big.txt",
        "a file of just that size is in"
    );
    project.settings.max_file_size = 100_000;
    project.settings.include_generated = true;
    assert_eq!(seen(&project), ["app.js: minified", "big.txt", "gen.rs"]);
    project.settings.include_minified = true;
    assert_eq!(seen(&project), ["app.js", "big.txt", "gen.rs"]);
}

/// The line of the only hit that matters, and its text.
fn matched(response: &Response) -> Vec<(u32, String)> {
    let lines = response.hits.iter().flat_map(|hit| &hit.excerpt);
    let matched = lines.filter(|line| !line.matches.is_empty());
    matched
        .map(|line| (line.number, line.text.clone()))
        .collect()
}

/// However lines end and bytes are written, numbers are those an editor shows.
#[test]
fn line_numbers_are_right_in_any_encoding() {
    let text = "one\ntwo\n\nneedle here\nfive\n";
    let utf16 = |mark: &[u8], encode: fn(u16) -> [u8; 2]| {
        let units = text.encode_utf16().flat_map(encode);
        mark.iter().copied().chain(units).collect::<Vec<u8>>()
    };
    let cases: Vec<(&str, Vec<u8>, u32)> = vec![
        ("plain", text.into(), 4),
        ("no last line end", "one\ntwo\n\nneedle here".into(), 4),
        ("CRLF", text.replace('\n', "\r\n").into(), 4),
        (
            "mixed ends",
            "one\r\ntwo\n\r\nneedle here\r\nfive".into(),
            4,
        ),
        (
            "a lone CR ends no line",
            "one\rtwo\nneedle here\r\n".into(),
            2,
        ),
        ("byte order mark", format!("\u{feff}{text}").into(), 4),
        ("mark before the word", "\u{feff}needle here\n".into(), 1),
        (
            "UTF-16, little end first",
            utf16(b"\xff\xfe", u16::to_le_bytes),
            4,
        ),
        (
            "UTF-16, big end first",
            utf16(b"\xfe\xff", u16::to_be_bytes),
            4,
        ),
        ("not UTF-8", b"caf\xe9\n\xff\xff\n\nneedle here\n".into(), 4),
        (
            "form feeds and line separators",
            "a\x0cb\u{2028}c\u{85}d\nneedle here\n".into(),
            2,
        ),
        (
            "a line of a megabyte",
            format!("{}\n\nneedle here\n", "word ".repeat(200_000)).into(),
            3,
        ),
        (
            "on the line of a megabyte",
            format!("a\n{}needle here\n", "x ".repeat(500_000)).into(),
            2,
        ),
        (
            "many lines",
            format!("{}needle here\n", "line\n".repeat(70_000)).into(),
            70_001,
        ),
    ];
    for (about, bytes, want) in cases {
        let project = Project::new(&[("a.txt", &bytes)]);
        for mut request in [words("needle"), pattern("needle here", Syntax::Literal)] {
            request.excerpt.max_columns = usize::MAX;
            let found = matched(&project.search(&request, Refresh::Always));
            let [(line, text)] = found.as_slice() else {
                panic!("{about}: {}", found.len())
            };
            assert_eq!(*line, want, "{about}");
            assert!(text.ends_with("needle here"), "{about}: {text:?}");
        }
    }
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::ffi::OsStr;
    use std::fs;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::Command;

    /// What was indexed may be something else when its lines are read.
    #[test]
    fn what_came_in_place_of_a_file_is_not_read() {
        let outside = Project::new(&[("secret.rs", CODE)]);
        for kind in ["pipe", "/dev/zero", "link"] {
            let project = Project::new(&[("a.rs", CODE)]);
            project.update();
            project.remove("a.rs");
            let path = project.path("a.rs");
            match kind {
                "pipe" => assert!(
                    Command::new("mkfifo")
                        .arg(&path)
                        .status()
                        .unwrap()
                        .success()
                ),
                "link" => symlink(outside.path("secret.rs"), &path).unwrap(),
                device => symlink(device, &path).unwrap(),
            }
            let (sender, answered) = std::sync::mpsc::channel();
            std::thread::spawn(move || {
                let found = [words("retry"), pattern("retry", Syntax::Literal)]
                    .map(|request| project.search(&request, Refresh::Never));
                let (engine, root) = (project.engine(), project.root.clone());
                let defined = engine.open(&root).definitions("retry", 9).unwrap();
                sender
                    .send((found, defined.definitions[0].text.clone()))
                    .unwrap();
            });
            // What waits for a pipe waits for ever.
            let limit = std::time::Duration::from_secs(20);
            let ([by_words, by_text], defined) = answered.recv_timeout(limit).expect(kind);
            assert_eq!(
                (
                    by_words.hits[0].excerpt[0].text.as_str(),
                    by_text.hits.len()
                ),
                ("", 0),
                "{kind}"
            );
            assert_eq!(defined, "", "{kind}");
        }
    }

    #[test]
    fn links_are_noted_and_not_followed() {
        let outside = Project::new(&[("secret.rs", CODE)]);
        let project = Project::new(&[("src/a.rs", CODE)]);
        let links = [
            (project.root.clone(), "src/loop"),
            (project.path("src"), "again"),
            (project.path("src/a.rs"), "b.rs"),
            (outside.root.clone(), "outside"),
            (outside.path("secret.rs"), "secret.rs"),
            ("nowhere".into(), "broken.rs"),
        ];
        for (target, link) in &links {
            symlink(target, project.path(link)).unwrap();
        }
        let want = [
            "again",
            "b.rs",
            "broken.rs",
            "outside",
            "secret.rs",
            "src/a.rs",
            "src/loop",
        ]
        .map(|p| {
            if p == "src/a.rs" {
                p.to_owned()
            } else {
                format!("{p}: symbolic link")
            }
        });
        assert_eq!(seen(&project), want);
    }

    #[test]
    fn a_root_may_be_reached_through_a_link() {
        let project = Project::new(&[(".git/HEAD", "x\n"), ("src/a.rs", CODE)]);
        let link = project.data.with_file_name("link");
        symlink(&project.root, &link).unwrap();
        let targets = targets(&[link.join("src")], false).unwrap();
        assert_eq!(targets.len(), 1);
        assert_eq!(
            (&targets[0].root, &targets[0].scope[..]),
            (&project.root, &["src".into()][..])
        );
    }

    #[test]
    fn what_is_no_file_is_not_opened() {
        let project = Project::new(&[("a.rs", CODE)]);
        let made = Command::new("mkfifo")
            .arg(project.path("pipe.rs"))
            .status()
            .unwrap();
        assert!(made.success());
        let _socket = std::os::unix::net::UnixListener::bind(project.path("socket.rs")).unwrap();
        let special = "not a regular file";
        let want = [
            "a.rs".into(),
            format!("pipe.rs: {special}"),
            format!("socket.rs: {special}"),
        ];
        assert_eq!(seen(&project), want);
    }

    #[test]
    fn what_cannot_be_read_is_noted() {
        let project = Project::new(&[("a.rs", CODE), ("b.rs", CODE), ("locked/c.rs", CODE)]);
        let close = |path: &str| {
            fs::set_permissions(project.path(path), fs::Permissions::from_mode(0o0)).unwrap()
        };
        close("b.rs");
        close("locked");
        // Whoever may read everything, as root does, cannot be refused.
        if fs::read(project.path("b.rs")).is_ok() {
            return;
        }
        let denied = "unreadable: Permission denied (os error 13)";
        let want = [
            "a.rs".into(),
            format!("b.rs: {denied}"),
            format!("locked: {denied}"),
        ];
        assert_eq!(seen(&project), want);
        fs::set_permissions(project.path("locked"), fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(seen(&project)[2], "locked/c.rs");
    }

    /// Names are bytes here. Such a file is found, shown as well as can be, and
    /// opened by its real name.
    #[test]
    fn names_need_not_be_text() {
        let project = Project::new(&[("a.rs", CODE)]);
        let name = OsStr::from_bytes(b"caf\xe9/na\xefve.rs");
        // Not every file system takes such names.
        if fs::create_dir(project.root.join(OsStr::from_bytes(b"caf\xe9"))).is_err() {
            return;
        }
        fs::write(project.root.join(name), "fn needle() {}\n").unwrap();
        let seen = seen(&project);
        assert_eq!(seen.len(), 2, "{seen:?}");
        assert!(
            seen[1].starts_with("caf") && seen[1].ends_with("ve.rs"),
            "{seen:?}"
        );
        for request in [words("needle"), pattern("needle", Syntax::Literal)] {
            let found = project.search(&request, Refresh::Always);
            assert_eq!(matched(&found), [(1, "fn needle() {}".into())]);
            assert!(found.notes.is_empty(), "{:?}", found.notes);
        }
        fs::write(project.root.join(name), "fn other() {}\n").unwrap();
        project.check_as_fresh(&[words("needle"), words("other")], "after an edit");
    }

    #[test]
    fn names_may_hold_anything() {
        let names = [
            "new\nline.rs",
            "quote\".rs",
            "back\\slash.rs",
            "glob[*].rs",
            "-dash.rs",
            " .rs",
        ];
        // Equal texts would be one result.
        let texts =
            [0, 1, 2, 3, 4, 5].map(|nth| format!("{CODE}// {nth}\nfn retry_{nth}() {{}}\n"));
        let mut files = Vec::new();
        for (name, text) in names.iter().zip(&texts) {
            files.push((*name, text.as_str()));
        }
        let project = Project::new(&files);
        let found = project.search(&words("retry"), Refresh::Always);
        let mut paths: Vec<&str> = found.hits.iter().map(|hit| hit.path.as_str()).collect();
        paths.sort_unstable();
        paths.dedup();
        let mut names = names;
        names.sort_unstable();
        assert_eq!(paths, names);
        project.check_as_fresh(&[words("retry")], "odd names");
    }
}
