//! A server that goes on: changes on disk, events, the background, the end.

use crate::client::{LONG, Server, chunks};
use crate::world::World;
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

fn paths(server: &Server, query: &str) -> Vec<String> {
    let reply = server.get(&format!("/api/v1/search?{query}"));
    if reply.status != 200 {
        return Vec::new();
    }
    let found = reply.json();
    let results = found["results"].as_array().unwrap().clone();
    results
        .iter()
        .map(|result| result["path"].as_str().unwrap().to_owned())
        .collect()
}

/// Waits until a search gives these files; gives how long that took.
fn until(server: &Server, query: &str, want: &[&str]) -> Duration {
    let began = Instant::now();
    loop {
        let found = paths(server, query);
        if found == want {
            return began.elapsed();
        }
        assert!(began.elapsed() < LONG, "{query}: {found:?}, not {want:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn what_changes_on_disk_is_found_without_being_asked_for() {
    let world = World::sample();
    let server = Server::ready(&world, &[]);
    let name = |name: &str| format!("name={name}");
    world.write("src/new.rs", "pub fn brand_new_thing() {}\n");
    until(&server, &name("brand_new_thing"), &["src/new.rs"]);
    world.write("src/new.rs", "pub fn renamed_thing() {}\n");
    until(&server, &name("renamed_thing"), &["src/new.rs"]);
    assert_eq!(paths(&server, &name("brand_new_thing")), [""; 0]);
    fs::rename(
        world.root.join("src/new.rs"),
        world.root.join("src/moved.rs"),
    )
    .unwrap();
    until(&server, &name("renamed_thing"), &["src/moved.rs"]);
    fs::remove_file(world.root.join("src/moved.rs")).unwrap();
    until(&server, &name("renamed_thing"), &[]);
    // New folders, one in the other, and what comes into them later.
    fs::create_dir_all(world.root.join("src/deep/deeper")).unwrap();
    world.write("src/deep/deeper/a.rs", "pub fn deep_down() {}\n");
    until(&server, &name("deep_down"), &["src/deep/deeper/a.rs"]);
    world.write("src/deep/deeper/b.rs", "pub fn deep_again() {}\n");
    until(&server, &name("deep_again"), &["src/deep/deeper/b.rs"]);
    // An editor's way to save.
    world.write("src/.retry.rs.tmp", "pub fn saved_by_editor() {}\n");
    fs::rename(
        world.root.join("src/.retry.rs.tmp"),
        world.root.join("src/retry.rs"),
    )
    .unwrap();
    until(&server, &name("saved_by_editor"), &["src/retry.rs"]);
    // Rules about files are files, too.
    world.write(".gitignore", "deep\n");
    until(&server, &name("deep_down"), &[]);
    fs::remove_file(world.root.join(".gitignore")).unwrap();
    until(&server, &name("deep_down"), &["src/deep/deeper/a.rs"]);
    // A folder that went and came back is watched again.
    fs::remove_dir_all(world.root.join("src/deep")).unwrap();
    until(&server, &name("deep_down"), &[]);
    world.write("src/deep/c.rs", "pub fn came_back() {}\n");
    until(&server, &name("came_back"), &["src/deep/c.rs"]);
    world.write("src/deep/d.rs", "pub fn came_too() {}\n");
    until(&server, &name("came_too"), &["src/deep/d.rs"]);
}

#[test]
fn a_generation_is_held_while_it_is_read_page_by_page() {
    let world = World::sample();
    let server = Server::ready(&world, &[]);
    let first = server.json("/api/v1/search?q=retry&k=2");
    let generation = first["generation"].as_u64().unwrap();
    let page = |from: usize, k: usize, of: u64| {
        server.get(&format!(
            "/api/v1/search?q=retry&k={k}&from={from}&generation={of}"
        ))
    };
    let whole = page(0, 6, generation).json()["results"]
        .as_array()
        .unwrap()
        .clone();
    world.write("src/retry_more.rs", "pub fn retry() { retry_retry() }\n");
    until(
        &server,
        "name=retry&path=src/retry_more.rs",
        &["src/retry_more.rs"],
    );
    let pages: Vec<Value> = [0, 2, 4]
        .into_iter()
        .flat_map(|from| {
            page(from, 2, generation).json()["results"]
                .as_array()
                .unwrap()
                .clone()
        })
        .collect();
    let places = |results: &[Value]| -> Vec<Value> {
        results
            .iter()
            .map(|r| json!([r["path"], r["start_line"]]))
            .collect()
    };
    assert_eq!(places(&pages), places(&whole));
    // Some generations later it is gone.
    for nth in 0..4 {
        world.write(
            &format!("src/more_{nth}.rs"),
            format!("pub fn more_{nth}() {{}}\n"),
        );
        let path = format!("src/more_{nth}.rs");
        until(&server, &format!("name=more_{nth}"), &[path.as_str()]);
    }
    let gone = page(0, 2, generation);
    assert_eq!(gone.code(), "generation-gone");
    assert!(gone.json()["generation"].as_u64().unwrap() > generation);
}

/// What a stream of events says until it has something.
fn events(stream: &mut TcpStream, seen: &mut Vec<u8>, part: &str) -> String {
    let began = Instant::now();
    stream
        .set_read_timeout(Some(Duration::from_millis(100)))
        .unwrap();
    loop {
        let end = seen.windows(4).position(|four| four == b"\r\n\r\n");
        let body = end.map(|end| chunks(&seen[end + 4..])).unwrap_or_default();
        let text = String::from_utf8_lossy(&body).into_owned();
        if text.contains(part) {
            return text;
        }
        assert!(began.elapsed() < LONG, "{part}: {text}");
        let mut bytes = [0; 4096];
        if let Ok(count) = stream.read(&mut bytes) {
            seen.extend_from_slice(&bytes[..count]);
        }
    }
}

#[test]
fn events_tell_of_generations_and_of_the_work() {
    let world = World::sample();
    let server = Server::ready(&world, &[]);
    let generation = server.json("/api/v1/roots")["roots"][0]["generation"].clone();
    let mut stream = server.connect();
    let mut text = "GET /api/v1/events HTTP/1.1\r\n".to_owned();
    for (name, value) in server.headers() {
        text += &format!("{name}: {value}\r\n");
    }
    stream.write_all(format!("{text}\r\n").as_bytes()).unwrap();
    let mut seen = Vec::new();
    let first =
        format!("event: generation\ndata: {{\"root\":\"project\",\"generation\":{generation}}}");
    events(&mut stream, &mut seen, &first);
    world.write("src/new.rs", "pub fn brand_new_thing() {}\n");
    let next = generation.as_u64().unwrap() + 1;
    events(&mut stream, &mut seen, &format!("\"generation\":{next}}}"));
    let told = events(&mut stream, &mut seen, "\"activity\":\"idle\"");
    assert!(told.contains("event: progress"), "{told}");
    let reply = server.post("/api/v1/roots/project/refresh", "");
    assert_eq!(reply.status, 202, "{reply:?}");
    assert_eq!(reply.json()["root"], "project");
    assert_eq!(
        server.post("/api/v1/roots/nope/refresh", "").code(),
        "no-such-root"
    );
}

#[test]
fn a_fresh_answer_is_never_older_than_the_question() {
    let world = World::sample();
    let server = Server::ready(&world, &[]);
    for nth in 0..5 {
        let name = format!("just_written_{nth}");
        world.write("src/now.rs", format!("pub fn {name}() {{}}\n"));
        let found = paths(&server, &format!("name={name}&fresh"));
        assert_eq!(found, ["src/now.rs"], "{nth}");
        let defined = server.json(&format!("/api/v1/definitions?name={name}&fresh"));
        assert_eq!(defined["total"], 1, "{nth}");
    }
}

#[test]
fn a_folder_without_an_index_is_indexed_first() {
    let world = World::sample();
    let server = Server::start(&world, &[]);
    server.wait_until("/readyz", |reply| match reply.status {
        200 => true,
        503 => {
            assert_eq!(reply.json()["waiting"], json!(["project"]));
            assert_eq!(reply.header("retry-after"), Some("1"));
            false
        }
        other => panic!("{other}"),
    });
    until(&server, "name=retry_delay", &["src/retry.rs"]);
    server.wait_until("/api/v1/roots", |reply| {
        reply.json()["roots"][0]["activity"] == "idle"
    });
    // The background embeds what there is.
    server.wait_until("/api/v1/status", |reply| {
        reply.json()["embeddings"][0]["waiting"] == 0
    });
}

#[test]
fn numbers_are_counted_by_route_and_say_nothing_of_questions() {
    let world = World::sample();
    let server = Server::ready(&world, &["--log-requests", "--log-json"]);
    for _ in 0..3 {
        server.get("/api/v1/search?q=very_private_words");
    }
    server.get("/api/v1/outline?path=nope/very_private_words");
    let text = server.get("/metrics").body;
    for line in [
        "scent_http_requests_total{route=\"/api/v1/search\",status=\"200\"} 3",
        "scent_http_requests_total{route=\"/api/v1/outline\",status=\"404\"} 1",
        "scent_http_request_duration_seconds_count{route=\"/api/v1/search\"} 3",
        "scent_root_watched{root=\"project\"} 1",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}: {text}");
    }
    assert!(!text.contains("private"));
    let answered = server.logged("/api/v1/search", 3);
    for line in &answered {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["status"], 200);
        assert!(line["micros"].as_u64().unwrap() > 0);
    }
    assert_eq!(answered.len(), 3);
    let log = server.log();
    assert!(!log.contains("very_private_words"), "{log}");
}

#[test]
fn a_server_in_the_background_is_found_and_stopped() {
    let world = World::sample();
    assert_eq!(world.run(&["serve", "--status"]).code, Some(1));
    let run = world.run(&["serve", "--detach", "--port", "0", "--no-token"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.out.starts_with("http://127.0.0.1:"), "{run:?}");
    let listed = world.run(&["serve", "--status"]);
    assert_eq!((listed.code, &listed.out), (Some(0), &run.out));
    assert!(listed.out.contains(&world.root.display().to_string()));
    let port = run.out.split([':', ' ']).nth(2).unwrap().to_owned();
    let other = world.run(&["serve", "--stop", "--port", "1"]);
    assert_eq!(other.code, Some(1));
    let stopped = world.run(&["serve", "--stop", "--port", &port]);
    assert_eq!(stopped.code, Some(0), "{stopped:?}");
    assert_eq!(world.run(&["serve", "--status"]).code, Some(1));
}

#[test]
fn a_server_for_agents_answers_nothing_else() {
    let world = World::sample();
    let mut command = world.process();
    command.args(["mcp", "--http", "127.0.0.1:0"]);
    let server = Server::start_as(&mut command);
    assert_eq!(server.get("/healthz").status, 200);
    assert_eq!(server.get("/api/v1/roots").code(), "no-such-route");
    let host = format!("localhost:{}", server.port());
    let reply = server.send("POST", "/mcp", &[("host", &host)], "{}");
    assert_eq!(reply.code(), "no-token");
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    }}});
    let headers = [
        ("accept", "application/json, text/event-stream"),
        ("content-type", "application/json"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/list"),
    ];
    let reply = server.ask("POST", "/mcp", &headers, &list.to_string());
    assert!(reply.body.contains("\"name\":\"search\""), "{reply:?}");
}

#[test]
fn agents_are_answered_at_the_same_server() {
    let world = World::sample();
    let server = Server::ready(&world, &[]);
    let accept = ("accept", "application/json, text/event-stream");
    let json = ("content-type", "application/json");
    // With a handshake, and a session.
    let hello = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    });
    let reply = server.ask("POST", "/mcp", &[accept, json], &hello.to_string());
    assert_eq!(reply.status, 200, "{reply:?}");
    assert!(reply.body.contains("\"name\":\"scent\""), "{reply:?}");
    let session = reply.header("mcp-session-id").unwrap().to_owned();
    let session = ("mcp-session-id", session.as_str());
    let version = ("mcp-protocol-version", "2025-11-25");
    let done = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let reply = server.ask(
        "POST",
        "/mcp",
        &[accept, json, session, version],
        &done.to_string(),
    );
    assert_eq!(reply.status, 202, "{reply:?}");
    let call = |id: u32| {
        json!({
            "jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": "def", "arguments": {"name": "retry_delay"}},
        })
    };
    let reply = server.ask(
        "POST",
        "/mcp",
        &[accept, json, session, version],
        &call(2).to_string(),
    );
    assert!(reply.body.contains("src/retry.rs:4"), "{reply:?}");
    // Without.
    let mut modern = call(3);
    modern["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    });
    let version = ("mcp-protocol-version", "2026-07-28");
    let names = [("mcp-method", "tools/call"), ("mcp-name", "def")];
    let headers = [accept, json, version, names[0], names[1]];
    let reply = server.ask("POST", "/mcp", &headers, &modern.to_string());
    assert_eq!(reply.status, 200, "{reply:?}");
    assert!(reply.body.contains("src/retry.rs:4"), "{reply:?}");
    let wrong = [accept, json, version, names[0], ("mcp-name", "refs")];
    let reply = server.ask("POST", "/mcp", &wrong, &modern.to_string());
    assert_eq!(reply.status, 400, "{reply:?}");
    let large = " ".repeat(2 << 20);
    let reply = server.ask("POST", "/mcp", &headers, &large);
    assert_eq!(reply.status, 413);
}
