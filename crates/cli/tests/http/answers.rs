//! What is answered: the same as the command line, and how it is wrapped.

use crate::client::Server;
use crate::world::{RETRY_RS, World};
use serde_json::{Value, json};

/// An answer without where it is and how long it took.
fn bare(mut answer: Value) -> Value {
    for key in ["root", "rest", "timing", "index"] {
        answer.as_object_mut().unwrap().remove(key);
    }
    answer
}

/// Addresses below `/api/v1`, and the commands that answer the same.
const SAME: &[(&str, &[&str])] = &[
    ("search?q=retry", &["search", "retry"]),
    (
        "search?q=wait+before+another+attempt&k=2",
        &["search", "wait before another attempt", "-k", "2"],
    ),
    (
        "search?q=retry&from=1&k=2",
        &["search", "retry", "--offset", "1", "-k", "2"],
    ),
    (
        "search?q=lang:rust+delay&explain",
        &["search", "lang:rust delay", "--explain"],
    ),
    (
        "search?pattern=delay%5Cs%3D&path=**/*.toml",
        &["search", "-e", "delay\\s=", "--path", "**/*.toml"],
    ),
    (
        "search?q=retry&fixed&count",
        &["search", "-F", "retry", "--count"],
    ),
    (
        "search?q=retry&context=none&max_tokens=80",
        &["search", "retry", "-C", "none", "--max-tokens", "80"],
    ),
    (
        "search?q=retry&is=docs&not=test&kind=section",
        &[
            "search",
            "retry",
            "--docs",
            "--no-tests",
            "--kind",
            "section",
        ],
    ),
    (
        "similar?path=src/retry.rs&line=4",
        &["similar", "src/retry.rs:4"],
    ),
    ("definitions?name=retry_delay", &["def", "retry_delay"]),
    ("references?name=retry_delay", &["refs", "retry_delay"]),
    (
        "references?path=src/retry.rs&line=4",
        &["refs", "src/retry.rs:4"],
    ),
    (
        "references?path=src/retry.rs&line=4&column=8",
        &["refs", "src/retry.rs:4:8"],
    ),
    (
        "definitions?path=src/retry.rs&line=4&column=8",
        &["def", "src/retry.rs:4:8"],
    ),
    ("dependencies?path=src/retry.rs", &["deps", "src/retry.rs"]),
    (
        "impact?name=retry_delay&depth=2",
        &["impact", "retry_delay", "--depth", "2"],
    ),
    (
        "callpath?from=next&to=retry_delay",
        &["callpath", "next", "retry_delay"],
    ),
    ("outline?path=src/retry.rs", &["outline", "src/retry.rs"]),
    ("outline?path=src", &["outline", "src"]),
    ("map", &["map"]),
    (
        "context?path=src/retry.rs&line=40&max_tokens=300",
        &["context", "src/retry.rs:40", "--max-tokens", "300"],
    ),
    ("status", &["status"]),
    ("languages", &["languages"]),
];

#[test]
fn answers_are_those_of_the_command_line() {
    let world = World::sample();
    let server = Server::ready(&world, &[]);
    for (path, args) in SAME.iter().copied() {
        let got = bare(server.json(&format!("/api/v1/{path}")));
        let run = world.run(&[args, &["--json"]].concat());
        let mut want: Value = serde_json::from_str(&run.out).unwrap();
        // Measured at each run.
        let mut got = got;
        for answer in [&mut got, &mut want] {
            let steps = answer["steps"].as_array_mut();
            steps
                .into_iter()
                .flatten()
                .for_each(|step| step["micros"] = json!(0));
            if answer["steps"].is_null() {
                answer.as_object_mut().unwrap().remove("steps");
            }
        }
        assert_eq!(got, bare(want), "{path}");
    }
}

#[test]
fn a_post_says_the_same_as_an_address() {
    let world = World::sample();
    let server = Server::ready(&world, &[]);
    let by_address = server.get("/api/v1/search?q=retry+delay&k=3&lang=rust&lang=python");
    let body = json!({"q": "retry delay", "k": 3, "lang": ["rust", "python"]});
    let by_body = server.post("/api/v1/search", &body.to_string());
    assert_eq!(by_body.status, 200, "{by_body:?}");
    assert_eq!(by_address.body, by_body.body);
    assert_eq!(by_body.json()["root"], "project");
}

/// What an editor has is not what is on disk, and a new file is on no disk.
#[test]
fn context_is_of_the_text_that_is_sent() {
    let world = World::sample();
    let server = Server::ready(&world, &[]);
    let names = |body: &Value| -> Vec<String> {
        let reply = server.post("/api/v1/context", &body.to_string());
        assert_eq!(reply.status, 200, "{reply:?}");
        let found = reply.json();
        assert_eq!(found["root"], "project");
        let snippets = found["snippets"].as_array().unwrap().clone();
        snippets
            .iter()
            .map(|piece| piece["qualified_name"].as_str().unwrap().to_owned())
            .collect()
    };
    for path in ["src/retry.rs", "src/brand_new.rs"] {
        let body = |before: &str| json!({"path": path, "line": 90, "before": before, "after": "}"});
        let wanted = names(&body("fn fresh() {\n    retry_delay("));
        assert!(wanted.contains(&"retry_delay".to_owned()), "{wanted:?}");
    }
    let one = json!({"path": "src/retry.rs", "line": 90, "root": "other", "before": ""});
    let reply = server.post("/api/v1/context", &one.to_string());
    assert_eq!(reply.code(), "no-such-root");
    let long = json!({"path": "src/retry.rs", "line": 1, "before": "x ".repeat(40 << 10)});
    let reply = server.post("/api/v1/context", &long.to_string());
    assert_eq!((reply.status, reply.code().as_str()), (413, "too-long"));
}

/// Questions that have no answer, each with the status and the code of why.
const WRONG: &[(&str, u16, &str)] = &[
    ("/api/v1/search", 400, "empty-query"),
    ("/api/v1/search?q=a&lang=klingon", 400, "unknown-language"),
    ("/api/v1/search?q=a&kind=thing", 400, "unknown-kind"),
    ("/api/v1/search?q=a&lanes=fast", 400, "unknown-lane"),
    ("/api/v1/search?pattern=(", 400, "bad-pattern"),
    ("/api/v1/search?q=a&path=%5B", 400, "bad-glob"),
    ("/api/v1/search?q=a&k=0", 400, "zero-limit"),
    ("/api/v1/search?q=a&k=1000000000", 400, "limit-too-large"),
    ("/api/v1/search?q=a&query=b", 400, "unknown-parameter"),
    ("/api/v1/search?q=a&root=other", 404, "no-such-root"),
    ("/api/v1/search?q=a&generation=9999", 409, "generation-gone"),
    ("/api/v1/definitions", 400, "bad-parameter"),
    ("/api/v1/references?name=a&role=caller", 400, "unknown-role"),
    (
        "/api/v1/references?path=src/retry.rs&line=1",
        400,
        "no-definition",
    ),
    (
        "/api/v1/definitions?path=src/retry.rs&line=999",
        404,
        "no-such-line",
    ),
    (
        "/api/v1/references?path=src/retry.rs&line=4&column=1",
        400,
        "no-name-at",
    ),
    (
        "/api/v1/similar?path=src/retry.rs&line=999",
        404,
        "no-such-place",
    ),
    ("/api/v1/impact?diff=HEAD", 400, "git"),
    ("/api/v1/dependencies?path=nope", 404, "no-such-path"),
    ("/api/v1/context?line=1", 400, "bad-parameter"),
    ("/api/v1/context?path=src/retry.rs", 400, "bad-parameter"),
    (
        "/api/v1/context?path=src/new.rs&line=1",
        404,
        "no-such-path",
    ),
    (
        "/api/v1/context?path=src/retry.rs&line=1&max_tokens=0",
        400,
        "zero-limit",
    ),
    (
        "/api/v1/context?path=src/retry.rs&line=1&max_tokens=20001",
        400,
        "limit-too-large",
    ),
    ("/api/v1/nowhere", 404, "no-such-route"),
];

#[test]
fn what_is_wrong_is_a_problem_that_says_what_to_do() {
    let world = World::sample();
    let server = Server::ready(&world, &[]);
    for &(path, status, code) in WRONG {
        let reply = server.get(path);
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (status, code),
            "{path}"
        );
        let problem = reply.json();
        assert_eq!(problem["status"], status);
        assert!(!problem["detail"].as_str().unwrap().is_empty(), "{path}");
    }
    let reply = server.get("/api/v1/search?q=a&nope=b");
    let known = reply.json()["known"].as_array().unwrap().clone();
    assert!(known.contains(&json!("max_tokens")), "{known:?}");
    let reply = server.ask("PUT", "/api/v1/search?q=a", &[], "");
    assert_eq!((reply.status, reply.code().as_str()), (405, "bad-method"));
    let reply = server.post("/api/v1/definitions", "{}");
    assert_eq!((reply.status, reply.code().as_str()), (405, "bad-method"));
    let reply = server.ask(
        "POST",
        "/api/v1/search",
        &[("content-type", "text/plain")],
        "{}",
    );
    assert_eq!((reply.status, reply.code().as_str()), (415, "not-json"));
}

#[test]
fn an_answer_that_the_client_has_is_not_made_again() {
    let world = World::sample();
    let server = Server::ready(&world, &[]);
    for path in [
        "/api/v1/search?q=retry",
        "/api/v1/definitions?name=retry_delay",
        "/api/v1/map",
        "/api/v1/status",
    ] {
        let first = server.get(path);
        let tag = first.header("etag").unwrap_or_else(|| panic!("{path}"));
        let again = server.ask("GET", path, &[("if-none-match", tag)], "");
        assert_eq!((again.status, again.body.as_str()), (304, ""), "{path}");
        assert_eq!(again.header("etag"), Some(tag));
        let other = server.ask("GET", path, &[("if-none-match", "\"g1-0\"")], "");
        assert_eq!(other.status, 200, "{path}");
    }
    let tags = ["retry", "delay"].map(|query| {
        let reply = server.get(&format!("/api/v1/search?q={query}"));
        reply.header("etag").unwrap().to_owned()
    });
    assert_ne!(tags[0], tags[1]);
}

#[test]
fn long_lists_come_line_by_line() {
    let world = World::sample();
    let server = Server::ready(&world, &[]);
    let lines = [("accept", "application/x-ndjson")];
    for (path, list) in [
        ("search?q=retry&k=100", "results"),
        ("references?name=retry_delay&k=1000", "references"),
        ("impact?name=retry_delay&k=1000", "affected"),
    ] {
        let whole = server.json(&format!("/api/v1/{path}"));
        let reply = server.ask("GET", &format!("/api/v1/{path}"), &lines, "");
        assert_eq!(reply.header("content-type"), Some("application/x-ndjson"));
        let mut rows: Vec<Value> = reply
            .body
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let last = rows.pop().unwrap();
        assert_eq!(last["done"], true);
        assert_eq!(last["total"], whole["total"], "{path}");
        assert_eq!(&Value::Array(rows), &whole[list], "{path}");
    }
}

#[test]
fn several_folders_are_told_apart_by_their_ids() {
    let world = World::new(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("src/retry.rs", RETRY_RS),
        ("other/.git/HEAD", "ref: refs/heads/main\n"),
        ("other/src/retry.rs", "pub fn retry_elsewhere() {}\n"),
    ]);
    world.write(".gitignore", "other\n");
    let server = Server::start(&world, &[".", "other"]);
    server.wait_until("/readyz", |reply| reply.status == 200);
    let roots = server.json("/api/v1/roots");
    let ids: Vec<&str> = roots["roots"]
        .as_array()
        .unwrap()
        .iter()
        .map(|root| root["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["project", "other"]);
    let all = server.json("/api/v1/search?q=retry&fresh");
    assert_eq!(all["root"], "");
    let mut paths: Vec<&str> = all["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["path"].as_str().unwrap())
        .collect();
    paths.sort_unstable();
    paths.dedup();
    assert_eq!(paths, ["other/src/retry.rs", "project/src/retry.rs"]);
    let one = server.json("/api/v1/search?q=retry&root=other");
    assert_eq!(one["root"], "other");
    assert_eq!(one["results"][0]["path"], "src/retry.rs");
    let reply = server.get("/api/v1/definitions?name=retry_delay");
    assert_eq!(reply.code(), "which-root");
    assert_eq!(reply.json()["known"], json!(["project", "other"]));
    let found = server.json("/api/v1/definitions?name=retry_elsewhere&root=other");
    assert_eq!(found["total"], 1);
}

#[test]
fn the_description_is_of_what_is_answered() {
    let world = World::sample();
    let server = Server::ready(&world, &[]);
    let document = server.json("/api/v1/openapi.json");
    let mut checked = 0;
    for (route, query) in [
        ("/api/v1/search", "?q=retry&explain&timing"),
        ("/api/v1/similar", "?path=src/retry.rs&line=4"),
        ("/api/v1/definitions", "?name=retry_delay"),
        ("/api/v1/references", "?name=retry_delay"),
        ("/api/v1/dependencies", "?path=src"),
        ("/api/v1/impact", "?name=retry_delay"),
        ("/api/v1/callpath", "?from=next&to=retry_delay"),
        ("/api/v1/outline", "?path=src"),
        ("/api/v1/map", ""),
        ("/api/v1/context", "?path=src/retry.rs&line=8"),
        ("/api/v1/roots", ""),
        ("/api/v1/status", ""),
        ("/api/v1/languages", ""),
        ("/healthz", ""),
        ("/readyz", ""),
    ] {
        let answers = &document["paths"][route]["get"]["responses"];
        let schema = &answers["200"]["content"]["application/json"]["schema"];
        assert!(schema.is_object(), "{route}: {answers}");
        let answer = server.json(&format!("{route}{query}"));
        fits(&document, schema, &answer, route);
        checked += 1;
        // Every parameter of the question is one that is described.
        let described = document["paths"][route]["get"]["parameters"].as_array();
        let described: Vec<&str> = described
            .into_iter()
            .flatten()
            .map(|parameter| parameter["name"].as_str().unwrap())
            .collect();
        let asked = query.trim_start_matches('?').split('&');
        for pair in asked.filter(|pair| !pair.is_empty()) {
            let name = pair.split('=').next().unwrap();
            assert!(described.contains(&name), "{route}: {name}");
        }
    }
    assert_eq!(checked, 15);
    let problem = server.get("/api/v1/nowhere").json();
    let schema = json!({"$ref": "#/components/schemas/Problem"});
    fits(&document, &schema, &problem, "a problem");
}

/// Checks that a value has the types that a schema says, no field that it does
/// not know, and all that it demands.
fn fits(document: &Value, schema: &Value, value: &Value, place: &str) {
    if let Some(reference) = schema["$ref"].as_str() {
        let schema = document.pointer(&reference[1..]).unwrap();
        return fits(document, schema, value, place);
    }
    if let Some(any) = schema["oneOf"].as_array().or(schema["allOf"].as_array()) {
        let real = any.iter().find(|one| one["type"] != "null").unwrap();
        return fits(document, real, value, place);
    }
    let is_of = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("{place}: {other}"),
    };
    match &schema["type"] {
        Value::String(name) => assert!(is_of(name), "{place}: {value} is no {name}"),
        Value::Array(names) => {
            let fits = names.iter().any(|name| is_of(name.as_str().unwrap()));
            assert!(fits, "{place}: {value} is none of {names:?}");
        }
        other => assert!(other.is_null(), "{place}: {other}"),
    }
    for item in value.as_array().into_iter().flatten() {
        fits(document, &schema["items"], item, &format!("{place}[]"));
    }
    let known = schema["properties"].as_object();
    for name in schema["required"].as_array().into_iter().flatten() {
        let name = name.as_str().unwrap();
        assert!(value.get(name).is_some(), "{place} lacks {name}: {value}");
    }
    for (name, inner) in value.as_object().into_iter().flatten() {
        let place = format!("{place}.{name}");
        match known.and_then(|known| known.get(name)) {
            Some(schema) => fits(document, schema, inner, &place),
            None => assert!(
                schema["additionalProperties"].is_object(),
                "{place} is not described"
            ),
        }
    }
}
