"""Tests of the questions that ranking is fitted to, and of how they are measured."""
import unittest

import rank


class Suites(unittest.TestCase):
    def test_places(self):
        for text, want in [
            ("src/a.c:3-9", {"path": "src/a.c", "start_line": 3, "end_line": 9}),
            ("src/a.c", "src/a.c"),
            ("a:b.c", "a:b.c"),
        ]:
            self.assertEqual(rank.place_of(text), want)

    def test_questions_are_grouped(self):
        lines = ["asked\tpypi:a\tsemantic\twhere\tx.py:1-2|y.py\t\n",
                 "asked\tpypi:b\tdocs\thow\tz.md\tx.md\n"]
        found = rank.suites_of(lines)["asked"]
        self.assertEqual(list(found), ["pypi:a", "pypi:b"])
        self.assertEqual(found["pypi:a"][0]["relevant"][1], "y.py")
        self.assertEqual(found["pypi:a"][0]["secondary"], [])


def unit(path, lines, text, **more):
    parts = [["text", text, ""]] + [[name, amount, ""] for name, amount in more.items()]
    return {"path": path, "lines": lines, "kind": "function", "parts": parts}


@unittest.skipIf(rank.np is None, "needs numpy")
class Measures(unittest.TestCase):
    def rows(self, units, targets):
        return rank.Rows([{"units": units, "targets": targets, "corpus": "c", "suite": "s",
                           "category": "x"}])

    def weights(self, **values):
        weights = rank.np.zeros(len(rank.FEATURES))
        for name, value in values.items():
            weights[rank.AT[name]] = value
        return weights

    def test_the_second_place_counts_less_than_the_first(self):
        units = [unit("a", [1, 2], 1.0), unit("b", [1, 2], 0.5, name=1.0)]
        rows = self.rows(units, [{"path": "b", "lines": [1, 1]}])
        by_text = rows.measure(self.weights(text=1.0), 1.0)
        by_name = rows.measure(self.weights(text=1.0, name=1.0), 1.0)
        self.assertAlmostEqual(by_text[0][0], rank.GAIN[1])
        self.assertAlmostEqual(by_name[0][0], 1.0)

    def test_further_units_of_a_file_fall_behind(self):
        units = [unit("a", [1, 2], 1.0), unit("a", [3, 4], 0.9), unit("b", [1, 2], 0.8)]
        rows = self.rows(units, [{"path": "b", "lines": None}])
        whole = rows.measure(self.weights(text=1.0), 1.0)[1][0]
        spread = rows.measure(self.weights(text=1.0), 0.5)[1][0]
        self.assertAlmostEqual(whole, rank.GAIN[2])
        self.assertAlmostEqual(spread, rank.GAIN[1])

    def test_lines_have_to_overlap(self):
        rows = self.rows([unit("a", [1, 2], 1.0)], [{"path": "a", "lines": [5, 9]}])
        files, lines = rows.measure(self.weights(text=1.0), 1.0)
        self.assertEqual((files[0], lines[0]), (1.0, 0.0))


if __name__ == "__main__":
    unittest.main()
