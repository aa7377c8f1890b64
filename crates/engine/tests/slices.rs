//! Updates that publish what they have, and stop before all is done.

mod project;

use project::{Interrupt, Project, words};
use scent_embed::{Embedder, Embedding, ModelError, QueryEmbedding, Role};
use scent_engine::{Engine, EngineError, OnBusy, Refresh, Silent};
use scent_search::SearchError;
use scent_types::{Deadline, Lane, ModelInfo, Note, Request};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const FILES: usize = 40;

fn text(nth: usize) -> String {
    format!(
        "/// Waits for the retry.\npub fn retry_{nth}() {{\n    retry_{}()\n}}\n",
        nth / 2
    )
}

/// A project that is indexed in many slices.
fn project() -> Project {
    let project = Project::new(&[(".git/HEAD", "ref: refs/heads/main\n")]).in_slices();
    for nth in 0..FILES {
        project.write(&format!("src/{}/f{nth}.rs", nth % 3), text(nth));
    }
    // What was written just now is looked into again by every update.
    std::thread::sleep(Duration::from_millis(100));
    project
}

fn requests() -> Vec<Request> {
    vec![words("retry_7"), words("what waits for the retry")]
}

fn partial_note(project: &Project, refresh: Refresh) -> Option<Note> {
    let notes = project.search(&words("retry"), refresh).notes;
    let is_partial = |note: &Note| matches!(note, Note::PartlyIndexed { .. });
    notes.into_iter().find(is_partial)
}

#[test]
fn an_index_in_slices_is_that_of_one_commit() {
    let project = project();
    let update = project.update();
    // Two of texts at least, and one of vectors.
    assert!(
        update.snapshot.table().generation > 2,
        "several generations"
    );
    assert_eq!(update.changed, FILES);
    project.check_as_fresh(&requests(), "in slices");
}

#[test]
fn what_is_done_before_an_interrupt_is_kept() {
    let project = project();
    for (nth, done) in [10, 22].into_iter().enumerate() {
        let files = done - nth * 10;
        let stopped = project.update_some(files).err().expect("interrupted");
        assert!(stopped.to_string().contains("interrupted; "), "{stopped}");
        let table = project.engine().open(&project.root).status().unwrap();
        let backlog = table.backlog.expect("not all is indexed");
        assert_eq!(backlog.all_files, FILES as u64);
        // Each thread ends the file that it has begun.
        let indexed = table.files as u64;
        assert!(
            indexed >= done as u64 && indexed < FILES as u64,
            "{indexed}"
        );
        assert_eq!(backlog.files, backlog.all_files - indexed);
        let note = partial_note(&project, Refresh::Never);
        assert!(
            matches!(note, Some(Note::PartlyIndexed { files, goes_on: false, .. }) if files == indexed),
            "{note:?}"
        );
    }
    let update = project.update();
    let table = update.snapshot.table();
    assert_eq!(table.next_id as usize, FILES, "no file is indexed twice");
    assert!(!table.is_partial());
    assert_eq!(partial_note(&project, Refresh::Always), None);
    project.check_as_fresh(&requests(), "resumed");
}

#[test]
fn an_interrupted_update_keeps_what_it_had_not_come_to() {
    let project = project();
    project.update();
    for nth in 0..FILES {
        let path = format!("src/{}/f{nth}.rs", nth % 3);
        project.write(&path, text(nth).replace("retry_", "again_"));
    }
    project.remove("src/0/f0.rs");
    project.update_some(10).err().expect("interrupted");
    let snapshot = project.engine().open(&project.root).snapshot().unwrap();
    assert_eq!(snapshot.text().count() as usize, FILES - 1);
    project.check_as_fresh(&requests(), "resumed");
}

/// An index of other rules answers until each of its files is indexed again.
#[test]
fn an_interrupted_rebuild_goes_on() {
    let mut project = project();
    project.update();
    project.settings.max_file_size = 1 << 16;
    project.update_some(10).err().expect("interrupted");
    let snapshot = project.engine().open(&project.root).snapshot().unwrap();
    assert_eq!(snapshot.text().count() as usize, FILES, "all can be found");
    assert!(snapshot.table().is_partial());
    let update = project.update();
    assert_eq!(update.snapshot.table().next_id as usize, 2 * FILES);
    assert!(update.changed <= FILES - 10, "{}", update.changed);
    project.check_as_fresh(&requests(), "rebuilt");
}

#[test]
fn files_that_go_before_they_are_indexed_are_not_waited_for() {
    let project = project();
    project.update_some(5).err().expect("interrupted");
    std::fs::remove_dir_all(project.path("src")).unwrap();
    project.write("src/f.rs", text(1));
    project.update();
    assert_eq!(partial_note(&project, Refresh::Always), None);
    project.check_as_fresh(&requests(), "other files");
}

#[test]
fn code_comes_before_tests_and_documentation() {
    let project = Project::new(&[(".git/HEAD", "ref: refs/heads/main\n")]).in_slices();
    for nth in 0..200 {
        for path in ["docs/d", "src/s", "tests/t"] {
            let ending = if path == "docs/d" { "md" } else { "rs" };
            project.write(&format!("{path}{nth}.{ending}"), text(nth));
        }
    }
    let indexed = || {
        let snapshot = project.engine().open(&project.root).snapshot().unwrap();
        let files = snapshot.table().files.iter();
        files.map(|file| file.path.clone()).collect::<Vec<_>>()
    };
    project.update_some(100).err().expect("interrupted");
    assert!(indexed().iter().all(|path| path.starts_with("src/")));
    project.update_some(200).err().expect("interrupted");
    assert!(!indexed().iter().any(|path| path.starts_with("docs/")));
}

#[test]
fn what_is_searched_comes_first() {
    let project = Project::new(&[(".git/HEAD", "ref: refs/heads/main\n")]).in_slices();
    for nth in 0..600 {
        project.write(&format!("src/{}/f{nth}.rs", nth % 6), text(nth));
    }
    let narrow = project
        .engine()
        .open(&project.root)
        .within(vec!["src/4".into()]);
    let stopped = narrow.update(&Interrupt::after(80));
    assert!(matches!(stopped, Err(EngineError::Interrupted { .. })));
    for file in &narrow.snapshot().unwrap().table().files {
        assert!(file.path.starts_with("src/4/"), "{}", file.path);
    }
}

#[test]
fn a_search_without_patience_answers_from_what_is_there() {
    let project = project();
    let patience = Refresh::Within(Duration::ZERO);
    let note = partial_note(&project, patience);
    assert!(
        matches!(
            note,
            Some(Note::PartlyIndexed {
                files: 0,
                goes_on: true,
                ..
            })
        ),
        "{note:?}"
    );
    let found = project.search(&words("retry_7"), Refresh::Within(Duration::from_secs(600)));
    assert_eq!(found.hits[0].name, "retry_7");
    project.write("src/0/f0.rs", "pub fn renamed() {}\n");
    let total = |refresh| project.search(&words("renamed"), refresh).total;
    assert_eq!(total(patience), 0, "as it was");
    assert_eq!(total(Refresh::Always), 1);
    project.check_as_fresh(&requests(), "after all");
}

#[test]
fn whoever_is_interrupted_gets_no_answer() {
    let project = project();
    let engine = project.engine();
    let targets = project.targets();
    let interrupt = Interrupt::after(5);
    let stopped = engine.search(&targets, &words("retry"), Refresh::Always, &interrupt);
    assert!(matches!(stopped, Err(EngineError::Interrupted { .. })));
    assert!(project.engine().open(&project.root).is_partial());
}

/// A model that takes its time.
struct Slow {
    pause: Duration,
    read: AtomicU64,
}

impl Slow {
    fn new(pause: Duration) -> Arc<Slow> {
        let read = AtomicU64::new(0);
        Arc::new(Slow { pause, read })
    }
}

impl Embedder for Slow {
    fn info(&self) -> ModelInfo {
        ModelInfo {
            name: "slow".into(),
            fingerprint: 77,
            dims: 8,
            token_bytes: 0,
        }
    }

    fn embeds_paths_separately(&self) -> bool {
        true
    }

    fn embed_documents(&self, texts: &[&str], role: Role) -> Result<Vec<Embedding>, ModelError> {
        if role == Role::Body {
            self.read.fetch_add(texts.len() as u64, Ordering::SeqCst);
            std::thread::sleep(self.pause * texts.len() as u32);
        }
        let one = |text: &&str| Embedding {
            vector: (0..8).map(|n| (text.len() + n) as f32).collect(),
            codes: Vec::new(),
        };
        Ok(texts.iter().map(one).collect())
    }

    fn embed_query(&self, _: &str) -> Result<QueryEmbedding, ModelError> {
        Ok(QueryEmbedding {
            vector: vec![1.0; 8],
            late: None,
            unrelated: -1.0,
        })
    }
}

fn with_units(count: usize) -> Project {
    let project = Project::new(&[(".git/HEAD", "ref: refs/heads/main\n")]);
    for file in 0..count / 20 {
        let functions = (0..20).map(|n| format!("fn wait_{file}_{n}() {{\n    stop({n});\n}}\n"));
        project.write(&format!("src/f{file}.rs"), functions.collect::<String>());
        project.write(
            &format!("docs/g{file}.md"),
            format!("# Guide {file}\n\nWords.\n"),
        );
    }
    project
}

fn waiting(engine: &Engine, project: &Project) -> (u64, u64) {
    let request = words("wait");
    let found = engine.search(
        &[engine.open(&project.root)],
        &request,
        Refresh::Always,
        &Silent,
    );
    let embeddings = found.unwrap().embeddings.unwrap();
    (embeddings.units, embeddings.waiting)
}

#[test]
fn a_search_embeds_for_a_while_and_code_first() {
    let project = with_units(2_000);
    let slow = Slow::new(Duration::from_millis(2));
    let engine = project.engine().with_encoder(slow.clone());
    engine.open(&project.root).update(&Silent).unwrap();
    let started = Instant::now();
    let (units, left) = waiting(&engine, &project);
    assert!(units >= 256 && left > 0, "{units} of {}", units + left);
    assert!(started.elapsed() < Duration::from_secs(10));
    let snapshot = engine.open(&project.root).snapshot().unwrap();
    let model = snapshot.models().next().unwrap().clone();
    let vectors = snapshot.vectors_of(&model).unwrap();
    for file in &snapshot.table().files {
        let is_code = file.path.starts_with("src/");
        let has = file.id().is_some_and(|id| vectors.has_file(id));
        assert!(is_code || !has, "{}", file.path);
    }
}

/// What was embedded before is there at once, however long embedding takes.
#[test]
fn vectors_that_exist_are_found_before_the_answer() {
    let project = with_units(1_000);
    let quick = project.engine().with_encoder(Slow::new(Duration::ZERO));
    quick.open(&project.root).update(&Silent).unwrap();
    quick
        .open(&project.root)
        .embed(OnBusy::Wait, &Silent)
        .unwrap();
    // Another branch, and back.
    let aside = project.root.with_file_name("aside");
    std::fs::rename(project.path("src"), &aside).unwrap();
    project.write("src/other.rs", "fn other() {}\n");
    quick.open(&project.root).update(&Silent).unwrap();
    quick
        .open(&project.root)
        .embed(OnBusy::Wait, &Silent)
        .unwrap();
    std::fs::remove_dir_all(project.path("src")).unwrap();
    std::fs::rename(&aside, project.path("src")).unwrap();
    for nth in 0..15 {
        let functions = (0..20).map(|n| format!("fn new_{nth}_{n}() {{\n    go({n});\n}}\n"));
        project.write(&format!("src/a{nth}.rs"), functions.collect::<String>());
    }
    let slow = Slow::new(Duration::from_millis(20));
    let engine = project.engine().with_encoder(slow.clone());
    let (units, left) = waiting(&engine, &project);
    assert!(units >= 1_000 && left > 0, "{units} and {left}");
}

#[test]
fn indexing_goes_on_after_the_deadline() {
    let project = project();
    for nth in 0..1_500 {
        project.write(&format!("more/f{nth}.rs"), text(nth));
    }
    let request = Request {
        deadline: Deadline::after(Duration::from_millis(100)),
        ..words("retry")
    };
    let targets = project.targets();
    let started = Instant::now();
    let stopped = project
        .engine()
        .search(&targets, &request, Refresh::Always, &Silent);
    let taken = started.elapsed();
    assert!(matches!(
        stopped,
        Err(EngineError::Search(SearchError::DeadlineExceeded))
    ));
    assert!(taken < Duration::from_secs(5), "{taken:?}");
    let is_done = || {
        let status = project.engine().open(&project.root).status();
        status.is_ok_and(|status| status.files == FILES + 1_500 && status.backlog.is_none())
    };
    while !is_done() {
        assert!(started.elapsed() < Duration::from_secs(120), "never done");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn embedding_goes_on_after_the_deadline() {
    let project = with_units(200);
    let slow = Slow::new(Duration::from_millis(10));
    let engine = project.engine().with_encoder(slow.clone());
    engine.open(&project.root).update(&Silent).unwrap();
    let request = Request {
        deadline: Deadline::after(Duration::from_millis(300)),
        lanes: vec![Lane::Vector],
        ..words("wait")
    };
    let targets = [engine.open(&project.root)];
    let started = Instant::now();
    let stopped = engine.search(&targets, &request, Refresh::Always, &Silent);
    assert!(stopped.is_err());
    assert!(
        started.elapsed() < Duration::from_secs(1),
        "{:?}",
        started.elapsed()
    );
    let left = || {
        let snapshot = engine.open(&project.root).snapshot().unwrap();
        let model = snapshot.models().next().cloned();
        model.is_none_or(|model| snapshot.waiting_for(&model) > 0)
    };
    while left() {
        assert!(started.elapsed() < Duration::from_secs(60), "never done");
        std::thread::sleep(Duration::from_millis(50));
    }
}
