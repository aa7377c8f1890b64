//! Which lines of a unit say why it was found.

use scent_words::terms;

/// The numbers of the lines that hold most of what the terms tell; at most
/// `most`, in order. Empty where no line holds a term. `first` is the number
/// of the first line.
pub fn best_lines<'l>(
    first: u32,
    lines: impl Iterator<Item = &'l str>,
    terms: &[(String, f32)],
    most: usize,
) -> Vec<u32> {
    let mut scored = Vec::new();
    for (number, line) in (first..).zip(lines) {
        let score = total_idf(line, terms);
        if score > 0.0 {
            scored.push((number, score));
        }
    }
    scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scored.truncate(most);
    let mut best: Vec<u32> = scored.into_iter().map(|(number, _)| number).collect();
    best.sort_unstable();
    best
}

/// The idf of the distinct terms in a line.
fn total_idf(line: &str, terms: &[(String, f32)]) -> f32 {
    let mut seen = vec![false; terms.len()];
    terms::each(line, |token| {
        if let Some(at) = terms.iter().position(|(term, _)| term == token) {
            seen[at] = true;
        }
    });
    let mut sum = 0.0;
    for ((_, idf), seen) in terms.iter().zip(seen) {
        if seen {
            sum += idf;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_with_the_rarest_words_win() {
        let lines = || ["fn a() {", "let delay = 1;", "retry(delay)", "}"].into_iter();
        let terms = [("retry".into(), 3.0), ("delay".into(), 2.0)];
        assert_eq!(best_lines(10, lines(), &terms, 1), [12]);
        assert_eq!(best_lines(10, lines(), &terms, 5), [11, 12]);
        assert!(best_lines(10, lines(), &[], 5).is_empty());
    }
}
