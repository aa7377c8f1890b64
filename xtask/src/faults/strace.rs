//! Kills placed at a system call, by strace.
//!
//! An undisturbed run is recorded first. Each of its calls that change something
//! is then a place for a kill: the n-th call of that name by one thread, or, where
//! the call is about a file whose name is the same in every run, the n-th call
//! about that file, which singles out one thread among several.

use super::system;
use super::world::{Run, World, finish, start};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::process::Command;

/// Calls that change files, or that say that a change is done.
const CALLS: [&str; 15] = [
    "openat",
    "write",
    "pwrite64",
    "writev",
    "fsync",
    "fdatasync",
    "rename",
    "renameat",
    "renameat2",
    "unlink",
    "unlinkat",
    "ftruncate",
    "mkdir",
    "mkdirat",
    "flock",
];

/// A place in a run.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Place {
    call: String,
    nth: usize,
    /// Only calls about this file count.
    path: Option<String>,
}

pub(super) fn is_there() -> bool {
    cfg!(target_os = "linux") && system::has_program("strace")
}

/// Runs the program, and kills it at a place. The run may end before it gets
/// there.
pub(super) fn run_until(world: &World, args: &[&str], place: &Place) -> anyhow::Result<Run> {
    let Place { call, nth, path } = place;
    let mut command = strace(world);
    if let Some(path) = path {
        command.args(["-P", path]);
    }
    command.args(["-e", &format!("trace={call}")]);
    command.args(["-e", &format!("inject={call}:signal=SIGKILL:when={nth}")]);
    command
        .args(["-o", "/dev/null"])
        .arg(&world.binary)
        .args(args);
    finish(start(command)?)
}

fn strace(world: &World) -> Command {
    let mut command = Command::new("strace");
    world.prepare(&mut command);
    command.args(["-f", "-qq"]);
    command
}

/// Every place of an undisturbed run, in order.
pub(super) struct Recording {
    lines: Vec<Line>,
}

/// One recorded call.
struct Line {
    thread: String,
    call: String,
    /// Files of the index that it is about.
    paths: Vec<String>,
    changes: bool,
}

pub(super) fn record(world: &World, args: &[&str]) -> anyhow::Result<Recording> {
    let file = world.beside("recording");
    let mut command = strace(world);
    command.args(["-y", "-s", "0", "-e", &format!("trace={}", CALLS.join(","))]);
    command.arg("-o").arg(&file).arg(&world.binary).args(args);
    let run = finish(start(command)?)?;
    anyhow::ensure!(run.is_well(), "{args:?} under strace: {}", run.last_words());
    let text = String::from_utf8_lossy(&std::fs::read(&file)?).into_owned();
    Ok(Recording {
        lines: text
            .lines()
            .filter_map(|line| parse(line, &world.data))
            .collect(),
    })
}

/// `PID call(arguments) = result`; the rest of an interrupted call counts as
/// none.
fn parse(line: &str, data: &Path) -> Option<Line> {
    let (thread, rest) = line.split_once(' ')?;
    let (call, arguments) = rest.trim_start().split_once('(')?;
    if !CALLS.contains(&call) {
        return None;
    }
    let opens_to_read = call == "openat" && arguments.contains("O_RDONLY");
    let data = data.to_string_lossy();
    let quoted = arguments.split(['"', '<', '>']);
    let mut paths: Vec<String> = Vec::new();
    // A call that opens a file names it twice.
    for path in quoted.filter(|text| text.starts_with(&*data)) {
        if !paths.iter().any(|known| known == path) {
            paths.push(path.to_owned());
        }
    }
    Some(Line {
        thread: thread.into(),
        call: call.into(),
        paths,
        changes: !opens_to_read,
    })
}

impl Recording {
    /// The places of calls that change something. Names count as the same in
    /// every run that another recording has, too.
    pub fn places(&self, other: &Recording) -> Vec<Place> {
        let stable: HashSet<&String> = other.lines.iter().flat_map(|line| &line.paths).collect();
        let mut seen: HashMap<(&str, &str, Option<&str>), usize> = HashMap::new();
        let mut known = BTreeSet::new();
        let mut places = Vec::new();
        for line in &self.lines {
            let path = line.paths.iter().rev().find(|path| stable.contains(path));
            let all = std::iter::once(None).chain(line.paths.iter().map(|path| Some(&**path)));
            for about in all {
                *seen.entry((&line.thread, &line.call, about)).or_default() += 1;
            }
            let about = path.map(|path| &**path);
            let nth = seen[&(&*line.thread, &*line.call, about)];
            if line.changes && known.insert((line.call.clone(), nth, about)) {
                let path = about.map(str::to_owned);
                places.push(Place {
                    call: line.call.clone(),
                    nth,
                    path,
                });
            }
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recording(text: &str) -> Recording {
        let lines = text
            .lines()
            .filter_map(|line| parse(line, Path::new("/data")))
            .collect();
        Recording { lines }
    }

    #[test]
    fn places_single_out_calls() {
        let text = |random: &str| {
            format!(
                "7 openat(AT_FDCWD</x>, \"/src/a.rs\", O_RDONLY|O_CLOEXEC) = 3</src/a.rs>\n\
                 7 openat(AT_FDCWD</x>, \"/data/i/lock\", O_RDWR|O_CREAT) = 3</data/i/lock>\n\
                 8 openat(AT_FDCWD</x>, \"/data/i/{random}\", O_RDWR) = 4</data/i/{random}>\n\
                 8 write(4</data/i/{random}>, \"\"..., 24 <unfinished ...>\n\
                 7 fsync(3</data/i/lock>)      = 0\n\
                 8 <... write resumed>) = 24\n\
                 8 renameat(AT_FDCWD</x>, \"/data/i/{random}\", AT_FDCWD</x>, \"/data/i/m\") = 0\n\
                 7 write(1</dev/null>, \"\"..., 9) = 9\n"
            )
        };
        let places = recording(&text(".tmpA")).places(&recording(&text(".tmpB")));
        let place = |call: &str, nth: usize, path: Option<&str>| Place {
            call: call.into(),
            nth,
            path: path.map(str::to_owned),
        };
        let want = [
            place("openat", 1, Some("/data/i/lock")),
            place("openat", 1, None),
            place("write", 1, None),
            place("fsync", 1, Some("/data/i/lock")),
            place("renameat", 1, Some("/data/i/m")),
        ];
        assert_eq!(places, want);
    }
}
