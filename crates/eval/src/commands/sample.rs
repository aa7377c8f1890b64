//! Repositories that a seed chooses, searched with scent as users have it.

use crate::args::Sample;
use scent_engine::{Project, Refresh, Silent};
use scent_eval::names::Scanned;
use scent_eval::row::Task;
use scent_eval::store::Named;
use scent_eval::suite::{Choice, Corpus, Suite};
use scent_eval::system::{Ask, Indexes, Scent, request};
use scent_eval::view;
use scent_types::Hit;
use std::path::PathBuf;
use std::rc::Rc;

/// Repositories drawn by chance.
pub(crate) struct Drawn {
    pub suites: Vec<Suite>,
    pub random: fastrand::Rng,
    scent: Scent,
    cache: PathBuf,
}

/// A repository that is ready.
pub(crate) struct Repository<'d> {
    pub name: String,
    pub corpus: &'d Corpus,
    pub files: Scanned,
    project: Project,
    scent: &'d Scent,
}

impl Drawn {
    pub fn new(args: &Sample) -> anyhow::Result<Drawn> {
        let mut suites = Vec::new();
        for folder in &args.suites {
            suites.push(Suite::read(folder, &args.corpora, &Choice::default())?);
        }
        let system = Named {
            name: "scent".into(),
            ..Named::default()
        };
        let cache = std::path::absolute(&args.cache)?;
        let scent = Scent::new(&system, &cache.join("index"), &Rc::new(Indexes::default()))?;
        let mut drawn = Drawn {
            suites,
            random: fastrand::Rng::with_seed(args.seed),
            scent,
            cache,
        };
        drawn.keep(args.repositories);
        Ok(drawn)
    }

    /// Keeps so many repositories of all suites.
    fn keep(&mut self, many: usize) {
        let mut all = Vec::new();
        for (nth, suite) in self.suites.iter().enumerate() {
            for corpus in &suite.corpora {
                all.push((nth, corpus.name.clone()));
            }
        }
        self.random.shuffle(&mut all);
        all.truncate(many);
        for (nth, suite) in self.suites.iter_mut().enumerate() {
            suite
                .corpora
                .retain(|corpus| all.contains(&(nth, corpus.name.clone())));
        }
    }

    /// Indexes a repository and reads its files.
    pub fn open<'d>(&'d self, suite: &str, corpus: &'d Corpus) -> anyhow::Result<Repository<'d>> {
        let view = view::lay_out(corpus, suite, &self.cache)?;
        let project = self.scent.open(&view.folder)?;
        self.scent.bring_up_to_date(&project)?;
        let files = project.files()?;
        let indexed = files.into_iter().filter(|file| file.skipped.is_none());
        let paths: Vec<String> = indexed.map(|file| file.path).collect();
        Ok(Repository {
            name: format!("{suite}/{}", corpus.name),
            corpus,
            files: Scanned::read(&view.folder, &paths)?,
            project,
            scent: &self.scent,
        })
    }
}

impl Repository<'_> {
    /// The first results of a search.
    pub fn search(&self, text: &str, limit: usize) -> anyhow::Result<Vec<Hit>> {
        let ask = Ask {
            task: Task::Search,
            text,
            class: None,
            limit,
        };
        let projects = std::slice::from_ref(&self.project);
        let engine = self.scent.engine();
        let answer = engine.search(projects, &request(ask)?, Refresh::Never, &Silent)?;
        Ok(answer.hits)
    }
}
