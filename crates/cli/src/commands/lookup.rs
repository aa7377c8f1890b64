//! Questions about structure: `scent def`, `refs`, `deps`, `impact`, `callpath`.

use super::{Session, as_typed, inside, leaves_files, place};
use crate::Outcome;
use crate::args::{
    AnswerArgs, CallPathArgs, DefArgs, DepsArgs, GlobalArgs, GraphFormat, ImpactArgs, PatienceArgs,
    RefsArgs,
};
use crate::output::{json_layout, note, print, print_notes};
use crate::progress::Bar;
use scent_engine::{
    CallPathOptions, Changed, DependencyOptions, EngineError, ImpactOptions, Position, Project,
    ReferenceFilter, Refresh,
};
use scent_print::{Answer, Budget, Envelope, Paths};
use scent_types::Note;
use std::path::{Path, PathBuf};

pub(crate) fn define(args: DefArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let typed = position_of(&args.name);
    let path = typed.as_ref().map(|(path, ..)| path.as_path());
    let place = Place::new(path.or(args.path.as_deref()), &args.patience, flags)?;
    let inside = path_inside(&typed, place.root())?;
    let (mut found, notes) = place.ask(flags, |project| match &typed {
        Some(typed) => project
            .definitions_at(position(&inside, typed), args.limit)
            .map_err(|error| as_typed(error, &typed.0)),
        None => project.definitions(&args.name, args.limit),
    })?;
    if found.total == 0 {
        note_unknown(flags, &args.name, &found.nearest);
    }
    show(&mut found, &place.paths(), notes, &args.answer, flags)?;
    Ok(if found.total == 0 {
        Outcome::Nothing
    } else {
        Outcome::Found
    })
}

/// A place that was typed instead of a name: the path as it was typed, the line,
/// and the column.
type Typed = (PathBuf, u32, Option<u32>);

/// The place in a file that was typed in place of a name. A name may end with a
/// colon and a number, too.
fn position_of(typed: &str) -> Option<Typed> {
    let with_column = || {
        let (place_typed, column) = typed.rsplit_once(':')?;
        let column = column.parse().ok().filter(|column| *column > 0)?;
        let (path, line) = place(place_typed).ok()?;
        Some((path, line, Some(column)))
    };
    let of_line = || place(typed).ok().map(|(path, line)| (path, line, None));
    let is_file = |typed: &Typed| typed.0.is_file();
    of_line()
        .filter(is_file)
        .or_else(|| with_column().filter(is_file))
}

fn position<'p>(path: &'p str, &(_, line, column): &Typed) -> Position<'p> {
    Position { path, line, column }
}

/// The same path relative to the root.
fn path_inside(typed: &Option<Typed>, root: &Path) -> anyhow::Result<String> {
    typed
        .as_ref()
        .map_or(Ok(String::new()), |(path, ..)| inside(path, root))
}

pub(crate) fn refer(args: RefsArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let typed = position_of(&args.name);
    let path = typed.as_ref().map(|(path, ..)| path.as_path());
    let place = Place::new(path.or(args.path.as_deref()), &args.patience, flags)?;
    let tests = only_tests(args.tests, args.no_tests);
    let wish = ReferenceFilter {
        roles: args.role,
        tests,
        no_vendored: args.no_vendored,
        text: args.include_text,
        ambiguous: args.all,
    };
    let inside = path_inside(&typed, place.root())?;
    let (mut found, notes) = place.ask(flags, |project| match &typed {
        Some(typed) => project
            .references_at(position(&inside, typed), &wish, args.limit)
            .map_err(|error| as_typed(error, &typed.0)),
        None => project.references(&args.name, &wish, args.limit),
    })?;
    if found.total == 0 && found.definitions.is_empty() && found.subject.is_none() {
        note_unknown(flags, &args.name, &found.nearest);
    }
    show(&mut found, &place.paths(), notes, &args.answer, flags)?;
    Ok(if found.total == 0 {
        Outcome::Nothing
    } else {
        Outcome::Found
    })
}

pub(crate) fn depend(args: DepsArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let place = Place::new(Some(&args.path), &args.patience, flags)?;
    let inside = inside(&args.path, place.root())?;
    let tests = args.no_tests.then_some(false);
    let reach = DependencyOptions {
        reverse: args.reverse,
        depth: args.depth,
        tests,
    };
    let (mut found, notes) = place.ask(flags, |project| project.dependencies(&inside, &reach))?;
    let paths = place.paths();
    match args.format {
        Some(GraphFormat::Dot) => print(scent_print::dependencies_dot(&found, &paths))?,
        Some(GraphFormat::Mermaid) => print(scent_print::dependencies_mermaid(&found, &paths))?,
        None => show(&mut found, &paths, notes, &args.answer, flags)?,
    }
    Ok(if found.total == 0 {
        Outcome::Nothing
    } else {
        Outcome::Found
    })
}

pub(crate) fn impact(args: ImpactArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let file = args
        .changed
        .iter()
        .map(Path::new)
        .find(|path| path.is_file());
    let place = Place::new(file, &args.patience, flags)?;
    let mut changed = Vec::new();
    for word in &args.changed {
        let path = Path::new(word);
        changed.push(match path.is_file() {
            true => Changed::File(inside(path, place.root())?),
            false => Changed::Name(word.clone()),
        });
    }
    let far = ImpactOptions {
        depth: args.depth,
        limit: args.limit,
        confidence: args.min_confidence,
        tests: only_tests(args.tests_only, args.no_tests),
    };
    let ((mut found, since), mut notes) = place.ask(flags, |project| {
        let since = |commit: &String| project.changed_since(commit);
        let since = args.diff.as_ref().map(since).transpose()?;
        let mut changed = changed.clone();
        changed.extend(since.iter().flat_map(|since| since.changed.iter().cloned()));
        Ok((project.impact(&changed, far)?, since))
    })?;
    if let Some(since) = &since {
        print_notes(flags, &since.notes);
        notes.extend(since.notes.iter().cloned());
    }
    if found.changed.is_empty() {
        match (&args.diff, since) {
            (Some(commit), Some(since)) if args.changed.is_empty() => {
                note(flags, &unchanged(commit, since.changed.len()));
            }
            _ => note_unknown(flags, &args.changed.join(", "), &found.nearest),
        }
    }
    let paths = place.paths();
    match args.format {
        Some(GraphFormat::Dot) => print(scent_print::impact_dot(&found, &paths))?,
        Some(GraphFormat::Mermaid) => print(scent_print::impact_mermaid(&found, &paths))?,
        None => show(&mut found, &paths, notes, &args.answer, flags)?,
    }
    Ok(if found.changed.is_empty() {
        Outcome::Nothing
    } else {
        Outcome::Found
    })
}

/// Which files two flags ask for.
fn only_tests(tests: bool, no_tests: bool) -> Option<bool> {
    match (tests, no_tests) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

/// What is said where nothing that is defined changed since a commit.
fn unchanged(commit: &str, files: usize) -> String {
    match files {
        0 => format!("nothing changed since {commit}"),
        files => format!("no definition changed since {commit} (files that did: {files})"),
    }
}

pub(crate) fn path(args: CallPathArgs, flags: &GlobalArgs) -> anyhow::Result<Outcome> {
    let place = Place::new(None, &args.patience, flags)?;
    let options = CallPathOptions {
        confidence: args.min_confidence,
    };
    let (mut found, notes) = place.ask(flags, |project| {
        project.callpath(&args.from, &args.to, options)
    })?;
    show(&mut found, &place.paths(), notes, &args.answer, flags)?;
    if found.total == 0 {
        let why = scent_print::no_callpath(&found, &args.from, &args.to);
        note(flags, &why);
    }
    Ok(if found.total == 0 {
        Outcome::Nothing
    } else {
        Outcome::Found
    })
}

/// The project that is asked about.
pub(super) struct Place {
    session: Session,
    refresh: Refresh<'static>,
}

impl Place {
    pub fn new(
        path: Option<&Path>,
        patience: &PatienceArgs,
        flags: &GlobalArgs,
    ) -> anyhow::Result<Place> {
        let paths: Vec<PathBuf> = path.map(scent_engine::enclosing).into_iter().collect();
        let session = Session::new(&paths, flags)?;
        session.confirm(flags)?;
        let refresh = session.refresh(patience)?;
        Ok(Place { session, refresh })
    }

    pub fn root(&self) -> &Path {
        self.session.project().root()
    }

    pub fn paths(&self) -> Paths {
        self.session.paths()
    }

    /// What the index of the project, brought up to date, answers, and what
    /// the reader should know of it.
    pub fn ask<T>(
        &self,
        flags: &GlobalArgs,
        question: impl Fn(&Project) -> Result<T, EngineError>,
    ) -> anyhow::Result<(T, Vec<Note>)> {
        let project = self.session.project();
        let bar = Bar::new(flags.quiet, false);
        let notes = project.refresh(self.refresh, &bar)?;
        bar.finish()?;
        let answer = question(project)?;
        print_notes(flags, &notes);
        if project.is_importance_stale() || leaves_files(&notes, self.refresh) {
            self.session.complete_later(project, flags);
        }
        Ok((answer, notes))
    }
}

/// Says that there is no such name, and which are like it.
fn note_unknown(flags: &GlobalArgs, name: &str, nearest: &[String]) {
    let similar = match nearest {
        [] => String::new(),
        names => format!("; similar names: {}", names.join(", ")),
    };
    note(flags, &format!("no symbol is named {name}{similar}"));
}

/// Prints what of an answer there is room for, and says how to see the rest.
/// JSON says that itself.
pub(super) fn show(
    found: &mut impl Answer,
    paths: &Paths,
    notes: Vec<Note>,
    args: &AnswerArgs,
    flags: &GlobalArgs,
) -> anyhow::Result<()> {
    if let Some(tokens) = args.max_tokens {
        found.cut(&mut Budget::new(tokens, args.json), paths);
    }
    let (shown, total) = found.counts();
    let rest = (shown < total).then(|| again(total));
    if args.json {
        return print(found.json(Envelope {
            root: paths.root.clone(),
            rest,
            notes,
            layout: json_layout(),
        }));
    }
    print(found.text(paths))?;
    if let Some(rest) = rest {
        note(
            flags,
            &format!("{shown} of {total} shown; `{rest}` shows all"),
        );
    }
    Ok(())
}

/// Flags that leave something out.
const CUTTING: [&str; 3] = ["-k", "--limit", "--max-tokens"];

/// Commands whose answers are limited without being asked to.
const LIMITED: [&str; 6] = ["def", "refs", "impact", "outline", "unused", "cycles"];

/// The command line, with a limit that shows all results.
fn again(total: usize) -> String {
    let mut kept = vec!["scent".to_owned()];
    let mut words = std::env::args_os().skip(1);
    while let Some(word) = words.next() {
        // A file name need not be text.
        let word = word.to_string_lossy().into_owned();
        if CUTTING.contains(&word.as_str()) {
            words.next();
        } else if !cuts(&word) {
            kept.push(word);
        }
    }
    if kept.iter().any(|word| LIMITED.contains(&word.as_str())) {
        kept.extend(["-k".to_owned(), total.to_string()]);
    }
    let quoted = shlex::try_join(kept.iter().map(String::as_str));
    quoted.unwrap_or_else(|_| kept.join(" "))
}

/// Whether a word is a flag that leaves something out, with its value.
fn cuts(word: &str) -> bool {
    let flag = word.split('=').next().unwrap_or(word);
    word.starts_with("-k") || (flag != word && CUTTING.contains(&flag))
}
