//! A project, a place for its index, and the program run in it.

use super::repository;
use super::system;
use anyhow::Context;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime};
use tempfile::TempDir;

/// A run that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// A folder with a project, a home and a place for indexes.
pub(super) struct World {
    pub root: PathBuf,
    pub data: PathBuf,
    pub binary: PathBuf,
    pub seed: u64,
    /// Whether updates publish as often as they can.
    pub in_slices: bool,
    home: PathBuf,
    user: Option<u32>,
    folder: TempDir,
}

/// How a run ended.
#[derive(Debug)]
pub(super) struct Run {
    /// None where a signal ended it.
    pub code: Option<i32>,
    pub killed: bool,
    pub hangs: bool,
    pub out: String,
    pub err: String,
}

impl Run {
    /// Whether it ended as a run that found something, or nothing, does.
    pub fn is_well(&self) -> bool {
        matches!(self.code, Some(0 | 1))
    }

    pub fn panicked(&self) -> bool {
        self.err.contains("panicked at") || self.out.contains("panicked at")
    }

    /// The last line that it said, for a report.
    pub fn last_words(&self) -> String {
        let said = self.err.lines().rev().find(|line| !line.trim().is_empty());
        let ended = match (self.hangs, self.code) {
            (true, _) => "hangs".to_owned(),
            (_, Some(code)) => format!("exit {code}"),
            (_, None) => "ended by a signal".to_owned(),
        };
        format!("{ended}: {}", said.unwrap_or("nothing on stderr"))
    }
}

/// A file tree as it was, with times.
pub(super) struct Copy {
    root: PathBuf,
    data: PathBuf,
}

impl World {
    /// An empty one. With a user, the program runs as that user.
    pub fn new(binary: &Path, seed: u64, user: Option<u32>) -> anyhow::Result<World> {
        let folder = tempfile::Builder::new().prefix("scent-faults-").tempdir()?;
        let base = folder.path().canonicalize()?;
        system::set_mode(&base, 0o755)?;
        let [root, data, home] = ["project", "data", "home"].map(|name| base.join(name));
        let binary = binary.to_owned();
        let world = World {
            root,
            data,
            binary,
            seed,
            in_slices: false,
            home,
            user,
            folder,
        };
        for folder in [&world.root, &world.home, &world.data] {
            world.make_folder(folder)?;
        }
        fs::create_dir(world.root.join(".git"))?;
        fs::write(world.root.join(".git/HEAD"), "ref: refs/heads/main\n")?;
        Ok(world)
    }

    /// A folder that the program may write to.
    pub fn make_folder(&self, path: &Path) -> anyhow::Result<()> {
        fs::create_dir_all(path).with_context(|| path.display().to_string())?;
        self.give(path)
    }

    fn give(&self, path: &Path) -> anyhow::Result<()> {
        self.user
            .map_or(Ok(()), |user| system::give_to(path, user))?;
        Ok(())
    }

    /// A path beside project and data.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.data.with_file_name(name)
    }

    /// Edits the project until it has the files of a state.
    pub fn go_to(&self, state: usize) -> anyhow::Result<()> {
        let files = repository::files(self.seed, state);
        for path in listed(&self.root) {
            let inside = path
                .strip_prefix(&self.root)?
                .to_string_lossy()
                .replace('\\', "/");
            if !inside.starts_with(".git/") && !files.contains_key(&inside) {
                fs::remove_file(&path)?;
            }
        }
        for (inside, text) in files {
            let path = self.root.join(inside);
            if fs::read(&path).ok().as_deref() == Some(text.as_bytes()) {
                continue;
            }
            fs::create_dir_all(path.parent().context("lies in the project")?)?;
            fs::write(path, text)?;
        }
        Ok(())
    }

    /// Writes one more file, which no state has.
    pub fn mark(&self, text: &str) -> anyhow::Result<()> {
        Ok(fs::write(self.root.join("marker.md"), text)?)
    }

    /// The program in the project, with nothing of the user who runs this.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        self.prepare(&mut command);
        command.args(args);
        command
    }

    /// Lets a command, which may wrap the program, run in the project.
    pub fn prepare(&self, command: &mut Command) {
        let foreign = |name: &String| name.starts_with("SCENT_") || name.starts_with("XDG_");
        for (name, _) in std::env::vars().filter(|(name, _)| foreign(name)) {
            command.env_remove(name);
        }
        for home in ["HOME", "USERPROFILE", "LOCALAPPDATA", "APPDATA"] {
            command.env(home, &self.home);
        }
        command
            .env("SCENT_DATA_DIR", &self.data)
            .env("NO_COLOR", "1")
            .current_dir(&self.root);
        if self.in_slices {
            command.env("SCENT_INDEX_COMMIT_EVERY", "0");
        }
        if let Some(user) = self.user {
            system::run_as(command, user);
        }
    }

    pub fn run(&self, args: &[&str]) -> anyhow::Result<Run> {
        self.run_in(&self.data, args)
    }

    /// Runs with an index in another place.
    pub fn run_in(&self, data: &Path, args: &[&str]) -> anyhow::Result<Run> {
        let mut command = self.command(args);
        command.env("SCENT_DATA_DIR", data);
        finish(start(command)?)
    }

    /// A run that has to succeed: whatever is attacked needs it first.
    pub fn must(&self, args: &[&str]) -> anyhow::Result<()> {
        let run = self.run(args)?;
        anyhow::ensure!(
            run.is_well(),
            "scent {args:?} without any fault: {}",
            run.last_words()
        );
        Ok(())
    }

    /// Keeps project and data as they are now.
    pub fn keep(&self, name: &str) -> anyhow::Result<Copy> {
        let [root, data] = ["root", "data"].map(|part| self.beside(&format!("{name}-{part}")));
        for (from, to) in [(&self.root, &root), (&self.data, &data)] {
            replace(from, to, None)?;
        }
        Ok(Copy { root, data })
    }

    /// Makes project and data what they were.
    pub fn restore(&self, copy: &Copy) -> anyhow::Result<()> {
        replace(&copy.root, &self.root, None)?;
        replace(&copy.data, &self.data, self.user)
    }

    /// Every file of the index, the folder of indexes included.
    pub fn index_files(&self) -> Vec<PathBuf> {
        listed(&self.data)
    }

    /// Whether the program runs as another user.
    pub fn has_user(&self) -> bool {
        self.user.is_some()
    }

    /// Whether the program can be run as the user of this world.
    pub fn works(&self) -> bool {
        self.run(&["--version"])
            .is_ok_and(|run| run.code == Some(0))
    }

    /// Removes all indexes.
    pub fn forget(&self) -> anyhow::Result<()> {
        remove(&self.data)?;
        self.make_folder(&self.data)
    }
}

impl Copy {
    /// The file that a file of the world's index was then.
    pub fn data_file(&self, world: &World, path: &Path) -> Option<PathBuf> {
        let then = self.data.join(path.strip_prefix(&world.data).ok()?);
        then.is_file().then_some(then)
    }

    /// Every file that the index had then.
    pub fn data_files(&self) -> Vec<PathBuf> {
        listed(&self.data)
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // What was made unreadable is not in the way of its removal.
        let _ = remove(self.folder.path());
    }
}

/// A process, and threads that take what it says.
pub(super) struct Started {
    child: Child,
    out: std::thread::JoinHandle<String>,
    err: std::thread::JoinHandle<String>,
}

impl Started {
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }
}

pub(super) fn start(mut command: Command) -> anyhow::Result<Started> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let what = command.get_program().to_owned();
    let mut child = command
        .spawn()
        .with_context(|| what.display().to_string())?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    Ok(Started {
        child,
        out: std::thread::spawn(move || read(out)),
        err: std::thread::spawn(move || read(err)),
    })
}

fn read(from: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    // What came before an error is all there is.
    let _ = from.map(|mut from| from.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Waits for the end of a process.
pub(super) fn finish(started: Started) -> anyhow::Result<Run> {
    finish_unless(started, || false)
}

/// Waits for the end of a process, or kills it as soon as somebody says so.
pub(super) fn finish_unless(
    mut started: Started,
    mut kill: impl FnMut() -> bool,
) -> anyhow::Result<Run> {
    let began = Instant::now();
    let mut hangs = false;
    let mut nap = Duration::from_micros(50);
    let status: ExitStatus = loop {
        if let Some(status) = started.child.try_wait()? {
            break status;
        }
        hangs = began.elapsed() > PATIENCE;
        if hangs || kill() {
            started.child.kill()?;
            break started.child.wait()?;
        }
        std::thread::sleep(nap);
        nap = (nap * 5 / 4).min(Duration::from_millis(2));
    };
    let text = |thread: std::thread::JoinHandle<String>| thread.join().unwrap_or_default();
    let killed = system::was_killed(status);
    let (out, err) = (text(started.out), text(started.err));
    Ok(Run {
        code: status.code(),
        killed,
        hangs,
        out,
        err,
    })
}

/// Every file below a folder, sorted.
pub(super) fn listed(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                true => folders.push(entry.path()),
                false => files.push(entry.path()),
            }
        }
    }
    files.sort();
    files
}

/// Makes one folder a copy of another, times included.
fn replace(from: &Path, to: &Path, user: Option<u32>) -> anyhow::Result<()> {
    remove(to)?;
    copy(from, to, user)
}

/// Removes what is below a path, whatever it is, and the path.
pub(super) fn remove(path: &Path) -> anyhow::Result<()> {
    let Ok(data) = fs::symlink_metadata(path) else {
        return Ok(());
    };
    if !data.is_dir() {
        return fs::remove_file(path).with_context(|| path.display().to_string());
    }
    system::set_mode(path, 0o755)?;
    for entry in fs::read_dir(path)?.flatten() {
        remove(&entry.path())?;
    }
    fs::remove_dir(path).with_context(|| path.display().to_string())
}

fn copy(from: &Path, to: &Path, user: Option<u32>) -> anyhow::Result<()> {
    let data = fs::metadata(from).with_context(|| from.display().to_string())?;
    if data.is_dir() {
        fs::create_dir(to).with_context(|| to.display().to_string())?;
        for entry in fs::read_dir(from)?.flatten() {
            copy(&entry.path(), &to.join(entry.file_name()), user)?;
        }
    } else {
        fs::copy(from, to)?;
        set_modified(to, data.modified()?)?;
    }
    user.map_or(Ok(()), |user| system::give_to(to, user))?;
    Ok(())
}

/// Says when a file was last changed.
pub(super) fn set_modified(path: &Path, time: SystemTime) -> anyhow::Result<()> {
    let file = fs::File::options().append(true).open(path)?;
    Ok(file.set_modified(time)?)
}
