//! Questions about structure.

mod params;

use super::answer::{Exchange, Form, Input, tag};
use super::app::App;
use super::problem::Problem;
use super::roots::When;
use super::work::Ticket;
use crate::secrets::Withhold;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response as Reply;
use params::{
    CallPathParams, Common, ContextParams, DefinitionParams, DependencyParams, ImpactParams,
    MapParams, OutlineParams, ReferenceParams,
};
use scent_engine::{
    CallPathOptions, Changed, Cursor, DependencyOptions, EngineError, ImpactOptions, MapOptions,
    Position, Project, ReferenceFilter, is_secret,
};
use scent_print::{
    Answer, Budget, Envelope, Layout, Paths, Text, impact_lines, reference_lines, wire,
};
use scent_types::{FileOutline, Note, Role};
use serde::Serialize;
use std::sync::Arc;

/// More results than this are given line by line only, and more than that not
/// at all.
const MOST: usize = 1_000;
const MOST_LINES: usize = 100_000;

/// Nothing is followed further, in steps.
const DEEPEST: u32 = 20;

/// A file of a map and one of its symbols take at least about so many tokens.
const TOKENS_OF_A_FILE: usize = 16;

/// At least so many files are looked at for a map.
const FEWEST_FILES: usize = 60;

/// A question, and what it is put to.
struct Asked<'a, P> {
    app: &'a App,
    params: &'a P,
    project: &'a Project,
    form: Form,
    root: &'a str,
    notes: Vec<Note>,
}

impl<P> Asked<'_, P> {
    fn failed(&self, error: &EngineError) -> Problem {
        self.app.failed(error)
    }

    /// An answer in JSON, without what is not for everybody.
    fn told(self, mut found: impl Answer + Withhold, max_tokens: Option<usize>) -> Text {
        if !self.app.settings.show_secrets {
            found.withhold();
        }
        if let Some(most) = max_tokens {
            found.cut(&mut Budget::new(most, true), &Paths::default());
        }
        let (shown, total) = found.counts();
        found.json(Envelope {
            root: self.root.to_owned(),
            rest: (shown < total).then(|| format!("k={total}")),
            notes: self.notes,
            layout: Layout::Compact,
        })
    }

    /// The limit of a list in the form that is wanted.
    fn limit(&self, k: Option<usize>, default: usize) -> Result<usize, Problem> {
        let most = match self.form {
            Form::Whole => MOST,
            Form::Lines => MOST_LINES,
        };
        match k.unwrap_or(if self.form == Form::Lines {
            most
        } else {
            default
        }) {
            0 => Err(Problem::bad("zero-limit", "k is at least 1")),
            k if k > most => {
                let detail = format!("k is at most {most} here, or ask for {}", Form::LINES);
                Err(Problem::bad("limit-too-large", detail))
            }
            k => Ok(k),
        }
    }
}

/// Answers a question from one folder.
async fn ask<P: Common + Serialize + Send + Sync + 'static>(
    app: Arc<App>,
    headers: HeaderMap,
    name: &'static str,
    params: P,
    question: fn(Asked<P>) -> Result<Text, Problem>,
) -> Result<Reply, Problem> {
    let exchange = Exchange::new(Arc::clone(&app), headers);
    let form = exchange.form;
    let (generation, fresh) = params.when();
    let root = app.roots.one(params.root())?;
    let tag = match generation.is_none() && !fresh {
        true => self::tag(&app, &[root], &(name, form == Form::Lines, &params)),
        false => None,
    };
    let work = move |app: &App, ticket: &Ticket| {
        let root = app.roots.one(params.root())?;
        let mut view = root.view(When {
            generation,
            fresh,
            patience: app.settings.patience,
        })?;
        view.refreshed(ticket)?;
        let notes = view.notes.into_iter().map(|note| app.roots.clean(note));
        question(Asked {
            app,
            params: &params,
            project: &view.project.until(ticket.deadline()),
            form,
            root: &root.id,
            notes: notes.collect(),
        })
    };
    exchange.answer(tag, work).await
}

/// Refuses what is not in the table of files, and what is not for everybody,
/// with the same words as a file that never was.
pub(crate) fn check_file(app: &App, project: &Project, path: &str) -> Result<(), Problem> {
    let is_hidden = !app.settings.show_secrets && is_secret(path);
    match project.has_file(path) {
        Ok(true) if !is_hidden => Ok(()),
        Ok(_) => Err(Problem::no_such_file()),
        Err(error) => Err(app.failed(&error)),
    }
}

/// Whether a path is one as the table of files has it, or a folder of such.
fn check_inside(path: &str) -> Result<(), Problem> {
    let is_plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', '\0']);
    match path.is_empty() || path.split('/').all(is_plain) {
        true => Ok(()),
        false => Err(Problem::no_such_file()),
    }
}

/// Where a name is defined.
#[utoipa::path(
    get, path = "/api/v1/definitions", tag = "structure", params(DefinitionParams),
    responses(
        (status = 200, description = "The definitions, the best first", body = wire::Definitions),
        (status = "default", description = "Why there is no answer", body = wire::Problem,
         content_type = "application/problem+json"),
    )
)]
pub(crate) async fn definitions(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Input(params): Input<DefinitionParams>,
) -> Result<Reply, Problem> {
    ask(
        app,
        headers,
        "definitions",
        params,
        |asked: Asked<DefinitionParams>| {
            let params = asked.params;
            let limit = asked.limit(params.k, 20)?;
            let found = match position(&asked, &params.path, (params.line, params.column))? {
                Some(position) => asked.project.definitions_at(position, limit),
                None => {
                    let name = required(&params.name, "name")?;
                    asked.project.definitions(name, limit)
                }
            };
            let found = found.map_err(|error| asked.failed(&error))?;
            let max_tokens = params.max_tokens;
            Ok(asked.told(found, max_tokens))
        },
    )
    .await
}

/// The place that is asked about, if one is.
fn position<'p, P>(
    asked: &Asked<P>,
    path: &'p str,
    (line, column): (Option<u32>, Option<u32>),
) -> Result<Option<Position<'p>>, Problem> {
    let Some(line) = line else {
        return Ok(None);
    };
    check_file(asked.app, asked.project, path)?;
    Ok(Some(Position { path, line, column }))
}

fn required<'t>(text: &'t str, name: &str) -> Result<&'t str, Problem> {
    match text.trim() {
        "" => Err(Problem::bad("bad-parameter", format!("give `{name}`"))),
        text => Ok(text),
    }
}

/// Who uses a name.
#[utoipa::path(
    get, path = "/api/v1/references", tag = "structure", params(ReferenceParams),
    responses(
        (status = 200, description = "The references by file and line", body = wire::References),
        (status = "default", description = "Why there is no answer", body = wire::Problem,
         content_type = "application/problem+json"),
    )
)]
pub(crate) async fn references(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Input(params): Input<ReferenceParams>,
) -> Result<Reply, Problem> {
    ask(app, headers, "references", params, references_of).await
}

fn references_of(asked: Asked<ReferenceParams>) -> Result<Text, Problem> {
    let params = asked.params;
    let roles: Result<Vec<Role>, Problem> = params.role.iter().map(|word| role(word)).collect();
    let filter = ReferenceFilter {
        roles: roles?,
        tests: params.tests,
        no_vendored: params.no_vendored,
        ambiguous: params.all,
        text: params.text,
    };
    let limit = asked.limit(params.k, 100)?;
    let found = match position(&asked, &params.path, (params.line, params.column))? {
        Some(position) => asked.project.references_at(position, &filter, limit),
        None => {
            let name = required(&params.name, "name")?;
            asked.project.references(name, &filter, limit)
        }
    };
    let mut found = found.map_err(|error| asked.failed(&error))?;
    if asked.form == Form::Lines {
        if !asked.app.settings.show_secrets {
            found.withhold();
        }
        return Ok(reference_lines(&found, &asked.notes));
    }
    Ok(asked.told(found, params.max_tokens))
}

fn role(word: &str) -> Result<Role, Problem> {
    let known = Role::ALL.into_iter().find(|role| role.as_str() == word);
    known.ok_or_else(|| {
        let problem = Problem::bad("unknown-role", format!("{word:?} is no role"));
        problem.with_known(Role::ALL.map(Role::as_str))
    })
}

/// What a file or folder imports, or who imports it.
#[utoipa::path(
    get, path = "/api/v1/dependencies", tag = "structure", params(DependencyParams),
    responses(
        (status = 200, description = "The imports, nearest first", body = wire::Dependencies),
        (status = "default", description = "Why there is no answer", body = wire::Problem,
         content_type = "application/problem+json"),
    )
)]
pub(crate) async fn dependencies(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Input(params): Input<DependencyParams>,
) -> Result<Reply, Problem> {
    ask(
        app,
        headers,
        "dependencies",
        params,
        |asked: Asked<DependencyParams>| {
            let params = asked.params;
            check_inside(&params.path)?;
            let options = DependencyOptions {
                reverse: params.reverse,
                depth: params.depth.unwrap_or(1).clamp(1, DEEPEST),
                tests: params.no_tests.then_some(false),
            };
            if !asked.app.settings.show_secrets && is_secret(&params.path) {
                return Err(Problem::no_such_file());
            }
            match asked.project.dependencies(&params.path, &options) {
                Ok(found) => Ok(asked.told(found, params.max_tokens)),
                Err(EngineError::NoSuchPlace { .. }) => Err(Problem::no_such_file()),
                Err(error) => Err(asked.failed(&error)),
            }
        },
    )
    .await
}

/// What a change may break.
#[utoipa::path(
    get, path = "/api/v1/impact", tag = "structure", params(ImpactParams),
    responses(
        (status = 200, description = "What may break, nearest first", body = wire::Impact),
        (status = "default", description = "Why there is no answer", body = wire::Problem,
         content_type = "application/problem+json"),
    )
)]
pub(crate) async fn impact(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Input(params): Input<ImpactParams>,
) -> Result<Reply, Problem> {
    ask(app, headers, "impact", params, impact_of).await
}

/// A longer name of a commit is none.
const LONGEST_COMMIT: usize = 256;

fn impact_of(mut asked: Asked<ImpactParams>) -> Result<Text, Problem> {
    let params = asked.params;
    let mut changed: Vec<Changed> = params.name.iter().cloned().map(Changed::Name).collect();
    for path in &params.path {
        check_file(asked.app, asked.project, path)?;
        changed.push(Changed::File(path.clone()));
    }
    if changed.is_empty() && params.diff.is_none() {
        let detail = "give `name`, `path` or `diff`";
        return Err(Problem::bad("bad-parameter", detail));
    }
    if let Some(commit) = &params.diff {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-/~^".contains(c);
        if commit.len() > LONGEST_COMMIT || !commit.chars().all(is_plain) {
            let detail = "`diff` is the name or the id of a commit";
            return Err(Problem::bad("git", detail));
        }
        let since = asked.project.changed_since(commit);
        let since = since.map_err(|error| asked.failed(&error))?;
        changed.extend(since.changed);
        asked.notes.extend(since.notes);
    }
    let options = ImpactOptions {
        depth: params.depth.unwrap_or(5).min(DEEPEST),
        limit: asked.limit(params.k, 200)?,
        confidence: params.min_confidence.unwrap_or(0.25),
        tests: params.tests,
    };
    let found = asked.project.impact(&changed, options);
    let mut found = found.map_err(|error| asked.failed(&error))?;
    if asked.form == Form::Lines {
        if !asked.app.settings.show_secrets {
            found.withhold();
        }
        return Ok(impact_lines(&found, &asked.notes));
    }
    Ok(asked.told(found, params.max_tokens))
}

/// How one symbol comes to use another.
#[utoipa::path(
    get, path = "/api/v1/callpath", tag = "structure", params(CallPathParams),
    responses(
        (status = 200, description = "The steps", body = wire::CallPath),
        (status = "default", description = "Why there is no answer", body = wire::Problem,
         content_type = "application/problem+json"),
    )
)]
pub(crate) async fn callpath(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Input(params): Input<CallPathParams>,
) -> Result<Reply, Problem> {
    ask(
        app,
        headers,
        "callpath",
        params,
        |asked: Asked<CallPathParams>| {
            let from = required(&asked.params.from, "from")?;
            let to = required(&asked.params.to, "to")?;
            let options = CallPathOptions {
                confidence: asked.params.min_confidence.unwrap_or(0.5),
            };
            let found = asked.project.callpath(from, to, options);
            let found = found.map_err(|error| asked.failed(&error))?;
            Ok(asked.told(found, None))
        },
    )
    .await
}

/// What files define, without bodies.
#[utoipa::path(
    get, path = "/api/v1/outline", tag = "structure", params(OutlineParams),
    responses(
        (status = 200, description = "The files as they were named", body = wire::Outline),
        (status = "default", description = "Why there is no answer", body = wire::Problem,
         content_type = "application/problem+json"),
    )
)]
pub(crate) async fn outline(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Input(params): Input<OutlineParams>,
) -> Result<Reply, Problem> {
    ask(app, headers, "outline", params, outline_of).await
}

/// So many paths are outlined at once.
const MOST_OUTLINED: usize = 20;

fn outline_of(asked: Asked<OutlineParams>) -> Result<Text, Problem> {
    let params = asked.params;
    if params.path.is_empty() || params.path.len() > MOST_OUTLINED {
        let detail = format!("give 1 to {MOST_OUTLINED} times `path`");
        return Err(Problem::bad("bad-parameter", detail));
    }
    let limit = asked.limit(params.k, 8)?;
    let mut files: Vec<FileOutline> = Vec::new();
    for path in &params.path {
        check_inside(path)?;
        if check_file(asked.app, asked.project, path).is_ok() {
            let file = asked.project.outline(path);
            files.push(file.map_err(|error| asked.failed(&error))?);
            continue;
        }
        let found = asked.project.folder_outline(path, limit);
        let found = found.map_err(|error| asked.failed(&error))?;
        // A file that is not for everybody is in a folder of that name, too.
        let found: Vec<FileOutline> = found.into_iter().filter(|f| f.path != *path).collect();
        if found.is_empty() {
            return Err(Problem::no_such_file());
        }
        files.extend(found);
    }
    if params.public {
        files.iter_mut().for_each(FileOutline::keep_public);
    }
    Ok(asked.told(files, params.max_tokens))
}

/// The files and symbols to read first.
#[utoipa::path(
    get, path = "/api/v1/map", tag = "structure", params(MapParams),
    responses(
        (status = 200, description = "The most important files", body = wire::ProjectMap),
        (status = "default", description = "Why there is no answer", body = wire::Problem,
         content_type = "application/problem+json"),
    )
)]
pub(crate) async fn map(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Input(params): Input<MapParams>,
) -> Result<Reply, Problem> {
    ask(app, headers, "map", params, |asked: Asked<MapParams>| {
        check_inside(&asked.params.path)?;
        let tokens = asked.params.max_tokens.unwrap_or(2_000);
        let options = MapOptions {
            path: asked.params.path.clone(),
            files: (tokens / TOKENS_OF_A_FILE).clamp(FEWEST_FILES, MOST),
        };
        let found = asked.project.map(&options);
        let found = found.map_err(|error| asked.failed(&error))?;
        Ok(asked.told(found, Some(tokens)))
    })
    .await
}

/// How much of a context is given where nobody says how much, in tokens, and the
/// most that is given.
const CONTEXT: usize = 1_000;
const MOST_CONTEXT: usize = 20_000;

/// What code at a cursor will need.
#[utoipa::path(
    method(get, post), path = "/api/v1/context", tag = "structure",
    params(ContextParams), request_body = Option<ContextParams>,
    responses(
        (status = 200, description = "Signatures and similar code, the likeliest first",
         body = wire::Context),
        (status = "default", description = "Why there is no answer", body = wire::Problem,
         content_type = "application/problem+json"),
    )
)]
pub(crate) async fn context(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Input(params): Input<ContextParams>,
) -> Result<Reply, Problem> {
    ask(app, headers, "context", params, context_of).await
}

fn context_of(asked: Asked<ContextParams>) -> Result<Text, Problem> {
    let params = asked.params;
    let path = required(&params.path, "path")?;
    if params.line == 0 {
        let detail = "give `line`, counted from 1";
        return Err(Problem::bad("bad-parameter", detail));
    }
    let max_tokens = match params.max_tokens.unwrap_or(CONTEXT) {
        0 => return Err(Problem::bad("zero-limit", "max_tokens is at least 1")),
        tokens if tokens > MOST_CONTEXT => {
            let detail = format!("max_tokens is at most {MOST_CONTEXT} here");
            return Err(Problem::bad("limit-too-large", detail));
        }
        tokens => tokens,
    };
    let around = match (&params.before, &params.after) {
        (None, None) => {
            check_file(asked.app, asked.project, path)?;
            None
        }
        // An editor writes files that are not there yet.
        (before, after) => {
            check_inside(path)?;
            if !asked.app.settings.show_secrets && is_secret(path) {
                return Err(Problem::no_such_file());
            }
            let text = |part: &Option<String>| part.clone().unwrap_or_default();
            Some((text(before), text(after)))
        }
    };
    let cursor = Cursor {
        path: path.to_owned(),
        line: params.line,
        around,
    };
    let found = asked.project.context(&cursor, max_tokens);
    let found = found.map_err(|error| asked.failed(&error))?;
    Ok(asked.told(found, None))
}
