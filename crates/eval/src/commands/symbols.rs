//! `scent-eval symbols`

use crate::args::Symbols;
use anyhow::{Context, bail};
use scent_engine::{Engine, Settings, Silent, targets};
use scent_eval::symbols::{Answer, Asker, Judged, Suite, Task, judge, short, table};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

pub(crate) fn run(args: Symbols) -> anyhow::Result<ExitCode> {
    fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let engine = Engine::new(args.out.join("index"), Settings::default());
    let answers = args.out.join("answers.jsonl");
    let mut answers = BufWriter::new(File::create(answers)?);
    let mut judged = Vec::new();
    for suite in Suite::read_all(&args.suite)? {
        if args
            .only
            .as_ref()
            .is_some_and(|only| !only.is_match(&suite.language))
        {
            continue;
        }
        let folder = args.corpora.join(&suite.name);
        is_at_its_commit(&suite, &folder)?;
        let results = ask_all(&engine, &suite, &folder, &mut answers)?;
        judged.push((suite, results));
    }
    let table = table(&judged);
    fs::write(args.out.join("symbols.md"), &table)?;
    print!("{table}");
    let short = if args.wanted {
        short(&judged)
    } else {
        Vec::new()
    };
    for line in &short {
        eprintln!("{line}");
    }
    Ok(ExitCode::from(u8::from(!short.is_empty())))
}

/// Lines move: a repository at another commit has other answers.
fn is_at_its_commit(suite: &Suite, folder: &Path) -> anyhow::Result<()> {
    let said = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(["rev-parse", "HEAD"])
        .output();
    let said = said.context("git is needed to verify the commits of the repositories")?;
    let at = String::from_utf8_lossy(&said.stdout).trim().to_owned();
    if at != suite.commit {
        bail!(
            "{}: check out {} of {}",
            folder.display(),
            suite.commit,
            suite.repository
        );
    }
    Ok(())
}

fn ask_all(
    engine: &Engine,
    suite: &Suite,
    folder: &Path,
    answers: &mut impl Write,
) -> anyhow::Result<Vec<Judged>> {
    let target = targets(&[folder.to_owned()], true)?.remove(0);
    let project = engine.open(&target.root);
    project.update(&Silent)?;
    let asker = Asker::new(&project, suite);
    let started = Instant::now();
    let mut results = Vec::new();
    for task in &suite.tasks {
        let answer = asker.ask(task);
        let judged = judge(suite, task, &answer);
        write_answer(task, &answer, &judged, answers)?;
        results.push(judged);
    }
    eprintln!(
        "{}: {} tasks in {:.1} s",
        suite.name,
        results.len(),
        started.elapsed().as_secs_f64()
    );
    Ok(results)
}

/// What was wrong can be looked up by the task's id.
fn write_answer(
    task: &Task,
    answer: &Answer,
    judged: &Judged,
    answers: &mut impl Write,
) -> anyhow::Result<()> {
    let all = &judged.all;
    let row = serde_json::json!({
        "id": task.id,
        "right": all.right,
        "wrong": all.wrong,
        "missed": all.missed,
        "not_judged": all.not_judged,
        "answer": answer,
    });
    writeln!(answers, "{row}")?;
    Ok(())
}
