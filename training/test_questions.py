import os
import tempfile
import types
import unittest

import questions
from pairs import SEPARATOR

try:
    import torch

    import losses
    import rows
    from tokens import BytePairs, Tokens
except ImportError:
    torch = None

HERE = os.path.dirname(os.path.abspath(__file__))


class Sheets(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.sheets = self.folder.name
        os.mkdir(f"{self.sheets}/batches")
        os.mkdir(f"{self.sheets}/answers")
        unit = dict(path="src/a.rs", start_line=3, qualified_name="a::wait", body="fn wait() {}")
        questions.write_sheet(self.sheets, "t0001", "crates:a", [unit, unit | {"start_line": 9}])

    def tearDown(self):
        self.folder.cleanup()

    def answer(self, text):
        with open(f"{self.sheets}/answers/t0001.tsv", "w", encoding="utf-8") as file:
            file.write(text)
        questions.gather(types.SimpleNamespace(sheets=self.sheets, out=f"{self.sheets}/q.tsv.xz"))
        return questions.read(f"{self.sheets}/q.tsv.xz")

    def test_what_was_written_comes_back_with_its_place(self):
        found = self.answer("0\tA\tlet some time pass\n0\tB\twhere do we wait\n1\t-\n")
        self.assertEqual(found, {"crates:a": {("src/a.rs", 3): ("let some time pass", "where do we wait")}})

    def test_what_is_not_in_the_layout_is_left_out_and_the_rest_kept(self):
        found = self.answer("0\tA\tlet some time pass\nwhat\n7\tA\tno such unit here\n1\tB\tone\n0\tC\tnot a letter\n")
        self.assertEqual(found, {"crates:a": {("src/a.rs", 3): ("let some time pass", "")}})

    def test_questions_stand_behind_the_segments(self):
        row = questions.with_questions("rust\tsrc a rs\twait\t.fn wait", "Let it pass", "where to waitForIt")
        self.assertEqual(row[3].split(SEPARATOR), [".fn wait", "plet it pass", "qwhere to wait for it"])

    def test_units_that_share_lines_are_told(self):
        asked = {"a.rs": [(10, 20)], "b.rs": []}
        apart = [questions.apart(dict(path="a.rs", start_line=s, end_line=e), asked) for s, e in ((1, 9), (1, 10), (20, 30), (21, 30))]
        self.assertEqual(apart, [True, False, False, True])

    def test_the_questions_of_this_project_can_be_read(self):
        found = questions.read(os.path.join(HERE, "questions.tsv.xz"))
        places = [texts for source in found.values() for texts in source.values()]
        self.assertGreater(len(places), 10_000)
        self.assertTrue(all(any(texts) for texts in places))


@unittest.skipIf(torch is None, "needs PyTorch")
class Rows(unittest.TestCase):
    WORDS = "fn wait retry let some time pass where".split()

    def view(self, *segments):
        lines = [["0", "rust", "src", "wait", SEPARATOR.join(segments)]]
        return rows.View(lines, Tokens(["[PAD]", "[UNK]"] + self.WORDS), torch.device("cpu"))

    def words(self, ids):
        return [self.WORDS[n - 2] for n in ids if n > 1]

    def test_a_question_is_asked_and_never_part_of_a_body(self):
        view = self.view(".fn wait retry", "plet some time pass", "qwhere wait time")
        at = torch.tensor([0])
        for slot, asked in ((8, "let some time pass"), (9, "where wait time"), (0, "wait")):
            plan = rows.Plan(view.kinds[at], torch.tensor([slot]))
            plan.hide_name = torch.tensor([False])
            plan.opening = torch.tensor([0])
            query, body, _ = view.texts(at, plan, spoil=False)
            self.assertEqual(" ".join(self.words(query[0])), asked)
            self.assertEqual(" ".join(self.words(body[0])), "fn wait retry")

    def test_a_row_with_questions_stands_for_the_one_without(self):
        plain = ["0", "rust", "src", "wait", ".fn wait"]
        other = ["0", "rust", "src", "wait", ".fn retry"]
        asked = plain[:4] + [SEPARATOR.join([".fn wait", "plet pass"])]
        self.assertEqual(rows.with_questions([plain, other], [asked]), [other, asked])

    def test_others_are_of_the_repositories_that_are_asked(self):
        import numpy as np

        repositories = np.array([5, 5, 7, 5, 7, 5, 9])  # the others begin at 3
        others = rows.Others(repositories, 3)
        rng = np.random.default_rng(0)
        self.assertEqual(set(others.beside(np.array([5]), 50, rng)), {3, 5})
        self.assertEqual(set(others.beside(np.array([7, 8]), 50, rng)), {4})
        self.assertEqual(set(others.beside(np.array([], int), 90, rng)), {3, 4, 5, 6})

    def test_texts_beyond_the_answers_only_count_as_wrong(self):
        scores = torch.tensor([[5.0, 0.0, -20.0], [0.0, 5.0, -20.0]])
        none = torch.zeros(2, 2, dtype=torch.bool)
        without = losses.contrastive(scores[:, :2], none)
        self.assertAlmostEqual(losses.contrastive(scores, none).item(), without.item(), places=4)
        scores[0, 2] = 9.0
        self.assertGreater(losses.contrastive(scores, none).item(), without.item() + 1)

    def test_the_same_row_is_no_wrong_answer(self):
        same = losses.same_row(torch.tensor([4, 7, 4]))
        self.assertEqual(same.nonzero().tolist(), [[0, 2], [2, 0]])

    def test_byte_pairs_are_joined_in_the_order_they_were_learnt(self):
        g = "\u0120"
        merges = ["a b", f"{g} a", f"{g} ab"]
        vocabulary = {piece: n for n, piece in enumerate([g, "a", "b", "ab", g + "a", g + "ab"])}
        tokens = BytePairs({"model": {"vocab": vocabulary, "merges": merges}})
        self.assertEqual(tokens.ids(["ab"], 9), [vocabulary[g + "ab"] + 1])
        self.assertEqual(tokens.ids(["ba"], 9), [vocabulary[p] + 1 for p in (g, "b", "a")])


if __name__ == "__main__":
    unittest.main()
