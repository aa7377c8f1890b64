//! What ignore files leave out.
//!
//! Their rules are read here and not by the crate that matches them: it opens
//! whatever bears the name of such a file, and those of all folders above.

use crate::small_file::{SMALL, read_regular};
use crate::worktrees;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Files of rules in a folder. Those of the first decide before those of the
/// others, however deep they stand.
pub(crate) const FILES: [&str; 3] = [".scentignore", ".ignore", ".gitignore"];

/// What else in a folder decides which files there are, beside [`FILES`]: what
/// marks a cache, names parts of a repository or holds settings.
const DECIDING: [&str; 5] = [
    "CACHEDIR.TAG",
    "pyvenv.cfg",
    ".gitmodules",
    "exclude",
    "scent.toml",
];

/// Whether a change of the file at a path may change which files there are.
pub fn decides_about_others(path: &Path) -> bool {
    let name = path.file_name();
    let mut names = FILES.iter().chain(&DECIDING);
    names.any(|known| name == Some(known.as_ref()))
}

/// How many sorts of rules a folder can have: those of its files, and those that
/// its repository keeps to itself.
const SORTS: usize = FILES.len() + 1;

/// A larger number of patterns is not there to be matched.
const MOST_PATTERNS: usize = 50_000;

/// Longer patterns match nothing that anybody has, and take their time.
const LONGEST_PATTERN: usize = 1_000;

/// The rules of a folder, and those around it.
pub(crate) struct Rules {
    outer: Option<Arc<Rules>>,
    sorts: [Gitignore; SORTS],
}

/// The rules of a folder, and which of its files of rules cannot be followed.
pub(crate) struct Found {
    pub rules: Arc<Rules>,
    pub refused: Vec<(&'static str, io::Error)>,
}

impl Rules {
    /// The rules that the user has for all projects.
    pub fn of_user(root: &Path) -> Arc<Rules> {
        let (global, _) = GitignoreBuilder::new(root).build_global();
        let mut sorts: [Gitignore; SORTS] = std::array::from_fn(|_| Gitignore::empty());
        sorts[SORTS - 1] = global;
        Arc::new(Rules { outer: None, sorts })
    }

    /// The rules in a folder that holds these files of rules, and a repository
    /// or not.
    pub fn inside(self: &Arc<Rules>, folder: &Path, held: [bool; FILES.len()], git: bool) -> Found {
        let mut found = Found {
            rules: Arc::clone(self),
            refused: Vec::new(),
        };
        if !git && held == [false; FILES.len()] {
            return found;
        }
        let mut sorts: [Gitignore; SORTS] = std::array::from_fn(|_| Gitignore::empty());
        for (nth, name) in FILES.into_iter().enumerate().filter(|(nth, _)| held[*nth]) {
            match read_rules(folder, &folder.join(name)) {
                Ok(rules) => sorts[nth] = rules,
                Err(error) => found.refused.push((name, error)),
            }
        }
        let common = git.then(|| worktrees::common_folder(folder)).flatten();
        let own = common.map(|common| read_rules(folder, &common.join("info").join("exclude")));
        sorts[SORTS - 1] = own.and_then(Result::ok).unwrap_or_else(Gitignore::empty);
        found.rules = Arc::new(Rules {
            outer: Some(Arc::clone(self)),
            sorts,
        });
        found
    }

    /// Whether the rules exclude a path.
    pub fn excludes(&self, path: &Path, is_dir: bool) -> bool {
        let decided = (0..SORTS).map(|sort| self.decide(sort, path, is_dir));
        decided
            .into_iter()
            .find(|rule| !rule.is_none())
            .is_some_and(|rule| rule.is_ignore())
    }

    /// What the rules of a sort say, the innermost first.
    fn decide(&self, sort: usize, path: &Path, is_dir: bool) -> Match<()> {
        let levels = std::iter::successors(Some(self), |rules| rules.outer.as_deref());
        let mut said = levels.map(|rules| rules.sorts[sort].matched(path, is_dir).map(|_| ()));
        said.find(|rule| !rule.is_none()).unwrap_or(Match::None)
    }

    /// Whether the project's own rules include a path.
    pub fn includes(&self, path: &Path, is_dir: bool) -> bool {
        let own = &self.sorts[0];
        own.num_whitelists() > 0 && own.matched(path, is_dir).is_whitelist()
    }
}

/// The rules of a file for what is below a folder.
fn read_rules(folder: &Path, file: &Path) -> io::Result<Gitignore> {
    let bytes = read_regular(file, SMALL)?;
    let text = scent_syntax::decode(&bytes);
    let mut builder = GitignoreBuilder::new(folder);
    for (nth, line) in text
        .lines()
        .filter(|line| line.len() <= LONGEST_PATTERN)
        .enumerate()
    {
        if nth == MOST_PATTERNS {
            return Err(io::Error::other(format!(
                "more than {MOST_PATTERNS} patterns"
            )));
        }
        // A line that is no pattern says nothing; the others still do.
        let _ = builder.add_line(None, line);
    }
    builder.build().map_err(io::Error::other)
}
