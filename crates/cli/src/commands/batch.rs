//! `scent --batch FILE`: one query a line, answered in one call.

use super::Session;
use super::search::{format, has_results, open, refresh, request, show, sort_out_positions, style};
use super::units::lines_of;
use crate::args::{Format, GlobalArgs, SearchArgs};
use crate::output::{note, print, print_notes, say_error};
use crate::progress::Bar;
use crate::{Outcome, failure};
use scent_engine::Refresh;
use scent_print::{BatchAnswer, answers_json, question_heading};
use scent_types::{Note, Response};
use std::path::Path;

/// What was asked, and the answer.
type Answered = (String, anyhow::Result<Response>);

pub(crate) fn run(
    mut args: SearchArgs,
    list: &Path,
    flags: &GlobalArgs,
) -> anyhow::Result<Outcome> {
    sort_out_positions(&mut args);
    let session = open(&args, flags)?;
    let refresh = refresh(&args, &session, flags)?;
    let mut notes = update(&session, refresh, flags)?;
    print_notes(flags, &notes);
    let mut answers: Vec<Answered> = Vec::new();
    for line in lines_of(list)? {
        let query = line?.trim().to_owned();
        if query.is_empty() {
            continue;
        }
        let bar = Bar::new(flags.quiet, false);
        let mut answer = ask(&args, &query, refresh, &session, &bar);
        bar.finish()?;
        if let Ok(response) = &mut answer {
            print_notes(flags, &response.notes);
            response.notes.splice(0..0, notes.drain(..));
        }
        answers.push((query, answer));
    }
    print_all(&answers, &args, &session, flags)?;
    if refresh != Refresh::Never
        && let Some(response) = first_response(&answers)
    {
        session.go_on(response, refresh, flags);
    }
    Ok(outcome(&answers))
}

/// Updates the indexes once, before any question. Of several, one that fails is
/// named in the answers.
fn update(session: &Session, refresh: Refresh, flags: &GlobalArgs) -> anyhow::Result<Vec<Note>> {
    let bar = Bar::new(flags.quiet, false);
    let mut notes = Vec::new();
    for project in &session.projects {
        match project.refresh(refresh, &bar) {
            Ok(more) => notes.extend(more),
            Err(error) if session.projects.len() == 1 => return Err(error.into()),
            Err(_) => {}
        }
    }
    bar.finish()?;
    Ok(notes)
}

/// Answers a question from indexes that are up to date.
fn ask(
    args: &SearchArgs,
    query: &str,
    updated: Refresh,
    session: &Session,
    bar: &Bar,
) -> anyhow::Result<Response> {
    let request = request(args, query.to_owned(), session)?;
    let refresh = match updated {
        Refresh::Never => Refresh::Never,
        _ => Refresh::IfDirty(&[]),
    };
    let engine = &session.engine;
    Ok(engine.search(&session.projects, &request, refresh, bar)?)
}

fn print_all(
    answers: &[Answered],
    args: &SearchArgs,
    session: &Session,
    flags: &GlobalArgs,
) -> anyhow::Result<()> {
    let format = format(&args.output, session);
    for (query, answer) in answers {
        if format != Some(Format::Json) {
            print(question_heading(query, format == Some(Format::Markdown)))?;
        }
        match answer {
            Err(error) => say_error(&format!("{query}: {error:#}")),
            Ok(_) if format == Some(Format::Json) => {}
            Ok(response) => {
                show(response, &args.output, session, flags)?;
                if !has_results(response) {
                    note(flags, "nothing was found");
                }
            }
        }
    }
    if format == Some(Format::Json) {
        let answers: Vec<BatchAnswer> = answers.iter().map(written).collect();
        print(answers_json(&answers, &style(&args.output, session)))?;
    }
    Ok(())
}

fn written((query, answer): &Answered) -> BatchAnswer<'_> {
    match answer {
        Ok(response) => BatchAnswer::Answered(response),
        Err(error) => BatchAnswer::Failed {
            query: query.clone(),
            code: failure::code(error),
            message: format!("{error:#}"),
        },
    }
}

/// The answer that says how far the index is.
fn first_response(answers: &[Answered]) -> Option<&Response> {
    let mut answers = answers.iter();
    answers.find_map(|(_, answer)| answer.as_ref().ok())
}

fn outcome(answers: &[Answered]) -> Outcome {
    if answers.iter().any(|(_, answer)| answer.is_err()) {
        return Outcome::Failed;
    }
    let found = answers
        .iter()
        .any(|(_, answer)| answer.as_ref().is_ok_and(has_results));
    Outcome::found(found)
}
