"""Finds wrong answers that are hard to tell from right ones, with an encoder that is there already.

    python3 mine.py --pack PACK --teachers TEACHERS --run RUN --out PACK/mined.npz

RUN is a small encoder, as `train.py` saves it or `restore.py` brings it back. Writes

    vectors   one vector for each row in the order of `train.Rows`, shortened
    asked     the rows that have questions
    wrong     for each of them, asked by paraphrase and by question, the units of its repository that
              come nearest without being the answer; -1 where there are fewer

What comes nearer than the answer, or nearly as near, is left out: it often is an answer too.
"""

import argparse

import numpy as np
import torch

import rows as data
import runs
from train import Rows, log, take_turn

SHORT = 48  # numbers of a vector that is only to group rows by
MOST = 24  # wrong answers to one question
NEARLY = 0.95  # of the cosine of the answer


@torch.no_grad()
def unit_vectors(model, view, count, size=4096):
    found = []
    for at in range(0, count, size):
        ix = torch.arange(at, min(at + size, count), device=view.body.device)
        plan = data.Unasked(view.kinds[ix])
        plan.keep_doc, plan.drop_path = torch.ones_like(plan.keep_doc), torch.zeros_like(plan.drop_path)
        _, body, path = view.begun(ix, plan, spoil=False)
        with torch.autocast(ix.device.type, dtype=torch.bfloat16):
            found.append(model.unit(body, path)[0].float())
    return torch.cat(found)


@torch.no_grad()
def query_vectors(model, view, asked, kind):
    """What asks for rows by one kind of question; zero where a row has none."""
    kinds = view.kinds[asked]
    has = (kinds == kind).any(1)
    plan = data.Plan(kinds, (kinds == kind).int().argmax(1))
    plan.opening = torch.zeros_like(plan.opening)
    query, _, _ = view.begun(asked, plan, spoil=False)
    with torch.autocast(asked.device.type, dtype=torch.bfloat16):
        return model.query(query)[0].float() * has[:, None]


def nearest_wrong(queries, answers, units, rows):
    """Rows of a repository that come near to queries, whose answers are at these places of `rows`."""
    scores = queries @ units.T
    right = scores.gather(1, answers[:, None])
    scores = scores.masked_fill(scores >= NEARLY * right, -1.0)
    best, place = scores.topk(min(MOST, scores.shape[1]), dim=1)
    found = torch.where((best > 0) & (right > 0), rows[place], -1)
    return torch.nn.functional.pad(found, (0, MOST - found.shape[1]), value=-1)


def mine(model, rows):
    view = rows.views["own"]
    vectors = unit_vectors(model, view, len(rows.train))
    log("vectors of", len(vectors), "rows")
    asked = torch.from_numpy(data.questioned(view.kinds)).to(rows.device)
    wrong = torch.full((len(asked), 2, MOST), -1, device=rows.device)
    repositories = torch.from_numpy(rows.repositories).to(rows.device)
    for repository in repositories[asked].unique():
        of = (repositories == repository).nonzero().squeeze(1)
        places = (repositories[asked] == repository).nonzero().squeeze(1)
        answers = torch.searchsorted(of, asked[places])
        for number, kind in enumerate((data.PARAPHRASE, data.QUESTION)):
            queries = query_vectors(model, view, asked[places], kind)
            wrong[places, number] = nearest_wrong(queries, answers, vectors[of], of)
    _, _, directions = torch.pca_lowrank(vectors[:: max(1, len(vectors) // 100_000)], q=SHORT)
    short = (vectors @ directions).half()
    return {"vectors": short, "asked": asked, "wrong": wrong.int()}


def main():
    parser = argparse.ArgumentParser(description="Finds wrong answers that are hard to tell from right ones")
    parser.add_argument("--pack", required=True)
    parser.add_argument("--teachers", required=True)
    parser.add_argument("--run", required=True, help="a small encoder, without -0.npz")
    parser.add_argument("--out", required=True, help="the file to write")
    parser.add_argument("--turn", help="as in train.py")
    parser.add_argument("--limit", type=int, default=0, help="only so many rows, to try things")
    args = parser.parse_args()
    args.seed = 0
    turn = take_turn(args.turn)  # noqa: F841, held until the end
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    rows = Rows(args, device, ["own"])
    config, _, weights = runs.read(args.run)
    model = runs.model(config, weights).to(device).eval()
    found = {name: value.cpu().numpy() for name, value in mine(model, rows).items()}
    log("wrong answers to", len(found["asked"]), "rows,", round(float((found["wrong"] >= 0).mean()), 2), "of the places filled")
    np.savez(args.out, **found)


if __name__ == "__main__":
    main()
