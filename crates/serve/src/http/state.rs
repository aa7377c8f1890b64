//! The servers that run, as files in the data folder say, one each: so that
//! `--status` and `--stop` find them.

use super::token::Token;
use super::{STOP, STOP_KEY};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a server may take to say that it is there.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long a server may take to stop.
const STOPPING: Duration = Duration::from_secs(5);

/// A longer answer is not that of a server of ours, in bytes.
const LONGEST: u64 = 64 << 10;

/// A server that runs.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RunningServer {
    /// Where it answers.
    pub address: SocketAddr,
    /// Its process.
    pub process: u32,
    /// The version of the program.
    pub version: String,
    /// The folders that it serves.
    pub roots: Vec<PathBuf>,
    /// The file that holds its token, if it asks for one.
    pub token_file: Option<PathBuf>,
    /// What stops it.
    key: String,
    #[serde(skip)]
    file: PathBuf,
}

impl RunningServer {
    pub(super) fn new(
        folder: &Path,
        address: SocketAddr,
        roots: Vec<PathBuf>,
        token_file: Option<PathBuf>,
        key: &Token,
    ) -> RunningServer {
        RunningServer {
            address,
            process: std::process::id(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            roots,
            token_file,
            key: key.reveal().to_owned(),
            file: folder.join(format!("{}.json", address.port())),
        }
    }

    /// Lets others find the server. Only this user can read the file.
    pub(super) fn write(&self) -> io::Result<()> {
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder)?;
        }
        let text = serde_json::to_string(self).map_err(io::Error::other)?;
        let half = self.file.with_extension(format!("{}", self.process));
        fs::write(&half, text)?;
        fs::rename(&half, &self.file)
    }

    pub(super) fn remove(&self) {
        let _ = fs::remove_file(&self.file);
    }

    /// Sends a request without a body; gives the status.
    fn ask(&self, method: &str, path: &str) -> io::Result<u16> {
        let mut stream = TcpStream::connect_timeout(&self.reachable(), PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let token = self
            .token_file
            .as_ref()
            .and_then(|file| Token::in_file(file).ok());
        let token = token.map_or_else(String::new, |token| {
            format!("authorization: Bearer {}\r\n", token.reveal())
        });
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost:{}\r\n{token}{STOP_KEY}: {}\r\n\
             content-length: 0\r\nconnection: close\r\n\r\n",
            self.address.port(),
            self.key
        );
        stream.write_all(request.as_bytes())?;
        let mut answer = Vec::new();
        stream.take(LONGEST).read_to_end(&mut answer)?;
        let answer = String::from_utf8_lossy(&answer);
        let status = answer
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        status.ok_or_else(|| io::Error::other("no answer"))
    }

    /// An address that leads to the server from here.
    fn reachable(&self) -> SocketAddr {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
        }
        address
    }

    /// Whether it answers.
    pub fn is_there(&self) -> bool {
        self.ask("GET", "/healthz")
            .is_ok_and(|status| status == 200)
    }
}

/// The servers whose files are in a folder, and that answer. Files that those
/// left who were killed are removed.
pub fn servers(folder: &Path) -> Vec<RunningServer> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let file = entry.path();
        if file.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap_or_default();
        let server = serde_json::from_str::<RunningServer>(&text).ok();
        match server.map(|server| RunningServer {
            file: file.clone(),
            ..server
        }) {
            Some(server) if server.is_there() => found.push(server),
            _ => drop(fs::remove_file(&file)),
        }
    }
    found.sort_by_key(|server| server.address.port());
    found
}

/// Stops a server and waits for that.
pub fn stop_server(server: &RunningServer) -> io::Result<()> {
    let status = server.ask("POST", STOP)?;
    if status != 202 {
        return Err(io::Error::other(format!("the server answered {status}")));
    }
    let began = Instant::now();
    while began.elapsed() < STOPPING {
        if !server.file.exists() {
            return Ok(());
        }
        sleep(Duration::from_millis(10));
    }
    Err(io::Error::new(
        io::ErrorKind::TimedOut,
        "the server goes on",
    ))
}
