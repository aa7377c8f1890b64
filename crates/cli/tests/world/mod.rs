//! A project to run the binary in, and how a run ended.
#![allow(dead_code, unused_imports)]

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant, SystemTime};
use tempfile::TempDir;

pub const RETRY_RS: &str = "\
//! Waiting between attempts.

/// How long to wait before the next attempt.
pub fn retry_delay(attempt: u32) -> u64 {
    let base = 100;
    base << attempt
}

pub struct RetryPolicy {
    pub max: u32,
}

impl RetryPolicy {
    pub fn next(&self) -> u64 {
        retry_delay(self.max)
    }
}
";

pub const CLIENT_PY: &str = "\
class Client:
    \"\"\"Sends requests, and sends them again.\"\"\"

    def send(self, request):
        return self.retry(request)

    def retry(self, request):
        for attempt in range(3):
            wait(attempt)
";

pub const GUIDE_MD: &str = "\
# Guide

How to use the client.

## Retry

A request that failed is sent again after a delay.

## Limits

There are none.
";

pub const APP_TOML: &str = "[retry]\ndelay = \"100ms\"\nmax = 3\n\n[log]\nlevel = \"info\"\n";

pub const APP_TS: &str = "export function retryRequest(url: string): number {\n  return 1;\n}\n";

pub const SAMPLE: [(&str, &str); 6] = [
    (".git/HEAD", "ref: refs/heads/main\n"),
    ("src/retry.rs", RETRY_RS),
    ("src/client.py", CLIENT_PY),
    ("web/app.ts", APP_TS),
    ("docs/guide.md", GUIDE_MD),
    ("config/app.toml", APP_TOML),
];

/// A folder with a project, a home and a place for indexes.
pub struct World {
    pub root: PathBuf,
    pub data: PathBuf,
    pub home: PathBuf,
    _dir: TempDir,
}

/// How a run ended.
#[derive(Debug, PartialEq)]
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl World {
    pub fn new(files: &[(&str, &str)]) -> World {
        let dir = TempDir::new().unwrap();
        let base = dir.path().canonicalize().unwrap();
        let [root, data, home] = ["project", "data", "home"].map(|name| base.join(name));
        let world = World {
            root,
            data,
            home,
            _dir: dir,
        };
        fs::create_dir_all(&world.root).unwrap();
        fs::create_dir_all(&world.home).unwrap();
        files
            .iter()
            .for_each(|(path, text)| world.write(path, text));
        world
    }

    pub fn sample() -> World {
        World::new(&SAMPLE)
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The user's own settings.
    pub fn write_user_settings(&self, text: &str) {
        let folder = self.home.join(if cfg!(windows) {
            "scent"
        } else {
            ".config/scent"
        });
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("config.toml"), text).unwrap();
    }

    /// The program in the project, with nothing of the user who runs the test.
    pub fn process(&self) -> std::process::Command {
        let mut process = std::process::Command::new(env!("CARGO_BIN_EXE_scent"));
        let foreign = |name: &String| name.starts_with("SCENT_") || name.starts_with("XDG_");
        for (name, _) in std::env::vars().filter(|(name, _)| foreign(name)) {
            process.env_remove(name);
        }
        for home in ["HOME", "USERPROFILE", "LOCALAPPDATA", "APPDATA"] {
            process.env(home, &self.home);
        }
        process
            .env_remove("NO_COLOR")
            .env("SCENT_DATA_DIR", &self.data)
            .current_dir(&self.root);
        process
    }

    pub fn command(&self) -> Command {
        Command::from_std(self.process())
    }

    pub fn run(&self, args: &[&str]) -> Run {
        ended(self.command().args(args))
    }

    /// What a run prints that has to find something, and to say nothing beside
    /// it but how much of it there is, and how sure it is.
    pub fn found(&self, args: &[&str]) -> String {
        let run = self.run(args);
        let says = [" shown", "not sure: ", "no unit contains "];
        let is_usual = |line: &str| says.iter().any(|text| line.contains(text));
        let is_quiet = run.err.lines().all(is_usual);
        let is_fine = run.code == Some(0) && is_quiet;
        assert!(is_fine, "{args:?}: {:?} {} {}", run.code, run.err, run.out);
        run.out
    }

    /// What a run says that has to fail.
    pub fn refused(&self, args: &[&str]) -> String {
        let run = self.run(args);
        assert_eq!(
            (run.code, run.out.as_str()),
            (Some(2), ""),
            "{args:?}: {}",
            run.err
        );
        run.err
    }

    /// The answer as JSON, whatever was found.
    pub fn json(&self, args: &[&str]) -> Value {
        let run = self.run(&[&["--json"], args].concat());
        serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{args:?}: {e}: {run:?}"))
    }

    /// The paths of the results, each as often as it is found.
    pub fn paths(&self, args: &[&str]) -> Vec<String> {
        let text = |result: &Value| result["path"].as_str().unwrap().to_owned();
        results(&self.json(args)).iter().map(text).collect()
    }

    /// The names of the results.
    pub fn names(&self, args: &[&str]) -> Vec<String> {
        let text = |result: &Value| result["qualified_name"].as_str().unwrap().to_owned();
        results(&self.json(args)).iter().map(text).collect()
    }
}

pub fn ended(command: &mut Command) -> Run {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Run {
        code: output.status.code(),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

pub fn results(answer: &Value) -> &Vec<Value> {
    answer["results"].as_array().unwrap()
}

pub fn sorted(mut list: Vec<String>) -> Vec<String> {
    list.sort();
    list.dedup();
    list
}

pub fn assert_holds(text: &str, parts: &[&str], what: &str) {
    for part in parts {
        assert!(text.contains(part), "{what}: {part:?} is not in:\n{text}");
    }
}
