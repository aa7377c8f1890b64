"""Goes only part of the way from one set of weights to another.

    python3 mix.py --run RUN --base gte-small.npz --part 0.7 --out OUT
    python3 mix.py --run RUN --base OTHER --part 0.7 --out OUT
    python3 mix.py --run RUN --base OTHER --part 0.5 --out OUT.pt

Tuning brings what our pairs teach and costs what was known before; the weights in between keep
more of both. The mean of two runs is mostly better than either. RUN and OUT are runs as `train.py`
saves them; what is gone from is a pretrained transformer, as `teachers.py` writes it, or a run that
RUN was trained on from, or beside. The heads for single tokens have no pretrained counterpart and
stay as they were tuned.

A run keeps its weights as bytes. OUT.pt keeps them as they are, for `export.py`, which rounds them better.
"""

import argparse

import torch

import runs
from bert import Bert
from model import Deep
from teachers import load
from train import save

TUNED_ONLY = ("token.weight", "weight.weight", "weight.bias")


def between(base, tuned, part):
    """Weights `part` of the way from the base to the tuned ones."""
    return {name: torch.lerp(base[name].float(), tuned[name].float(), part) for name in base}


def mixed(base, tuned, part):
    """The same, where the base knows nothing of tokens."""
    return between(base, tuned, part) | {name: tuned[name] for name in TUNED_ONLY}


def from_pretrained(base, run, part):
    model = Deep(Bert(load(base)))
    config, scale, weights = run
    model.load_state_dict(mixed(model.state_dict(), runs.shaped(weights, model), part))
    return model, scale, config | {"part": part}


def from_run(base, run, part):
    (_, scale_before, before), (config, scale, weights) = base, run
    model = runs.model(config, weights)
    ends = runs.shaped(before, model), runs.shaped(weights, model)
    model.load_state_dict(between(*ends, part))
    # A run that restore.py made of a file has no temperatures, one of before had fewer heads.
    if scale is not None and scale_before is not None and len(scale_before) == len(scale):
        scale = scale_before + (scale - scale_before) * part
    return model, scale, config


def write(model, scale, config, path):
    if path.endswith(".pt"):
        torch.save({"config": config, "state_dict": model.state_dict()}, path)
    else:
        save(model, None if scale is None else torch.from_numpy(scale), config, path)


def main():
    parser = argparse.ArgumentParser(description="Goes part of the way from one set of weights to another")
    parser.add_argument("--run", required=True, help="the tuned ones, as saved, without -0.npz")
    parser.add_argument("--base", required=True, help="a pretrained transformer, as teachers.py writes it, or a run")
    parser.add_argument("--part", type=float, required=True, help="0 is the base, 1 the tuned ones, more goes beyond them")
    parser.add_argument("--out", required=True, help="the run to write, without -0.npz, or a file that ends in .pt")
    args = parser.parse_args()
    run = runs.read(args.run)
    if not run[-1]:
        raise SystemExit(f"there is no run {args.run}")
    if args.base.endswith(".npz"):
        model, scale, config = from_pretrained(args.base, run, args.part)
    else:
        base = runs.read(args.base)
        if not base[-1]:
            raise SystemExit(f"there is no run {args.base}")
        model, scale, config = from_run(base, run, args.part)
    write(model, scale, config, args.out)


if __name__ == "__main__":
    main()
