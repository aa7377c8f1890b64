//! What is read by the model, when it is read, and what it finds.

mod project;

use project::{Project, words};
use scent_embed::{About, Asked, Encoder, Kept, ModelError, Side};
use scent_engine::{Engine, EngineError, Others, Refresh, Silent};
use scent_types::{Filters, Kind, Lane, Request};
use std::fs;
use std::path::Path;
use std::sync::Arc;

const DELAY: &str = "/// How long to wait before the next attempt.\n\
    pub fn retry_delay(attempt: u32) -> u64 {\n    BASE << attempt.min(6)\n}\n";
const PARSE: &str = "pub fn parse_header(line: &str) -> Option<(&str, &str)> {\n    \
    line.split_once(':').map(|(name, value)| (name.trim(), value.trim()))\n}\n";
const CLOSE: &str = "impl Socket {\n    pub fn shut_down(&mut self) {\n        \
    self.stream.flush();\n        self.stream.close();\n    }\n}\n";

fn project() -> Project {
    Project::new(&[("src/delay.rs", DELAY), ("src/header.rs", PARSE), ("src/socket.rs", CLOSE)])
}

/// How many units the model read, and how many it need not.
fn read(engine: &Engine, root: &Path) -> (u64, u64) {
    engine.update(root, &Silent).unwrap();
    let done = engine.embed(root, Others::WaitFor, &Silent).unwrap();
    (done.computed, done.cached)
}

fn by_meaning(query: &str) -> Request {
    Request { lanes: vec![Lane::Vector, Lane::Late], ..words(query) }
}

fn paths(project: &Project, request: &Request) -> Vec<String> {
    let found = project.search(request, Refresh::Yes);
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
        assert_eq!(paths(&project, &by_meaning(question))[0], path, "{question}");
    }
}

#[test]
fn scores_of_every_lane_are_told() {
    let project = project();
    let found = project.search(&words("retry delay"), Refresh::Yes);
    let lanes: Vec<Lane> = found.hits[0].lanes.keys().copied().collect();
    assert_eq!(lanes, [Lane::Text, Lane::Vector, Lane::Late]);
    let meaning = found.meaning.unwrap();
    assert_eq!((meaning.units, meaning.waiting), (4, 0));
    let request = Request { lanes: vec![Lane::Text], ..words("retry delay") };
    let found = project.search(&request, Refresh::Yes);
    assert!(found.hits.iter().all(|hit| hit.lanes.keys().eq([&Lane::Text])));
    assert_eq!(found.meaning, None);
}

#[test]
fn filters_hold_for_meaning_too() {
    let project = project();
    let filters = Filters { paths: vec!["src/header.rs".into()], ..Filters::default() };
    let request = Request { filters, ..by_meaning("pause before the next try") };
    assert!(paths(&project, &request).iter().all(|path| path == "src/header.rs"));
    let filters = Filters { kinds: vec![Kind::Method], ..Filters::default() };
    let request = Request { filters, ..by_meaning("hang up the connection") };
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
    assert_eq!(paths(&project, &by_meaning("pause before the next try"))[0], "lib/waiting.rs");
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
    let other = Project::new(&[("src/delay.rs", DELAY), ("src/more.rs", "fn more_of_it() {}\n")]);
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
    engine.update(&project.root, &Silent).unwrap();
    let found = project.search(&words("retry delay"), Refresh::No);
    assert_eq!(found.hits[0].path, "src/delay.rs");
    assert_eq!(found.meaning.unwrap().waiting, 4);
    assert!(found.notes[0].contains("4 of 4 units is not read yet"), "{:?}", found.notes);
}

#[test]
fn units_like_another_are_found() {
    let project = project();
    project.write("src/backoff.rs", DELAY.replace("retry_delay", "backoff").replace("6", "9"));
    let request = Request { lanes: vec![Lane::Vector], limit: 1, ..Request::default() };
    let similar = |place| project.engine().similar(&project.targets()[0], place, &request, &Silent);
    let found = similar(("src/delay.rs", 3)).unwrap();
    assert_eq!(found.hits.len(), 1);
    assert_eq!(found.hits[0].path, "src/backoff.rs");
    for place in [("src/nowhere.rs", 1), ("src/delay.rs", 99)] {
        assert!(matches!(similar(place), Err(EngineError::NoSuchPlace { .. })), "{place:?}");
    }
}

/// A model that is not the one inside the program.
struct Other;

impl Encoder for Other {
    fn about(&self) -> About {
        About { name: "other".into(), fingerprint: 7, dims: 16, token_bytes: 0 }
    }

    fn reads_paths_apart(&self) -> bool {
        false
    }

    /// As many numbers as words begin with each letter.
    fn parts(&self, texts: &[&str], _: Side) -> Result<Vec<Kept>, ModelError> {
        let vector = |text: &&str| {
            let mut vector = vec![0.0; 16];
            text.split(' ').for_each(|w| vector[usize::from(w.as_bytes()[0] % 16)] += 1.0);
            Kept { vector, codes: Vec::new() }
        };
        Ok(texts.iter().map(vector).collect())
    }

    fn ask(&self, question: &str) -> Result<Asked, ModelError> {
        let vector = self.parts(&[question], Side::Query)?.remove(0).vector;
        let length = vector.iter().map(|n| n * n).sum::<f32>().sqrt();
        Ok(Asked { vector: vector.into_iter().map(|n| n / length).collect(), late: None })
    }
}

#[test]
fn vectors_of_different_models_are_not_mixed() {
    let project = project();
    read(&project.engine(), &project.root);
    let other = project.engine().with_encoder(Arc::new(Other));
    let refused = other.search(&project.targets(), &words("retry"), Refresh::No, &Silent);
    assert!(matches!(refused, Err(EngineError::NotIndexed(_))));
    assert_eq!(read(&other, &project.root), (4, 0), "beside the old one");
    let request = Request { lanes: vec![Lane::Vector], ..words("retry delay") };
    let ask = |engine: &Engine| {
        let found = engine.search(&project.targets(), &request, Refresh::Yes, &Silent).unwrap();
        assert!(!found.hits.is_empty());
        found.meaning.unwrap().model
    };
    assert_eq!(ask(&other), "other");
    assert_eq!(ask(&project.engine()), "small-1");
    assert_eq!(read(&project.engine(), &project.root), (0, 0), "the old one is as it was");
    // Were an index put where that of another model belongs, it would be noticed.
    let (own, theirs) = (project.index_folder(), other.index_folder(&project.root));
    fs::remove_dir_all(&theirs).unwrap();
    fs::rename(own, theirs).unwrap();
    let refused = other.search(&project.targets(), &words("retry"), Refresh::No, &Silent);
    let Err(error @ EngineError::OtherModel { .. }) = refused else { panic!("mixed") };
    assert!(error.to_string().contains("scent index"), "{error}");
}
