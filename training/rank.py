"""Fits the weights of ranking to questions with known answers.

    python3 rank.py suites ranking.tsv.xz --data DATA --out SUITES
    scent-eval candidates SUITE... --corpora DIR --cache DIR --out rows.jsonl
    python3 rank.py fit rows.jsonl [--pull 0.02] [--folds 5]
    python3 rank.py score rows.jsonl
    python3 rank.py ablate rows.jsonl
    python3 rank.py sure rows.jsonl [--check other.jsonl]

A line of `rows.jsonl` is a question with its candidates and what every lane and signal says of
each. A score is the weighed sum of that; each further unit of a file keeps a share of it. Weights
begin as crates/search/data/weights.toml has them (`--weights`) and are moved one at a time towards
what is measured in the end: NDCG@10 of files and of lines, each repository and each suite counting
the same. A move has to gain `--pull` times its length. Words, names, and what only documentation
may answer are fitted apart.
"""
import argparse
import json
import lzma
import os
import pathlib
import subprocess
import sys
import tomllib

try:
    import numpy as np
except ImportError:  # laying out suites needs nothing
    np = None

LANES = ["text", "symbol", "late"]
SIGNALS = ["name", "container", "file", "whole_file", "folder", "length", "coherence",
           "importance", "file_importance"]
SORTS = "test example benchmark fixture compat generated vendored barrel stub docs".split()
# Kinds that count the same: there is not enough of each to tell them apart.
GROUPS = {
    "function": ["function", "macro"],
    "method": ["method"],
    "class": ["class", "struct", "trait", "interface", "enum"],
    "type": ["type"],
    "impl": ["impl"],
    "constant": ["constant"],
    "module": ["module"],
    "section": ["section", "text"],
    "config": ["config", "rule", "table"],
    "code": ["code"],
}
GROUP_OF = {kind: group for group, kinds in GROUPS.items() for kind in kinds}
FEATURES = LANES + SIGNALS + [f"kind.{g}" for g in GROUPS] + [f"sort.{s}" for s in SORTS]
AT = {name: at for at, name in enumerate(FEATURES)}
# What may only speak for a candidate, and what only against it.
ABOVE = set(LANES + SIGNALS)
BELOW = {f"sort.{s}" for s in SORTS}
# Functions are what other kinds are measured against.
FIXED = {"kind.function"}
SHAPES = ("words", "names", "docs")
MOST_TARGETS = 6
# What a cosine is against the best where it stops counting: fusion.floor.
FLOOR = 0.6
GAIN = 1 / np.log2(np.arange(2, 12)) if np else None


def same(a, b):
    return a == b or a.endswith("/" + b) or b.endswith("/" + a)


def is_name(query):
    """As the program tells it: a single word."""
    return len(query.split()) == 1


class Rows:
    """Questions with their candidates as arrays."""

    def __init__(self, questions, depth=200):
        count = len(questions)
        self.values = np.zeros((count, depth, len(FEATURES)), np.float32)
        self.file = np.full((count, depth), -1)
        self.there = np.zeros((count, depth), bool)
        self.in_file = np.zeros((count, depth, MOST_TARGETS), bool)
        self.in_lines = np.zeros((count, depth, MOST_TARGETS), bool)
        self.ideal = np.zeros(count)
        # What the vector lane gives; the late lane counts in its place.
        self.vector = np.zeros((count, depth), np.float32)
        for at, question in enumerate(questions):
            self.read(at, question, depth)
        self.same_file = self.file[:, :, None] == self.file[:, None, :]
        self.corpus = np.array([q["corpus"] for q in questions])
        self.suite = np.array([q["suite"] for q in questions])
        self.category = np.array([q["category"] for q in questions])

    def read(self, at, question, depth):
        targets = question["targets"][:MOST_TARGETS]
        self.ideal[at] = GAIN[:min(10, len(question["targets"]))].sum()
        numbers = {}
        cosines = [unit.get("vector") or 0 for unit in question["units"][:depth]]
        shares = np.array(cosines) / max(cosines + [1e-6])
        self.vector[at, :len(shares)] = np.maximum(0, (shares - FLOOR) / (1 - FLOOR))
        for nth, unit in enumerate(question["units"][:depth]):
            self.there[at, nth] = True
            self.file[at, nth] = numbers.setdefault(unit["path"], len(numbers))
            self.values[at, nth] = features(unit)
            for which, target in enumerate(targets):
                if same(unit["path"], target["path"]):
                    self.in_file[at, nth, which] = True
                    lines = target["lines"]
                    hit = not lines or (unit["lines"][0] <= lines[1] and lines[0] <= unit["lines"][1])
                    self.in_lines[at, nth, which] = hit

    def scores(self, weights, decay):
        """Each further unit of a file keeps a share of its score."""
        scores = np.where(self.there, self.values @ weights, -1e9)
        before = ((scores[:, None, :] > scores[:, :, None]) & self.same_file).sum(2)
        return np.where(scores > 0, scores * decay ** before, scores)

    def measure(self, weights, decay):
        """NDCG@10 of every question: of files, of lines."""
        scores = self.scores(weights, decay)
        top = np.argsort(-scores, 1, kind="stable")[:, :10]
        row = np.arange(len(scores))[:, None]
        there = self.there[row, top][:, :, None]
        lines = self.gain(self.in_lines[row, top] & there, None)
        files = self.gain(self.in_file[row, top] & there, self.file[row, top])
        return files, lines

    def gain(self, found, files):
        """`files`: results are reduced to distinct files first."""
        ranks = np.tile(np.arange(10), (len(found), 1))
        if files is not None:
            first = np.ones_like(files, bool)
            for at in range(1, files.shape[1]):
                first[:, at] = ~(files[:, :at] == files[:, at:at + 1]).any(1)
            ranks = np.cumsum(first, 1) - 1
        reached = np.zeros((len(found), 10))
        for which in range(MOST_TARGETS):
            some = np.flatnonzero(found[:, :, which].any(1))
            reached[some, ranks[some, found[some, :, which].argmax(1)]] = 1
        return (reached * GAIN).sum(1) / self.ideal


def features(unit):
    values = np.zeros(len(FEATURES), np.float32)
    for name, amount, why in unit["parts"]:
        if name == "kind":
            values[AT["kind." + GROUP_OF[unit["kind"]]]] = 1
        elif name == "sort":
            for sort in why.split(": ", 1)[1].split(", "):
                values[AT["sort." + sort]] = 1
        elif name in AT:
            values[AT[name]] = amount
    return values


def mean_by(keys, values):
    return np.mean([values[keys == key].mean() for key in np.unique(keys)])


def goal(rows, weights, decay, mask=None):
    """Each suite and each repository in it counts the same."""
    files, lines = rows.measure(weights, decay)
    both = (files + lines) / 2
    mask = np.ones(len(both), bool) if mask is None else mask
    suites = np.unique(rows.suite[mask])
    parts = []
    for suite in suites:
        chosen = mask & (rows.suite == suite)
        parts.append(mean_by(rows.corpus[chosen], both[chosen]))
    return np.mean(parts)


def allowed(name, value):
    return not (name in ABOVE and value < 0 or name in BELOW and value > 0)


def ascend(rows, start, decay, pull, mask=None, rounds=8, log=None):
    """One weight at a time, up or down as long as that helps."""
    def value(weights, decay):
        return goal(rows, weights, decay, mask) - pull * np.abs(weights - start).sum()
    weights = start
    best = value(weights, decay)
    steps = {name: 0.16 for name in FEATURES if name not in FIXED}
    steps["per_file_decay"] = 0.04
    for round_ in range(rounds):
        before = best
        for name in list(steps):
            for sign in (1, -1):
                moved = False
                while True:
                    tried, other = weights.copy(), decay
                    if name == "per_file_decay":
                        other = min(1.0, max(0.3, decay + sign * steps[name]))
                    else:
                        tried[AT[name]] += sign * steps[name]
                        if not allowed(name, tried[AT[name]]):
                            tried[AT[name]] = 0
                    reached = value(tried, other)
                    if reached <= best + 1e-5:
                        break
                    weights, decay, best, moved = tried, other, reached, True
                if moved:
                    break
            else:
                steps[name] /= 2
        if log:
            print(f"{log} round {round_ + 1}: {best:.4f}", file=sys.stderr)
        if best - before < 1e-4 and max(steps.values()) < 0.05:
            break
    return weights, decay


def read(path, shape):
    with open(path) as lines:
        rows = [json.loads(line) for line in lines]
    if shape == "docs":
        rows = [only_prose(row) for row in rows if row["category"].startswith("docs")]
    else:
        rows = [row for row in rows if is_name(row["query"]) == (shape == "names")]
    rows = Rows([row for row in rows if row["units"]])
    if shape == "names":
        # These never go to the late lane.
        rows.values[:, :, AT["late"]] = rows.vector
    return rows


def only_prose(row):
    """The question as it is where only documentation may answer."""
    return row | {"units": [unit for unit in row["units"] if unit["kind"] in GROUPS["section"]]}


def read_weights(path, shape):
    """The weights of a shape, as the program has them."""
    with open(path, "rb") as file:
        all_ = tomllib.load(file)
    lanes = all_["fusion"]["lanes"]
    signals = all_["signals"]
    if own := all_.get(shape):
        lanes = {lane: value * own["lanes"][lane] for lane, value in lanes.items()}
        inner = {part: signals[part] | own["signals"].get(part, {}) for part in ("kinds", "categories")}
        signals = signals | own["signals"] | inner
    weights = np.zeros(len(FEATURES))
    for name in LANES:
        weights[AT[name]] = lanes["vector" if name == "late" and shape == "names" else name]
    for name in SIGNALS:
        weights[AT[name]] = signals[name]
    for kind, value in signals["kinds"].items():
        weights[AT["kind." + GROUP_OF[kind]]] = value
    for sort, value in signals["categories"].items():
        weights[AT["sort." + sort]] = value
    return weights, signals["per_file_decay"]


def moved(before, after):
    """What changed, as words."""
    names = [*FEATURES, "per_file_decay"]
    return [f"{name}: {old:.2f} -> {new:.2f}"
            for name, old, new in zip(names, [*before[0], before[1]], [*after[0], after[1]])
            if abs(old - new) > 0.005]


def summary(rows, weights, decay):
    files, lines = rows.measure(weights, decay)
    for suite in np.unique(rows.suite):
        here = rows.suite == suite
        cells = [f"{mean_by(rows.corpus[here], files[here]):.4f} / {mean_by(rows.corpus[here], lines[here]):.4f}"]
        for category in np.unique(rows.category[here]):
            chosen = here & (rows.category == category)
            cells.append(f"{category} {mean_by(rows.corpus[chosen], files[chosen]):.3f} / "
                         f"{mean_by(rows.corpus[chosen], lines[chosen]):.3f}")
        print(f"{suite:10} {'   '.join(cells)}")


def folds(rows, number):
    corpora = np.unique(rows.corpus)
    return [np.isin(rows.corpus, corpora[nth::number]) for nth in range(number)]


def fit(args):
    for shape in SHAPES:
        rows = read(args.rows, shape)
        start = read_weights(args.weights, shape)
        held = []
        for nth, out in enumerate(folds(rows, args.folds)):
            found = ascend(rows, *start, args.pull, mask=~out)
            held.append((goal(rows, *found, out), goal(rows, *start, out)))
            print(f"{shape} fold {nth + 1}: held back {held[-1][0]:.4f}, before {held[-1][1]:.4f}")
        if held:
            after, before = np.mean(held, 0)
            print(f"{shape}: held back {after:.4f}, before {before:.4f}")
        found = ascend(rows, *start, args.pull, log=shape)
        print("\n".join([f"{shape}:"] + moved(start, found)))
        summary(rows, *found)


def score(args):
    for shape in SHAPES:
        print(shape)
        summary(read(args.rows, shape), *read_weights(args.weights, shape))


def ablate(args):
    """What is lost without each part, with 95% intervals over repositories."""
    rng = np.random.default_rng(1)
    for shape in SHAPES:
        rows = read(args.rows, shape)
        weights, decay = read_weights(args.weights, shape)
        whole = sum(rows.measure(weights, decay)) / 2
        print(f"\n{shape}: {goal(rows, weights, decay):.4f}\n\n| without | loses | 95% interval |\n| --- | --- | --- |")
        parts = {"per_file_decay": None}
        parts |= {name: [name] for name in LANES + SIGNALS if weights[AT[name]]}
        parts["kinds"] = [f"kind.{group}" for group in GROUPS]
        parts |= {f"sort {sort}": [f"sort.{sort}"] for sort in SORTS if weights[AT[f"sort.{sort}"]]}
        for name, gone in parts.items():
            less = weights.copy()
            less[[AT[one] for one in gone or []]] = 0
            loss = whole - sum(rows.measure(less, 1.0 if gone is None else decay)) / 2
            means = np.array([loss[(rows.corpus == c)].mean() for c in np.unique(rows.corpus)])
            drawn = rng.choice(means, (2000, len(means))).mean(1)
            low, high = np.percentile(drawn, [2.5, 97.5])
            print(f"| {name} | {means.mean():+.4f} | {low:+.4f} to {high:+.4f} |")


def seen_of(rows, weights, decay):
    """What can be seen of each ranking, and whether its first is in the right file."""
    scores = rows.scores(weights, decay)
    row, first = np.arange(len(scores)), scores.argmax(1)
    here = rows.same_file[row, first]
    top, other = scores[row, first], np.where(here, -1e9, scores).max(1)
    best = lambda lane: (rows.values[:, :, AT[lane]] * here).max(1)
    agree = (best("text") > 0) & (best("text") >= rows.values[:, :, AT["text"]].max(1) - 1e-6)
    seen = [np.ones(len(scores)), np.clip((top - other) / np.maximum(top, 0.1), 0, 1),
            rows.values[row, first, AT["text"]], best("late"), agree, best("symbol")]
    return np.stack(seen, 1), rows.in_file[row, first].any(1)


def before_late(rows, weights):
    """The same questions as they look before the late lane is asked, to the lanes alone."""
    rows.values[:, :, AT["late"]] = rows.vector
    weights[[at for name, at in AT.items() if name not in LANES]] = 0
    return rows, weights, 1.0


def logistic(seen, right):
    weights = np.zeros(seen.shape[1])
    for _ in range(3000):
        said = 1 / (1 + np.exp(-seen @ weights))
        weights -= 0.5 * (seen.T @ (said - right) / len(right) + 1e-3 * weights)
    return weights


def sure(args):
    """Fits how sure a ranking is, and shows how often that is right."""
    for what in ("words", "names", "words, before late"):
        def seen_in(path):
            rows = read(path, what.split(",")[0])
            weights, decay = read_weights(args.weights, what.split(",")[0])
            if what.endswith("late"):
                return seen_of(*before_late(rows, weights))
            return seen_of(rows, weights, decay)
        seen, right = seen_in(args.rows)
        weights = logistic(seen, right)
        names = ["base", "gap", "text", "semantic", "agree", "symbol"]
        print(what, " ".join(f"{name} = {weight:.2f}" for name, weight in zip(names, weights)))
        if args.check:
            seen, right = seen_in(args.check)
        said = 1 / (1 + np.exp(-seen @ weights))
        for low, high in [(0, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.85), (0.85, 0.9), (0.9, 1.01)]:
            some = (said >= low) & (said < high)
            if some.any():
                print(f"  {low}-{high}: {some.sum()} questions, said {said[some].mean():.2f}, "
                      f"right {right[some].mean():.2f}")


def place_of(text):
    """`src/a.c:3-9`, or a whole file."""
    path, _, lines = text.rpartition(":")
    first, _, last = lines.partition("-")
    if not (path and first.isdigit() and last.isdigit()):
        return text
    return {"path": path, "start_line": int(first), "end_line": int(last)}


def suites_of(lines):
    """The questions by suite and source."""
    found = {}
    for line in lines:
        suite, source, category, query, relevant, secondary = line.rstrip("\n").split("\t")
        places = lambda text: [place_of(one) for one in text.split("|") if one]
        question = {"query": query, "category": category,
                    "relevant": places(relevant), "secondary": places(secondary)}
        found.setdefault(suite, {}).setdefault(source, []).append(question)
    return found


def lay_out(data, source, file, folder):
    """The files of a source: all of a repository, else what was collected of an archive."""
    if folder.exists():
        return
    tree = pathlib.Path(data, *file.split("/")[:3])
    registry, _, name = source.partition(":")
    git = pathlib.Path(data, "git", name.replace("/", "+"))
    folder.parent.mkdir(parents=True, exist_ok=True)
    if registry == "github" and git.exists():
        folder.mkdir()
        commit = tree.name.rpartition("@")[2]
        archive = subprocess.Popen(["git", f"--git-dir={git}", "archive", commit], stdout=subprocess.PIPE)
        done = subprocess.run(["tar", "-x", "-C", folder], stdin=archive.stdout)
        if done.returncode == 0 and archive.wait() == 0:
            return
        subprocess.run(["rm", "-rf", folder], check=True)
    os.symlink(tree.resolve(), folder)


def suites(args):
    """Lays the questions out as suites, and their repositories beside them."""
    with lzma.open(args.rows, "rt") as lines:
        found = suites_of(lines)
    first = {}
    with open(pathlib.Path(args.data, "collected.jsonl")) as lines:
        for line in lines:
            row = json.loads(line)
            first.setdefault(row["source"], row["file"])
    out = pathlib.Path(args.out)
    for suite, sources in found.items():
        (out / suite).mkdir(parents=True, exist_ok=True)
        repositories = []
        for source, questions in sources.items():
            name = source.partition(":")[2].rpartition("/")[2]
            if source not in first:
                print(f"{source}: not collected, {len(questions)} questions left out", file=sys.stderr)
                continue
            lay_out(args.data, source, first[source], out / "corpora" / name)
            (out / suite / f"{name}.json").write_text(json.dumps(questions, indent=1))
            repositories.append({"name": name, "language": "", "url": "", "revision": "",
                                 "benchmark_root": None})
        (out / suite / "repos.json").write_text(json.dumps(repositories, indent=1))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(required=True)
    lay = commands.add_parser("suites")
    lay.add_argument("rows")
    lay.add_argument("--data", required=True)
    lay.add_argument("--out", required=True)
    lay.set_defaults(run=suites)
    shipped = pathlib.Path(__file__).parent.parent / "crates/search/data/weights.toml"
    for name, run in (("fit", fit), ("score", score), ("ablate", ablate), ("sure", sure)):
        command = commands.add_parser(name)
        command.add_argument("rows")
        command.add_argument("--weights", default=shipped)
        command.set_defaults(run=run)
        if name == "fit":
            command.add_argument("--pull", type=float, default=0.02)
            command.add_argument("--folds", type=int, default=0)
        if name == "sure":
            command.add_argument("--check")
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
