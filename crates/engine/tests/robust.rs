//! Damage, other versions and other processes: an answer is right, or it is an
//! error that says what to do; never a panic and never a wrong answer.

mod project;

use project::{Project, assert_same, modified, pattern, set_modified, words};
use scent_engine::{Engine, EngineError, Progress, Refresh, Silent, Stage};
use scent_index::Lock;
use scent_types::{Filters, Note, Request, Response, Syntax};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// One way to spoil a file.
#[derive(Clone, Copy, Debug)]
enum Damage {
    Emptied,
    CutInHalf,
    LastByteCut,
    GarbageInTheMiddle,
    GarbageAtTheEnd,
    Deleted,
}

fn spoil(path: &Path, damage: Damage) {
    let mut bytes = fs::read(path).unwrap();
    let length = bytes.len();
    match damage {
        Damage::Emptied => bytes.clear(),
        Damage::CutInHalf => bytes.truncate(length / 2),
        Damage::LastByteCut => bytes.truncate(length.saturating_sub(1)),
        Damage::GarbageInTheMiddle => overwrite(&mut bytes, length / 2),
        Damage::GarbageAtTheEnd => overwrite(&mut bytes, length.saturating_sub(16)),
        Damage::Deleted => return fs::remove_file(path).unwrap(),
    }
    fs::write(path, bytes).unwrap();
}

fn overwrite(bytes: &mut [u8], from: usize) {
    bytes
        .iter_mut()
        .skip(from)
        .take(16)
        .for_each(|byte| *byte = *byte ^ 0xA5 | 0x80);
}

fn requests() -> Vec<Request> {
    let filters = Filters {
        names: vec!["*delay*".into()],
        ..Filters::default()
    };
    vec![
        words("retry delay"),
        words("retry_delay_3"),
        pattern("delay(", Syntax::Literal),
        Request {
            filters,
            ..words("retry")
        },
    ]
}

/// A project whose index has several segments, deletions and sketches.
fn project_with_history() -> Project {
    let project = Project::new(&[("README.md", "# Retry\n\nThe delay grows.\n")]);
    let source =
        |nth: usize| format!("fn retry_delay_{nth}() {{ delay({nth}) }}\nfn other_{nth}() {{}}\n");
    (0..8).for_each(|nth| project.write(&format!("src/{nth}.rs"), source(nth)));
    project.update();
    project.write("src/1.rs", source(11));
    project.update();
    project.remove("src/2.rs");
    project.write("src/3.rs", source(3) + "fn more() {}\n");
    project.update();
    project
}

/// The files of a folder, in order.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}

/// Makes one folder a copy of another, with the times: those tell a reader
/// whether it has to verify.
fn copy_folder(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    fs::create_dir_all(to).unwrap();
    for file in files_in(from) {
        let copy = to.join(file.file_name().unwrap());
        fs::copy(&file, &copy).unwrap();
        set_modified(&copy, modified(&file));
    }
}

/// What a fresh index answers to each request.
fn fresh_answers(project: &Project) -> Vec<Response> {
    let (engine, _data) = project.fresh_engine();
    let ask = |request| {
        engine
            .search(
                &[engine.open(&project.root)],
                request,
                Refresh::Always,
                &Silent,
            )
            .unwrap()
    };
    requests().iter().map(ask).collect()
}

/// Asserts that an index answers as these do. Where it may, it refuses with
/// the advice to rebuild instead.
fn check_answers(project: &Project, refresh: Refresh, want: &[Response], what: &str) {
    for (request, want) in requests().iter().zip(want) {
        match project
            .engine()
            .search(&project.targets(), request, refresh, &Silent)
        {
            Ok(found) => assert_same(&found, want, what),
            Err(EngineError::BadIndex { .. } | EngineError::NotIndexed(_))
                if refresh == Refresh::Never => {}
            Err(error) => panic!("{what}: {error}"),
        }
    }
}

/// Spoils every file of an index, one at a time. Each time a search, and a
/// search after an edit, are as if nothing had happened.
fn check_damage(damage: Damage) {
    let project = project_with_history();
    let folder = project.index_folder();
    let whole = folder.with_file_name("whole");
    copy_folder(&folder, &whole);
    let original = fs::read(project.path("src/0.rs")).unwrap();
    let edited = "fn retry_delay_edited() { delay(0) }\n";
    let want = fresh_answers(&project);
    project.write("src/0.rs", edited);
    let want_edited = fresh_answers(&project);

    for file in files_in(&whole) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let what = format!("{name}, {damage:?}");
        // Says which file it was if something panics.
        eprintln!("{what}");
        project.write("src/0.rs", &original);
        copy_folder(&whole, &folder);
        spoil(&folder.join(&name), damage);
        check_answers(
            &project,
            Refresh::Never,
            &want,
            &format!("{what}, not updated"),
        );
        check_answers(&project, Refresh::Always, &want, &what);
        project.write("src/0.rs", edited);
        check_answers(
            &project,
            Refresh::Always,
            &want_edited,
            &format!("{what}, then an edit"),
        );
        assert!(
            project.update().notes.is_empty(),
            "{what}: repaired for good"
        );
    }
}

#[test]
fn emptied_files_do_no_harm() {
    check_damage(Damage::Emptied);
}

#[test]
fn halved_files_do_no_harm() {
    check_damage(Damage::CutInHalf);
}

#[test]
fn files_without_their_last_byte_do_no_harm() {
    check_damage(Damage::LastByteCut);
}

#[test]
fn garbage_in_the_middle_does_no_harm() {
    check_damage(Damage::GarbageInTheMiddle);
}

#[test]
fn garbage_at_the_end_does_no_harm() {
    check_damage(Damage::GarbageAtTheEnd);
}

#[test]
fn deleted_files_do_no_harm() {
    check_damage(Damage::Deleted);
}

/// The first file of an index with this beginning.
fn index_file(project: &Project, beginning: &str) -> PathBuf {
    let fits = |path: &PathBuf| {
        path.file_name()
            .unwrap()
            .to_string_lossy()
            .starts_with(beginning)
    };
    files_in(&project.index_folder())
        .into_iter()
        .rfind(fits)
        .unwrap()
}

fn is_rebuilt(note: &Note) -> bool {
    matches!(note, Note::IndexRebuilt { .. } | Note::IndexOutdated)
}

/// Damage is repaired by a rebuild, which takes a while: the user reads so.
#[test]
fn a_repair_is_told() {
    for beginning in ["files-", "sketch-"] {
        let project = project_with_history();
        spoil(&index_file(&project, beginning), Damage::GarbageInTheMiddle);
        let found = project.search(&words("retry"), Refresh::Always);
        let told = found.notes.iter().any(is_rebuilt);
        assert!(told, "{beginning}: {:?}", found.notes);
        let again = project.search(&words("retry"), Refresh::Always);
        assert!(again.notes.is_empty(), "{beginning}: {:?}", again.notes);
    }
}

#[test]
fn an_index_of_another_version_is_rebuilt() {
    let project = project_with_history();
    let want = fresh_answers(&project);
    let table = index_file(&project, "files-");
    let mut bytes = fs::read(&table).unwrap();
    assert_eq!(&bytes[..5], b"scent");
    bytes[7] = bytes[7].wrapping_sub(1);
    fs::write(&table, bytes).unwrap();

    let engine = project.engine();
    let refused = engine.search(
        &[engine.open(&project.root)],
        &words("retry"),
        Refresh::Never,
        &Silent,
    );
    let message = refused.unwrap_err().to_string();
    assert!(
        message.contains("another version") && message.contains("scent index"),
        "{message}"
    );
    let found = project.search(&words("retry"), Refresh::Always);
    assert!(found.notes.iter().any(is_rebuilt), "{:?}", found.notes);
    check_answers(&project, Refresh::Never, &want, "another version");
}

/// The text index panics on metadata that it can read and that makes no sense.
#[test]
fn metadata_that_make_the_text_index_panic_are_damage() {
    let project = project_with_history();
    let want = fresh_answers(&project);
    let meta = project.index_folder().join("meta.json");
    let text = fs::read_to_string(&meta).unwrap();
    let twice = text.replacen("\"schema\": [", "\"schema\": [{\"name\": \"name\", \"type\": \"bytes\", \"options\": {\"indexed\": false, \"stored\": true, \"fast\": false}},", 1);
    assert_ne!(text, twice);
    fs::write(&meta, twice).unwrap();
    assert!(matches!(
        project.engine().open(&project.root).snapshot(),
        Err(EngineError::BadIndex { .. })
    ));
    assert!(matches!(
        project.engine().open(&project.root).verify(),
        Err(EngineError::BadIndex { .. })
    ));
    check_answers(
        &project,
        Refresh::Always,
        &want,
        "a field that is there twice",
    );
}

/// Programs of different formats leave each other's index alone, until one of
/// them is no longer used.
#[test]
fn indexes_of_other_formats_are_removed_when_unused() {
    let project = Project::new(&[("a.rs", "fn retry() {}\n")]);
    let own = project.index_folder();
    let name = own.file_name().unwrap().to_string_lossy().into_owned();
    let (base, _) = name.rsplit_once("-v").unwrap();
    let others = [base.to_owned(), format!("{base}-v1"), format!("x{base}-v1")];
    let long_ago = std::time::SystemTime::now() - Duration::from_secs(30 * 24 * 3600);
    let make = |name: &str, old: bool| {
        let folder = project.data.join(name);
        fs::create_dir_all(&folder).unwrap();
        for file in ["lock", "meta.json", "files-1"] {
            fs::write(folder.join(file), "{}").unwrap();
            if old {
                set_modified(&folder.join(file), long_ago);
            }
        }
    };
    let left = || {
        others
            .clone()
            .map(|name| project.data.join(name).join("files-1").exists())
    };
    others.iter().for_each(|name| make(name, false));
    project
        .engine()
        .open(&project.root)
        .rebuild(&Silent)
        .unwrap();
    assert_eq!(left(), [true, true, true], "all were used today");
    others.iter().for_each(|name| make(name, true));
    project
        .engine()
        .open(&project.root)
        .rebuild(&Silent)
        .unwrap();
    assert_eq!(
        left(),
        [false, false, true],
        "those of this project that nobody uses"
    );
}

#[test]
fn a_folder_that_holds_something_else_is_made_an_index() {
    let project = project_with_history();
    let want = fresh_answers(&project);
    let folder = project.index_folder();
    fs::remove_dir_all(&folder).unwrap();
    fs::create_dir_all(folder.join("inner")).unwrap();
    fs::write(folder.join("inner/file"), "text").unwrap();
    fs::write(folder.join("meta.json"), "{}").unwrap();
    check_answers(&project, Refresh::Always, &want, "something else");
}

/// While another process writes, searching goes on and updating says who it is.
#[test]
fn an_index_that_was_closed_answers_as_before() {
    let project = Project::new(&[("a.py", "def retry():\n    pass\n")]);
    project.update();
    let [open] = project.targets();
    let pinned = open.pinned().unwrap();
    let version = open.version().unwrap();
    let before = open.definitions("retry", 9).unwrap();
    assert_eq!(before.total, 1);
    open.rest();
    assert_eq!(pinned.definitions("retry", 9).unwrap(), before);
    assert_eq!(open.definitions("retry", 9).unwrap(), before);
    assert_eq!(open.version().unwrap(), version);
}

#[test]
fn a_held_lock_stops_no_reader() {
    let project = project_with_history();
    let before = project.search(&words("retry"), Refresh::Always);
    let lock = Lock::acquire(&project.storage(), Duration::ZERO).unwrap();
    project.write("src/new.rs", "fn retry_new() {}\n");

    let found = project.search(&words("retry"), Refresh::Always);
    assert_same(&found, &before, "while the lock is held");
    let holder = format!("process {}", std::process::id());
    let told =
        |note: &Note| matches!(note, Note::IndexBusy { holder: by, .. } if by.contains(&holder));
    assert!(found.notes.iter().any(told), "{:?}", found.notes);

    let engine = project.engine().with_patience(Duration::from_millis(300));
    match engine.open(&project.root).update(&Silent) {
        Err(error @ EngineError::Locked { .. }) => {
            assert!(error.to_string().contains(&holder), "{error}")
        }
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("two writers"),
    }
    drop(lock);
    let after = project.search(&words("retry_new"), Refresh::Always);
    assert_eq!(after.hits[0].name, "retry_new");
    assert!(after.notes.is_empty(), "{:?}", after.notes);
}

/// A lock that is held where nothing needs to be written is not waited for.
#[test]
fn a_held_lock_is_not_noticed_when_nothing_changed() {
    let project = project_with_history();
    let long_ago = std::time::SystemTime::now() - Duration::from_secs(3600);
    files_in(&project.path("src"))
        .iter()
        .for_each(|file| set_modified(file, long_ago));
    set_modified(&project.path("README.md"), long_ago);
    project
        .engine()
        .open(&project.root)
        .rebuild(&Silent)
        .unwrap();
    project.update();
    let _lock = Lock::acquire(&project.storage(), Duration::ZERO).unwrap();
    let found = project.search(&words("retry"), Refresh::Always);
    assert!(found.notes.is_empty(), "{:?}", found.notes);
    assert!(!project.update().committed);
}

/// Where there is nothing to answer from, whoever writes is waited for.
#[test]
fn without_an_index_a_held_lock_is_waited_for() {
    let project = Project::new(&[("a.rs", "fn retry() {}\n")]);
    let lock = Lock::acquire(&project.storage(), Duration::ZERO).unwrap();
    check_waits(&project, lock);
    // A writer leaves metadata without a generation until its first commit.
    let meta = project.index_folder().join("meta.json");
    let text = fs::read_to_string(&meta).unwrap();
    let (before, after) = text.split_once("\"payload\"").unwrap();
    let begun = format!(
        "{}{}",
        before.trim_end().trim_end_matches(','),
        after.split_once('"').unwrap().1.split_once('"').unwrap().1
    );
    project.engine().open(&project.root).clear().unwrap();
    let lock = Lock::acquire(&project.storage(), Duration::ZERO).unwrap();
    fs::write(&meta, begun).unwrap();
    assert!(matches!(
        project.engine().open(&project.root).snapshot(),
        Err(EngineError::NotIndexed(_))
    ));
    check_waits(&project, lock);
}

fn check_waits(project: &Project, lock: Lock) {
    let waiting = Told::default();
    let found = std::thread::scope(|scope| {
        let search = || {
            let targets = project.targets();
            project
                .engine()
                .search(&targets, &words("retry"), Refresh::Always, &waiting)
        };
        let search = scope.spawn(search);
        std::thread::sleep(Duration::from_millis(4500));
        assert!(!search.is_finished(), "it waits");
        drop(lock);
        search.join().unwrap().unwrap()
    });
    assert_eq!(found.hits[0].name, "retry");
    let holder = format!("process {}", std::process::id());
    assert_eq!(*waiting.stages.lock().unwrap(), [Stage::Waiting { holder }]);
}

/// Is told for whom it waits, and may give up.
#[derive(Default)]
struct Told {
    stages: Mutex<Vec<Stage>>,
    gives_up: AtomicBool,
}

impl Progress for Told {
    fn stage(&self, stage: Stage) {
        if matches!(stage, Stage::Waiting { .. }) {
            self.stages.lock().unwrap().push(stage);
        }
    }
    fn file(&self, _: u64) {}
    fn units(&self, _: u64) {}
    fn is_cancelled(&self) -> bool {
        self.gives_up.load(Ordering::Relaxed)
    }
}

#[test]
fn waiting_ends_with_patience_or_when_nobody_cares() {
    let project = Project::new(&[("a.rs", "fn retry() {}\n")]);
    let _lock = Lock::acquire(&project.storage(), Duration::ZERO).unwrap();
    let cancelled = Told {
        gives_up: AtomicBool::new(true),
        ..Told::default()
    };
    let targets = project.targets();
    let refused = project
        .engine()
        .search(&targets, &words("retry"), Refresh::Always, &cancelled);
    assert!(matches!(refused, Err(EngineError::Locked { .. })));
    let engine = project.engine().with_patience(Duration::from_millis(300));
    let refused = engine.search(
        &[engine.open(&project.root)],
        &words("retry"),
        Refresh::Always,
        &Silent,
    );
    assert!(matches!(refused, Err(EngineError::Locked { .. })));
    let refused = engine.search(
        &[engine.open(&project.root)],
        &words("retry"),
        Refresh::Never,
        &Silent,
    );
    assert!(matches!(refused, Err(EngineError::NotIndexed(_))));
}

/// What a killed commit of deletions leaves behind is swept away.
#[test]
fn leftovers_of_a_killed_commit_are_swept() {
    let project = project_with_history();
    let folder = project.index_folder();
    let before = folder_size(&folder);
    let segments = files_in(&folder)
        .into_iter()
        .filter(|f| f.extension().is_some_and(|e| e == "term"));
    let segments: Vec<PathBuf> = segments.collect();
    // Whatever number the next deletion has, it is taken.
    for segment in &segments {
        for number in 0..200 {
            let left = segment.with_extension(format!("{number}.del"));
            if !left.exists() {
                fs::write(left, "partly written").unwrap();
            }
        }
    }
    for name in [
        ".tmpAbCdEf",
        "files-99",
        "sketch-99",
        "vectors-99",
        "pending-99",
    ] {
        fs::write(folder.join(name), "partly written").unwrap();
    }
    let want = fresh_answers(&project);
    check_answers(&project, Refresh::Always, &want, "with leftovers");
    project.write("src/0.rs", "fn retry_delay_edited() { delay(0) }\n");
    let update = project.update();
    assert_eq!(update.notes, []);
    let left = files_in(&folder)
        .into_iter()
        .filter(|file| fs::read(file).unwrap() == b"partly written");
    assert_eq!(left.collect::<Vec<_>>(), Vec::<PathBuf>::new());
    check_answers(
        &project,
        Refresh::Always,
        &fresh_answers(&project),
        "after an edit",
    );
    assert!(folder_size(&folder) < before * 2);
}

fn folder_size(folder: &Path) -> u64 {
    files_in(folder)
        .iter()
        .map(|file| fs::metadata(file).unwrap().len())
        .sum()
}

/// A file that is sound in itself, but in the place of another.
#[test]
fn swapped_files_are_noticed() {
    let project = project_with_history();
    let folder = project.index_folder();
    let whole = folder.with_file_name("whole");
    copy_folder(&folder, &whole);
    let want = fresh_answers(&project);
    let names: Vec<String> = files_in(&whole)
        .iter()
        .map(|file| file.file_name().unwrap().to_string_lossy().into_owned())
        .filter(|name| !name.contains("lock") && !name.starts_with("turn-") && name != "holder")
        .collect();
    let kind = |name: &str| -> String {
        name.rsplit(['.', '-'])
            .find(|part| part.parse::<u64>().is_err())
            .unwrap()
            .to_owned()
    };
    let mut swaps = 0;
    for (nth, a) in names.iter().enumerate() {
        for b in names[nth + 1..].iter().filter(|b| kind(b) == kind(a)) {
            copy_folder(&whole, &folder);
            fs::rename(folder.join(a), folder.join("aside")).unwrap();
            fs::rename(folder.join(b), folder.join(a)).unwrap();
            fs::rename(folder.join("aside"), folder.join(b)).unwrap();
            check_answers(
                &project,
                Refresh::Always,
                &want,
                &format!("{a} and {b} swapped"),
            );
            swaps += 1;
        }
    }
    assert!(swaps > 10, "{swaps}");
}

const PARTS: usize = 12;

/// Every file names the same version, so that an answer that mixes two
/// generations is seen.
fn write_version(project: &Project, version: usize) {
    for part in 0..PARTS {
        project.write(
            &format!("part{part}.rs"),
            format!("fn part_{part}_of_{version}() {{}}\n"),
        );
    }
}

/// The versions of the parts in an answer.
fn versions(response: &Response) -> BTreeSet<String> {
    let version = |name: &str| name.rsplit('_').next().unwrap().to_owned();
    response.hits.iter().map(|hit| version(&hit.name)).collect()
}

/// Reads until told to stop; returns how many answers there were.
fn read_on(engine: &Engine, project: &Project, stop: &AtomicBool) -> usize {
    let mut answers = 0;
    while !stop.load(Ordering::Relaxed) {
        let found = engine.search(
            &[engine.open(&project.root)],
            &words("part"),
            Refresh::Never,
            &Silent,
        );
        let found = found.unwrap_or_else(|error| panic!("after {answers} answers: {error}"));
        assert_eq!(found.hits.len(), PARTS, "{:?}", versions(&found));
        assert_eq!(versions(&found).len(), 1, "{:?}", versions(&found));
        answers += 1;
    }
    answers
}

#[test]
fn readers_see_whole_generations_while_a_writer_writes() {
    let project = Project::new::<&str>(&[]);
    write_version(&project, 0);
    project.update();
    let stop = AtomicBool::new(false);
    let answers = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let read = read_on(&project.engine(), &project, &stop);
                answers.fetch_add(read, Ordering::Relaxed);
            });
        }
        for version in 1..=30 {
            write_version(&project, version);
            let update = project.update();
            assert_eq!((update.changed, update.notes), (PARTS, vec![]), "{version}");
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert!(answers.into_inner() > 30);
    assert_eq!(
        versions(&project.search(&words("part"), Refresh::Always)),
        ["30".into()].into()
    );
}

/// Two programs that search the same changing project both bring it up to
/// date. Neither fails, and in the end all is as fresh.
#[test]
fn several_writers_take_turns() {
    let project = Project::new::<&str>(&[]);
    write_version(&project, 0);
    project.update();
    std::thread::scope(|scope| {
        for writer in 0..3 {
            let project = &project;
            scope.spawn(move || {
                for round in 0..8 {
                    project.write(
                        &format!("own{writer}.rs"),
                        format!("fn own_{round}() {{}}\n"),
                    );
                    let found = project.search(&words("own part"), Refresh::Always);
                    // Others may edit between the update and the answer, and a note says so.
                    let repaired = found.notes.iter().find(|note| is_rebuilt(note));
                    assert_eq!(repaired, None, "writer {writer}, round {round}");
                }
            });
        }
    });
    project.check_as_fresh(&[words("own"), words("part")], "after several writers");
}

/// A megabyte of anything is a query that somebody pasted by mistake.
#[test]
fn long_queries_end() {
    let project = Project::new(&[("a.rs", "fn retry() {}\n")]);
    project.update();
    let mega = |part: &str| part.repeat((1 << 20) / part.len());
    let numbered = |form: fn(usize) -> String| -> String { (0..100_000).map(form).collect() };
    for (about, query) in [
        ("one word", mega("a")),
        ("one word often", mega("retry ")),
        ("many words", numbered(|n| format!("word{n} "))),
        ("many names", numbered(|n| format!("a_{n}::b "))),
        ("many backticks", numbered(|n| format!("`w{n}` {n} "))),
        ("many paths", numbered(|n| format!("src/a{n}.rs "))),
        ("one long path", mega("a/")),
        ("one long name", mega("aB")),
        ("many quotes", mega("\"a\" ")),
        (
            "many filters",
            "retry ".to_owned() + &numbered(|n| format!("path:a{n} ")),
        ),
        (
            "many globs",
            "retry ".to_owned() + &numbered(|n| format!("name:*a*{n} ")),
        ),
        (
            "many that are no filters",
            "retry ".to_owned() + &numbered(|n| format!("no{n}:x ")),
        ),
        ("one long glob", "retry name:".to_owned() + &mega("*a")),
        ("letters of no word", mega("\u{301}\u{200d}")),
        ("capitals", mega("ABCdEF1_")),
    ] {
        let started = std::time::Instant::now();
        let response =
            project
                .engine()
                .search(&project.targets(), &words(&query), Refresh::Never, &Silent);
        if let Ok(response) = response {
            assert!(
                response.notes.len() < 100,
                "{about}: {} notes",
                response.notes.len()
            );
        }
        assert!(started.elapsed() < Duration::from_secs(60), "{about}");
    }
}
