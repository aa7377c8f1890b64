//! Which repositories may be looked at while the engine is made.

use std::sync::OnceLock;

/// What is looked at: numbers on these may be tuned.
pub(super) const DEV: &str = "dev";

/// Everything else: reported, never tuned.
pub(super) const TEST: &str = "test";

/// The split of a repository: by the suite's own list, or else by that of its
/// layout.
pub(super) fn of(suite: &str, layout: &str, repository: &str) -> &'static str {
    static DATA: OnceLock<toml::Table> = OnceLock::new();
    let data = DATA.get_or_init(|| {
        include_str!("../../data/splits.toml")
            .parse()
            .expect("the shipped splits are read")
    });
    let names = data
        .get(suite)
        .or_else(|| data.get(layout))
        .and_then(|v| v.as_array());
    let listed = names
        .into_iter()
        .flatten()
        .any(|name| name.as_str() == Some(repository));
    if listed { DEV } else { TEST }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_listed_is_test() {
        assert_eq!(of("semble", "semble", "flask"), DEV);
        assert_eq!(of("copy", "semble", "flask"), DEV);
        assert_eq!(of("hard", "semble", "flask"), TEST);
        assert_eq!(of("hard", "semble", "guice"), DEV);
        assert_eq!(of("semble", "semble", "never-heard-of"), TEST);
        assert_eq!(of("no-suite", "no-layout", "flask"), TEST);
    }
}
