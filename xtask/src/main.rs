//! The repository's own rules.
fn main() {}
