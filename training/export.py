"""Writes a trained model as the file that `crates/embed` reads.

    python3 export.py --checkpoint FILE.pt|RUN --vocab vocab.txt --name NAME
                      --out NAME.safetensors [--golden golden.json]

The checkpoint is a file with `config` and `state_dict` of `model.Encoder`, or what `train.py`
saves: RUN-0.npz, RUN-1.npz and so on. Matrices become bytes with one scale a row. With --golden,
token ids and vectors of a few texts are written too, as the weights before rounding give them;
the tests of `crates/embed` compare.
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
from teachers import unpack
from tokens import Tokens
from words import words

# How many tokens of a text are read, unless the config of the checkpoint says otherwise.
LIMITS = {"max_body": rows.BODY, "max_path": rows.PATH, "max_query": rows.QUERY}

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


def tensors(state, lines):
    """All tensors of the file by name."""
    out = {"vocab": np.frombuffer("\n".join(lines).encode(), np.uint8)}
    for name, value in state.items():
        value = value.detach().float()
        matrix = name.removesuffix(".weight")
        if matrix.endswith((".inner", ".out")) or matrix in ("embed", "token"):
            out[matrix + ".q"], out[matrix + ".scale"] = rounded(value)
        elif name == "vector":
            out["vector.q"], out["vector.scale"] = rounded(value.flatten(0, 1))
        elif name.endswith(".conv.weight"):
            out[name] = np.ascontiguousarray(value[:, 0].T.numpy())
        elif name == "weight.weight":
            out[name] = value[0].numpy()
        else:
            out[name] = value.numpy()
    return out


def full_config(config, name):
    """The config as the file has it."""
    config = {**LIMITS, **config, "name": name}
    config["query_hidden"] = config.get("query_hidden") or config["hidden"]
    return config


def encoder(config, state):
    """The network, with its weights if there are any."""
    shape = {key: value for key, value in config.items() if key not in (*LIMITS, "name")}
    made = network.Encoder(**shape)
    if state is not None:
        made.load_state_dict(state)
    return made.eval()


def checkpoint(path):
    """Config and weights of a trained network."""
    if os.path.exists(path):
        found = torch.load(path, map_location="cpu", weights_only=True)
        return found["config"], found["state_dict"]
    packed, number = {}, 0
    while os.path.exists(f"{path}-{number}.npz"):
        packed |= dict(np.load(f"{path}-{number}.npz"))
        number += 1
    if not packed:
        raise SystemExit(f"there is neither {path} nor {path}-0.npz")
    packed.pop("scale", None)
    config = json.loads(str(packed.pop("config.json")))
    shapes = {name: value.shape for name, value in encoder(config, None).state_dict().items()}
    state = unpack(packed)
    return config, {name: torch.from_numpy(state[name]).view(shape) for name, shape in shapes.items()}


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
    with open(path, "wb") as file:
        found = tensors(state, lines)
        config = {**config, "fingerprint": fingerprint(found)}
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
    parser.add_argument("--checkpoint", required=True, help="{config, state_dict} of model.Encoder, or a run of train.py")
    parser.add_argument("--vocab", required=True, help="one piece a line")
    parser.add_argument("--name", required=True, help="what the model is called")
    parser.add_argument("--out", required=True, help="the model file")
    parser.add_argument("--golden", help="texts with their vectors, for the tests of crates/embed")
    options = parser.parse_args()
    config, state = checkpoint(options.checkpoint)
    with open(options.vocab, encoding="utf-8", newline="\n") as file:
        lines = file.read().removesuffix("\n").split("\n")
    config = full_config(config, options.name)
    write(config, state, lines, options.out)
    if options.golden:
        write_golden(golden(config, state, lines), options.golden)


if __name__ == "__main__":
    main()
