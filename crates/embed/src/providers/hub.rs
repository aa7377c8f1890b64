//! Where Hugging Face's tools keep what they downloaded. Nothing is downloaded
//! here.

use super::ProviderError;
use std::fs;
use std::path::{Path, PathBuf};

/// Whether a text looks like the name of a model: an owner and a name.
pub(super) fn is_name(text: &str) -> bool {
    let plain = |part: &str| {
        let letter = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        !part.is_empty() && !part.starts_with('.') && part.chars().all(letter)
    };
    text.split_once('/')
        .is_some_and(|(owner, name)| plain(owner) && plain(name))
}

/// The folder of a model, `owner/name`, in the cache of Hugging Face.
pub fn cached_model(name: &str, cache: &Path) -> Result<PathBuf, ProviderError> {
    if !is_name(name) {
        return Err(ProviderError::Unknown(name.to_owned()));
    }
    let folder = cache.join(format!("models--{}", name.replace('/', "--")));
    let found = snapshot(&folder);
    found.ok_or_else(|| ProviderError::NotCached {
        name: name.to_owned(),
        folder,
    })
}

/// The snapshot that `main` names; without that name, the only one there is.
fn snapshot(folder: &Path) -> Option<PathBuf> {
    let snapshots = folder.join("snapshots");
    if let Ok(revision) = fs::read_to_string(folder.join("refs/main")) {
        let named = snapshots.join(revision.trim());
        return named.is_dir().then_some(named);
    }
    let mut all = fs::read_dir(snapshots)
        .ok()?
        .flatten()
        .map(|entry| entry.path());
    let only = all.next().filter(|path| path.is_dir())?;
    all.next().is_none().then_some(only)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_two_plain_parts() {
        for good in ["BAAI/bge-small-en-v1.5", "a/b", "x_y/z.1"] {
            assert!(is_name(good), "{good}");
        }
        for bad in [
            "", "a", "a/", "/b", "a/b/c", "../b", "a/..", "a b/c", "a/b#c", "~/x",
        ] {
            assert!(!is_name(bad), "{bad}");
        }
    }

    #[test]
    fn the_cache_is_read_and_what_is_not_there_is_named() {
        let cache = tempfile::tempdir().unwrap();
        let folder = cache.path().join("models--some--model");
        let missing = cached_model("some/model", cache.path())
            .unwrap_err()
            .to_string();
        assert!(missing.contains(&folder.display().to_string()), "{missing}");
        assert!(missing.contains("hf download some/model"), "{missing}");

        fs::create_dir_all(folder.join("snapshots/aaa")).unwrap();
        assert_eq!(
            cached_model("some/model", cache.path()).unwrap(),
            folder.join("snapshots/aaa")
        );

        fs::create_dir_all(folder.join("snapshots/bbb")).unwrap();
        assert!(
            cached_model("some/model", cache.path()).is_err(),
            "which of the two?"
        );
        fs::create_dir_all(folder.join("refs")).unwrap();
        fs::write(folder.join("refs/main"), "bbb\n").unwrap();
        assert_eq!(
            cached_model("some/model", cache.path()).unwrap(),
            folder.join("snapshots/bbb")
        );
    }
}
