//! `scent install` and `scent uninstall`, for every agent with the files of
//! `crates/agents/tests/golden`.

use crate::world::*;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The program as the accepted files name it.
const GOLDEN_PROGRAM: &str = "/opt/scent/bin/scent";

type Files = BTreeMap<String, String>;

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../agents/tests/golden")
}

fn agents() -> Vec<String> {
    let folders = fs::read_dir(golden()).unwrap().map(|entry| entry.unwrap());
    let folders = folders.filter(|entry| entry.path().is_dir());
    sorted(
        folders
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect(),
    )
}

/// The files below a folder, by their paths in it.
fn files_in(folder: &Path) -> Files {
    let mut files = Files::new();
    let mut open = vec![folder.to_owned()];
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(&at).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let inside = path.strip_prefix(folder).unwrap().to_str().unwrap();
            let text = fs::read_to_string(&path).unwrap();
            files.insert(inside.replace('\\', "/"), text);
        }
    }
    files
}

/// A user with an empty home and an empty project, and programs that no agent
/// is among.
struct User(World);

impl User {
    fn new() -> User {
        User(World::new(&[("scent.toml", "")]))
    }

    /// With the files that an agent has in the golden folder.
    fn with(agent: &str, change: impl Fn(&str) -> String) -> User {
        let user = User::new();
        for (path, text) in files_in(&golden().join(agent).join("before")) {
            let path = user.0.root.parent().unwrap().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, change(&text)).unwrap();
        }
        user
    }

    fn run(&self, args: &[&str]) -> Run {
        let mut command = self.0.command();
        for name in [
            "CLAUDE_CONFIG_DIR",
            "CODEX_HOME",
            "CLINE_DATA_DIR",
            "CRUSH_GLOBAL_CONFIG",
        ] {
            command.env_remove(name);
        }
        ended(
            command
                .env_remove("OPENCODE_CONFIG")
                .env("PATH", "")
                .args(args),
        )
    }

    /// Everything that the user has, under `home/` and `project/`.
    fn files(&self) -> Files {
        let mut files = files_in(self.0.root.parent().unwrap());
        files.retain(|path, _| path != "project/scent.toml" && !path.starts_with("data/"));
        files
    }

    fn folders(&self) -> usize {
        let mut number = 0;
        let mut open = vec![self.0.home.clone(), self.0.root.clone()];
        while let Some(at) = open.pop() {
            let inner = fs::read_dir(&at)
                .unwrap()
                .map(|entry| entry.unwrap().path());
            let inner: Vec<PathBuf> = inner.filter(|path| path.is_dir()).collect();
            number += inner.len();
            open.extend(inner);
        }
        number
    }

    fn install(&self, agent: &str, flags: &[&str]) -> [Run; 2] {
        ["--user", "--project"]
            .map(|level| self.run(&[&["install", agent, level, "-y"], flags].concat()))
    }
}

/// The accepted files, as they are written with the program of this test.
fn accepted(agent: &str, name: &str) -> Files {
    let program = env!("CARGO_BIN_EXE_scent");
    let texts = [
        (
            "(texts/tools.md)",
            include_str!("../../../agents/texts/tools.md"),
        ),
        (
            "(texts/commands.md)",
            include_str!("../../../agents/texts/commands.md"),
        ),
        (
            "(texts/skill.md)",
            include_str!("../../../agents/texts/skill.md"),
        ),
        (
            "(texts/subagent.md)",
            include_str!("../../../agents/texts/subagent.md"),
        ),
    ];
    let mut files = files_in(&golden().join(agent).join(name));
    for text in files.values_mut() {
        *text = text.replace(GOLDEN_PROGRAM, program);
        for (name, body) in texts {
            *text = text.replace(name, body.trim_end());
        }
    }
    files
}

/// The accepted places are those of Linux.
#[cfg(target_os = "linux")]
#[test]
fn every_agent_is_installed_once_and_leaves_no_byte() {
    for agent in agents() {
        let user = User::with(&agent, str::to_owned);
        let (before, folders) = (user.files(), user.folders());
        for run in user.install(&agent, &["--all", "--dry-run"]) {
            assert!(matches!(run.code, Some(0 | 1)), "{agent}: {run:?}");
        }
        assert_eq!(user.files(), before, "{agent}: --dry-run");
        for run in user.install(&agent, &["--all"]) {
            assert!(matches!(run.code, Some(0 | 1)), "{agent}: {run:?}");
        }
        assert_eq!(user.files(), accepted(&agent, "after"), "{agent}");
        for run in user.install(&agent, &["--all"]) {
            assert_eq!(run.out, "", "{agent}: twice is once");
        }
        assert_eq!(user.files(), accepted(&agent, "after"), "{agent}");
        let run = user.run(&["uninstall", &agent]);
        assert_eq!(run.code, Some(0), "{agent}: {run:?}");
        assert_eq!(user.files(), before, "{agent}: uninstalled");
        assert_eq!(user.folders(), folders, "{agent}: no empty folders");
        let run = user.run(&["uninstall", &agent]);
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{agent}");
    }
}

#[test]
fn a_diff_is_what_then_happens() {
    let user = User::with("claude-code", str::to_owned);
    let run = user.run(&["install", "claude", "--mcp", "--dry-run", "--json"]);
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        (run.code, &answer["dry_run"]),
        (Some(0), &Value::Bool(true))
    );
    let file = &answer["files"][0];
    let path = user.0.home.join(".claude.json");
    assert_eq!(file["path"], path.to_str().unwrap().replace('\\', "/"));
    assert_eq!(file["action"], "changed");
    let before = fs::read_to_string(&path).unwrap();
    assert_eq!(user.run(&["install", "claude", "--mcp"]).code, Some(0));
    let after = fs::read_to_string(&path).unwrap();
    for line in file["diff"].as_str().unwrap().lines().skip(3) {
        let (text, inner) = match line.split_at(1) {
            ("-", inner) => (&before, inner),
            (_, inner) => (&after, inner),
        };
        assert!(text.contains(inner), "{line}");
    }
}

#[test]
fn a_broken_file_is_left_alone_and_the_snippet_printed() {
    for agent in agents() {
        let user = User::with(&agent, |text| format!("{text}\n}}]: [=\n"));
        let before = user.files();
        let runs = user.install(&agent, &["--mcp"]);
        for (path, text) in user.files() {
            if let Some(same) = before.get(&path) {
                assert_eq!(*same, text, "{agent}: {path}");
            }
        }
        if agent == "aider" {
            continue;
        }
        let refused: Vec<&Run> = runs.iter().filter(|run| run.code == Some(2)).collect();
        assert!(!refused.is_empty(), "{agent}: {runs:?}");
        for run in refused {
            let parts = ["failed ", "is not valid", "by hand:", "scent"];
            assert_holds(&run.out, &parts, &agent);
            assert_holds(&run.out, &[env!("CARGO_BIN_EXE_scent")], &agent);
        }
    }
}

#[test]
fn nobody_is_installed_for_unasked() {
    let user = User::new();
    let run = user.run(&["install"]);
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
    assert_holds(&run.err, &["no coding agent was found", "--list"], "none");
    fs::create_dir_all(user.0.home.join(".cursor")).unwrap();
    fs::create_dir_all(user.0.home.join(".codex")).unwrap();
    let run = user.run(&["install"]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    assert_holds(&run.err, &["codex cursor", "--yes"], "found");
    assert_eq!(user.files(), Files::new());
    assert_eq!(user.run(&["install", "--yes"]).code, Some(0));
    let files = user.files();
    assert!(files.contains_key("home/.cursor/mcp.json"), "{files:?}");
    assert!(files.contains_key("home/.codex/config.toml"), "{files:?}");
    let hooks = |text: &String| text.contains("PreToolUse");
    assert!(
        !files.values().any(hooks),
        "a hook is only installed by name"
    );
    let run = user.run(&["uninstall"]);
    assert_eq!((run.code, user.files()), (Some(0), Files::new()), "{run:?}");
}

#[test]
fn mistakes_are_explained() {
    let user = User::new();
    user.0.write("Cargo.toml", "");
    for (args, parts) in [
        (
            &["install", "emacs"][..],
            &["emacs: no such agent", "codex"][..],
        ),
        (&["uninstall", "emacs"], &["emacs: no such agent", "codex"]),
        (
            &["install", "codex", "--program", "/no/scent"],
            &["no such program"],
        ),
        (
            &["install", "codex", "--program", "Cargo.toml"],
            &["the name of the program"],
        ),
        (
            &["install", "codex", "--user", "--project"],
            &["cannot be used with"],
        ),
    ] {
        let run = user.run(args);
        assert_eq!(run.code, Some(2), "{args:?}: {run:?}");
        assert_holds(&run.err, parts, &format!("{args:?}"));
    }
    let run = user.run(&["install", "aider", "--user"]);
    fs::remove_file(user.0.root.join("Cargo.toml")).unwrap();
    assert_eq!((run.code, user.files()), (Some(1), Files::new()));
    assert_holds(&run.err, &["Aider has nothing of that for --user"], "aider");
}

#[test]
fn the_list_says_what_there_is_and_what_is_installed() {
    let user = User::new();
    fs::create_dir_all(user.0.home.join(".cursor")).unwrap();
    user.run(&["install", "cursor", "--mcp"]);
    let run = user.run(&["install", "--list", "--json"]);
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    let listed = answer["agents"].as_array().unwrap();
    let ids: Vec<String> = listed
        .iter()
        .map(|a| a["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(sorted(ids), agents());
    let cursor = listed.iter().find(|agent| agent["id"] == "cursor").unwrap();
    assert_eq!(cursor["found"], true);
    assert_eq!(cursor["entries"][0]["ours"], true);
    assert_eq!(cursor["entries"][0]["command"][1], "mcp");
    let codex = listed.iter().find(|agent| agent["id"] == "codex").unwrap();
    assert_eq!(
        (&codex["found"], &codex["entries"]),
        (&Value::Bool(false), &Value::Array(vec![]))
    );
    assert_holds(
        &user.run(&["install", "--list"]).out,
        &["cursor        Cursor        found"],
        "text",
    );
    let run = user.run(&["install", "goose", "--print"]);
    assert_holds(
        &run.out,
        &["config.yaml (goose, mcp):", "extensions:", "cmd: "],
        "print",
    );
    assert!(!user.files().keys().any(|path| path.contains("goose")));
}

#[cfg(unix)]
mod links {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn a_link_stays_a_link_and_its_file_is_named() {
        let user = User::new();
        let real = user.0.home.join("dotfiles/claude.json");
        fs::create_dir_all(real.parent().unwrap()).unwrap();
        fs::write(&real, "{}\n").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        let link = user.0.home.join(".claude.json");
        symlink(&real, &link).unwrap();
        let run = user.run(&["install", "claude-code", "--mcp"]);
        assert_eq!(run.code, Some(0));
        assert_holds(
            &run.out,
            &[&format!(".claude.json -> {}", real.display())],
            "link",
        );
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert!(fs::read_to_string(&real).unwrap().contains("alwaysLoad"));
        assert_eq!(real.metadata().unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(user.run(&["uninstall", "claude-code"]).code, Some(0));
        assert_eq!(fs::read_to_string(&real).unwrap(), "{}\n");
        assert!(link.symlink_metadata().unwrap().is_symlink());
    }

    #[test]
    fn a_project_leads_nowhere_else() {
        let user = User::new();
        let secret = user.0.home.join("notes.md");
        fs::write(&secret, "mine\n").unwrap();
        fs::create_dir_all(user.0.root.join(".git/hooks")).unwrap();
        let trap = user.0.root.join(".git/hooks/post-checkout");
        fs::write(&trap, "#!/bin/sh\n").unwrap();
        for target in [&secret, &trap] {
            let link = user.0.root.join("CLAUDE.md");
            let _ = fs::remove_file(&link);
            symlink(target, &link).unwrap();
            let before = fs::read_to_string(target).unwrap();
            let run = user.run(&["install", "claude-code", "--project", "--instructions"]);
            assert_eq!(run.code, Some(2), "{run:?}");
            assert_holds(
                &run.out,
                &["failed ", "a link leads out of the project"],
                "link",
            );
            assert_eq!(fs::read_to_string(target).unwrap(), before);
        }
        // The same by a folder.
        symlink(&user.0.home, user.0.root.join(".cursor")).unwrap();
        let run = user.run(&["install", "cursor", "--project", "--mcp"]);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(!user.0.home.join("mcp.json").exists());
    }

    type Make = fn(&Path);

    #[test]
    fn what_cannot_be_written_is_left_and_said() {
        let cases: [(&str, Make); 5] = [
            ("it is not a file", |path| fs::create_dir(path).unwrap()),
            ("it is not UTF-8", |path| {
                fs::write(path, b"{\xff}").unwrap()
            }),
            ("it is read-only", |path| {
                fs::write(path, "{}").unwrap();
                fs::set_permissions(path, fs::Permissions::from_mode(0o444)).unwrap();
            }),
            ("a link that leads nowhere", |path| {
                symlink("/nowhere/at/all", path).unwrap()
            }),
            ("it is larger than 64 MB", |path| {
                fs::File::create(path).unwrap().set_len(65 << 20).unwrap();
            }),
        ];
        for (reason, make) in cases {
            let user = User::new();
            let path = user.0.home.join(".claude.json");
            make(&path);
            let before = path.symlink_metadata().unwrap().len();
            let run = user.run(&["install", "claude-code", "--mcp"]);
            assert_eq!(run.code, Some(2), "{reason}: {run:?}");
            assert_holds(&run.out, &["failed ", reason], reason);
            assert_eq!(path.symlink_metadata().unwrap().len(), before);
            // Nothing is left beside it.
            assert_eq!(fs::read_dir(&user.0.home).unwrap().count(), 1, "{reason}");
        }
    }

    #[test]
    fn new_files_have_the_usual_mode() {
        let user = User::new();
        let mut shell = std::process::Command::new("sh");
        let program = env!("CARGO_BIN_EXE_scent");
        let line = format!("umask 022; exec '{program}' install codex --mcp --skill -q");
        let status = shell
            .args(["-c", &line])
            .env("HOME", &user.0.home)
            .env_remove("CODEX_HOME");
        assert!(status.current_dir(&user.0.root).status().unwrap().success());
        let mode = |path: &str| {
            user.0
                .home
                .join(path)
                .metadata()
                .unwrap()
                .permissions()
                .mode()
                & 0o777
        };
        assert_eq!(mode(".codex/config.toml"), 0o644);
        assert_eq!(mode(".agents/skills/scent"), 0o755);
    }
}
