//! Vectors through the life of an index: they come after the texts, in slices,
//! survive edits and crashes, and never mix with those of another model.

mod fixture;

use fixture::{Change, Project, embedded, key, lock, model, part, path_words};
use proptest::prelude::*;
use scent_index::{
    FileParts, FileRecord, IndexError, Local, Quantised, Query, Scan, Scored, Snapshot, UnitPart,
    VectorCache, VectorCommit, Vectors,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const A: Change = (
    "src/a.rs",
    Some(&["retry delay", "parse request", "open socket"]),
);
const B: Change = ("src/b.rs", Some(&["write table", "read table"]));
const C: Change = ("docs/c.md", Some(&["how to retry"]));

/// A search by path, line and score, which do not depend on ids.
fn answers(project: &Project, words: &str) -> Vec<(String, u32, f32)> {
    let snapshot = project.open();
    let vectors = snapshot.vectors_of(&project.model).unwrap();
    let found = vectors.search(&query(words, project), 100, &|_| true);
    let mut answers: Vec<_> = found
        .iter()
        .map(|scored| {
            let (file, line) = vectors.place(scored.row);
            (
                snapshot.file(file).unwrap().path.clone(),
                line,
                scored.score,
            )
        })
        .collect();
    answers.sort_by(|a, b| {
        b.2.total_cmp(&a.2)
            .then_with(|| (&a.0, a.1).cmp(&(&b.0, b.1)))
    });
    answers
}

fn query(words: &str, project: &Project) -> Query {
    Query::new(&unit_length(embedded(words, project.model.dims)))
}

fn unit_length(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|v| *v /= length);
    vector
}

fn check_as_fresh(project: &Project, what: &str) {
    let fresh = project.fresh();
    fresh.embed(usize::MAX);
    project.check_vectors(&project.open(), what);
    for words in ["retry delay", "table", "socket request how"] {
        assert_eq!(
            answers(project, words),
            answers(&fresh, words),
            "{what}: {words}"
        );
    }
}

fn id_of(snapshot: &Snapshot, path: &str) -> u32 {
    snapshot
        .table()
        .find(path)
        .and_then(FileRecord::id)
        .unwrap()
}

#[test]
fn vectors_come_after_the_texts() {
    let project = Project::new(&[A, B, C]);
    let before = project.open();
    assert!(before.vectors_of(&project.model).is_none());
    assert_eq!(before.pending_of(&project.model).units(), 6);
    let waiting: Vec<_> = before
        .pending_of(&project.model)
        .files()
        .map(Result::unwrap)
        .collect();
    assert_eq!(waiting.len(), 3);
    assert_eq!(waiting[0].path_words, path_words("src/a.rs"));
    assert_eq!(waiting[0].units[1].words, "parse request");
    assert_eq!(waiting[0].units[1].line, 11);

    assert_eq!(project.embed(usize::MAX), 6);
    let after = project.open();
    project.check_vectors(&after, "after the commit");
    assert_eq!(after.table().generation, before.table().generation + 1);
    assert_eq!(
        after.vectors_of(&project.model).unwrap().model(),
        &project.model
    );
    assert_eq!(
        (
            after.pending_of(&project.model).units(),
            after.pending_of(&project.model).units_without_text()
        ),
        (0, 0)
    );
    assert!(after.table().vectors.pending.is_empty(), "nothing waits");
    assert!(
        before.vectors_of(&project.model).is_none(),
        "a snapshot stays as it is"
    );
}

#[test]
fn a_search_finds_what_is_near() {
    let project = Project::new(&[A, B, C]);
    project.embed(usize::MAX);
    let found = answers(&project, "parse request src a rs");
    assert_eq!((found[0].0.as_str(), found[0].1), ("src/a.rs", 11));
    assert!(found[0].2 > 0.99, "{}", found[0].2);
    assert_eq!(found.len(), 6);

    let snapshot = project.open();
    let vectors = snapshot.vectors_of(&project.model).unwrap();
    let query = query("parse request", &project);
    let b = id_of(&snapshot, "src/b.rs");
    let in_b = vectors.search(&query, 100, &|file| file == b);
    assert_eq!(
        in_b.iter()
            .map(|s| vectors.place(s.row).0)
            .collect::<Vec<_>>(),
        [b, b]
    );
    assert!(in_b.iter().all(|s| vectors.score(s.row, &query) == s.score));
    assert!(vectors.search(&query, 0, &|_| true).is_empty());
    assert!(vectors.search(&query, 10, &|_| false).is_empty());
    let first = vectors.search(&query, 2, &|_| true);
    assert_eq!(first, vectors.search(&query, 100, &|_| true)[..2]);
}

#[test]
fn an_edit_leaves_the_others_alone() {
    let mut project = Project::new(&[A, B, C]);
    project.embed(usize::MAX);
    let before = project.open();
    let old_b = id_of(&before, "src/b.rs");

    project.update(&[("src/b.rs", Some(&["write table", "drop table", "more"]))]);
    let edited = project.open();
    let vectors = edited.vectors_of(&project.model).unwrap();
    assert_eq!(vectors.live_rows(), 4);
    assert_eq!(vectors.row_of(old_b, 1), None);
    assert!(!vectors.has_file(old_b) && vectors.has_file(id_of(&edited, "src/a.rs")));
    let places = vectors.search(&query("write table", &project), 100, &|_| true);
    assert!(places.iter().all(|s| vectors.place(s.row).0 != old_b));
    assert_eq!(edited.pending_of(&project.model).units(), 3);

    assert_eq!(
        project.embed(usize::MAX),
        2,
        "one of the three texts is known"
    );
    check_as_fresh(&project, "after the edit");

    project.update(&[("docs/c.md", None)]);
    check_as_fresh(&project, "after the removal");
    assert_eq!(project.waiting(), 0);
    project.check_vectors(&project.open(), "nothing waits");
    assert!(
        before.vectors_of(&project.model).unwrap().has_file(old_b),
        "a snapshot stays as it is"
    );
}

#[test]
fn a_file_that_moves_is_not_read_again() {
    let mut project = Project::new(&[A, B]);
    project.embed(usize::MAX);
    project.update(&[("src/a.rs", None), ("lib/moved.rs", A.1)]);
    assert_eq!(project.waiting(), 3);
    assert_eq!(project.embed(usize::MAX), 0);
    check_as_fresh(&project, "after the move");
}

#[test]
fn a_branch_that_is_come_back_to_is_not_read_again() {
    let mut project = Project::new(&[A, B, C]);
    project.embed(usize::MAX);
    for round in 0..12 {
        let words = [format!("round {round}"), "write table".to_owned()];
        project.update(&[("src/b.rs", Some(&[&words[0], &words[1]]))]);
        assert_eq!(project.embed(usize::MAX), 1, "round {round}");
        let segments = project.segments();
        assert!(segments <= 9, "{segments} segments");
    }
    project.update(&[B]);
    assert_eq!(project.embed(usize::MAX), 0);
    check_as_fresh(&project, "back again");
    let cache = VectorCache::open(&[project.storage()], &project.model);
    for round in 0..12 {
        let words = format!("round {round}");
        assert_eq!(
            cache.get(key(&words)),
            Some(part(&words, project.model.dims))
        );
    }
}

#[test]
fn building_the_texts_anew_keeps_the_vectors_as_a_cache() {
    let mut project = Project::new(&[A, B, C]);
    project.embed(usize::MAX);
    project.update(&[A, B, C]);
    let anew = project.open();
    assert_eq!(anew.vectors_of(&project.model).unwrap().live_rows(), 0);
    assert_eq!(anew.pending_of(&project.model).units(), 6);
    assert_eq!(project.embed(usize::MAX), 0);
    check_as_fresh(&project, "anew");
}

#[test]
fn slices_go_on_where_the_last_one_ended() {
    let paths: Vec<String> = (0..25).map(|nth| format!("src/{nth:02}.rs")).collect();
    let words: Vec<[String; 2]> = (0..25)
        .map(|nth| [format!("retry {nth}"), format!("table {nth} how")])
        .collect();
    let units: Vec<[&str; 2]> = words
        .iter()
        .map(|w| [w[0].as_str(), w[1].as_str()])
        .collect();
    let changes: Vec<Change> = paths
        .iter()
        .zip(&units)
        .map(|(path, units)| (path.as_str(), Some(&units[..])))
        .collect();
    let mut project = Project::new(&changes);
    for done in 1..=25 {
        project.embed(1);
        let snapshot = project.open();
        assert_eq!(snapshot.pending_of(&project.model).units(), 50 - 2 * done);
        assert_eq!(snapshot.pending_of(&project.model).units_without_text(), 0);
        assert_eq!(
            snapshot.vectors_of(&project.model).unwrap().live_rows(),
            2 * done
        );
        assert!(project.segments() <= 9);
        if done == 10 {
            // An edit in the middle of the work, of a file that is done and of
            // one that waits.
            project.update(&[("src/03.rs", Some(&["new"])), ("src/20.rs", None)]);
            project.update(&[("src/03.rs", changes[3].1), changes[20]]);
            project.embed(1);
            assert_eq!(project.waiting(), 50 - 2 * done);
        }
    }
    check_as_fresh(&project, "after all slices");
    assert!(project.open().table().vectors.pending.is_empty());
}

#[test]
fn texts_wait_as_long_as_there_is_no_model() {
    let mut project = Project::new(&[A, B, C]);
    for round in 0..15 {
        let words = format!("round {round}");
        project.update(&[("src/b.rs", Some(&[&words]))]);
    }
    let snapshot = project.open();
    assert_eq!(snapshot.pending_of(&project.model).units(), 5);
    assert!(snapshot.table().vectors.pending.len() <= 8);
    let files: BTreeSet<u32> = snapshot
        .pending_of(&project.model)
        .files()
        .map(|file| file.unwrap().id)
        .collect();
    assert_eq!(files.len(), 3);
    project.embed(usize::MAX);
    check_as_fresh(&project, "at last");
}

#[test]
fn another_model_begins_anew() {
    let mut project = Project::new(&[A, B]);
    project.embed(usize::MAX);
    project.model = model(2, 80);
    project.update(&[C]);
    assert_eq!(project.embed(usize::MAX), 1);
    let snapshot = project.open();
    let vectors = snapshot.vectors_of(&project.model).unwrap();
    assert_eq!(vectors.model().fingerprint, 2);
    assert_eq!(vectors.live_rows(), 1);
    assert_eq!(project.segments(), 1);
    let pending = snapshot.pending_of(&project.model);
    assert_eq!(
        (pending.units(), pending.units_without_text()),
        (0, 5),
        "their texts are gone"
    );
    let cache = VectorCache::open(&[project.storage()], &model(1, 24));
    assert_eq!(
        cache.get(key("retry delay")),
        None,
        "the old vectors are dropped"
    );

    project.update(&[A, B, C]);
    assert_eq!(
        project.embed(usize::MAX),
        5,
        "one text is known to the new model"
    );
    check_as_fresh(&project, "with the new model");
}

/// Two models read the same texts, each at its own pace.
#[test]
fn sets_of_two_models_lie_side_by_side() {
    let mut project = Project::new(&[]);
    let other = model(2, 80);
    project.other = Some(other.clone());
    project.update(&[A, B, C]);
    assert_eq!(project.embed(usize::MAX), 6);
    let snapshot = project.open();
    assert_eq!(
        snapshot.models().collect::<Vec<_>>(),
        [&project.model, &other]
    );
    assert!(snapshot.vectors_of(&other).is_none());
    assert_eq!(
        (project.waiting(), snapshot.pending_of(&other).units()),
        (0, 6)
    );

    assert_eq!(project.embed_for(&other, 1), 3);
    project.update(&[("src/b.rs", Some(&["write table", "drop table"]))]);
    let snapshot = project.open();
    assert_eq!(
        (project.waiting(), snapshot.pending_of(&other).units()),
        (2, 3)
    );
    assert_eq!(project.embed(usize::MAX), 1);
    assert_eq!(project.embed_for(&other, usize::MAX), 3);
    check_as_fresh(&project, "the first model");
    std::mem::swap(&mut project.model, project.other.as_mut().unwrap());
    check_as_fresh(&project, "the other model");
    assert!(
        project.open().table().vectors.pending.is_empty(),
        "nobody waits for texts"
    );
}

#[test]
fn a_set_that_is_not_wanted_any_more_is_dropped() {
    let mut project = Project::new(&[]);
    let other = model(2, 80);
    project.other = Some(other.clone());
    project.update(&[A]);
    project.embed(usize::MAX);
    assert_eq!(
        project.open().table().vectors.pending.len(),
        1,
        "the other waits for the texts"
    );
    project.embed_for(&other, usize::MAX);
    project.update(&[B]);
    project.other = None;
    project.update(&[C]);
    assert!(project.open().vectors_of(&other).is_none());
    project.embed(usize::MAX);
    assert_eq!(project.stores("vectors-").len(), project.segments());
    assert!(
        project.open().table().vectors.pending.is_empty(),
        "texts wait for nobody"
    );
    check_as_fresh(&project, "the set that is wanted");
}

#[test]
fn a_snapshot_that_is_not_the_current_one_cannot_be_built_upon() {
    let mut project = Project::new(&[A]);
    let old = project.open();
    project.update(&[B]);
    let begun = VectorCommit::begin(lock(project.path()), &old, project.model.clone());
    assert!(matches!(begun, Err(IndexError::Busy)));
}

/// The parts were computed while a file changed: its rows are dead from the
/// beginning, and known to the cache.
#[test]
fn parts_of_a_file_that_changed_meanwhile_do_no_harm() {
    let mut project = Project::new(&[A, B]);
    let old = project.open();
    let files: Vec<_> = old
        .pending_of(&project.model)
        .files()
        .map(Result::unwrap)
        .collect();
    project.update(&[("src/a.rs", Some(&["other"]))]);
    let now = project.open();
    let mut commit =
        VectorCommit::begin(lock(project.path()), &now, project.model.clone()).unwrap();
    files
        .iter()
        .for_each(|file| commit.add(&project.parts(file)).unwrap());
    commit.commit().unwrap();
    let snapshot = project.open();
    assert_eq!(snapshot.vectors_of(&project.model).unwrap().live_rows(), 2);
    assert_eq!(snapshot.pending_of(&project.model).units(), 1);
    project.update(&[A]);
    assert_eq!(project.embed(usize::MAX), 0);
    check_as_fresh(&project, "back again");
}

fn copy_folder(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

#[test]
fn a_commit_that_was_killed_leaves_nothing() {
    let mut project = Project::new(&[A, B]);
    project.embed(usize::MAX);
    project.update(&[C]);
    let left = tempfile::tempdir().unwrap();
    copy_folder(project.path(), left.path());
    let generation = project.open().table().generation;
    project.embed(usize::MAX);
    // All of the next generation is there, but nothing refers to it.
    for name in [
        format!("vectors-{}", generation + 1),
        format!("files-{}", generation + 1),
    ] {
        fs::copy(project.path().join(&name), left.path().join(&name)).unwrap();
    }
    project.folder = left;
    let snapshot = project.open();
    assert_eq!(snapshot.table().generation, generation);
    assert_eq!(
        (
            snapshot.vectors_of(&project.model).unwrap().live_rows(),
            snapshot.pending_of(&project.model).units()
        ),
        (5, 1)
    );
    project.update(&[("src/b.rs", None)]);
    assert_eq!(
        project.stores("vectors-").len(),
        1,
        "what was left over is removed"
    );
    project.embed(usize::MAX);
    check_as_fresh(&project, "after the crash");
}

#[test]
fn a_commit_that_was_given_up_leaves_nothing() {
    let project = Project::new(&[A, B]);
    let snapshot = project.open();
    let mut commit =
        VectorCommit::begin(lock(project.path()), &snapshot, project.model.clone()).unwrap();
    for file in snapshot.pending_of(&project.model).files() {
        commit.add(&project.parts(&file.unwrap())).unwrap();
    }
    drop(commit);
    assert!(project.open().vectors_of(&project.model).is_none());
    project.embed(usize::MAX);
    check_as_fresh(&project, "at the second try");
}

#[test]
fn damage_of_every_store_is_noticed() {
    let mut project = Project::new(&[A, B]);
    project.embed(1);
    project.update(&[C]);
    let stores = [project.stores("vectors-"), project.stores("pending-")].concat();
    assert_eq!(stores.len(), 3);
    type Damage = (&'static str, fn(&mut Vec<u8>));
    let spoiled: [Damage; 5] = [
        ("emptied", |bytes| bytes.clear()),
        ("halved", |bytes| bytes.truncate(bytes.len() / 2)),
        ("without the last byte", |bytes| {
            bytes.truncate(bytes.len() - 1)
        }),
        ("with a flipped bit", |bytes| {
            *bytes.get_mut(20).unwrap() ^= 1
        }),
        ("longer", |bytes| bytes.extend([0; 8])),
    ];
    for path in stores {
        let whole = fs::read(&path).unwrap();
        for (what, spoil) in spoiled {
            let mut bytes = whole.clone();
            spoil(&mut bytes);
            fs::write(&path, bytes).unwrap();
            let error = Snapshot::open(&project.storage()).err();
            assert!(
                error.is_some_and(|e| e.wants_rebuild()),
                "{} {what}",
                path.display()
            );
        }
        fs::remove_file(&path).unwrap();
        let error = Snapshot::open(&project.storage()).err();
        assert!(
            error.is_some_and(|e| e.wants_rebuild()),
            "{} is gone",
            path.display()
        );
        fs::write(&path, whole).unwrap();
        project.open();
    }
}

#[test]
fn stores_that_nothing_uses_are_removed() {
    let mut project = Project::new(&[A]);
    for _ in 0..4 {
        project.embed(usize::MAX);
        project.update(&[B]);
    }
    let table = project.open().table().clone();
    let count = |beginning: &str| project.stores(beginning).len();
    // Those of the generation before are kept for readers that just open it.
    assert!(count("vectors-") <= project.segments() + 1);
    assert!(count("pending-") <= table.vectors.pending.len() + 1);
}

#[test]
fn a_cache_looks_into_other_worktrees() {
    let other = Project::new(&[A, B]);
    other.embed(usize::MAX);
    let damaged = Project::new(&[C]);
    damaged.embed(usize::MAX);
    let store = &damaged.stores("vectors-")[0];
    let mut bytes = fs::read(store).unwrap();
    bytes[80] ^= 1;
    fs::write(store, bytes).unwrap();
    let foreign = Project::with_model(model(9, 24), &[("x", Some(&["foreign"]))]);
    foreign.embed(usize::MAX);
    let indexes = [&other, &damaged, &foreign].map(|project| project.storage());
    let nowhere = [Local::shared(Path::new("/nowhere"))];
    let cache = VectorCache::open(&[&indexes[..], &nowhere].concat(), &other.model);
    assert_eq!(
        cache.get(key("parse request")),
        Some(part("parse request", 24))
    );
    for words in ["how to retry", "foreign", "never seen"] {
        assert_eq!(cache.get(key(words)), None, "{words}");
    }
    assert_eq!(VectorCache::open(&[], &other.model).get(1), None);
}

/// When most rows are dead, the oldest are let go.
#[test]
fn rows_of_long_ago_are_forgotten() {
    let many = |round: usize, count: usize| -> Vec<String> {
        (0..count).map(|nth| format!("{round}x{nth}")).collect()
    };
    let mut project = Project::with_model(model(1, 4), &[]);
    for round in 0..4 {
        let words = many(round, 6000);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        project.update(&[("a", Some(&words[..3000])), ("b", Some(&words[3000..]))]);
        project.embed(usize::MAX);
    }
    let cache = || VectorCache::open(&[project.storage()], &project.model);
    let known = |round, cache: &VectorCache| cache.get(key(&format!("{round}x0"))).is_some();
    let all = cache();
    assert!((0..4).all(|round| known(round, &all)));
    project.update(&[("a", Some(&["last"]))]);
    project.embed(usize::MAX);
    let cache = VectorCache::open(&[project.storage()], &project.model);
    assert_eq!(project.segments(), 1);
    assert_eq!(
        [0, 1, 2, 3].map(|round| known(round, &cache)),
        [false, false, true, true]
    );
    project.check_vectors(&project.open(), "the others are as they were");
}

/// One file of a made-up index: how many units it has, and whether it is
/// accepted.
type Shape = (usize, bool);

fn brute_force(
    project: &Project,
    accepted: &BTreeMap<u32, (String, Vec<String>)>,
    query: &[f32],
) -> BTreeMap<(u32, u32), f32> {
    let mut scores = BTreeMap::new();
    // With the parts as they are kept: where two nearly cancel each other, what
    // rounding lost of them is a large part of what remains.
    let kept = |words: &str| Quantised::of(&embedded(words, project.model.dims)).to_vector();
    for (id, (path, units)) in accepted {
        let of_path = kept(&path_words(path));
        for (nth, words) in units.iter().enumerate() {
            let body = kept(words);
            let sum = unit_length(body.iter().zip(&of_path).map(|(b, p)| b + p).collect());
            let score = sum.iter().zip(query).map(|(a, b)| a * b).sum();
            scores.insert((*id, fixture::line(nth)), score);
        }
    }
    scores
}

fn check_search(
    vectors: &Vectors,
    found: &[Scored],
    truth: &BTreeMap<(u32, u32), f32>,
    pool: usize,
) {
    const STEP: f32 = 0.02;
    assert_eq!(found.len(), pool.min(truth.len()));
    let mut best: Vec<f32> = truth.values().copied().collect();
    best.sort_by(|a, b| b.total_cmp(a));
    let mut seen = BTreeSet::new();
    for (scored, best) in found.iter().zip(best) {
        let place = vectors.place(scored.row);
        assert!(seen.insert(place), "{place:?} twice");
        let truth = *truth.get(&place).expect("of a file that is accepted");
        assert!(
            (scored.score - truth).abs() < STEP,
            "{} {truth}",
            scored.score
        );
        assert!(
            (scored.score - best).abs() < STEP,
            "{} {best}",
            scored.score
        );
    }
    let ordered = |a: &Scored, b: &Scored| {
        (-a.score, vectors.place(a.row)) < (-b.score, vectors.place(b.row))
    };
    assert!(found.is_sorted_by(ordered));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// What a search finds is what comparing all vectors finds.
    #[test]
    fn a_search_finds_what_comparing_all_finds(
        shapes in prop::collection::vec((0usize..7, any::<bool>()), 0..12),
        dims in prop::sample::select(vec![3u32, 64, 100, 256]),
        pool in 1usize..40,
        seed in 0u32..1000,
    ) {
        check_shapes(&shapes, dims, pool, seed);
    }
}

#[test]
fn parts_that_nearly_cancel_each_other_are_scored_as_they_are_kept() {
    check_shapes(&[(0, false), (3, true)], 3, 3, 131);
}

fn check_shapes(shapes: &[Shape], dims: u32, pool: usize, seed: u32) {
    let names: Vec<String> = (0..shapes.len())
        .map(|nth| format!("file/{nth:02}"))
        .collect();
    let words: Vec<Vec<String>> = shapes
        .iter()
        .enumerate()
        .map(|(file, (units, _))| (0..*units).map(|n| format!("w{seed} {file} {n}")).collect())
        .collect();
    let units: Vec<Vec<&str>> = words
        .iter()
        .map(|units| units.iter().map(String::as_str).collect())
        .collect();
    let changes: Vec<Change> = names
        .iter()
        .zip(&units)
        .map(|(name, units)| (name.as_str(), Some(&units[..])))
        .collect();
    let project = Project::with_model(model(1, dims), &changes);
    project.embed(shapes.len() / 2);
    project.embed(usize::MAX);
    let snapshot = project.open();
    let Some(vectors) = snapshot.vectors_of(&project.model) else {
        return;
    };
    let accepted: BTreeMap<u32, (String, Vec<String>)> = (0..shapes.len())
        .filter(|nth| shapes[*nth].1)
        .map(|nth| {
            (
                id_of(&snapshot, &names[nth]),
                (names[nth].clone(), words[nth].clone()),
            )
        })
        .collect();
    let asked = unit_length(embedded(&format!("w{seed} 1 query"), dims));
    let query = Query::new(&asked);
    let accept = |id: u32| accepted.contains_key(&id);
    let found = vectors.search(&query, pool, &accept);
    check_search(
        vectors,
        &found,
        &brute_force(&project, &accepted, &asked),
        pool,
    );
    // Of so few rows, the scores of all are computed either way.
    for scan in [Scan::Exact, Scan::Estimated] {
        assert_eq!(vectors.search_by(scan, &query, pool, &accept), found);
    }
    for scored in &found {
        assert_eq!(vectors.score(scored.row, &query), scored.score);
    }
}

#[test]
#[should_panic(expected = "parts of another model")]
fn parts_of_another_size_are_refused() {
    let project = Project::new(&[A]);
    let snapshot = project.open();
    let mut commit =
        VectorCommit::begin(lock(project.path()), &snapshot, project.model.clone()).unwrap();
    let unit = UnitPart {
        line: 1,
        key: 1,
        body: part("a", 25),
    };
    let _ = commit.add(&FileParts {
        id: 0,
        path: part("b", 24),
        units: vec![unit],
    });
}
