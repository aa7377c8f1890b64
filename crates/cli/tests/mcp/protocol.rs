//! What is said before and around the answers.

use crate::client::{Client, ERAS, Era};
use crate::world::World;
use serde_json::{Value, json};
use std::time::Duration;

const TOOLS: [&str; 6] = ["search", "def", "refs", "impact", "deps", "outline"];

#[test]
fn clients_of_both_eras_are_met_without_an_index() {
    let world = World::sample();
    let mut instructions = Vec::new();
    for era in ERAS {
        let mut client = Client::start(&world, &[]);
        let met = client.meet(era);
        match era {
            Era::Legacy => {
                assert_eq!(met["protocolVersion"], "2025-11-25");
                assert_eq!(met["serverInfo"]["name"], "scent");
            }
            Era::Modern => {
                let versions = met["supportedVersions"].as_array().unwrap();
                assert!(versions.contains(&json!("2026-07-28")), "{met}");
                let named = &met["_meta"]["io.modelcontextprotocol/serverInfo"]["name"];
                assert_eq!(named, "scent", "{met}");
                assert!(met["ttlMs"].as_u64().unwrap() > 0);
            }
        }
        instructions.push(met["instructions"].as_str().unwrap().to_owned());
        client.request("tools/list", json!({}));
        assert_eq!(client.leave().0, Some(0));
    }
    assert_eq!(instructions[0], instructions[1]);
    assert!((1..=2_000).contains(&instructions[0].chars().count()));
    assert!(!world.data.exists(), "nothing is indexed unless asked for");
}

#[test]
fn the_list_of_tools_is_always_the_same_and_says_that_nothing_is_changed() {
    let world = World::sample();
    let mut written = Vec::new();
    for era in [Era::Legacy, Era::Modern, Era::Modern] {
        let mut client = Client::met(&world, era, &[]);
        let listed = client.request("tools/list", json!({}));
        if era == Era::Modern {
            assert!(listed["ttlMs"].as_u64().unwrap() > 0);
        }
        let tools = listed["tools"].as_array().unwrap().clone();
        let names: Vec<&str> = tools.iter().map(|t| t["name"].as_str().unwrap()).collect();
        assert_eq!(names, TOOLS);
        for tool in &tools {
            let hints = &tool["annotations"];
            for (hint, want) in [
                ("readOnlyHint", true),
                ("destructiveHint", false),
                ("idempotentHint", true),
                ("openWorldHint", false),
            ] {
                assert_eq!(hints[hint], want, "{hint} of {tool}");
            }
            for (name, property) in tool["inputSchema"]["properties"].as_object().unwrap() {
                assert!(property["type"].is_string(), "{name} of {tool}");
            }
        }
        written.push(Value::Array(tools).to_string());
    }
    assert!(written[0].len() < 8_000, "{}", written[0].len());
    assert!(written.iter().all(|list| *list == written[0]));
}

#[test]
fn nothing_but_the_protocol_is_written_whatever_comes_in() {
    let world = World::sample();
    for era in ERAS {
        let mut command = world.process();
        let mut client = Client::start_as(command.arg("mcp").env("RUST_LOG", "trace"));
        client.meet(era);
        client.write("this is no JSON");
        let mut asked = Vec::new();
        for (tool, arguments) in [
            ("search", json!({"query": "retry"})),
            ("search", json!({"query": ""})),
            ("search", json!({"query": {"a": 1}})),
            ("search", json!({"query": "retry", "lang": "klingon"})),
            ("search", json!({"pattern": "("})),
            ("frobnicate", json!({})),
            ("outline", json!({"paths": ["not/there"]})),
        ] {
            let params = json!({"name": tool, "arguments": arguments});
            asked.push(client.send("tools/call", params));
        }
        asked.push(client.send("no/such/method", json!({})));
        let answers: Vec<Value> = asked
            .iter()
            .map(|id| client.answer_in_any_order(*id))
            .collect();
        let is_error: Vec<bool> = answers
            .iter()
            .map(|answer| answer["result"]["isError"] != false)
            .collect();
        assert_eq!(is_error, [false, true, true, true, true, true, true, true]);
        for line in &client.seen {
            let message: Value = serde_json::from_str(line).unwrap();
            assert_eq!(message["jsonrpc"], "2.0", "{line}");
            assert!(message["id"].is_number(), "{line}");
        }
        let (code, took) = client.leave();
        assert_eq!(code, Some(0));
        assert!(took < Duration::from_secs(5), "{took:?}");
    }
}

#[test]
fn a_mistake_is_an_error_that_says_what_to_do() {
    let world = World::sample();
    let mut client = Client::met(&world, Era::Modern, &[]);
    for (tool, arguments, want) in [
        (
            "search",
            json!({}),
            "search needs `query`, `pattern` or `like`",
        ),
        (
            "search",
            json!({"query": "retry", "lang": "klingon"}),
            "klingon",
        ),
        ("search", json!({"like": "nowhere"}), "like: give PATH:LINE"),
        ("def", json!({}), "def needs `name`"),
        ("impact", json!({}), "impact needs `target`"),
        (
            "deps",
            json!({"path": "no.rs"}),
            "no.rs: no such file or folder in ",
        ),
        (
            "refs",
            json!({"name": "retry", "role": "caller"}),
            "role: give some of call, ",
        ),
    ] {
        let told = client.call(tool, arguments);
        assert!(told.is_error, "{tool}: {}", told.text);
        assert!(told.text.contains(want), "{tool}: {}", told.text);
    }
    let id = client.send("tools/call", json!({"name": "grep", "arguments": {}}));
    let answer = client.answer(id);
    assert_eq!(answer["error"]["code"], -32602);
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.ends_with(&TOOLS.join(", ")), "{message}");
}
