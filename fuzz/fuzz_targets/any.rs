//! All targets in one program, for `fuzz/run pack`: most of it are the
//! grammars, and six times these are too much to carry.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use scent_fuzz::{TARGETS, Target};
use std::sync::LazyLock;

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("SCENT_FUZZ_TARGET").expect("SCENT_FUZZ_TARGET names a target");
    let found = TARGETS.into_iter().find(|(known, _)| *known == name);
    found.unwrap_or_else(|| panic!("there is no target {name}")).1
});

fuzz_target!(|bytes: &[u8]| -> Corpus {
    if TARGET(bytes) { Corpus::Keep } else { Corpus::Reject }
});
