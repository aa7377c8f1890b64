//! What is asked after a fault.

use super::answer::{Fresh, Oracle, Verdict, bytes_of, judge, questions, strs};
use super::tally::Findings;
use super::world::{Run, World};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Questions before `scent index`, and after it.
const BEFORE: usize = 4;
const AFTER: usize = 3;

/// Asks some questions in a random order, brings the index up to date, and asks
/// others. All answers have to be those of a fresh index.
pub(super) fn after_fault(
    world: &World,
    oracle: &Oracle,
    state: usize,
    random: &mut fastrand::Rng,
    findings: &mut Findings,
) -> anyhow::Result<()> {
    let fresh = oracle.fresh(world, state)?;
    let mut order: Vec<usize> = (0..fresh.answers.len()).collect();
    random.shuffle(&mut order);
    for &nth in order.iter().take(BEFORE) {
        ask(world, &fresh, nth, findings)?;
    }
    bring_up_to_date(world, findings)?;
    for &nth in order.iter().skip(BEFORE).take(AFTER) {
        ask(world, &fresh, nth, findings)?;
    }
    Ok(())
}

/// Asks one question, and where the answer is not right, once more.
pub(super) fn ask(
    world: &World,
    fresh: &Fresh,
    nth: usize,
    findings: &mut Findings,
) -> anyhow::Result<()> {
    let question = &questions()[nth];
    for attempt in 0..2 {
        let run = world.run(&strs(question))?;
        let verdict = judge(world, &run, &fresh.answers[nth]);
        record(question, &run, verdict, findings);
        if verdict == Verdict::Right {
            return Ok(());
        }
        findings.needs_hand |= attempt > 0;
    }
    findings.see(format!("{question:?} does not become right"));
    Ok(())
}

/// Notes how one run ended.
pub(super) fn record(words: &[String], run: &Run, verdict: Verdict, findings: &mut Findings) {
    findings.panicked |= run.panicked();
    findings.failed |= verdict == Verdict::Failed;
    findings.wrong |= matches!(verdict, Verdict::Wrong | Verdict::Lost);
    findings.lost |= verdict == Verdict::Lost;
    if run.panicked() || !matches!(verdict, Verdict::Right | Verdict::Noted) {
        findings.see(format!("{words:?} is {verdict:?}, {}", run.last_words()));
    }
}

/// Runs `scent index`, and where that fails, once more.
pub(super) fn bring_up_to_date(world: &World, findings: &mut Findings) -> anyhow::Result<()> {
    for attempt in 0..2 {
        let run = world.run(&["index"])?;
        findings.panicked |= run.panicked();
        if run.is_well() {
            return Ok(());
        }
        findings.failed = true;
        findings.needs_hand |= attempt > 0;
        findings.see(format!("scent index: {}", run.last_words()));
    }
    Ok(())
}

/// Lets one more commit happen, which has to sweep what a killed one left, and
/// measures the index after it.
pub(super) fn measure(world: &World) -> anyhow::Result<Measured> {
    world.mark("# Marker\n\nOne more file.\n")?;
    world.run(&["index"])?;
    Ok(Measured::now(world))
}

/// What lies in the folder of indexes.
pub(super) struct Measured {
    bytes: u64,
    files: Vec<PathBuf>,
    kinds: BTreeSet<String>,
}

impl Measured {
    pub fn now(world: &World) -> Measured {
        let files = world.index_files();
        let kinds = files.iter().map(|path| kind_of(path)).collect();
        Measured {
            bytes: bytes_of(&files),
            files,
            kinds,
        }
    }

    /// Counts what is there beyond what an index without any fault would have.
    /// Its segments lie elsewhere, so some room is left.
    pub fn against(&self, undisturbed: &Measured, findings: &mut Findings) {
        self.against_size(undisturbed, findings);
        let odd = |path: &&PathBuf| !undisturbed.kinds.contains(&kind_of(path));
        self.leak(self.files.iter().filter(odd), "of no known kind", findings);
    }

    /// The same without regard to kinds of files.
    pub fn against_size(&self, undisturbed: &Measured, findings: &mut Findings) {
        let bytes = undisturbed.bytes;
        let allowed = bytes + bytes / 4 + 32_768;
        if self.bytes > allowed {
            findings.leaked += self.bytes - allowed;
            findings.see(format!("{} bytes of index in place of {bytes}", self.bytes));
        }
        let unnamed = self.files.iter().filter(|path| !is_named(path));
        self.leak(unnamed, "that meta.json does not name", findings);
    }

    fn leak<'a>(
        &self,
        files: impl Iterator<Item = &'a PathBuf>,
        what: &str,
        findings: &mut Findings,
    ) {
        for path in files {
            // An empty file is a leak, too.
            findings.leaked += path.metadata().map_or(0, |data| data.len()).max(1);
            findings.see(format!("a file {what}: {}", path.display()));
        }
    }
}

/// A name without what is different in every index.
pub(super) fn kind_of(path: &Path) -> String {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    if name.starts_with(".tmp") {
        return ".tmp".to_owned();
    }
    match (segment_of(&name), name.split_once('-')) {
        (Some(_), _) => format!("*.{}", name.rsplit('.').next().unwrap_or_default()),
        (None, Some((kind, _))) => format!("{kind}-"),
        (None, None) => name,
    }
}

/// The id of the segment that a file of the text index belongs to.
fn segment_of(name: &str) -> Option<&str> {
    let (id, _) = name.split_once('.')?;
    let is_id = id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_id.then_some(id)
}

/// Whether the metadata names a file, so far as this can be told.
fn is_named(path: &Path) -> bool {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let Some(id) = segment_of(&name) else {
        return true;
    };
    let Ok(text) = std::fs::read_to_string(path.with_file_name("meta.json")) else {
        return true;
    };
    let Ok(meta) = serde_json::from_str::<serde_json::Value>(&text) else {
        return true;
    };
    let Some(segments) = meta["segments"].as_array() else {
        return true;
    };
    let plain = |text: &str| text.replace('-', "");
    let segment = segments.iter().find(|segment| {
        segment["segment_id"]
            .as_str()
            .is_some_and(|other| plain(other) == id)
    });
    let Some(segment) = segment else { return false };
    match name
        .strip_suffix(".del")
        .and_then(|stem| stem.rsplit('.').next())
    {
        Some(opstamp) => segment["deletes"]["opstamp"].as_u64() == opstamp.parse().ok(),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_files() {
        let cases = [
            ("files-12", "files-"),
            ("turn-ranks", "turn-"),
            ("meta.json", "meta.json"),
            (".tmpx8Fq1z", ".tmp"),
            ("8d43b337bc6c4d57b7e4535e3d551671.term", "*.term"),
            ("8d43b337bc6c4d57b7e4535e3d551671.208.del", "*.del"),
        ];
        for (name, kind) in cases {
            assert_eq!(kind_of(Path::new(name)), kind);
        }
    }

    #[test]
    fn files_that_the_metadata_does_not_name() {
        let folder = tempfile::tempdir().unwrap();
        let meta = r#"{"segments": [{"segment_id": "8d43b337-bc6c-4d57-b7e4-535e3d551671",
            "deletes": {"num_deleted_docs": 2, "opstamp": 208}}]}"#;
        std::fs::write(folder.path().join("meta.json"), meta).unwrap();
        let cases = [
            ("files-12", true),
            ("8d43b337bc6c4d57b7e4535e3d551671.term", true),
            ("8d43b337bc6c4d57b7e4535e3d551671.208.del", true),
            ("8d43b337bc6c4d57b7e4535e3d551671.209.del", false),
            ("0d43b337bc6c4d57b7e4535e3d551671.term", false),
        ];
        for (name, want) in cases {
            assert_eq!(is_named(&folder.path().join(name)), want, "{name}");
        }
    }
}
