"""Trains an encoder on what `prepare.py` wrote.

    python3 train.py deep  --pack PACK --teachers TEACHERS --seconds 480 --out OUT
    python3 train.py small --pack PACK --teachers TEACHERS --seconds 480 --out OUT [--distil DEEP.npz]

`deep` tunes a pretrained transformer on pairs; `small` trains the convolution, from pairs alone or
also from a tuned transformer. The schedule follows the clock, so a run fits the time there is.
Leaves OUT/<name>.npz (int8, see teachers.pack) and a line of JSON in OUT/runs.jsonl.
"""

import argparse
import json
import math
import os
import time

import numpy as np
import torch
import torch.nn.functional as F

import losses
import rows as data
import runs
from bert import Bert
from model import Deep, Encoder
from teachers import load, pack
from tokens import Tokens

START = time.time()
CLS = 101  # what WordPiece transformers read first
KIND_NAMES = {data.DOC: "doc", data.COMMENT: "comment", data.STRING: "string",
              data.MESSAGE: "commit"}


def log(*words):
    print(f"[{time.time() - START:6.1f}]", *words, flush=True)


def vocabulary(path):
    with open(path, encoding="utf-8") as file:
        return Tokens(file.read().rstrip("\n").split("\n"))


class Rows:
    """Training rows and held-back rows in the vocabularies a run needs."""

    def __init__(self, args, device):
        self.device = device
        train, held = (data.read(f"{args.pack}/{name}") for name in ("units-*.tsv.xz", "held.tsv.xz"))
        if args.limit:
            train, held = train[:: max(1, len(train) // args.limit)], held[: args.limit]
        log(len(train), "rows,", len(held), "held back")
        self.repositories = np.array([int(row[0]) for row in train])
        self.held_repositories = np.array([int(row[0]) for row in held])
        self.own = vocabulary(f"{args.pack}/vocab.txt")
        self.bert = vocabulary(f"{args.teachers}/gte-small.vocab.txt")
        self.views, self.held_views = {}, {}
        needed = ["bert"] if args.kind == "deep" else ["own", "bert"] if args.distil else ["own"]
        for name in needed:
            tokens, first = getattr(self, name), CLS if name == "bert" else None
            self.views[name] = data.View(train, tokens, device, first)
            self.held_views[name] = data.View(held, tokens, device, first)
            log("tokens of", name)
        self.kinds = self.views[needed[0]].kinds
        for name in needed[1:]:
            self.kinds = self.kinds * (self.views[name].kinds > 0)
        self.chosen = data.askable(self.kinds)

    def batches(self, args):
        found = data.batches(self.repositories, self.chosen, args.batch, args.group, args.seed)
        return (torch.from_numpy(ix).to(self.device) for ix in found)


def initial_table(bert, own, bert_tokens, width, device):
    """Token vectors from what a pretrained transformer makes of each piece alone."""
    ids = [[CLS] + bert_tokens.ids([piece.removeprefix("##")], 8) for piece in own.lines]
    found = []
    with torch.no_grad():
        for at in range(0, len(ids), 2048):
            part = torch.from_numpy(data.padded(ids[at : at + 2048], 9, np.int64)).to(device)
            found.append(bert.embed(part, part > 0))
    table = torch.cat(found).float()
    table = table - table.mean(0)
    _, _, directions = torch.pca_lowrank(table, q=min(width, *table.shape), niter=4)
    table = F.pad(table @ directions, (0, width - directions.shape[1]))
    return table * (0.1 / table.std())


def temperatures(device):
    return torch.nn.Parameter(torch.full((2,), math.log(20.0), device=device))


class Heads:
    """Both scores of a batch, at their learned temperatures."""

    def __init__(self, model, texts, scale, parts=1, coarse=False):
        query, body, path = texts
        # A frozen model is in half precision as a whole.
        learns = model.side.dtype == torch.float32
        with torch.autocast(query.device.type, dtype=torch.bfloat16, enabled=learns):
            self.query, query_tokens, weights = model.query(query)
            self.unit, unit_tokens = model.unit(body, path)
        half = torch.bfloat16 if query.is_cuda else torch.float32
        sharp = scale.exp().clamp(max=150)
        self.vector = self.query @ self.unit.T * sharp[0]
        if coarse:
            unit_tokens = losses.as_kept(unit_tokens)
        # Only within parts of the batch, which takes less memory; rows of the same repository are
        # in the same part.
        chunks = zip(*(t.chunk(parts) for t in (query_tokens.to(half), weights, unit_tokens.to(half))))
        self.late = [losses.late_scores(*chunk) * sharp[1] for chunk in chunks]


def blocks(matrix, like):
    """The blocks on the diagonal of a matrix that have the sizes of others."""
    at = 0
    for other in like:
        yield matrix[at : at + len(other), at : at + len(other)]
        at += len(other)


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def own_loss(heads, wrong):
    late = (losses.contrastive(*pair) for pair in zip(heads.late, blocks(wrong, heads.late)))
    return losses.contrastive(heads.vector, wrong) + mean(late)


def distil_loss(heads, teacher, up, weight):
    """Follows the teacher's scores with both heads, and its vectors."""
    vectors = (list(blocks(side.vector, heads.late)) for side in (heads, teacher))
    follow = 0
    for vector, late, taught_vector, taught_late in zip(next(vectors), heads.late, next(vectors), teacher.late):
        target = 0.25 * (taught_vector + taught_late)
        follow = follow + losses.follow(vector, target) + losses.follow(late, target)
    follow = follow / len(heads.late)
    near = 2 - F.cosine_similarity(up(heads.query), teacher.query).mean()
    near = near - F.cosine_similarity(up(heads.unit), teacher.unit).mean()
    return follow + weight * near, near


def fit_temperatures(teacher, rows, args, steps=40):
    """The temperatures at which a teacher is least surprised by the pairs. Those it was saved with
    fit the weights it was tuned to, not those of a mixture."""
    model, scale = teacher
    scale = scale.float().clone().requires_grad_(True)
    optimiser = torch.optim.Adam([scale], lr=0.05)
    for _, ix in zip(range(steps), rows.batches(args)):
        plan = data.Plan(rows.kinds[ix])
        texts = rows.views["bert"].texts(ix, plan, spoil=False)
        loss = own_loss(Heads(model, texts, scale, args.late_parts), losses.same_query(texts[0]))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    log("temperatures of the teacher", [round(x, 1) for x in scale.exp().tolist()], f"pairs {loss.item():.3f}")
    return model, scale.detach()


class Fit:
    """One run: the model, its optimiser, and the clock."""

    def __init__(self, args, rows, model, teacher=None):
        self.args, self.rows, self.model, self.teacher = args, rows, model, teacher
        self.scale = temperatures(rows.device)
        self.up = torch.nn.Linear(256, 384, bias=False).to(rows.device) if teacher else None
        slow = [p for name, p in model.named_parameters() if name.startswith("bert.")]
        fast = [p for name, p in model.named_parameters() if not name.startswith("bert.")]
        fast += [self.scale] + (list(self.up.parameters()) if self.up else [])
        groups = [dict(params=fast, rate=args.rate)]
        groups += [dict(params=slow, rate=args.slow_rate)] if slow else []
        fused = rows.device.type == "cuda"
        self.optimiser = torch.optim.AdamW(groups, lr=args.rate, betas=(0.9, 0.98),
                                           weight_decay=0.01, fused=fused)
        self.steps = 0
        self.then = args.then

    def loss(self, ix):
        rows, args = self.rows, self.args
        plan = data.Plan(rows.kinds[ix])
        name = "bert" if args.kind == "deep" else "own"
        texts = rows.views[name].texts(ix, plan, spoil=True)
        wrong = losses.same_query(texts[0])
        heads = Heads(self.model, texts, self.scale, args.late_parts, coarse=args.coarse)
        loss = own_loss(heads, wrong)
        self.said = f"pairs {loss.item():.3f}" if self.steps % 100 == 0 else None
        if self.teacher:
            self.next_teacher()
            with torch.no_grad():
                clear = rows.views["bert"].texts(ix, plan, spoil=False)
                taught = Heads(self.teacher[0], clear, self.teacher[1], args.late_parts)
                # What the teacher finds better than the answer is likely an answer too.
                better = taught.vector > taught.vector.diagonal()[:, None] + 2.0
            heads_loss, near = distil_loss(heads, taught, self.up, args.near)
            loss = args.pairs * own_loss(heads, wrong | better) + heads_loss
            self.said = self.said and f"{self.said} near {near.item():.3f}"
        return loss

    @torch.no_grad()
    def fit_up(self, batches=4):
        """The best map to the teacher's vectors: a run that goes on from another would otherwise
        unlearn what it knows while it finds one."""
        ours, theirs = [], []
        for _, ix in zip(range(batches), self.rows.batches(self.args)):
            plan = data.Plan(self.rows.kinds[ix])
            texts = [self.rows.views[name].texts(ix, plan, spoil=False) for name in ("own", "bert")]
            pairs = zip((ours, theirs), (self.model, self.teacher[0]), texts, (self.scale, self.teacher[1]))
            for found, model, text, scale in pairs:
                heads = Heads(model, text, scale, self.args.late_parts)
                found += [heads.query.float(), heads.unit.float()]
        best = torch.linalg.lstsq(torch.cat(ours), torch.cat(theirs)).solution
        self.up.weight.copy_(best.T)

    def next_teacher(self):
        """Goes on with the teacher that was in training when this run began."""
        if self.then and os.path.exists(f"{self.then}.done"):
            self.teacher = load_deep(self.then, self.rows.device)
            self.teacher = fit_temperatures(self.teacher, self.rows, self.args)
            self.fit_up()
            log("step", self.steps, "taught by", self.then)
            self.then = None

    def rate(self, part):
        warm = min(1.0, (self.steps + 1) / 150)
        return warm * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(1.0, part))))

    def run(self):
        begun = time.time()
        for ix in self.rows.batches(self.args):
            part = (time.time() - begun) / self.args.seconds
            if part >= 1 or self.steps == self.args.steps:
                break
            for group in self.optimiser.param_groups:
                group["lr"] = group["rate"] * self.rate(part)
            loss = self.loss(ix)
            self.optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimiser.step()
            if self.said:
                log("step", self.steps, f"{part:.2f}", self.said, "scale",
                    [round(x, 1) for x in self.scale.exp().tolist()])
            self.steps += 1


@torch.no_grad()
def evaluate(model, rows, name, most_queries=100):
    """NDCG@10 over held-back repositories, by what asks and by head: one unit is right."""
    view = rows.held_views[name]
    found = {}
    for repository in np.unique(rows.held_repositories)[::2]:
        ix = torch.from_numpy(np.flatnonzero(rows.held_repositories == repository)).to(rows.device)
        if len(ix) < 50:
            continue
        kinds = view.kinds[ix]
        for kind, label in KIND_NAMES.items():
            has = (kinds == kind).any(1).nonzero().squeeze(1)[:most_queries]
            if len(has) < 10:
                continue
            slot = (kinds == kind).int().argmax(1)
            plan = data.Plan(kinds, torch.where((kinds == kind).any(1), slot, 0))
            plan.keep_doc = torch.ones_like(plan.keep_doc) & (kind != data.DOC)
            plan.hide_name = torch.zeros_like(plan.hide_name)
            plan.opening = torch.zeros_like(plan.opening)
            query, body, path = view.texts(ix, plan, spoil=False)
            for head, ranks in ranks_of(model, query[has], body, path, has).items():
                gain = torch.where(ranks <= 10, 1 / torch.log2(ranks.float() + 1), 0.0)
                found.setdefault((label, head), []).append(gain.mean().item())
    return {f"{label}.{head}": round(float(np.mean(v)), 4) for (label, head), v in sorted(found.items())}


def ranks_of(model, query, body, path, right):
    with torch.autocast(query.device.type, dtype=torch.bfloat16):
        asked, tokens, weights = model.query(query)
        vectors, late = [], []
        for at in range(0, len(body), 512):
            unit, unit_tokens = model.unit(body[at : at + 512], path[at : at + 512])
            vectors.append(asked @ unit.T)
            late.append(losses.late_scores(tokens.to(unit_tokens.dtype), weights, unit_tokens))
    vector, late = torch.cat(vectors, 1).float(), torch.cat(late, 1).float()
    rank = lambda s: (s > s.gather(1, right[:, None])).sum(1) + 1
    # Scores spread differently; each is measured in its own deviations over the repository.
    even = lambda s: (s - s.mean(1, keepdim=True)) / s.std(1, keepdim=True)
    return {"vector": rank(vector), "late": rank(late), "both": rank(even(vector) + even(late))}


def save(model, scale, config, path, limit=15_000_000):
    """int8, in files small enough to travel."""
    state = {name: value.detach().float().cpu().numpy() for name, value in model.state_dict().items()}
    for name in [n for n, v in state.items() if v.ndim > 2]:
        state[name] = state[name].reshape(-1, state[name].shape[-1])
    packed = pack(state) | {"scale": scale.detach().cpu().numpy(), "config.json": np.str_(json.dumps(config))}
    part, size, number = {}, 0, 0
    for name, value in packed.items():
        if size + value.nbytes > limit and part:
            np.savez(f"{path}-{number}.npz", **part)
            part, size, number = {}, 0, number + 1
        part[name] = value
        size += value.nbytes
    np.savez(f"{path}-{number}.npz", **part)


def load_deep(path, device):
    """A tuned transformer and its temperatures, frozen."""
    config, scale, weights = runs.read(path)
    if not weights:
        raise SystemExit(f"there is no {path}-0.npz")
    scale = torch.from_numpy(scale).to(device)
    model = runs.deep(config, weights)
    model.load_state_dict(runs.shaped(weights, model))
    model = model.to(device).bfloat16().eval()
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    return model, scale


def make_small(args, rows):
    shape = json.loads(args.shape)
    model = Encoder(len(rows.own.lines), **shape).to(rows.device)
    if args.start:
        return model, model.config
    bert = Bert(load(f"{args.teachers}/{args.base}.npz")).to(rows.device).eval()
    table = initial_table(bert, rows.own, rows.bert, model.config["width"], rows.device)
    model.embed.weight.data.copy_(table)
    model.embed.weight.data[0] = 0
    return model, model.config


def main():
    parser = argparse.ArgumentParser(description="Trains an encoder")
    parser.add_argument("kind", choices=["deep", "small"])
    parser.add_argument("--pack", required=True)
    parser.add_argument("--teachers", required=True)
    parser.add_argument("--base", default="gte-small", help="the pretrained transformer")
    parser.add_argument("--distil", help="a tuned transformer, as saved, without -0.npz")
    parser.add_argument("--out", required=True)
    parser.add_argument("--name", default=None)
    parser.add_argument("--seconds", type=float, default=480)
    parser.add_argument("--steps", type=int, default=-1)
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--group", type=int, default=64)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--slow-rate", type=float, default=1e-4)
    parser.add_argument("--pairs", type=float, default=0.5, help="weight of the pairs beside a teacher")
    parser.add_argument("--near", type=float, default=4, help="weight of the distance to the teacher's vectors")
    parser.add_argument("--late-parts", type=int, default=1, help="parts of a batch with late scores of their own")
    parser.add_argument("--coarse", action="store_true", help="tokens of units as an index keeps them")
    parser.add_argument("--start", help="a run of the same shape to go on from, as saved, without -0.npz")
    parser.add_argument("--then", help="a tuned transformer that takes over as the teacher once it is there")
    parser.add_argument("--shape", default="{}", help="sizes of the small encoder, as JSON")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=int, default=0, help="only so many rows, to try things")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_float32_matmul_precision("high")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    rows = Rows(args, device)
    teacher = load_deep(args.distil, device) if args.distil else None
    if teacher:
        teacher = fit_temperatures(teacher, rows, args)
    if args.kind == "deep":
        model, config = Deep(Bert(load(f"{args.teachers}/{args.base}.npz"))).to(device), dict(base=args.base)
    else:
        model, config = make_small(args, rows)
    fit = Fit(args, rows, model, teacher)
    if args.start:
        _, scale, weights = runs.read(args.start)
        model.load_state_dict(runs.shaped(weights, model))
        fit.scale.data.copy_(torch.from_numpy(scale))
        if teacher:
            fit.fit_up()
    fit.run()
    scores = evaluate(model, rows, "bert" if args.kind == "deep" else "own")
    log("steps", fit.steps, scores)
    name = args.name or args.kind
    os.makedirs(args.out, exist_ok=True)
    save(model, fit.scale, config, f"{args.out}/{name}")
    open(f"{args.out}/{name}.done", "w").close()
    with open(f"{args.out}/runs.jsonl", "a") as out:
        settings = {key: value for key, value in vars(args).items() if key not in ("pack", "out")}
        done = dict(name=name, rows=len(rows.chosen), steps=fit.steps, scores=scores)
        out.write(json.dumps(settings | done) + "\n")


if __name__ == "__main__":
    main()
