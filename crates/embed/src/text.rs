//! What a model reads of a unit.
//!
//! The path is a text of its own: a file that moves keeps the vectors of its
//! units, and a path is embedded once for all of them.

use scent_types::Unit;
use scent_words::model_words;

/// More words than a model takes in; what follows is not looked at.
pub(crate) const MOST_WORDS: usize = 320;

/// The end of a path says most.
const PATH_WORDS: usize = 12;

/// The words of a path, the last ones.
pub fn path_text(path: &str) -> String {
    let all = model_words::of(path);
    match all.rmatch_indices(' ').nth(PATH_WORDS - 1) {
        Some((at, _)) => all[at + 1..].to_owned(),
        None => all,
    }
}

/// The words of a unit: what encloses it, for a later passage also how the
/// whole begins, then its lines, comments included, then its members.
pub fn unit_text(unit: &Unit, body: &str) -> String {
    let mut out = String::with_capacity(body.len().min(4 << 10));
    let mut count = 0;
    let mut add = |text: &str| count = model_words::append(&mut out, text, count, MOST_WORDS);
    for text in unit_head(unit.passage, &unit.name, &unit.qualified, &unit.signature) {
        add(text);
    }
    add(body);
    unit.members.iter().for_each(|member| add(member));
    out
}

/// What comes before the lines of a unit.
pub fn unit_head<'u>(
    passage: u32,
    name: &str,
    qualified: &'u str,
    signature: &'u str,
) -> Vec<&'u str> {
    if passage > 0 {
        vec![qualified, signature]
    } else if qualified != name {
        vec![qualified]
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scent_types::{Kind, Lines};

    fn unit(passage: u32) -> Unit {
        Unit {
            kind: Kind::Method,
            name: "close".into(),
            names: Vec::new(),
            qualified: "Server.close".into(),
            signature: "def close(self)".into(),
            doc: String::new(),
            members: Vec::new(),
            lines: Lines::new(1, 2),
            cover: Lines::new(1, 2),
            extent_end: 2,
            whole: Lines::new(1, 2),
            parent: None,
            passage,
        }
    }

    #[test]
    fn a_unit_says_where_it_belongs() {
        let body = "def close(self):\n    self.conn.shutdownNow()\n";
        assert_eq!(
            unit_text(&unit(0), body),
            "server close def close self self conn shutdown now"
        );
        assert_eq!(
            unit_text(&unit(1), "x = 1\n"),
            "server close def close self x 1"
        );
        assert_eq!(
            unit_text(&unit(0), &"a ".repeat(9000)).split(' ').count(),
            MOST_WORDS
        );
    }

    #[test]
    fn of_a_long_path_the_end_is_kept() {
        assert_eq!(path_text("src/HttpServer.java"), "src http server java");
        let long = "a/b/c/d/e/f/g/h/i/j/k/l/m.rs";
        assert_eq!(path_text(long), "c d e f g h i j k l m rs");
    }
}
