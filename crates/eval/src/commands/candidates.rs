//! `scent-eval candidates`

use crate::args::Candidates;
use anyhow::Context;
use scent_engine::{Refresh, Silent};
use scent_eval::row::{Expected, Task};
use scent_eval::store::Named;
use scent_eval::suite::{Choice, Corpus, Question, Suite, inside};
use scent_eval::system::{Ask, Indexes, Scent, request};
use scent_eval::view::{self, View};
use scent_types::{Hit, Lane, Part, Request};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::ExitCode;
use std::rc::Rc;

/// Weights with which every part of a score is what the lane or the signal
/// says, not yet weighed.
const RAW: &str = include_str!("../../data/raw_weights.toml");

pub(crate) fn run(args: Candidates) -> anyhow::Result<ExitCode> {
    let shown = args.out.display().to_string();
    let mut out = BufWriter::new(File::create(&args.out).with_context(|| shown.clone())?);
    let weights = Some(
        args.config
            .as_ref()
            .map_or(Ok(RAW.to_owned()), std::fs::read_to_string)?,
    );
    let system = Named {
        name: "scent".into(),
        weights,
        model: args.model.clone(),
    };
    let cache = std::path::absolute(&args.cache)?;
    let scent = Scent::new(&system, &cache.join("index"), &Rc::new(Indexes::default()))?;
    for folder in &args.suites {
        let suite = Suite::read(folder, &args.corpora, &Choice::default())?;
        suite
            .left_out
            .iter()
            .for_each(|why| eprintln!("scent-eval: {}: {why}", suite.name));
        for corpus in &suite.corpora {
            let view = view::lay_out(corpus, &suite.name, &cache)?;
            let lines = lines(&scent, &suite.name, corpus, &view, args.top)?;
            out.write_all(lines.as_bytes())
                .with_context(|| shown.clone())?;
            eprintln!("{}/{}: {}", suite.name, corpus.name, corpus.questions.len());
        }
    }
    out.flush().with_context(|| shown)?;
    Ok(ExitCode::SUCCESS)
}

/// A line for each question about a repository.
fn lines(
    scent: &Scent,
    suite: &str,
    corpus: &Corpus,
    view: &View,
    top: usize,
) -> anyhow::Result<String> {
    let engine = scent.engine();
    let projects = [scent.open(&view.folder)?];
    scent.bring_up_to_date(&projects[0])?;
    let mut lines = String::new();
    for question in corpus.questions.iter().filter(|q| q.task == Task::Search) {
        let Question {
            task,
            text,
            class,
            category,
            ..
        } = question;
        let ask = Ask {
            task: *task,
            text,
            class: *class,
            limit: top,
        };
        let request = Request {
            explain: true,
            ..request(ask)?
        };
        let answer = engine.search(&projects, &request, Refresh::Never, &Silent)?;
        let line = json!({
            "suite": suite,
            "corpus": corpus.name,
            "category": category,
            "query": text,
            "targets": targets(corpus, question),
            "units": answer.hits.iter().map(unit).collect::<Vec<_>>(),
        });
        lines += &format!("{line}\n");
    }
    Ok(lines)
}

fn targets(corpus: &Corpus, question: &Question) -> Vec<Value> {
    let Expected::Places(targets) = &question.expected else {
        return Vec::new();
    };
    let target = |target: &scent_eval::row::Target| {
        let lines = target.lines.map(|lines| [lines.start, lines.end]);
        json!({"path": inside(&corpus.root, &target.path), "lines": lines, "grade": target.grade})
    };
    targets.iter().map(target).collect()
}

fn unit(hit: &Hit) -> Value {
    let part = |part: &Part| json!([part.name, part.amount, part.why]);
    json!({
        "path": hit.path,
        "lines": [hit.lines.start, hit.lines.end],
        "kind": hit.kind,
        "name": hit.qualified,
        "score": hit.score,
        // The late lane counts in its place, so that no part tells it.
        "vector": hit.lanes.get(&Lane::Vector),
        "parts": hit.parts.iter().map(part).collect::<Vec<_>>(),
    })
}
