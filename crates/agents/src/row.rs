//! Agents as rows of data, from `agents/*.toml`.

use crate::edit::{Format, NAME, Refusal, Step, json, split_bom, toml as toml_edit, yaml};
use crate::places::{Files, Level, Places, Templates};
use crate::texts;
use crate::value::Value;
use serde::Deserialize;
use std::path::PathBuf;
use std::sync::LazyLock;

/// What can be installed for an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The entry that starts the server.
    Mcp,
    /// A few lines among the agent's instructions.
    Instructions,
    /// A skill.
    Skill,
    /// A sub-agent that searches.
    Subagent,
    /// A hook that adds places to the agent's own searches.
    Hook,
    /// Leave to call the tools without a question each time.
    Approval,
}

impl Part {
    /// All parts, in the order in which they are installed.
    pub const ALL: [Part; 6] = [
        Part::Mcp,
        Part::Instructions,
        Part::Skill,
        Part::Subagent,
        Part::Hook,
        Part::Approval,
    ];

    /// The word for it, as in flags and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Part::Mcp => "mcp",
            Part::Instructions => "instructions",
            Part::Skill => "skill",
            Part::Subagent => "subagent",
            Part::Hook => "hook",
            Part::Approval => "approval",
        }
    }

    /// What is installed where nobody chooses: what changes no other command
    /// of the agent and grants nothing.
    pub const DEFAULT: [Part; 4] = [Part::Mcp, Part::Instructions, Part::Skill, Part::Subagent];
}

/// A coding agent: where it keeps what it reads, and in what form.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agent {
    /// The word for it on the command line; the name of its file.
    #[serde(skip)]
    pub id: &'static str,
    /// Its name.
    pub name: String,
    /// Other words for it.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// What its user has to do beyond what is written to files.
    pub advice: Option<String>,
    detect: Detect,
    mcp: Option<Mcp>,
    instructions: Option<Instructions>,
    #[serde(default)]
    settings: Vec<Setting>,
    skill: Option<OwnFile>,
    subagent: Option<Subagent>,
    hook: Option<Items>,
    approval: Option<Items>,
}

/// By what an agent is found.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Detect {
    paths: Templates,
    #[serde(default)]
    programs: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mcp {
    format: Format,
    keys: Vec<String>,
    /// JSON, with `$program` for the path of the program.
    entry: String,
    user: Option<Templates>,
    project: Option<Templates>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Instructions {
    form: Form,
    user: Option<Templates>,
    project: Option<Templates>,
    /// A file that the other may consist of a reference to, and that is
    /// written to in that case.
    delegate: Option<String>,
}

/// Whether instructions name the tools of the server, or commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Form {
    Tools,
    Commands,
}

/// A setting that instructions need to be read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Setting {
    format: Format,
    name: String,
    value: String,
    project: Templates,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OwnFile {
    user: Option<Templates>,
    project: Option<Templates>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Subagent {
    /// Lines of the head that this agent knows, beside name and description.
    #[serde(default)]
    head: Vec<String>,
    #[serde(default)]
    toml: bool,
    user: Option<Templates>,
    project: Option<Templates>,
}

/// Elements of lists in a JSON file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Items {
    user: Option<Templates>,
    project: Option<Templates>,
    #[serde(default)]
    items: Vec<Item>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Item {
    keys: Vec<String>,
    value: String,
}

/// A file with the steps that one part takes in it.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub part: Part,
    pub path: PathBuf,
    pub steps: Vec<Step>,
}

/// The entry that an agent has for us, as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// The file.
    pub path: PathBuf,
    /// Whose settings they are.
    pub level: Level,
    /// Program and arguments that the entry starts.
    pub command: Vec<String>,
    /// Variables of the environment that it sets.
    pub environment: Vec<(String, String)>,
    /// Whether the entry is one of ours.
    pub ours: bool,
}

/// A hook of ours in the settings of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledHook {
    /// The file.
    pub path: PathBuf,
    /// Whose settings they are.
    pub level: Level,
    /// Program and arguments.
    pub command: Vec<String>,
}

macro_rules! rows {
    ($($id:literal),* $(,)?) => {
        /// The files, by name.
        const ROWS: &[(&str, &str)] = &[
            $(($id, include_str!(concat!("../agents/", $id, ".toml")))),*
        ];
    };
}

rows!(
    "claude-code",
    "codex",
    "cursor",
    "vscode",
    "copilot-cli",
    "opencode",
    "zed",
    "gemini",
    "qwen",
    "cline",
    "kiro",
    "amp",
    "goose",
    "crush",
    "junie",
    "devin",
    "kilo",
    "aider",
);

static AGENTS: LazyLock<Vec<Agent>> = LazyLock::new(|| {
    let read = |(id, text): &(&'static str, &str)| {
        let agent: Agent = toml::from_str(text).unwrap_or_else(|e| panic!("agents/{id}.toml: {e}"));
        Agent { id, ..agent }
    };
    ROWS.iter().map(read).collect()
});

/// All agents, those that most people use first.
pub fn agents() -> &'static [Agent] {
    &AGENTS
}

/// The agent with a name, whatever the case of its letters.
pub fn agent(name: &str) -> Option<&'static Agent> {
    let name = name.to_ascii_lowercase();
    let is_it = |agent: &&Agent| {
        agent.id == name || agent.name.to_ascii_lowercase() == name || agent.aliases.contains(&name)
    };
    agents().iter().find(is_it)
}

impl Agent {
    /// Whether the agent seems to be installed.
    pub fn is_detected(&self, places: &Places, files: &dyn Files) -> bool {
        let paths = self.detect.paths.paths(places);
        let mut programs = self.detect.programs.iter();
        paths.iter().any(|path| files.exists(path))
            || programs.any(|program| places.has_program(program, files))
    }

    /// Whether there is something to install of a part.
    pub fn has(&self, part: Part, level: Level) -> bool {
        self.templates(part, level).is_some()
    }

    fn templates(&self, part: Part, level: Level) -> Option<&Templates> {
        let (user, project) = match part {
            Part::Mcp => self.mcp.as_ref().map(|m| (&m.user, &m.project)),
            Part::Instructions => self.instructions.as_ref().map(|i| (&i.user, &i.project)),
            Part::Skill => self.skill.as_ref().map(|s| (&s.user, &s.project)),
            Part::Subagent => self.subagent.as_ref().map(|s| (&s.user, &s.project)),
            Part::Hook => self.hook.as_ref().map(|h| (&h.user, &h.project)),
            Part::Approval => self.approval.as_ref().map(|a| (&a.user, &a.project)),
        }?;
        match level {
            Level::User => user.as_ref(),
            Level::Project => project.as_ref(),
        }
    }

    /// The entries for us that the agent reads, for a check of them.
    pub fn installed(&self, places: &Places, files: &dyn Files) -> Vec<Installed> {
        let mut found = Vec::new();
        for level in [Level::User, Level::Project] {
            let Some(templates) = self.templates(Part::Mcp, level) else {
                continue;
            };
            for path in templates.paths(places) {
                let Ok(Some(text)) = files.read(&path) else {
                    continue;
                };
                if let Ok(Some(entry)) = self.entry_in(&text) {
                    found.push(Installed {
                        path,
                        level,
                        command: entry.command().unwrap_or_default(),
                        environment: entry.environment(),
                        ours: entry.is_ours(),
                    });
                }
            }
        }
        found
    }

    /// The hooks of ours that the agent reads, as words of a shell command.
    pub fn installed_hooks(&self, places: &Places, files: &dyn Files) -> Vec<InstalledHook> {
        let mut found: Vec<InstalledHook> = Vec::new();
        for level in [Level::User, Level::Project] {
            let Some(templates) = self.templates(Part::Hook, level) else {
                continue;
            };
            for path in templates.paths(places) {
                let Ok(Some(text)) = files.read(&path) else {
                    continue;
                };
                for command in self.hooks_in(&text) {
                    let hook = InstalledHook {
                        path: path.clone(),
                        level,
                        command,
                    };
                    if !found.contains(&hook) {
                        found.push(hook);
                    }
                }
            }
        }
        found
    }

    fn hooks_in(&self, text: &str) -> Vec<Vec<String>> {
        let mut found = Vec::new();
        for item in self.hook.iter().flat_map(|hook| &hook.items) {
            let Some((last, keys)) = item.keys.split_last() else {
                continue;
            };
            if let Ok(Some(list)) = json::entry(text, keys, last) {
                found.extend(list.hook_commands());
            }
        }
        found
    }

    fn entry_in(&self, text: &str) -> Result<Option<Value>, Refusal> {
        let Some(mcp) = &self.mcp else {
            return Ok(None);
        };
        match mcp.format {
            Format::Json => json::entry(text, &mcp.keys, NAME),
            Format::Toml => toml_edit::entry(text, &mcp.keys, NAME),
            Format::Yaml => yaml::entry(text, &mcp.keys, NAME),
        }
    }

    /// The files that a part is installed to, with what is to be done in each.
    pub(crate) fn targets(
        &self,
        part: Part,
        level: Level,
        program: &str,
        (places, files): (&Places, &dyn Files),
    ) -> Vec<Target> {
        let templates = self.templates(part, level);
        let Some(path) = templates.and_then(|t| t.choose(places, files)) else {
            return Vec::new();
        };
        let path = match part {
            Part::Instructions => self.delegated(path, places, files),
            _ => path,
        };
        let steps = self.steps(part, program, places);
        let mut targets = vec![Target { part, path, steps }];
        if (part, level) == (Part::Instructions, Level::Project) {
            let chosen = |setting: &Setting| {
                let path = setting.project.choose(places, files)?;
                Some(setting.target(path))
            };
            targets.extend(self.settings.iter().filter_map(chosen));
        }
        targets
    }

    /// The files that a part may have been installed to, whichever of them were
    /// there then.
    pub(crate) fn possible_targets(
        &self,
        part: Part,
        level: Level,
        program: &str,
        places: &Places,
    ) -> Vec<Target> {
        let Some(templates) = self.templates(part, level) else {
            return Vec::new();
        };
        let mut paths = templates.paths(places);
        let delegate = self.instructions.as_ref().and_then(|i| i.delegate.as_ref());
        if part == Part::Instructions {
            paths.extend(delegate.map(|delegate| places.project.join(delegate)));
        }
        let steps = self.steps(part, program, places);
        let target = |path| Target {
            part,
            path,
            steps: steps.clone(),
        };
        let mut targets: Vec<Target> = paths.into_iter().map(target).collect();
        if (part, level) == (Part::Instructions, Level::Project) {
            for setting in &self.settings {
                let paths = setting.project.paths(places);
                targets.extend(paths.into_iter().map(|path| setting.target(path)));
            }
        }
        targets
    }

    fn steps(&self, part: Part, program: &str, places: &Places) -> Vec<Step> {
        match part {
            Part::Mcp => self.mcp_steps(program),
            Part::Instructions => self.instruction_steps(),
            Part::Skill => vec![Step::Whole {
                text: texts::SKILL.to_owned(),
                is_toml: false,
            }],
            Part::Subagent => self.subagent_steps(),
            Part::Hook => item_steps(self.hook.as_ref(), program, places),
            Part::Approval => item_steps(self.approval.as_ref(), program, places),
        }
    }

    fn mcp_steps(&self, program: &str) -> Vec<Step> {
        let Some(mcp) = &self.mcp else {
            return Vec::new();
        };
        vec![Step::Entry {
            format: mcp.format,
            keys: mcp.keys.clone(),
            name: NAME.to_owned(),
            value: data(&mcp.entry).fill("$program", program),
            program: program.to_owned(),
        }]
    }

    fn instruction_steps(&self) -> Vec<Step> {
        let form = self.instructions.as_ref().map(|i| i.form);
        let text = match form {
            Some(Form::Commands) => texts::COMMANDS.to_owned(),
            _ => texts::TOOLS.to_owned(),
        };
        vec![Step::Block(text)]
    }

    fn subagent_steps(&self) -> Vec<Step> {
        let Some(subagent) = &self.subagent else {
            return Vec::new();
        };
        let text = if subagent.toml {
            texts::subagent_toml()
        } else {
            texts::subagent(&subagent.head)
        };
        vec![Step::Whole {
            text,
            is_toml: subagent.toml,
        }]
    }

    /// The file that instructions are written to: the one that the usual file
    /// refers to, where it consists of nothing but that.
    fn delegated(&self, path: PathBuf, places: &Places, files: &dyn Files) -> PathBuf {
        let delegate = self
            .instructions
            .as_ref()
            .and_then(|i| i.delegate.as_deref());
        let (Some(delegate), Ok(Some(text))) = (delegate, files.read(&path)) else {
            return path;
        };
        let (_, text) = split_bom(&text);
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let refers =
            |line: &str| line.trim_start_matches("@./").trim_start_matches('@') == delegate;
        match (lines.next(), lines.next()) {
            (Some(line), None) if line.starts_with('@') && refers(line) => {
                places.project.join(delegate)
            }
            _ => path,
        }
    }
}

impl Setting {
    fn target(&self, path: PathBuf) -> Target {
        let step = Step::Entry {
            format: self.format,
            keys: Vec::new(),
            name: self.name.clone(),
            value: Value::String(self.value.clone()),
            program: String::new(),
        };
        Target {
            part: Part::Instructions,
            path,
            steps: vec![step],
        }
    }
}

fn item_steps(items: Option<&Items>, program: &str, places: &Places) -> Vec<Step> {
    let Some(items) = items else {
        return Vec::new();
    };
    let command = texts::hook_command(program, places.system);
    let step = |item: &Item| Step::Item {
        keys: item.keys.clone(),
        value: data(&item.value).fill("$hook", &command),
    };
    items.items.iter().map(step).collect()
}

/// A value of a row; the rows are part of the program, and a test reads all.
fn data(json: &str) -> Value {
    Value::from_json(json).unwrap_or(Value::Null)
}
