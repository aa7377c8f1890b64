//! Which Rust the sources need: declared once, the same everywhere, and no
//! channel that a machine without network could not fetch.

use super::Problem;
use super::tree::{File, Tree};

/// Files that make rustup fetch another toolchain.
const PINS: [&str; 2] = ["rust-toolchain", "rust-toolchain.toml"];

/// What stands before a version in prose.
const PROSE: &str = "Rust 1.";

/// Every manifest inherits `rust-version` from the workspace, text for people
/// names the same version, and nothing pins a channel.
pub(super) fn one_declared_version(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in &tree.files {
        let name = file.path.rsplit('/').next().unwrap_or(&file.path);
        if PINS.contains(&name) {
            let message = "pins a toolchain; rust-version in Cargo.toml says enough";
            problems.push(Problem::new(&file.path, 1, message));
        }
    }
    for (_, manifest) in tree.manifests() {
        if !manifest.text.contains("\nrust-version.workspace = true\n") {
            let message = "does not inherit rust-version from the workspace";
            problems.push(Problem::new(&manifest.path, 1, message));
        }
    }
    if let Some(declared) = declared(tree) {
        for file in tree.files.iter().filter(|file| file.path.ends_with(".md")) {
            problems.extend(other_versions(file, declared));
        }
    }
    problems
}

/// The version in the manifest of the workspace, such as `1.95`.
fn declared(tree: &Tree) -> Option<&str> {
    let manifest = tree.files.iter().find(|file| file.path == "Cargo.toml")?;
    let mut lines = manifest.text.lines();
    let value = lines.find_map(|line| line.strip_prefix("rust-version = "))?;
    Some(value.trim_matches('"'))
}

/// Places where a text asks for another version than the declared one.
fn other_versions(file: &File, declared: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(file.text.lines()) {
        for (at, _) in line.match_indices(PROSE) {
            let version = line[at..].split(' ').nth(1).unwrap_or("");
            let version = version.trim_end_matches(|c: char| !c.is_ascii_digit());
            if version != declared {
                let message = format!("names Rust {version}; Cargo.toml declares {declared}");
                problems.push(Problem::new(&file.path, number, message));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_version_and_a_pin_are_found() {
        let inherits = "[package]\nrust-version.workspace = true\n";
        let cases = [
            ("crates/a/Cargo.toml", inherits, true),
            ("crates/a/Cargo.toml", "[package]\nname = \"a\"\n", false),
            ("README.md", "With Rust 1.95 or newer,", true),
            ("README.md", "With Rust 1.95, or newer,", true),
            ("README.md", "With Rust 1.91 or newer,", false),
            ("README.md", "With Rust 1.9.", false),
            ("rust-toolchain.toml", "[toolchain]\n", false),
            ("fuzz/rust-toolchain", "nightly\n", false),
        ];
        for (path, text, holds) in cases {
            let workspace = (
                "Cargo.toml",
                "[workspace.package]\nrust-version = \"1.95\"\n",
            );
            let found = one_declared_version(&Tree::of(&[workspace, (path, text)]));
            assert_eq!(found.is_empty(), holds, "{path}: {text} {found:?}");
        }
    }
}
