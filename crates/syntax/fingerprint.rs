//! What the fingerprint of this crate is made of. The build and the tests
//! share this file.

use serde::Deserialize;

/// FNV-1a with 64 bits. The hashers of the standard library may change with
/// the toolchain, and every index would be made again.
pub struct Fnv(u64);

impl Fnv {
    pub fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    /// Adds a field. Its length comes first, so that no two lists of fields
    /// are the same bytes.
    pub fn add(&mut self, field: &[u8]) {
        let length = field.len() as u64;
        for byte in length.to_le_bytes().iter().chain(field) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    pub fn finish(&self) -> u64 {
        self.0
    }
}

#[derive(Deserialize)]
struct Lock {
    package: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
}

/// The parsers in a lock file with their versions. Units depend on nothing
/// else that the file says.
pub fn parsers(lock: &str) -> Vec<String> {
    let lock: Lock = toml::from_str(lock).expect("Cargo.lock is TOML");
    let mut parsers = Vec::new();
    for Package { name, version } in lock.package {
        if name.starts_with("tree-sitter") || name.starts_with("ts-parser") {
            parsers.push(format!("{name} {version}"));
        }
    }
    parsers.sort();
    parsers
}
