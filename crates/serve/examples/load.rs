//! Asks a server as much as it answers, and says how long answers took.
//!
//! `load PORT TOKEN_FILE QUERIES CLIENTS SECONDS [PARAMETERS]`: each line of the
//! file QUERIES is one question, asked once before any is asked again. Every
//! client has a connection of its own and asks as soon as it is answered.

use std::error::Error;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

struct Load {
    port: u16,
    token: String,
    paths: Vec<String>,
    until: Instant,
    next: AtomicUsize,
}

fn main() -> Outcome<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [port, token, queries, clients, seconds, more @ ..] = words.as_slice() else {
        return Err("load PORT TOKEN_FILE QUERIES CLIENTS SECONDS [PARAMETERS]".into());
    };
    let more = more.first().map_or("", String::as_str);
    let mut paths = Vec::new();
    for query in fs::read_to_string(queries)?.lines() {
        paths.push(format!("/api/v1/search?q={}{more}", encoded(query)));
    }
    let seconds: f64 = seconds.parse()?;
    let began = Instant::now();
    let load = Arc::new(Load {
        port: port.parse()?,
        token: fs::read_to_string(token)?.trim().to_owned(),
        paths,
        until: began + Duration::from_secs_f64(seconds),
        next: AtomicUsize::new(0),
    });
    let mut threads = Vec::new();
    for _ in 0..clients.parse::<usize>()? {
        let load = Arc::clone(&load);
        threads.push(thread::spawn(move || load.ask()));
    }
    let (mut took, mut bytes, mut failed) = (Vec::new(), 0, 0);
    for thread in threads {
        let done = thread.join().map_err(|_| "a client failed")??;
        took.extend(done.took);
        bytes += done.bytes;
        failed += done.failed;
    }
    let elapsed = began.elapsed().as_secs_f64();
    took.sort_unstable();
    let at = |share: f64| {
        let nth = ((took.len() as f64 * share) as usize).min(took.len().saturating_sub(1));
        took.get(nth)
            .map_or(0.0, |time: &Duration| time.as_secs_f64() * 1e3)
    };
    println!(
        "{} answers, {failed} failed, {:.0} a second, {:.1} KB each; ms: p50 {:.2} p95 {:.2} \
         p99 {:.2} max {:.2}; {} different questions",
        took.len(),
        took.len() as f64 / elapsed,
        bytes as f64 / 1e3 / took.len().max(1) as f64,
        at(0.5),
        at(0.95),
        at(0.99),
        at(1.0),
        load.paths.len().min(took.len()),
    );
    Ok(())
}

#[derive(Default)]
struct Done {
    took: Vec<Duration>,
    bytes: usize,
    failed: usize,
}

impl Load {
    fn ask(&self) -> Outcome<Done> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_nodelay(true)?;
        let mut answers = BufReader::new(stream.try_clone()?);
        let mut done = Done::default();
        while Instant::now() < self.until {
            let nth = self.next.fetch_add(1, Ordering::Relaxed);
            let path = &self.paths[nth % self.paths.len()];
            let request = format!(
                "GET {path} HTTP/1.1\r\nhost: localhost:{}\r\nauthorization: Bearer {}\r\n\r\n",
                self.port, self.token
            );
            let began = Instant::now();
            stream.write_all(request.as_bytes())?;
            let (status, length) = answer(&mut answers)?;
            done.took.push(began.elapsed());
            done.bytes += length;
            done.failed += usize::from(status != 200);
        }
        Ok(done)
    }
}

/// Reads an answer to its end; gives its status and the length of its body.
fn answer(answers: &mut BufReader<TcpStream>) -> Outcome<(u16, usize)> {
    let mut line = String::new();
    answers.read_line(&mut line)?;
    let status = line.split(' ').nth(1).ok_or("no answer")?.parse()?;
    let mut length = 0;
    loop {
        line.clear();
        answers.read_line(&mut line)?;
        match line.trim().split_once(':') {
            None => break,
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse()?;
            }
            Some(_) => {}
        }
    }
    let mut body = vec![0; length];
    answers.read_exact(&mut body)?;
    Ok((status, length))
}

fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            b' ' => out.push('+'),
            byte => out += &format!("%{byte:02X}"),
        }
    }
    out
}
