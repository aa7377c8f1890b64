//! A client that only says hello: starts the server of an agent's entry as the
//! entry has it, in both forms of the protocol.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The shortest time in which an agent gives up on a server.
const LIMIT: Duration = Duration::from_secs(10);

/// So much of what a server says beside its answers is shown.
const MOST_SAID: u64 = 4000;

/// What a server says of itself.
#[derive(Debug, PartialEq)]
pub(super) struct Met {
    /// Its name and version.
    pub name: String,
    pub version: String,
    pub tools: usize,
    /// From its start to the first answer.
    pub took: Duration,
}

/// Starts a server twice, once for each form of the protocol; says what is wrong
/// where one does not answer.
pub(super) fn shake_hands(
    command: &[String],
    environment: &[(String, String)],
) -> Result<Met, String> {
    let modern = meet(command, environment, Era::Modern)?;
    meet(command, environment, Era::Legacy)?;
    Ok(modern)
}

#[derive(Clone, Copy, PartialEq)]
enum Era {
    Legacy,
    Modern,
}

impl Era {
    fn hello(self) -> (&'static str, Value) {
        match self {
            Era::Modern => ("server/discover", json!({})),
            Era::Legacy => (
                "initialize",
                json!({
                    "protocolVersion": "2025-11-25",
                    "capabilities": {},
                    "clientInfo": client(),
                }),
            ),
        }
    }

    /// The parameters of a request with what the server has to know.
    fn with_client(self, mut params: Value) -> Value {
        if self == Era::Modern {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": client(),
            });
        }
        params
    }

    /// What a server calls itself in its answer.
    fn server(self, answer: &Value) -> &Value {
        match self {
            Era::Modern => &answer["_meta"]["io.modelcontextprotocol/serverInfo"],
            Era::Legacy => &answer["serverInfo"],
        }
    }
}

fn client() -> Value {
    json!({"name": "scent doctor", "version": env!("CARGO_PKG_VERSION")})
}

fn meet(command: &[String], environment: &[(String, String)], era: Era) -> Result<Met, String> {
    let mut server = Server::start(command, environment)?;
    let met = server.meet(era);
    let said = server.stop();
    met.map_err(|why| match said.trim().lines().last() {
        Some(line) => format!("{why}; it said: {line}"),
        None => why,
    })
}

struct Server {
    child: Child,
    lines: Receiver<String>,
    began: Instant,
}

impl Server {
    fn start(command: &[String], environment: &[(String, String)]) -> Result<Server, String> {
        let (program, arguments) = command.split_first().ok_or("it names no program")?;
        let began = Instant::now();
        let started = Command::new(program)
            .args(arguments)
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = started.map_err(|error| format!("it does not start: {error}"))?;
        let output = child.stdout.take();
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output.into_iter().next()?).lines() {
                sender.send(line.ok()?).ok()?;
            }
            Some(())
        });
        Ok(Server {
            child,
            lines,
            began,
        })
    }

    fn meet(&mut self, era: Era) -> Result<Met, String> {
        let (method, params) = era.hello();
        let hello = self.request(1, method, era.with_client(params))?;
        let took = self.began.elapsed();
        if era == Era::Legacy {
            self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        }
        let listed = self.request(2, "tools/list", era.with_client(json!({})))?;
        let text = |key: &str| era.server(&hello)[key].as_str().unwrap_or("?").to_owned();
        Ok(Met {
            name: text("name"),
            version: text("version"),
            tools: listed["tools"].as_array().map_or(0, Vec::len),
            took,
        })
    }

    fn request(&mut self, id: u32, method: &str, params: Value) -> Result<Value, String> {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let left = LIMIT.saturating_sub(self.began.elapsed());
            let line = self.lines.recv_timeout(left).map_err(|error| match error {
                RecvTimeoutError::Timeout => format!("it does not answer within {LIMIT:?}"),
                RecvTimeoutError::Disconnected => "it ends without an answer".to_owned(),
            })?;
            let message: Value = serde_json::from_str(&line)
                .map_err(|_| format!("it writes what is not of the protocol: {line}"))?;
            if message["id"] != id {
                continue;
            }
            return match message.get("result") {
                Some(result) => Ok(result.clone()),
                None => Err(format!(
                    "it refuses {method}: {}",
                    message["error"]["message"]
                )),
            };
        }
    }

    fn send(&mut self, message: &Value) -> Result<(), String> {
        let input = self.child.stdin.as_mut();
        let input = input.ok_or("it reads no input")?;
        let written = input.write_all(format!("{message}\n").as_bytes());
        // Why it is gone is in what it said.
        written.map_err(|_| "it ends without an answer".to_owned())
    }

    /// Ends it; returns what it said beside its answers.
    fn stop(mut self) -> String {
        drop(self.child.stdin.take());
        let limit = Instant::now() + Duration::from_secs(1);
        while Instant::now() < limit && !matches!(self.child.try_wait(), Ok(Some(_))) {
            thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        let (sender, said) = channel();
        let errors = self.child.stderr.take();
        // What it started may hold the pipe open.
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = errors?.take(MOST_SAID).read_to_end(&mut bytes);
            sender.send(bytes).ok()
        });
        let bytes = said.recv_timeout(Duration::from_millis(500));
        String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
    }
}
