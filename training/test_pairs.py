"""Tests of the data code: what becomes a query, and what its answer still shows."""

import unittest

import commits
import pairs
import prepare


def unit(**fields):
    base = dict(language="python", kind="function", name="retry_delay", qualified_name="retry_delay",
                signature="def retry_delay(n)", doc="", members=[], passage=0, body="")
    return base | fields


def kinds(segments):
    return [(kind, " ".join(found)) for kind, found in segments.parts]


class Pairs(unittest.TestCase):
    def test_documentation_is_asked_and_gone_from_the_code(self):
        body = 'def retry_delay(n):\n    """Compute the pause before a new attempt."""\n    return 2 ** n\n'
        found = kinds(pairs.segments_of(unit(body=body, doc="Compute the pause before a new attempt.")))
        self.assertEqual(found, [("d", "compute the pause before a new attempt"),
                                 (".", "def retry delay n return 2 n")])

    def test_comments_and_sentences_in_strings_are_asked(self):
        body = ("def f(x):\n    # the cache may be cold after a restart\n    load(x)\n    # x = 1\n"
                '    raise ValueError("the file is not a valid archive")\n')
        found = kinds(pairs.segments_of(unit(body=body)))
        self.assertEqual(found, [(".", "def f x"), ("c", "the cache may be cold after a restart"),
                                 (".", "load x x 1 raise value error"),
                                 ("s", "the file is not a valid archive")])

    def test_legal_notices_are_not_asked(self):
        body = "// Copyright the authors, all rights reserved to us\nint x;\n"
        found = kinds(pairs.segments_of(unit(language="c", body=body)))
        self.assertEqual([kind for kind, _ in found], ["."])

    def test_what_encloses_a_unit_comes_first(self):
        found = pairs.segments_of(unit(qualified_name="Client.retry_delay", body="def retry_delay(): pass"))
        self.assertTrue(kinds(found)[0][1].startswith("client retry delay def"))

    def test_long_units_are_cut(self):
        found = pairs.segments_of(unit(body="alpha beta\n" * 1000))
        self.assertEqual(sum(len(words) for _, words in found.parts), pairs.MOST_WORDS)

    def test_sections_ask_by_heading_and_first_sentence(self):
        body = "## Installing\nThe tool is a single file. Put it anywhere you like and run it.\n"
        found = kinds(pairs.section_of(unit(kind="section", qualified_name="Guide Installing", body=body)))
        self.assertEqual(found[0][0], "d")
        self.assertTrue(found[0][1].startswith("guide installing the tool is a single file"))


class Commits(unittest.TestCase):
    DIFF = ["diff --git a/a.py b/a.py", "index 1..2 100644", "--- a/a.py", "+++ b/a.py",
            "@@ -1,3 +1,4 @@ def load(path):", " first = 1", "-second = 2", "+second = 3",
            "+third = open(path).read().strip().lower()", " last = first + second"]

    def test_a_hunk_is_what_the_file_became(self):
        path, head, text, changed = next(commits.hunks(self.DIFF))
        self.assertEqual((path, head, changed), ("a.py", "def load(path):", 3))
        self.assertEqual(text[1], "second = 3")
        self.assertNotIn("second = 2", text)

    def test_only_collected_files_count(self):
        subject = "Read the whole file before it is parsed"
        self.assertEqual(len(list(commits.rows_of(subject, "", self.DIFF, {"a.py": "python"}))), 1)
        self.assertEqual(list(commits.rows_of(subject, "", self.DIFF, {"b.py": "python"})), [])

    def test_sentences_of_a_message_ask_in_a_row_of_their_own(self):
        body = "The parser gave up at the first empty line, though more could follow.\n\nCloses #12"
        found = list(commits.rows_of("Read on after an empty line", body, self.DIFF, {"a.py": "python"}))
        self.assertEqual([row.split("\t")[3].split(pairs.SEPARATOR)[0][:16] for row in found],
                         ["mread on after a", "mthe parser gave"])
        for body in ["Signed-off-by: Somebody With A Name <some@body>", "- one thing\n- another thing"]:
            self.assertEqual(commits.paragraph_words(body), [], body)

    def test_subjects_that_tell_nothing_are_left_out(self):
        for subject in ["Merge branch main into feature", "Bump the version to 1.2.3", "fix", "v1.2"]:
            self.assertEqual(commits.subject_words(subject), [], subject)
        self.assertEqual(commits.subject_words("Close idle connections early (#123)"),
                         ["close", "idle", "connections", "early"])


class Prepare(unittest.TestCase):
    def test_a_repository_is_on_one_side(self):
        sources = [dict(registry="crates", name="a", repository="o/r"),
                   dict(registry="github", name="o/r", repository="o/r")]
        found = prepare.repositories(sources)
        self.assertEqual(found["crates:a"], found["github:o/r"])

    def test_no_language_has_more_than_its_share(self):
        import random
        rows = [(0, "c", "", "", f".{n}") for n in range(900)] + [(0, "lua", "", "", ".x")] * 10
        chosen = prepare.balanced(rows, 100, random.Random(0))
        self.assertEqual(sum(row[1] == "c" for row in chosen), 9)
        self.assertEqual(sum(row[1] == "lua" for row in chosen), 9)

    def test_segments_are_cut_together(self):
        text = pairs.SEPARATOR.join(["d" + "a " * 150 + "a", "." + "b " * 150 + "b"])
        kept = [s[1:].split() for s in prepare.cut(text).split(pairs.SEPARATOR)]
        self.assertEqual([len(k) for k in kept], [151, prepare.MOST_WORDS - 151])


if __name__ == "__main__":
    unittest.main()
