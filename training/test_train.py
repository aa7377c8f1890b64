"""Tests of what a batch is scored by: python3 -m unittest test_train"""

import math
import types
import unittest

try:
    import torch

    import train
except ImportError as missing:
    raise unittest.SkipTest(f"needs what training needs: {missing}")


def texts(rows, length):
    ids = torch.randint(1, 50, (rows, length))
    ids[0, length // 2 :] = 0
    return ids


def encoder():
    torch.manual_seed(0)
    return train.Encoder(50, width=16, hidden=16, blocks=1, tokens=8, vector=8).eval()


class Scores(unittest.TestCase):
    def test_parts_keep_their_answers_and_their_share_of_the_others(self):
        matrix = torch.arange(4 * 7).view(4, 7)  # four questions, their answers, three others
        like = [torch.zeros(2, 4), torch.zeros(2, 3)]
        first, second = train.beside(matrix, like)
        self.assertEqual(first.tolist(), [[0, 1, 4, 5], [7, 8, 11, 12]])
        self.assertEqual(second.tolist(), [[16, 17, 20], [23, 24, 27]])

    def test_both_heads_are_added_up_as_they_are_ranked(self):
        model, batch = encoder(), (texts(6, 5), texts(9, 12), texts(9, 4))
        with torch.no_grad():
            plain = train.Heads(model, batch, torch.zeros(train.HEADS), parts=2)
            sharp = train.Heads(model, batch, torch.tensor([0.0, 0.0, math.log(3.0)]), parts=2)
        cosines = train.beside(plain.vector, plain.late)
        for late, near, both, thrice in zip(plain.late, cosines, plain.both, sharp.both):
            torch.testing.assert_close(both, late + train.VECTOR_SHARE * near, rtol=1e-3, atol=1e-3)
            torch.testing.assert_close(thrice, 3 * both, rtol=1e-3, atol=1e-3)

    def test_teachers_count_the_same(self):
        ix = torch.arange(6)
        side = {"bert": (texts(6, 5), texts(6, 12), texts(6, 4))}
        side["own"] = tuple(side["bert"])
        views = {name: types.SimpleNamespace(begun=lambda *_, name=name, **__: side[name]) for name in side}
        model = encoder()
        teachers = types.SimpleNamespace(rows=types.SimpleNamespace(views=views), tuned={"bert": model, "own": model},
                                         others=[], parts=1, scale=torch.tensor([math.log(2.0)]))
        taught = train.Taught(teachers, ix, None)
        alone = train.Heads(model, side["bert"], torch.zeros(train.HEADS))
        torch.testing.assert_close(taught.scores()[0], 2 * 2 * alone.both[0].detach(), rtol=1e-2, atol=1e-2)
