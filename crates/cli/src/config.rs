//! Settings: defaults, the user's file, the project's file, the environment,
//! flags, in rising order. Read once, here.
//!
//! The file of a project comes with the project, so whoever wrote the project
//! wrote it. It may say how the project is best indexed and shown, and nothing
//! that reaches beyond it: see [`Origin`] and `docs/settings.md`.

use crate::args::GlobalArgs;
use anyhow::{Context, anyhow, bail};
use scent_engine::{ModelSpec, Settings, cache_folder, canonical, config_folder, read_small};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use toml::{Table, Value};

pub(crate) const PROJECT_FILE: &str = "scent.toml";

/// A larger `index.max_file_size` is not taken from a project: one file could
/// then fill the memory.
const LARGEST_FILE_OF_A_PROJECT: u64 = 8 << 20;

/// So many mistakes in a project's file are named.
const MOST_NOTES: usize = 5;

/// From where a setting counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// The user's file, the environment and flags.
    User,
    /// These, and the file of a project.
    Anywhere,
}

/// A setting.
struct Key {
    name: &'static str,
    default: &'static str,
    about: &'static str,
    origin: Origin,
}

const fn user(name: &'static str, default: &'static str, about: &'static str) -> Key {
    Key {
        name,
        default,
        about,
        origin: Origin::User,
    }
}

const fn anywhere(name: &'static str, default: &'static str, about: &'static str) -> Key {
    Key {
        name,
        default,
        about,
        origin: Origin::Anywhere,
    }
}

static KEYS: [Key; 15] = [
    user("data_dir", "", "folder that holds the indexes"),
    user("model", "small", "embedding model"),
    user("model_key", "", "key that is sent to the model's server"),
    anywhere("index.max_file_size", "2MB", "larger files are not indexed"),
    anywhere("index.include_generated", "false", "index generated files"),
    anywhere("index.include_minified", "false", "index minified files"),
    user("index.threads", "0", "threads to use; 0 for one per core"),
    anywhere("search.limit", "10", "number of results"),
    anywhere("output.color", "auto", "auto, always or never"),
    anywhere(
        "search.linked",
        "",
        "projects that are searched too, relative to this file",
    ),
    user(
        "search.allow_linked",
        "",
        "folders that any project may link, beside its neighbours",
    ),
    anywhere("output.format", "text", "text, markdown or json"),
    anywhere(
        "output.context",
        "lines",
        "what is shown of a result: smart, lines, none or a number",
    ),
    anywhere("output.max_lines", "50", "most lines of a result"),
    anywhere("output.max_columns", "200", "longer lines are cut"),
];

/// Settings whose values are lists of folders.
const FOLDERS: [&str; 2] = ["search.linked", "search.allow_linked"];

/// A value, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    pub value: String,
    pub origin: String,
}

/// All settings.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    values: BTreeMap<&'static str, Setting>,
    /// What of the project's file does not count, and why.
    pub notes: Vec<String>,
}

impl Config {
    /// The settings that hold for a project folder.
    pub fn load(root: Option<&Path>, flags: &GlobalArgs) -> anyhow::Result<Config> {
        let mut config = Config::defaults();
        if let Some(folder) = config_folder() {
            config.read_user_file(&folder.join("config.toml"))?;
        }
        let mut project = root.map(ProjectFile::read).unwrap_or_default();
        for (key, value) in std::mem::take(&mut project.values) {
            config.set(key, value, project.path.display());
        }
        config.read_environment(|name| std::env::var(name).ok());
        if let Some(folder) = &flags.data_dir {
            config.set("data_dir", folder.display(), "--data-dir");
        }
        if let Some(model) = &flags.model {
            config.set("model", model, "--model");
        }
        if let Some(color) = flags.color {
            config.set(
                "output.color",
                format!("{color:?}").to_lowercase(),
                "--color",
            );
        }
        config.check()?;
        if let Some(root) = root {
            config.restrict_links(root, &mut project);
        }
        config.notes = project.notes;
        Ok(config)
    }

    fn defaults() -> Config {
        let default = |key: &Key| {
            let setting = Setting {
                value: key.default.to_owned(),
                origin: "default".to_owned(),
            };
            (key.name, setting)
        };
        let values = KEYS.iter().map(default).collect();
        let mut config = Config {
            values,
            notes: Vec::new(),
        };
        if let Some(folder) = cache_folder() {
            config.set("data_dir", folder.display(), "default");
        }
        config
    }

    fn set(&mut self, key: &'static str, value: impl Display, origin: impl Display) {
        self.values.insert(
            key,
            Setting {
                value: value.to_string(),
                origin: origin.to_string(),
            },
        );
    }

    fn read_user_file(&mut self, path: &Path) -> anyhow::Result<()> {
        let name = || path.display().to_string();
        let Some(table) = read_table(path).with_context(name)? else {
            return Ok(());
        };
        for (key, value) in flatten(&table) {
            let key = known_key(&key).with_context(name)?;
            let mut value = as_text(key.name, value, path).with_context(name)?;
            // A folder or a model in a file is relative to that file.
            let here = path.parent().unwrap_or(path);
            if key.name == "data_dir" {
                value = here.join(value).display().to_string();
            }
            if key.name == "model" && ModelSpec::is_path(&value) {
                value = here.join(value).display().to_string();
            }
            self.set(key.name, value, path.display());
        }
        Ok(())
    }

    /// `SCENT_INDEX_MAX_FILE_SIZE` sets `index.max_file_size`.
    fn read_environment(&mut self, read: impl Fn(&str) -> Option<String>) {
        for key in &KEYS {
            let name = environment_name(key.name);
            if let Some(value) = read(&name).filter(|value| !value.is_empty()) {
                self.set(key.name, value, name);
            }
        }
    }

    /// Whether a folder may be searched with a project because it is linked.
    pub fn may_link(&self, root: Option<&Path>, folder: &Path) -> bool {
        let Some(root) = root else { return true };
        let of_project = self.setting("search.linked").origin == project_file(root);
        !of_project || may_link(root, folder, &self.folders("search.allow_linked"))
    }

    /// Takes the folders out of `search.linked` that a project may not name.
    fn restrict_links(&mut self, root: &Path, project: &mut ProjectFile) {
        let (kept, refused): (Vec<PathBuf>, Vec<PathBuf>) = self
            .linked()
            .into_iter()
            .partition(|folder| self.may_link(Some(root), folder));
        if refused.is_empty() {
            return;
        }
        let names: Vec<String> = refused
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        project.notes.push(format!(
            "{}: search.linked is ignored for {}: a project links what lies beside it; \
             search.allow_linked in your own settings allows more",
            project.path.display(),
            names.join(", ")
        ));
        let kept = std::env::join_paths(kept).unwrap_or_default();
        self.set(
            "search.linked",
            kept.to_string_lossy(),
            project.path.display(),
        );
    }

    /// Every value is one that its key can have.
    fn check(&self) -> anyhow::Result<()> {
        for key in &KEYS {
            let Setting { value, origin } = &self.values[key.name];
            check_value(key.name, value).map_err(|why| anyhow!("{origin}: {why}"))?;
        }
        Ok(())
    }

    pub fn get(&self, key: &str) -> &str {
        &self.values[key].value
    }

    /// What decides what an index of the project holds.
    pub fn settings(&self) -> anyhow::Result<Settings> {
        Ok(Settings {
            max_file_size: self.parsed("index.max_file_size", parse_size)?,
            include_generated: self.parsed("index.include_generated", |v| v.parse().ok())?,
            include_minified: self.parsed("index.include_minified", |v| v.parse().ok())?,
            threads: self.parsed("index.threads", |v| v.parse().ok())?,
        })
    }

    /// A value with its origin.
    pub fn setting(&self, key: &str) -> &Setting {
        &self.values[key]
    }

    /// The model that is asked for.
    pub fn model(&self) -> anyhow::Result<ModelSpec> {
        let Setting { value, origin } = self.setting("model");
        let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
        // Where its own programs keep what was fetched from Hugging Face.
        let inside = |folder: &'static str| move |home: PathBuf| home.join(folder);
        let hub = variable("HF_HUB_CACHE")
            .or_else(|| variable("HF_HOME").map(inside("hub")))
            .or_else(|| variable("XDG_CACHE_HOME").map(inside("huggingface/hub")))
            .or_else(|| std::env::home_dir().map(inside(".cache/huggingface/hub")));
        let spec = ModelSpec::parse_with_cache(value, &hub.unwrap_or_default());
        let mut spec = spec.with_context(|| format!("{origin}: model"))?;
        match &mut spec {
            ModelSpec::OpenAi { key, .. } => {
                *key = Some(self.get("model_key").to_owned()).filter(|key| !key.is_empty());
            }
            ModelSpec::Folder { runtime, .. } => *runtime = variable("ORT_DYLIB_PATH"),
            ModelSpec::Deep { models } => *models = variable("SCENT_MODELS"),
            ModelSpec::Shipped | ModelSpec::File(_) | ModelSpec::Ollama { .. } => {}
        }
        Ok(spec)
    }

    pub fn limit(&self) -> anyhow::Result<usize> {
        self.number("search.limit")
    }

    /// A whole number above 0.
    pub fn number(&self, key: &str) -> anyhow::Result<usize> {
        self.parsed(key, positive)
    }

    /// Other projects that are searched too.
    pub fn linked(&self) -> Vec<PathBuf> {
        self.folders("search.linked")
    }

    fn folders(&self, key: &str) -> Vec<PathBuf> {
        let all = std::env::split_paths(self.get(key));
        all.filter(|path| !path.as_os_str().is_empty()).collect()
    }

    pub fn data_dir(&self) -> anyhow::Result<PathBuf> {
        match self.get("data_dir") {
            "" => bail!("no cache folder is known on this system; set SCENT_DATA_DIR"),
            folder => Ok(PathBuf::from(folder)),
        }
    }

    /// Every key with its value, in order.
    pub fn each(&self) -> impl Iterator<Item = (&'static str, &Setting, &'static str)> {
        KEYS.iter()
            .map(|key| (key.name, &self.values[key.name], key.about))
    }

    fn parsed<T>(&self, key: &str, parse: impl Fn(&str) -> Option<T>) -> anyhow::Result<T> {
        let Setting { value, origin } = &self.values[key];
        parse(value).with_context(|| format!("{origin}: {key} cannot be {value:?}"))
    }
}

/// The settings file of a project, as people read it.
fn project_file(root: &Path) -> String {
    root.join(PROJECT_FILE).display().to_string()
}

/// What counts of a project's file. Nothing in it is an error: whoever searches
/// a project need not be able to mend it.
#[derive(Debug, Default)]
struct ProjectFile {
    path: PathBuf,
    values: Vec<(&'static str, String)>,
    notes: Vec<String>,
}

impl ProjectFile {
    fn read(root: &Path) -> ProjectFile {
        let path = root.join(PROJECT_FILE);
        let mut file = ProjectFile {
            path,
            ..ProjectFile::default()
        };
        let table = match read_table(&file.path) {
            Ok(table) => table.unwrap_or_default(),
            Err(error) => {
                file.note(format!("ignored: {error:#}"));
                return file;
            }
        };
        let (mut of_the_user, mut wrong) = (Vec::new(), Vec::new());
        for (key, value) in flatten(&table) {
            match project_value(&key, value, &file.path) {
                Ok(Some(known)) => file.values.push(known),
                Ok(None) => of_the_user.push(key),
                Err(error) => wrong.push(format!("{error:#}")),
            }
        }
        let more = wrong.len().saturating_sub(MOST_NOTES);
        for error in wrong.iter().take(MOST_NOTES) {
            file.note(format!("ignored: {error}"));
        }
        if more > 0 {
            file.note(format!("{more} more settings are ignored"));
        }
        if !of_the_user.is_empty() {
            let names = of_the_user.join(", ");
            file.note(format!(
                "{names} ignored: a project cannot set it; your own settings, the environment \
                 and flags can"
            ));
        }
        file
    }

    fn note(&mut self, text: String) {
        self.notes.push(format!("{}: {text}", self.path.display()));
    }
}

/// The value that a project gives to a key; none where only the user may.
fn project_value(
    key: &str,
    value: Value,
    path: &Path,
) -> anyhow::Result<Option<(&'static str, String)>> {
    let key = known_key(key)?;
    if key.origin == Origin::User {
        return Ok(None);
    }
    let value = as_text(key.name, value, path)?;
    check_value(key.name, &value).map_err(|why| anyhow!(why))?;
    let size = parse_size(&value).filter(|_| key.name == "index.max_file_size");
    if size.is_some_and(|size| size > LARGEST_FILE_OF_A_PROJECT) {
        bail!(
            "{} cannot be {value:?} for a project: at most 8MB",
            key.name
        );
    }
    Ok(Some((key.name, value)))
}

/// Whether a project may link a folder: one beside it, or one that the user
/// allowed. Hidden folders beside it hold what is nobody's business, such as
/// `~/.ssh` beside a project in a home directory.
fn may_link(root: &Path, folder: &Path, allowed: &[PathBuf]) -> bool {
    let Ok(folder) = canonical(folder) else {
        // What does not exist is named later, and nothing of it is read.
        return !folder.exists();
    };
    if !folder.is_dir() {
        return false;
    }
    let is_hidden = |part: Component| part.as_os_str().to_string_lossy().starts_with('.');
    // Beside a project at the top is the whole disk.
    let parent = root.parent().filter(|parent| parent.parent().is_some());
    let beside = parent.and_then(|parent| folder.strip_prefix(parent).ok());
    let is_beside = beside.is_some_and(|inside| {
        let names_one = inside.components().next().is_some();
        names_one && !inside.components().any(is_hidden)
    });
    let mut allowed = allowed.iter().filter_map(|folder| canonical(folder).ok());
    is_beside || allowed.any(|above| folder.starts_with(above))
}

/// Why a key cannot have a value, if so.
fn check_value(key: &str, value: &str) -> Result<(), String> {
    let one_of = |allowed: &[&str]| match allowed.contains(&value) {
        true => Ok(()),
        false => Err(format!("{key} cannot be {value:?}: {}", allowed.join(", "))),
    };
    let is = |sound: bool| match sound {
        true => Ok(()),
        false => Err(format!("{key} cannot be {value:?}")),
    };
    match key {
        "index.max_file_size" => is(parse_size(value).is_some()),
        "index.include_generated" | "index.include_minified" => is(value.parse::<bool>().is_ok()),
        "index.threads" => is(value.parse::<usize>().is_ok()),
        "search.limit" | "output.max_lines" | "output.max_columns" => is(positive(value).is_some()),
        "output.color" => one_of(&["auto", "always", "never"]),
        "output.format" => one_of(&["text", "markdown", "json"]),
        "output.context" if value.parse::<u32>().is_err() => one_of(&["smart", "lines", "none"]),
        _ => Ok(()),
    }
}

/// A whole number above 0 that is not beyond all use.
fn positive(text: &str) -> Option<usize> {
    text.parse::<u32>()
        .ok()
        .filter(|number| *number > 0)
        .map(|number| number as usize)
}

/// A settings file; none where there is no such file.
fn read_table(path: &Path) -> anyhow::Result<Option<Table>> {
    let text = match read_small(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    // The whole message quotes the line, and that may be of any length.
    let table: Result<Table, toml::de::Error> = text.parse();
    let broken = |error: toml::de::Error| {
        let before = error
            .span()
            .map_or("", |span| text.get(..span.start).unwrap_or(""));
        anyhow!(
            "line {}: {}",
            before.matches('\n').count() + 1,
            error.message()
        )
    };
    Ok(Some(table.map_err(broken)?))
}

/// The value of a key as it stands in a file.
fn as_text(key: &str, value: Value, path: &Path) -> anyhow::Result<String> {
    match value {
        Value::String(text) => Ok(text),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Boolean(flag) => Ok(flag.to_string()),
        Value::Array(list) if FOLDERS.contains(&key) => folders(path, &list),
        other => bail!("{key} cannot be of type {}", other.type_str()),
    }
}

pub(crate) fn environment_name(key: &str) -> String {
    format!("SCENT_{}", key.replace('.', "_").to_uppercase())
}

/// `[index] threads = 2` becomes `index.threads`.
fn flatten(table: &Table) -> Vec<(String, Value)> {
    let mut flat = Vec::new();
    for (key, value) in table {
        match value {
            Value::Table(inner) => flat.extend(
                flatten(inner)
                    .into_iter()
                    .map(|(k, v)| (format!("{key}.{k}"), v)),
            ),
            value => flat.push((key.clone(), value.clone())),
        }
    }
    flat
}

fn known_key(key: &str) -> anyhow::Result<&'static Key> {
    if let Some(known) = KEYS.iter().find(|known| known.name == key) {
        return Ok(known);
    }
    let last = |key: &str| key.rsplit('.').next().unwrap_or("").to_owned();
    let likeness = |known: &str| {
        strsim::jaro_winkler(known, key).max(strsim::jaro_winkler(&last(known), &last(key)))
    };
    let nearest = KEYS
        .iter()
        .map(|known| known.name)
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    match nearest.filter(|known| likeness(known) > 0.8) {
        Some(nearest) => bail!("there is no setting {key:?}; did you mean {nearest:?}?"),
        None => bail!("there is no setting {key:?}; `scent config show` lists them"),
    }
}

/// Folders in a file, which are relative to that file, in one value.
fn folders(file: &Path, list: &[Value]) -> anyhow::Result<String> {
    let here = file.parent().unwrap_or(file);
    let folder = |value: &Value| Some(here.join(value.as_str()?));
    let folders: Option<Vec<PathBuf>> = list.iter().map(folder).collect();
    let folders = folders.context("not a list of folders")?;
    Ok(std::env::join_paths(folders)?
        .to_string_lossy()
        .into_owned())
}

/// `500000`, `500KB`, `2MB`, `1GB`.
fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim().to_ascii_uppercase();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == ' ');
    let unit = match text[digits.len()..].trim() {
        "" | "B" => 1,
        "K" | "KB" | "KIB" => 1 << 10,
        "M" | "MB" | "MIB" => 1 << 20,
        "G" | "GB" | "GIB" => 1 << 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        for (text, want) in [
            ("500", Some(500)),
            ("2MB", Some(2 << 20)),
            ("1 gib", Some(1 << 30)),
            ("2X", None),
            ("", None),
        ] {
            assert_eq!(parse_size(text), want, "{text}");
        }
    }

    #[test]
    fn later_sources_win_and_say_so() {
        let mut config = Config::defaults();
        config.read_environment(|name| (name == "SCENT_SEARCH_LIMIT").then(|| "7".into()));
        assert_eq!(config.limit().unwrap(), 7);
        assert_eq!(config.values["search.limit"].origin, "SCENT_SEARCH_LIMIT");
    }

    #[test]
    fn unknown_keys_are_errors_with_a_suggestion() {
        let refused = |key| known_key(key).err().expect("there is no such key");
        let error = refused("index.max_filesize").to_string();
        assert!(error.contains("index.max_file_size"), "{error}");
        let error = refused("limit").to_string();
        assert!(error.contains("search.limit"), "{error}");
        assert!(refused("zzz").to_string().contains("config show"));
    }

    #[test]
    fn bad_values_name_their_source() {
        let mut config = Config::defaults();
        config.set("search.limit", "many", "scent.toml");
        let error = config.check().unwrap_err().to_string();
        assert!(
            error.contains("scent.toml") && error.contains("many"),
            "{error}"
        );
    }
}
