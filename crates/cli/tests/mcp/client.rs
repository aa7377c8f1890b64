//! A client as agents have one: lines of JSON to a server that it started.

use crate::world::World;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than anything takes on a machine that is busy with other tests.
const LONG: Duration = Duration::from_secs(120);

/// In which form of the protocol a client speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// With a handshake.
    Legacy,
    /// With what the server has to know in every request.
    Modern,
}

pub const ERAS: [Era; 2] = [Era::Legacy, Era::Modern];

pub struct Client {
    pub child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    era: Era,
    next: i64,
    /// Every line that came, whatever it holds.
    pub seen: Vec<String>,
    /// Answers to `roots/list`.
    pub roots: Vec<String>,
    /// What the client asks progress with.
    pub token: Option<&'static str>,
}

/// What a tool answered.
#[derive(Debug)]
pub struct Told {
    pub text: String,
    pub is_error: bool,
}

impl Client {
    /// A server of this program in the folder of a project, started as
    /// `scent mcp ARGS`; nothing is said to it yet.
    pub fn start(world: &World, args: &[&str]) -> Client {
        let mut command = world.process();
        command.env_remove("CLAUDE_PROJECT_DIR");
        Client::start_as(command.arg("mcp").args(args))
    }

    pub fn start_as(command: &mut Command) -> Client {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines() {
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Client {
            input: child.stdin.take(),
            child,
            lines,
            era: Era::Modern,
            next: 0,
            seen: Vec::new(),
            roots: Vec::new(),
            token: None,
        }
    }

    /// A server that a client of an era has met.
    pub fn met(world: &World, era: Era, args: &[&str]) -> Client {
        let mut client = Client::start(world, args);
        client.meet(era);
        client
    }

    /// Says hello, and returns what the server said of itself.
    pub fn meet(&mut self, era: Era) -> Value {
        self.era = era;
        match era {
            Era::Modern => self.request("server/discover", json!({})),
            Era::Legacy => {
                let capabilities = match self.roots.is_empty() {
                    true => json!({}),
                    false => json!({"roots": {}}),
                };
                let params = json!({
                    "protocolVersion": "2025-11-25",
                    "capabilities": capabilities,
                    "clientInfo": {"name": "test", "version": "1"},
                });
                let result = self.request("initialize", params);
                let done = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
                self.write(&done.to_string());
                result
            }
        }
    }

    pub fn write(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(format!("{line}\n").as_bytes()).unwrap();
        input.flush().unwrap();
    }

    /// Sends a request; returns its id.
    pub fn send(&mut self, method: &str, mut params: Value) -> i64 {
        self.next += 1;
        let mut meta = json!({});
        if self.era == Era::Modern {
            meta = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            });
        }
        if let Some(token) = self.token {
            meta["progressToken"] = json!(token);
        }
        params["_meta"] = meta;
        let request =
            json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params});
        self.write(&request.to_string());
        self.next
    }

    /// The next message, unless the server is silent for long or gone.
    pub fn receive(&mut self) -> Option<Value> {
        let line = self.lines.recv_timeout(LONG).ok()?;
        self.seen.push(line.clone());
        Some(serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON: {line}")))
    }

    /// The answer to a request. What else comes meanwhile is kept in `seen`, and
    /// questions of the server are answered.
    pub fn answer(&mut self, id: i64) -> Value {
        loop {
            let message = self.receive().expect("an answer");
            if message["method"] == "roots/list" {
                let roots: Vec<Value> = self.roots.iter().map(|uri| json!({"uri": uri})).collect();
                let result = json!({"roots": roots});
                let reply = json!({"jsonrpc": "2.0", "id": message["id"], "result": result});
                self.write(&reply.to_string());
            } else if message["id"] == id {
                return message;
            }
        }
    }

    /// The same where answers came before they were waited for.
    pub fn answer_in_any_order(&mut self, id: i64) -> Value {
        for line in &self.seen {
            let message: Value = serde_json::from_str(line).unwrap();
            if message["id"] == id {
                return message;
            }
        }
        self.answer(id)
    }

    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        let answer = self.answer(id);
        assert!(answer["result"].is_object(), "{method}: {answer}");
        answer["result"].clone()
    }

    pub fn call(&mut self, tool: &str, arguments: Value) -> Told {
        let whole = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        let text = whole["content"][0]["text"].as_str().unwrap_or_default();
        Told {
            text: text.to_owned(),
            is_error: whole["isError"] == true,
        }
    }

    /// The text of an answer that is no error.
    pub fn text(&mut self, tool: &str, arguments: Value) -> String {
        let told = self.call(tool, arguments);
        assert!(!told.is_error, "{tool}: {}", told.text);
        told.text
    }

    /// Goes away, and waits for the server to do so; returns its exit status and
    /// how long that took.
    pub fn leave(&mut self) -> (Option<i32>, Duration) {
        drop(self.input.take());
        let started = Instant::now();
        while started.elapsed() < LONG {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status.code(), started.elapsed());
            }
            thread::sleep(Duration::from_millis(5));
        }
        panic!("the server goes on");
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The address of a folder.
pub fn address(folder: &Path) -> String {
    format!("file://{}", folder.display())
}
