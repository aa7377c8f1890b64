"""Writes a trained model as the file that `crates/embed` reads.

    python3 export.py --checkpoint FILE.pt|RUN --vocab vocab.txt --name NAME
                      --out NAME.safetensors [--golden golden.json]

The checkpoint is a file with `config` and `state_dict` of `model.Encoder` or `model.Deep`, or what
`train.py` saves: RUN-0.npz, RUN-1.npz and so on. Its config says which of the two it is. Matrices
become bytes with one scale a row. With --golden, token ids and vectors of a few texts are written
too, as the weights before rounding give them; the tests of `crates/embed` compare.
"""

import argparse
import hashlib
import json
import os

import numpy as np
import torch
from safetensors.numpy import save

import model as network
import rows
import runs
import teachers
from tokens import Tokens
from words import words

# How many tokens of a text are read, unless the config of the checkpoint says otherwise.
LIMITS = {"max_body": rows.BODY, "max_path": rows.PATH, "max_query": rows.QUERY}

# What WordPiece transformers read first.
FIRST = 101

# What the parts of a layer are called in the file.
LAYER_NAMES = {"q": "query", "k": "key", "v": "value", "o": "out"}

# How far the columns of activations are evened out, at the cost of the weights: 0 is not at all.
BALANCE = 0.6

# What is added to the products of inputs, as a share of what they are on average.
DAMPING = 0.01

SIDES = {"query": network.QUERY, "body": network.BODY, "path": network.PATH}

# Of a long text only the first token vectors are written to the golden file.
GOLDEN_TOKENS = 4

GOLDEN = {
    "query": [
        "where is the request parsed",
        "retry with exponential backoff and jitter when the connection is refused",
        "HTTPServer shutdownNow",
        "parse",
        "Größe der Datei naïve café",
        "日本語 の テキスト",
        "sha256 checksum of a 0xFF byte array, utf-8 decoded",
        "how are errors reported to the caller " * 12,
    ],
    "body": [
        "fn retry_delay(attempt: u32) -> Duration {\n    BASE * 2u32.pow(attempt)\n}",
        "def close(self):\n    \"\"\"Stop serving.\"\"\"\n    self.conn.shutdownNow()\n",
        "public static <T> List<T> copyOf(Collection<? extends T> source) throws IOException {}",
        "static int\nread_block(struct file *f, char *buf, size_t n)\n{\n\treturn fread(buf, 1, n, f);\n}",
        "const useFetch = async (url) => { const r = await fetch(url); return r.json() };",
        "SELECT name, count(*) FROM users GROUP BY name ORDER BY 2 DESC;",
        "x",
        "// Überprüft, ob die Länge stimmt.\nbool stimmt(int länge);",
        "func (s *Server) Listen(addr string) error {\n\treturn s.inner.ListenAndServe(addr)\n}",
        "let mut total = 0; for item in items.iter() { total += item.price * item.count; }\n" * 30,
    ],
    "path": [
        "src/main.rs",
        "crates/embed/src/tokenizer.rs",
        "lib/java/org/example/HttpServer.java",
        "a",
        "docs/Änderungen.md",
        "a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/w/x/y/z/parser_state.py",
    ],
}


def rounded(matrix):
    """A matrix as bytes, and the scale of each row."""
    matrix = matrix.detach().float().numpy()
    scale = np.abs(matrix).max(1) / 127
    steps = matrix / np.where(scale > 0, scale, 1)[:, None]
    return np.rint(steps).astype(np.int8), scale.astype(np.float32)


def rounded_together(matrix, products):
    """The same with the products of its inputs: what rounding a column adds to the outputs is taken
    from the columns that are still to come, as far as their inputs go together."""
    matrix, spread = matrix.detach().double().clone(), spreads(products)
    scale = matrix.abs().amax(1) / 127
    size = torch.where(scale > 0, scale, 1.0)
    steps = torch.empty_like(matrix)
    for at in range(matrix.shape[1]):
        steps[:, at] = (matrix[:, at] / size).round().clamp(-127, 127)
        off = (matrix[:, at] - steps[:, at] * size) / spread[at, at]
        matrix[:, at + 1 :] -= off[:, None] * spread[at, at + 1 :]
    return steps.to(torch.int8).numpy(), scale.float().numpy()


def spreads(products):
    """How an error in one column is best made up for in those that follow: rows of a triangle."""
    # There are fewer texts than it takes to know all products well.
    products = products + DAMPING * products.diagonal().mean() * torch.eye(len(products))
    return torch.linalg.cholesky(torch.linalg.inv(products), upper=True)


def in_file(config, state, lines):
    """The weights by their names in the file, and the products of the inputs of matrices that are
    rounded with them."""
    if not is_deep(config):
        return state, {}
    out, products = transformer_in_file(config, state), {}
    inputs = Inputs(config, state, lines)
    for number in range(config["layers"]):
        balance(out, products, f"layers.{number}", lambda part: inputs.of(number, part))
    return out, products


def transformer_in_file(config, state):
    """The weights of a transformer by their names in the file, without what is not read."""
    out = {}
    for name, value in state.items():
        if name.startswith("bert.layers."):
            layers, number, part, kind = name.removeprefix("bert.").split(".")
            # Attention divides by this; it may as well be part of the weights.
            scale = (config["width"] / config["heads"]) ** -0.5 if part == "q" else 1.0
            out[".".join([layers, number, LAYER_NAMES.get(part, part), kind])] = value * scale
        elif not name.startswith("bert."):
            out[name] = value
    out["embed.weight"] = state["bert.embeddings.word"]
    out["norm.weight"], out["norm.bias"] = (state[f"bert.embeddings.norm.{kind}"] for kind in ("weight", "bias"))
    first = teachers.TEACHERS[config["base"]].first_position
    count = 1 + max(config[limit] for limit in LIMITS)
    positions = state["bert.embeddings.position"][first : first + count]
    out["position"] = positions + state["bert.embeddings.segment"][0]
    return out


class Inputs:
    """What goes into the layers of a transformer when it reads the golden texts and these scripts:
    the largest number in each column, and the products of the columns."""

    def __init__(self, config, state, lines):
        self.largest, self.products = {}, {}
        made, tokens = encoder(config, state), Tokens(lines)
        for name, module in made.bert.named_modules():
            if isinstance(module, torch.nn.Linear):
                module.register_forward_pre_hook(lambda _, x, name=name: self.look(name, x[0].flatten(0, 1)))
        with torch.no_grad():
            for side, text in sample():
                ids = tokens.ids(words(text), config["max_" + side])
                made.states(batch([FIRST, *ids]), SIDES[side])

    def look(self, name, x):
        most, products = x.abs().amax(0), x.double().T @ x.double()
        self.largest[name] = torch.maximum(self.largest.get(name, most), most)
        self.products[name] = self.products.get(name, 0) + products

    def of(self, number, part):
        name = f"layers.{number}.{part}"
        return self.largest[name], self.products[name]


def sample():
    """Texts to see numbers of the usual size in."""
    for side in GOLDEN:
        yield from ((side, text) for text in GOLDEN[side])
    folder = os.path.dirname(os.path.abspath(__file__))
    for name in sorted(name for name in os.listdir(folder) if name.endswith(".py")):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = file.read()
        yield from (("body", text[at : at + 1200]) for at in range(0, len(text), 3000))


def balance(out, products, layer, inputs):
    """Divides the columns of what goes into the matrices of a layer, and multiplies their weights.

    Some columns have numbers twenty times as large as the others, and would leave these a few
    steps of the 255 that a row of bytes has."""
    def multiply(parts, source):
        most, product = inputs(source)
        names = [f"{layer}.{part}" for part in parts]
        weights = torch.cat([out[name + ".weight"] for name in names]).abs().amax(0)
        size = most.clamp(min=1e-3) ** BALANCE / weights.clamp(min=1e-4) ** (1 - BALANCE)
        size = size / size.log().mean().exp()
        for name in names:
            out[name + ".weight"] = out[name + ".weight"] * size
            products[name] = product / size[:, None] / size
        return 1 / size

    out[f"{layer}.factors"] = multiply(["query", "key", "value"], "q")
    out[f"{layer}.up.factors"] = multiply(["up"], "up")
    out[f"{layer}.down.factors"] = multiply(["down"], "down")
    # Attention mixes values column by column, so the values themselves can be divided.
    factors = multiply(["out"], "o")
    out[f"{layer}.value.weight"] = out[f"{layer}.value.weight"] * factors[:, None]
    out[f"{layer}.value.bias"] = out[f"{layer}.value.bias"] * factors


def tensors(config, state, lines):
    """All tensors of the file by name."""
    state, products = in_file(config, state, lines)
    out = {"vocab": np.frombuffer("\n".join(lines).encode(), np.uint8)}
    for name, value in state.items():
        value = value.detach().float()
        matrix = name.removesuffix(".weight")
        if matrix in products and value.ndim == 2:
            out[matrix + ".q"], out[matrix + ".scale"] = rounded_together(value, products[matrix])
        elif matrix.endswith((".inner", ".out")) or matrix in ("embed", "token"):
            out[matrix + ".q"], out[matrix + ".scale"] = rounded(value)
        elif name == "vector" and not is_deep(config):
            out["vector.q"], out["vector.scale"] = rounded(value.flatten(0, 1))
        elif name.endswith(".conv.weight"):
            out[name] = np.ascontiguousarray(value[:, 0].T.numpy())
        elif name == "weight.weight":
            out[name] = value[0].numpy()
        else:
            out[name] = value.numpy()
    return out


def is_deep(config):
    """Whether a config is that of a transformer: it names the one that was tuned."""
    return "base" in config


def full_config(config, name, state=None):
    """The config as the file has it."""
    config = {**LIMITS, **config, "name": name}
    if is_deep(config):
        return config | deep_config(config, state)
    config["query_hidden"] = config.get("query_hidden") or config["hidden"]
    return config


def deep_config(config, state):
    """What the weights of a transformer say of its shape, and its base of the rest."""
    made = encoder(config, state)
    bert = made.bert
    vocab, width = bert.embeddings.word.shape
    layer = bert.layers[0]
    return dict(network="transformer", vocab=vocab, width=width, layers=len(bert.layers), heads=layer.heads,
                inner=layer.up.out_features, eps=layer.norm.eps, first=FIRST,
                tokens=made.token.out_features, vector=made.vector.shape[1])


def encoder(config, state):
    """The network, with its weights if there are any."""
    if is_deep(config):
        made = runs.deep(config, state)
    else:
        shape = {key: value for key, value in config.items() if key not in (*LIMITS, "name", "unrelated")}
        made = network.Encoder(**shape)
    if state is not None:
        made.load_state_dict(state)
    return made.eval()


def checkpoint(path):
    """Config and weights of a trained network."""
    config, _, weights = runs.read(path)
    if not weights:
        raise SystemExit(f"there is neither {path} nor {path}-0.npz")
    return config, runs.model(config, weights).state_dict()


def fingerprint(found):
    """A hash of the weights: vectors of other weights do not compare."""
    digest = hashlib.blake2b(digest_size=8)
    for name in sorted(found):
        digest.update(name.encode() + found[name].tobytes())
    return int.from_bytes(digest.digest(), "little")


def write(config, state, lines, path):
    """Writes the model file."""
    if len(lines) != config["vocab"]:
        raise SystemExit(f"the vocabulary has {len(lines)} lines, the config says {config['vocab']}")
    found = tensors(config, state, lines)
    config = {**config, "fingerprint": fingerprint(found)}
    with open(path, "wb") as file:
        file.write(save(found, {"config": json.dumps(config)}))


def golden(config, state, lines):
    """Ids and vectors of the golden texts."""
    made, tokens = encoder(config, state), Tokens(lines)
    texts = [golden_text(made, tokens, config, side, text) for side in GOLDEN for text in GOLDEN[side]]
    ids = {side: [text["ids"] for text in texts if text["side"] == side] for side in GOLDEN}
    units = []
    # Texts without any token have no reference: the network would pool padding.
    for body, path in zip(range(len(ids["body"])), range(len(ids["path"]))):
        if ids["body"][body] and ids["path"][path]:
            with torch.no_grad():
                vector, _ = made.unit(batch(ids["body"][body]), batch(ids["path"][path]))
            units.append({"body": body, "path": path, "vector": short(vector[0])})
    return {"texts": texts, "units": units}


def golden_text(made, tokens, config, side, text):
    """What the network makes of one text."""
    ids = tokens.ids(words(text), config["max_" + side])
    # What has no word is not read at all, and so has no first token.
    ids = [config["first"], *ids] if ids and "first" in config else ids
    entry = {"side": side, "text": text, "ids": ids}
    if not ids:
        return entry
    with torch.no_grad():
        x, mask = made.states(batch(ids), SIDES[side])
        entry["vector"] = short(made.pooled(x, mask, SIDES[side])[0])
        vectors = made.token_vectors(x, mask)[0]
        entry["tokens"] = short(vectors[:GOLDEN_TOKENS].flatten())
        if side == "query":
            vector, _, weights = made.query(batch(ids))
            entry["vector"], entry["weights"] = short(vector[0]), short(weights[0])
    return entry


def batch(ids):
    return torch.tensor([ids])


def short(values):
    """Five digits are more than bytes as weights can keep."""
    return [round(value, 5) for value in values.tolist()]


def write_golden(entries, path):
    with open(path, "w", encoding="utf-8") as file:
        lists = {key: ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries[key])
                 for key in entries}
        body = ",\n".join(f'"{key}": [\n{text}\n]' for key, text in lists.items())
        file.write("{\n" + body + "\n}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--checkpoint", required=True, help="{config, state_dict} of a network, or a run of train.py")
    parser.add_argument("--vocab", required=True, help="one piece a line")
    parser.add_argument("--name", required=True, help="what the model is called")
    parser.add_argument("--out", required=True, help="the model file")
    parser.add_argument("--unrelated", type=float, default=0.0,
                        help="the cosine that one question in a hundred stays below with all units")
    parser.add_argument("--golden", help="texts with their vectors, for the tests of crates/embed")
    options = parser.parse_args()
    config, state = checkpoint(options.checkpoint)
    with open(options.vocab, encoding="utf-8", newline="\n") as file:
        lines = file.read().removesuffix("\n").split("\n")
    config = full_config(config, options.name, state) | {"unrelated": options.unrelated}
    write(config, state, lines, options.out)
    if options.golden:
        write_golden(golden(config, state, lines), options.golden)


if __name__ == "__main__":
    main()
