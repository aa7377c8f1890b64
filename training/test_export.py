"""Tests of the export: python3 -m unittest test_export

The fixture that the tests of `crates/embed` read is written by `python3 test_export.py write`:
a network much too small to be of use, with random weights.
"""

import json
import os
import sys
import tempfile
import unittest

try:
    import numpy as np
    import torch
    from safetensors import safe_open

    import export
    import mix
    import restore
    import teachers
    import train
except ImportError as missing:
    raise unittest.SkipTest(f"needs what training needs: {missing}")

from tokens import Tokens
from words import words

FIXTURE = os.path.join(os.path.dirname(__file__), "..", "crates", "embed", "tests")

CONFIG = {"vocab": 400, "width": 32, "hidden": 48, "blocks": 2, "kernel": 7, "tokens": 16, "vector": 32,
          "query_blocks": 1, "query_hidden": 80, "max_body": 200, "max_path": 12, "max_query": 40}


def vocabulary():
    """Letters, so that most words can be cut, and pieces of the golden texts of all lengths."""
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    lines = ["[PAD]", "[UNK]", *letters, *("##" + letter for letter in letters)]
    found = [word for texts in export.GOLDEN.values() for text in texts for word in words(text)]
    found = [word for word in dict.fromkeys(found) if len(word) > 1]
    for piece in [word[: 2 + at % 7] for at, word in enumerate(found)] + ["##" + word[2:] for word in found]:
        if piece not in lines and piece != "##":
            lines.append(piece)
    filler = (a + b for a in letters for b in letters if a + b not in lines)
    return [line for line, _ in zip([*lines, *filler], range(CONFIG["vocab"]))]


def state():
    """Weights from a generator whose numbers never change. Those that are one or zero at the
    beginning of a training are random as well, or they would prove nothing."""
    random = np.random.RandomState(7)
    sizes = {"embed": 0.5, "side": 0.3, "conv": 0.5, "pool": 0.4, "bias": 0.3}
    made = export.encoder(export.full_config(CONFIG, "tiny"), None)
    out = {}
    for name, value in made.state_dict().items():
        part = next((part for part in sizes if part in name), None)
        size = sizes[part] if part else value.shape[-1] ** -0.5
        mean = 1.0 if name.endswith("norm.weight") else 0.0
        values = mean + size * random.standard_normal(value.shape)
        out[name] = torch.tensor(values, dtype=torch.float32)
    out["embed.weight"][0] = 0
    return out


def deep_state():
    """The weights of a transformer with 110 pieces, as random as those above."""
    random = np.random.RandomState(8)
    sizes = dict(layers=2, width=24, inner=40, vocabulary=110, positions=200, segments=2)
    shapes = {"bert." + name: shape for name, shape in teachers.expected(**sizes).items()}
    shapes |= {"side": (3, 24), "pool": (3, 24), "vector": (3, 24, 24), "token.weight": (16, 24),
               "weight.weight": (1, 24), "weight.bias": (1,)}
    made = {name: 0.2 * random.standard_normal(shape) for name, shape in shapes.items()}
    return {name: torch.tensor(value, dtype=torch.float32) for name, value in made.items()}


def write(folder):
    config = export.full_config(CONFIG, "tiny")
    lines = vocabulary()
    export.write(config, state(), lines, os.path.join(folder, "tiny.safetensors"))
    export.write_golden(export.golden(config, state(), lines), os.path.join(folder, "golden.json"))


def numbers(value):
    """All numbers in a golden file, in order."""
    if isinstance(value, (int, float)):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [number for part in parts for number in numbers(part)]


class Export(unittest.TestCase):
    def test_the_fixture_is_what_the_code_writes(self):
        with tempfile.TemporaryDirectory() as folder:
            write(folder)
            for name in ("tiny.safetensors", "golden.json"):
                with open(os.path.join(folder, name), "rb") as new, open(os.path.join(FIXTURE, name), "rb") as old:
                    new, old = new.read(), old.read()
                if name == "golden.json":
                    new, old = numbers(json.loads(new)), numbers(json.loads(old))
                    self.assertTrue(np.allclose(new, old, atol=1e-4))
                else:
                    self.assertEqual(new, old)

    def test_both_kinds_of_checkpoint_are_read(self):
        config, weights = {key: CONFIG[key] for key in CONFIG if key not in export.LIMITS}, state()
        made = export.encoder(config, weights)
        with tempfile.TemporaryDirectory() as folder:
            run, single = os.path.join(folder, "small"), os.path.join(folder, "small.pt")
            train.save(made, torch.zeros(2), made.config, run, limit=20_000)
            self.assertTrue(os.path.exists(run + "-1.npz"))
            torch.save({"config": made.config, "state_dict": made.state_dict()}, single)
            for path, near in ((run, 0.02), (single, 0)):
                found, read = export.checkpoint(path)
                self.assertEqual(found, config)
                for name, value in weights.items():
                    self.assertTrue(torch.allclose(read[name], value, atol=near), name)

    def test_a_transformer_is_written_as_it_is(self):
        config, weights = {"base": "gte-small"}, deep_state()
        with tempfile.TemporaryDirectory() as folder:
            run, path = os.path.join(folder, "deep"), os.path.join(folder, "deep.safetensors")
            train.save(export.encoder(config, weights), torch.zeros(2), config, run, limit=20_000)
            found, read = export.checkpoint(run)
            self.assertEqual(found, config)
            lines = [str(number) for number in range(len(weights["bert.embeddings.word"]))]
            export.write(export.full_config(config, "deep-0", read), read, lines, path)
            with safe_open(path, "np") as file:
                config = json.loads(file.metadata()["config"])
                out = {name: torch.from_numpy(file.get_tensor(name)) for name in file.keys()}
        wanted = dict(network="transformer", name="deep-0", vocab=110, width=24, layers=2, heads=12,
                      inner=40, first=101, tokens=16, vector=24, max_query=40)
        self.assertEqual({key: config[key] for key in wanted}, wanted)
        self.assertEqual(out["position"].shape, (193, 24))
        for name, part, factors, head in (("query", "q", "factors", 2**0.5), ("key", "k", "factors", 1),
                                          ("up", "up", "up.factors", 1), ("down", "down", "down.factors", 1)):
            have = out[f"layers.1.{name}.q"] * out[f"layers.1.{name}.scale"][:, None]
            have = have * out[f"layers.1.{factors}"] * head
            want = read[f"bert.layers.1.{part}.weight"]
            self.assertLess((have - want).norm() / want.norm(), 0.03, name)

    def test_a_file_is_made_a_run_again(self):
        config, lines = export.full_config(CONFIG, "tiny"), vocabulary()
        weights = deep_state()
        pieces = [str(number) for number in range(len(weights["bert.embeddings.word"]))]
        base = {name.removeprefix("bert."): value.numpy() for name, value in weights.items() if "bert." in name}
        deep = export.full_config({"base": "gte-small"}, "deep-0", weights)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "made.safetensors")
            export.write(config, state(), lines, path)
            read = restore.read(path)
            self.assertEqual(read[2].decode().split("\n"), lines)
            self.same_vectors(export.encoder(config, state()), restore.small(*read[:2])[0])
            export.write(deep, weights, pieces, path)
            made, kept = restore.deep(*restore.read(path)[:2], base)
            self.assertEqual(kept, {"base": "gte-small"})
            self.same_vectors(export.encoder(deep, weights), made)

    def same_vectors(self, one, other):
        ids = torch.arange(2, 42).view(2, 20)
        with torch.no_grad():
            for a, b in zip(one.unit(ids, ids[:, :5]), other.eval().unit(ids, ids[:, :5])):
                self.assertGreater(torch.cosine_similarity(a, b, dim=-1).min(), 0.99)
            for a, b in zip(one.query(ids)[:2], other.query(ids)[:2]):
                self.assertGreater(torch.cosine_similarity(a, b, dim=-1).min(), 0.99)

    def test_part_of_the_way_is_part_of_the_way(self):
        base, tuned = deep_state(), {name: value + 1 for name, value in deep_state().items()}
        found = mix.mixed(base, tuned, 0.25)
        self.assertEqual(found.keys(), base.keys())
        for name, value in found.items():
            way = 1.0 if name in mix.TUNED_ONLY else 0.25
            self.assertTrue(torch.allclose(value, base[name] + way, atol=1e-5), name)

    def test_runs_are_mixed_number_by_number(self):
        config = dict(vocab=40, width=8, hidden=8, blocks=1, tokens=4)
        torch.manual_seed(1)
        model = train.Encoder(**config)
        tuned = {name: value.numpy() for name, value in model.state_dict().items()}
        base = {name: value + 1 for name, value in tuned.items()}
        scale = np.ones(3, np.float32)
        found, scales, _ = mix.from_run((config, scale, base), (config, 3 * scale, tuned), 0.75)
        for name, value in found.state_dict().items():
            self.assertTrue(torch.allclose(value, torch.from_numpy(tuned[name]) + 0.25, atol=1e-5), name)
        self.assertEqual(scales.tolist(), [2.5] * 3)

    def test_weights_as_they_are_are_read_again(self):
        config = dict(vocab=40, width=8, hidden=8, blocks=1, tokens=4)
        torch.manual_seed(1)
        model = train.Encoder(**config)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mixed.pt")
            mix.write(model, np.ones(3, np.float32), config, path)
            run = mix.runs.read(path)
        for name, value in model.state_dict().items():
            self.assertTrue(np.array_equal(run[-1][name], value.numpy().reshape(run[-1][name].shape)), name)
        # Beyond the tuned ones, and without temperatures.
        base = {name: value - 1 for name, value in run[-1].items()}
        found, scale, _ = mix.from_run((config, None, base), run, 1.25)
        self.assertIsNone(scale)
        for name, value in found.state_dict().items():
            self.assertTrue(torch.allclose(value, model.state_dict()[name] + 0.25, atol=1e-5), name)

    def test_rounding_together_adds_less_to_the_outputs(self):
        random = torch.Generator().manual_seed(3)
        inputs = torch.randn(200, 8, generator=random) @ torch.randn(8, 24, generator=random)
        matrix = torch.randn(16, 24, generator=random)
        def off(found):
            steps, scale = found
            return (inputs @ (torch.from_numpy(steps * scale[:, None]) - matrix).T).norm()
        products = (inputs.T @ inputs).double()
        self.assertLess(off(export.rounded_together(matrix, products)), 0.7 * off(export.rounded(matrix)))

    def test_rounded_matrices_are_near(self):
        matrix = torch.randn(5, 16)
        matrix[3] = 0
        values, scales = export.rounded(matrix)
        off = np.abs(values * scales[:, None] - matrix.numpy())
        self.assertTrue((off <= scales[:, None] / 2 + 1e-6).all())
        self.assertEqual(scales[3], 0)

    def test_the_file_says_what_it_is(self):
        with safe_open(os.path.join(FIXTURE, "tiny.safetensors"), "np") as file:
            config = json.loads(file.metadata()["config"])
            self.assertEqual({key: config[key] for key in CONFIG}, CONFIG)
            self.assertEqual(file.get_tensor("blocks.1.conv.weight").shape, (7, 48))
            self.assertEqual(file.get_tensor("query_blocks.0.out.q").shape, (32, 80))
            self.assertEqual(bytes(file.get_tensor("vocab")).decode().split("\n"), vocabulary())


class Cut(unittest.TestCase):
    # The same cases as in crates/embed/src/tokenizer.rs.
    LINES = ["[PAD]", "[UNK]", "a", "b", "##b", "##c", "ab", "abc", "##bcd", "##d", "grö", "##ße", "ab"]

    def ids(self, text, most):
        return Tokens(self.LINES).ids(text.split(" "), most)

    def test_the_longest_piece_wins(self):
        self.assertEqual(self.ids("ab", 9), [6])
        self.assertEqual(self.ids("abcd", 9), [7, 9])
        self.assertEqual(self.ids("abb bb", 9), [6, 4, 3, 4])
        self.assertEqual(self.ids("größe", 9), [10, 11])

    def test_what_cannot_be_cut_is_left_out(self):
        self.assertEqual(self.ids("a abx b c", 9), [2, 3])
        self.assertEqual(self.ids("[PAD] [UNK] ##b  a", 9), [2])
        self.assertEqual(self.ids("", 9), [])
        self.assertEqual(len(self.ids("b" * 40, 99)), 40)
        self.assertEqual(self.ids("b" * 41, 99), [])

    def test_ids_end_where_they_are_told_to(self):
        self.assertEqual(self.ids("abb bb", 3), [6, 4, 3])
        self.assertEqual(self.ids("a abbx b", 2), [2, 3])
        self.assertEqual(self.ids("a", 0), [])


if __name__ == "__main__":
    if sys.argv[1:] == ["write"]:
        write(FIXTURE)
    else:
        unittest.main()
