//! How much may be asked, and that the server goes on whatever is.

use crate::client::{Server, read};
use crate::world::World;
use serde_json::json;
use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

#[test]
fn what_is_too_much_is_refused_and_others_are_answered() {
    let world = World::sample();
    let server = Server::ready(&world, &[]);
    let long = format!("/api/v1/search?q={}", "a".repeat(8 << 10));
    assert_eq!(server.get(&long).code(), "too-long-address");
    let body = json!({"q": "a".repeat(64 << 10)}).to_string();
    assert_eq!(server.post("/api/v1/search", &body).code(), "too-long");
    // Without its length said before.
    let chunk = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let more = [
        ("content-type", "application/json"),
        ("transfer-encoding", "chunked"),
    ];
    let own = server.headers();
    let mut text = "POST /api/v1/search HTTP/1.1\r\nconnection: close\r\n".to_owned();
    for (name, value) in own
        .iter()
        .map(|(n, v)| (n.as_str(), v.as_str()))
        .chain(more)
    {
        text += &format!("{name}: {value}\r\n");
    }
    let mut stream = server.connect();
    let _ = stream.write_all(format!("{text}\r\n{chunk}").as_bytes());
    assert_eq!(read(&mut stream).unwrap().code(), "too-long");
    assert_eq!(
        server.get("/api/v1/search?q=a&k=1000000000").code(),
        "limit-too-large"
    );
    let filters = json!({"q": "a", "path": vec!["x"; 10_000]}).to_string();
    assert_eq!(
        server.post("/api/v1/search", &filters).code(),
        "too-many-parameters"
    );
    let filters = json!({"q": "a", "path": vec!["x"; 201]}).to_string();
    assert_eq!(
        server.post("/api/v1/search", &filters).code(),
        "too-many-parameters"
    );
    assert_eq!(
        server.json("/api/v1/search?q=retry")["shown"]
            .as_u64()
            .map(|n| n > 0),
        Some(true)
    );
}

#[test]
fn slow_and_many_clients_keep_nobody_out() {
    let world = World::sample();
    let server = Server::ready(&world, &[]);
    // Nobody has so many files open in a test; each is idle or slow.
    let mut idle: Vec<TcpStream> = Vec::new();
    for nth in 0..600 {
        let Ok(mut stream) = TcpStream::connect(server.address) else {
            continue;
        };
        if nth % 2 == 0 {
            let _ = stream.write_all(b"GET /healthz HTTP/1.1\r\nho");
        }
        idle.push(stream);
        if nth % 100 == 0 {
            let began = Instant::now();
            assert_eq!(server.get("/healthz").status, 200);
            assert!(began.elapsed() < Duration::from_secs(5));
        }
    }
    assert_eq!(server.get("/api/v1/search?q=retry").status, 200);
    drop(idle);
    let mut listeners = Vec::new();
    let mut refused = 0;
    for _ in 0..80 {
        let mut stream = server.connect();
        let mut text = "GET /api/v1/events HTTP/1.1\r\n".to_owned();
        for (name, value) in server.headers() {
            text += &format!("{name}: {value}\r\n");
        }
        stream.write_all(format!("{text}\r\n").as_bytes()).unwrap();
        let mut first = [0; 12];
        std::io::Read::read_exact(&mut stream, &mut first).unwrap();
        match &first[9..12] {
            b"200" => listeners.push(stream),
            b"503" => refused += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((listeners.len(), refused), (64, 16));
    assert_eq!(server.get("/api/v1/search?q=retry").status, 200);
}

#[test]
fn patterns_that_never_end_end() {
    let world = World::sample();
    world.write("long.js", format!("x = '{}';\n", "ab=".repeat(600_000)));
    world.write("scent.toml", "[index]\ninclude_minified = true\n");
    let server = Server::ready(&world, &[]);
    for pattern in ["(a{1000}){1000}", ".*.*.*=.*", "((((x*)*)*)*)*y"] {
        let began = Instant::now();
        let body = json!({"pattern": pattern}).to_string();
        let reply = server.post("/api/v1/search", &body);
        assert!(
            [200, 400, 504].contains(&reply.status),
            "{pattern}: {}",
            reply.status
        );
        assert!(began.elapsed() < Duration::from_secs(8), "{pattern}");
    }
    server.wait_until("/metrics", |reply| {
        reply
            .body
            .lines()
            .any(|line| line == "scent_requests_running 0")
    });
    assert_eq!(server.get("/api/v1/search?q=retry").status, 200);
}

/// Requests of letters that mean something to somebody, from a seed.
#[test]
fn whatever_is_asked_the_server_goes_on() {
    let world = World::sample();
    let server = Server::ready(&world, &[]);
    let mut state: u64 = 0x5eed;
    let mut next = |most: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % most
    };
    const PIECES: [&str; 28] = [
        "q=",
        "&",
        "=",
        "%",
        "%00",
        "%ff",
        "%2e%2e/",
        "\"",
        "(",
        ")",
        "[",
        "lang:",
        "-",
        "AND ",
        "OR ",
        "path=",
        "k=",
        "9",
        "fresh",
        "generation=",
        "{",
        "}",
        "null",
        "src/retry.rs",
        "line=",
        "root=project",
        "+",
        "pattern=",
    ];
    const PATHS: [&str; 8] = [
        "search",
        "similar",
        "definitions",
        "references",
        "dependencies",
        "impact",
        "outline",
        "map",
    ];
    let began = Instant::now();
    let mut asked = 0;
    while asked < 2_000 && began.elapsed() < Duration::from_secs(20) {
        let count = next(12);
        let text: String = (0..count).map(|_| PIECES[next(PIECES.len())]).collect();
        let path = format!("/api/v1/{}", PATHS[next(PATHS.len())]);
        let reply = match asked % 3 {
            0 => server.post(&path, &text.replace('&', ",")),
            _ => server.get(&format!("{path}?{}", text.replace([' ', '"'], "%20"))),
        };
        let is_fine = reply.status < 500 || [503, 504].contains(&reply.status);
        assert!(is_fine, "{path} {text:?}: {reply:?}");
        asked += 1;
    }
    assert!(asked > 200, "{asked}");
    assert!(!server.log().contains("panicked"), "{}", server.log());
    assert_eq!(server.get("/api/v1/search?q=retry").status, 200);
}

#[test]
fn the_server_stops_within_two_seconds_and_keeps_the_index() {
    let world = World::sample();
    world.write("long.js", format!("x = '{}';\n", "ab=".repeat(600_000)));
    world.write("scent.toml", "[index]\ninclude_minified = true\n");
    let mut server = Server::ready(&world, &[]);
    let mut open = Vec::new();
    for _ in 0..60 {
        let mut stream = server.connect();
        let mut text = "GET /api/v1/events HTTP/1.1\r\n".to_owned();
        for (name, value) in server.headers() {
            text += &format!("{name}: {value}\r\n");
        }
        stream.write_all(format!("{text}\r\n").as_bytes()).unwrap();
        open.push(stream);
    }
    for _ in 0..2 {
        let mut stream = server.connect();
        let mut text = "GET /api/v1/search?pattern=.*.*.*=.*y HTTP/1.1\r\n".to_owned();
        for (name, value) in server.headers() {
            text += &format!("{name}: {value}\r\n");
        }
        stream.write_all(format!("{text}\r\n").as_bytes()).unwrap();
        open.push(stream);
    }
    server.wait_until("/metrics", |reply| {
        reply.body.contains("scent_event_listeners 60")
    });
    server.signal("-TERM");
    let (code, took) = server.wait();
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(2), "{took:?}");
    let mut told = read(&mut open[0]).unwrap().body;
    told.retain(|c| c != '\r');
    assert!(told.contains("event: bye"), "{told}");
    let run = world.run(&["index", "--verify"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(
        !world
            .data
            .join("servers")
            .join(format!("{}.json", server.port()))
            .exists()
    );
}
