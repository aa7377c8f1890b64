"""Reads what `train.py` saves of a run, RUN-0.npz, RUN-1.npz and so on, or what `mix.py` keeps of weights as
they are: one file, which is named whole."""

import json
import os

import numpy as np
import torch

import teachers
from bert import Bert
from model import Deep, Encoder
from teachers import unpack


def read(run):
    """The config, the temperatures and the weights; there are none where there is no such run."""
    if os.path.isfile(run):
        found = torch.load(run, map_location="cpu", weights_only=True)
        return found["config"], None, {name: value.numpy() for name, value in found["state_dict"].items()}
    packed, number = {}, 0
    while os.path.exists(f"{run}-{number}.npz"):
        packed |= dict(np.load(f"{run}-{number}.npz"))
        number += 1
    config = json.loads(str(packed.pop("config.json", "{}")))
    return config, packed.pop("scale", None), unpack(packed)


def deep(config, weights):
    """A transformer of the shape that its weights have."""
    bert = {name.removeprefix("bert."): np.asarray(value) for name, value in weights.items()
            if name.startswith("bert.")}
    bert |= teachers.config(teachers.TEACHERS[config["base"]])
    return Deep(Bert(bert), tokens=len(weights["token.weight"]))


def model(config, weights):
    """The network of a run with its weights."""
    made = deep(config, weights) if "base" in config else Encoder(**config)
    made.load_state_dict(shaped(weights, made))
    return made


def shaped(weights, model):
    """Weights with the shapes that they have in a model; saving makes matrices of them."""
    shapes = {name: value.shape for name, value in model.state_dict().items()}
    return {name: torch.from_numpy(weights[name]).view(shape) for name, shape in shapes.items()}
