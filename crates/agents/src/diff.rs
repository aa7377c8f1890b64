//! What a change does to a file, as a unified diff.

use similar::TextDiff;

/// The difference of two texts with three lines around each change; a side
/// without a file is `/dev/null`.
pub fn unified(path: &str, before: Option<&str>, after: Option<&str>) -> String {
    let name = |side: &str, text: Option<&str>| match text {
        Some(_) => format!("{side}/{}", path.trim_start_matches('/')),
        None => "/dev/null".to_owned(),
    };
    let diff = TextDiff::from_lines(before.unwrap_or_default(), after.unwrap_or_default());
    let mut unified = diff.unified_diff();
    unified.header(&name("a", before), &name("b", after));
    unified.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_has_three_lines_around_it() {
        let diff = unified(
            "/x/a.json",
            Some("1\n2\n3\n4\n5\n"),
            Some("1\n2\n3\n4\n5\n6\n"),
        );
        assert_eq!(
            diff,
            "--- a/x/a.json\n+++ b/x/a.json\n@@ -3,3 +3,4 @@\n 3\n 4\n 5\n+6\n"
        );
    }

    #[test]
    fn a_new_file_and_a_removed_one_have_one_side() {
        assert_eq!(
            unified("a", None, Some("1\n")),
            "--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+1\n"
        );
        assert_eq!(
            unified("a", Some("1\n"), None),
            "--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n"
        );
    }
}
