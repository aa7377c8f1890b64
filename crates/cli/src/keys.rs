//! The settings that there are: names, defaults, and who may set them.

use anyhow::bail;

/// Who may set a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The user's file, the environment and flags.
    User,
    /// The user, or the file of a project.
    Anywhere,
}

/// A setting.
pub(crate) struct Key {
    pub name: &'static str,
    pub default: &'static str,
    pub about: &'static str,
    pub origin: Origin,
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

/// Every setting.
pub(crate) static KEYS: [Key; 19] = [
    user("data_dir", "", "folder to keep indexes in"),
    user("model", "small", "embedding model to use"),
    user("model_key", "", "key to send to the server of the model"),
    anywhere("index.max_file_size", "2MB", "larger files are skipped"),
    anywhere("index.include_generated", "false", "index generated files"),
    anywhere("index.include_minified", "false", "index minified files"),
    user("index.threads", "0", "threads to use; 0 for one per core"),
    user(
        "index.commit_every",
        "3",
        "seconds after which a long update saves what it has",
    ),
    user(
        "index.max_total_size",
        "",
        "most bytes of all indexes together",
    ),
    anywhere("search.limit", "10", "maximum number of results"),
    user(
        "search.patience",
        "10",
        "seconds to index before an answer; none to wait for all",
    ),
    anywhere("search.linked", "", "other projects to search as well"),
    user(
        "search.allow_linked",
        "",
        "folders that any project may link",
    ),
    anywhere("output.color", "auto", "auto, always or never"),
    anywhere("output.format", "text", "text, markdown or json"),
    user(
        "output.hyperlinks",
        "auto",
        "link paths: auto, always or never",
    ),
    anywhere(
        "output.context",
        "windows",
        "windows, lines, smart, none or a number",
    ),
    anywhere("output.max_lines", "50", "maximum lines of a result"),
    anywhere("output.max_columns", "200", "longer lines are cut"),
];

/// Every key, its environment variable, and what it sets.
pub(crate) fn variables() -> impl Iterator<Item = (&'static str, String, &'static str)> {
    KEYS.iter()
        .map(|key| (key.name, environment_name(key.name), key.about))
}

pub(crate) fn environment_name(key: &str) -> String {
    format!("SCENT_{}", key.replace('.', "_").to_uppercase())
}

/// The setting of a name, or an error that suggests the nearest one.
pub(crate) fn known_key(key: &str) -> anyhow::Result<&'static Key> {
    if let Some(known) = KEYS.iter().find(|known| known.name == key) {
        return Ok(known);
    }
    let mut nearest = None;
    let mut most = 0.8;
    for known in &KEYS {
        let similarity = similarity(known.name, key);
        if similarity >= most {
            most = similarity;
            nearest = Some(known.name);
        }
    }
    match nearest {
        Some(nearest) => bail!("no such setting: {key:?}; did you mean {nearest:?}?"),
        None => bail!("no such setting: {key:?}; `scent config show` lists all settings"),
    }
}

/// How similar two keys are, as a whole or by their last part.
fn similarity(a: &str, b: &str) -> f64 {
    let last = |key: &str| key.rsplit('.').next().unwrap_or("").to_owned();
    let of_last = strsim::jaro_winkler(&last(a), &last(b));
    of_last.max(strsim::jaro_winkler(a, b))
}
