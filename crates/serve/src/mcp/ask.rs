//! What the tools do: a question to the engine, and its answer in the form that
//! `print` gives it.

use super::arguments::Arguments;
use super::follow::Follow;
use super::told::{Told, notes_in_words};
use crate::projects::{Meant, Projects, as_path};
use crate::secrets::Withhold;
use scent_engine::{
    CallPathOptions, Changed, DependencyOptions, EngineError, ImpactOptions, MapOptions, Position,
    Project, ReferenceFilter, Refresh, canonical, display_path, file_outline, is_secret,
    parse_request,
};
use scent_print::{
    Answer, Budget, Envelope, Layout, Paths, Style, json, no_callpath, status_json, status_text,
    terminal,
};
use scent_types::{Deadline, FileOutline, Lane, Note, RawRequest, Request, Response, Role};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// With a budget, as many results as may fit into it are looked at.
const LIMIT_WITH_BUDGET: usize = 50;

/// The longest and the shortest answer that is given, in tokens.
const MOST_TOKENS: usize = 8_000;
const LEAST_TOKENS: usize = 200;

/// So many files are outlined at once.
const MOST_OUTLINED: usize = 20;

/// Larger files are not handed out whole.
const LARGEST_FILE: usize = 256 << 10;

/// A file of a map and one of its symbols take at least about so many tokens.
const TOKENS_OF_A_FILE: usize = 16;

/// At least so many files are looked at for a map.
const FEWEST_FILES: usize = 60;

/// One call of a tool.
pub(super) struct Call<'c> {
    pub arguments: &'c Arguments,
    pub projects: &'c Projects,
    pub meant: &'c Meant,
    /// How long files may be indexed before it is answered; none for ever.
    pub patience: Option<Duration>,
    pub follow: &'c Follow,
    /// How long the answer is where the call does not say.
    pub tokens: usize,
    /// Whether every answer is JSON.
    pub structured: bool,
}

/// The answer to a call of the tool of this name; else what is wrong, in words
/// for the model.
pub(super) fn answer(tool: &str, call: &Call) -> Result<Told, String> {
    match tool {
        "search" => call.search(),
        "def" => call.define(),
        "refs" => call.refer(),
        "impact" => call.impact(),
        "deps" => call.depend(),
        "outline" => call.outline(),
        "similar" => call.alike(),
        "callpath" => call.chain(),
        "status" => call.status(),
        "file" => call.file(),
        other => Err(format!("there is no tool named {other}")),
    }
}

impl Call<'_> {
    fn project(&self) -> &Project {
        &self.meant.opened.project
    }

    fn refresh(&self) -> Refresh<'static> {
        self.patience.map_or(Refresh::Always, Refresh::Within)
    }

    fn max_tokens(&self) -> usize {
        let wanted = self.arguments.number("max_tokens").unwrap_or(self.tokens);
        wanted.clamp(LEAST_TOKENS, MOST_TOKENS)
    }

    fn offset(&self) -> usize {
        self.arguments.number("offset").unwrap_or(0)
    }

    fn is_json(&self) -> bool {
        self.structured || self.arguments.text("format") == Some("json")
    }

    fn paths(&self) -> Paths {
        Paths {
            root: display_path(self.project().root()),
            base: display_path(&self.meant.base),
            links: false,
        }
    }

    /// A file or folder as a model writes it: whole, or from where the reader
    /// stands, or from the root of the project.
    fn existing(&self, text: &str) -> Option<PathBuf> {
        let path = as_path(text);
        let from = [&self.meant.base, self.project().root()];
        let mut candidates = from.into_iter().map(|folder: &Path| folder.join(&path));
        candidates.find_map(|path| canonical(&path).ok())
    }

    /// A file or folder, relative to the root of the project.
    fn inside(&self, path: &Path) -> Result<String, String> {
        let root = self.project().root();
        let inside = path.strip_prefix(root).map_err(|_| {
            let (path, root) = (path.display(), root.display());
            format!("{path} is not in the project {root}; pass its folder as root")
        })?;
        Ok(display_path(inside))
    }

    /// The same for what has to be there.
    fn required(&self, text: &str) -> Result<String, String> {
        match self.existing(text) {
            Some(path) => self.inside(&path),
            None => Err(format!(
                "{text}: no such file or folder in {}; paths are relative to it, and search \
                 finds them by name",
                self.project().root().display()
            )),
        }
    }

    /// A place `PATH:LINE` or `PATH:FIRST-LAST`, if it names a file that is
    /// there.
    fn place(&self, text: &str) -> Result<Option<(String, u32)>, String> {
        let Some((path, line)) = split_place(text) else {
            return Ok(None);
        };
        match self.existing(path).filter(|path| path.is_file()) {
            Some(path) => Ok(Some((self.inside(&path)?, line))),
            None => Ok(None),
        }
    }

    /// The same, or `PATH:LINE:COLUMN`.
    fn position(&self, text: &str) -> Result<Option<OwnedPosition>, String> {
        let owned = |(path, line), column| OwnedPosition { path, line, column };
        if let Some(place) = self.place(text)? {
            return Ok(Some(owned(place, None)));
        }
        let Some((place, column)) = split_place(text) else {
            return Ok(None);
        };
        Ok(self.place(place)?.map(|place| owned(place, Some(column))))
    }

    fn search(&self) -> Result<Told, String> {
        let mut notes = self.arguments.notes.clone();
        let mut raw = self.raw_request();
        let scope = self.scope(&mut raw, &mut notes)?;
        let project = self.project().clone().within(scope);
        let response = match self.arguments.text("like") {
            Some(place) => self.similar(place, &raw)?,
            None => self.found(project, &raw)?,
        };
        self.go_on(&response, &mut notes);
        Ok(self.tell_response(&response, notes))
    }

    /// What is like the code at a place.
    fn alike(&self) -> Result<Told, String> {
        let place = self.arguments.text("place").unwrap_or_default();
        let response = self.similar(place, &self.raw_request())?;
        let mut notes = self.arguments.notes.clone();
        self.go_on(&response, &mut notes);
        Ok(self.tell_response(&response, notes))
    }

    /// How one symbol comes to use another.
    fn chain(&self) -> Result<Told, String> {
        let [from, to] = ["from", "to"].map(|name| self.arguments.text(name).unwrap_or_default());
        self.way(&[from.to_owned()], to)
    }

    fn status(&self) -> Result<Told, String> {
        let (status, notes) = self.ask(Project::contents)?;
        if self.is_json() {
            return Ok(Told::json(
                status_json(&status, Layout::Compact),
                Vec::new(),
            ));
        }
        let notes = notes_in_words(&notes);
        Ok(Told::text(&status_text(&status), notes, self.max_tokens()))
    }

    /// The text of a file that is indexed.
    fn file(&self) -> Result<Told, String> {
        let path = self.required(self.arguments.text("path").unwrap_or_default())?;
        if is_secret(&path) && !self.projects.shows_secrets() {
            return Err(format!("{path}: not shown; it may hold keys or passwords"));
        }
        let (text, _) = self.ask(|project| project.file_text(&path))?;
        match text {
            Some(text) if text.len() > LARGEST_FILE => {
                let size = text.len();
                Err(format!(
                    "{path}: {size} bytes are too many; search shows its parts"
                ))
            }
            Some(text) => Ok(Told { text }),
            None => Err(format!("{path}: not indexed")),
        }
    }

    fn raw_request(&self) -> RawRequest {
        let arguments = self.arguments;
        let text = |name: &str| arguments.text(name).map(str::to_owned);
        let (mut categories, mut not_categories) = (Vec::new(), Vec::new());
        match arguments.text("only") {
            Some("tests") => categories.push("test".to_owned()),
            Some("no-tests") => not_categories.push("test".to_owned()),
            Some(class) => categories.push(class.to_owned()),
            None => {}
        }
        let blank = &self.meant.opened.blank;
        RawRequest {
            query: text("query").unwrap_or_default(),
            pattern: text("pattern"),
            literal: arguments.flag("literal").unwrap_or(false),
            languages: arguments.list("lang").to_vec(),
            kinds: arguments.list("kind").to_vec(),
            categories,
            not_categories,
            limit: Some(arguments.limit(LIMIT_WITH_BUDGET)),
            offset: self.offset(),
            hide_secrets: !self.projects.shows_secrets(),
            context: text("context").or_else(|| blank.context.clone()),
            ..blank.clone()
        }
    }

    /// The files and folders to search, relative to the root; empty for all.
    /// What is no file may be a glob.
    fn scope(&self, raw: &mut RawRequest, notes: &mut Vec<String>) -> Result<Vec<String>, String> {
        let mut scope = Vec::new();
        for path in self.arguments.list("paths") {
            let is_glob = path.contains(['*', '?', '[', '{']);
            match self.existing(path) {
                Some(found) => scope.push(self.inside(&found)?),
                None if is_glob => raw.paths.push(path.clone()),
                None => notes.push(format!("paths: {path} is not there and left out")),
            }
        }
        // The root itself is everything.
        if scope.iter().any(String::is_empty) {
            scope.clear();
        }
        Ok(scope)
    }

    fn found(&self, project: Project, raw: &RawRequest) -> Result<Response, String> {
        let has_filters = !raw.kinds.is_empty() || !raw.names.is_empty();
        if raw.query.is_empty() && raw.pattern.is_none() && !has_filters {
            return Err("search needs `query`, `pattern` or `like`".to_owned());
        }
        let request = self.request(raw)?;
        let mut projects = vec![project];
        if projects[0].scope().is_empty() {
            projects.extend(self.meant.opened.linked.iter().cloned());
        }
        let engine = &self.meant.opened.engine;
        let found = engine.search(&projects, &request, self.refresh(), self.follow);
        found.map_err(in_words)
    }

    fn similar(&self, place: &str, raw: &RawRequest) -> Result<Response, String> {
        let Some((path, line)) = self.place(place)? else {
            return Err(format!("like: give PATH:LINE of a file, not {place:?}"));
        };
        let raw = RawRequest {
            query: String::new(),
            pattern: None,
            literal: false,
            ..raw.clone()
        };
        let request = Request {
            lanes: vec![Lane::Vector],
            ..self.request(&raw)?
        };
        let project = self.project();
        let found = project.similar((&path, line), &request, self.refresh(), self.follow);
        found.map_err(in_words)
    }

    fn request(&self, raw: &RawRequest) -> Result<Request, String> {
        let mut request = parse_request(raw).map_err(|error| error.to_string())?;
        request.deadline = self.deadline();
        Ok(request)
    }

    /// A call ends where the client does not wait for it any more.
    fn deadline(&self) -> Deadline {
        Deadline::default().or_cancelled(Arc::clone(&self.follow.cancelled))
    }

    /// Lets the worker in the background do what an answer lacks.
    fn go_on(&self, response: &Response, notes: &mut Vec<String>) {
        let known = response.embeddings.as_ref();
        let lacks = known.is_some_and(|known| {
            known.waiting > 0 || known.refined.is_some() || known.importance_stale
        });
        if lacks || is_partial(&response.notes) {
            self.complete_later(notes);
        }
    }

    fn complete_later(&self, notes: &mut Vec<String>) {
        let linked = self.meant.opened.linked.iter();
        for project in linked.chain([self.project()]) {
            if project.is_indexed() {
                notes.extend(self.projects.host().complete_later(project));
            }
        }
    }

    fn tell_response(&self, response: &Response, mut notes: Vec<String>) -> Told {
        let style = Style {
            line_numbers: true,
            max_tokens: Some(self.max_tokens()),
            paths: self.paths(),
            ..Style::default()
        };
        if self.is_json() {
            return Told::json(json(response, &style).text, notes);
        }
        let printed = terminal(response, &style);
        let left = left_of_search(response, printed.shown);
        notes.splice(0..0, notes_in_words(&response.notes));
        notes.extend(left);
        Told::text(&printed.text, notes, self.max_tokens())
    }

    fn define(&self) -> Result<Told, String> {
        let name = self.arguments.text("name").unwrap_or_default();
        let limit = self.arguments.limit(20);
        let position = self.position(name)?;
        let (mut found, notes) = self.ask(|project| match &position {
            Some(position) => project.definitions_at(position.borrow(), self.end(limit)),
            None => project.definitions(name, self.end(limit)),
        })?;
        let before = skip(&mut found.definitions, self.offset());
        let unknown = (found.total == 0).then(|| unknown(name, &found.nearest));
        Ok(self.tell(found, notes, (before, unknown)))
    }

    fn refer(&self) -> Result<Told, String> {
        let name = self.arguments.text("name").unwrap_or_default();
        let limit = self.end(self.arguments.limit(100));
        let mut roles = Vec::new();
        for word in self.arguments.list("role") {
            roles.push(role(word)?);
        }
        let filter = ReferenceFilter {
            roles,
            tests: self.arguments.flag("tests"),
            no_vendored: false,
            text: self.arguments.flag("text").unwrap_or(false),
            ambiguous: self.arguments.flag("all").unwrap_or(false),
        };
        let position = self.position(name)?;
        let (mut found, notes) = self.ask(|project| match &position {
            Some(position) => project.references_at(position.borrow(), &filter, limit),
            None => project.references(name, &filter, limit),
        })?;
        let before = skip(&mut found.uses, self.offset());
        let is_unknown =
            found.total == 0 && found.definitions.is_empty() && found.subject.is_none();
        let unknown = is_unknown.then(|| unknown(name, &found.nearest));
        Ok(self.tell(found, notes, (before, unknown)))
    }

    fn impact(&self) -> Result<Told, String> {
        let targets = self.arguments.list("target");
        let diff = self.arguments.text("diff").map(commit);
        if targets.is_empty() && diff.is_none() {
            return Err("impact needs `target` (names or files) or `diff` (a commit)".to_owned());
        }
        if let Some(to) = self.arguments.text("to") {
            return self.way(targets, to);
        }
        let mut named = Vec::new();
        for target in targets {
            let file = self.existing(target).filter(|path| path.is_file());
            named.push(match file {
                Some(path) => Changed::File(self.inside(&path)?),
                None => Changed::Name(target.clone()),
            });
        }
        let options = ImpactOptions {
            depth: self.arguments.number("depth").unwrap_or(5) as u32,
            limit: self.end(self.arguments.limit(200)),
            confidence: self.arguments.real("min_confidence").unwrap_or(0.25) as f32,
            tests: None,
        };
        let ((mut found, since), mut notes) = self.ask(|project| {
            let since = diff
                .map(|commit| project.changed_since(commit))
                .transpose()?;
            let mut changed = named.clone();
            changed.extend(since.iter().flat_map(|since| since.changed.iter().cloned()));
            Ok((project.impact(&changed, options)?, since))
        })?;
        let mut unknown = None;
        if found.changed.is_empty() {
            unknown = Some(match (&since, targets) {
                (Some(since), []) => unchanged(diff.unwrap_or_default(), since.changed.len()),
                _ => self::unknown(&targets.join(", "), &found.nearest),
            });
        }
        notes.extend(since.into_iter().flat_map(|since| since.notes));
        let before = skip(&mut found.affected, self.offset());
        Ok(self.tell(found, notes, (before, unknown)))
    }

    /// How one symbol comes to use another.
    fn way(&self, targets: &[String], to: &str) -> Result<Told, String> {
        let [from] = targets else {
            return Err("with `to`, `target` is one symbol".to_owned());
        };
        let least = self.arguments.real("min_confidence").unwrap_or(0.5) as f32;
        let options = CallPathOptions { confidence: least };
        let (found, notes) = self.ask(|project| project.callpath(from, to, options))?;
        let none = (found.total == 0).then(|| no_callpath(&found, from, to));
        Ok(self.tell(found, notes, (0, none)))
    }

    fn depend(&self) -> Result<Told, String> {
        let path = self.required(self.arguments.text("path").unwrap_or_default())?;
        let reach = DependencyOptions {
            reverse: self.arguments.flag("reverse").unwrap_or(false),
            depth: self.arguments.number("depth").unwrap_or(1).max(1) as u32,
            tests: None,
        };
        let (mut found, notes) = self.ask(|project| project.dependencies(&path, &reach))?;
        let before = skip(&mut found.dependencies, self.offset());
        let none = (found.total == 0).then(|| match reach.reverse {
            true => format!("nothing that is indexed imports {path}"),
            false => format!("no imports are known of {path}"),
        });
        Ok(self.tell(found, notes, (before, none)))
    }

    fn outline(&self) -> Result<Told, String> {
        let paths = self.arguments.list("paths");
        if paths.is_empty() {
            return self.map();
        }
        if paths.len() > MOST_OUTLINED {
            return Err(format!("outline takes at most {MOST_OUTLINED} paths"));
        }
        let limit = self.arguments.limit(8);
        let (mut files, mut notes): (Vec<FileOutline>, Vec<Note>) = Default::default();
        for text in paths {
            let inside = self.required(text)?;
            let path = self.project().root().join(&inside);
            if path.is_dir() {
                let (found, more) = self.ask(|project| project.folder_outline(&inside, limit))?;
                files.extend(found);
                notes.extend(more);
            } else {
                let mut file = file_outline(&path).map_err(|error| format!("{text}: {error}"))?;
                file.path = inside;
                files.push(file);
            }
        }
        if self.arguments.flag("public") == Some(true) {
            files.iter_mut().for_each(FileOutline::keep_public);
        }
        Ok(self.tell(files, notes, (0, None)))
    }

    fn map(&self) -> Result<Told, String> {
        let options = MapOptions {
            path: String::new(),
            files: (self.max_tokens() / TOKENS_OF_A_FILE).max(FEWEST_FILES),
        };
        let (found, notes) = self.ask(|project| project.map(&options))?;
        Ok(self.tell(found, notes, (0, None)))
    }

    /// Where a list ends of which the first results are passed over.
    fn end(&self, limit: usize) -> usize {
        self.offset().saturating_add(limit)
    }

    /// What the index of the project, brought up to date, answers, and what the
    /// reader should know of it.
    fn ask<T>(
        &self,
        question: impl Fn(&Project) -> Result<T, EngineError>,
    ) -> Result<(T, Vec<Note>), String> {
        let project = self.project();
        let notes = project.refresh(self.refresh(), self.follow);
        let notes = notes.map_err(in_words)?;
        let project = project.clone().until(self.deadline());
        let answer = question(&project).map_err(in_words)?;
        Ok((answer, notes))
    }

    /// An answer about structure, as far as there is room for it. `before` says
    /// how many of its results were passed over, `none` what is said where it
    /// has none.
    fn tell(
        &self,
        mut found: impl Answer + Withhold,
        notes: Vec<Note>,
        (before, none): (usize, Option<String>),
    ) -> Told {
        let mut words = self.arguments.notes.clone();
        if self.project().is_importance_stale() || is_partial(&notes) {
            self.complete_later(&mut words);
        }
        if !self.projects.shows_secrets() {
            found.withhold();
        }
        let paths = self.paths();
        found.cut(&mut Budget::new(self.max_tokens(), self.is_json()), &paths);
        let (shown, total) = found.counts();
        let rest = self.rest(before, shown, total);
        words.extend(none);
        if self.is_json() {
            let text = found.json(Envelope {
                root: paths.root.clone(),
                rest,
                notes,
                layout: Layout::Compact,
            });
            return Told::json(text, words);
        }
        words.splice(0..0, notes_in_words(&notes));
        words.extend(rest);
        Told::text(&found.text(&paths), words, self.max_tokens())
    }

    /// What of a list is left, and how to see it.
    fn rest(&self, before: usize, shown: usize, total: usize) -> Option<String> {
        let end = before + shown;
        if end >= total {
            return None;
        }
        let more = match self.arguments.takes("offset") {
            true => format!("offset: {end}"),
            false => format!("max_tokens: {}, or fewer paths", self.max_tokens() * 2),
        };
        Some(format!("{}; more with {more}", which(before, shown, total)))
    }
}

/// What is left of the results of a search, and how to see it.
fn left_of_search(response: &Response, shown: usize) -> Option<String> {
    let Response { total, offset, .. } = response;
    let next = match shown < response.hits.len() {
        true => Some(offset + shown),
        false => response.next_offset,
    };
    match next {
        Some(next) => {
            let which = which(*offset, shown, *total);
            Some(format!("{which}; more with offset: {next}"))
        }
        None if offset + shown < *total => Some(which(*offset, shown, *total)),
        None => None,
    }
}

fn which(before: usize, shown: usize, total: usize) -> String {
    match before {
        0 => format!("{shown} of {total} shown"),
        _ if shown == 0 => format!("none of {total} shown"),
        _ => format!("{} to {} of {total} shown", before + 1, before + shown),
    }
}

/// Passes over the first of a list; says how many those were.
fn skip<T>(list: &mut Vec<T>, offset: usize) -> usize {
    let offset = offset.min(list.len());
    list.drain(..offset);
    offset
}

fn is_partial(notes: &[Note]) -> bool {
    let is_partial = |note: &Note| matches!(note, Note::PartlyIndexed { .. });
    notes.iter().any(is_partial)
}

/// `PATH:LINE` or `PATH:FIRST-LAST`.
/// A place in a file of the project.
struct OwnedPosition {
    path: String,
    line: u32,
    column: Option<u32>,
}

impl OwnedPosition {
    fn borrow(&self) -> Position<'_> {
        Position {
            path: &self.path,
            line: self.line,
            column: self.column,
        }
    }
}

pub(super) fn split_place(text: &str) -> Option<(&str, u32)> {
    let (path, lines) = text.trim().rsplit_once(':')?;
    let first = lines.split('-').next()?;
    let line = first.trim_start_matches('L').parse().ok()?;
    (line > 0).then_some((path, line))
}

fn role(word: &str) -> Result<Role, String> {
    let known = Role::ALL.into_iter().find(|role| role.as_str() == word);
    let names = Role::ALL.map(Role::as_str).join(", ");
    known.ok_or_else(|| format!("role: give some of {names}, not {word:?}"))
}

/// What models call the changes that are not committed.
fn commit(word: &str) -> &str {
    match word {
        "working" | "uncommitted" | "true" => "HEAD",
        commit => commit,
    }
}

fn unknown(name: &str, nearest: &[String]) -> String {
    match nearest {
        [] => {
            format!("no symbol is named {name}; search finds code by meaning and by parts of names")
        }
        names => format!(
            "no symbol is named {name}; similar names: {}",
            names.join(", ")
        ),
    }
}

fn unchanged(commit: &str, files: usize) -> String {
    match files {
        0 => format!("nothing changed since {commit}"),
        files => format!("no definition changed since {commit} (files that did: {files})"),
    }
}

fn in_words(error: EngineError) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_path_and_a_line() {
        for (text, want) in [
            ("a.rs:3", Some(("a.rs", 3))),
            ("a.rs:3-9", Some(("a.rs", 3))),
            ("a.rs:L3", Some(("a.rs", 3))),
            ("C:/a.rs:3", Some(("C:/a.rs", 3))),
            ("a.rs", None),
            ("Foo::bar", None),
            ("a.rs:0", None),
        ] {
            assert_eq!(split_place(text), want, "{text}");
        }
    }

    #[test]
    fn what_is_shown_is_counted_from_one() {
        assert_eq!(which(0, 3, 9), "3 of 9 shown");
        assert_eq!(which(3, 3, 9), "4 to 6 of 9 shown");
        assert_eq!(which(9, 0, 9), "none of 9 shown");
    }
}
