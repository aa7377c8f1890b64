//! A throwaway project with an index of its own.

// Each test file uses a part of this.
#![allow(dead_code)]

use scent_engine::{
    Engine, EngineError, OnBusy, Progress, Project as Open, Refresh, Settings, Silent, Stage,
    Update, parse_request,
};
use scent_graph::Graph;
use scent_index::{Local, SharedStorage, State};
use scent_types::{Hit, Pattern, RawRequest, Request, Response};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// A folder with files, and next to it the folder for its index.
pub struct Project {
    pub root: PathBuf,
    pub data: PathBuf,
    pub settings: Settings,
    _dir: TempDir,
}

impl Project {
    /// A project with these files.
    pub fn new<T: AsRef<[u8]>>(files: &[(&str, T)]) -> Project {
        let dir = TempDir::new().unwrap();
        // The temporary folder may be a symbolic link, which roots never are.
        let base = dir.path().canonicalize().unwrap();
        let (root, data) = (base.join("project"), base.join("data"));
        fs::create_dir_all(&root).unwrap();
        // One thread: the tests of a file run beside each other already.
        let settings = Settings {
            threads: 1,
            ..Settings::default()
        };
        let project = Project {
            root,
            data,
            settings,
            _dir: dir,
        };
        files
            .iter()
            .for_each(|(path, text)| project.write(path, text));
        project
    }

    /// Writes a file, and the folders above it.
    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn remove(&self, path: &str) {
        fs::remove_file(self.path(path)).unwrap();
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    pub fn engine(&self) -> Engine {
        Engine::new(&self.data, self.settings.clone())
    }

    /// The same project, whose updates publish as often as they can.
    pub fn in_slices(mut self) -> Project {
        self.settings.commit_every = Duration::ZERO;
        self
    }

    /// An engine that has never seen the project, and indexes all of it at once.
    pub fn fresh_engine(&self) -> (Engine, TempDir) {
        let data = TempDir::new().unwrap();
        let settings = Settings {
            commit_every: Duration::MAX,
            ..self.settings.clone()
        };
        (Engine::new(data.path(), settings), data)
    }

    /// Begins an update that is interrupted after so many files.
    pub fn update_some(&self, files: usize) -> Result<Update, EngineError> {
        let project = self.engine().open(&self.root);
        project.update(&Interrupt::after(files))
    }

    pub fn storage(&self) -> SharedStorage {
        Local::shared(&self.index_folder())
    }

    pub fn index_folder(&self) -> PathBuf {
        self.engine().open(&self.root).index_folder().to_owned()
    }

    /// The project, opened by an engine that nobody else has.
    pub fn targets(&self) -> [Open; 1] {
        [self.engine().open(&self.root)]
    }

    /// Brings words and meanings up to date.
    pub fn update(&self) -> Update {
        complete(&self.engine(), &self.root)
    }

    pub fn search(&self, request: &Request, refresh: Refresh) -> Response {
        self.engine()
            .search(&self.targets(), request, refresh, &Silent)
            .unwrap()
    }

    /// Asserts that the index, brought up to date, answers as a fresh one.
    pub fn check_as_fresh(&self, requests: &[Request], what: &str) {
        let (fresh, _data) = self.fresh_engine();
        let want = complete(&fresh, &self.root);
        let found = self.update();
        assert_eq!(listing(&found), listing(&want), "{what}");
        assert_eq!(graph(&found), graph(&want), "{what}");
        for request in requests {
            let ask = |engine: &Engine| {
                engine
                    .search(&[engine.open(&self.root)], request, Refresh::Never, &Silent)
                    .unwrap()
            };
            assert_same(
                &ask(&self.engine()),
                &ask(&fresh),
                &format!("{what}: {request:?}"),
            );
        }
    }
}

/// A user who has enough after so many files.
pub struct Interrupt {
    files: AtomicUsize,
    enough: usize,
}

impl Interrupt {
    pub fn after(files: usize) -> Interrupt {
        Interrupt {
            files: AtomicUsize::new(0),
            enough: files,
        }
    }
}

impl Progress for Interrupt {
    fn stage(&self, _: Stage) {}

    fn file(&self, _: u64) {
        self.files.fetch_add(1, Ordering::SeqCst);
    }

    fn units(&self, _: u64) {}

    fn is_interrupted(&self) -> bool {
        self.files.load(Ordering::SeqCst) >= self.enough
    }
}

/// Brings words and meanings up to date.
pub fn complete(engine: &Engine, root: &Path) -> Update {
    let update = engine.open(root).update(&Silent).unwrap();
    engine.open(root).embed(OnBusy::Wait, &Silent).unwrap();
    Update {
        snapshot: engine.open(root).snapshot().unwrap(),
        ..update
    }
}

/// What became of each file, one a line: `path: language health lines units`,
/// or the reason why it was left out.
pub fn listing(update: &Update) -> String {
    let mut lines = String::new();
    for file in &update.snapshot.table().files {
        let state = match &file.state {
            State::Indexed {
                language,
                class,
                health,
                lines,
                units,
                ..
            } => {
                format!("{language} {} {health:?} {lines} {units}", class.as_str())
            }
            State::Skipped(reason) => reason.to_string(),
        };
        lines += &format!("{}: {state}\n", file.path);
    }
    lines
}

/// Every symbol, every use with what it means, every import with the files it
/// means, and how important files and symbols are, one a line.
pub fn graph(update: &Update) -> String {
    let graph = Graph::new(&update.snapshot, scent_syntax::import_rules).unwrap();
    let mut lines = String::new();
    let mut names = BTreeSet::new();
    for file in update
        .snapshot
        .table()
        .files
        .iter()
        .filter(|file| file.id().is_some())
    {
        let no = graph.file_at(&file.path).unwrap();
        let facts = graph.facts(no).unwrap();
        let (id, snapshot) = (file.id().unwrap(), &update.snapshot);
        lines += &format!("{}: {}\n", file.path, snapshot.ranks().file(id));
        for symbol in facts.symbols() {
            names.insert(symbol.name.to_owned());
            let importance = snapshot.ranks().lines(id, symbol.lines);
            lines += &format!("{}: {symbol:?} {importance}\n", file.path);
        }
        for dependency in graph.dependencies(no).unwrap() {
            lines += &format!(
                "{}: {:?} {:?}\n",
                file.path, dependency.import, dependency.to
            );
        }
    }
    for name in names {
        for edge in graph.uses(&name).unwrap() {
            let to: Vec<_> = edge.to.iter().map(|to| (to.file, to.symbol.line)).collect();
            lines += &format!(
                "{name}: {} {:?} {:?} {to:?}\n",
                edge.file, edge.used, edge.reason
            );
        }
    }
    lines
}

/// Asserts that two answers agree in everything but when they were given, and
/// from which generation.
pub fn assert_same(found: &Response, want: &Response, what: &str) {
    // The short form first: it is what a person can compare.
    assert_eq!(outline(found), outline(want), "{what}");
    assert_eq!(found.total, want.total, "{what}");
    assert_eq!(found.terms, want.terms, "{what}");
    assert_eq!(found.hits, want.hits, "{what}");
}

/// The hits in short, one a line.
pub fn outline(response: &Response) -> String {
    let line = |hit: &Hit| {
        format!(
            "{}:{} {} {} {}\n",
            hit.path, hit.lines, hit.kind, hit.qualified, hit.score
        )
    };
    response.hits.iter().map(line).collect()
}

/// A request for words.
pub fn words(query: &str) -> Request {
    let raw = RawRequest {
        query: query.into(),
        limit: Some(50),
        ..RawRequest::default()
    };
    parse_request(&raw).unwrap()
}

/// A request for a pattern.
pub fn pattern(text: &str, syntax: scent_types::Syntax) -> Request {
    let case = scent_types::Case::Smart;
    let pattern = Pattern {
        text: text.into(),
        syntax,
        case,
        word: false,
    };
    Request {
        pattern: Some(pattern),
        limit: 50,
        ..Request::default()
    }
}

/// Sets the time of the last change.
pub fn set_modified(path: &Path, time: std::time::SystemTime) {
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_modified(time).unwrap();
}

pub fn modified(path: &Path) -> std::time::SystemTime {
    fs::symlink_metadata(path).unwrap().modified().unwrap()
}
