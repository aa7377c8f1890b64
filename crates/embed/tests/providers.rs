//! Models behind servers, against servers that run inside the test.

use scent_embed::providers::{Http, Limits};
use scent_embed::{Embedder, ModelError, ModelSpec, Role};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// A question as the server saw it.
#[derive(Clone)]
struct Seen {
    /// The first line and the headers, in lower case.
    head: Vec<String>,
    body: Value,
}

impl Seen {
    fn texts(&self) -> Vec<String> {
        serde_json::from_value(self.body["input"].clone()).unwrap()
    }
}

/// What a server says: status, further headers, body.
type Answer = (u16, &'static str, String);

/// A server on this machine that answers by a rule, which is told how many
/// questions came before.
struct TestServer {
    base: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl TestServer {
    fn start(rule: impl Fn(usize, &Seen) -> Answer + Send + Sync + 'static) -> TestServer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (rule, list) = (Arc::new(rule), Arc::clone(&seen));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (rule, list) = (Arc::clone(&rule), Arc::clone(&list));
                thread::spawn(move || serve(stream.unwrap(), &*rule, &list));
            }
        });
        TestServer { base, seen }
    }

    fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    fn open(&self) -> Result<Http, ModelError> {
        Ok(Http::open_ai(
            &self.base,
            "toy",
            Some("open sesame"),
            quick(),
        )?)
    }
}

/// Answers the questions of one connection until it is closed.
fn serve(stream: TcpStream, rule: &dyn Fn(usize, &Seen) -> Answer, list: &Mutex<Vec<Seen>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut writer = stream;
    while let Some(seen) = read(&mut reader) {
        let number = {
            let mut list = list.lock().unwrap();
            list.push(seen.clone());
            list.len() - 1
        };
        let (status, headers, body) = rule(number, &seen);
        let length = body.len();
        let answer =
            format!("HTTP/1.1 {status} X\r\ncontent-length: {length}\r\n{headers}\r\n{body}");
        writer.write_all(answer.as_bytes()).unwrap();
    }
}

fn read(reader: &mut impl BufRead) -> Option<Seen> {
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => head.push(line.to_lowercase()),
        }
    }
    let length = head
        .iter()
        .find_map(|line| line.strip_prefix("content-length: "))?;
    let mut body = vec![0; length.parse().ok()?];
    reader.read_exact(&mut body).ok()?;
    Some(Seen {
        head,
        body: serde_json::from_slice(&body).unwrap(),
    })
}

/// Not as patient as it should be with a real server.
fn quick() -> Limits {
    Limits {
        texts: 4,
        characters: 40,
        timeout: Duration::from_secs(5),
        tries: 3,
        pause: Duration::from_millis(5),
        ..Limits::default()
    }
}

/// A text as a vector that tells it from others: its length, 1 and 0.
fn vector(text: &str) -> Vec<f32> {
    vec![text.len() as f32, 1.0, 0.0]
}

fn normalised(text: &str) -> Vec<f32> {
    let vector = vector(text);
    let length = vector.iter().map(|n| n * n).sum::<f32>().sqrt();
    vector.iter().map(|n| n / length).collect()
}

/// The right answer in OpenAI's form, the last vector first.
fn open_ai(seen: &Seen) -> Answer {
    let entry = |(at, text): (usize, &String)| json!({ "index": at, "embedding": vector(text) });
    let data: Vec<Value> = seen.texts().iter().enumerate().rev().map(entry).collect();
    (200, "", json!({ "data": data }).to_string())
}

fn vectors(model: &dyn Embedder, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
    let kept = model.embed_documents(texts, Role::Body)?;
    assert!(kept.iter().all(|kept| kept.codes.is_empty()));
    Ok(kept.into_iter().map(|kept| kept.vector).collect())
}

/// Opens a model or embeds one text, whatever fails first.
fn failure(server: &TestServer) -> String {
    let failed = server
        .open()
        .and_then(|model| vectors(&model, &["some text"]));
    failed.expect_err("it cannot work").to_string()
}

#[test]
fn texts_go_in_batches_and_come_back_in_order() {
    let server = TestServer::start(|_, seen| open_ai(seen));
    let model = server.open().unwrap();
    let long = "a text that is longer than a whole request may be";
    let texts = ["a", "bb", "", "ccc", "dddd", "eeeee", long, "ffffff", "  "];
    let got = vectors(&model, &texts).unwrap();
    for (text, got) in texts.iter().zip(got) {
        let want = if text.trim().is_empty() {
            vec![0.0; 3]
        } else {
            normalised(text)
        };
        assert_eq!(got, want, "{text:?}");
    }
    let seen = server.seen();
    let batches: Vec<Vec<String>> = seen.iter().skip(1).map(Seen::texts).collect();
    let want = [
        vec!["a", "bb", "ccc", "dddd"],
        vec!["eeeee"],
        vec![long],
        vec!["ffffff"],
    ];
    assert_eq!(batches, want);
    assert!(vectors(&model, &[]).unwrap().is_empty());
    assert_eq!(seen[0].head[0], "post /embeddings http/1.1");
    assert!(
        seen.iter()
            .all(|s| s.head.contains(&"authorization: bearer open sesame".into()))
    );
    assert!(seen.iter().all(|s| s.body["model"] == "toy"));
}

#[test]
fn a_model_says_what_it_is() {
    let server = TestServer::start(|_, seen| open_ai(seen));
    let about = server.open().unwrap().info();
    assert_eq!(
        (about.name.as_str(), about.dims, about.token_bytes),
        ("http:toy", 3, 0)
    );
    assert_eq!(server.open().unwrap().info(), about);
    let other = Http::open_ai(&server.base, "other", None, quick()).unwrap();
    assert_ne!(other.info().fingerprint, about.fingerprint);
    assert!(!other.embeds_paths_separately());
}

#[test]
fn ollama_is_spoken_to_in_its_own_way() {
    let server = TestServer::start(|_, seen| {
        assert_eq!(seen.head[0], "post /api/embed http/1.1");
        let vectors: Vec<Vec<f32>> = seen.texts().iter().map(|text| vector(text)).collect();
        (
            200,
            "",
            json!({ "model": "toy", "embeddings": vectors }).to_string(),
        )
    });
    let spec = ModelSpec::parse(&format!("ollama:toy@{}/", server.base)).unwrap();
    let model = scent_embed::open(&spec).unwrap();
    assert_eq!(
        vectors(&*model, &["abc", "de"]).unwrap(),
        [normalised("abc"), normalised("de")]
    );
    // A question comes apart as units do.
    let asked = model.embed_query("parseRequest?").unwrap();
    assert_eq!(asked.vector, normalised("parse request"));
    assert!(asked.late.is_none());
    assert_eq!(server.seen().last().unwrap().texts(), ["parse request"]);
}

#[test]
fn a_busy_server_is_asked_again_when_it_says() {
    let server = TestServer::start(|number, seen| match number {
        1 => (429, "retry-after: 1\r\n", "slow down".into()),
        2 => (503, "", "not yet".into()),
        _ => open_ai(seen),
    });
    let model = server.open().unwrap();
    let start = Instant::now();
    assert_eq!(vectors(&model, &["abc"]).unwrap(), [normalised("abc")]);
    assert!(start.elapsed() >= Duration::from_secs(1));
    assert_eq!(server.seen().len(), 4);
}

#[test]
fn a_server_that_asks_for_too_long_a_wait_is_not_waited_for() {
    for wait in [
        "retry-after: 86400\r\n",
        "retry-after: 18446744073709551615\r\n",
    ] {
        let server = TestServer::start(move |_, _| (429, wait, String::new()));
        let start = Instant::now();
        let message = failure(&server);
        assert!(start.elapsed() < Duration::from_secs(2));
        assert!(
            message.contains("429") && message.contains("higher limit"),
            "{message}"
        );
    }
}

#[test]
fn bad_answers_are_told_with_the_address() {
    let long = "x".repeat(1000);
    let cases: [(u16, String, usize, &[&str]); 8] = [
        (
            500,
            long.clone(),
            3,
            &["500", &long[..200], "tried 3 times", "log"],
        ),
        (
            401,
            "who\nare you?".into(),
            1,
            &["401", "who are you?", "key"],
        ),
        (
            404,
            "{\"error\":\"no such model\"}".into(),
            1,
            &["404", "no such model", "ollama pull"],
        ),
        (307, String::new(), 1, &["307", "no text", "leads to"]),
        (200, "<html>".into(), 1, &["cannot be used", "embeddings"]),
        (
            200,
            json!({ "data": [] }).to_string(),
            1,
            &["0 vectors for 1 texts"],
        ),
        (
            200,
            json!({ "data": [{ "index": 7, "embedding": [1] }] }).to_string(),
            1,
            &["index 7"],
        ),
        (
            200,
            json!({ "data": [{ "embedding": [] }] }).to_string(),
            1,
            &["empty"],
        ),
    ];
    for (status, body, tries, words) in cases {
        let sent = body.clone();
        let server = TestServer::start(move |_, _| (status, "", sent.clone()));
        let message = failure(&server);
        let address = format!("{}/embeddings", server.base);
        let expected = words.iter().copied().chain([address.as_str()]);
        expected.for_each(|word| assert!(message.contains(word), "{status}: {word}: {message}"));
        assert!(!message.contains(&long[..201]), "{message}");
        assert!(!message.contains("sesame"), "{message}");
        assert_eq!(server.seen().len(), tries, "{message}");
    }
}

#[test]
fn vectors_of_another_length_are_refused() {
    let server = TestServer::start(|number, seen| match number {
        0 => open_ai(seen),
        _ => (
            200,
            "",
            json!({ "data": [{ "embedding": [1.0, 2.0] }] }).to_string(),
        ),
    });
    let message = failure(&server);
    assert!(
        message.contains("2 numbers after vectors of 3"),
        "{message}"
    );
    assert!(message.contains(&server.base), "{message}");
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let error = Http::open_ai(&base, "toy", None, quick())
        .err()
        .expect("nobody listens");
    let message = error.to_string();
    for word in [
        &format!("{base}/embeddings"),
        "tried 3 times",
        "start the server",
    ] {
        assert!(message.contains(word), "{message}");
    }
}

#[test]
fn a_server_that_never_answers_is_given_up() {
    let server = TestServer::start(|_, seen| {
        thread::sleep(Duration::from_secs(2));
        open_ai(seen)
    });
    let limits = Limits {
        timeout: Duration::from_millis(100),
        connection_tries: 2,
        ..quick()
    };
    let error = Http::open_ai(&server.base, "toy", None, limits)
        .err()
        .expect("it is too slow");
    assert!(error.to_string().contains("too slow"), "{error}");
}
