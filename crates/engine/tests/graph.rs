//! Small projects in `graph/`, and what is expected of look-ups in them.
//!
//! A file there holds the files of a project, each after a line `--- PATH`,
//! and then questions, each after a line `=== QUESTION`, with the answer below
//! it: `def NAME`, `refs NAME`, `mentions NAME` (with all that is not sure), `at PATH:LINE` and `at PATH:LINE NAME` (at the
//! first column of the line where it stands) for the references of a place,
//! `deps PATH`, `importers PATH`, `callpath A B`, `implementations NAME`,
//! `impact NAME` or `PATH:LINE`, `tests` for the tests among these,
//! `unused PATH`, `cycles PATH`. A line after `! `
//! is right and not found yet; one after `? ` is found and wrong. With
//! `UPDATE=1` in the environment what was found is written as the expectation,
//! and what differs from it is marked so.

mod project;

use project::Project;
use scent_engine::{
    CallPathOptions, Changed, DependencyOptions, ImpactOptions, Position, Project as Open,
    ReferenceFilter, Silent, UnusedOptions,
};
use scent_types::{Lines, References};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

#[test]
fn look_ups_are_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/graph");
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut problems = String::new();
    let mut checked = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.contains(&only) {
            continue;
        }
        let expected = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
        let found = answered(&expected);
        checked += 1;
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, found).unwrap();
        } else if found != expected {
            let _ = writeln!(problems, "{name}:\n{}", differences(&expected, &found));
        }
    }
    assert!(checked > 0, "no project is called {only}");
    assert!(problems.is_empty(), "{problems}");
}

/// The same text with the answers that are found.
fn answered(text: &str) -> String {
    let (files, questions) = text
        .split_once("\n=== ")
        .expect("questions after the files");
    let parts = files.split("--- ").filter(|part| !part.trim().is_empty());
    let files: Vec<(&str, &str)> = parts.map(|part| part.split_once('\n').unwrap()).collect();
    let project = Project::new(&files);
    let open = project.engine().open(&project.root);
    open.update(&Silent).unwrap();
    let mut out = String::new();
    for (path, contents) in &files {
        let _ = write!(out, "--- {path}\n{contents}");
        out += if contents.ends_with('\n') { "" } else { "\n" };
    }
    for block in questions.split("=== ") {
        let (question, expected) = block.split_once('\n').unwrap_or((block, ""));
        let found = answer(&open, question);
        let _ = write!(out, "=== {question}\n{}", marked(&found, expected));
    }
    out
}

/// What was found, with what is known to be wrong marked, and what is known to
/// be missing added. Without any expectation everything is right.
fn marked(found: &str, expected: &str) -> String {
    let update = std::env::var_os("UPDATE").is_some() && !expected.is_empty();
    let right = |line: &str| {
        expected
            .lines()
            .any(|e| e.strip_prefix("! ").unwrap_or(e) == line)
    };
    let known_wrong = |line: &str| expected.lines().any(|e| e.strip_prefix("? ") == Some(line));
    let mut out = String::new();
    for line in found.lines() {
        let wrong = known_wrong(line) || (update && !right(line));
        let _ = writeln!(out, "{}{line}", if wrong { "? " } else { "" });
    }
    for line in expected.lines() {
        let missing = match line.strip_prefix("! ") {
            Some(line) => Some(line),
            None if update && !line.starts_with("? ") => Some(line),
            None => None,
        };
        let missing = missing.filter(|line| !found.lines().any(|f| f == *line));
        let _ = missing.map_or(Ok(()), |line| writeln!(out, "! {line}"));
    }
    out
}

fn answer(project: &Open, question: &str) -> String {
    let (what, name) = question.split_once(' ').expect("a question and a name");
    let mut out = String::new();
    match what {
        "def" => {
            for found in project.definitions(name, 50).unwrap().definitions {
                let (kind, fit) = (found.kind, found.fit);
                let place = format!("{}:{}", found.path, found.line);
                let _ = writeln!(out, "{place} {kind} {} {fit:?}", found.qualified);
            }
        }
        "refs" | "mentions" => {
            let filter = ReferenceFilter {
                ambiguous: what == "mentions",
                ..ReferenceFilter::default()
            };
            let found = project.references(name, &filter, 500).unwrap();
            out = uses(&found);
            if found.documentation > 0 {
                let _ = writeln!(out, "documentation: {}", found.documentation);
            }
        }
        "at" => out = at(project, name),
        "implementations" => {
            let of = project.definitions(name, 50).unwrap().definitions;
            for found in project.implementations(&of).unwrap() {
                let _ = writeln!(out, "{}:{} {}", found.path, found.line, found.qualified);
            }
        }
        "deps" | "importers" => {
            let reach = DependencyOptions {
                reverse: what == "importers",
                depth: 1,
                tests: None,
            };
            let found = project.dependencies(name, &reach).unwrap();
            for dependency in found.dependencies {
                let to = match dependency.to.is_empty() {
                    true => "outside".to_owned(),
                    false => dependency.to.join(" "),
                };
                let from = format!("{}:{}", dependency.from, dependency.line);
                let _ = writeln!(out, "{from} {} -> {to}", dependency.module);
            }
        }
        _ => out = answer_of_graph(project, what, name),
    }
    out
}

/// The uses of a name, line by line.
fn uses(found: &References) -> String {
    let mut out = String::new();
    for used in &found.uses {
        let role = used.role.map_or("mention", |role| role.as_str());
        let place = format!("{}:{}", used.path, used.line);
        let many = if used.candidates > 1 {
            " (several)"
        } else {
            ""
        };
        let _ = writeln!(out, "{place} {role} {}{many}", used.reason);
    }
    out
}

/// What a place stands for, and its uses; else why there is no answer.
fn at(project: &Open, place: &str) -> String {
    let (place, name) = place.split_once(' ').unwrap_or((place, ""));
    let (path, line) = place.rsplit_once(':').expect("a path and a line");
    let line: u32 = line.parse().expect("the number of a line");
    let column = (!name.is_empty()).then(|| {
        let text = project.text(path).unwrap();
        let row = text.lines().nth(line as usize - 1).unwrap();
        row.find(name).expect("the name stands in the line") as u32 + 1
    });
    let position = Position { path, line, column };
    let found = match project.references_at(position, &ReferenceFilter::default(), 500) {
        Ok(found) => found,
        Err(error) => return format!("{error}\n"),
    };
    let of = found.subject.clone().expect("a place stands for something");
    let local = if of.is_local { "local " } else { "" };
    let mut out = format!("of {local}{}", of.name);
    if !of.within.is_empty() {
        let _ = write!(out, " in {}", of.within);
    }
    match of.definitions {
        1 => {
            let _ = writeln!(out, " {}:{}", of.path, of.line);
        }
        many => {
            let _ = writeln!(out, ", {many} definitions");
        }
    }
    out + &uses(&found)
}

/// The answers that follow calls and imports through a project.
fn answer_of_graph(project: &Open, what: &str, name: &str) -> String {
    let mut out = String::new();
    let path = if name == "." { "" } else { name };
    match what {
        "callpath" => {
            let (from, to) = name.split_once(' ').expect("two names");
            let options = CallPathOptions { confidence: 0.5 };
            let found = project.callpath(from, to, options).unwrap();
            for step in found.steps {
                let _ = writeln!(
                    out,
                    "{}:{} {} {:.2}",
                    step.path, step.line, step.name, step.hop
                );
            }
            if !found.guess.is_empty() {
                let (sure, names) = (found.guess_confidence, found.guess.join(" > "));
                let _ = writeln!(out, "guess {sure:.2} {names}");
            }
        }
        "impact" | "tests" => {
            let found = project
                .impact(&[changed(name)], impact_options(what))
                .unwrap();
            for place in found.changed.iter().chain(&found.affected) {
                let indent = "  ".repeat(place.depth as usize);
                let at = format!("{}:{}", place.path, place.line);
                let role = place
                    .role
                    .map_or(String::new(), |role| format!(" {}", role.as_str()));
                let sure = place.confidence;
                let _ = writeln!(out, "{indent}{at} {} {sure:.2}{role}", place.name);
            }
        }
        "unused" => {
            let options = UnusedOptions {
                kinds: Vec::new(),
                limit: 50,
                confidence: 0.1,
            };
            for found in project.unused(path, &options).unwrap().definitions {
                let place = format!("{}:{}", found.definition.path, found.definition.line);
                let (name, sure) = (found.definition.qualified, found.confidence);
                let _ = writeln!(out, "{place} {name} {sure:.2} {}", found.reason);
            }
        }
        "cycles" => {
            for cycle in project.cycles(path, 50).unwrap().cycles {
                let files: Vec<&str> = cycle.imports.iter().map(|i| i.from.as_str()).collect();
                let _ = writeln!(out, "{}", files.join(" > "));
            }
        }
        other => panic!("{other}: no such question"),
    }
    out
}

/// What `NAME` or `PATH:LINE` says is changed.
fn changed(what: &str) -> Changed {
    let line = what
        .rsplit_once(':')
        .and_then(|(path, line)| Some((path, line.parse().ok()?)));
    match line {
        Some((path, line)) => Changed::Lines(path.to_owned(), vec![Lines::new(line, line)]),
        None => Changed::Name(what.to_owned()),
    }
}

fn impact_options(question: &str) -> ImpactOptions {
    ImpactOptions {
        depth: 5,
        limit: 50,
        confidence: 0.25,
        tests: (question == "tests").then_some(true),
    }
}

/// What differs, question by question.
fn differences(expected: &str, found: &str) -> String {
    let pairs = expected.split("\n=== ").zip(found.split("\n=== "));
    let differing = pairs.filter(|(expected, found)| expected.trim_end() != found.trim_end());
    let told = |(expected, found): (&str, &str)| {
        let question = expected.lines().next().unwrap_or_default();
        format!(" {question}\n{}", lines_apart(expected, found))
    };
    differing.map(told).collect()
}

fn lines_apart(expected: &str, found: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), found.lines().collect());
    let gone = old
        .iter()
        .filter(|line| !new.contains(line))
        .map(|line| format!("  - {line}\n"));
    let come = new
        .iter()
        .filter(|line| !old.contains(line))
        .map(|line| format!("  + {line}\n"));
    gone.chain(come).collect()
}
