//! How far a run is.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use scent_eval::run::Watch;
use std::io::IsTerminal;

/// A bar on a terminal, a line a repository elsewhere.
pub(crate) struct Bar {
    bar: ProgressBar,
    plain: bool,
}

impl Bar {
    pub fn new(questions: usize, quiet: bool) -> Bar {
        let terminal = std::io::stderr().is_terminal();
        let target = if terminal && !quiet {
            ProgressDrawTarget::stderr_with_hz(10)
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(questions as u64), target);
        let template = "{msg:40} {wide_bar} {pos}/{len} ETA {eta}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Bar {
            bar,
            plain: !terminal && !quiet,
        }
    }

    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

impl Watch for Bar {
    fn begin(&self, system: &str, corpus: &str, questions: usize) {
        self.bar.set_message(format!("{system} {corpus}"));
        if self.plain {
            let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
            eprintln!("{done}/{all} {system}: {corpus}, {questions} questions");
        }
    }

    fn asked(&self, questions: usize) {
        self.bar.inc(questions as u64);
    }

    fn note(&self, text: &str) {
        self.bar.suspend(|| eprintln!("scent-eval: {text}"));
    }
}
