//! Progress of indexing and embedding.

use crate::output::{is_watched, one_line, say};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use scent_engine::{Progress, Stage};
use scent_print::{count, size};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Fewer files than this are done before a bar would appear.
const WORTH_SHOWING: u64 = 100;

/// A bar with rate and remaining time on a terminal, plain lines elsewhere.
pub(crate) struct Bar {
    bar: Mutex<Option<ProgressBar>>,
    plain: bool,
    quiet: bool,
    /// Suppresses even what the user waits for.
    silent: bool,
    done: AtomicU64,
    files: AtomicU64,
}

impl Bar {
    /// With `lines`, reports progress also where there is no terminal.
    pub fn new(quiet: bool, lines: bool) -> Bar {
        let terminal = is_watched();
        Bar {
            bar: Mutex::new(None),
            plain: !terminal && lines,
            quiet: quiet || (!terminal && !lines),
            silent: quiet,
            done: AtomicU64::new(0),
            files: AtomicU64::new(0),
        }
    }

    fn begin(&self, files: u64, bytes: u64) {
        self.files.store(files, Ordering::Relaxed);
        if self.plain {
            let files = count(files as usize, "file");
            say(&format!("indexing {files}, {}", size(bytes)));
        } else if files >= WORTH_SHOWING {
            let template = "{msg} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec} ETA {eta}";
            self.show(bytes, template, &format!("indexing {files} files"));
        }
    }

    fn begin_embedding(&self, model: &str, units: u64) {
        self.end();
        if self.plain {
            let units = count(units as usize, "unit");
            say(&format!("embedding {units} with {model}"));
        } else if units >= WORTH_SHOWING {
            let template = "{msg} {wide_bar} {pos}/{len} {per_sec} ETA {eta}";
            self.show(units, template, &format!("embedding units with {model}"));
        }
    }

    fn show(&self, length: u64, template: &str, message: &str) {
        let target = ProgressDrawTarget::stderr_with_hz(10);
        let bar = ProgressBar::with_draw_target(Some(length), target);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
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

impl Progress for Bar {
    fn stage(&self, stage: Stage) {
        if let Stage::Waiting { holder } = &stage
            && !self.silent
        {
            say(&format!("waiting for {holder} to write the index"));
        }
        if self.quiet {
            return;
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
        if self.quiet {
            return;
        }
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let files = self.files.load(Ordering::Relaxed);
        if self.plain && done.is_multiple_of(5_000) {
            say(&format!("{done} of {files} files"));
        }
        self.forward(bytes);
    }

    fn units(&self, units: u64) {
        if !self.quiet {
            self.forward(units);
        }
    }
}
