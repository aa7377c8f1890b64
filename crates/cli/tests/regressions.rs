//! Defects that were found and mended once, each kept from coming back. The
//! comment says what went wrong.

#[path = "../../engine/tests/project/mod.rs"]
mod project;

use project::{Project, modified, pattern, set_modified, words};
use scent_engine::{Refresh, Silent};
use scent_types::Syntax;
use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

fn long_ago() -> SystemTime {
    SystemTime::now() - Duration::from_secs(3600)
}

/// How a run of the program in a project ended: code, output, errors.
fn scent(project: &Project, args: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_scent"));
    command
        .current_dir(&project.root)
        .env("HOME", &project.data)
        .env("RUST_BACKTRACE", "0");
    let output = command
        .env("SCENT_DATA_DIR", &project.data)
        .args(args)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// A file without a line has no unit and is no trouble.
#[test]
fn empty_files_are_files() {
    for name in [
        "__init__.py",
        "a.rs",
        "empty.md",
        "a.json",
        ".gitkeep",
        "notes.txt",
    ] {
        let project = Project::new(&[(name, ""), ("b.rs", "fn retry() {}\n")]);
        project.check_as_fresh(&[words("retry")], name);
    }
}

#[test]
fn a_long_write_disturbs_no_reader() {
    let project = Project::new::<&str>(&[]);
    let write = |version: usize| {
        for n in 0..400 {
            let body: String = (0..40)
                .map(|k| format!("    call_{n}_{k}_{version}();\n"))
                .collect();
            project.write(
                &format!("{n}.rs"),
                format!("fn part_{n}_of_{version}() {{\n{body}}}\n"),
            );
        }
    };
    write(0);
    project.update();
    let stop = AtomicBool::new(false);
    let read = || {
        while !stop.load(Ordering::Relaxed) {
            project.search(&words("part"), Refresh::Never);
        }
    };
    std::thread::scope(|scope| {
        let reader = scope.spawn(read);
        for version in 1..4 {
            write(version);
            assert_eq!(project.update().notes, []);
        }
        stop.store(true, Ordering::Relaxed);
        reader.join().unwrap();
    });
}

#[test]
fn what_a_killed_writer_leaves_is_no_damage() {
    let project = Project::new(&[("a.rs", "fn retry() {}\n")]);
    project.update();
    let next = project.update().snapshot.table().generation + 1;
    fs::write(
        project.index_folder().join(format!("sketch-{next}")),
        "partly written",
    )
    .unwrap();
    assert_eq!(
        project.search(&words("retry"), Refresh::Never).hits.len(),
        1
    );
    project.write("a.rs", "fn retry_again() {}\n");
    assert_eq!(project.update().notes, []);
}

#[test]
fn a_lost_sketch_is_repaired() {
    let project = Project::new(&[("a.rs", "fn retry() {}\n")]);
    project.update();
    let add = |nth: usize| {
        project.write(&format!("f{nth}.rs"), format!("fn retry_{nth}() {{}}\n"));
    };
    for nth in 0..14 {
        add(nth);
        project.update();
    }
    fs::remove_file(project.index_folder().join("sketch-3")).unwrap();
    for nth in 20..24 {
        add(nth);
        project.check_as_fresh(&[words("retry"), pattern("retry", Syntax::Literal)], "lost");
    }
}

/// Metadata that is valid and wrong.
#[test]
fn an_index_that_lost_a_segment_is_repaired() {
    let project = Project::new(&[("a.rs", "fn retry() {}\n"), ("b.rs", "fn retry_b() {}\n")]);
    project.update();
    let meta = project.index_folder().join("meta.json");
    let mut value: serde_json::Value = serde_json::from_slice(&fs::read(&meta).unwrap()).unwrap();
    value["segments"] = serde_json::json!([]);
    fs::write(&meta, value.to_string()).unwrap();
    project.check_as_fresh(&[words("retry")], "no segments");
}

/// Where it went wrong: `mv` keeps size and time.
#[test]
fn two_files_of_the_same_size_and_time_change_places() {
    let project = Project::new(&[("a.rs", "fn name_a() {}\n"), ("b.rs", "fn name_b() {}\n")]);
    let time = long_ago();
    ["a.rs", "b.rs"]
        .iter()
        .for_each(|file| set_modified(&project.path(file), time));
    project.update();
    for (from, to) in [("a.rs", "c.rs"), ("b.rs", "a.rs"), ("c.rs", "b.rs")] {
        fs::rename(project.path(from), project.path(to)).unwrap();
    }
    project.check_as_fresh(&[words("name_a")], "swapped");
}

/// So do `cp -p`, `rsync -t`, `tar -x` and `touch -r`.
#[test]
fn an_edit_with_the_old_time_is_seen() {
    let project = Project::new(&[("a.rs", "fn name_a() {}\n")]);
    let time = long_ago();
    set_modified(&project.path("a.rs"), time);
    project.update();
    project.write("a.rs", "fn name_b() {}\n");
    set_modified(&project.path("a.rs"), time);
    assert_eq!(modified(&project.path("a.rs")), time);
    project.check_as_fresh(&[words("name_a")], "old time");
}

/// Where it went wrong: `chmod` changes no time either. Root can read
/// everything, and passes.
#[cfg(unix)]
#[test]
fn a_file_that_becomes_readable_is_read() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::new(&[("a.rs", "fn name_a() {}\n")]);
    let path = project.path("a.rs");
    set_modified(&path, long_ago());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o0)).unwrap();
    project.update();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    project.check_as_fresh(&[words("name_a")], "readable");
}

#[cfg(unix)]
#[test]
fn two_names_that_look_alike_are_two_files() {
    use std::os::unix::ffi::OsStrExt;
    let project = Project::new::<&str>(&[]);
    for (name, text) in [
        (b"a\xe9.rs", "fn retry_one() {}\n"),
        (b"a\xe8.rs", "fn retry_two() {}\n"),
    ] {
        fs::write(project.root.join(std::ffi::OsStr::from_bytes(name)), text).unwrap();
    }
    assert_eq!(
        project.search(&words("retry"), Refresh::Always).hits.len(),
        2
    );
}

/// The file is left out of the answer, and no note says so.
#[test]
fn a_pattern_says_when_files_changed() {
    let project = Project::new(&[("a.rs", "fn retry() {}\n")]);
    project.update();
    project.write("a.rs", "fn retry() {}\nfn other() {}\n");
    let found = project.search(&pattern("retry", Syntax::Literal), Refresh::Never);
    assert!(
        !found.notes.is_empty(),
        "{} hits, no note",
        found.hits.len()
    );
}

/// The line that matches is not among the lines shown.
#[test]
fn a_line_that_closes_is_shown_where_it_matches() {
    let text = "namespace retry {\nint f() {\n  return 1;\n}\n}  // namespace retry\n";
    let project = Project::new(&[("a.cpp", text)]);
    let found = project.search(
        &pattern("}  // namespace retry", Syntax::Literal),
        Refresh::Always,
    );
    let lines = found.hits.iter().flat_map(|hit| &hit.excerpt);
    let matched = lines.filter(|line| !line.matches.is_empty());
    let numbers: Vec<u32> = matched.map(|line| line.number).collect();
    assert_eq!(numbers, [5]);
}

#[test]
fn context_ends_with_the_file() {
    let project = Project::new(&[("a.rs", "fn retry() {\n    wait()\n}\n")]);
    let (_, out, _) = scent(&project, &["-F", "wait()", "-A", "5", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        answer["results"][0]["snippet_lines"],
        serde_json::json!([1, 2, 3])
    );
}

#[test]
fn context_may_be_as_much_as_there_is() {
    let project = Project::new(&[("a.rs", "fn retry() {\n    wait()\n}\n")]);
    let (code, _, err) = scent(&project, &["-F", "wait()", "-C", "4294967295"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
}

/// Where it went wrong: `\S` is a class, not a capital letter.
#[test]
fn a_class_is_no_capital() {
    let project = Project::new(&[("a.rs", "const RETRY_NOW: u8 = 1;\n")]);
    for text in [
        r"retry\w+",
        r"retry\S+",
        r"\Bnow\W",
        r"retry\x5Fnow",
        r"\p{L}etry",
    ] {
        let found = project.search(&pattern(text, Syntax::Regex), Refresh::Always);
        assert_eq!(found.hits.len(), 1, "{text}");
    }
}

/// Flags that hold for every command may come first.
#[test]
fn flags_may_come_before_the_command() {
    let project = Project::new(&[("a.rs", "fn retry() {}\n")]);
    for args in [
        &["--quiet", "index"][..],
        &["--color", "never", "status"],
        &["-q", "clear"],
    ] {
        let (code, out, err) = scent(&project, args);
        assert_eq!(code, Some(0), "{args:?}: {out} {err}");
    }
}

/// The help says that the project around here is searched.
#[test]
fn without_a_path_the_whole_project_is_searched() {
    let project = Project::new(&[(".git/HEAD", "x\n"), ("a.rs", "fn retry() {}\n")]);
    project.write("docs/b.md", "# Other\n");
    let mut command = Command::new(env!("CARGO_BIN_EXE_scent"));
    command
        .current_dir(project.path("docs"))
        .env("SCENT_DATA_DIR", &project.data);
    assert_eq!(
        command.args(["retry"]).output().unwrap().status.code(),
        Some(0)
    );
}

/// An index in the project is not part of the project.
#[test]
fn an_index_inside_the_project_is_not_indexed() {
    let mut project = Project::new(&[("a.rs", "fn retry() {}\n")]);
    project.data = project.path(".scent");
    // The folder is there from the second time on, and may be noted then.
    project.update();
    project.update();
    let update = project.update();
    assert!(!update.committed, "nothing changed");
    let indexed = update
        .snapshot
        .table()
        .files
        .iter()
        .filter(|file| file.id().is_some())
        .count();
    assert_eq!(indexed, 1);
}

#[test]
fn control_characters_do_not_get_out_through_markdown() {
    let project = Project::new(&[("a.txt", "retry \x1b[31mred\x07\n")]);
    let (_, out, _) = scent(&project, &["retry", "--format", "markdown"]);
    assert!(!out.contains(['\x1b', '\x07']), "{out:?}");
}

/// A file that was young when it was indexed is counted as
/// changed as soon as any other changes.
#[test]
fn status_counts_what_changed() {
    let project = Project::new(&[("a.rs", "fn retry() {}\n"), ("b.rs", "fn delay() {}\n")]);
    scent(&project, &["index"]);
    project.write("b.rs", "fn delays() {}\n");
    let (_, out, _) = scent(&project, &["status"]);
    assert!(out.contains("1 file changed, 0 removed"), "{out}");
}

/// Between reading the index and taking the lock, others
/// may have cleared it and made it again. Then its generation is the same, and
/// the ids of its files are not.
#[test]
fn a_writer_starts_from_what_it_finds_under_the_lock() {
    let project = Project::new(&[("b.rs", "fn retry_b() {}\n"), ("c.rs", "fn retry_c() {}\n")]);
    project.update();
    let folder = project.index_folder();
    project.write("a.rs", "fn retry_a() {}\n");
    let (other, _data) = project.fresh_engine();
    other.open(&project.root).update(&Silent).unwrap();
    let made_anew = other.open(&project.root).index_folder().to_owned();

    let lock = fs::File::open(folder.join("lock")).unwrap();
    lock.lock().unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| project.update());
        std::thread::sleep(Duration::from_millis(500));
        let files = |folder| {
            fs::read_dir(folder)
                .unwrap()
                .map(|entry| entry.unwrap().path())
        };
        let data = |path: &std::path::PathBuf| !path.ends_with("lock") && !path.ends_with("holder");
        files(&folder)
            .filter(data)
            .for_each(|file| fs::remove_file(file).unwrap());
        for file in files(&made_anew).filter(data) {
            fs::copy(&file, folder.join(file.file_name().unwrap())).unwrap();
        }
        lock.unlock().unwrap();
        writer.join().unwrap();
    });
    project.check_as_fresh(&[words("retry"), words("retry_c")], "made again meanwhile");
}
