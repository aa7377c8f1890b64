//! The library of ONNX Runtime, which is found and loaded when it is needed.

use crate::providers::ProviderError;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Where systems keep libraries.
const USUAL: [&str; 6] = [
    "/usr/local/lib",
    "/usr/lib",
    "/usr/lib64",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/opt/homebrew/lib",
];

/// Loads the library, once for the whole process: a file, a folder with one,
/// or what is beside the program, beside the model or in the usual places.
pub(super) fn load(given: Option<&Path>, model: &Path) -> Result<(), ProviderError> {
    static LOADED: OnceLock<Result<(), String>> = OnceLock::new();
    let loaded = LOADED.get_or_init(|| {
        let path = find(given, model)?;
        let builder = ort::init_from(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        builder.commit();
        Ok(())
    });
    loaded
        .clone()
        .map_err(|reason| ProviderError::Runtime { reason })
}

fn find(given: Option<&Path>, model: &Path) -> Result<PathBuf, String> {
    if let Some(given) = given {
        let found = if given.is_dir() {
            library_in(given)
        } else {
            Some(given.to_owned())
        };
        return found
            .filter(|path| path.is_file())
            .ok_or_else(|| format!("there is none at {}", given.display()));
    }
    let beside = std::env::current_exe()
        .ok()
        .and_then(|path| Some(path.parent()?.to_owned()));
    let usual = USUAL.iter().map(PathBuf::from);
    let folders: Vec<PathBuf> = beside
        .into_iter()
        .chain([model.to_owned()])
        .chain(usual)
        .collect();
    folders
        .iter()
        .find_map(|folder| library_in(folder))
        .ok_or_else(|| {
            let looked: Vec<String> = folders.iter().map(|f| f.display().to_string()).collect();
            format!("it is in none of {}", looked.join(", "))
        })
}

/// The library in a folder; its name may end with a version.
fn library_in(folder: &Path) -> Option<PathBuf> {
    let name = format!("{DLL_PREFIX}onnxruntime{DLL_SUFFIX}");
    let exact = folder.join(&name);
    if exact.is_file() {
        return Some(exact);
    }
    let versioned = format!("{name}.");
    let entries = fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|entry| entry.path());
    let is_it = |path: &PathBuf| {
        let file = path.file_name().and_then(|name| name.to_str());
        file.is_some_and(|file| file.starts_with(&versioned))
    };
    entries.filter(is_it).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_is_found_by_file_and_by_folder() {
        let folder = tempfile::tempdir().unwrap();
        let error = find(Some(folder.path()), Path::new("/none")).unwrap_err();
        assert!(
            error.contains(&folder.path().display().to_string()),
            "{error}"
        );
        let library = folder
            .path()
            .join(format!("{DLL_PREFIX}onnxruntime{DLL_SUFFIX}.1.22.0"));
        fs::write(&library, "").unwrap();
        assert_eq!(
            find(Some(folder.path()), Path::new("/none")).unwrap(),
            library
        );
        assert_eq!(find(Some(&library), Path::new("/none")).unwrap(), library);
        assert!(find(Some(&folder.path().join("other")), Path::new("/none")).is_err());
    }
}
