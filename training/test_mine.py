"""Tests of what a batch is made of: python3 -m unittest test_mine"""

import unittest
from itertools import islice

try:
    import numpy as np
    import torch

    import mine
    import rows
except ImportError as missing:
    raise unittest.SkipTest(f"needs what training needs: {missing}")


class Batches(unittest.TestCase):
    def test_rows_with_questions_are_taken_several_times_and_never_twice_in_a_group(self):
        repositories = np.repeat(np.arange(4), 64)
        often = np.arange(0, 256, 8)
        batches = rows.batches(repositories, np.arange(256), 16, 16, 1, often, 3, np.random.rand(256, 4))
        # One round: 224 rows once and 32 three times, in groups of 16, of which each part may lose two.
        seen = np.concatenate(list(islice(batches, 17)))
        counts = np.bincount(seen, minlength=256)
        self.assertTrue((counts[np.setdiff1d(np.arange(256), often)] <= 1).all())
        self.assertGreater(counts[often].mean(), 2)
        for group in seen.reshape(-1, 16):
            self.assertEqual(len(set(group)), 16)

    def test_rows_that_are_alike_stand_together(self):
        rng = np.random.default_rng(2)
        topic = rng.integers(0, 4, 256)
        vectors = np.eye(4)[topic] + 0.01 * rng.standard_normal((256, 4))
        order = rows.alike(np.arange(256), vectors.astype(np.float16), 16, rng)
        self.assertEqual(sorted(order), list(range(256)))
        same = np.mean([len(set(group)) for group in topic[order].reshape(-1, 16)])
        self.assertLess(same, 2)

    def test_one_that_is_like_no_other_can_be_halved(self):
        rng = np.random.default_rng(2)
        order = rows.alike(np.arange(100), np.zeros((100, 4), np.float16), 16, rng)
        self.assertEqual(sorted(order), list(range(100)))


class Mined(unittest.TestCase):
    def test_what_is_nearly_as_near_as_the_answer_is_left_out(self):
        units = torch.tensor([[1.0, 0.0], [0.99, 0.14], [0.8, 0.6], [0.0, 1.0], [-1.0, 0.0]])
        found = mine.nearest_wrong(units[:1], torch.tensor([0]), units, torch.arange(10, 15))
        self.assertEqual(found.shape, (1, mine.MOST))
        self.assertEqual([row for row in found[0].tolist() if row >= 0], [12])

    def test_a_row_that_is_not_asked_so_has_no_wrong_answers(self):
        units = torch.eye(3)
        found = mine.nearest_wrong(torch.zeros(1, 3), torch.tensor([0]), units, torch.arange(3))
        self.assertTrue((found == -1).all())

    def test_wrong_answers_go_by_the_question_and_are_none_of_the_answers(self):
        mined = rows.Mined.__new__(rows.Mined)
        mined.asked = np.array([3, 7])
        mined.wrong = np.array([[[1, 2], [4, -1]], [[5, 3], [6, -1]]])
        rng = np.random.default_rng(0)
        asked, kinds = np.array([7, 3]), np.array([rows.PARAPHRASE, rows.QUESTION])
        self.assertEqual(sorted(mined.beside(asked, kinds, 9, rng)), [4, 5])
        self.assertEqual(len(mined.beside(asked, kinds, 1, rng)), 1)


if __name__ == "__main__":
    unittest.main()
