"""Goes only part of the way from a pretrained transformer to a tuned one.

    python3 mix.py --run RUN --base gte-small.npz --part 0.4 --out OUT

Tuning brings what our pairs teach and costs what pretraining knew; the weights in between keep
more of both. RUN and OUT are runs as `train.py` saves them. The heads for single tokens have no
pretrained counterpart and stay as they were tuned.
"""

import argparse

import torch

import runs
from bert import Bert
from model import Deep
from teachers import load
from train import save

TUNED_ONLY = ("token.weight", "weight.weight", "weight.bias")


def mixed(base, tuned, part):
    """Weights `part` of the way from the base to the tuned ones."""
    between = {name: torch.lerp(base[name].float(), tuned[name].float(), part) for name in base}
    return between | {name: tuned[name] for name in TUNED_ONLY}


def main():
    parser = argparse.ArgumentParser(description="Goes part of the way from a pretrained transformer to a tuned one")
    parser.add_argument("--run", required=True, help="the tuned one, as saved, without -0.npz")
    parser.add_argument("--base", required=True, help="the pretrained one, as teachers.py writes it")
    parser.add_argument("--part", type=float, required=True, help="0 is the pretrained one, 1 the tuned one")
    parser.add_argument("--out", required=True, help="the run to write, without -0.npz")
    args = parser.parse_args()
    model = Deep(Bert(load(args.base)))
    config, scale, weights = runs.read(args.run)
    if not weights:
        raise SystemExit(f"there is no {args.run}-0.npz")
    model.load_state_dict(mixed(model.state_dict(), runs.shaped(weights, model), args.part))
    save(model, torch.from_numpy(scale), config | {"part": args.part}, args.out)


if __name__ == "__main__":
    main()
