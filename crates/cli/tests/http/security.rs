//! Who may ask, and what nobody is told. One test for each row of the list in
//! docs/http.md; those that need a browser are checked by what a browser sends.

use crate::client::{Reply, Server};
use crate::world::{RETRY_RS, World};
use serde_json::json;
use std::fs;

/// One address of each kind.
const ROUTES: [&str; 19] = [
    "/",
    "/healthz",
    "/readyz",
    "/metrics",
    "/mcp",
    "/api/v1/search?q=retry",
    "/api/v1/similar?path=src/retry.rs&line=4",
    "/api/v1/definitions?name=retry_delay",
    "/api/v1/references?name=retry_delay",
    "/api/v1/dependencies?path=src",
    "/api/v1/impact?name=retry_delay",
    "/api/v1/callpath?from=next&to=retry_delay",
    "/api/v1/outline?path=src",
    "/api/v1/map",
    "/api/v1/context?path=src/retry.rs&line=4",
    "/api/v1/roots",
    "/api/v1/status",
    "/api/v1/openapi.json",
    "/nowhere",
];

fn token_of(server: &Server) -> String {
    format!("Bearer {}", server.token.as_ref().unwrap())
}

#[test]
fn other_names_are_not_answered() {
    let world = World::sample();
    let server = Server::ready(&world, &[]);
    let (port, token) = (server.port(), token_of(&server));
    let token = ("authorization", token.as_str());
    let good = format!("localhost:{port}");
    let other_port = format!("localhost:{}", port.wrapping_add(1));
    let cases: Vec<Vec<(&str, &str)>> = vec![
        vec![("host", "evil.test")],
        vec![("host", "127.0.0.1.evil.test")],
        vec![],
        vec![("host", &good), ("host", &good)],
        vec![("host", &other_port)],
        vec![("host", "evil.test"), ("x-forwarded-host", &good)],
        vec![("host", "evil.test"), ("forwarded", "host=localhost")],
    ];
    for path in ROUTES {
        for case in &cases {
            let mut headers = case.clone();
            headers.push(token);
            let reply = server.send("GET", path, &headers, "");
            assert_eq!(reply.status, 421, "{path} {case:?}");
            assert_eq!(reply.code(), "wrong-host");
        }
    }
    let absolute = "http://evil.test/api/v1/roots";
    let reply = server.send("GET", absolute, &[("host", &good), token], "");
    assert_eq!(reply.status, 421);
    for host in [format!("127.0.0.1:{port}"), format!("LOCALHOST:{port}")] {
        let reply = server.send("GET", "/healthz", &[("host", &host), token], "");
        assert_eq!(reply.status, 200, "{host}");
    }
}

#[test]
fn pages_of_other_servers_are_not_answered() {
    let world = World::sample();
    let server = Server::ready(&world, &[]);
    // What browsers send for fetch, a script, an image, a frame and a form.
    for (method, more, body) in [
        ("GET", &[("origin", "https://evil.test")][..], ""),
        ("GET", &[("origin", "null")], ""),
        (
            "GET",
            &[
                ("sec-fetch-site", "cross-site"),
                ("sec-fetch-dest", "script"),
            ],
            "",
        ),
        (
            "GET",
            &[("sec-fetch-site", "same-site"), ("sec-fetch-dest", "image")],
            "",
        ),
        (
            "GET",
            &[
                ("sec-fetch-site", "cross-site"),
                ("sec-fetch-dest", "iframe"),
            ],
            "",
        ),
        (
            "POST",
            &[
                ("origin", "https://evil.test"),
                ("content-type", "text/plain"),
            ],
            "{}",
        ),
        ("OPTIONS", &[("origin", "https://evil.test")], ""),
        (
            "GET",
            &[
                ("origin", "https://evil.test"),
                ("upgrade", "websocket"),
                ("connection", "upgrade"),
            ],
            "",
        ),
    ] {
        for path in ["/api/v1/search", "/api/v1/events", "/mcp", "/"] {
            let reply = server.ask(method, path, more, body);
            assert_eq!(reply.status, 403, "{method} {path} {more:?}");
            assert_eq!(reply.code(), "foreign-origin");
            assert!(
                reply
                    .headers
                    .iter()
                    .all(|(name, _)| !name.starts_with("access-control"))
            );
        }
    }
    let own = format!("http://localhost:{}", server.port());
    let more = [("origin", own.as_str()), ("sec-fetch-site", "same-origin")];
    let reply = server.ask("GET", "/api/v1/search?q=retry", &more, "");
    assert_eq!(reply.status, 200);
}

/// A link that somebody posted elsewhere.
#[test]
fn a_link_on_another_page_opens_the_page_and_nothing_else() {
    let world = World::sample();
    let server = Server::ready(&world, &[]);
    let token = server.token.clone().unwrap();
    let (host, cookie) = (
        format!("localhost:{}", server.port()),
        format!("scent-{}={token}", server.port()),
    );
    let link = [
        ("host", host.as_str()),
        ("cookie", cookie.as_str()),
        ("referer", "https://forum.example/"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-mode", "navigate"),
        ("sec-fetch-dest", "document"),
    ];
    for path in ROUTES {
        let reply = server.send("GET", path, &link, "");
        assert_eq!(reply.status, if path == "/" { 200 } else { 403 }, "{path}");
    }
    assert_eq!(server.send("POST", "/", &link, "").status, 403);
    // Without the cookie, it opens nothing either.
    let stranger: Vec<(&str, &str)> = link.into_iter().filter(|h| h.0 != "cookie").collect();
    assert_eq!(server.send("GET", "/", &stranger, "").status, 401);
    let opened = server.send("GET", &format!("/?token={token}"), &stranger, "");
    assert_eq!(opened.status, 303);
}

#[test]
fn another_page_is_allowed_by_name_alone() {
    let world = World::sample();
    let plain = Server::ready(&world, &[]);
    let shared = Server::ready(&world, &["--allow-origin", "https://ide.example"]);
    let allows = |reply: &Reply| -> Vec<(String, String)> {
        let all = reply.headers.iter();
        all.filter(|(name, _)| name.starts_with("access-control"))
            .cloned()
            .collect()
    };
    for path in ROUTES {
        let reply = plain.get(path);
        assert!(allows(&reply).is_empty(), "{path}");
        let ours = shared.ask("GET", path, &[("origin", "https://ide.example")], "");
        let name = "access-control-allow-origin".to_owned();
        assert_eq!(
            allows(&ours),
            [(name, "https://ide.example".to_owned())],
            "{path}"
        );
        let theirs = shared.ask("GET", path, &[("origin", "https://ide.example.evil")], "");
        assert_eq!(theirs.status, 403, "{path}");
        assert!(allows(&theirs).is_empty());
    }
    let host = format!("localhost:{}", shared.port());
    let asks = [
        ("host", host.as_str()),
        ("origin", "https://ide.example"),
        ("access-control-request-method", "POST"),
    ];
    let reply = shared.send("OPTIONS", "/api/v1/search", &asks, "");
    assert_eq!(reply.status, 204);
    assert_eq!(
        reply.header("access-control-allow-methods"),
        Some("GET, POST")
    );
    assert_eq!(reply.header("access-control-allow-credentials"), None);
}

#[test]
fn nothing_is_answered_without_the_token() {
    let world = World::sample();
    let server = Server::ready(&world, &["--log-requests", "--log-queries"]);
    let token = server.token.clone().unwrap();
    let host = format!("localhost:{}", server.port());
    let host = ("host", host.as_str());
    let wrong = format!("Bearer {}x", &token[1..]);
    let short = format!("Bearer {}", &token[..token.len() - 1]);
    // That it runs may be known; it is checked by who asks alone.
    let reply = server.send("GET", "/healthz", &[host], "");
    assert_eq!(reply.json(), json!({"status": "ok"}));
    assert_eq!(server.send("POST", "/healthz", &[host], "").status, 401);
    for path in ROUTES.into_iter().filter(|path| *path != "/healthz") {
        for more in [
            None,
            Some(("authorization", wrong.as_str())),
            Some(("authorization", short.as_str())),
            Some(("cookie", "scent=x")),
        ] {
            let headers: Vec<(&str, &str)> = [host].into_iter().chain(more).collect();
            let reply = server.send("GET", path, &headers, "");
            assert_eq!(
                (reply.status, reply.code().as_str()),
                (401, "no-token"),
                "{path}"
            );
            assert_eq!(reply.header("www-authenticate"), Some("Bearer"));
        }
        if path != "/" {
            let sign = if path.contains('?') { '&' } else { '?' };
            let reply = server.send("GET", &format!("{path}{sign}token={token}"), &[host], "");
            assert_eq!(reply.status, 401, "{path}");
        }
    }
    // A person opens the address once, and goes on with a cookie.
    let reply = server.send("GET", &format!("/?token={token}"), &[host], "");
    assert_eq!((reply.status, reply.header("location")), (303, Some("/")));
    let cookie = reply.header("set-cookie").unwrap().to_owned();
    for part in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let cookie = cookie.split(';').next().unwrap();
    let reply = server.send("GET", "/api/v1/roots", &[host, ("cookie", cookie)], "");
    assert_eq!(reply.status, 200);
    let reply = server.send("GET", "/?token=wrong", &[host], "");
    assert_eq!(reply.status, 401);
    assert!(!server.logged("answered", 1).is_empty());
    assert!(!server.log().contains(&token));
}

#[test]
fn other_machines_need_a_token_or_nothing_starts() {
    let world = World::sample();
    for address in ["0.0.0.0", "::", "192.0.2.1"] {
        let args = ["serve", "--listen", address, "--no-token", "--port", "0"];
        let said = world.refused(&args);
        assert!(said.contains("leave out --no-token"), "{said}");
    }
    let server = Server::start(&world, &["--listen", "0.0.0.0"]);
    assert_eq!(server.get("/healthz").status, 200);
    let host = format!("evil.test:{}", server.port());
    let token = token_of(&server);
    let headers = [("host", host.as_str()), ("authorization", token.as_str())];
    assert_eq!(server.send("GET", "/healthz", &headers, "").status, 421);
}

#[test]
fn only_files_of_the_index_are_shown() {
    let world = World::sample();
    world.write(".gitignore", "ignored.rs\n");
    world.write("ignored.rs", "pub fn not_for_anybody() {}\n");
    world.write(".git/config", "[core]\n");
    world.write("image.rs", b"\0\0\0binary\0");
    world.write("outside.txt", "x");
    let outside = world.home.join("outside.rs");
    fs::write(&outside, "pub fn outside_secret() {}\n").unwrap();
    world.write("src/swapped.rs", "pub fn before_the_swap() {}\n");
    std::os::unix::fs::symlink(&outside, world.root.join("src/link.rs")).unwrap();
    let server = Server::ready(&world, &[]);
    let missing = server.get("/api/v1/outline?path=src/never.rs");
    assert_eq!(missing.status, 404);
    let absolute = world.root.join("src/retry.rs").display().to_string();
    for path in [
        "src/../src/retry.rs",
        "src/%2e%2e/src/retry.rs",
        "src%2f..%2fsrc/retry.rs",
        "src%5Cretry.rs",
        "./src/retry.rs",
        "src//retry.rs",
        &absolute,
        "src/retry.rs%00",
        "/dev/null",
        "CON",
        "src/link.rs",
        "ignored.rs",
        "image.rs",
        ".git/config",
        ".git/HEAD",
    ] {
        for route in [
            format!("/api/v1/outline?path={path}"),
            format!("/api/v1/similar?path={path}&line=1"),
            format!("/api/v1/references?path={path}&line=1"),
            format!("/api/v1/impact?path={path}"),
            format!("/api/v1/dependencies?path={path}"),
            format!("/api/v1/context?path={path}&line=1"),
        ] {
            let reply = server.get(&route);
            assert_eq!(reply.status, 404, "{route}: {reply:?}");
            assert_eq!(reply.body, missing.body, "{route}");
        }
    }
    // A file that is swapped for a link after it was indexed.
    let swapped = world.root.join("src/swapped.rs");
    fs::remove_file(&swapped).unwrap();
    std::os::unix::fs::symlink(&outside, &swapped).unwrap();
    for route in [
        "outline?path=src/swapped.rs",
        "search?q=before_the_swap&context=full",
        "definitions?name=before_the_swap",
        "search?pattern=outside_secret",
        "search?q=outside_secret",
    ] {
        let reply = server.get(&format!("/api/v1/{route}"));
        assert!(
            !reply.body.contains("fn outside_secret"),
            "{route}: {reply:?}"
        );
    }
}

#[test]
fn a_folder_swapped_for_a_link_shows_nothing_outside() {
    let world = World::sample();
    world.write("deep/inner/a.rs", "pub fn inner_name() {}\n");
    let server = Server::ready(&world, &[]);
    let outside = world.home.join("elsewhere");
    fs::create_dir_all(&outside).unwrap();
    fs::write(
        outside.join("a.rs"),
        "pub fn inner_name() { outside_text() }\n",
    )
    .unwrap();
    fs::remove_dir_all(world.root.join("deep/inner")).unwrap();
    std::os::unix::fs::symlink(&outside, world.root.join("deep/inner")).unwrap();
    for route in [
        "outline?path=deep/inner/a.rs",
        "search?q=inner_name&context=full",
        "definitions?name=inner_name",
        "references?name=inner_name&text",
    ] {
        let reply = server.get(&format!("/api/v1/{route}"));
        assert!(!reply.body.contains("outside_text"), "{route}: {reply:?}");
    }
}

#[test]
fn names_of_commits_start_no_program() {
    let world = World::sample();
    let trap = world.root.join("trap-was-sprung");
    let run = format!("touch {}", trap.display());
    let git = |args: &[&str]| {
        let done = std::process::Command::new("git")
            .args(args)
            .current_dir(&world.root)
            .output();
        assert!(done.unwrap().status.success(), "{args:?}");
    };
    fs::remove_dir_all(world.root.join(".git")).unwrap();
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&[
        "-c",
        "user.name=a",
        "-c",
        "user.email=b",
        "commit",
        "-qm",
        "first",
    ]);
    for key in [
        "core.fsmonitor",
        "diff.external",
        "diff.x.textconv",
        "alias.rev-parse",
        "core.pager",
    ] {
        git(&["config", key, &run]);
    }
    world.write(".gitattributes", "* diff=x\n");
    let server = Server::ready(&world, &[]);
    for name in [
        "--output=x",
        "-x",
        "HEAD;id",
        "@{upstream}",
        ":/text",
        "HEAD%0A",
        &"a".repeat(5_000),
    ] {
        let reply = server.get(&format!("/api/v1/impact?diff={name}"));
        assert!([400, 404].contains(&reply.status), "{name}: {reply:?}");
    }
    let long = json!({"diff": "a".repeat(10_000)}).to_string();
    assert!(server.post("/api/v1/impact", &long).status >= 400);
    let reply = server.get("/api/v1/impact?diff=HEAD");
    assert_eq!(reply.status, 200, "{reply:?}");
    assert!(!trap.exists());
}

#[test]
fn no_answer_says_where_the_files_are() {
    let world = World::sample();
    let server = Server::ready(&world, &[]);
    let here = world.root.parent().unwrap().display().to_string();
    let mut paths: Vec<String> = ROUTES.map(str::to_owned).to_vec();
    for more in [
        "/api/v1/search?pattern=(",
        "/api/v1/search?q=zzzzqqq",
        "/api/v1/search?q=retry&root=x",
        "/api/v1/outline?path=nope",
        "/api/v1/impact?diff=nope",
        "/api/v1/similar?path=src/retry.rs&line=999",
        "/api/v1/status?fresh",
        "/api/v1/search?q=retry&fresh&explain&timing",
        "/api/v1/events/x",
    ] {
        paths.push(more.to_owned());
    }
    let user = std::env::var("USER").unwrap_or_default();
    for path in paths {
        let reply = server.get(&path);
        assert!(!reply.body.contains(&here), "{path}: {}", reply.body);
        assert!(!reply.body.contains("panicked"), "{path}");
        assert!(!reply.body.contains("/home/"), "{path}: {user}");
    }
    // A damaged index is an error that says no path either.
    for entry in fs::read_dir(&world.data).unwrap().flatten() {
        let is_index = entry.file_name().to_string_lossy().starts_with("project-");
        if is_index {
            fs::remove_dir_all(entry.path()).unwrap();
        }
    }
    for path in [
        "/api/v1/search?q=retry&fresh",
        "/api/v1/search?q=retry",
        "/api/v1/map",
    ] {
        let reply = server.get(path);
        assert!(!reply.body.contains(&here), "{path}: {}", reply.body);
    }
}

#[test]
fn every_answer_says_what_a_page_may_do_with_it() {
    let world = World::sample();
    let server = Server::ready(&world, &[]);
    let mut replies: Vec<(String, Reply)> = Vec::new();
    for path in ROUTES {
        replies.push((path.to_owned(), server.get(path)));
        replies.push((
            format!("{path} without a token"),
            server.send("GET", path, &[], ""),
        ));
    }
    for (path, reply) in replies {
        for (name, want) in [
            ("x-content-type-options", "nosniff"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
            ("referrer-policy", "no-referrer"),
        ] {
            assert_eq!(reply.header(name), Some(want), "{path}");
        }
        let policy = reply.header("content-security-policy").unwrap();
        for part in [
            "default-src 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for",
        ] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        assert!(reply.header("x-request-id").is_some(), "{path}");
    }
}

#[test]
fn the_token_is_for_the_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::sample();
    let server = Server::start(&world, &[]);
    let folder = world.data.join("servers");
    for name in ["token".to_owned(), format!("{}.json", server.port())] {
        let mode = fs::metadata(folder.join(&name))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    let kept = fs::read_to_string(folder.join("token")).unwrap();
    assert_eq!(kept.trim(), server.token.as_ref().unwrap());
    drop(server);
    let open = fs::Permissions::from_mode(0o644);
    fs::set_permissions(folder.join("token"), open).unwrap();
    let said = world.refused(&["serve", "--port", "0"]);
    assert!(said.contains("others can read the token"), "{said}");
}

#[test]
fn files_with_keys_are_shown_only_where_that_is_allowed() {
    let secret = "DATABASE_PASSWORD=hunter2_marker\n";
    let world = World::new(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("src/retry.rs", RETRY_RS),
        (".env", secret),
        ("deploy/.env.production", secret),
        (
            "src/notes.md",
            "# Notes\n\nThe hunter2_marker is in the environment.\n",
        ),
    ]);
    // For the user's own terminal nothing is kept back.
    assert!(world.found(&["hunter2_marker"]).contains(".env"));
    let closed = Server::ready(&world, &[]);
    let open = Server::ready(&world, &["--allow-secrets"]);
    for route in [
        "search?q=hunter2_marker",
        "search?q=DATABASE_PASSWORD&context=full",
        "search?pattern=hunter2_marker",
        "search?pattern=PASSWORD&count",
        "search?q=password&path=.env",
        "references?name=hunter2_marker&text",
        "outline?path=.env",
        "outline?path=deploy",
        "similar?path=.env&line=1",
        "definitions?name=DATABASE_PASSWORD",
        "map",
        "dependencies?path=.env",
        "context?path=.env&line=1",
        "context?path=.env&line=1&before=DATABASE",
        "context?path=.env.local&line=1&before=DATABASE_PASSWORD",
    ] {
        let reply = closed.get(&format!("/api/v1/{route}"));
        assert!(
            !reply.body.contains("DATABASE_PASSWORD="),
            "{route}: {reply:?}"
        );
        assert!(!reply.body.contains(".env\""), "{route}: {reply:?}");
    }
    let found = closed.json("/api/v1/search?q=hunter2_marker");
    assert_eq!(found["results"][0]["path"], "src/notes.md");
    let found = open.json("/api/v1/search?pattern=hunter2_marker");
    assert_eq!(found["total"], 3);
}
