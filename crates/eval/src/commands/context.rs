//! `scent-eval context`

use crate::args::ContextArgs;
use anyhow::Context;
use scent_engine::{
    Cursor, Engine, OnBusy, Project, Refresh, Settings, Silent, parse_request, targets,
};
use scent_eval::context::{
    Chunks, Judged, Place, Shown, draw, of_context, of_similar, share, table, without,
};
use scent_types::{FileClass, Lane, RawRequest, Request};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

const SYSTEMS: [&str; 3] = ["scent", "bm25", "similar"];

/// So many similar units are asked for.
const SIMILAR: usize = 20;

pub(crate) fn run(args: ContextArgs) -> anyhow::Result<ExitCode> {
    let out = &args.out;
    fs::create_dir_all(out).with_context(|| out.display().to_string())?;
    let names = corpora(&args)?;
    let number = args.places.div_ceil(names.len().max(1));
    let mut details = BufWriter::new(File::create(out.join("places.jsonl"))?);
    let mut judged = Vec::new();
    for name in &names {
        let corpus = Corpus::new(&args, name)?;
        // The places of a repository do not depend on which others there are.
        let mut random = fastrand::Rng::with_seed(args.seed);
        let places = draw(&corpus.project, number, &mut random)?;
        let began = Instant::now();
        for place in &places {
            corpus.ask(place, args.tokens, &mut details, &mut judged)?;
        }
        let seconds = began.elapsed().as_secs_f64();
        eprintln!("{name}: {} places in {seconds:.0} s", places.len());
    }
    let table = table(&judged, &SYSTEMS);
    fs::write(out.join("context.md"), &table)?;
    print!("{table}");
    Ok(ExitCode::SUCCESS)
}

fn corpora(args: &ContextArgs) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    let folder = args.corpora.display().to_string();
    for entry in fs::read_dir(&args.corpora).context(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if args.only.as_ref().is_none_or(|only| only.is_match(&name)) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// A copy of a repository, from which lines are taken.
struct Corpus {
    name: String,
    folder: PathBuf,
    project: Project,
    texts: BTreeMap<String, String>,
}

impl Corpus {
    fn new(args: &ContextArgs, name: &str) -> anyhow::Result<Corpus> {
        let folder = args.out.join("copy").join(name);
        let _ = fs::remove_dir_all(&folder);
        copy(&args.corpora.join(name), &folder)?;
        let engine = Engine::new(args.out.join("index"), Settings::default());
        let target = targets(&[folder], true)?.remove(0);
        let project = engine.open(&target.root);
        project.update(&Silent)?;
        project.embed(OnBusy::Wait, &Silent)?;
        project.refresh(Refresh::Never, &Silent)?;
        let mut texts = BTreeMap::new();
        for file in project
            .files()?
            .iter()
            .filter(|file| file.skipped.is_none())
        {
            let language = scent_engine::detect_language(&file.path, b"");
            if language.is_some_and(|language| language.class == FileClass::Code)
                && let Some(text) = project.file_text(&file.path)?
            {
                texts.insert(file.path.clone(), text);
            }
        }
        Ok(Corpus {
            name: name.to_owned(),
            folder: target.root,
            project,
            texts,
        })
    }

    /// Asks all systems at a place, whose lines nobody has seen.
    fn ask(
        &self,
        place: &Place,
        tokens: usize,
        details: &mut impl Write,
        judged: &mut Vec<Judged>,
    ) -> anyhow::Result<()> {
        let file = self.folder.join(&place.path);
        let whole = fs::read(&file)?;
        let text = without(&String::from_utf8_lossy(&whole), place.hidden());
        fs::write(&file, &text)?;
        let asked = self.ask_hidden(place, &text, tokens);
        fs::write(&file, &whole)?;
        for (system, (shown, ms)) in SYSTEMS.into_iter().zip(asked?) {
            let found = share(place, &shown);
            judged.push(Judged {
                corpus: self.name.clone(),
                system,
                found,
                needed: place.names.len(),
                ms,
            });
            let names: Vec<&str> = place.names.iter().map(|n| n.name.as_str()).collect();
            let row = serde_json::json!({
                "corpus": self.name, "path": place.path, "line": place.line,
                "system": system, "found": found, "names": names,
            });
            writeln!(details, "{row}")?;
        }
        Ok(())
    }

    fn ask_hidden(
        &self,
        place: &Place,
        text: &str,
        tokens: usize,
    ) -> anyhow::Result<[(Vec<Shown>, f64); 3]> {
        self.project.update(&Silent)?;
        let mut texts = self.texts.clone();
        texts.insert(place.path.clone(), text.to_owned());
        let cursor = Cursor {
            path: place.path.clone(),
            line: place.line,
            around: None,
        };
        // The first call opens what was just written; the second is warm.
        self.project.context(&cursor, tokens)?;
        let began = Instant::now();
        let found = self.project.context(&cursor, tokens)?;
        let own = (of_context(&found), ms(began));
        let chunks = Chunks::new(&texts);
        let began = Instant::now();
        let by_words = (chunks.shown(place, &texts, tokens), ms(began));
        let request = Request {
            lanes: vec![Lane::Vector],
            ..parse_request(&RawRequest {
                limit: Some(SIMILAR),
                ..RawRequest::default()
            })?
        };
        let at = (place.path.as_str(), place.line);
        let began = Instant::now();
        let similar = match self.project.similar(at, &request, Refresh::Never, &Silent) {
            Ok(response) => of_similar(&response, place, &texts, tokens),
            // There may be no unit any more where the lines were.
            Err(_) => Vec::new(),
        };
        Ok([own, by_words, (similar, ms(began))])
    }
}

fn ms(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1e3
}

/// Copies a folder without its history and without links.
fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let (kind, name) = (entry.file_type()?, entry.file_name());
        if kind.is_dir() && name != ".git" {
            copy(&entry.path(), &to.join(name))?;
        } else if kind.is_file() {
            fs::copy(entry.path(), to.join(name))?;
        }
    }
    Ok(())
}
