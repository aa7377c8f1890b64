//! Runs what is kept of fuzzing: the seeds of every target and all inputs that
//! once broke something. An input may end the whole process, so the name of
//! each is written down before it is run.

use scent_fuzz::{TARGETS, Target};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// No input may take longer, on a machine that is loaded and without
/// optimisation. An input that takes long is a finding too.
const LONGEST: Duration = Duration::from_secs(20);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of a folder, in order; none where there is no such folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.is_file());
    files.sort();
    files
}

fn run(target: Target, bytes: &[u8], what: &str) {
    let started = Instant::now();
    assert!(target(bytes), "{what} is of no use to its target");
    assert!(
        started.elapsed() < LONGEST,
        "{what} takes {:?}",
        started.elapsed()
    );
}

#[test]
fn what_was_found_stays_mended() {
    for (name, target) in TARGETS {
        for folder in ["seeds", "findings"] {
            let kept = files(&root().join("fuzz").join(folder).join(name));
            assert!(
                !kept.is_empty() || folder == "findings" || name == "syntax",
                "{name}: no seed"
            );
            for path in kept {
                let what = path.strip_prefix(root()).unwrap().display().to_string();
                // What a test prints is held back, and lost where the process ends.
                let _ = writeln!(std::io::stderr(), "{what}");
                run(target, &fs::read(&path).unwrap(), &what);
            }
        }
    }
    // Where the readers of files have put them.
    let _ =
        fs::remove_dir_all(std::env::temp_dir().join(format!("scent-fuzz-{}", std::process::id())));
}

/// The seeds of `syntax` are the examples of the languages.
#[test]
fn every_example_is_a_seed() {
    for language in scent_syntax::languages() {
        let folder = root()
            .join("crates/syntax/languages")
            .join(language.id)
            .join("examples");
        for path in files(&folder) {
            let bytes = [language.id.as_bytes(), b"\n", &fs::read(&path).unwrap()].concat();
            run(scent_fuzz::syntax, &bytes, &path.display().to_string());
        }
    }
}
