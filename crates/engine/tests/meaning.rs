//! What is read by the model, when it is read, and what it finds.

mod project;

use project::{Project, words};
use scent_embed::{Embedder, Embedding, ModelError, ProviderError, QueryEmbedding, Role};
use scent_engine::{Engine, EngineError, OnBusy, Refresh, Silent};
use scent_index::{Local, VectorModel, WorkLock};
use scent_types::{Embeddings, Filters, Hit, Kind, Lane, ModelInfo, Note, Refined, Request};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

const DELAY: &str = "/// How long to wait before the next attempt.\n\
    pub fn retry_delay(attempt: u32) -> u64 {\n    BASE << attempt.min(6)\n}\n";
const PARSE: &str = "pub fn parse_header(line: &str) -> Option<(&str, &str)> {\n    \
    line.split_once(':').map(|(name, value)| (name.trim(), value.trim()))\n}\n";
const CLOSE: &str = "impl Socket {\n    pub fn shut_down(&mut self) {\n        \
    self.stream.flush();\n        self.stream.close();\n    }\n}\n";

fn project() -> Project {
    Project::new(&[
        ("src/delay.rs", DELAY),
        ("src/header.rs", PARSE),
        ("src/socket.rs", CLOSE),
    ])
}

/// How many units the model read, and how many it need not.
fn read(engine: &Engine, root: &Path) -> (u64, u64) {
    engine.open(root).update(&Silent).unwrap();
    let done = engine.open(root).embed(OnBusy::Wait, &Silent).unwrap();
    (done.computed, done.cached)
}

fn by_meaning(query: &str) -> Request {
    Request {
        lanes: vec![Lane::Vector, Lane::Late],
        ..words(query)
    }
}

fn paths(project: &Project, request: &Request) -> Vec<String> {
    let found = project.search(request, Refresh::Always);
    found.hits.into_iter().map(|hit| hit.path).collect()
}

#[test]
fn a_question_in_other_words_finds_its_answer() {
    let project = project();
    for (question, path) in [
        ("pause that grows with every failed try", "src/delay.rs"),
        ("split key from content at the colon", "src/header.rs"),
        ("hang up the connection", "src/socket.rs"),
    ] {
        assert_eq!(
            paths(&project, &by_meaning(question))[0],
            path,
            "{question}"
        );
    }
}

#[test]
fn scores_of_every_lane_are_told() {
    let project = project();
    let found = project.search(
        &words("long wait before the stream shuts down"),
        Refresh::Always,
    );
    let lanes: Vec<Lane> = found.hits[0].lanes.keys().copied().collect();
    assert_eq!(lanes, [Lane::Text, Lane::Vector, Lane::Late]);
    let meaning = found.embeddings.unwrap();
    assert_eq!((meaning.units, meaning.waiting), (4, 0));
    let request = Request {
        lanes: vec![Lane::Text],
        ..words("retry delay")
    };
    let found = project.search(&request, Refresh::Always);
    assert!(
        found
            .hits
            .iter()
            .all(|hit| hit.lanes.keys().eq([&Lane::Text]))
    );
    assert_eq!(found.embeddings, None);
}

#[test]
fn what_is_sure_is_not_looked_at_twice() {
    let project = project();
    for (query, sure) in [
        ("retry delay", true),
        ("long wait before the stream shuts down", false),
    ] {
        let found = project.search(&words(query), Refresh::Always);
        let late = found
            .hits
            .iter()
            .any(|hit| hit.lanes.contains_key(&Lane::Late));
        assert_eq!(late, !sure, "{query}");
    }
}

#[test]
fn filters_hold_for_meaning_too() {
    let project = project();
    let filters = Filters {
        paths: vec!["src/header.rs".into()],
        ..Filters::default()
    };
    let request = Request {
        filters,
        ..by_meaning("pause before the next try")
    };
    assert!(
        paths(&project, &request)
            .iter()
            .all(|path| path == "src/header.rs")
    );
    let filters = Filters {
        kinds: vec![Kind::Method],
        ..Filters::default()
    };
    let request = Request {
        filters,
        ..by_meaning("hang up the connection")
    };
    assert_eq!(paths(&project, &request), ["src/socket.rs"]);
}

#[test]
fn what_moves_or_is_indented_is_not_read_again() {
    let project = project();
    let engine = project.engine();
    assert_eq!(read(&engine, &project.root), (4, 0));
    assert_eq!(read(&engine, &project.root), (0, 0), "nothing changed");
    fs::create_dir(project.path("lib")).unwrap();
    fs::rename(project.path("src/delay.rs"), project.path("lib/waiting.rs")).unwrap();
    assert_eq!(read(&engine, &project.root), (0, 1), "moved");
    project.write("src/header.rs", PARSE.replace("    ", "\t\t"));
    assert_eq!(read(&engine, &project.root), (0, 1), "indented");
    assert_eq!(
        paths(&project, &by_meaning("pause before the next try"))[0],
        "lib/waiting.rs"
    );
}

#[test]
fn a_branch_that_is_come_back_to_is_not_read_again() {
    let project = project();
    let engine = project.engine();
    read(&engine, &project.root);
    project.write("src/delay.rs", DELAY.replace("attempt", "round"));
    project.remove("src/socket.rs");
    assert_eq!(read(&engine, &project.root), (1, 0));
    project.write("src/delay.rs", DELAY);
    project.write("src/socket.rs", CLOSE);
    assert_eq!(read(&engine, &project.root), (0, 3));
}

#[test]
fn another_worktree_is_not_read_again() {
    let project = project();
    let other = Project::new(&[
        ("src/delay.rs", DELAY),
        ("src/more.rs", "fn more_of_it() {}\n"),
    ]);
    let own = project.path(".git/worktrees/other");
    fs::create_dir_all(&own).unwrap();
    fs::write(own.join("commondir"), "../..\n").unwrap();
    fs::write(own.join("gitdir"), other.path(".git").display().to_string()).unwrap();
    fs::write(other.path(".git"), format!("gitdir: {}\n", own.display())).unwrap();
    // Indexes of both are in the same place, as those of one user are.
    let engine = project.engine();
    read(&engine, &project.root);
    assert_eq!(read(&engine, &other.root), (1, 1));
}

#[test]
fn an_answer_says_what_is_not_read_yet() {
    let project = project();
    let engine = project.engine();
    engine.open(&project.root).update(&Silent).unwrap();
    let found = project.search(&words("retry delay"), Refresh::Never);
    assert_eq!(found.hits[0].path, "src/delay.rs");
    assert_eq!(found.embeddings.unwrap().waiting, 4);
    let note = Note::NotEmbedded {
        waiting: 4,
        total: 4,
    };
    assert_eq!(found.notes[0], note);
}

#[test]
fn units_like_another_are_found() {
    let project = project();
    project.write(
        "src/backoff.rs",
        DELAY.replace("retry_delay", "backoff").replace("6", "9"),
    );
    let request = Request {
        lanes: vec![Lane::Vector],
        limit: 1,
        ..Request::default()
    };
    let similar = |place| {
        project
            .engine()
            .open(&project.root)
            .similar(place, &request, Refresh::Always, &Silent)
    };
    let found = similar(("src/delay.rs", 3)).unwrap();
    assert_eq!(found.hits.len(), 1);
    assert_eq!(found.hits[0].path, "src/backoff.rs");
    for place in [("src/nowhere.rs", 1), ("src/delay.rs", 99)] {
        assert!(
            matches!(similar(place), Err(EngineError::NoSuchPlace { .. })),
            "{place:?}"
        );
    }
}

/// A model that is not the one inside the program.
struct Fake {
    name: &'static str,
    fingerprint: u64,
    /// How many texts it has read.
    read: AtomicU64,
    /// Reading this word fails, once so many texts are read.
    poison: Option<(&'static str, u64)>,
    /// What happens while it reads for the first time.
    meanwhile: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

fn fake(name: &'static str, fingerprint: u64) -> Arc<Fake> {
    Arc::new(new_fake(name, fingerprint))
}

fn new_fake(name: &'static str, fingerprint: u64) -> Fake {
    let (read, meanwhile) = (AtomicU64::new(0), Mutex::default());
    Fake {
        name,
        fingerprint,
        read,
        poison: None,
        meanwhile,
    }
}

impl Fake {
    fn has_read(&self) -> u64 {
        self.read.load(Ordering::SeqCst)
    }

    /// How many words begin with each letter, or for some models end with it.
    fn vector(&self, text: &str) -> Vec<f32> {
        let letter = |word: &str| match self.fingerprint % 2 {
            0 => word.as_bytes()[word.len() - 1],
            _ => word.as_bytes()[0],
        };
        let mut vector = vec![0.0; 16];
        text.split(' ')
            .for_each(|word| vector[usize::from(letter(word) % 16)] += 1.0);
        vector
    }

    fn may_fail(&self, texts: &[&str]) -> Result<(), ModelError> {
        let Some((word, after)) = self.poison else {
            return Ok(());
        };
        if !texts.iter().any(|text| text.contains(word)) {
            return Ok(());
        }
        // What is to be read first may wait for this thread.
        while self.has_read() < after {
            rayon::yield_now();
        }
        Err(ProviderError::Unknown("poisoned".into()).into())
    }
}

impl Embedder for Fake {
    fn info(&self) -> ModelInfo {
        let Fake {
            name, fingerprint, ..
        } = *self;
        ModelInfo {
            name: name.into(),
            fingerprint,
            dims: 16,
            token_bytes: 0,
        }
    }

    fn embeds_paths_separately(&self) -> bool {
        false
    }

    fn embed_documents(&self, texts: &[&str], _: Role) -> Result<Vec<Embedding>, ModelError> {
        self.may_fail(texts)?;
        let meanwhile = self.meanwhile.lock().unwrap().take();
        meanwhile.into_iter().for_each(|happen| happen());
        self.read.fetch_add(texts.len() as u64, Ordering::SeqCst);
        let kept = |text: &&str| Embedding {
            vector: self.vector(text),
            codes: Vec::new(),
        };
        Ok(texts.iter().map(kept).collect())
    }

    fn embed_query(&self, question: &str) -> Result<QueryEmbedding, ModelError> {
        let vector = self.vector(question);
        let length = vector.iter().map(|n| n * n).sum::<f32>().sqrt();
        Ok(QueryEmbedding {
            vector: vector.into_iter().map(|n| n / length).collect(),
            late: None,
            unrelated: 0.0,
        })
    }
}

#[test]
fn vectors_of_different_models_are_not_mixed() {
    let project = project();
    read(&project.engine(), &project.root);
    let other = project.engine().with_encoder(fake("other", 7));
    let refused = other.search(
        &[other.open(&project.root)],
        &words("retry"),
        Refresh::Never,
        &Silent,
    );
    assert!(matches!(refused, Err(EngineError::NotIndexed(_))));
    assert_eq!(read(&other, &project.root), (4, 0), "beside the old one");
    let request = Request {
        lanes: vec![Lane::Vector],
        ..words("retry delay")
    };
    let ask = |engine: &Engine| {
        let found = engine
            .search(
                &[engine.open(&project.root)],
                &request,
                Refresh::Always,
                &Silent,
            )
            .unwrap();
        assert!(!found.hits.is_empty());
        found.embeddings.unwrap().model
    };
    assert_eq!(ask(&other), "other");
    assert_eq!(ask(&project.engine()), "small-7");
    assert_eq!(
        read(&project.engine(), &project.root),
        (0, 0),
        "the old one is as it was"
    );
    // Were an index put where that of another model belongs, it would be noticed.
    let (own, theirs) = (
        project.index_folder(),
        other.open(&project.root).index_folder().to_owned(),
    );
    fs::remove_dir_all(&theirs).unwrap();
    fs::rename(own, theirs).unwrap();
    let found = other
        .search(
            &[other.open(&project.root)],
            &words("retry"),
            Refresh::Never,
            &Silent,
        )
        .unwrap();
    assert!(
        found
            .notes
            .iter()
            .any(|note| matches!(note, Note::WordsOnly { .. })),
        "{:?}",
        found.notes
    );
    let refused = other.search(
        &[other.open(&project.root)],
        &request,
        Refresh::Never,
        &Silent,
    );
    let Err(error @ EngineError::OtherModel { .. }) = refused else {
        panic!("mixed")
    };
    assert!(error.to_string().contains("scent index"), "{error}");
}

/// A project that two fake models read.
struct Two {
    project: Project,
    fast: Arc<Fake>,
    deep: Arc<Fake>,
}

impl Two {
    fn new(project: Project) -> Two {
        Two {
            project,
            fast: fake("fast", 5),
            deep: fake("deep", 6),
        }
    }

    fn engine(&self) -> Engine {
        self.project
            .engine()
            .with_encoder(self.fast.clone())
            .with_refined(self.deep.clone())
    }

    /// Which models answer, and what the user reads.
    fn ask(&self, refresh: Refresh) -> (Embeddings, Vec<Note>) {
        let engine = self.engine();
        let projects = [engine.open(&self.project.root)];
        let found = engine
            .search(&projects, &words("retry"), refresh, &Silent)
            .unwrap();
        assert!(
            found
                .hits
                .iter()
                .any(|hit| hit.lanes.contains_key(&Lane::Vector))
        );
        (found.embeddings.unwrap(), found.notes)
    }

    /// What a fast answer says.
    fn on_the_way(units: u64, waiting: u64) -> Option<Refined> {
        Some(Refined {
            model: "deep".into(),
            units,
            waiting,
        })
    }
}

/// What the scores of a better model count beside those of a fast one.
const BETTER: f32 = 1.0;

/// More units than a better model reads before a search answers.
fn large() -> Project {
    let project = project();
    for name in ["alpha", "beta", "gamma"] {
        project.write(&format!("src/{name}.rs"), functions(name, 128));
    }
    project
}

fn functions(name: &str, count: usize) -> String {
    (0..count)
        .map(|nth| format!("fn {name}_{nth}() {{\n    wait();\n}}\n"))
        .collect()
}

#[test]
fn the_fast_model_answers_until_the_better_one_has_read_all() {
    let two = Two::new(project());
    let (engine, root) = (two.engine(), &two.project.root);
    engine.open(root).update(&Silent).unwrap();
    engine
        .open(root)
        .embed_primary(OnBusy::Wait, &Silent)
        .unwrap();
    let (meaning, notes) = two.ask(Refresh::Never);
    assert_eq!((meaning.model.as_str(), meaning.waiting), ("fast", 0));
    assert_eq!(meaning.refined, Two::on_the_way(0, 4));
    let note = Note::RefinedNotReady {
        model: "deep".into(),
        units: 0,
        total: 4,
        primary: "fast".into(),
    };
    assert_eq!(notes, [note]);
    let status = engine.open(root).status().unwrap();
    let sets: Vec<_> = status
        .embeddings
        .iter()
        .map(|s| (&*s.model, s.units, s.waiting))
        .collect();
    assert_eq!(sets, [("fast", 4, 0), ("deep", 0, 4)]);

    assert_eq!(read(&engine, root), (4, 0));
    let (meaning, notes) = two.ask(Refresh::Never);
    assert_eq!(
        (meaning.model.as_str(), meaning.units, meaning.refined),
        ("fast and deep", 4, None)
    );
    assert!(notes.is_empty(), "{notes:?}");
    assert_eq!((two.fast.has_read(), two.deep.has_read()), (4, 4));
}

/// The scores of units in the vector lane, by where they stand.
fn scores(engine: &Engine, project: &Project) -> BTreeMap<(String, u32), f32> {
    read(engine, &project.root);
    let request = Request {
        lanes: vec![Lane::Vector],
        ..words("retry delay")
    };
    let found = engine
        .search(
            &[engine.open(&project.root)],
            &request,
            Refresh::Never,
            &Silent,
        )
        .unwrap();
    let score = |hit: Hit| ((hit.path, hit.lines.start), hit.lanes[&Lane::Vector]);
    found.hits.into_iter().map(score).collect()
}

#[test]
fn what_two_models_say_is_weighed_together() {
    let two = Two::new(large());
    let alone = |encoder: &Arc<Fake>| two.project.engine().with_encoder(encoder.clone());
    let [fast, deep, both] = [alone(&two.fast), alone(&two.deep), two.engine()]
        .map(|engine| scores(&engine, &two.project));
    assert_ne!(fast, deep);
    let told = |place| Some((fast.get(place)?, deep.get(place)?, both.get(place)?));
    let told: Vec<_> = both.keys().filter_map(told).collect();
    assert!(!told.is_empty());
    for (fast, deep, both) in told {
        assert!(((fast + BETTER * deep) / (1.0 + BETTER) - both).abs() < 1e-3);
    }
}

#[test]
fn a_search_reads_few_units_with_both_models() {
    let two = Two::new(project());
    assert_eq!(two.ask(Refresh::Always).0.model, "fast and deep");
    two.project
        .write("src/delay.rs", DELAY.replace("attempt", "round"));
    assert_eq!(two.ask(Refresh::Always).0.model, "fast and deep");
    assert_eq!(
        (two.fast.has_read(), two.deep.has_read()),
        (5, 5),
        "one unit again"
    );
}

#[test]
fn a_search_leaves_many_units_to_others() {
    let two = Two::new(large());
    let (meaning, notes) = two.ask(Refresh::Always);
    assert_eq!(
        (meaning.model.as_str(), meaning.units, meaning.waiting),
        ("fast", 388, 0)
    );
    assert_eq!(meaning.refined, Two::on_the_way(0, 388));
    assert_eq!(notes.len(), 1, "{notes:?}");
    let alone = Request {
        lanes: vec![Lane::Vector],
        ..words("retry")
    };
    let engine = two.engine();
    let found = engine
        .search(
            &[engine.open(&two.project.root)],
            &alone,
            Refresh::Always,
            &Silent,
        )
        .unwrap();
    assert_eq!(
        found.embeddings.unwrap().model,
        "fast",
        "which is enough to answer"
    );
    assert_eq!(two.deep.has_read(), 0);

    read(&engine, &two.project.root);
    assert_eq!(two.ask(Refresh::Always).0.model, "fast and deep");
    // What one file lacks, none is compared by.
    two.project.write("src/more.rs", functions("more", 61));
    let (meaning, _) = two.ask(Refresh::Always);
    assert_eq!(
        (meaning.model.as_str(), meaning.refined),
        ("fast", Two::on_the_way(388, 61))
    );
    two.project.remove("src/more.rs");
    assert_eq!(two.ask(Refresh::Always).0.model, "fast and deep");
}

#[test]
fn the_same_models_answer_for_all_folders() {
    let two = Two::new(project());
    let other = project();
    let engine = two.engine();
    read(&engine, &two.project.root);
    engine.open(&other.root).update(&Silent).unwrap();
    engine
        .open(&other.root)
        .embed_primary(OnBusy::Wait, &Silent)
        .unwrap();
    let targets = [&two.project, &other].map(|project| engine.open(&project.root));
    let ask = || {
        let found = engine
            .search(&targets, &words("retry"), Refresh::Never, &Silent)
            .unwrap();
        found.embeddings.unwrap()
    };
    assert_eq!(
        (ask().model.as_str(), ask().refined),
        ("fast", Two::on_the_way(4, 4))
    );
    read(&engine, &other.root);
    assert_eq!((ask().model.as_str(), ask().units), ("fast and deep", 8));
}

#[test]
fn what_was_read_before_a_failure_is_kept() {
    let mut two = Two::new(large());
    two.deep = Arc::new(Fake {
        poison: Some(("gamma", 128)),
        ..new_fake("deep", 6)
    });
    two.engine()
        .open(&two.project.root)
        .update(&Silent)
        .unwrap();
    let failed = two
        .engine()
        .open(&two.project.root)
        .embed(OnBusy::Wait, &Silent);
    assert!(matches!(failed, Err(EngineError::Model(_))));
    let better = two.ask(Refresh::Never).0.refined.unwrap();
    assert!(better.units >= 128 && better.waiting >= 128, "{better:?}");
    two.deep = fake("deep", 6);
    assert_eq!(read(&two.engine(), &two.project.root), (better.waiting, 0));
    assert_eq!(two.ask(Refresh::Never).0.model, "fast and deep");
}

#[test]
fn a_better_model_beside_the_fast_one_makes_nobody_read_again() {
    let two = Two::new(project());
    read(
        &two.project.engine().with_encoder(two.fast.clone()),
        &two.project.root,
    );
    assert_eq!(two.fast.has_read(), 4);
    assert_eq!(read(&two.engine(), &two.project.root), (4, 4));
    assert_eq!((two.fast.has_read(), two.deep.has_read()), (4, 4));
}

#[test]
fn a_model_that_is_not_wanted_any_more_goes() {
    let mut two = Two::new(project());
    read(&two.engine(), &two.project.root);
    two.fast = fake("faster", 8);
    let update = two
        .engine()
        .open(&two.project.root)
        .update(&Silent)
        .unwrap();
    assert_eq!(update.notes, [Note::IndexOutdated]);
    let names: Vec<_> = update
        .snapshot
        .models()
        .map(|model| model.name.as_str())
        .collect();
    assert_eq!(names, ["faster", "deep"]);
    assert_eq!(read(&two.engine(), &two.project.root), (4, 4));
    assert_eq!(
        (two.fast.has_read(), two.deep.has_read()),
        (4, 4),
        "deep knows all texts"
    );
}

#[test]
fn the_fast_model_does_not_wait_for_the_better_one() {
    let two = Two::new(large());
    two.ask(Refresh::Always);
    let ModelInfo {
        fingerprint, name, ..
    } = two.deep.info();
    let model = VectorModel {
        fingerprint,
        name,
        dims: 16,
        token_bytes: 0,
    };
    let engine = two.engine();
    let folder = engine.open(&two.project.root).index_folder().to_owned();
    let turn = WorkLock::take(&Local::shared(&folder), &model)
        .unwrap()
        .unwrap();
    assert!(engine.open(&two.project.root).is_embedding());
    two.project
        .write("src/delay.rs", DELAY.replace("attempt", "round"));
    let (meaning, _) = two.ask(Refresh::Always);
    assert_eq!((meaning.model.as_str(), meaning.waiting), ("fast", 0));
    drop(turn);
    assert!(!engine.open(&two.project.root).is_embedding());
}

/// An index that is removed and made again gives old ids to other files, the
/// largest first.
#[test]
fn vectors_of_an_index_that_was_removed_are_not_taken_for_others() {
    let two = Two::new(project());
    let (engine, root) = (two.engine(), two.project.root.clone());
    let meanwhile = move || {
        engine.open(&root).clear().unwrap();
        fs::write(root.join("src/above.rs"), functions("above", 30)).unwrap();
        engine.open(&root).update(&Silent).unwrap();
    };
    let (engine, root) = (two.engine(), &two.project.root);
    engine.open(root).update(&Silent).unwrap();
    *two.deep.meanwhile.lock().unwrap() = Some(Box::new(meanwhile));
    engine.open(root).embed(OnBusy::Wait, &Silent).unwrap();
    assert_eq!(two.deep.has_read(), 4 + 34, "all of both indexes");
    assert_eq!(two.ask(Refresh::Never).0.units, 34);
}

#[test]
fn all_vectors_say_what_is_similar() {
    let two = Two::new(project());
    let request = Request {
        lanes: vec![Lane::Vector],
        limit: 1,
        ..Request::default()
    };
    let similar = |two: &Two| {
        let place = ("src/delay.rs", 2);
        let found =
            two.engine()
                .open(&two.project.root)
                .similar(place, &request, Refresh::Always, &Silent);
        found.unwrap().embeddings.unwrap().model
    };
    assert_eq!(similar(&two), "fast and deep");
    assert_eq!(similar(&Two::new(large())), "fast");
}
