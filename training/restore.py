"""Makes a run of a model file again, to train on from or to mix: the way back from `export.py`.

    python3 restore.py --model ../models/small.safetensors --out RUN
    python3 restore.py --model ../models/deep.safetensors --base TEACHERS/gte-small.npz --out RUN

Writes RUN-0.npz and so on, and RUN.vocab.txt. Weights come back as the file has them, in steps of a
byte. What a file does not keep is the temperatures of training, which begin anew, and what is never
read of a transformer: positions beyond the longest text, which come from the pretrained one.
"""

import argparse
import json

import numpy as np
from safetensors import safe_open

import runs
from export import LAYER_NAMES, LIMITS
from teachers import load
from train import save

# Which factors the columns of a matrix were divided by.
FACTORS = {"query": "factors", "key": "factors", "value": "factors", "up": "up.factors", "down": "down.factors"}
NOT_SHAPE = (*LIMITS, "name", "unrelated", "fingerprint")


def read(path):
    """Config, tensors in full precision and vocabulary of a model file."""
    with safe_open(path, "np") as file:
        config = json.loads(file.metadata()["config"])
        raw = {name: file.get_tensor(name) for name in file.keys()}
    state = {}
    for name, value in raw.items():
        if name.endswith(".q"):
            matrix = name.removesuffix(".q")
            state[matrix + ".weight"] = value * raw[matrix + ".scale"][:, None]
        elif not name.endswith(".scale") and name != "vocab":
            state[name] = value
    return config, state, raw["vocab"].tobytes()


def small(config, state):
    """The weights of the small encoder by their names in the network."""
    config = {key: value for key, value in config.items() if key not in NOT_SHAPE}
    state = dict(state, vector=state.pop("vector.weight"))
    for name in [name for name in state if name.endswith(".conv.weight")]:
        state[name] = np.ascontiguousarray(state[name].T)
    return runs.model(config, state), config


def deep(config, state, base):
    """The same of a transformer. Columns of activations that were evened out are so no more, except
    between values and what is made of them, where both sides cancel."""
    scale = (config["width"] / config["heads"]) ** 0.5
    names = {long: short for short, long in LAYER_NAMES.items()}
    out = {"bert." + name: np.array(value) for name, value in base.items() if name.startswith("embeddings.")}
    out["bert.embeddings.word"] = state["embed.weight"]
    for kind in ("weight", "bias"):
        out[f"bert.embeddings.norm.{kind}"] = state[f"norm.{kind}"]
    positions = out["bert.embeddings.position"]
    positions[: len(state["position"])] = state["position"] - base["embeddings.segment"][0]
    for name, value in state.items():
        if name.startswith("layers.") and not name.endswith("factors"):
            layers, number, part, kind = name.split(".")
            if kind == "weight" and part in FACTORS:
                value = value * state[f"{layers}.{number}.{FACTORS[part]}"]
            if part == "query":
                value = value * scale
            out[f"bert.{layers}.{number}.{names.get(part, part)}.{kind}"] = value
        elif name in ("side", "pool", "vector", "token.weight", "weight.weight", "weight.bias"):
            out[name] = value
    config = {"base": config["base"]}
    return runs.model(config, out), config


def main():
    parser = argparse.ArgumentParser(description="Makes a run of a model file again")
    parser.add_argument("--model", required=True, help="the file that export.py wrote")
    parser.add_argument("--base", help="the pretrained transformer, as teachers.py writes it; for large models")
    parser.add_argument("--out", required=True, help="the run to write, without -0.npz")
    args = parser.parse_args()
    config, state, vocabulary = read(args.model)
    if "base" in config and not args.base:
        raise SystemExit(f"{args.model} is a transformer: --base {config['base']}.npz is needed")
    model, kept = deep(config, state, load(args.base)) if "base" in config else small(config, state)
    save(model, None, kept, args.out)
    with open(f"{args.out}.vocab.txt", "wb") as file:
        file.write(vocabulary + b"\n")


if __name__ == "__main__":
    main()
