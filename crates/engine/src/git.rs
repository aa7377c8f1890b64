//! The one place that starts git.
//!
//! A repository's own configuration can name programs for git to run: whenever
//! it looks at the work tree, fetches what is missing, shows something, or
//! checks a signature. So git is never asked for any of that. It says which
//! files a commit has, and hands out their contents as they are stored; the
//! work tree is for the caller to read.

mod object_id;

pub(crate) use object_id::blob_id;

use crate::small_file::read_small;
use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// A git that takes longer is stopped.
const PATIENCE: Duration = Duration::from_secs(30);

/// A longer list of files is not taken, in bytes.
const LONGEST_LIST: u64 = 1 << 30;

/// Larger contents are not compared, in bytes.
const LARGEST_BLOB: u64 = 64 << 20;

/// So much of what git says when it fails is kept, in bytes.
const LONGEST_COMPLAINT: u64 = 4 << 10;

/// What of the environment is for git and says neither which repository is
/// used nor what to run: where the user's own settings are, and where to look.
const KEPT: [&str; 4] = [
    "GIT_CONFIG",
    "GIT_EXEC_PATH",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
];

/// Settings that count before those of the repository.
const SETTINGS: [&str; 9] = [
    "protocol.allow=never",
    "safe.bareRepository=explicit",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.askPass=",
    "credential.helper=",
    "core.alternateRefsCommand=",
    "log.showSignature=false",
    "core.quotePath=false",
];

/// The same in the environment.
const ENVIRONMENT: [(&str, &str); 6] = [
    ("GIT_ALLOW_PROTOCOL", ""),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_PAGER", "cat"),
    ("LC_ALL", "C"),
];

/// Files of a repository that git reads to their end before it does anything,
/// and how large each may be, in bytes.
const READ_FIRST: [(&str, u64); 7] = [
    ("HEAD", 1 << 20),
    ("config", 1 << 20),
    ("commondir", 1 << 20),
    ("shallow", 64 << 20),
    ("packed-refs", 256 << 20),
    ("info/grafts", 64 << 20),
    ("objects/info/alternates", 1 << 20),
];

/// Refuses a repository in which a pipe or a device is in the place of a file
/// that git would wait for, or fill the memory with.
fn check_repository(folder: &Path) -> Result<(), String> {
    let own = folder
        .ancestors()
        .map(|above| above.join(".git"))
        .find(|git| git.exists());
    let Some(own) = own else { return Ok(()) };
    let mut folders = vec![own];
    if let Ok(text) = read_small(&folders[0])
        && let Some(elsewhere) = text.trim().strip_prefix("gitdir:")
    {
        folders[0] = folders[0].with_file_name("").join(elsewhere.trim());
    }
    if let Ok(text) = read_small(&folders[0].join("commondir")) {
        folders.push(folders[0].join(text.trim()));
    }
    for folder in folders {
        for (name, most) in READ_FIRST {
            let path = folder.join(name);
            let Ok(data) = std::fs::metadata(&path) else {
                continue;
            };
            if !data.is_file() || data.len() > most {
                return Err(format!("{}: not a file that git can read", path.display()));
            }
        }
    }
    Ok(())
}

/// What a commit has at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// A file, or a link, by the id of its contents.
    Blob(String),
    /// Another repository.
    Submodule,
}

/// What a commit has below a folder, by the bytes of paths relative to it.
pub(crate) type Tree = HashMap<Vec<u8>, Entry>;

/// The contents of a file in a commit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Contents {
    Bytes(Vec<u8>),
    /// There are too many.
    TooLarge,
    /// The repository is not complete.
    Missing,
}

/// What a commit has below a folder, or why that is not known.
pub(crate) fn tree_of(folder: &Path, commit: &str) -> Result<Tree, String> {
    check_repository(folder)?;
    if commit.starts_with('-') {
        return Err("not the name of a commit".to_owned());
    }
    let name = format!("{commit}^{{commit}}");
    let mut git = Git::start(
        folder,
        &["rev-parse", "--verify", "--end-of-options", &name],
        None,
    )?;
    let said = git.all()?;
    git.finish()?;
    let id = String::from_utf8_lossy(&said).trim().to_owned();
    if !is_id(&id) {
        return Err("not the name of a commit".to_owned());
    }
    // Without `--full-tree`, what is below the folder, relative to it.
    let mut git = Git::start(folder, &["ls-tree", "-r", "-z", &id], None)?;
    let listed = git.all()?;
    git.finish()?;
    Ok(listed.split(|byte| *byte == 0).filter_map(entry).collect())
}

/// The path and the entry of `100644 blob ID<tab>PATH`.
fn entry(line: &[u8]) -> Option<(Vec<u8>, Entry)> {
    let tab = memchr::memchr(b'\t', line)?;
    let (about, path) = (std::str::from_utf8(&line[..tab]).ok()?, &line[tab + 1..]);
    let mut words = about.split(' ').skip(1);
    let entry = match (words.next()?, words.next()?) {
        ("blob", id) => Entry::Blob(id.to_owned()),
        ("commit", _) => Entry::Submodule,
        _ => return None,
    };
    Some((path.to_owned(), entry))
}

fn is_id(text: &str) -> bool {
    [40, 64].contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Hands out the contents of blobs, in order of the ids.
pub(crate) fn contents(
    folder: &Path,
    ids: &[&str],
    mut each: impl FnMut(usize, Contents),
) -> Result<(), String> {
    if ids.is_empty() {
        return Ok(());
    }
    let asked: String = ids.iter().flat_map(|id| [*id, "\n"]).collect();
    let mut git = Git::start(folder, &["cat-file", "--batch", "--buffer"], Some(asked))?;
    for nth in 0..ids.len() {
        match git.blob() {
            Ok(contents) => each(nth, contents),
            Err(error) => return Err(git.failed(&error)),
        }
    }
    git.finish()
}

/// A git that runs.
struct Git {
    child: Child,
    output: BufReader<Output>,
    complaint: Receiver<String>,
    until: Instant,
}

impl Git {
    /// Starts git for a folder, and gives it something to read.
    fn start(folder: &Path, args: &[&str], input: Option<String>) -> Result<Git, String> {
        let until = Instant::now() + PATIENCE;
        let mut command = command(folder, args);
        command.stdin(if input.is_some() {
            Stdio::piped()
        } else {
            Stdio::null()
        });
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .map_err(|error| format!("git cannot be run: {error}"))?;
        if let (Some(mut to), Some(input)) = (child.stdin.take(), input) {
            // One that stops reading says why where it complains.
            thread::spawn(move || to.write_all(input.as_bytes()));
        }
        let output = Output::of(child.stdout.take().expect("it is piped"), until);
        let complaint = complaint(child.stderr.take().expect("it is piped"));
        Ok(Git {
            child,
            output: BufReader::new(output),
            complaint,
            until,
        })
    }

    /// All that it writes.
    fn all(&mut self) -> Result<Vec<u8>, String> {
        let mut all = Vec::new();
        let read = (&mut self.output)
            .take(LONGEST_LIST + 1)
            .read_to_end(&mut all);
        match read {
            Ok(_) if all.len() as u64 > LONGEST_LIST => Err("too many files".to_owned()),
            Ok(_) => Ok(all),
            Err(error) => Err(self.failed(&error)),
        }
    }

    /// The next contents that it writes: `ID blob SIZE`, and so many bytes.
    fn blob(&mut self) -> io::Result<Contents> {
        let mut about = Vec::new();
        (&mut self.output).take(256).read_until(b'\n', &mut about)?;
        let about = String::from_utf8_lossy(&about);
        let mut words = about.split_whitespace().skip(1);
        let size = match (words.next(), words.next().map(str::parse::<u64>)) {
            (Some("missing"), _) => return Ok(Contents::Missing),
            (Some("blob"), Some(Ok(size))) => size,
            _ => return Err(io::ErrorKind::UnexpectedEof.into()),
        };
        // A line end follows.
        let mut rest = (&mut self.output).take(size + 1);
        if size > LARGEST_BLOB {
            io::copy(&mut rest, &mut io::sink())?;
            return Ok(Contents::TooLarge);
        }
        let mut bytes = Vec::with_capacity(size as usize + 1);
        rest.read_to_end(&mut bytes)?;
        if bytes.pop().is_none() || bytes.len() as u64 != size {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(Contents::Bytes(bytes))
    }

    /// Waits until it ends, and says why where it failed.
    fn finish(mut self) -> Result<(), String> {
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(()),
                Ok(Some(_)) => return Err(self.complaint()),
                Ok(None) if Instant::now() < self.until => thread::sleep(Duration::from_millis(1)),
                Ok(None) => return Err(too_slow()),
                Err(error) => return Err(error.to_string()),
            }
        }
    }

    /// Why its output ended too early.
    fn failed(&self, error: &io::Error) -> String {
        match error.kind() {
            io::ErrorKind::TimedOut => too_slow(),
            _ => self.complaint(),
        }
    }

    /// The first line of what it complained about, in words that help.
    fn complaint(&self) -> String {
        let said = self
            .complaint
            .recv_timeout(Duration::from_secs(1))
            .unwrap_or_default();
        let first = said
            .lines()
            .next()
            .unwrap_or("git failed")
            .trim_start_matches("fatal: ");
        if first.contains("dubious ownership") {
            return "the repository belongs to another user, so git does not read it; \
                    `git config --global --add safe.directory FOLDER` allows it to"
                .to_owned();
        }
        if first.contains("Needed a single revision") {
            return "there is no such commit".to_owned();
        }
        first.to_owned()
    }
}

impl Drop for Git {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn too_slow() -> String {
    format!("git took more than {} seconds", PATIENCE.as_secs())
}

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("git");
    let is_kept = |name: &str| KEPT.iter().any(|kept| name.starts_with(kept));
    let goes = |name: &str| name.starts_with("GIT_") && !is_kept(name) || name == "SSH_ASKPASS";
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(goes) {
            command.env_remove(name);
        }
    }
    command.envs(ENVIRONMENT).arg("-C").arg(folder);
    command.args(["--no-pager", "--no-replace-objects", "--literal-pathspecs"]);
    SETTINGS.iter().for_each(|setting| {
        command.args(["-c", setting]);
    });
    command.args(args);
    command
}

/// What git writes, as long as it does not take too long. It is read on a thread
/// of its own, since a pipe cannot be read with a time limit.
struct Output {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: io::Cursor<Vec<u8>>,
    until: Instant,
}

impl Output {
    fn of(mut from: impl Read + Send + 'static, until: Instant) -> Output {
        let (sender, pieces) = sync_channel(8);
        thread::spawn(move || {
            loop {
                let mut piece = vec![0; 128 << 10];
                let read = from.read(&mut piece).map(|read| {
                    piece.truncate(read);
                    piece
                });
                let ends = read.as_ref().map_or(true, Vec::is_empty);
                if sender.send(read).is_err() || ends {
                    return;
                }
            }
        });
        Output {
            pieces,
            piece: io::Cursor::default(),
            until,
        }
    }
}

impl Read for Output {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.piece.position() as usize == self.piece.get_ref().len() {
            let left = self.until.saturating_duration_since(Instant::now());
            self.piece = io::Cursor::new(match self.pieces.recv_timeout(left) {
                Ok(piece) => piece?,
                Err(RecvTimeoutError::Timeout) => return Err(io::ErrorKind::TimedOut.into()),
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            });
        }
        self.piece.read(buffer)
    }
}

/// The beginning of what git complains about, once it is done with that.
fn complaint(mut from: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, complaint) = sync_channel(1);
    thread::spawn(move || {
        let mut said = Vec::new();
        let _ = (&mut from).take(LONGEST_COMPLAINT).read_to_end(&mut said);
        let _ = sender.send(String::from_utf8_lossy(&said).into_owned());
        // The rest has to go somewhere, or git waits for somebody to read it.
        let _ = io::copy(&mut from, &mut io::sink());
    });
    complaint
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_tree_are_entries() {
        let id = "a".repeat(40);
        for (line, want) in [
            (
                format!("100644 blob {id}\ta b\n\"c\".rs"),
                Some(Entry::Blob(id.clone())),
            ),
            (
                format!("120000 blob {id}\tlink"),
                Some(Entry::Blob(id.clone())),
            ),
            (format!("160000 commit {id}\tsub"), Some(Entry::Submodule)),
            (String::new(), None),
            ("100644 blob".to_owned(), None),
        ] {
            let path = line
                .split_once('\t')
                .map(|(_, path)| path.as_bytes().to_owned());
            assert_eq!(entry(line.as_bytes()), path.zip(want), "{line}");
        }
    }
}
