//! What differs between systems. Nothing outside this module asks which one
//! it runs on.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder for data that can be made again.
pub fn cache_folder() -> Option<PathBuf> {
    cache_base().map(|base| base.join("scent"))
}

/// The folder for the user's own settings.
pub fn config_folder() -> Option<PathBuf> {
    config_base().map(|base| base.join("scent"))
}

pub(crate) fn home() -> Option<PathBuf> {
    std::env::home_dir().filter(|home| !home.as_os_str().is_empty())
}

fn env_folder(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
}

#[cfg(windows)]
fn cache_base() -> Option<PathBuf> {
    env_folder("LOCALAPPDATA").or_else(|| home().map(|h| h.join("AppData").join("Local")))
}

#[cfg(windows)]
fn config_base() -> Option<PathBuf> {
    env_folder("APPDATA").or_else(|| home().map(|h| h.join("AppData").join("Roaming")))
}

#[cfg(target_os = "macos")]
fn cache_base() -> Option<PathBuf> {
    env_folder("XDG_CACHE_HOME").or_else(|| home().map(|h| h.join("Library").join("Caches")))
}

#[cfg(not(any(windows, target_os = "macos")))]
fn cache_base() -> Option<PathBuf> {
    env_folder("XDG_CACHE_HOME").or_else(|| home().map(|h| h.join(".cache")))
}

#[cfg(not(windows))]
fn config_base() -> Option<PathBuf> {
    env_folder("XDG_CONFIG_HOME").or_else(|| home().map(|h| h.join(".config")))
}

/// Starts a program that goes on when this one ends, is not stopped with it
/// from the keyboard, and makes room for others. It has nothing to read and
/// nowhere to write.
pub fn start_detached(program: &Path, args: &[std::ffi::OsString]) -> std::io::Result<()> {
    let start = |mut command: Command| {
        command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        detach(&mut command);
        command.spawn().map(drop)
    };
    start(yielding(program)).or_else(|_| start(Command::new(program)))
}

/// A program that others come before.
#[cfg(unix)]
fn yielding(program: &Path) -> Command {
    let mut command = Command::new("nice");
    command.arg(program);
    command
}

#[cfg(windows)]
fn yielding(program: &Path) -> Command {
    Command::new(program)
}

#[cfg(unix)]
fn detach(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(windows)]
fn detach(command: &mut Command) {
    const DETACHED_PROCESS: u32 = 0x8;
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
    const BELOW_NORMAL_PRIORITY_CLASS: u32 = 0x4000;
    let flags = DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP | BELOW_NORMAL_PRIORITY_CLASS;
    std::os::windows::process::CommandExt::creation_flags(command, flags);
}

/// When a file or its attributes last changed, in nanoseconds since 1970, where
/// the system knows.
#[cfg(unix)]
pub(crate) fn changed(metadata: &std::fs::Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt;
    metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec())
}

#[cfg(not(unix))]
pub(crate) fn changed(_: &std::fs::Metadata) -> i64 {
    i64::MIN
}

/// A part of a path as text. Bytes that are not UTF-8 are written as `\xE9`, so
/// that different names stay different.
#[cfg(unix)]
fn escaped(part: &OsStr) -> String {
    use std::os::unix::ffi::OsStrExt;
    let chunk = |chunk: std::str::Utf8Chunk| {
        let odd: String = chunk.invalid().iter().map(|byte| format!("\\x{byte:02X}")).collect();
        chunk.valid().to_owned() + &odd
    };
    part.as_bytes().utf8_chunks().map(chunk).collect()
}

#[cfg(not(unix))]
fn escaped(part: &OsStr) -> String {
    part.to_string_lossy().into_owned()
}

/// A path as people read it, with `/` on every system.
pub fn shown(path: &Path) -> String {
    let mut text = String::new();
    for part in path.components() {
        if let Component::RootDir = part {
            text.push('/');
            continue;
        }
        if !text.is_empty() && !text.ends_with('/') {
            text.push('/');
        }
        let part = part.as_os_str();
        text.push_str(&part.to_str().map_or_else(|| escaped(part), str::to_owned));
    }
    text
}

/// A relative path with `/`, and its bytes where it is not UTF-8.
pub(crate) fn portable(path: &Path) -> (String, Option<Vec<u8>>) {
    (shown(path), path.to_str().is_none().then(|| raw_bytes(path)))
}

/// The path that [`portable`] was given.
pub(crate) fn native(path: &str, raw: Option<&[u8]>) -> PathBuf {
    match raw {
        Some(raw) => from_raw_bytes(raw).unwrap_or_else(|| PathBuf::from(path)),
        None => path.split('/').collect(),
    }
}

#[cfg(unix)]
fn raw_bytes(path: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    path.as_os_str().as_bytes().to_vec()
}

#[cfg(unix)]
fn from_raw_bytes(raw: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Some(PathBuf::from(OsStr::from_bytes(raw)))
}

#[cfg(windows)]
fn raw_bytes(path: &Path) -> Vec<u8> {
    use std::os::windows::ffi::OsStrExt;
    path.as_os_str().encode_wide().flat_map(u16::to_le_bytes).collect()
}

#[cfg(windows)]
fn from_raw_bytes(raw: &[u8]) -> Option<PathBuf> {
    use std::os::windows::ffi::OsStringExt;
    let wide: Vec<u16> =
        raw.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    Some(PathBuf::from(std::ffi::OsString::from_wide(&wide)))
}

#[cfg(not(any(unix, windows)))]
fn raw_bytes(_: &Path) -> Vec<u8> {
    Vec::new()
}

#[cfg(not(any(unix, windows)))]
fn from_raw_bytes(_: &[u8]) -> Option<PathBuf> {
    None
}

/// The path without symbolic links, in the form that people write.
pub fn canonical(path: &Path) -> std::io::Result<PathBuf> {
    let path = std::fs::canonicalize(path)?;
    let plain = path.to_str().and_then(|p| p.strip_prefix(r"\\?\")).map(PathBuf::from);
    Ok(plain.unwrap_or(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_shown_with_slashes() {
        for path in ["/", "/a/b", "a/b.rs", "", "../a"] {
            assert_eq!(shown(Path::new(path)), path);
        }
    }

    #[cfg(unix)]
    #[test]
    fn odd_names_stay_apart_and_come_back() {
        use std::os::unix::ffi::OsStrExt;
        let odd = Path::new(OsStr::from_bytes(b"src/a\xE9.rs"));
        let (text, raw) = portable(odd);
        assert_eq!(text, "src/a\\xE9.rs");
        assert_eq!(native(&text, raw.as_deref()), odd);
    }
}
