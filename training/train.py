"""Trains an encoder on what `prepare.py` wrote.

    python3 train.py deep  --pack PACK --teachers TEACHERS --seconds 480 --out OUT
    python3 train.py small --pack PACK --teachers TEACHERS --seconds 480 --out OUT [--distil DEEP.npz]

`deep` tunes a pretrained transformer on pairs; `small` trains the convolution, from pairs alone or
also from a tuned transformer. The schedule follows the clock, so a run fits the time there is.
Leaves OUT/<name>.npz (int8, see teachers.pack) and a line of JSON in OUT/runs.jsonl.
"""

import argparse
import fcntl
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
from model import Deep, Encoder, parts_of
from teachers import load, pack
from tokens import BytePairs, Tokens

START = time.time()
CLS = 101  # what WordPiece transformers read first
KIND_NAMES = {data.DOC: "doc", data.COMMENT: "comment", data.STRING: "string",
              data.MESSAGE: "commit", data.PARAPHRASE: "paraphrase", data.QUESTION: "question"}


def log(*words):
    print(f"[{time.time() - START:6.1f}]", *words, flush=True)


def vocabulary(path):
    with open(path, encoding="utf-8") as file:
        return Tokens(file.read().rstrip("\n").split("\n"))


def tokens_of(path):
    """The vocabulary that a pretrained one has beside it."""
    if not os.path.exists(f"{path}.tokenizer.json"):
        return vocabulary(f"{path}.vocab.txt")
    with open(f"{path}.tokenizer.json", encoding="utf-8") as file:
        return BytePairs(json.load(file))


class Rows:
    """Training rows in the vocabularies that are needed, held-back rows in the first of them: the model's own."""

    def __init__(self, args, device, needed):
        self.device, self.rng = device, np.random.default_rng(args.seed)
        self.train, first = self.read(args, "units-*", "questions", "others")
        self.held, self.held_first = self.read(args, "held", "held-questions", "held-others")
        log(first, "rows,", self.held_first, "held back, others", len(self.train) - first, len(self.held) - self.held_first)
        self.repositories = np.array([int(row[0]) for row in self.train])
        self.held_repositories = np.array([int(row[0]) for row in self.held])
        self.own = vocabulary(f"{args.pack}/vocab.txt")
        self.bert = vocabulary(f"{args.teachers}/gte-small.vocab.txt")
        self.views = {}
        for name in needed:
            tokens, before = getattr(self, name), CLS if name == "bert" else None
            self.views[name] = data.View(self.train, tokens, device, before)
            log("tokens of", name)
        self.view = self.views[needed[0]]
        self.held_view = data.View(self.held, getattr(self, needed[0]), device, self.view.first)
        self.kinds = self.view.kinds
        for name in needed[1:]:
            self.kinds = self.kinds * (self.views[name].kinds > 0)
        questioned = data.questioned(self.kinds)
        log(len(questioned), "rows with questions")
        self.chosen, self.questioned = data.askable(self.kinds[:first]), questioned
        self.others = data.Others(self.repositories, first) if first < len(self.train) else None
        self.mined = None

    def read(self, args, *names):
        """Rows of several files, and the number of the first that is not asked for."""
        plain, questioned, others = (data.read(f"{args.pack}/{name}.tsv.xz") for name in names)
        if args.limit:
            plain, questioned, others = (part[: args.limit] for part in (plain, questioned, others))
        asked = data.with_questions(plain, questioned)
        return asked + others, len(asked)

    def batches(self, args):
        vectors = self.mined.vectors if self.mined else None
        found = data.batches(self.repositories, self.chosen, args.batch, args.group, args.seed,
                             self.questioned, args.questions, vectors)
        return (torch.from_numpy(ix).to(self.device) for ix in found)

    def beside(self, ix, plan, count, parts):
        """Other rows of the repositories whose questions are in a batch, for each part of it."""
        batch, found = ix.cpu().numpy(), []
        for rows, kinds in zip(np.array_split(batch, parts), np.array_split(plan.kind.cpu().numpy(), parts)):
            asks, room = kinds >= data.PARAPHRASE, count // parts
            if self.mined:
                near = self.mined.beside(rows[asks], kinds[asks], room // 2, self.rng)
                found.append(near[~np.isin(near, batch)])
                room -= len(found[-1])
            found.append(self.others.beside(self.repositories[rows[asks]], room, self.rng))
        return torch.from_numpy(np.concatenate(found)).to(self.device)


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


HEADS = 3  # one vector, late interaction, and both
VECTOR_SHARE = 1.15  # what the vector counts beside late interaction, as in the ranking of `scent`


def temperatures(device):
    return torch.nn.Parameter(torch.full((HEADS,), math.log(20.0), device=device))


class Heads:
    """The scores of a batch, at their learned temperatures. There may be more units than queries:
    the answers come first."""

    def __init__(self, model, texts, scale, parts=1, coarse=False):
        query, body, path = texts
        # A frozen model is in half precision as a whole.
        learns = model.side.dtype == torch.float32
        with torch.autocast(query.device.type, dtype=torch.bfloat16, enabled=learns):
            self.query, query_tokens, weights = model.query(query)
            units, unit_tokens = model.unit(body, path)
        half = torch.bfloat16 if query.is_cuda else torch.float32
        sharp = scale.exp().clamp(max=150)
        self.unit = units[: len(query)]
        cosines = self.query @ units.T
        self.vector = cosines * sharp[0]
        if coarse:
            unit_tokens = losses.as_kept(unit_tokens)
        # Only within parts of the batch, which takes less memory; rows of the same repository are
        # in the same part.
        sides = (query_tokens.to(half), weights, *unit_tokens.to(half).split([len(query), len(body) - len(query)]))
        chunks = zip(*(side.chunk(parts) if len(side) else [side] * parts for side in sides))
        late = [losses.late_scores(q, w, torch.cat([answers, others])) for q, w, answers, others in chunks]
        self.late = [scores * sharp[1] for scores in late]
        self.both = [(scores + VECTOR_SHARE * near) * sharp[2] for scores, near in zip(late, beside(cosines, late))]


def blocks(matrix, like):
    """The blocks on the diagonal of a matrix that have as many rows as others."""
    at = 0
    for other in like:
        yield matrix[at : at + len(other), at : at + len(other)]
        at += len(other)


def beside(matrix, like):
    """The same with the columns that are not answers, which are spread over the parts."""
    answers, others = matrix[:, : len(matrix)], matrix[:, len(matrix) :]
    row = column = 0
    for block, part in zip(blocks(answers, like), like):
        more = part.shape[1] - len(part)
        yield torch.cat([block, others[row : row + len(part), column : column + more]], 1)
        row, column = row + len(part), column + more


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def own_loss(heads, wrong):
    late, both = (mean(losses.contrastive(*pair) for pair in zip(head, blocks(wrong, head)))
                  for head in (heads.late, heads.both))
    return losses.contrastive(heads.vector, wrong) + late + both


def distil_loss(heads, taught, up):
    """How far the heads are from the teachers' scores, and the vectors from theirs."""
    parts = zip(blocks(heads.vector, heads.late), heads.late, heads.both, taught.scores())
    # Softer than fits the pairs best: what else is near is what is to be learnt.
    follow = mean(losses.follow(scores[:, : len(scores)], 0.5 * target)
                  for *found, target in parts for scores in found) * HEADS
    near = 2 - F.cosine_similarity(up(heads.query), taught.query).mean()
    near = near - F.cosine_similarity(up(heads.unit), taught.unit).mean()
    return follow, near


class Whole:
    """A pretrained transformer as it is, which reads path and body as one text."""

    def __init__(self, name, args, rows):
        state = load(f"{args.teachers}/{name}.npz")
        self.bert = Bert(state)
        self.last, first = 102, CLS
        self.tokens = tokens_of(f"{args.teachers}/{name}")
        if isinstance(self.tokens, BytePairs):
            self.last, first = 3, 1
            word = self.bert.embeddings.word
            self.bert.embeddings.word = torch.nn.Parameter(F.pad(word, (0, 0, 1, 0)))
        self.bert = frozen(self.bert, rows.device)
        self.view = data.View(rows.train, self.tokens, rows.device, first)
        log("tokens of", name)

    def vectors(self, ix, plan):
        return [self.embed(ids) for ids in self.view.whole(ix, plan, self.last)]

    def embed(self, ids):
        order, groups = parts_of((ids > 0).sum(1), 4)
        found = [self.bert.embed(ids[group, :most], ids[group, :most] > 0) for group, most in groups]
        return torch.cat(found)[order.argsort()]


class Teachers:
    """A tuned transformer, an earlier small encoder, and others as they are: their scores are added up.
    The tuned ones count the same, as in the ranking of `scent`: fitted to the pairs, whichever knows them
    by heart would count most. The others have a weight each at which the sum is least surprised by the pairs."""

    def __init__(self, args, rows):
        self.rows, self.parts = rows, args.late_parts
        self.tuned = {"bert": load_run(args.distil, rows.device)}
        if args.earlier:
            self.tuned["own"] = load_run(args.earlier, rows.device)
        self.others = [Whole(name, args, rows) for name in args.also]
        self.scale = torch.full((1 + len(self.others),), math.log(10.0), device=rows.device)
        self.fit(args)

    def fit(self, args, steps=30):
        self.scale.requires_grad_(True)
        optimiser = torch.optim.Adam([self.scale], lr=0.08)
        for _, ix in zip(range(steps), self.rows.batches(args)):
            taught = Taught(self, ix, data.Plan(self.rows.kinds[ix]))
            wrong = losses.same_row(ix) | taught.same
            pairs = zip(taught.scores(), blocks(wrong, taught.late))
            loss = mean(losses.contrastive(*pair) for pair in pairs)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        self.scale = self.scale.detach()
        log("weights of the tuned teachers and the others", [round(x, 1) for x in self.scale.exp().tolist()], f"pairs {loss.item():.3f}")


class Taught:
    """What the teachers make of a batch."""

    @torch.no_grad()
    def __init__(self, teachers, ix, plan):
        views, plain = teachers.rows.views, torch.zeros(HEADS, device=ix.device)
        texts = {name: views[name].begun(ix, plan, spoil=False) for name in teachers.tuned}
        self.same = losses.same_query(texts["bert"][0])
        heads = {name: Heads(model, texts[name], plain, teachers.parts) for name, model in teachers.tuned.items()}
        others = [other.vectors(ix, plan) for other in teachers.others]
        # Only transformers are followed in their vectors.
        followed = zip((heads["bert"].query, heads["bert"].unit), *others)
        self.query, self.unit = (F.normalize(torch.cat(side, 1), dim=1) for side in followed)
        self.late = [sum(parts) for parts in zip(*(found.late for found in heads.values()))]
        tuned = VECTOR_SHARE * sum(found.vector for found in heads.values())
        self.vectors = [tuned.float()] + [(query @ unit.T).float() for query, unit in others]
        self.teachers = teachers

    def vector(self):
        return sum(vector * weight for vector, weight in zip(self.vectors, self.teachers.scale.exp()))

    def scores(self):
        weight = self.teachers.scale[0].exp()
        return [vector + weight * late for vector, late in zip(blocks(self.vector(), self.late), self.late)]


class Fit:
    """One run: the model, its optimiser, and the clock."""

    def __init__(self, args, rows, model, teacher=None):
        self.args, self.rows, self.model, self.teacher = args, rows, model, teacher
        self.scale = temperatures(rows.device)
        self.up = self.new_up() if teacher else None
        slow = [p for name, p in model.named_parameters() if name.startswith("bert.")]
        fast = [p for name, p in model.named_parameters() if not name.startswith("bert.")]
        fast += list(self.up.parameters()) if self.up else []
        # Temperatures are found at once, so that the weights need not move for them: a model that
        # goes on from another would else find everything less alike than before.
        groups = [dict(params=fast, rate=args.rate), dict(params=[self.scale], rate=0.02, weight_decay=0.0)]
        groups += [dict(params=slow, rate=args.slow_rate)] if slow else []
        fused = rows.device.type == "cuda"
        self.optimiser = torch.optim.AdamW(groups, lr=args.rate, betas=(0.9, 0.98),
                                           weight_decay=0.01, fused=fused)
        self.steps = 0
        self.view = rows.view

    def new_up(self):
        return torch.nn.Linear(self.model.vector.shape[1], 384 * (1 + len(self.args.also)), bias=False).to(self.rows.device)

    def loss(self, ix):
        rows, args = self.rows, self.args
        plan = data.Plan(rows.kinds[ix])
        texts = self.view.begun(ix, plan, spoil=True)
        wrong = losses.same_query(texts[0]) | losses.same_row(ix)
        if rows.others and args.others:
            beside = rows.beside(ix, plan, args.others, args.late_parts)
            _, *more = self.view.begun(beside, data.Unasked(rows.kinds[beside]), spoil=True)
            texts = [texts[0]] + [torch.cat(pair) for pair in zip(texts[1:], more)]
        heads = Heads(self.model, texts, self.scale, args.late_parts, coarse=args.coarse)
        loss = own_loss(heads, wrong)
        self.said = f"pairs {loss.item():.3f}" if self.steps % 100 == 0 else None
        if self.teacher:
            taught = Taught(self.teacher, ix, plan)
            # What the teachers find better than the answer is likely an answer too.
            vector = taught.vector()
            better = vector > vector.diagonal()[:, None] + 2.0
            # Not so for questions, which were written to have one answer.
            better &= (plan.kind < data.PARAPHRASE)[:, None]
            follow, near = distil_loss(heads, taught, self.up)
            loss = args.pairs * own_loss(heads, wrong | better) + args.follow * follow + args.near * near
            self.said = self.said and f"{self.said} near {near.item():.3f}"
        return loss

    @torch.no_grad()
    def fit_up(self, batches=4):
        """The best map to the teachers' vectors: a run that goes on from another would otherwise
        unlearn what it knows while it finds one."""
        ours, theirs = [], []
        for _, ix in zip(range(batches), self.rows.batches(self.args)):
            plan = data.Plan(self.rows.kinds[ix])
            heads = Heads(self.model, self.view.begun(ix, plan, spoil=False), self.scale, self.args.late_parts)
            taught = Taught(self.teacher, ix, plan)
            ours += [heads.query.float(), heads.unit.float()]
            theirs += [taught.query.float(), taught.unit.float()]
        best = torch.linalg.lstsq(torch.cat(ours), torch.cat(theirs)).solution
        self.up.weight.copy_(best.T)

    @torch.no_grad()
    def fit_scale(self, batches=4):
        """The temperatures that fit the pairs best: a model file does not keep those it had."""
        plain = torch.zeros(HEADS, device=self.rows.device)
        seen = []
        for _, ix in zip(range(batches), self.rows.batches(self.args)):
            texts = self.view.begun(ix, data.Plan(self.rows.kinds[ix]), spoil=True)
            heads = Heads(self.model, texts, plain, self.args.late_parts)
            seen.append((heads, losses.same_query(texts[0]) | losses.same_row(ix)))

        def loss(head, scale):
            score = lambda heads: ([heads.vector], heads.late, heads.both)[head]
            return mean(losses.contrastive(part * scale, hidden)
                        for heads, wrong in seen for part, hidden in zip(score(heads), blocks(wrong, score(heads))))

        for head in range(HEADS):
            best = min((loss(head, scale).item(), scale) for scale in range(5, 151, 5))[1]
            self.scale[head] = math.log(best)

    def rate(self, part):
        warm = min(1.0, (self.steps + 1) / 150)
        return warm * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(1.0, part))))

    def run(self, keep):
        """Trains until the time is up; `keep` saves what there is, every so often."""
        begun = kept = time.time()
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
            if time.time() - kept > self.args.keep:
                keep()
                kept = time.time()


@torch.no_grad()
def evaluate(model, rows, most_queries=100):
    """NDCG@10 over held-back repositories, by what asks and by head: one unit is right."""
    view = rows.held_view
    found = {}
    for number, repository in enumerate(np.unique(rows.held_repositories)):
        of = np.flatnonzero(rows.held_repositories == repository)
        ix = torch.from_numpy(of).to(rows.device)
        asked = int((of < rows.held_first).sum())
        if asked < 50:
            continue
        for kind, label in KIND_NAMES.items():
            question = kind >= data.PARAPHRASE
            # Questions are asked among all units of a repository, the rest among those that are
            # asked for. There are few questions; of the rest every second repository will do.
            among = ix if question else ix[:asked]
            kinds = view.kinds[among]
            has = (kinds[:asked] == kind).any(1).nonzero().squeeze(1)[:most_queries]
            if len(has) < 10 or (number % 2 and not question):
                continue
            slot = (kinds == kind).int().argmax(1)
            plan = data.Plan(kinds, torch.where((kinds == kind).any(1), slot, 0))
            plan.keep_doc = torch.ones_like(plan.keep_doc) & (kind != data.DOC)
            plan.hide_name = torch.zeros_like(plan.hide_name)
            plan.opening = torch.zeros_like(plan.opening)
            query, body, path = view.begun(among, plan, spoil=False)
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
    packed = pack(state) | {"config.json": np.str_(json.dumps(config))}
    if scale is not None:
        packed["scale"] = scale.detach().cpu().numpy()
    part, size, number = {}, 0, 0
    for name, value in packed.items():
        if size + value.nbytes > limit and part:
            np.savez(f"{path}-{number}.npz", **part)
            part, size, number = {}, 0, number + 1
        part[name] = value
        size += value.nbytes
    np.savez(f"{path}-{number}.npz", **part)


def frozen(model, device):
    model = model.to(device).bfloat16().eval()
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    return model


def load_run(path, device):
    """A tuned encoder to learn from."""
    config, _, weights = runs.read(path)
    if not weights:
        raise SystemExit(f"there is no {path}-0.npz")
    return frozen(runs.model(config, weights), device)


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


def vocabularies(args):
    """Those that the model and its teachers read, the model's first."""
    asked = [args.kind == "small" and "own", (args.kind == "deep" or args.distil) and "bert", args.earlier and "own"]
    return list(dict.fromkeys(filter(None, asked)))


def take_turn(path):
    """Waits until no other run has the device that goes by this file."""
    if path is None:
        return None
    turn = open(path, "w")
    fcntl.flock(turn, fcntl.LOCK_EX)
    return turn


def main():
    parser = argparse.ArgumentParser(description="Trains an encoder")
    parser.add_argument("kind", choices=["deep", "small"])
    parser.add_argument("--pack", required=True)
    parser.add_argument("--teachers", required=True)
    parser.add_argument("--base", default="gte-small", help="the pretrained transformer")
    parser.add_argument("--distil", help="a tuned transformer, as saved, without -0.npz")
    parser.add_argument("--also", action="append", default=[], help="a pretrained transformer that teaches beside it")
    parser.add_argument("--earlier", help="a small encoder that teaches beside it, as saved, without -0.npz")
    parser.add_argument("--out", required=True)
    parser.add_argument("--name", default=None)
    parser.add_argument("--seconds", type=float, default=480)
    parser.add_argument("--steps", type=int, default=-1)
    parser.add_argument("--keep", type=float, default=60, help="seconds after which weights are saved, again and again")
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--group", type=int, default=64)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--slow-rate", type=float, default=1e-4)
    parser.add_argument("--pairs", type=float, default=0.5, help="weight of the pairs beside a teacher")
    parser.add_argument("--follow", type=float, default=1, help="weight of the distance to the teachers' scores")
    parser.add_argument("--near", type=float, default=4, help="weight of the distance to the teacher's vectors")
    parser.add_argument("--questions", type=int, default=8, help="how often a row with questions is taken")
    parser.add_argument("--others", type=int, default=512, help="units in a batch that nothing asks for")
    parser.add_argument("--mined", help="wrong answers that are hard to tell, as mine.py writes them")
    parser.add_argument("--turn", help="a file: runs that name the same one read their rows at once and train in turn")
    parser.add_argument("--late-parts", type=int, default=1, help="parts of a batch with late scores of their own")
    parser.add_argument("--coarse", action="store_true", help="tokens of units as an index keeps them")
    parser.add_argument("--start", help="a run of the same shape to go on from, as saved, without -0.npz")
    parser.add_argument("--shape", default="{}", help="sizes of the small encoder, as JSON")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=int, default=0, help="only so many rows, to try things")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_float32_matmul_precision("high")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    rows = Rows(args, device, vocabularies(args))
    turn = take_turn(args.turn)  # noqa: F841, held until the end
    rows.mined = data.Mined(args.mined) if args.mined else None
    teacher = Teachers(args, rows) if args.distil else None
    if args.kind == "deep":
        model, config = Deep(Bert(load(f"{args.teachers}/{args.base}.npz"))).to(device), dict(base=args.base)
    else:
        model, config = make_small(args, rows)
    fit = Fit(args, rows, model, teacher)
    if args.start:
        _, scale, weights = runs.read(args.start)
        model.load_state_dict(runs.shaped(weights, model))
        if scale is None or len(scale) != HEADS:
            fit.fit_scale()
        else:
            fit.scale.data.copy_(torch.from_numpy(scale))
        if teacher:
            fit.fit_up()
    name = args.name or args.kind
    os.makedirs(args.out, exist_ok=True)
    keep = lambda: save(model, fit.scale, config, f"{args.out}/{name}")
    fit.run(keep)
    keep()
    scores = evaluate(model, rows)
    log("steps", fit.steps, scores)
    with open(f"{args.out}/runs.jsonl", "a") as out:
        settings = {key: value for key, value in vars(args).items() if key not in ("pack", "out")}
        done = dict(name=name, rows=len(rows.train), steps=fit.steps, scores=scores)
        out.write(json.dumps(settings | done) + "\n")


if __name__ == "__main__":
    main()
