//! The large model, in a file that lies somewhere beside the program.

use super::{ProviderError, file};
use crate::Model;
use std::path::{Path, PathBuf};

const NAME: &str = "deep.safetensors";

/// The large model; a folder that is given is looked into first.
pub(super) fn open(models: Option<&Path>) -> Result<Model, ProviderError> {
    let program = std::env::current_exe().ok();
    let looked = places(models, program.as_deref());
    match looked.iter().find(|path| path.is_file()) {
        Some(path) => file::open(path),
        None => Err(ProviderError::NoDeep { looked }),
    }
}

/// Where the file may be, in the order in which it is looked for.
fn places(models: Option<&Path>, program: Option<&Path>) -> Vec<PathBuf> {
    let beside = program.and_then(Path::parent);
    let above = beside.and_then(Path::parent);
    let shared = above.map(|above| above.join("share/scent"));
    // A program that was built here has the model of the same sources.
    let built = above
        .filter(|above| above.ends_with("target"))
        .and_then(Path::parent);
    let sources = built.map(|sources| sources.join("models"));
    let folders = [
        models.map(Path::to_owned),
        beside.map(Path::to_owned),
        shared,
        sources,
    ];
    folders
        .into_iter()
        .flatten()
        .map(|folder| folder.join(NAME))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_in_order() {
        let paths = |models: Option<&str>, program| {
            let found = places(models.map(Path::new), Some(Path::new(program)));
            found
                .iter()
                .map(|path| path.display().to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            paths(Some("/m"), "/src/target/release/scent"),
            [
                "/m/deep.safetensors",
                "/src/target/release/deep.safetensors",
                "/src/target/share/scent/deep.safetensors",
                "/src/models/deep.safetensors",
            ]
        );
        assert_eq!(
            paths(None, "/usr/bin/scent"),
            [
                "/usr/bin/deep.safetensors",
                "/usr/share/scent/deep.safetensors"
            ]
        );
    }

    #[test]
    fn a_missing_file_is_answered_with_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let message = open(Some(folder.path()))
            .err()
            .expect("no model")
            .to_string();
        let looked = folder.path().join(NAME).display().to_string();
        for part in [
            &looked,
            "share/scent",
            "copy models/deep.safetensors",
            "--features deep",
        ] {
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn a_given_folder_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(NAME), "no model").unwrap();
        let message = open(Some(folder.path()))
            .err()
            .expect("no model")
            .to_string();
        assert!(message.contains("cannot be used"), "{message}");
    }
}
