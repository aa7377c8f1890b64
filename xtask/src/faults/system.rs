//! What of the attacks depends on the system: signals, owners, mounts.

use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

/// Whether a process was ended by SIGKILL, or by a wrapper that passes it on.
pub(super) fn was_killed(status: ExitStatus) -> bool {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal: Option<i32> = None;
    signal == Some(9) || status.code() == Some(137)
}

#[cfg(unix)]
pub(super) fn run_as(command: &mut Command, user: u32) {
    std::os::unix::process::CommandExt::uid(command, user);
    std::os::unix::process::CommandExt::gid(command, user);
}

#[cfg(not(unix))]
pub(super) fn run_as(_: &mut Command, _: u32) {}

#[cfg(unix)]
pub(super) fn give_to(path: &Path, user: u32) -> std::io::Result<()> {
    std::os::unix::fs::chown(path, Some(user), Some(user))
}

#[cfg(not(unix))]
pub(super) fn give_to(_: &Path, _: u32) -> std::io::Result<()> {
    Ok(())
}

#[cfg(unix)]
pub(super) fn set_mode(path: &Path, mode: u32) -> std::io::Result<()> {
    let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
    std::fs::set_permissions(path, mode)
}

#[cfg(not(unix))]
pub(super) fn set_mode(_: &Path, _: u32) -> std::io::Result<()> {
    Ok(())
}

/// Whether a program can be started.
pub(super) fn has_program(name: &str) -> bool {
    let mut command = Command::new(name);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
