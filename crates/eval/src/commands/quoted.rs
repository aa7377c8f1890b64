//! `scent-eval quoted`

use super::sample::{Drawn, Repository};
use crate::args::Sample;
use scent_eval::quoted::{message, with_message};
use scent_eval::row::{Expected, Task};
use scent_eval::suite::{Question, inside};
use scent_types::Hit;
use std::process::ExitCode;

/// A page of results.
const PAGE: usize = 10;

/// How many questions that came back empty are printed.
const SHOWN: usize = 10;

#[derive(Default)]
struct Tally {
    questions: usize,
    empty: Vec<String>,
    /// Questions with a right file on the page, without and with the quote.
    right_plain: usize,
    right_quoted: usize,
}

pub(crate) fn run(args: Sample) -> anyhow::Result<ExitCode> {
    let mut drawn = Drawn::new(&args)?;
    let mut random = drawn.random.fork();
    let repositories: usize = drawn.suites.iter().map(|suite| suite.corpora.len()).sum();
    let many = args.number.div_ceil(repositories.max(1));
    let mut tally = Tally::default();
    for suite in &drawn.suites {
        for corpus in &suite.corpora {
            let repository = drawn.open(&suite.name, corpus)?;
            let searches = corpus.questions.iter().filter(|q| q.task == Task::Search);
            let mut questions: Vec<&Question> = searches.collect();
            random.shuffle(&mut questions);
            for question in questions.into_iter().take(many) {
                ask(&repository, question, &mut random, &mut tally)?;
            }
            eprintln!("{}", repository.name);
        }
    }
    print(&args, repositories, &tally);
    Ok(ExitCode::SUCCESS)
}

fn ask(
    repository: &Repository,
    question: &Question,
    random: &mut fastrand::Rng,
    tally: &mut Tally,
) -> anyhow::Result<()> {
    let mut text = message(&question.text, random);
    while repository.files.holds_text(&text) {
        text = message(&question.text, random);
    }
    let quoted = with_message(&question.text, &text);
    let plain = repository.search(&question.text, PAGE)?;
    let hits = repository.search(&quoted, PAGE)?;
    tally.questions += 1;
    tally.right_plain += usize::from(has_right_file(repository, question, &plain));
    tally.right_quoted += usize::from(has_right_file(repository, question, &hits));
    if hits.is_empty() {
        tally.empty.push(format!("{}: {quoted}", repository.name));
    }
    Ok(())
}

fn has_right_file(repository: &Repository, question: &Question, hits: &[Hit]) -> bool {
    let Expected::Places(targets) = &question.expected else {
        return false;
    };
    let root = &repository.corpus.root;
    let mut paths = targets.iter().map(|target| inside(root, &target.path));
    paths.any(|path| hits.iter().any(|hit| hit.path == path))
}

fn print(args: &Sample, repositories: usize, tally: &Tally) {
    let all = tally.questions;
    println!(
        "seed {}: {all} questions over {repositories} repositories",
        args.seed
    );
    println!(
        "empty with a quoted message: {} of {all}",
        tally.empty.len()
    );
    println!(
        "right file among the first {PAGE}: {} of {all} without the quote, {} with it",
        tally.right_plain, tally.right_quoted
    );
    for question in tally.empty.iter().take(SHOWN) {
        println!("  {question}");
    }
}
