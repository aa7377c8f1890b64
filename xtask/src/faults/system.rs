//! What of the attacks depends on the system: signals, owners, mounts.

use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

/// The user without rights that a program runs as where the attacks themselves
/// run as root, which no permission stops.
const NOBODY: u32 = 65534;

/// Whether a process was ended by SIGKILL, or by a wrapper that passes it on.
pub(super) fn was_killed(status: ExitStatus) -> bool {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal: Option<i32> = None;
    signal == Some(9) || status.code() == Some(137)
}

/// The user to run as so that permissions count; none where they do already.
pub(super) fn unprivileged() -> Option<u32> {
    is_root().then_some(NOBODY)
}

fn is_root() -> bool {
    let asked = Command::new("id").arg("-u").stderr(Stdio::null()).output();
    asked.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Whether permissions can be taken away from a program here.
pub(super) fn has_permissions() -> bool {
    cfg!(unix)
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

/// Lets a process stand still, or go on. Says whether that could be done.
pub(super) fn set_stopped(process: u32, stopped: bool) -> bool {
    let signal = if stopped { "-STOP" } else { "-CONT" };
    let mut command = Command::new("kill");
    command.args([signal, &process.to_string()]);
    has_permissions() && quietly(command)
}

/// Whether a program can be started.
pub(super) fn has_program(name: &str) -> bool {
    let mut command = Command::new(name);
    command
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .stdin(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// A file system of its own in memory, for as long as this lives.
pub(super) struct Disk<'a> {
    at: &'a Path,
}

impl Disk<'_> {
    /// Mounts one of so many bytes; none where that is not allowed.
    pub fn mount(at: &Path, bytes: u64) -> Option<Disk<'_>> {
        let size = format!("size={bytes}");
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(at);
        quietly(command).then_some(Disk { at })
    }

    /// Lets nobody write, or everybody again.
    pub fn set_read_only(&self, read_only: bool) -> bool {
        let option = if read_only {
            "remount,ro"
        } else {
            "remount,rw"
        };
        let mut command = Command::new("mount");
        command.args(["-o", option]).arg(self.at);
        quietly(command)
    }
}

impl Drop for Disk<'_> {
    fn drop(&mut self) {
        let mut command = Command::new("umount");
        command.arg("--lazy").arg(self.at);
        quietly(command);
    }
}

fn quietly(mut command: Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
