//! `scent QUERY`: bring the index up to date, search it, show what was found.

use super::Session;
use crate::Outcome;
use crate::args::{Format, GlobalArgs, OutputArgs, SearchArgs};
use crate::input::read_query;
use crate::output::{json_layout, note, print, print_notes, use_color};
use crate::progress::Bar;
use crate::suggest;
use anyhow::{Context, bail};
use scent_engine::{Refresh, canonical, parse_request};
use scent_print::{
    Style, counts_text, counts_total, json, markdown, rest_text, stages, terminal, vimgrep,
};
use scent_types::{Deadline, FileCategory, FileClass, Lane, RawRequest, Request, Response, Timing};
use std::fs;
use std::path::{Path, PathBuf};

/// With a budget, as many as may fit into it are looked at.
const LIMIT_WITH_BUDGET: usize = 50;

pub(crate) fn run(mut args: SearchArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    sort_out_positions(&mut args);
    join_words(&mut args, flags);
    take_from_input(&mut args, flags)?;
    let session = open(&args, flags)?;
    let query = args.query.clone().unwrap_or_default();
    let request = request(&args, query, &session)?;
    let refresh = refresh(&args, &session, flags)?;
    let bar = Bar::new(flags.quiet, false);
    let response = session
        .engine
        .search(&session.projects, &request, refresh, &bar)?;
    bar.finish()?;
    print_notes(flags, &response.notes);
    write_trace(&args, &response)?;
    show(&response, &args.output, &session, flags)?;
    if refresh != Refresh::Never {
        session.go_on(&response, refresh, flags);
    }
    note_timing(&args.output, &response, flags);
    Ok(Outcome::found(has_results(&response)))
}

pub(super) fn has_results(response: &Response) -> bool {
    !response.hits.is_empty() || !response.counts.is_empty()
}

/// The projects to search.
pub(super) fn open(args: &SearchArgs, flags: &GlobalArgs) -> anyhow::Result<Session> {
    let session = Session::new(&args.paths, flags)?.with_linked(&args.paths, flags)?;
    session.notes.iter().for_each(|text| note(flags, text));
    Ok(session)
}

/// Whether to update the indexes first. Asks where that needs an answer.
pub(super) fn refresh(
    args: &SearchArgs,
    session: &Session,
    flags: &GlobalArgs,
) -> anyhow::Result<Refresh<'static>> {
    if args.no_update {
        return Ok(Refresh::Never);
    }
    session.confirm(flags)?;
    session.refresh(&args.patience)
}

/// The request for a query; the options hold for all queries.
pub(super) fn request(
    args: &SearchArgs,
    query: String,
    session: &Session,
) -> anyhow::Result<Request> {
    let mut request = parse_request(&raw_request(args, query, session)?)?;
    if let Some(timeout) = args.timeout {
        request.deadline = Deadline::after(timeout);
    }
    Ok(request)
}

fn write_trace(args: &SearchArgs, response: &Response) -> anyhow::Result<()> {
    let Some(file) = &args.trace else {
        return Ok(());
    };
    fs::write(file, stages(response).as_str()).with_context(|| file.display().to_string())
}

fn note_timing(args: &OutputArgs, response: &Response, flags: &GlobalArgs) {
    if args.timing && args.format() != Some(Format::Json) {
        let Timing { refresh, search } = response.timing;
        note(flags, &format!("refresh {refresh} µs, search {search} µs"));
    }
}

/// With -e, --name or --kind all words may be paths, as for grep: a first word
/// that exists is one. With --batch all are.
pub(super) fn sort_out_positions(args: &mut SearchArgs) {
    if args.batch.is_some() {
        args.paths
            .splice(0..0, args.query.take().map(PathBuf::from));
        return;
    }
    let is_path = args
        .query
        .as_deref()
        .is_some_and(|query| Path::new(query).exists());
    let listing = !args.name.is_empty() || !args.kind.is_empty();
    if (args.pattern.is_some() || listing) && is_path {
        args.paths
            .insert(0, PathBuf::from(args.query.take().unwrap_or_default()));
    }
}

/// Several words after the query, none of which can be a path, belong to it.
fn join_words(args: &mut SearchArgs, flags: &GlobalArgs) {
    let is_plain = args.pattern.is_none() && !args.fixed_strings;
    if let Some(query) = &args.query
        && is_plain
        && let Some(joined) = suggest::joined_words(query, &args.paths)
    {
        let line = suggest::quoted([joined.as_str()]);
        note(
            flags,
            &format!("searching for all words; quote them: `scent {line}`"),
        );
        args.query = Some(joined);
        args.paths.clear();
    }
}

/// A query `-` stands on standard input.
fn take_from_input(args: &mut SearchArgs, flags: &GlobalArgs) -> anyhow::Result<()> {
    if args.query.as_deref() != Some("-") {
        return Ok(());
    }
    let is_literal = args.fixed_strings && args.pattern.is_none();
    let query = read_query(std::io::stdin().lock(), is_literal)?;
    if query.lossy {
        note(
            flags,
            "the query on standard input is not UTF-8; what is no text is replaced",
        );
    }
    args.query = Some(query.text);
    Ok(())
}

fn raw_request(args: &SearchArgs, query: String, session: &Session) -> anyhow::Result<RawRequest> {
    Ok(RawRequest {
        query,
        pattern: args.pattern.clone(),
        literal: args.fixed_strings,
        whole_words: args.word_regexp,
        case_sensitive: args.case_sensitive,
        ignore_case: args.ignore_case,
        lanes: lanes(args),
        languages: args.lang.clone(),
        paths: args.path.clone(),
        not_paths: args.not_path.clone(),
        kinds: args.kind.clone(),
        names: args.name.clone(),
        categories: categories(args),
        not_categories: test_category(args.no_tests),
        per_file: args.per_file,
        count: args.count,
        multiline: args.multiline,
        no_ignore: args.no_ignore,
        explain: args.explain || args.trace.is_some(),
        near: near(args, session)?,
        ..output_request(&args.output, session)?
    })
}

/// The part of a request that says how much of which results to print.
pub(crate) fn output_request(args: &OutputArgs, session: &Session) -> anyhow::Result<RawRequest> {
    let config = &session.config;
    let default_limit = match args.max_tokens {
        Some(_) => LIMIT_WITH_BUDGET,
        None => config.limit()?,
    };
    let context = match &args.context {
        _ if args.full => "full",
        Some(context) => context,
        None => config.get("output.context"),
    };
    Ok(RawRequest {
        limit: Some(args.limit.unwrap_or(default_limit)),
        offset: args.offset,
        files_only: args.files_with_matches,
        context: Some(context.to_owned()),
        before: args.before_context,
        after: args.after_context,
        max_lines: Some(config.number("output.max_lines")? as u32),
        max_columns: Some(config.number("output.max_columns")?),
        ..RawRequest::default()
    })
}

fn lanes(args: &SearchArgs) -> Vec<String> {
    if !args.semantic_only && !args.keyword_only {
        return args.lanes.clone();
    }
    let mut lanes = Vec::new();
    for lane in Lane::RETRIEVING {
        if lane.is_semantic() == args.semantic_only {
            lanes.push(lane.as_str().to_owned());
        }
    }
    lanes
}

fn categories(args: &SearchArgs) -> Vec<String> {
    let mut categories = test_category(args.tests);
    for (is_wanted, class) in [
        (args.code, FileClass::Code),
        (args.docs, FileClass::Docs),
        (args.config, FileClass::Config),
    ] {
        if is_wanted {
            categories.push(class.as_str().to_owned());
        }
    }
    categories
}

fn test_category(is_wanted: bool) -> Vec<String> {
    let test = FileCategory::Test.as_str().to_owned();
    is_wanted.then_some(test).into_iter().collect()
}

/// The path of `--near`, relative to the project that holds it.
fn near(args: &SearchArgs, session: &Session) -> anyhow::Result<Option<String>> {
    let Some(near) = &args.near else {
        return Ok(None);
    };
    for project in &session.projects {
        if is_below(near, project.root()) {
            return super::inside(near, project.root()).map(Some);
        }
    }
    let near = near.display();
    bail!("{near}: --near needs a file or folder of a project that is searched")
}

fn is_below(path: &Path, root: &Path) -> bool {
    canonical(path).is_ok_and(|path| path.starts_with(root))
}

/// Prints a response in the format that was asked for, and says beside it how
/// to see the rest. JSON says that itself.
pub(crate) fn show(
    response: &Response,
    args: &OutputArgs,
    session: &Session,
    flags: &GlobalArgs,
) -> anyhow::Result<()> {
    let style = style(args, session);
    let printed = match format(args, session) {
        Some(Format::Json) => return print(json(response, &style).text),
        _ if !response.counts.is_empty() => {
            print(counts_text(response, &style))?;
            note(flags, &counts_total(response));
            return Ok(());
        }
        _ if args.vimgrep => vimgrep(response, &style),
        Some(Format::Markdown) => markdown(response, &style),
        _ => terminal(response, &style),
    };
    print(printed.text)?;
    let noun = if args.files_with_matches {
        "files "
    } else {
        ""
    };
    if let Some(rest) = rest_text(response, printed.shown, noun) {
        note(flags, &rest);
    }
    Ok(())
}

pub(super) fn style(args: &OutputArgs, session: &Session) -> Style {
    Style {
        color: use_color(&session.config),
        line_numbers: !args.no_line_number || args.line_number,
        files_only: args.files_with_matches,
        max_tokens: args.max_tokens,
        timing: args.timing,
        layout: json_layout(),
        paths: session.paths(),
    }
}

pub(super) fn format(args: &OutputArgs, session: &Session) -> Option<Format> {
    args.format().or_else(|| configured_format(session))
}

fn configured_format(session: &Session) -> Option<Format> {
    match session.config.get("output.format") {
        "json" => Some(Format::Json),
        "markdown" => Some(Format::Markdown),
        _ => None,
    }
}
