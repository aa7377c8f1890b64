//! `scent def`, `refs`, `deps`, `impact` and `path`.

use crate::world::*;

fn shop() -> World {
    World::new(&[
        (
            "shop/prices.py",
            "def total(items):\n    return sum(items)\n",
        ),
        (
            "shop/cart.py",
            "from .prices import total as add_up\n\n\nclass Cart:\n    def pay(self):\n        return add_up([])\n",
        ),
        (
            "tests/test_cart.py",
            "from shop.cart import Cart\n\n\ndef test_pay():\n    Cart().pay()\n",
        ),
    ])
}

#[test]
fn a_name_is_looked_up_as_it_is_written() {
    let world = shop();
    for name in ["cart.pay", "Pay", "pay_"] {
        let unknown = world.run(&["def", name]);
        assert_eq!(unknown.code, Some(1), "{name}");
        let likeness = &["no symbol is named", "similar names: "];
        assert_holds(&unknown.err, likeness, name);
        assert_eq!(unknown.out, "", "{name}");
    }
    let calls = world.run(&["refs", "Total"]);
    assert_eq!((calls.code, calls.out.as_str()), (Some(1), ""));
}

#[test]
fn members_are_looked_up() {
    let world = World::new(&[
        (
            "pool.rs",
            "pub struct Pool {\n    pub slots: u8,\n}\n\nfn free(pool: &Pool) -> u8 {\n    pool.slots\n}\n",
        ),
        ("state.rs", "pub enum State {\n    Idle,\n    Busy,\n}\n"),
    ]);
    assert_holds(
        &world.found(&["def", "Pool::slots"]),
        &["pool.rs:2", "field Pool::slots"],
        "qualified",
    );
    assert_holds(
        &world.found(&["def", "pool.rs:6:11"]),
        &["pool.rs:2", "field Pool::slots"],
        "by its use",
    );
    assert_holds(
        &world.found(&["refs", "pool.rs:2"]),
        &["Pool::slots (defined here)", "6  read"],
        "by its line",
    );
    assert_holds(
        &world.found(&["outline", "state.rs", "pool.rs"]),
        &["variants: Idle, Busy", "fields: slots"],
        "outline",
    );
    assert_holds(
        &world.found(&["slots", "-k", "1"]),
        &["struct Pool"],
        "search",
    );
    assert_holds(
        &world.refused(&["search", "--kind", "field", "slots"]),
        &["no unit is of this kind"],
        "kind",
    );
}

#[test]
fn names_are_looked_up() {
    let world = shop();
    assert_holds(
        &world.found(&["def", "total"]),
        &["shop/prices.py:1", "function total"],
        "def",
    );
    assert_holds(
        &world.found(&["def", "Cart.pay"]),
        &["method Cart.pay"],
        "qualified",
    );
    assert_holds(
        &world.found(&["def", "*ot*"]),
        &["function total"],
        "wildcards",
    );
    let uses = world.found(&["refs", "total"]);
    assert_holds(
        &uses,
        &["defined here", "6  call", "in Cart.pay", "[imported]"],
        "renamed",
    );
    let uses = world.found(&["refs", "total", "--no-tests", "--include-text", "--json"]);
    assert!(!uses.contains("test_cart"), "{uses}");
    let calls = world.found(&["refs", "Cart", "--role", "call"]);
    assert!(calls.contains(":") && !calls.contains("import "), "{calls}");
    assert_holds(
        &world.refused(&["refs", "Cart", "--role", "dance"]),
        &["inherit"],
        "no role",
    );
    world.write(
        "count.js",
        "let count = 0;\nfunction up() {\n  count += 1;\n  return count;\n}\n",
    );
    for (role, line) in [("write", "3  write"), ("read", "4  read")] {
        let uses = world.found(&["refs", "count", "--role", role]);
        assert_holds(&uses, &[line], role);
        assert_eq!(uses.lines().count(), 3, "{uses}");
    }
    let nothing = world.run(&["def", "totl"]);
    assert_eq!((nothing.code, nothing.out.as_str()), (Some(1), ""));
    assert_holds(
        &nothing.err,
        &["no symbol is named totl", "total"],
        "nearest",
    );
}

/// A line stands for the definition around it, a column for the name there.
#[test]
fn places_are_looked_up() {
    let world = shop();
    let of_name = world.found(&["refs", "total"]);
    let of_total = "references of `total` (shop/prices.py:1)\n".to_owned() + &of_name;
    for place in [
        "shop/prices.py:1",
        "shop/prices.py:2",
        "shop/prices.py:1:5",
        "shop/cart.py:1:21",
        "shop/cart.py:1:31",
        "shop/cart.py:6:16",
        "shop/cart.py:6:22",
    ] {
        assert_eq!(world.found(&["refs", place]), of_total, "{place}");
    }
    assert_holds(
        &world.found(&["refs", "shop/cart.py:6"]),
        &["references of `Cart.pay` (shop/cart.py:5)\n", "5  call"],
        "the definition around a line",
    );
    let local = world.found(&["refs", "shop/prices.py:1:11"]);
    assert_eq!(
        local,
        "references of local `items` in `total` (shop/prices.py:1)\nshop/prices.py\n      \
         2  read     return sum(items)  in total  [same scope]\n"
    );
    for (place, found) in [
        ("shop/cart.py:6:16", "shop/prices.py:1"),
        ("shop/cart.py:6", "shop/cart.py:5"),
        ("shop/prices.py:2:16", "shop/prices.py:1"),
    ] {
        assert_holds(&world.found(&["def", place]), &[found], place);
    }
    let json = world.found(&["refs", "shop/prices.py:1:11", "--json"]);
    let subject = r#""subject":{"name":"items","local":true,"within":"total","path":"shop/prices.py","line":1}"#;
    assert_holds(&json, &[subject], "json");
    for (place, errors) in [
        (
            "shop/cart.py:99",
            &["shop/cart.py:99: the file has 6 lines"][..],
        ),
        (
            "shop/cart.py:1",
            &[
                "no definition around this line",
                "shop/cart.py:1:COLUMN",
                "total (column 21), add_up (column 30)",
            ],
        ),
        (
            "shop/cart.py:6:9",
            &["no name at this column", "add_up (column 16)"],
        ),
        ("shop/cart.py:2:1", &["no name is known in this line"]),
    ] {
        assert_holds(&world.refused(&["refs", place]), errors, place);
        assert_holds(&world.refused(&["def", place]), errors, place);
    }
    world.write("pair.c", "int low, high;\n");
    assert_holds(
        &world.refused(&["refs", "pair.c:1"]),
        &["several names", "pair.c:1:COLUMN", "low, high"],
        "several",
    );
}

#[test]
fn dependencies_and_impact_are_followed() {
    let world = shop();
    let deps = world.found(&["deps", "shop/cart.py"]);
    assert_holds(
        &deps,
        &["shop/cart.py:1  .prices -> shop/prices.py"],
        "deps",
    );
    let importers = world.found(&["deps", "shop/prices.py", "--reverse", "--depth", "2"]);
    assert_holds(
        &importers,
        &["shop/cart.py:1", "tests/test_cart.py:1"],
        "importers",
    );
    let impact = world.found(&["impact", "total"]);
    assert_holds(
        &impact,
        &[
            "total (changed)",
            "\n  shop/cart.py:6  Cart.pay  [imported 0.95]",
            "(test)",
        ],
        "impact",
    );
    let crowd = world.run(&["impact", "total", "-k", "1"]);
    assert_holds(&crowd.out, &["shop/", "tests/"], "by folder");
    assert_holds(&crowd.err, &["scent impact total -k"], "how to see all");
    let drawn = world.found(&["impact", "shop/prices.py", "--format", "mermaid"]);
    assert_holds(&drawn, &["graph LR", "[\"total\"]", "-->"], "mermaid");
    assert_holds(
        &world.found(&["deps", "shop", "--format", "dot"]),
        &["digraph", "->"],
        "dot",
    );
    let way = world.found(&["callpath", "test_pay", "total"]);
    assert_holds(&way, &["test_pay", "Cart.pay", "total"], "path");
    assert_eq!(
        world.run(&["callpath", "total", "test_pay"]).code,
        Some(1),
        "no way back"
    );
    let renamed = world.run(&["path", "test_pay", "total"]);
    assert_eq!((renamed.code, renamed.out), (Some(0), way));
    assert_holds(&renamed.err, &["scent callpath"], "the former name");
    let outline = world.found(&["outline", "shop/cart.py"]);
    assert_holds(&outline, &["class Cart", "def pay(self)"], "outline");
    assert_holds(
        &world.refused(&["impact", "--diff", "nowhere"]),
        &["nowhere"],
        "no commit",
    );
    world.write(
        "shop/own.py",
        "def _own():\n    pass\n\n\ndef open():\n    pass\n",
    );
    let outline = world.found(&["outline", "shop/own.py"]);
    assert_holds(&outline, &["- def _own()", "+ def open()"], "visibility");
    assert!(
        !world
            .found(&["outline", "shop/own.py", "--public"])
            .contains("_own")
    );
    let json = world.found(&["def", "_own", "--json"]);
    assert_holds(&json, &["\"visibility\":\"private\""], "visibility");
}

/// An answer that is cut says how much there is, and which command shows it.
#[test]
fn answers_about_structure_are_cut_to_a_budget() {
    let uses = |nth| format!("def use_{nth}():\n    total([{nth}])\n\n\n");
    let uses = "from .prices import total\n".to_owned() + &(0..40).map(uses).collect::<String>();
    let world = World::new(&[
        (
            "shop/prices.py",
            "def total(items):\n    return sum(items)\n",
        ),
        ("shop/uses.py", &uses),
    ]);
    let cases: [(&[&str], &str); 4] = [
        (&["def", "use_*"], "of 40 shown; `scent def 'use_*'"),
        (
            &["refs", "total", "-k", "30"],
            "of 41 shown; `scent refs total",
        ),
        (&["impact", "total"], "of 41 shown; `scent impact total"),
        (
            &["outline", "shop/uses.py"],
            "of 40 shown; `scent outline shop/uses.py",
        ),
    ];
    for (words, told) in cases {
        let limit = format!(" -k {}", &told[3..5]);
        for (json, flag) in [(&[][..], ""), (&["--json"], " --json")] {
            let all = [words, &["--max-tokens", "200"], json].concat();
            let cut = world.run(&all);
            assert!(
                (100..1_000).contains(&cut.out.len()),
                "{all:?}: {}",
                cut.out
            );
            let command = format!("{told}{flag}{limit}` shows all");
            if json.is_empty() {
                assert_holds(&cut.err, &[&command], "the note");
            }
            let rest = command.split('`').nth(1).unwrap();
            assert_eq!(
                cut.out.contains(rest),
                !json.is_empty(),
                "{rest}: {}",
                cut.out
            );
        }
    }
    let whole = world.run(&["deps", "shop", "--max-tokens", "200"]);
    assert_eq!(
        (whole.code, whole.err.as_str()),
        (Some(0), ""),
        "nothing is cut"
    );
    let first = world.run(&["callpath", "use_3", "total", "--max-tokens", "1"]);
    assert_holds(&first.out, &["use_3"], "never nothing");
    assert_holds(
        &first.err,
        &["1 of 2 shown; `scent callpath use_3 total` shows all"],
        "path",
    );
}

/// However many files are asked about, the answer is one object.
#[test]
fn an_outline_in_json_is_one_object() {
    let world = shop();
    let outline = |words: &[&str]| -> serde_json::Value {
        let run = world.run(&[&["outline", "--json"], words].concat());
        serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{words:?}: {e}: {run:?}"))
    };
    for (words, want) in [
        (&["shop/prices.py"][..], &[("shop/prices.py", 1)][..]),
        (
            &["shop/prices.py", "shop/cart.py"],
            &[("shop/prices.py", 1), ("shop/cart.py", 2)],
        ),
        (
            &["shop/cart.py", "--max-tokens", "1"],
            &[("shop/cart.py", 1)],
        ),
    ] {
        let answer = outline(words);
        let files = answer["files"].as_array().unwrap();
        let found = |file: &serde_json::Value| {
            let symbols = file["symbols"].as_array().unwrap().len();
            (file["path"].as_str().unwrap().to_owned(), symbols)
        };
        let found: Vec<_> = files.iter().map(found).collect();
        let want: Vec<_> = want
            .iter()
            .map(|(path, count)| ((*path).to_owned(), *count))
            .collect();
        assert_eq!(found, want, "{answer}");
        let sum: u64 = files
            .iter()
            .map(|file| file["total"].as_u64().unwrap())
            .sum();
        assert_eq!(
            (&answer["schema"], &answer["total"]),
            (&2.into(), &sum.into())
        );
        assert_eq!(
            answer["rest"].is_string(),
            words.contains(&"--max-tokens"),
            "{answer}"
        );
    }
}

/// What a file that was not parsed cleanly has to say is marked.
#[test]
fn answers_from_broken_files_are_marked() {
    let world = shop();
    world.write(
        "shop/broken.py",
        "from .prices import total\n\n\ndef half():\n    total([])\n\n\ndef )(:\n",
    );
    let asked: [&[&str]; 5] = [
        &["def", "half"],
        &["refs", "total"],
        &["deps", "shop/broken.py"],
        &["impact", "total"],
        &["outline", "shop/broken.py"],
    ];
    for words in asked {
        assert_holds(&world.found(words), &["(parse errors)\n"], words[0]);
        let json = world.found(&[words, &["--json"]].concat());
        assert_holds(&json, &["\"parse_errors\":true"], words[0]);
    }
    assert!(!world.found(&["def", "total"]).contains("parse errors"));
}
