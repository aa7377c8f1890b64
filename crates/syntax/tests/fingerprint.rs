//! The fingerprint changes with what decides which units a text has, and with
//! nothing else.

#[path = "../fingerprint.rs"]
mod fingerprint;

use fingerprint::{Fnv, parsers};
use std::fs;
use std::path::Path;

fn hash(fields: &[&str]) -> u64 {
    let mut hash = Fnv::new();
    for field in fields {
        hash.add(field.as_bytes());
    }
    hash.finish()
}

#[test]
fn the_hash_is_the_same_with_every_toolchain() {
    assert_eq!(hash(&[]), 0xcbf2_9ce4_8422_2325);
    assert_eq!(hash(&["tree-sitter-rust 0.24.0"]), 0x4e3c_217f_8ee8_a5ff);
    assert_ne!(hash(&["ab", "c"]), hash(&["a", "bc"]));
}

#[test]
fn only_versions_of_parsers_count() {
    let lock = |parser: &str, other: &str| {
        format!(
            "version = 4\n\
             [[package]]\nname = \"serde\"\nversion = \"{other}\"\n\
             [[package]]\nname = \"ts-parser-perl\"\nversion = \"2.0.0\"\n\
             [[package]]\nname = \"tree-sitter-rust\"\nversion = \"{parser}\"\n"
        )
    };
    let before = parsers(&lock("0.24.0", "1.0.0"));
    assert_eq!(before, ["tree-sitter-rust 0.24.0", "ts-parser-perl 2.0.0"]);
    assert_eq!(parsers(&lock("0.24.0", "1.0.1")), before);
    assert_ne!(parsers(&lock("0.24.1", "1.0.0")), before);
}

/// A parser under another kind of name would be missed.
#[test]
fn every_parser_is_found() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lock = fs::read_to_string(folder.join("../../Cargo.lock")).unwrap();
    let found = parsers(&lock);
    let grammars = fs::read_to_string(folder.join("src/grammars.rs")).unwrap();
    for line in grammars.lines() {
        let Some((name, _)) = line.split_once("::LANGUAGE") else {
            continue;
        };
        let name = name.rsplit(' ').next().unwrap().replace('_', "-");
        let start = format!("{name} ");
        assert!(
            found.iter().any(|parser| parser.starts_with(&start)),
            "{name}"
        );
    }
}
