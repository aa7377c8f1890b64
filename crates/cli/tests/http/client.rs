//! A server of the real program, and requests as they go over the wire: every
//! header is the test's own.

use crate::world::World;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than anything takes on a machine that is busy with other tests.
pub const LONG: Duration = Duration::from_secs(60);

pub struct Server {
    pub child: Child,
    pub address: SocketAddr,
    pub token: Option<String>,
    /// What it writes to standard error.
    pub log: Arc<Mutex<String>>,
}

/// What was answered.
#[derive(Clone, Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Reply {
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    /// The code of a problem.
    pub fn code(&self) -> String {
        assert_eq!(
            self.header("content-type"),
            Some("application/problem+json"),
            "{self:?}"
        );
        let kind = self.json()["type"].as_str().unwrap().to_owned();
        kind.strip_prefix("urn:scent:problem:").unwrap().to_owned()
    }
}

impl Server {
    /// A server of the project, started as `scent serve ARGS` on a free port.
    pub fn start(world: &World, args: &[&str]) -> Server {
        let mut command = world.process();
        command.args(["serve", "--port", "0"]).args(args);
        Server::start_as(&mut command)
    }

    /// The same once everything is indexed and embedded.
    pub fn ready(world: &World, args: &[&str]) -> Server {
        world.run(&["index", "--wait"]);
        let server = Server::start(world, args);
        server.wait_until("/readyz", |reply| reply.status == 200);
        // Nothing goes on any more that would make another generation.
        server.wait_until("/api/v1/roots", |reply| {
            let json = reply.json();
            let roots = json["roots"].as_array().unwrap();
            roots.iter().all(|root| root["activity"] == "idle")
        });
        server
    }

    pub fn start_as(command: &mut Command) -> Server {
        let mut child = command
            .env_remove("CLAUDE_PROJECT_DIR")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let log = Arc::new(Mutex::new(String::new()));
        let said = BufReader::new(child.stderr.take().unwrap());
        let kept = Arc::clone(&log);
        thread::spawn(move || {
            for line in said.lines().map_while(Result::ok) {
                *kept.lock().unwrap() += &format!("{line}\n");
            }
        });
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let url = line.trim().to_owned();
        let begins = url.strip_prefix("http://");
        let rest = begins.unwrap_or_else(|| panic!("{line:?} {}", log.lock().unwrap()));
        let (host, query) = rest.split_once('/').unwrap();
        let (_, port) = host.rsplit_once(':').unwrap();
        let address = SocketAddr::from(([127, 0, 0, 1], port.parse().unwrap()));
        let token = query.strip_prefix("?token=").map(str::to_owned);
        Server {
            child,
            address,
            token,
            log,
        }
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// The usual headers.
    pub fn headers(&self) -> Vec<(String, String)> {
        let mut headers = vec![("host".to_owned(), format!("localhost:{}", self.port()))];
        if let Some(token) = &self.token {
            headers.push(("authorization".to_owned(), format!("Bearer {token}")));
        }
        headers
    }

    /// Sends a request with these headers alone, and a body.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut stream = self.connect();
        let mut text = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        if !body.is_empty() {
            text += &format!("content-length: {}\r\n", body.len());
        }
        // A server that refuses a body need not read it.
        let _ = stream.write_all(format!("{text}\r\n{body}").as_bytes());
        read(&mut stream).unwrap_or_else(|| panic!("no answer to {method} {path}"))
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect_timeout(&self.address, LONG).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        stream.set_write_timeout(Some(LONG)).unwrap();
        stream
    }

    /// Sends a request with the usual headers and these.
    pub fn ask(&self, method: &str, path: &str, more: &[(&str, &str)], body: &str) -> Reply {
        let own = self.headers();
        let mut headers: Vec<(&str, &str)> = own
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        headers.extend(more);
        self.send(method, path, &headers, body)
    }

    pub fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &[], "")
    }

    /// An answer that is no problem, as JSON.
    pub fn json(&self, path: &str) -> Value {
        let reply = self.get(path);
        assert_eq!(reply.status, 200, "{path}: {reply:?}");
        reply.json()
    }

    pub fn post(&self, path: &str, body: &str) -> Reply {
        self.ask("POST", path, &[("content-type", "application/json")], body)
    }

    /// Asks until an answer is as it should be; gives how long that took.
    pub fn wait_until(&self, path: &str, is_good: impl Fn(&Reply) -> bool) -> Duration {
        let began = Instant::now();
        loop {
            let reply = self.get(path);
            if is_good(&reply) {
                return began.elapsed();
            }
            assert!(began.elapsed() < LONG, "{path}: {reply:?}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits for the end of the process; gives its status and how long it took.
    pub fn wait(&mut self) -> (Option<i32>, Duration) {
        let began = Instant::now();
        while began.elapsed() < LONG {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status.code(), began.elapsed());
            }
            thread::sleep(Duration::from_millis(5));
        }
        panic!("the server goes on");
    }

    pub fn signal(&self, name: &str) {
        let process = self.child.id().to_string();
        let sent = Command::new("kill").args([name, &process]).status();
        assert!(sent.unwrap().success());
    }

    pub fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// Waits for lines with a word: they are written by another process, after
    /// the answer.
    pub fn logged(&self, word: &str, lines: usize) -> Vec<String> {
        let began = Instant::now();
        loop {
            let log = self.log();
            let whole = log
                .split_inclusive('\n')
                .filter(|line| line.ends_with('\n'));
            let found: Vec<String> = whole
                .filter(|line| line.contains(word))
                .map(str::to_owned)
                .collect();
            if found.len() >= lines {
                return found;
            }
            assert!(began.elapsed() < LONG, "{log}");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer whose end is that of the connection; none where there is none.
pub fn read(stream: &mut TcpStream) -> Option<Reply> {
    let mut bytes = Vec::new();
    let mut part = [0; 16 << 10];
    // A connection that is reset after an answer has given it.
    while let Ok(count) = stream.read(&mut part) {
        if count == 0 {
            break;
        }
        bytes.extend_from_slice(&part[..count]);
    }
    parse(&bytes)
}

fn parse(bytes: &[u8]) -> Option<Reply> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut lines = head.lines();
    let status = lines.next()?.split(' ').nth(1)?.parse().unwrap();
    let mut headers = Vec::new();
    for line in lines {
        let (name, value) = line.split_once(':').unwrap();
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    let body = &bytes[end + 4..];
    let is_chunked = headers
        .iter()
        .any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    let body = match is_chunked {
        true => chunks(body),
        false => body.to_vec(),
    };
    Some(Reply {
        status,
        headers,
        body: String::from_utf8(body).unwrap(),
    })
}

/// What chunks hold, as far as they are there.
pub fn chunks(mut rest: &[u8]) -> Vec<u8> {
    let mut all = Vec::new();
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
        let size = std::str::from_utf8(&rest[..end]).unwrap();
        let size = usize::from_str_radix(size.trim(), 16).unwrap();
        let from = end + 2;
        if size == 0 || rest.len() < from + size {
            break;
        }
        all.extend_from_slice(&rest[from..from + size]);
        rest = rest.get(from + size + 2..).unwrap_or_default();
    }
    all
}
