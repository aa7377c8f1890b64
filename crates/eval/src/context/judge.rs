//! What contexts are worth.

use super::places::Place;
use super::systems::Shown;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What one system showed for one place.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The repository.
    pub corpus: String,
    /// The system.
    pub system: &'static str,
    /// Names whose definition was shown.
    pub found: usize,
    /// All names that were needed.
    pub needed: usize,
    /// How long it took, in milliseconds.
    pub ms: f64,
}

/// How many of the names that a place needs have a definition that is shown.
pub fn share(place: &Place, shown: &[Shown]) -> usize {
    let is_shown = |path: &str, line: u32| {
        let mut shown = shown.iter();
        shown.any(|(other, lines)| other == path && lines.contains(line))
    };
    let names = place.names.iter();
    names
        .filter(|needed| needed.at.iter().any(|(path, line)| is_shown(path, *line)))
        .count()
}

/// The share of each system in each repository, in all, and the mean over
/// places, with times.
pub fn table(judged: &[Judged], systems: &[&str]) -> String {
    let mut by_corpus: BTreeMap<&str, Vec<&Judged>> = BTreeMap::new();
    for one in judged {
        by_corpus.entry(&one.corpus).or_default().push(one);
    }
    let mut out = format!(
        "| repository | places | names | {} |\n",
        systems.join(" | ")
    );
    let _ = writeln!(out, "| --- | --- | --- |{}", " --- |".repeat(systems.len()));
    let mut row = |name: &str, all: &[&Judged]| {
        let of = |system: &str| -> Vec<&Judged> {
            all.iter()
                .filter(|one| one.system == system)
                .copied()
                .collect()
        };
        let first = of(systems[0]);
        let names: usize = first.iter().map(|one| one.needed).sum();
        let _ = write!(out, "| {name} | {} | {names} |", first.len());
        for system in systems {
            let found: usize = of(system).iter().map(|one| one.found).sum();
            let _ = write!(out, " {:.3} |", found as f64 / names.max(1) as f64);
        }
        out.push('\n');
    };
    for (corpus, all) in &by_corpus {
        row(corpus, all);
    }
    row("all names", &judged.iter().collect::<Vec<_>>());
    for system in systems {
        let own: Vec<&Judged> = judged.iter().filter(|one| one.system == *system).collect();
        let shares = own.iter().map(|one| one.found as f64 / one.needed as f64);
        let mean = shares.sum::<f64>() / own.len().max(1) as f64;
        let mut times: Vec<f64> = own.iter().map(|one| one.ms).collect();
        times.sort_by(f64::total_cmp);
        let time = |part: f64| {
            let at = (times.len() as f64 * part) as usize;
            times
                .get(at.min(times.len().saturating_sub(1)))
                .copied()
                .unwrap_or(0.0)
        };
        let (half, most) = (time(0.5), time(0.95));
        let _ = writeln!(
            out,
            "\n{system}: mean over places {mean:.3}; p50 {half:.1} ms, p95 {most:.1} ms"
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Needed;
    use scent_types::Lines;

    #[test]
    fn a_name_counts_once_any_of_its_definitions_is_shown() {
        let needed = |name: &str, at: &[(&str, u32)]| Needed {
            name: name.to_owned(),
            at: at
                .iter()
                .map(|(path, line)| ((*path).to_owned(), *line))
                .collect(),
        };
        let place = Place {
            path: "a".to_owned(),
            line: 5,
            names: vec![needed("x", &[("b", 3), ("c", 9)]), needed("y", &[("b", 7)])],
        };
        let shown = [
            ("c".to_owned(), Lines::new(9, 9)),
            ("b".to_owned(), Lines::new(8, 9)),
        ];
        assert_eq!(share(&place, &shown), 1);
        assert_eq!(share(&place, &[]), 0);
    }
}
