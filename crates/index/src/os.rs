//! What differs between systems, as far as the index on disk is concerned.

use std::fs::Metadata;

/// What tells a file from another that took its place, or from itself before
/// it was written to, where the system knows: its inode, and when its contents
/// or attributes last changed. A program can set the time of modification back,
/// but not these.
#[cfg(unix)]
pub(crate) fn identity(data: &Metadata) -> (u64, i128) {
    use std::os::unix::fs::MetadataExt;
    let nanoseconds = i128::from(data.ctime()) * 1_000_000_000 + i128::from(data.ctime_nsec());
    (data.ino(), nanoseconds)
}

#[cfg(not(unix))]
pub(crate) fn identity(_: &Metadata) -> (u64, i128) {
    (0, 0)
}

/// Whether an error is that too many files are open, which has no name yet.
#[cfg(unix)]
pub(crate) fn is_too_many_files(error: &std::io::Error) -> bool {
    const OF_THE_SYSTEM: i32 = 23;
    const OF_THE_PROCESS: i32 = 24;
    matches!(error.raw_os_error(), Some(OF_THE_SYSTEM | OF_THE_PROCESS))
}

#[cfg(not(unix))]
pub(crate) fn is_too_many_files(_: &std::io::Error) -> bool {
    false
}

/// Closes a folder to everybody but its owner. What a system does not know, or
/// does not allow, it need not do.
#[cfg(unix)]
pub(crate) fn make_private(folder: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt;
    let Ok(data) = std::fs::metadata(folder) else {
        return;
    };
    if data.permissions().mode() & 0o077 != 0 {
        let _ = std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700));
    }
}

#[cfg(not(unix))]
pub(crate) fn make_private(_: &std::path::Path) {}

/// Lets the owner of a file read it and write to it.
#[cfg(unix)]
pub(crate) fn allow_owner(path: &std::path::Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
pub(crate) fn allow_owner(_: &std::path::Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::PermissionDenied.into())
}
