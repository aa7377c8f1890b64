//! The file is near the one that was named with the question.

use super::candidate::Signal;

pub(super) const SIGNAL: Signal = Signal {
    name: "near",
    amount: |it, weights| weights.near * it.file.near,
    why: |it| {
        format!(
            "{:.0}% of the way to the file is the same",
            100.0 * it.file.near
        )
    },
};

/// How many of the folders on the way to two files are the same, from 0 to 1.
pub(super) fn nearness(path: &str, near: &str) -> f32 {
    let same = path
        .split('/')
        .zip(near.split('/'))
        .take_while(|(a, b)| a == b)
        .count();
    same as f32 / path.split('/').count().max(near.split('/').count()) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_folder_is_nearer_than_another() {
        for (path, near, want) in [
            ("a/b/c.rs", "a/b/c.rs", 1.0),
            ("a/b/d.rs", "a/b/c.rs", 2.0 / 3.0),
            ("a/d.rs", "a/b/c.rs", 1.0 / 3.0),
            ("x/d.rs", "a/b/c.rs", 0.0),
        ] {
            assert_eq!(nearness(path, near), want, "{path}");
        }
    }
}
