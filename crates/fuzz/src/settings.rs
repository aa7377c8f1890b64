//! Any bytes as the settings of a project.

/// The bytes are those of `scent.toml`.
pub fn settings(bytes: &[u8]) -> bool {
    scent_cli::fuzzing::settings(bytes);
    true
}
