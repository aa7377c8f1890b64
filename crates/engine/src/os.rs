//! What differs between systems. No other module asks which one it runs on.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
#[cfg(unix)]
use std::sync::OnceLock;

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
    std::env::var_os(name)
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
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
        command
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.env_remove(STARTS);
        detach(&mut command);
        command.spawn().map(forget_when_done)
    };
    start(yielding(program)).or_else(|_| start(Command::new(program)))
}

/// Starts a server that outlives this process. Others wait for its answers, so
/// it makes no room for them.
pub fn start_server(program: &Path, args: &[std::ffi::OsString]) -> std::io::Result<()> {
    let mut command = Command::new(program);
    command
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.env_remove(STARTS);
    detach(&mut command);
    command.spawn().map(forget_when_done)
}

/// Opens an address with the program that the user has for it.
pub fn open_address(address: &str) -> std::io::Result<()> {
    let mut command = Command::new(OPENER[0]);
    command
        .args(&OPENER[1..])
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().map(forget_when_done)
}

#[cfg(target_os = "macos")]
const OPENER: [&str; 1] = ["open"];

#[cfg(windows)]
const OPENER: [&str; 2] = ["rundll32", "url.dll,FileProtocolHandler"];

#[cfg(not(any(target_os = "macos", windows)))]
const OPENER: [&str; 1] = ["xdg-open"];

/// Whoever goes on for long must not keep what is left of a process that ended.
fn forget_when_done(mut child: std::process::Child) {
    std::thread::spawn(move || child.wait());
}

/// The process that started this one; 0 where a system does not tell. It is
/// another one as soon as that one has ended.
#[cfg(unix)]
pub fn parent_process() -> u32 {
    std::os::unix::process::parent_id()
}

#[cfg(not(unix))]
pub fn parent_process() -> u32 {
    0
}

/// A program with a low priority.
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

/// Lets nobody but the user read the files and folders that this process makes.
/// What an index holds is as private as the sources that it was made of.
#[cfg(unix)]
#[allow(unsafe_code)]
pub fn make_files_private() {
    // SAFETY: it sets one number of the process and cannot fail.
    let usual = unsafe { libc::umask(0o077) };
    USUAL_MASK.get_or_init(|| usual);
}

/// The mask that the process began with.
#[cfg(unix)]
static USUAL_MASK: OnceLock<libc::mode_t> = OnceLock::new();

/// Whether nobody but the user can read a file; true where a system has no such
/// modes.
#[cfg(unix)]
pub fn is_private(file: &std::fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&file.permissions()) & 0o077 == 0
}

#[cfg(not(unix))]
pub fn is_private(_: &std::fs::Metadata) -> bool {
    true
}

/// Does something that makes files of other programs, which are as private as
/// those programs would make them. No other thread may make files meanwhile.
#[cfg(unix)]
#[allow(unsafe_code)]
pub fn with_usual_modes<T>(work: impl FnOnce() -> T) -> T {
    let Some(usual) = USUAL_MASK.get() else {
        return work();
    };
    // SAFETY: as above.
    let private = unsafe { libc::umask(*usual) };
    let done = work();
    // SAFETY: as above.
    unsafe { libc::umask(private) };
    done
}

#[cfg(not(unix))]
pub fn make_files_private() {}

#[cfg(not(unix))]
pub fn with_usual_modes<T>(work: impl FnOnce() -> T) -> T {
    work()
}

pub use interrupts::{catch_interrupts, interrupted, release_interrupts};

/// Signals by which a user ends a command. While they are caught, the work stops
/// where it can go on later; the second one ends the command at once.
#[cfg(unix)]
#[allow(unsafe_code)]
mod interrupts {
    use libc::c_int;
    use std::sync::atomic::{AtomicI32, Ordering};

    const SIGNALS: [c_int; 2] = [libc::SIGINT, libc::SIGTERM];

    /// The signal that came; 0 for none.
    static CAME: AtomicI32 = AtomicI32::new(0);

    /// From now on, [`interrupted`] tells of a signal, and nothing else happens.
    pub fn catch_interrupts() {
        set(on_signal as extern "C" fn(c_int) as libc::sighandler_t);
    }

    /// From now on, a signal ends the process.
    pub fn release_interrupts() {
        set(libc::SIG_DFL);
    }

    /// The number of the signal that came while signals were caught.
    pub fn interrupted() -> Option<i32> {
        Some(CAME.load(Ordering::Relaxed)).filter(|signal| *signal != 0)
    }

    fn set(handler: libc::sighandler_t) {
        for signal in SIGNALS {
            // SAFETY: the handler only stores a number. A signal that is ignored,
            // as it is for commands in the background of a script, stays so.
            unsafe {
                let mut before: libc::sigaction = std::mem::zeroed();
                libc::sigaction(signal, std::ptr::null(), &mut before);
                if before.sa_sigaction == libc::SIG_IGN {
                    continue;
                }
                let mut action: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = handler;
                action.sa_flags = libc::SA_RESTART | libc::SA_RESETHAND;
                libc::sigemptyset(&mut action.sa_mask);
                libc::sigaction(signal, &action, std::ptr::null_mut());
            }
        }
    }

    extern "C" fn on_signal(signal: c_int) {
        CAME.store(signal, Ordering::Relaxed);
    }
}

/// Elsewhere, a signal ends the process, and the last slice of an update is lost.
#[cfg(not(unix))]
mod interrupts {
    pub fn catch_interrupts() {}

    pub fn release_interrupts() {}

    pub fn interrupted() -> Option<i32> {
        None
    }
}

pub(crate) use crashes::{restart_on_crash, while_noted};

/// Says in the environment how often a command was started again.
const STARTS: &str = "SCENT_STARTED_AGAIN";

/// How often this command was started again.
pub(crate) fn starts() -> usize {
    let starts = std::env::var(STARTS).ok();
    starts.and_then(|starts| starts.parse().ok()).unwrap_or(0)
}

/// Whether a file that ended this command while it was parsed made it start
/// again, with nothing of what it knew before.
pub fn was_started_again() -> bool {
    starts() > 0
}

/// Keeps standard output for the caller alone: what anything else writes there
/// goes to standard error from now on. None where the system has no such way.
///
/// # Errors
/// Those of the system, which then has left standard output as it was.
#[cfg(unix)]
#[allow(unsafe_code)]
pub fn keep_standard_output() -> std::io::Result<Option<std::fs::File>> {
    use std::os::fd::{FromRawFd, OwnedFd};
    // SAFETY: it takes numbers, and gives a descriptor that is new, or an error.
    let kept = unsafe { libc::fcntl(1, libc::F_DUPFD_CLOEXEC, 3) };
    if kept < 0 {
        return Err(std::io::Error::last_os_error());
    }
    // SAFETY: it is open, and nobody else knows of it.
    let kept = unsafe { OwnedFd::from_raw_fd(kept) };
    // SAFETY: both are descriptors of this process, and nobody holds the one of
    // standard output as its own.
    if unsafe { libc::dup2(2, 1) } < 0 {
        return Err(std::io::Error::last_os_error());
    }
    Ok(Some(kept.into()))
}

#[cfg(not(unix))]
pub fn keep_standard_output() -> std::io::Result<Option<std::fs::File>> {
    Ok(None)
}

/// Rewinds standard input to what was read from it, for a command that may be
/// started again. A failure does no harm before that happens.
#[cfg(unix)]
#[allow(unsafe_code)]
pub fn keep_input(read: &[u8]) {
    use std::io::{Seek, Write};
    use std::os::fd::AsRawFd;
    let name = format!("scent-input-{}", std::process::id());
    let path = std::env::temp_dir().join(name);
    let options = || {
        let mut options = std::fs::OpenOptions::new();
        options.read(true).write(true).create_new(true).open(&path)
    };
    let Ok(mut file) = options() else { return };
    let _ = std::fs::remove_file(&path);
    if file.write_all(read).and_then(|()| file.rewind()).is_ok() {
        // SAFETY: both are open files of this process.
        unsafe { libc::dup2(file.as_raw_fd(), 0) };
    }
}

#[cfg(not(unix))]
pub fn keep_input(_: &[u8]) {}

/// Signals that end a process which does what it must not. They are handled
/// where C code is at work that may do so; see [`crate::crash`].
#[cfg(unix)]
#[allow(unsafe_code)]
mod crashes {
    use super::STARTS;
    use std::cell::{Cell, UnsafeCell};
    use std::ffi::{CString, OsStr, OsString, c_char, c_int, c_void};
    use std::fs::OpenOptions;
    use std::os::fd::IntoRawFd;
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    use std::path::Path;
    use std::sync::atomic::{AtomicI32, AtomicPtr, Ordering};

    const SIGNALS: [c_int; 6] = [
        libc::SIGABRT,
        libc::SIGSEGV,
        libc::SIGBUS,
        libc::SIGILL,
        libc::SIGFPE,
        libc::SIGTRAP,
    ];

    /// The longest note, in bytes.
    const LONGEST: usize = 1024;

    /// Where notes are written to; -1 for nowhere.
    static NOTES: AtomicI32 = AtomicI32::new(-1);

    /// How the command is started again.
    static COMMAND: AtomicPtr<Command> = AtomicPtr::new(std::ptr::null_mut());

    struct Command {
        program: CString,
        /// The arguments and the environment, with a null at the end of each;
        /// never freed.
        arguments: Vec<*const c_char>,
        environment: Vec<*const c_char>,
    }

    thread_local! {
        /// What this thread is at, and how long that is. A signal handler reads
        /// it, so it is plain memory that nobody has to make or to drop.
        static NOTE: UnsafeCell<[u8; LONGEST]> = const { UnsafeCell::new([0; LONGEST]) };
        static LENGTH: Cell<usize> = const { Cell::new(0) };
    }

    /// From now on, notes go to a file where a crash leaves one, and the command
    /// starts again.
    pub(crate) fn restart_on_crash(notes: &Path, starts: usize) {
        let options = OpenOptions::new().create(true).append(true).open(notes);
        let (Ok(file), Ok(program)) = (options, std::env::current_exe()) else {
            return;
        };
        let Ok(program) = CString::new(program.as_os_str().as_bytes()) else {
            return;
        };
        let arguments = std::env::args_os().collect();
        let others = std::env::vars_os().filter(|(name, _)| name != STARTS);
        let mut environment: Vec<OsString> = others
            .map(|(name, value)| [name, value].join(OsStr::new("=")))
            .collect();
        environment.push(format!("{STARTS}={starts}").into());
        let (arguments, environment) = (pointers(arguments), pointers(environment));
        let command = Command {
            program,
            arguments,
            environment,
        };
        COMMAND.store(Box::into_raw(Box::new(command)), Ordering::SeqCst);
        NOTES.store(file.into_raw_fd(), Ordering::SeqCst);
        SIGNALS.into_iter().for_each(handle);
    }

    /// Texts as the system takes them. None of these has a zero in it.
    fn pointers(texts: Vec<OsString>) -> Vec<*const c_char> {
        let texts = texts
            .into_iter()
            .filter_map(|text| CString::new(text.into_vec()).ok());
        let texts = texts.map(|text| text.into_raw().cast_const());
        texts.chain([std::ptr::null()]).collect()
    }

    fn handle(signal: c_int) {
        // SAFETY: the handler does only what is allowed in one, and it is the
        // only thing that changes for the signal. It runs on the stack for
        // signals, since the usual one may be full.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = on_signal;
            action.sa_sigaction = handler as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigemptyset(&mut action.sa_mask);
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }

    /// Runs something that leaves this note if it ends the process.
    pub(crate) fn while_noted<T>(note: &[u8], run: impl FnOnce() -> T) -> T {
        let length = note.len().min(LONGEST);
        // SAFETY: only this thread writes to its note, and no signal handler
        // reads it before the length is set.
        NOTE.with(|kept| unsafe { (&mut *kept.get())[..length].copy_from_slice(&note[..length]) });
        let _cleared = Cleared;
        LENGTH.set(length);
        run()
    }

    struct Cleared;

    impl Drop for Cleared {
        fn drop(&mut self) {
            LENGTH.set(0);
        }
    }

    extern "C" fn on_signal(signal: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
        // SAFETY: everything called here is allowed in a signal handler, and
        // what it reads was made before the handler was set.
        unsafe {
            if LENGTH.get() > 0 && is_own(info) && write_note() {
                start_again();
            }
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }

    /// Whether this process brought the signal on itself, by a fault or by
    /// aborting: others may send the same ones, and that blames nobody.
    #[cfg(target_os = "linux")]
    unsafe fn is_own(info: *mut libc::siginfo_t) -> bool {
        // SAFETY: the system hands over a valid pointer.
        let (code, sender) = unsafe { ((*info).si_code, (*info).si_pid()) };
        let is_fault = code > 0;
        is_fault || (code == libc::SI_TKILL && sender == std::process::id() as i32)
    }

    #[cfg(not(target_os = "linux"))]
    unsafe fn is_own(info: *mut libc::siginfo_t) -> bool {
        // SAFETY: the system hands over a valid pointer.
        let sender = unsafe { (*info).si_pid() };
        sender == 0 || sender == std::process::id() as i32
    }

    unsafe fn write_note() -> bool {
        let (file, length) = (NOTES.load(Ordering::SeqCst), LENGTH.replace(0));
        // SAFETY: so many bytes of the note were written before its length.
        let written = NOTE.with(|note| unsafe { libc::write(file, note.get().cast(), length) });
        written == length as isize && file >= 0
    }

    /// Starts the command from its beginning, in this process. Locks go with the
    /// files that are closed by it. Returns where that is not possible.
    unsafe fn start_again() {
        let command = COMMAND.load(Ordering::SeqCst);
        // SAFETY: the command is never freed, and its lists end with a null.
        unsafe {
            let mut none: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&mut none);
            libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut());
            let Command {
                program,
                arguments,
                environment,
            } = &*command;
            libc::execve(program.as_ptr(), arguments.as_ptr(), environment.as_ptr());
        }
    }
}

/// Other systems end the process, and nothing is noted.
#[cfg(not(unix))]
mod crashes {
    pub(crate) fn restart_on_crash(_: &std::path::Path, _: usize) {}

    pub(crate) fn while_noted<T>(_: &[u8], run: impl FnOnce() -> T) -> T {
        run()
    }
}

/// When a file or its attributes last changed, in nanoseconds since 1970, where
/// the system knows.
#[cfg(unix)]
pub(crate) fn changed(metadata: &std::fs::Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt;
    metadata
        .ctime()
        .saturating_mul(1_000_000_000)
        .saturating_add(metadata.ctime_nsec())
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
        let odd: String = chunk
            .invalid()
            .iter()
            .map(|byte| format!("\\x{byte:02X}"))
            .collect();
        chunk.valid().to_owned() + &odd
    };
    part.as_bytes().utf8_chunks().map(chunk).collect()
}

#[cfg(not(unix))]
fn escaped(part: &OsStr) -> String {
    part.to_string_lossy().into_owned()
}

/// A path for display, with `/` on every system.
pub fn display_path(path: &Path) -> String {
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
    (
        display_path(path),
        path.to_str().is_none().then(|| raw_bytes(path)),
    )
}

/// The path that [`portable`] was given.
pub(crate) fn native(path: &str, raw: Option<&[u8]>) -> PathBuf {
    match raw {
        Some(raw) => from_raw_bytes(raw).unwrap_or_else(|| PathBuf::from(path)),
        None => path.split('/').collect(),
    }
}

#[cfg(unix)]
pub(crate) fn raw_bytes(path: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    path.as_os_str().as_bytes().to_vec()
}

#[cfg(unix)]
pub(crate) fn from_raw_bytes(raw: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Some(PathBuf::from(OsStr::from_bytes(raw)))
}

#[cfg(windows)]
pub(crate) fn raw_bytes(path: &Path) -> Vec<u8> {
    use std::os::windows::ffi::OsStrExt;
    path.as_os_str()
        .encode_wide()
        .flat_map(u16::to_le_bytes)
        .collect()
}

#[cfg(windows)]
pub(crate) fn from_raw_bytes(raw: &[u8]) -> Option<PathBuf> {
    use std::os::windows::ffi::OsStringExt;
    let wide: Vec<u16> = raw
        .chunks_exact(2)
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
        .collect();
    Some(PathBuf::from(std::ffi::OsString::from_wide(&wide)))
}

#[cfg(not(any(unix, windows)))]
pub(crate) fn raw_bytes(_: &Path) -> Vec<u8> {
    Vec::new()
}

#[cfg(not(any(unix, windows)))]
pub(crate) fn from_raw_bytes(_: &[u8]) -> Option<PathBuf> {
    None
}

/// The path without symbolic links, in the form that people write.
pub fn canonical(path: &Path) -> std::io::Result<PathBuf> {
    let path = std::fs::canonicalize(path)?;
    let plain = path
        .to_str()
        .and_then(|p| p.strip_prefix(r"\\?\"))
        .map(PathBuf::from);
    Ok(plain.unwrap_or(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_shown_with_slashes() {
        for path in ["/", "/a/b", "a/b.rs", "", "../a"] {
            assert_eq!(display_path(Path::new(path)), path);
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
