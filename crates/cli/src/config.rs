//! Settings: defaults, the user's file, the project's file, the environment,
//! flags, in rising order. Read once, here.

use crate::args::GlobalArgs;
use anyhow::{Context, bail};
use scent_engine::{ModelSpec, Settings, cache_folder, config_folder};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

pub(crate) const PROJECT_FILE: &str = "scent.toml";

/// Every key, with its default and what it is for.
const KEYS: [(&str, &str, &str); 14] = [
    ("data_dir", "", "where the indexes are kept"),
    ("model", "small", "which model reads meanings"),
    ("model_key", "", "what a model's server wants to see"),
    ("index.max_file_size", "2MB", "larger files are not indexed"),
    ("index.include_generated", "false", "index files that tools wrote"),
    ("index.include_minified", "false", "index minified files"),
    ("index.threads", "0", "threads to use; 0 for one a core"),
    ("search.limit", "10", "how many results are shown"),
    ("output.color", "auto", "auto, always or never"),
    ("search.linked", "", "other projects that are searched along, relative to this file"),
    ("output.format", "text", "text, markdown or json"),
    ("output.context", "lines", "what is shown of a result: smart, lines, none or a number"),
    ("output.max_lines", "50", "at most so many lines of a result"),
    ("output.max_columns", "200", "a longer line is cut"),
];

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
}

impl Config {
    /// The settings that hold for a project folder.
    pub fn load(root: Option<&Path>, flags: &GlobalArgs) -> anyhow::Result<Config> {
        let mut config = Config::defaults();
        if let Some(folder) = config_folder() {
            config.read_file(&folder.join("config.toml"))?;
        }
        if let Some(root) = root {
            config.read_file(&root.join(PROJECT_FILE))?;
        }
        config.read_environment(|name| std::env::var(name).ok())?;
        if let Some(folder) = &flags.data_dir {
            config.set("data_dir", folder.display(), "--data-dir");
        }
        if let Some(model) = &flags.model {
            config.set("model", model, "--model");
        }
        if let Some(color) = flags.color {
            config.set("output.color", format!("{color:?}").to_lowercase(), "--color");
        }
        config.check()?;
        Ok(config)
    }

    fn defaults() -> Config {
        let origin = || "default".to_owned();
        let default = |(key, value, _): &(&'static str, &str, &str)| {
            (*key, Setting { value: (*value).to_owned(), origin: origin() })
        };
        let mut config = Config { values: KEYS.iter().map(default).collect() };
        if let Some(folder) = cache_folder() {
            config.set("data_dir", folder.display(), "default");
        }
        config
    }

    fn set(&mut self, key: &'static str, value: impl Display, origin: impl Display) {
        self.values.insert(key, Setting { value: value.to_string(), origin: origin.to_string() });
    }

    fn read_file(&mut self, path: &Path) -> anyhow::Result<()> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(e) => return Err(e).with_context(|| path.display().to_string()),
        };
        let table: Table = text.parse().with_context(|| path.display().to_string())?;
        for (key, value) in flatten(&table) {
            let known = known_key(&key).with_context(|| path.display().to_string())?;
            let mut value = match value {
                Value::String(text) => text,
                Value::Integer(number) => number.to_string(),
                Value::Boolean(flag) => flag.to_string(),
                Value::Array(list) if known == "search.linked" => folders(path, &list)?,
                other => bail!("{}: {key} cannot be of type {}", path.display(), other.type_str()),
            };
            // A folder in a file is relative to that file.
            if known == "data_dir" {
                value = path.parent().unwrap_or(path).join(value).display().to_string();
            }
            self.set(known, value, path.display());
        }
        Ok(())
    }

    /// `SCENT_INDEX_MAX_FILE_SIZE` sets `index.max_file_size`.
    fn read_environment(&mut self, read: impl Fn(&str) -> Option<String>) -> anyhow::Result<()> {
        for (key, _, _) in KEYS {
            let name = environment_name(key);
            if let Some(value) = read(&name).filter(|value| !value.is_empty()) {
                self.set(key, value, name);
            }
        }
        Ok(())
    }

    /// Every value is one that its key can have.
    fn check(&self) -> anyhow::Result<()> {
        self.settings()?;
        self.limit()?;
        self.one_of("output.color", &["auto", "always", "never"])?;
        self.one_of("output.format", &["text", "markdown", "json"])?;
        self.number("output.max_lines")?;
        self.number("output.max_columns")?;
        Ok(())
    }

    pub fn get(&self, key: &str) -> &str {
        &self.values[key].value
    }

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
        self.parsed("search.limit", |v| v.parse().ok().filter(|&limit| limit > 0))
    }

    /// A whole number above 0.
    pub fn number(&self, key: &str) -> anyhow::Result<usize> {
        self.parsed(key, |v| v.parse().ok().filter(|&number| number > 0))
    }

    /// Other projects that are searched along.
    pub fn linked(&self) -> Vec<PathBuf> {
        let all = std::env::split_paths(self.get("search.linked"));
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
        KEYS.iter().map(|(key, _, about)| (*key, &self.values[key], *about))
    }

    fn parsed<T>(&self, key: &str, parse: impl Fn(&str) -> Option<T>) -> anyhow::Result<T> {
        let Setting { value, origin } = &self.values[key];
        parse(value).with_context(|| format!("{origin}: {key} cannot be {value:?}"))
    }

    fn one_of(&self, key: &str, allowed: &[&str]) -> anyhow::Result<()> {
        let Setting { value, origin } = &self.values[key];
        if !allowed.contains(&value.as_str()) {
            bail!("{origin}: {key} cannot be {value:?}: {}", allowed.join(", "));
        }
        Ok(())
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
            Value::Table(inner) => {
                flat.extend(flatten(inner).into_iter().map(|(k, v)| (format!("{key}.{k}"), v)))
            }
            value => flat.push((key.clone(), value.clone())),
        }
    }
    flat
}

fn known_key(key: &str) -> anyhow::Result<&'static str> {
    if let Some((known, _, _)) = KEYS.iter().find(|(known, _, _)| *known == key) {
        return Ok(known);
    }
    let last = |key: &str| key.rsplit('.').next().unwrap_or("").to_owned();
    let likeness = |known: &str| {
        strsim::jaro_winkler(known, key).max(strsim::jaro_winkler(&last(known), &last(key)))
    };
    let nearest =
        KEYS.iter().map(|(known, _, _)| *known).max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
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
    let folders = folders.with_context(|| format!("{}: not a list of folders", file.display()))?;
    Ok(std::env::join_paths(folders)?.to_string_lossy().into_owned())
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
        config.read_environment(|name| (name == "SCENT_SEARCH_LIMIT").then(|| "7".into())).unwrap();
        assert_eq!(config.limit().unwrap(), 7);
        assert_eq!(config.values["search.limit"].origin, "SCENT_SEARCH_LIMIT");
    }

    #[test]
    fn unknown_keys_are_errors_with_a_suggestion() {
        let error = known_key("index.max_filesize").unwrap_err().to_string();
        assert!(error.contains("index.max_file_size"), "{error}");
        let error = known_key("limit").unwrap_err().to_string();
        assert!(error.contains("search.limit"), "{error}");
        assert!(known_key("zzz").unwrap_err().to_string().contains("config show"));
    }

    #[test]
    fn bad_values_name_their_source() {
        let mut config = Config::defaults();
        config.set("search.limit", "many", "scent.toml");
        let error = config.check().unwrap_err().to_string();
        assert!(error.contains("scent.toml") && error.contains("many"), "{error}");
    }
}
