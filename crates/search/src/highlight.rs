//! Which lines of a unit say why it was found.

use scent_index::tokens;

/// The lines, as positions in `lines`, that hold most of what the terms tell;
/// at most `most`, in order. Empty where no line holds a term.
pub fn best_lines(lines: &[String], terms: &[(String, f32)], most: usize) -> Vec<usize> {
    let mut scored: Vec<(usize, f32)> = lines
        .iter()
        .enumerate()
        .map(|(at, line)| (at, worth(line, terms)))
        .filter(|(_, worth)| *worth > 0.0)
        .collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scored.truncate(most);
    let mut best: Vec<usize> = scored.into_iter().map(|(at, _)| at).collect();
    best.sort_unstable();
    best
}

/// The rarity of the distinct terms in a line.
fn worth(line: &str, terms: &[(String, f32)]) -> f32 {
    let mut seen = vec![false; terms.len()];
    tokens::each(line, |token| {
        if let Some(at) = terms.iter().position(|(term, _)| term == token) {
            seen[at] = true;
        }
    });
    terms.iter().zip(seen).filter(|(_, seen)| *seen).map(|((_, rarity), _)| rarity).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_with_the_rarest_words_win() {
        let lines = ["fn a() {", "let delay = 1;", "retry(delay)", "}"].map(String::from);
        let terms = [("retry".into(), 3.0), ("delay".into(), 2.0)];
        assert_eq!(best_lines(&lines, &terms, 1), [2]);
        assert_eq!(best_lines(&lines, &terms, 5), [1, 2]);
        assert!(best_lines(&lines, &[], 5).is_empty());
    }
}
