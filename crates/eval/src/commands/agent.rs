//! `scent-eval agent`

use crate::args::AgentArgs;
use anyhow::Context;
use scent_engine::{Engine, Settings, Silent, targets};
use scent_eval::agent::{
    Corpus, Files, Functions, Row, Scent, TOOLS, Task, read_issues, ripgrep, table,
};
use scent_eval::row::Expected;
use scent_eval::suite::{self, Choice, Suite};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// A place of this grade is an answer, and not only a help.
const RIGHT: u8 = 2;

pub(crate) fn run(args: AgentArgs) -> anyhow::Result<ExitCode> {
    fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let mut details = BufWriter::new(File::create(args.out.join("agent.jsonl"))?);
    let mut rows = Vec::new();
    for folder in &args.suites {
        for corpus in corpora(folder, &args)? {
            let began = Instant::now();
            search_all(&args, &corpus, &mut rows, &mut details)?;
            let seconds = began.elapsed().as_secs_f64();
            let (name, number) = (&corpus.name, corpus.tasks.len());
            eprintln!("{name}: {number} questions in {seconds:.0} s");
        }
    }
    let table = table(&rows);
    fs::write(args.out.join("agent.md"), &table)?;
    print!("{table}");
    Ok(ExitCode::SUCCESS)
}

fn corpora(folder: &Path, args: &AgentArgs) -> anyhow::Result<Vec<Corpus>> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let is_wanted = |corpus: &Corpus| {
        let full = format!("{}/{}", corpus.suite, corpus.name);
        args.only.as_ref().is_none_or(|only| only.is_match(&full))
    };
    if name == "issues" {
        let mut found = read_issues(folder, &args.corpora.join(&*name))?;
        found.retain(is_wanted);
        return Ok(found);
    }
    let choice = Choice {
        split: None,
        only: args.only.clone(),
    };
    let suite = Suite::read(folder, &args.corpora, &choice)?;
    let mut found = Vec::new();
    for corpus in &suite.corpora {
        found.push(Corpus {
            suite: suite.name.clone(),
            name: corpus.name.clone(),
            folder: corpus.folder.join(&corpus.root),
            tasks: tasks(corpus),
        });
    }
    Ok(found)
}

fn tasks(corpus: &suite::Corpus) -> Vec<Task> {
    let mut tasks = Vec::new();
    for question in &corpus.questions {
        let Expected::Places(places) = &question.expected else {
            continue;
        };
        let right = places.iter().filter(|place| place.grade == RIGHT);
        let right: Vec<_> = right
            .filter_map(|place| Some((place.path.clone(), place.lines?)))
            .collect();
        if !right.is_empty() {
            tasks.push(Task {
                id: question.id.clone(),
                question: question.text.clone(),
                right,
            });
        }
    }
    tasks
}

fn search_all(
    args: &AgentArgs,
    corpus: &Corpus,
    rows: &mut Vec<Row>,
    details: &mut impl Write,
) -> anyhow::Result<()> {
    let target = targets(std::slice::from_ref(&corpus.folder), true)?.remove(0);
    let data = args.out.join("index").join(&corpus.suite);
    let scent = Scent {
        program: args.scent.clone(),
        data: std::path::absolute(&data)?,
        folder: target.root.clone(),
    };
    scent.index()?;
    let project = Engine::new(&data, Settings::default()).open(&target.root);
    project.update(&Silent)?;
    let files = Files::of(&project)?;
    let functions = Functions::new(&target.root, &files);
    for task in &corpus.tasks {
        let by_words = ripgrep(&files, task);
        let by_functions = functions.search(&files, task);
        let logs = [by_words, by_functions, scent.search(&files, task)?];
        for (tool, log) in TOOLS.iter().zip(logs) {
            let row = serde_json::json!({
                "suite": corpus.suite, "corpus": corpus.name, "id": task.id, "tool": tool,
                "tokens": log.tokens, "calls": log.calls, "success": log.success,
            });
            writeln!(details, "{row}")?;
        }
        rows.push(Row::new(corpus, logs));
    }
    Ok(())
}
