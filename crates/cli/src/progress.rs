//! Progress of indexing and embedding.

use crate::output::{is_watched, one_line, say};
use anyhow::bail;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use scent_engine::{Progress, Stage, catch_interrupts, interrupted, release_interrupts};
use scent_print::{count, size};
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Fewer files than this are done before a bar would appear.
const WORTH_SHOWING: u64 = 100;

/// So many bytes take longer than anybody expects of a search.
const WORTH_A_LINE: u64 = 20_000_000;

/// How progress is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A bar with rate and remaining time.
    Bar,
    /// Lines, where there is no terminal.
    Lines,
    /// One line where much is to be indexed.
    OneLine,
    Nothing,
}

/// Reports progress, and catches signals that end the work.
pub(crate) struct Bar {
    bar: Mutex<Option<ProgressBar>>,
    form: Form,
    /// Suppresses even what the user waits for.
    silent: bool,
    files: Arc<Files>,
}

#[derive(Default)]
struct Files {
    done: AtomicU64,
    all: AtomicU64,
}

impl Bar {
    /// With `lines`, reports more than one line where there is no terminal.
    pub fn new(quiet: bool, lines: bool) -> Bar {
        catch_interrupts();
        let form = match (quiet, is_watched(), lines) {
            (true, ..) => Form::Nothing,
            (_, true, _) => Form::Bar,
            (_, _, true) => Form::Lines,
            _ => Form::OneLine,
        };
        Bar {
            bar: Mutex::new(None),
            form,
            silent: quiet,
            files: Arc::default(),
        }
    }

    /// Ends the progress; an error where a signal came that the work did not stop
    /// for.
    pub fn finish(self) -> anyhow::Result<()> {
        drop(self);
        if interrupted().is_some() {
            bail!("interrupted");
        }
        Ok(())
    }

    fn begin(&self, files: u64, bytes: u64) {
        self.files.all.store(files, Ordering::Relaxed);
        self.files.done.store(0, Ordering::Relaxed);
        let is_long = self.form == Form::OneLine && bytes >= WORTH_A_LINE;
        if self.form == Form::Lines || is_long {
            let files = count(files as usize, "file");
            say(&format!("indexing {files}, {}", size(bytes)));
        } else if self.form == Form::Bar && files >= WORTH_SHOWING {
            let template = "{msg} {files} {wide_bar} {bytes}/{total_bytes} ETA {eta}";
            self.show(bytes, template, "indexing");
        }
    }

    fn begin_embedding(&self, model: &str, units: u64) {
        self.end();
        if self.form == Form::Lines {
            let units = count(units as usize, "unit");
            say(&format!("embedding {units} with {model}"));
        } else if self.form == Form::Bar && units >= WORTH_SHOWING {
            let template = "{msg} {wide_bar} {pos}/{len} {per_sec} ETA {eta}";
            self.show(units, template, &format!("embedding units with {model}"));
        }
    }

    fn show(&self, length: u64, template: &str, message: &str) {
        let target = ProgressDrawTarget::stderr_with_hz(10);
        let bar = ProgressBar::with_draw_target(Some(length), target);
        if let Ok(style) = ProgressStyle::with_template(template) {
            let files = Arc::clone(&self.files);
            bar.set_style(style.with_key(
                "files",
                move |_: &ProgressState, out: &mut dyn Write| {
                    let [done, all] = [&files.done, &files.all].map(|n| n.load(Ordering::Relaxed));
                    let _ = write!(out, "{done}/{all} files");
                },
            ));
        }
        bar.set_message(one_line(message));
        *self.bar.lock().expect("no holder panics") = Some(bar);
    }

    fn forward(&self, amount: u64) {
        if let Some(bar) = self.bar.lock().expect("no holder panics").as_ref() {
            bar.inc(amount);
        }
    }

    fn end(&self) {
        if let Some(bar) = self.bar.lock().expect("no holder panics").take() {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.end();
        release_interrupts();
    }
}

impl Progress for Bar {
    fn stage(&self, stage: Stage) {
        if let Stage::Waiting { holder } = &stage
            && !self.silent
        {
            say(&format!("waiting for {holder} to write the index"));
        }
        match stage {
            Stage::Walking => {}
            Stage::Indexing { files: 0, .. } => {}
            Stage::Indexing { files, bytes } => self.begin(files, bytes),
            Stage::Embedding { model, units } => self.begin_embedding(&model, units),
            Stage::Committing => {
                if let Some(bar) = self.bar.lock().expect("no holder panics").as_ref() {
                    bar.set_message("writing the index");
                }
            }
            Stage::Waiting { .. } => {}
            Stage::Done => self.end(),
        }
    }

    fn file(&self, bytes: u64) {
        let done = self.files.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.form == Form::Lines && done.is_multiple_of(5_000) {
            let all = self.files.all.load(Ordering::Relaxed);
            say(&format!("{done} of {all} files"));
        }
        self.forward(bytes);
    }

    fn units(&self, units: u64) {
        self.forward(units);
    }

    fn is_interrupted(&self) -> bool {
        interrupted().is_some()
    }
}
