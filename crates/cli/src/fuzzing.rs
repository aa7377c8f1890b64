//! The reader of settings, for `crates/fuzz`.

use crate::args::{Cli, GlobalArgs};
use crate::config::{Config, PROJECT_FILE};
use clap::Parser;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// What no project decides: where code and keys are sent, where is written to,
/// and how much of the machine is used.
const OF_THE_USER: [&str; 4] = ["data_dir", "model", "model_key", "index.threads"];

/// The settings of a project with this file.
pub fn settings(bytes: &[u8]) {
    static FLAGS: LazyLock<GlobalArgs> =
        LazyLock::new(|| Cli::parse_from(["scent", "words"]).global);
    fs::write(folder().join(PROJECT_FILE), bytes).expect("a file of one input");
    let Ok(config) = Config::load(Some(folder()), &FLAGS) else {
        return;
    };
    let Ok(without) = Config::load(None, &FLAGS) else {
        return;
    };
    for key in OF_THE_USER {
        assert_eq!(
            config.setting(key),
            without.setting(key),
            "a project set {key}"
        );
    }
    config.linked();
}

/// The folder of a project of this process.
fn folder() -> &'static Path {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let name = format!("scent-fuzz-{}/project", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("a folder for files of one input");
        folder
    });
    &FOLDER
}
