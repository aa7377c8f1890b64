import os
import unittest

from words import words

CASES = os.path.join(os.path.dirname(__file__), "..", "crates", "words", "tests", "words.tsv")


class Words(unittest.TestCase):
    def test_same_as_the_indexer(self):
        with open(CASES, encoding="utf-8") as file:
            for line in file:
                text, want = line.rstrip("\n").split("\t")
                self.assertEqual(" ".join(words(text)), want, text)


if __name__ == "__main__":
    unittest.main()
