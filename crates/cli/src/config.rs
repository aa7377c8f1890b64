//! Settings: defaults, the user's file, the project's file, the environment and
//! flags. Later ones override earlier ones. Read once, here.
//!
//! The file of a project comes with the project, so whoever wrote the project
//! wrote it. It may set how to index the project and how to print results, and
//! nothing beyond: see [`crate::keys::Origin`] and `docs/configuration.md`.

use crate::args::GlobalArgs;
use crate::keys::{KEYS, Origin, environment_name, known_key};
use crate::patience::{Patience, parse_seconds};
use anyhow::{Context, anyhow, bail};
use scent_engine::{ModelOptions, Settings, cache_folder, canonical, config_folder, read_small};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use toml::{Table, Value};

pub(crate) const PROJECT_FILE: &str = "scent.toml";

/// The largest `index.max_file_size` that a project may set: a larger file could
/// fill the memory.
const LARGEST_FILE_OF_A_PROJECT: u64 = 8 << 20;

/// The number of mistakes in a project's file that notes name.
const MOST_NOTES: usize = 5;

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
            let file = folder.join("config.toml");
            let read = config.read_user_file(&file);
            read.with_context(|| file.display().to_string())?;
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
            let color = format!("{color:?}").to_lowercase();
            config.set("output.color", color, "--color");
        }
        if let Some(links) = flags.hyperlinks {
            let links = format!("{links:?}").to_lowercase();
            config.set("output.hyperlinks", links, "--hyperlinks");
        }
        config.check()?;
        if let Some(root) = root {
            config.restrict_links(root, &mut project);
        }
        config.notes = project.notes;
        Ok(config)
    }

    fn defaults() -> Config {
        let mut config = Config {
            values: BTreeMap::new(),
            notes: Vec::new(),
        };
        for key in &KEYS {
            config.set(key.name, key.default, "default");
        }
        if let Some(folder) = cache_folder() {
            config.set("data_dir", folder.display(), "default");
        }
        config
    }

    fn set(&mut self, key: &'static str, value: impl Display, origin: impl Display) {
        let setting = Setting {
            value: value.to_string(),
            origin: origin.to_string(),
        };
        self.values.insert(key, setting);
    }

    fn read_user_file(&mut self, path: &Path) -> anyhow::Result<()> {
        let Some(table) = read_table(path)? else {
            return Ok(());
        };
        // A folder or a model in a file is relative to that file.
        let folder = path.parent().unwrap_or(path);
        for (key, value) in flatten(&table) {
            let key = known_key(&key)?.name;
            let mut value = as_text(key, value, path)?;
            let is_model_path = key == "model" && ModelOptions::is_path(&value);
            if key == "data_dir" || is_model_path {
                value = folder.join(value).display().to_string();
            }
            self.set(key, value, path.display());
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

    /// Removes the folders from `search.linked` that a project may not link.
    fn restrict_links(&mut self, root: &Path, project: &mut ProjectFile) {
        let mut kept = Vec::new();
        let mut refused = Vec::new();
        for folder in self.linked() {
            if self.may_link(Some(root), &folder) {
                kept.push(folder);
            } else {
                refused.push(folder.display().to_string());
            }
        }
        if refused.is_empty() {
            return;
        }
        project.note(format!(
            "search.linked ignored for {}: a project may link folders beside it; \
             search.allow_linked in your own settings allows others",
            refused.join(", ")
        ));
        let kept = std::env::join_paths(kept).unwrap_or_default();
        let origin = project.path.display();
        self.set("search.linked", kept.to_string_lossy(), origin);
    }

    /// Checks that every key can have its value.
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

    /// The settings of an index.
    pub fn settings(&self) -> anyhow::Result<Settings> {
        Ok(Settings {
            max_file_size: self.parsed("index.max_file_size", parse_size)?,
            include_generated: self.parsed("index.include_generated", |v| v.parse().ok())?,
            include_minified: self.parsed("index.include_minified", |v| v.parse().ok())?,
            threads: self.parsed("index.threads", |v| v.parse().ok())?,
            commit_every: self.parsed("index.commit_every", parse_seconds)?,
        })
    }

    /// How many bytes all indexes together may have; none for any number.
    pub fn max_total_size(&self) -> Option<u64> {
        parse_size(self.get("index.max_total_size"))
    }

    /// A value with its origin.
    pub fn setting(&self, key: &str) -> &Setting {
        &self.values[key]
    }

    /// The embedding model to use.
    pub fn model(&self) -> ModelOptions {
        ModelOptions {
            name: self.get("model").to_owned(),
            key: Some(self.get("model_key").to_owned()).filter(|key| !key.is_empty()),
            runtime: path_variable("ORT_DYLIB_PATH"),
            models: path_variable("SCENT_MODELS"),
            hugging_face: Some(hugging_face_cache()),
        }
    }

    pub fn limit(&self) -> anyhow::Result<usize> {
        self.number("search.limit")
    }

    /// How long a search may index before it answers.
    pub fn patience(&self) -> anyhow::Result<Patience> {
        self.parsed("search.patience", |value| Patience::parse(value).ok())
    }

    /// A whole number above 0.
    pub fn number(&self, key: &str) -> anyhow::Result<usize> {
        self.parsed(key, positive)
    }

    /// Other projects to search as well.
    pub fn linked(&self) -> Vec<PathBuf> {
        self.folders("search.linked")
    }

    fn folders(&self, key: &str) -> Vec<PathBuf> {
        let all = std::env::split_paths(self.get(key));
        all.filter(|path| !path.as_os_str().is_empty()).collect()
    }

    pub fn data_dir(&self) -> anyhow::Result<PathBuf> {
        match self.get("data_dir") {
            "" => bail!("no cache folder on this system; set SCENT_DATA_DIR"),
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

fn path_variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from)
}

/// Where the programs of Hugging Face keep models.
fn hugging_face_cache() -> PathBuf {
    if let Some(cache) = path_variable("HF_HUB_CACHE") {
        return cache;
    }
    if let Some(home) = path_variable("HF_HOME") {
        return home.join("hub");
    }
    let home_cache = || std::env::home_dir().map(|home| home.join(".cache"));
    match path_variable("XDG_CACHE_HOME").or_else(home_cache) {
        Some(cache) => cache.join("huggingface/hub"),
        None => PathBuf::new(),
    }
}

/// The settings file of a project, for display.
fn project_file(root: &Path) -> String {
    root.join(PROJECT_FILE).display().to_string()
}

/// The valid settings of a project's file. A mistake in it is a note, not an
/// error: the user may not be able to correct it.
#[derive(Debug, Default)]
struct ProjectFile {
    path: PathBuf,
    values: Vec<(&'static str, String)>,
    notes: Vec<String>,
}

impl ProjectFile {
    fn read(root: &Path) -> ProjectFile {
        let mut file = ProjectFile {
            path: root.join(PROJECT_FILE),
            ..ProjectFile::default()
        };
        match read_table(&file.path) {
            Ok(table) => file.take(&table.unwrap_or_default()),
            Err(error) => file.note(format!("ignored: {error:#}")),
        }
        file
    }

    fn take(&mut self, table: &Table) {
        let mut of_user = Vec::new();
        let mut wrong = Vec::new();
        for (key, value) in flatten(table) {
            match project_value(&key, value, &self.path) {
                Ok(Some(known)) => self.values.push(known),
                Ok(None) => of_user.push(key),
                Err(error) => wrong.push(format!("{error:#}")),
            }
        }
        for error in wrong.iter().take(MOST_NOTES) {
            self.note(format!("ignored: {error}"));
        }
        let more = wrong.len().saturating_sub(MOST_NOTES);
        if more > 0 {
            self.note(format!("{more} more settings ignored"));
        }
        if !of_user.is_empty() {
            let keys = of_user.join(", ");
            self.note(format!(
                "{keys} ignored: a project cannot set it; your own settings, the environment \
                 and flags can"
            ));
        }
    }

    fn note(&mut self, text: String) {
        self.notes.push(format!("{}: {text}", self.path.display()));
    }
}

/// The value that a project sets; none where only the user may set the key.
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
        let key = key.name;
        bail!("{key} cannot be {value:?} for a project: at most 8MB");
    }
    Ok(Some((key.name, value)))
}

/// Whether a project may link a folder: one beside it, or one that the user
/// allowed.
fn may_link(root: &Path, folder: &Path, allowed: &[PathBuf]) -> bool {
    let Ok(folder) = canonical(folder) else {
        // A missing folder gets an error later, and nothing of it is read.
        return !folder.exists();
    };
    if !folder.is_dir() {
        return false;
    }
    if is_beside(root, &folder) {
        return true;
    }
    let mut allowed = allowed.iter().filter_map(|folder| canonical(folder).ok());
    allowed.any(|above| folder.starts_with(above))
}

/// Whether a folder lies beside a project. Hidden folders there may be private,
/// such as `~/.ssh` beside a project in a home directory.
fn is_beside(root: &Path, folder: &Path) -> bool {
    // Beside a project at the top is the whole disk.
    let parent = root.parent().filter(|parent| parent.parent().is_some());
    let Some(inside) = parent.and_then(|parent| folder.strip_prefix(parent).ok()) else {
        return false;
    };
    let is_hidden = |part: Component| part.as_os_str().to_string_lossy().starts_with('.');
    let is_parent = inside.as_os_str().is_empty();
    !is_parent && !inside.components().any(is_hidden)
}

/// Checks that a key can have a value, and says why not.
fn check_value(key: &str, value: &str) -> Result<(), String> {
    let (is_valid, expected) = match key {
        "index.max_file_size" => (parse_size(value).is_some(), "a size, such as 500KB or 2MB"),
        "index.max_total_size" => (
            value.is_empty() || parse_size(value).is_some(),
            "a size, such as 500MB or 10GB",
        ),
        "index.include_generated" | "index.include_minified" => {
            (value.parse::<bool>().is_ok(), "true, false")
        }
        "index.threads" => (value.parse::<usize>().is_ok(), "a number"),
        "index.commit_every" => (parse_seconds(value).is_some(), "a number of seconds"),
        "search.patience" => (Patience::parse(value).is_ok(), "a number of seconds, none"),
        "search.limit" | "output.max_lines" | "output.max_columns" => {
            (positive(value).is_some(), "a number from 1 on")
        }
        "output.color" | "output.hyperlinks" => one_of(value, "auto, always, never"),
        "output.format" => one_of(value, "text, markdown, json"),
        "output.context" if value.parse::<u32>().is_err() => {
            one_of(value, "windows, lines, smart, none, a number")
        }
        _ => return Ok(()),
    };
    if is_valid {
        return Ok(());
    }
    Err(format!("{key} cannot be {value:?}; expected: {expected}"))
}

fn one_of<'l>(value: &str, allowed: &'l str) -> (bool, &'l str) {
    let is_valid = allowed.split(", ").any(|known| known == value);
    (is_valid, allowed)
}

/// A whole number above 0.
fn positive(text: &str) -> Option<usize> {
    let number: u32 = text.parse().ok()?;
    (number > 0).then_some(number as usize)
}

/// A settings file; none where there is no such file.
fn read_table(path: &Path) -> anyhow::Result<Option<Table>> {
    let text = match read_small(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let table: Result<Table, toml::de::Error> = text.parse();
    // The whole message quotes the line, and that may be of any length.
    let table = table.map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let before = text.get(..start).unwrap_or("");
        let line = before.matches('\n').count() + 1;
        anyhow!("line {line}: {}", error.message())
    })?;
    Ok(Some(table))
}

/// The value of a key as it stands in a file.
fn as_text(key: &str, value: Value, path: &Path) -> anyhow::Result<String> {
    match value {
        Value::String(text) => Ok(text),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Float(number) => Ok(number.to_string()),
        Value::Boolean(flag) => Ok(flag.to_string()),
        Value::Array(list) if FOLDERS.contains(&key) => folders(path, &list),
        other => bail!("{key} cannot be of type {}", other.type_str()),
    }
}

/// `[index] threads = 2` becomes `index.threads`.
fn flatten(table: &Table) -> Vec<(String, Value)> {
    let mut flat = Vec::new();
    for (key, value) in table {
        let Value::Table(inner) = value else {
            flat.push((key.clone(), value.clone()));
            continue;
        };
        for (inner_key, value) in flatten(inner) {
            flat.push((format!("{key}.{inner_key}"), value));
        }
    }
    flat
}

/// A list of folders, relative to the file that holds it, as one value.
fn folders(file: &Path, list: &[Value]) -> anyhow::Result<String> {
    let base = file.parent().unwrap_or(file);
    let mut folders = Vec::new();
    for value in list {
        let folder = value.as_str().context("not a list of folders")?;
        folders.push(base.join(folder));
    }
    let joined = std::env::join_paths(folders)?;
    Ok(joined.to_string_lossy().into_owned())
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
