"""Tests of the teachers: python3 -m unittest test_teachers

They need numpy and PyTorch, and skip themselves where these are missing; no network, no weights.
"""

import tempfile
import unittest
from pathlib import Path

try:
    import numpy as np
    import torch

    import bert
    import teachers
except ImportError:
    torch = None

SIZES = {"layers": 2, "width": 24, "inner": 48, "vocabulary": 40, "positions": 16, "segments": 2}


def random_state(seed=7, pooling="mean", first_position=0, **changes):
    draw = np.random.default_rng(seed)
    shapes = teachers.expected(**(SIZES | changes))
    state = {name: draw.normal(0, 0.3, shape).astype(np.float32) for name, shape in shapes.items()}
    return state | {
        "config.heads": np.int64(4),
        "config.norm_eps": np.float64(1e-12),
        "config.first_position": np.int64(first_position),
        "config.pooling": np.str_(pooling),
    }


@unittest.skipIf(torch is None, "numpy or torch is missing")
class Pack(unittest.TestCase):
    def test_is_off_by_half_a_step_at_most(self):
        for width, groups in ((128, 2), (24, 1)):
            state = random_state(width=width, inner=2 * width)
            packed = teachers.pack(state)
            back = teachers.unpack(packed)
            self.assertEqual(back.keys(), state.keys())
            self.assertEqual(packed["embeddings.word.scale"].shape, (40, groups))
            for name, value in state.items():
                if name.startswith("config."):
                    self.assertEqual(back[name], value)
                elif value.ndim == 2:
                    self.assertEqual(packed[name].dtype, np.int8)
                    scale = packed[f"{name}.scale"]
                    step = np.repeat(scale, value.shape[1] // scale.shape[1], axis=1)
                    self.assertTrue((np.abs(back[name] - value) <= step * 0.5001).all(), name)
                else:
                    np.testing.assert_allclose(back[name], value, rtol=2**-11, atol=1e-7)

    def test_keeps_rows_of_zeros_and_rows_of_any_size(self):
        rows = np.outer(np.float32([0, 1e-9, 1e-3, 1e6]), np.linspace(-1, 1, 64, dtype=np.float32))
        back = teachers.unpack(teachers.pack({"m": rows}))["m"]
        self.assertEqual(np.abs(back[0]).max(), 0)
        np.testing.assert_allclose(back, rows, atol=0, rtol=1, equal_nan=False)
        error = np.abs(back - rows).max(axis=1)
        self.assertTrue((error <= np.abs(rows).max(axis=1) / 250).all())

    def test_again_changes_nothing(self):
        once = teachers.unpack(teachers.pack(random_state()))
        twice = teachers.unpack(teachers.pack(once))
        for name, value in once.items():
            if not name.startswith("config."):
                np.testing.assert_allclose(twice[name], value, rtol=1e-6, atol=1e-9)

    def test_load_reads_both_kinds(self):
        state = random_state()
        with tempfile.TemporaryDirectory() as folder:
            plain, packed = Path(folder, "plain.npz"), Path(folder, "packed.npz")
            np.savez(plain, **state)
            np.savez_compressed(packed, **teachers.pack(state))
            for path in (plain, packed):
                back = teachers.load(path)
                self.assertEqual(back.keys(), state.keys())
                np.testing.assert_allclose(
                    back["layers.1.up.weight"], state["layers.1.up.weight"], atol=0.01
                )
            self.assertLess(packed.stat().st_size, plain.stat().st_size)


@unittest.skipIf(torch is None, "numpy or torch is missing")
class Convert(unittest.TestCase):
    def published(self, state):
        """A state under the names that BERTs are published with."""
        names = {ours: theirs for theirs, ours in teachers.BERT_NAMES.items()}
        out = {"pooler.dense.weight": np.zeros(1)}
        for name, value in state.items():
            if name.startswith("layers."):
                _, number, module, kind = name.split(".")
                out[f"encoder.layer.{number}.{names[module]}.{kind}"] = value
            elif name in names:
                out[names[name]] = value
            elif name.startswith("embeddings.norm"):
                out[name.replace("norm", "LayerNorm")] = value
        return out

    def tensors(self):
        return {k: v for k, v in random_state().items() if not k.startswith("config.")}

    def test_names(self):
        state = self.tensors()
        found = teachers.from_bert(self.published(state))
        teachers.check(found)
        for name, value in state.items():
            np.testing.assert_array_equal(found[name], value)

    def test_check_names_what_is_wrong(self):
        state = self.tensors()
        del state["layers.1.o.bias"]
        with self.assertRaisesRegex(ValueError, r"layers\.1\.o\.bias"):
            teachers.check(state)
        state = self.tensors()
        state["layers.0.up.bias"][3] = np.nan
        with self.assertRaisesRegex(ValueError, r"layers\.0\.up\.bias"):
            teachers.check(state)

    def test_hmsemb_tensors(self):
        values = np.arange(-8, 8, dtype=np.int8).reshape(2, 8)
        scales = np.float32([[1, 2], [3, 4]])
        entry = {"dtype": "i8", "shape": [2, 8], "group": 4}
        found = teachers.hmsemb_tensor(values.tobytes() + scales.tobytes(), entry)
        np.testing.assert_array_equal(found[0], [-8, -7, -6, -5, -8, -6, -4, -2])
        np.testing.assert_array_equal(found[1], [0, 3, 6, 9, 16, 20, 24, 28])

    def test_quantised_onnx_tensors(self):
        raw = {
            "w_quantized": np.uint8([[128, 130], [120, 128]]),
            "w_scale": np.float32([0.5, 2]),
            "w_zero_point": np.uint8([128, 128]),
            "b": np.float32([1]),
            "ids": np.int64([0, 1]),
        }
        found = teachers.dequantise_onnx(raw)
        self.assertEqual(found.keys(), {"w", "b"})
        np.testing.assert_array_equal(found["w"], [[0, 4], [-4, 0]])


@unittest.skipIf(torch is None, "numpy or torch is missing")
class Model(unittest.TestCase):
    ids = [[5, 9, 11, 3], [7, 2, 0, 0]]
    mask = [[1, 1, 1, 1], [1, 1, 0, 0]]

    def run_model(self, extra=0, **arguments):
        """Token states and vectors of the two texts, with `extra` more padding."""
        model = bert.Bert(random_state(**arguments)).eval()
        ids = torch.tensor([row + [0] * extra for row in self.ids])
        mask = torch.tensor([row + [0] * extra for row in self.mask])
        with torch.no_grad():
            return model(ids, mask), model.embed(ids, mask)

    def test_shapes(self):
        states, vectors = self.run_model()
        self.assertEqual(states.shape, (2, 4, 24))
        self.assertEqual(vectors.shape, (2, 24))
        torch.testing.assert_close(vectors.norm(dim=1), torch.ones(2))

    def test_padding_changes_nothing(self):
        for pooling in ("mean", "cls"):
            for first_position in (0, 2):
                options = {"pooling": pooling, "first_position": first_position}
                states, vectors = self.run_model(**options)
                more_states, more_vectors = self.run_model(extra=5, **options)
                torch.testing.assert_close(more_vectors, vectors)
                torch.testing.assert_close(more_states[0, :4], states[0])
                torch.testing.assert_close(more_states[1, :2], states[1, :2])

    def test_text_alone_needs_no_mask(self):
        model = bert.Bert(random_state()).eval()
        _, vectors = self.run_model()
        with torch.no_grad():
            torch.testing.assert_close(model.embed(torch.tensor([[7, 2]]))[0], vectors[1])

    def test_positions_and_order_count(self):
        _, here = self.run_model()
        _, there = self.run_model(first_position=2)
        self.assertGreater((here - there).abs().max(), 1e-3)

    def test_pooling(self):
        states, vectors = self.run_model(pooling="cls")
        unit = torch.nn.functional.normalize(states[:, 0], dim=1)
        torch.testing.assert_close(vectors, unit)
        states, vectors = self.run_model(pooling="mean")
        unit = torch.nn.functional.normalize(states[1, :2].mean(0), dim=0)
        torch.testing.assert_close(vectors[1], unit)

    def test_half_precision(self):
        _, vectors = self.run_model()
        model = bert.Bert(random_state()).eval().bfloat16()
        with torch.no_grad():
            half = model.embed(torch.tensor(self.ids), torch.tensor(self.mask))
        self.assertEqual(half.dtype, torch.float32)
        self.assertGreater((half * vectors).sum(1).min(), 0.99)

    def test_state_comes_back(self):
        state = random_state()
        back = bert.Bert(state).state_dict()
        self.assertEqual({n for n in state if not n.startswith("config.")}, back.keys())


if __name__ == "__main__":
    unittest.main()
