//! `scent lsp` as editors use it: the real program, spoken to in its protocol.

#[path = "../world/mod.rs"]
mod world;

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};
use world::World;

/// Longer than anything takes on a machine that is busy with other tests.
const LONG: Duration = Duration::from_secs(120);

struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    next: i64,
    root: String,
}

impl Editor {
    /// An editor with the folder of a project open.
    fn open(world: &World) -> Editor {
        let mut editor = Editor::start(world);
        let root = editor.root.clone();
        let folder = json!({"uri": root, "name": "project"});
        let about = json!({"capabilities": {}, "workspaceFolders": [folder]});
        let said = editor.ask("initialize", about);
        assert_eq!(said["serverInfo"]["name"], "scent");
        for provider in [
            "definitionProvider",
            "referencesProvider",
            "implementationProvider",
            "hoverProvider",
            "documentSymbolProvider",
            "workspaceSymbolProvider",
            "callHierarchyProvider",
        ] {
            assert_eq!(said["capabilities"][provider], true, "{provider}");
        }
        // It changes nothing, and leaves reports to others.
        for other in ["renameProvider", "codeActionProvider", "diagnosticProvider"] {
            assert!(said["capabilities"][other].is_null(), "{other}");
        }
        editor.tell("initialized", json!({}));
        editor
    }

    fn start(world: &World) -> Editor {
        let mut child = world
            .process()
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = channel();
        thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Editor {
            input: child.stdin.take(),
            child,
            messages,
            next: 0,
            root: format!("file://{}", world.root.display()),
        }
    }

    fn write(&mut self, message: &Value) {
        let text = message.to_string();
        let input = self.input.as_mut().unwrap();
        let head = format!("Content-Length: {}\r\n\r\n", text.len());
        input.write_all((head + &text).as_bytes()).unwrap();
        input.flush().unwrap();
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn answer(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let message = self.messages.recv_timeout(LONG).expect("an answer");
        assert_eq!(message["id"], id, "{message}");
        message
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.answer(method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    fn address(&self, path: &str) -> String {
        format!("{}/{path}", self.root)
    }

    /// A request about a place; lines and columns count from 0.
    fn at(&mut self, method: &str, (path, line, character): (&str, u32, u32)) -> Value {
        let params = json!({
            "textDocument": {"uri": self.address(path)},
            "position": {"line": line, "character": character},
            "context": {"includeDeclaration": true},
        });
        self.ask(method, params)
    }

    /// The places of an answer, as `path:line:column`.
    fn places(&mut self, method: &str, place: (&str, u32, u32)) -> Vec<String> {
        let answer = self.at(method, place);
        let begins = format!("{}/", self.root);
        let mut places = Vec::new();
        for one in answer.as_array().into_iter().flatten() {
            let path = one["uri"].as_str().unwrap().strip_prefix(&begins).unwrap();
            let start = &one["range"]["start"];
            places.push(format!("{path}:{}:{}", start["line"], start["character"]));
        }
        places
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(": ") {
            Some(("Content-Length", number)) => length = number.parse().unwrap(),
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).unwrap())
}

const SHAPES_PY: &str = "\
class Shape:
    \"\"\"Something with an area.\"\"\"

    def area(self):
        return 0


class Square(Shape):
    def area(self):
        return side_length(self)


def side_length(shape):
    return 1


def report():
    größe = Square()
    return größe.area() + side_length(größe)
";

fn shapes() -> World {
    World::new(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("shapes.py", SHAPES_PY),
        (
            "use.py",
            "from shapes import side_length\n\nprint(side_length(None))\n",
        ),
    ])
}

#[test]
fn a_name_leads_to_its_definition_and_its_uses() {
    let world = shapes();
    let mut editor = Editor::open(&world);
    let definition = "textDocument/definition";
    assert_eq!(
        editor.places(definition, ("shapes.py", 9, 17)),
        ["shapes.py:12:4"]
    );
    assert_eq!(
        editor.places(definition, ("use.py", 2, 8)),
        ["shapes.py:12:4"]
    );
    // Behind letters that take two units, or one with a mark.
    assert_eq!(
        editor.places(definition, ("shapes.py", 18, 30)),
        ["shapes.py:12:4"]
    );
    assert_eq!(editor.places(definition, ("shapes.py", 4, 15)), [""; 0]);
    assert_eq!(editor.at(definition, ("shapes.py", 5, 0)), Value::Null);
    let mut uses = editor.places("textDocument/references", ("shapes.py", 12, 6));
    uses.sort();
    let want = [
        "shapes.py:12:4",
        "shapes.py:18:26",
        "shapes.py:9:15",
        "use.py:0:19",
        "use.py:2:6",
    ];
    assert_eq!(uses, want);
    let found = editor.places("textDocument/implementation", ("shapes.py", 0, 7));
    assert_eq!(found, ["shapes.py:7:6"]);
    let found = editor.places("textDocument/implementation", ("shapes.py", 3, 9));
    assert_eq!(found, ["shapes.py:8:8"]);
}

#[test]
fn hover_shows_what_it_is_and_who_uses_it() {
    let world = shapes();
    let mut editor = Editor::open(&world);
    let hover = editor.at("textDocument/hover", ("shapes.py", 7, 14));
    let text = hover["contents"]["value"].as_str().unwrap();
    for part in [
        "```python\nclass Shape",
        "Something with an area.",
        "class `shapes.py:1`",
        "used in",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(
        editor.at("textDocument/hover", ("shapes.py", 4, 8)),
        Value::Null
    );
}

#[test]
fn symbols_of_a_file_nest_and_those_of_all_are_found_by_parts() {
    let world = shapes();
    let mut editor = Editor::open(&world);
    let uri = editor.address("shapes.py");
    let params = json!({"textDocument": {"uri": uri}});
    let symbols = editor.ask("textDocument/documentSymbol", params.clone());
    let names = |list: &Value| -> Vec<String> {
        let all = list.as_array().unwrap().iter();
        all.map(|symbol| symbol["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        names(&symbols),
        ["Shape", "Square", "side_length", "report"]
    );
    assert_eq!(names(&symbols[0]["children"]), ["area"]);
    assert_eq!(symbols[0]["kind"], 5);
    assert_eq!(symbols[0]["children"][0]["kind"], 6);
    assert_eq!(
        symbols[2]["selectionRange"]["start"],
        json!({"line": 12, "character": 4})
    );
    // What is in the editor counts, saved or not.
    let document =
        json!({"uri": uri, "languageId": "python", "version": 1, "text": "def new(): pass\n"});
    editor.tell("textDocument/didOpen", json!({"textDocument": document}));
    let symbols = editor.ask("textDocument/documentSymbol", params.clone());
    assert_eq!(names(&symbols), ["new"]);
    let change = json!({
        "textDocument": {"uri": uri, "version": 2},
        "contentChanges": [{"text": "def newer(): pass\n"}],
    });
    editor.tell("textDocument/didChange", change);
    let symbols = editor.ask("textDocument/documentSymbol", params.clone());
    assert_eq!(names(&symbols), ["newer"]);
    editor.tell(
        "textDocument/didClose",
        json!({"textDocument": {"uri": uri}}),
    );
    let symbols = editor.ask("textDocument/documentSymbol", params);
    assert_eq!(symbols.as_array().unwrap().len(), 4);
    let found = editor.ask("workspace/symbol", json!({"query": "length"}));
    assert_eq!(names(&found), ["side_length"]);
    let found = editor.ask("workspace/symbol", json!({"query": "Squ"}));
    assert_eq!(names(&found), ["Square"]);
    assert_eq!(found[0]["location"]["uri"], uri);
    let found = editor.ask("workspace/symbol", json!({"query": "area"}));
    assert_eq!(names(&found), ["area", "area"]);
}

#[test]
fn calls_are_followed_both_ways() {
    let world = shapes();
    let mut editor = Editor::open(&world);
    let items = editor.at("textDocument/prepareCallHierarchy", ("shapes.py", 12, 6));
    assert_eq!(items[0]["name"], "side_length");
    let item = items[0].clone();
    let calls = editor.ask("callHierarchy/incomingCalls", json!({"item": item}));
    let mut callers: Vec<&str> = calls
        .as_array()
        .unwrap()
        .iter()
        .map(|call| call["from"]["name"].as_str().unwrap())
        .collect();
    callers.sort_unstable();
    assert_eq!(callers, ["area", "report", "use.py"]);
    let report = editor.at("textDocument/prepareCallHierarchy", ("shapes.py", 16, 6))[0].clone();
    let calls = editor.ask("callHierarchy/outgoingCalls", json!({"item": report}));
    let called: Vec<&str> = calls
        .as_array()
        .unwrap()
        .iter()
        .map(|call| call["to"]["name"].as_str().unwrap())
        .collect();
    assert!(called.contains(&"side_length"), "{called:?}");
    let length = calls
        .as_array()
        .unwrap()
        .iter()
        .find(|call| call["to"]["name"] == "side_length");
    let from = &length.unwrap()["fromRanges"][0]["start"];
    assert_eq!(from, &json!({"line": 18, "character": 26}));
}

#[test]
fn an_answer_is_never_older_than_the_question() {
    let world = shapes();
    let mut editor = Editor::open(&world);
    for nth in 0..3 {
        let name = format!("written_{nth}");
        world.write("new.py", format!("\n\ndef {name}(): pass\n"));
        let found = editor.ask("workspace/symbol", json!({"query": name}));
        assert_eq!(
            found[0]["location"]["range"]["start"]["line"], 2,
            "{nth}: {found}"
        );
    }
}

/// Nothing is indexed yet, so the question takes a while.
#[test]
fn a_question_that_is_not_wanted_any_more_is_answered_at_once() {
    let world = shapes();
    for nth in 0..600 {
        world.write(
            &format!("src/f{nth}.py"),
            SHAPES_PY.replace("Shape", &format!("S{nth}")),
        );
    }
    let mut editor = Editor::open(&world);
    let question = |id: &str| {
        json!({
            "jsonrpc": "2.0", "id": id, "method": "workspace/symbol",
            "params": {"query": "side_length"},
        })
    };
    editor.write(&question("first"));
    editor.write(&question("second"));
    for id in ["second", "first", "never"] {
        editor.tell("$/cancelRequest", json!({"id": id}));
    }
    for id in ["second", "first"] {
        let answer = editor.messages.recv_timeout(LONG).expect("an answer");
        assert_eq!(answer["id"], id, "{answer}");
        assert_eq!(answer["error"]["code"], -32800, "{answer}");
    }
    // What was begun for them is done, and nothing else is said of them.
    let found = editor.ask("workspace/symbol", json!({"query": "S599"}));
    assert_eq!(found[0]["name"], "S599");
}

#[test]
fn what_is_not_understood_is_an_error_and_the_end_is_orderly() {
    let world = shapes();
    let mut editor = Editor::open(&world);
    let answer = editor.answer("textDocument/rename", json!({}));
    assert_eq!(answer["error"]["code"], -32601);
    let answer = editor.answer("textDocument/hover", json!({"nonsense": 1}));
    assert_eq!(answer["error"]["code"], -32602);
    editor.tell("workspace/didSomethingNew", json!({}));
    // A file of no project has no answers.
    let params = json!({
        "textDocument": {"uri": "file:///nowhere/a.py"},
        "position": {"line": 0, "character": 0},
    });
    assert_eq!(editor.ask("textDocument/hover", params), Value::Null);
    assert_eq!(editor.ask("shutdown", Value::Null), Value::Null);
    editor.tell("exit", Value::Null);
    let began = Instant::now();
    while began.elapsed() < LONG {
        if let Some(status) = editor.child.try_wait().unwrap() {
            assert_eq!(status.code(), Some(0));
            return;
        }
        thread::sleep(Duration::from_millis(5));
    }
    panic!("the server goes on");
}
