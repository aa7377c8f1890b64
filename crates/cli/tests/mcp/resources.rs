//! What is read by an address, completed, and answered as data.

use crate::client::{Client, ERAS, Era};
use crate::world::{RETRY_RS, World};
use serde_json::{Value, json};

fn indexed() -> World {
    let world = World::sample();
    assert_eq!(world.run(&["index"]).code, Some(0));
    world
}

#[test]
fn files_and_results_are_read_by_their_addresses() {
    let world = indexed();
    for era in ERAS {
        let mut client = Client::met(&world, era, &[]);
        let listed = client.request("resources/list", json!({}));
        assert_eq!(listed["resources"][0]["uri"], "scent://map");
        let listed = client.request("resources/templates/list", json!({}));
        assert_eq!(listed["resourceTemplates"].as_array().unwrap().len(), 5);
        for (uri, want) in [
            ("scent://file/src/retry.rs", RETRY_RS),
            (
                "scent://def/retry_delay",
                "src/retry.rs:4  function retry_delay",
            ),
            ("scent://search/how%20long%20to%20wait", "src/retry.rs:3-7"),
            ("scent://map", "retry.rs"),
            ("scent://status", "root"),
        ] {
            let read = client.request("resources/read", json!({"uri": uri}));
            let text = read["contents"][0]["text"].as_str().unwrap();
            assert!(text.contains(want), "{uri}: {text}");
        }
    }
}

#[test]
fn what_is_not_indexed_is_not_read() {
    let world = indexed();
    world.write("target/secret.txt", "secret");
    world.write(".gitignore", "target\n");
    let mut client = Client::met(&world, Era::Modern, &[]);
    for uri in [
        "scent://file/.git/HEAD",
        "scent://file/target/secret.txt",
        "scent://file/../data",
        "scent://file//etc/passwd",
        "scent://file/src/none.rs",
        "scent://nothing",
        "file:///etc/passwd",
    ] {
        let id = client.send("resources/read", json!({"uri": uri}));
        let answer = client.answer(id);
        assert!(answer["error"]["message"].is_string(), "{uri}: {answer}");
    }
}

/// What usually holds keys is not read by its address either, and no answer of
/// another address says what is in it.
#[test]
fn files_with_keys_are_not_read() {
    let world = World::new(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("src/retry.rs", RETRY_RS),
        (".env", "DATABASE_PASSWORD=hunter2_marker\n"),
        ("deploy/id_rsa", "hunter2_marker\n"),
    ]);
    assert_eq!(world.run(&["index"]).code, Some(0));
    for era in ERAS {
        let mut client = Client::met(&world, era, &[]);
        for path in [".env", "deploy/id_rsa", "./.env", "deploy/../.env"] {
            let uri = format!("scent://file/{path}");
            let id = client.send("resources/read", json!({"uri": uri}));
            let answer = client.answer(id);
            assert!(answer["error"]["message"].is_string(), "{uri}: {answer}");
        }
        for uri in [
            "scent://def/DATABASE_PASSWORD",
            "scent://outline/.env",
            "scent://outline/deploy",
            "scent://search/hunter2_marker",
            "scent://map",
        ] {
            let id = client.send("resources/read", json!({"uri": uri}));
            let answer = client.answer(id).to_string();
            assert!(!answer.contains("PASSWORD="), "{uri}: {answer}");
        }
        assert!(!client.seen.concat().contains("=hunter2_marker"));
    }
    let mut client = Client::met(&world, Era::Modern, &["--allow-secrets"]);
    let read = client.request("resources/read", json!({"uri": "scent://file/.env"}));
    let text = read["contents"][0]["text"].as_str().unwrap();
    assert!(text.contains("=hunter2_marker"), "{text}");
}

#[test]
fn paths_and_names_are_completed() {
    let world = indexed();
    let mut client = Client::met(&world, Era::Modern, &[]);
    for (name, value, want) in [
        ("path", "src/", json!(["src/client.py", "src/retry.rs"])),
        ("path", "retry", json!(["src/retry.rs"])),
        ("name", "retry_d", json!(["retry_delay"])),
        ("name", "", json!([])),
        ("query", "ret", json!([])),
    ] {
        let uri = format!("scent://any/{{{name}}}");
        let params = json!({
            "ref": {"type": "ref/resource", "uri": uri},
            "argument": {"name": name, "value": value},
        });
        let answer = client.request("completion/complete", params);
        assert_eq!(answer["completion"]["values"], want, "{name} {value}");
    }
}

#[test]
fn a_structured_answer_is_the_text_as_data() {
    let world = indexed();
    let mut client = Client::met(&world, Era::Modern, &["--structured", "--tools", "all"]);
    let listed = client.request("tools/list", json!({}));
    let tools = listed["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 9);
    for tool in tools {
        assert_eq!(tool["outputSchema"]["type"], "object", "{tool}");
    }
    for (tool, arguments) in [
        ("search", json!({"query": "retry"})),
        ("status", json!({})),
        ("similar", json!({"place": "src/retry.rs:4"})),
        (
            "callpath",
            json!({"from": "RetryPolicy::next", "to": "retry_delay"}),
        ),
    ] {
        let params = json!({"name": tool, "arguments": arguments});
        let result = client.request("tools/call", params);
        let text = result["content"][0]["text"].as_str().unwrap();
        let data: Value = serde_json::from_str(text).unwrap();
        assert_eq!(result["structuredContent"], data, "{tool}");
        assert!(data["schema"].is_u64(), "{tool}: {data}");
    }
    let mut client = Client::met(&world, Era::Modern, &[]);
    let result = client.request(
        "tools/call",
        json!({"name": "def", "arguments": {"name": "x"}}),
    );
    assert!(result.get("structuredContent").is_none(), "{result}");
}
