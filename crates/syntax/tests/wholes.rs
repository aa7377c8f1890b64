//! What a unit is a part of, as one answer.

use scent_syntax::{detect, outline};

/// The lines of each named unit, and of its whole.
fn wholes(path: &str, text: &str) -> Vec<String> {
    let outline = outline(detect(path, text.as_bytes()), text);
    let mut found = Vec::new();
    for unit in outline.units {
        found.push(format!("{} {} of {}", unit.name, unit.lines, unit.whole));
    }
    found
}

#[test]
fn passages_know_their_whole() {
    let mut long = String::from("fn short() {}\n\nfn long() {\n");
    for line in 0..90 {
        long += &format!("    step({line});\n");
    }
    long += "}\n";
    let found = wholes("a.rs", &long);
    assert_eq!(found[0], "short 1-1 of 1-1");
    assert!(found.len() > 3, "{found:?}");
    for unit in &found[1..] {
        assert!(
            unit.starts_with("long ") && unit.ends_with(" of 3-94"),
            "{unit}"
        );
    }
}

#[test]
fn a_type_holds_its_members_and_a_section_does_not() {
    for (path, text, want) in [
        (
            "a.py",
            "class A:\n    x = 1\n\n    def b(self):\n        pass\n",
            &["A 1-2 of 1-5", "b 4-5 of 4-5"][..],
        ),
        (
            "a.md",
            "# One\n\nText.\n\n## Two\n\nMore.\n",
            &["One 1-3 of 1-3", "Two 5-7 of 5-7"],
        ),
    ] {
        assert_eq!(wholes(path, text), want, "{path}");
    }
}
