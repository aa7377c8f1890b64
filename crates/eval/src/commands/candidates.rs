//! `scent-eval candidates`

use crate::args::Candidates;
use anyhow::Context;
use scent_engine::{Others, Silent};
use scent_eval::row::{Expected, Task};
use scent_eval::store::Named;
use scent_eval::suite::{Choice, Corpus, Question, Suite, inside};
use scent_eval::system::{Ask, Indexes, Scent, request};
use scent_eval::view;
use scent_types::{Hit, Part, Request};
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
    let weights = Some(args.config.as_ref().map_or(Ok(RAW.to_owned()), std::fs::read_to_string)?);
    let system = Named { name: "scent".into(), weights, model: args.model.clone() };
    let cache = std::path::absolute(&args.cache)?;
    let scent = Scent::new(&system, &cache.join("index"), &Rc::new(Indexes::default()))?;
    for folder in &args.suites {
        let suite = Suite::read(folder, &args.corpora, &Choice::default())?;
        for corpus in &suite.corpora {
            let view = view::lay_out(corpus, &suite.name, &cache)?;
            let places = scent.engine().targets(std::slice::from_ref(&view.folder), true)?;
            scent.engine().update(&places[0].root, &Silent)?;
            scent.engine().embed(&places[0].root, Others::WaitFor, &Silent)?;
            let snapshots = [scent.engine().open(&places[0].root)?];
            for question in corpus.questions.iter().filter(|q| q.task == Task::Search) {
                let ask = Ask {
                    task: question.task,
                    text: &question.text,
                    class: question.class,
                    limit: args.top,
                };
                let request = Request { explain: true, ..request(ask) };
                let answer = scent.engine().answer(&places, &snapshots, &request)?;
                let line = json!({
                    "suite": suite.name,
                    "corpus": corpus.name,
                    "category": question.category,
                    "query": question.text,
                    "terms": answer.terms,
                    "targets": targets(corpus, question),
                    "units": answer.hits.iter().map(unit).collect::<Vec<_>>(),
                });
                writeln!(out, "{line}").with_context(|| shown.clone())?;
            }
            eprintln!("{}/{}: {}", suite.name, corpus.name, corpus.questions.len());
        }
    }
    out.flush().with_context(|| shown)?;
    Ok(ExitCode::SUCCESS)
}

fn targets(corpus: &Corpus, question: &Question) -> Vec<Value> {
    let Expected::Places(targets) = &question.expected else { return Vec::new() };
    let target = |target: &scent_eval::row::Target| {
        let lines = target.lines.map(|lines| [lines.start, lines.end]);
        json!({"path": inside(&corpus.root, &target.path), "lines": lines, "grade": target.grade})
    };
    targets.iter().map(target).collect()
}

fn unit(hit: &Hit) -> Value {
    let lanes: serde_json::Map<String, Value> =
        hit.lanes.iter().map(|(lane, score)| (lane.as_str().to_owned(), json!(score))).collect();
    let part = |part: &Part| json!([part.name, part.amount, part.why]);
    json!({
        "path": hit.path,
        "lines": [hit.lines.start, hit.lines.end],
        "kind": hit.kind,
        "name": hit.qualified,
        "score": hit.score,
        "lanes": lanes,
        "parts": hit.parts.iter().map(part).collect::<Vec<_>>(),
    })
}
