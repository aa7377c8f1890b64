//! What can be done with an open project.

use crate::embed::{self, OnBusy};
use crate::error::EngineError;
use crate::lookup::{
    self, Call, CallPathOptions, Changed, Cursor, DependencyOptions, ImpactOptions, Position,
    ReferenceFilter, Since, UnusedOptions, UsedName,
};
use crate::map::{self, MapOptions};
use crate::models::OpenModel;
use crate::progress::{Progress, Silent};
use crate::project::Project;
use crate::reading::Embedded;
use crate::refresh::{Patience, partly_indexed};
use crate::slices::Limits;
use crate::units::{self, Described};
use crate::update::{self, Reuse, Update};
use crate::{PATIENCE, Refresh, guard, heal, refresh, status};
use scent_index::{IndexError, Snapshot};
use scent_types::{
    CallPath, CodeContext, Cycles, Defined, Definitions, Dependencies, FileOutline, Freshness,
    Impact, Lines, Note, ProjectMap, References, Status, Unused,
};

impl Project {
    /// Brings the index up to date, as far as `refresh` says. Returns notes for
    /// the user.
    pub fn refresh(
        &self,
        refresh: Refresh,
        progress: &dyn Progress,
    ) -> Result<Vec<Note>, EngineError> {
        let patience = Patience::of(refresh);
        let refreshed = || refresh::refresh(self, refresh, patience, progress);
        let mut notes = match refresh {
            // Nothing may be written: damage is reported and not repaired.
            Refresh::Never => heal::healing(&[], progress, refreshed)?,
            _ => heal::healing(&[self], progress, refreshed)?,
        };
        notes.extend(partly_indexed(&[self.snapshot()?], refresh));
        Ok(notes)
    }

    /// Brings the index up to date. Waits for another writer.
    pub fn update(&self, progress: &dyn Progress) -> Result<Update, EngineError> {
        heal::healing(&[self], progress, || {
            let limits = Limits::waiting(self.patience());
            update::update(self, Reuse::Unchanged, limits, progress)
        })
    }

    /// Removes the index and makes it from scratch.
    pub fn rebuild(&self, progress: &dyn Progress) -> Result<Update, EngineError> {
        update::from_scratch(self, None, progress)
    }

    /// Verifies every checksum of the index; returns how many files were
    /// verified.
    pub fn verify(&self) -> Result<usize, EngineError> {
        guard::verify(self.storage()).map_err(|e| self.error(e))
    }

    /// Removes the index; false where there was none.
    pub fn clear(&self) -> Result<bool, EngineError> {
        let existed = self.is_indexed();
        self.forget();
        if self.index_folder().exists() {
            let lock = self.lock(PATIENCE, &Silent)?;
            lock.remove_index().map_err(|e| self.error(e))?;
        }
        Ok(existed)
    }

    /// What is in the index, and whether it is up to date.
    pub fn status(&self) -> Result<Status, EngineError> {
        let snapshot = self.latest()?;
        let freshness = status::freshness(self, snapshot.table());
        Ok(status::status_of(self.root(), &snapshot, freshness))
    }

    /// What is in the generation that the project holds, taken to be up to
    /// date.
    pub fn contents(&self) -> Result<Status, EngineError> {
        let snapshot = self.snapshot()?;
        Ok(status::status_of(self.root(), &snapshot, Freshness::Fresh))
    }

    /// Makes the vectors that the index lacks: those of the primary model, and
    /// then those of the refined one. Then catches up with importance.
    pub fn embed(&self, on_busy: OnBusy, progress: &dyn Progress) -> Result<Embedded, EngineError> {
        let done = self.embed_units(on_busy, progress)?;
        self.rank(on_busy)?;
        Ok(done)
    }

    /// The same without importance, for who leaves it to a quieter time.
    pub fn embed_units(
        &self,
        on_busy: OnBusy,
        progress: &dyn Progress,
    ) -> Result<Embedded, EngineError> {
        self.embed_with(&self.engine().embedders()?, on_busy, progress)
    }

    /// Catches up with importance, where files changed since it was worked out.
    pub fn rank(&self, on_busy: OnBusy) -> Result<(), EngineError> {
        heal::healing(&[self], &Silent, || embed::rank(self, on_busy))
    }

    /// The same with the primary model alone.
    pub fn embed_primary(
        &self,
        on_busy: OnBusy,
        progress: &dyn Progress,
    ) -> Result<Embedded, EngineError> {
        let embedders = self.engine().embedders()?;
        let done = self.embed_with(&embedders[..1], on_busy, progress)?;
        self.rank(on_busy)?;
        Ok(done)
    }

    fn embed_with(
        &self,
        embedders: &[OpenModel],
        on_busy: OnBusy,
        progress: &dyn Progress,
    ) -> Result<Embedded, EngineError> {
        heal::healing(&[self], progress, || {
            let mut done = Embedded::default();
            for last in 1..=embedders.len() {
                done += embed::fill(self, &embedders[..last], on_busy.into(), progress)?;
            }
            if done.computed > 0 {
                self.keep_within_limit();
            }
            Ok(done)
        })
    }

    /// Whether a process makes vectors right now.
    pub fn is_embedding(&self) -> bool {
        embed::is_embedding(self)
    }

    /// Whether the generation that the project holds lacks files.
    pub fn is_partial(&self) -> bool {
        self.snapshot()
            .is_ok_and(|snapshot| snapshot.table().is_partial())
    }

    /// Whether importance is out of date since files changed, and
    /// [`Project::embed`] is left to catch up with it.
    pub fn is_importance_stale(&self) -> bool {
        self.snapshot()
            .is_ok_and(|snapshot| snapshot.table().ranks.stale)
    }

    /// Where a name is defined.
    pub fn definitions(&self, name: &str, limit: usize) -> Result<Definitions, EngineError> {
        self.read(|snapshot| lookup::definitions(self.tree(), snapshot, name, limit))
    }

    /// Where that is defined which a place in a file stands for: the innermost
    /// definition around a line, or the name at a column.
    pub fn definitions_at<'p>(
        &self,
        place: impl Into<Position<'p>>,
        limit: usize,
    ) -> Result<Definitions, EngineError> {
        let place = place.into();
        self.read(|snapshot| lookup::definitions_at(self.tree(), snapshot, place, limit))
    }

    /// Who uses a name.
    pub fn references(
        &self,
        name: &str,
        filter: &ReferenceFilter,
        limit: usize,
    ) -> Result<References, EngineError> {
        self.read(|snapshot| lookup::references(self.tree(), snapshot, name, filter, limit))
    }

    /// Who uses what a place in a file stands for: the innermost definition around
    /// a line, or the name at a column.
    pub fn references_at<'p>(
        &self,
        place: impl Into<Position<'p>>,
        filter: &ReferenceFilter,
        limit: usize,
    ) -> Result<References, EngineError> {
        let place = place.into();
        self.read(|snapshot| lookup::references_at(self.tree(), snapshot, place, filter, limit))
    }

    /// What a name at a line of a file means, and who uses that.
    pub fn meaning(
        &self,
        place: (&str, u32),
        name: &str,
        limit: usize,
    ) -> Result<References, EngineError> {
        self.read(|snapshot| lookup::meaning(self.tree(), snapshot, place, name, limit))
    }

    /// What some lines of a file call of what the project defines.
    pub fn calls_from(&self, path: &str, lines: Lines) -> Result<Vec<Call>, EngineError> {
        self.read(|snapshot| lookup::calls_from(self.tree(), snapshot, path, lines))
    }

    /// The definitions that take the place of some others.
    pub fn implementations(&self, of: &[Defined]) -> Result<Vec<Defined>, EngineError> {
        self.read(|snapshot| lookup::implementations(self.tree(), snapshot, of))
    }

    /// The text of a file that the generation has, as it is on disk.
    pub fn text(&self, path: &str) -> Result<String, EngineError> {
        self.read(|snapshot| map::indexed_text(self.tree(), snapshot, path))
    }

    /// How a symbol of such a file is declared and documented, by the line of
    /// its name.
    pub fn described(&self, path: &str, line: u32) -> Result<Option<Described>, EngineError> {
        let text = self.text(path)?;
        Ok(units::described(path, text.into_bytes(), line))
    }

    /// What the files at a path depend on, or what depends on them.
    pub fn dependencies(
        &self,
        path: &str,
        options: &DependencyOptions,
    ) -> Result<Dependencies, EngineError> {
        self.read(|snapshot| lookup::dependencies(self.tree(), snapshot, path, options))
    }

    /// What changes may break.
    pub fn impact(
        &self,
        changed: &[Changed],
        options: ImpactOptions,
    ) -> Result<Impact, EngineError> {
        self.read(|snapshot| lookup::impact(self.tree(), snapshot, changed, options))
    }

    /// What changed since a commit, the working tree included.
    pub fn changed_since(&self, commit: &str) -> Result<Since, EngineError> {
        self.read(|snapshot| lookup::changed_since(self.tree(), self.root(), snapshot, commit))
    }

    /// How one symbol comes to call another, directly or through others.
    pub fn callpath(
        &self,
        from: &str,
        to: &str,
        options: CallPathOptions,
    ) -> Result<CallPath, EngineError> {
        self.read(|snapshot| lookup::callpath(self.tree(), snapshot, from, to, options))
    }

    /// The definitions at and below a path that nothing uses.
    pub fn unused(&self, path: &str, options: &UnusedOptions) -> Result<Unused, EngineError> {
        self.read(|snapshot| lookup::unused(self.tree(), snapshot, path, options))
    }

    /// The cycles of imports that touch a path.
    pub fn cycles(&self, path: &str, limit: usize) -> Result<Cycles, EngineError> {
        self.read(|snapshot| lookup::cycles(self.tree(), snapshot, path, limit))
    }

    /// What code at a cursor will need, within about so many tokens: from the
    /// generation that the project holds, without a model.
    pub fn context(&self, cursor: &Cursor, max_tokens: usize) -> Result<CodeContext, EngineError> {
        self.read(|snapshot| lookup::context(self.tree(), snapshot, cursor, max_tokens))
    }

    /// The names of the project that are used in some lines of a file, given
    /// relative to the root, and the definitions that each may mean.
    pub fn used_names(&self, path: &str, lines: Lines) -> Result<Vec<UsedName>, EngineError> {
        self.read(|snapshot| lookup::used_names(self.tree(), snapshot, path, lines))
    }

    /// The most important files of the project, or of a part of it, and what they
    /// define.
    pub fn map(&self, options: &MapOptions) -> Result<ProjectMap, EngineError> {
        self.read(|snapshot| map::project_map(self.tree(), snapshot, options))
    }

    /// What a file defines that the generation has, given relative to the root.
    /// No link is followed to it.
    pub fn outline(&self, path: &str) -> Result<FileOutline, EngineError> {
        self.read(|snapshot| map::indexed_outline(self.tree(), snapshot, path))
    }

    /// The files of a folder, given relative to the root, each with its most
    /// important symbols.
    pub fn folder_outline(
        &self,
        folder: &str,
        symbols: usize,
    ) -> Result<Vec<FileOutline>, EngineError> {
        self.read(|snapshot| Ok(map::folder_outline(self.tree(), snapshot, folder, symbols)))
    }

    /// Answers from the generation that the project holds. A damaged index is
    /// made from scratch first, and the question asked again. At the project's
    /// deadline the answer is an error.
    fn read<T>(
        &self,
        question: impl Fn(&Snapshot) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        self.snapshot()?;
        let repaired: &[&Project] = if self.is_as_is() { &[] } else { &[self] };
        let deadline = self.deadline();
        let is_time = || deadline.check().map_err(IndexError::from);
        is_time()?;
        let healed = || heal::healing(repaired, &Silent, || question(&*self.snapshot()?));
        let answer = deadline.during(healed);
        // What was found by then may lack something.
        is_time()?;
        answer
    }
}
