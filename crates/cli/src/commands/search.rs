//! `scent QUERY`: bring the index up to date, search it, show what was found.

use super::{Session, current_folder};
use crate::Outcome;
use crate::args::{Format, GlobalArgs, LaneName, OutputArgs, SearchArgs};
use crate::input::read_query;
use crate::output::{note, print, print_notes, use_color};
use crate::progress::Bar;
use anyhow::{Context, bail};
use scent_engine::{Refresh, canonical, find_language, languages};
use scent_print::{Style, json, markdown, stages, terminal};
use scent_types::{
    Case, Context as LineContext, Excerpt, FileCategory, FileClass, Filters, Kind, Lane, Pattern,
    Request, Response, Syntax, Timing,
};
use std::fs;
use std::path::{Path, PathBuf};

/// With a budget, as many as may fit into it are looked at.
const LIMIT_WITH_BUDGET: usize = 50;

pub(crate) fn run(mut args: SearchArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    sort_out_positions(&mut args);
    take_from_input(&mut args, flags)?;
    let session = Session::new(&args.paths, flags)?.with_linked(&args.paths, flags)?;
    session.notes.iter().for_each(|text| note(flags, text));
    let mut request = request(&args, session.config.limit()?)?;
    request.excerpt = excerpt(&args.output, &session)?;
    request.merge = request.excerpt.context == LineContext::Smart;
    if let Some(near) = &args.near {
        let project = session
            .projects
            .iter()
            .find(|project| is_below(near, project.root()));
        let project = project.with_context(|| {
            format!(
                "{}: --near is to be a file or folder of what is searched",
                near.display()
            )
        })?;
        request.near = Some(super::inside(near, project.root())?);
    }
    let refresh = if args.no_update {
        Refresh::Never
    } else {
        Refresh::Always
    };
    if refresh == Refresh::Always {
        session.confirm(flags)?;
    }
    let bar = Bar::new(flags.quiet, false);
    let response = session
        .engine
        .search(&session.projects, &request, refresh, &bar)?;
    print_notes(flags, &response.notes);
    if let Some(file) = &args.trace {
        fs::write(file, stages(&response).as_str()).with_context(|| file.display().to_string())?;
    }
    show(&response, &args.output, &session)?;
    if refresh == Refresh::Always {
        session.read_on(response.embeddings.as_ref(), flags);
    }
    if args.output.files_with_matches && response.total > response.hits.len() {
        let (shown, total) = (response.hits.len(), response.total);
        note(
            flags,
            &format!("{shown} of {total} files shown; -k {total} shows all"),
        );
    }
    if args.output.timing && args.output.format() != Some(Format::Json) {
        let Timing { refresh, search } = response.timing;
        note(flags, &format!("refresh {refresh} µs, search {search} µs"));
    }
    Ok(if response.hits.is_empty() {
        Outcome::Nothing
    } else {
        Outcome::Found
    })
}

impl OutputArgs {
    /// How many results are asked for.
    pub fn limit(&self, default: usize) -> anyhow::Result<usize> {
        match (self.limit, self.max_tokens) {
            (Some(0), _) => bail!("-k 0 asks for nothing; give a number from 1 on"),
            (Some(limit), _) => Ok(limit),
            (None, Some(_)) => Ok(LIMIT_WITH_BUDGET),
            (None, None) => Ok(default),
        }
    }
}

fn is_below(path: &Path, root: &Path) -> bool {
    canonical(path).is_ok_and(|path| path.starts_with(root))
}

/// With -e, --name or --kind all words may be paths, as for grep: a first word
/// that exists is one.
fn sort_out_positions(args: &mut SearchArgs) {
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

fn request(args: &SearchArgs, limit: usize) -> anyhow::Result<Request> {
    Ok(Request {
        query: args.query.clone().unwrap_or_default(),
        pattern: pattern(args)?,
        filters: filters(args)?,
        lanes: lanes(args),
        limit: args.output.limit(limit)?,
        files_only: args.output.files_with_matches,
        per_file: args.per_file,
        no_cache: true,
        merge: false,
        explain: args.explain || args.trace.is_some(),
        ..Request::default()
    })
}

/// The lanes that were asked for; none stands for all.
fn lanes(args: &SearchArgs) -> Vec<Lane> {
    let meant = |lane: &Lane| lane.is_semantic() == args.semantic_only;
    if args.semantic_only || args.keyword_only {
        return Lane::RETRIEVING.into_iter().filter(meant).collect();
    }
    let lane = |name: &LaneName| match name {
        LaneName::Text => Lane::Text,
        LaneName::Symbol => Lane::Symbol,
        LaneName::Path => Lane::Path,
        LaneName::Vector => Lane::Vector,
        LaneName::Late => Lane::Late,
    };
    args.lanes.iter().map(lane).collect()
}

fn pattern(args: &SearchArgs) -> anyhow::Result<Option<Pattern>> {
    let text = match (&args.pattern, &args.query) {
        (Some(pattern), _) => pattern.clone(),
        (None, Some(query)) if args.fixed_strings => query.clone(),
        _ if args.word_regexp || args.case_sensitive || args.ignore_case => {
            bail!(
                "-w, -s and -i are about a pattern: give one with -e PATTERN, or -F for a literal"
            )
        }
        _ => return Ok(None),
    };
    let case = match (args.case_sensitive, args.ignore_case) {
        (true, _) => Case::Sensitive,
        (_, true) => Case::Insensitive,
        _ => Case::Smart,
    };
    let syntax = if args.fixed_strings {
        Syntax::Literal
    } else {
        Syntax::Regex
    };
    Ok(Some(Pattern {
        text,
        syntax,
        case,
        word: args.word_regexp,
    }))
}

fn filters(args: &SearchArgs) -> anyhow::Result<Filters> {
    let chosen = [
        (args.code, FileClass::Code),
        (args.docs, FileClass::Docs),
        (args.config, FileClass::Config),
    ];
    Ok(Filters {
        languages: args
            .lang
            .iter()
            .map(|name| language(name))
            .collect::<anyhow::Result<_>>()?,
        paths: args.path.clone(),
        not_paths: args.not_path.clone(),
        kinds: args
            .kind
            .iter()
            .map(|name| kind(name))
            .collect::<anyhow::Result<_>>()?,
        names: args.name.clone(),
        classes: chosen
            .into_iter()
            .filter(|(on, _)| *on)
            .map(|(_, class)| class)
            .collect(),
        categories: args
            .tests
            .then_some(FileCategory::Test)
            .into_iter()
            .collect(),
        not_categories: args
            .no_tests
            .then_some(FileCategory::Test)
            .into_iter()
            .collect(),
    })
}

fn language(name: &str) -> anyhow::Result<String> {
    let found = find_language(name).map(|l| l.id.to_owned());
    let all = || {
        languages()
            .iter()
            .map(|l| l.id)
            .collect::<Vec<_>>()
            .join(", ")
    };
    found.with_context(|| format!("there is no language {name:?}; there are: {}", all()))
}

fn kind(name: &str) -> anyhow::Result<Kind> {
    let all = || Kind::ALL.map(Kind::as_str).join(", ");
    name.parse()
        .ok()
        .with_context(|| format!("there is no kind {name:?}; there are: {}", all()))
}

/// Prints a response in the format that was asked for.
pub(crate) fn show(
    response: &Response,
    args: &OutputArgs,
    session: &Session,
) -> anyhow::Result<()> {
    let style = Style {
        color: use_color(&session.config),
        line_numbers: !args.no_line_number || args.line_number,
        files_only: args.files_with_matches,
        max_tokens: args.max_tokens,
        timing: args.timing,
        base: current_folder(),
    };
    let text = match args.format().or_else(|| configured_format(session)) {
        Some(Format::Json) => json(response, &style),
        Some(Format::Markdown) => markdown(response, &style),
        _ => terminal(response, &style),
    };
    print(text)
}

/// Which lines of a result are wanted.
pub(crate) fn excerpt(args: &OutputArgs, session: &Session) -> anyhow::Result<Excerpt> {
    let config = &session.config;
    let wanted = args.context.as_deref();
    let wanted = wanted.unwrap_or(config.get("output.context"));
    let context = match wanted {
        _ if args.full => LineContext::Full,
        "smart" => LineContext::Smart,
        "none" => LineContext::None,
        _ => LineContext::Lines,
    };
    let around = match wanted {
        "smart" | "none" | "lines" => 0,
        number => number.parse().with_context(|| {
            format!("-C {number}: give a number of lines, or one of: smart, lines, none")
        })?,
    };
    Ok(Excerpt {
        context,
        before: args.before_context.unwrap_or(around),
        after: args.after_context.unwrap_or(around),
        max_lines: config.number("output.max_lines")? as u32,
        max_columns: config.number("output.max_columns")?,
    })
}

fn configured_format(session: &Session) -> Option<Format> {
    match session.config.get("output.format") {
        "json" => Some(Format::Json),
        "markdown" => Some(Format::Markdown),
        _ => None,
    }
}
