//! Where files of settings lie: templates of paths, filled in from what the
//! caller says of the user's system.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The system that a configuration is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    /// Linux, and what is like it.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

impl System {
    /// The system by its name in `std::env::consts::OS`.
    pub fn named(name: &str) -> System {
        match name {
            "macos" => System::MacOs,
            "windows" => System::Windows,
            _ => System::Linux,
        }
    }
}

/// Whether settings are those of the user or of one project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// For all projects of the user.
    User,
    /// For one project; its files may be under version control.
    Project,
}

impl Level {
    /// Both, as they are installed.
    pub const ALL: [Level; 2] = [Level::User, Level::Project];

    /// The word for it, as in flags and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::User => "user",
            Level::Project => "project",
        }
    }
}

/// What the places of files depend on.
#[derive(Debug, Clone)]
pub struct Places {
    /// The system.
    pub system: System,
    /// The user's own folder.
    pub home: PathBuf,
    /// The folder of the project.
    pub project: PathBuf,
    /// Variables of the environment. Those that a template names are looked up.
    pub environment: BTreeMap<String, String>,
}

/// The files of the user, as far as this crate looks at them. Whoever calls it
/// reads them.
pub trait Files {
    /// The text of a file; none where there is no file.
    ///
    /// # Errors
    /// What keeps the file from being read as text.
    fn read(&self, path: &Path) -> Result<Option<String>, String>;

    /// Whether there is a file or a folder.
    fn exists(&self, path: &Path) -> bool;
}

/// Paths to choose from: the first that exists, else the first.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(crate) enum Templates {
    /// The same on every system.
    All(Vec<String>),
    /// Others on each system.
    BySystem {
        linux: Vec<String>,
        macos: Vec<String>,
        windows: Vec<String>,
    },
}

impl Templates {
    fn on(&self, system: System) -> &[String] {
        match (self, system) {
            (Templates::All(all), _) => all,
            (Templates::BySystem { linux, .. }, System::Linux) => linux,
            (Templates::BySystem { macos, .. }, System::MacOs) => macos,
            (Templates::BySystem { windows, .. }, System::Windows) => windows,
        }
    }

    /// All paths.
    pub fn paths(&self, places: &Places) -> Vec<PathBuf> {
        let templates = self.on(places.system).iter();
        templates.map(|template| places.fill(template)).collect()
    }

    /// The path to use.
    pub fn choose(&self, places: &Places, files: &dyn Files) -> Option<PathBuf> {
        let paths = self.paths(places);
        let existing = paths.iter().find(|path| files.exists(path));
        existing.or(paths.first()).cloned()
    }
}

impl Places {
    /// The path that a template stands for. It begins with `~/`, with the name
    /// of a folder (`$config/`, `$appdata/`, `$localappdata/`, `$support/`), with
    /// a variable and what holds where it is not set (`${NAME:-~/x}/`), or it
    /// lies in the project.
    fn fill(&self, template: &str) -> PathBuf {
        if let Some(rest) = template.strip_prefix("${")
            && let Some((choice, rest)) = rest.split_once('}')
            && let Some((variable, default)) = choice.split_once(":-")
        {
            let base = match self.variable(variable) {
                Some(value) => PathBuf::from(value),
                None => self.fill(default),
            };
            return joined(base, rest);
        }
        let (first, rest) = template.split_once('/').unwrap_or((template, ""));
        match first {
            "~" => joined(self.home.clone(), rest),
            "$config" => joined(self.folder("XDG_CONFIG_HOME", ".config"), rest),
            "$appdata" => joined(self.folder("APPDATA", "AppData/Roaming"), rest),
            "$localappdata" => joined(self.folder("LOCALAPPDATA", "AppData/Local"), rest),
            "$support" => joined(self.home.join("Library/Application Support"), rest),
            _ => joined(self.project.clone(), template),
        }
    }

    fn folder(&self, variable: &str, below_home: &str) -> PathBuf {
        let value = self.variable(variable).map(PathBuf::from);
        let absolute = value.filter(|path| path.has_root());
        absolute.unwrap_or_else(|| joined(self.home.clone(), below_home))
    }

    fn variable(&self, name: &str) -> Option<&str> {
        let value = self.environment.get(name)?;
        (!value.is_empty()).then_some(value.as_str())
    }

    /// The folders that programs are looked for in.
    fn program_folders(&self) -> impl Iterator<Item = PathBuf> + '_ {
        let separator = if self.system == System::Windows {
            ';'
        } else {
            ':'
        };
        let path = self.variable("PATH").unwrap_or_default();
        path.split(separator)
            .filter(|p| !p.is_empty())
            .map(PathBuf::from)
    }

    /// Whether a program is in one of those folders.
    pub(crate) fn has_program(&self, name: &str, files: &dyn Files) -> bool {
        let endings: &[&str] = match self.system {
            System::Windows => &[".exe", ".cmd"],
            _ => &[""],
        };
        for folder in self.program_folders() {
            for ending in endings {
                if files.exists(&folder.join(format!("{name}{ending}"))) {
                    return true;
                }
            }
        }
        false
    }
}

fn joined(base: PathBuf, rest: &str) -> PathBuf {
    let parts = rest.split('/').filter(|part| !part.is_empty());
    parts.fold(base, |path, part| path.join(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled_by_system_and_environment() {
        let cases = [
            (System::Linux, "", "~/.claude.json", "/home/u/.claude.json"),
            (
                System::Linux,
                "",
                "$config/zed/settings.json",
                "/home/u/.config/zed/settings.json",
            ),
            (System::Linux, "XDG_CONFIG_HOME=/c", "$config/zed", "/c/zed"),
            (
                System::Linux,
                "XDG_CONFIG_HOME=relative",
                "$config/zed",
                "/home/u/.config/zed",
            ),
            (
                System::Windows,
                "APPDATA=/a",
                "$appdata/Zed/settings.json",
                "/a/Zed/settings.json",
            ),
            (
                System::MacOs,
                "",
                "$support/Code/User",
                "/home/u/Library/Application Support/Code/User",
            ),
            (
                System::Linux,
                "",
                "${CODEX_HOME:-~/.codex}/config.toml",
                "/home/u/.codex/config.toml",
            ),
            (
                System::Linux,
                "CODEX_HOME=/x",
                "${CODEX_HOME:-~/.codex}/config.toml",
                "/x/config.toml",
            ),
            (
                System::Linux,
                "CODEX_HOME=",
                "${CODEX_HOME:-~/.codex}",
                "/home/u/.codex",
            ),
            (System::Linux, "", ".vscode/mcp.json", "/p/.vscode/mcp.json"),
        ];
        for (system, variable, template, want) in cases {
            let pair = variable.split_once('=');
            let places = Places {
                system,
                home: "/home/u".into(),
                project: "/p".into(),
                environment: pair
                    .map(|(k, v)| (k.to_owned(), v.to_owned()))
                    .into_iter()
                    .collect(),
            };
            assert_eq!(
                places.fill(template),
                Path::new(want),
                "{template} {variable}"
            );
        }
    }
}
