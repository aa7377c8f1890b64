"""Draws tasks, by a seed, from what a front end says of a repository.

A front end (a script in `fronts/`) writes facts as JSON lines; this script
draws definitions, members, reference sets, imports and call paths from them
and writes one task a line. README.md says what each field is.
"""

import argparse
import bisect
import collections
import json
import random
import re
import subprocess
import sys

FUNCTIONS = {"function", "method"}
MEMBERS = {"field", "variant", "constant", "property"}
DEFINED = FUNCTIONS | {"type"}
MOST_PLACES = 60


class Facts:
    """What a front end says, indexed."""

    def __init__(self, path):
        self.files = {}
        self.defs = {}
        self.refs = collections.defaultdict(list)
        self.soft = collections.defaultdict(list)
        self.unknown = collections.defaultdict(set)
        self.imports = []
        self.family = {}
        with open(path, encoding="utf-8") as facts:
            for line in facts:
                self.add(json.loads(line))
        self.by_name = collections.defaultdict(list)
        for one in self.defs.values():
            self.by_name[one["name"]].append(one)

    def add(self, fact):
        what = fact["t"]
        if what == "file":
            self.files[fact["path"]] = fact.get("blind", [])
        elif what == "def":
            self.defs[fact["id"]] = fact
        elif what == "ref":
            self.refs[fact["to"]].append(fact)
        elif what == "soft":
            self.soft[fact["to"]].append(fact)
        elif what == "unknown":
            self.unknown[(fact["path"], fact["line"])].add(fact["name"])
        elif what == "import":
            self.imports.append(fact)
        elif what == "same":
            self.join(fact["ids"])
        else:
            raise ValueError(what)

    def join(self, ids):
        """Definitions that override each other are one family."""
        whole = set()
        for one in ids:
            whole |= self.family.get(one, {one})
        for one in whole:
            self.family[one] = whole

    def others(self, ident):
        """The rest of a family, and what is overloaded beside it."""
        one = self.defs[ident]
        found = {i for i in self.family.get(ident, ()) if i in self.defs}
        return found | {d["id"] for d in self.by_name[one["name"]] if is_beside(d, one)} - {ident}

    def is_blind(self, path, line):
        ranges = self.files.get(path)
        return ranges is None or any(a <= line <= b for a, b in ranges)


class Words:
    """Where each name stands as a whole word, in the files of the language."""

    def __init__(self, root, extensions, names):
        listed = subprocess.run(
            ["git", "-C", root, "ls-files", "-z"], check=True, capture_output=True
        ).stdout.decode()
        self.paths = [p for p in listed.split("\0") if p.endswith(tuple(extensions))]
        self.lines = {}
        self.places = collections.defaultdict(list)
        word = re.compile(r"[^\W]+[?!']*|\$\w+")
        for path in self.paths:
            try:
                with open(f"{root}/{path}", encoding="utf-8", errors="replace") as file:
                    lines = file.read().split("\n")
            except OSError:
                continue
            self.lines[path] = lines
            for number, line in enumerate(lines, 1):
                seen = set()
                for found in word.findall(line):
                    seen.update((found, found.rstrip("?!'"), found.lstrip("$")))
                for name in seen & names:
                    self.places[name].append((path, number))

    def holds(self, name, path, line):
        lines = self.lines.get(path, ())
        return line <= len(lines) and name in lines[line - 1]


def is_beside(one, other):
    """Whether two definitions of a name are overloads, or a type and how it is made."""
    if one["path"] != other["path"] or one.get("local") and one["kind"] != "constructor":
        return False
    beside = one.get("owner") == other.get("owner") and one["kind"] == other["kind"]
    return beside or "constructor" in (one["kind"], other["kind"])


def place(one):
    return (one["path"], one["line"])


def tell(places):
    return [f"{path}:{line}" for path, line in sorted(places)]


class Drawer:
    def __init__(self, args):
        self.args = args
        self.facts = Facts(args.facts)
        names = set(self.facts.by_name)
        self.words = Words(args.repo, args.extensions.split(","), names)
        self.random = random.Random(args.seed)
        self.tasks = []
        self.left_out = collections.Counter()

    def shuffled(self, items, key):
        items = sorted(items, key=key)
        self.random.shuffle(items)
        return items

    def add(self, task, **fields):
        number = 1 + sum(1 for t in self.tasks if t["task"] == task)
        ident = f"{self.args.name}-{task}-{number:03}"
        self.tasks.append({"id": ident, "task": task, **fields})

    def either(self, name, more=()):
        """Places that speak neither for nor against: what the front end read
        and did not understand. None where that is too much to be useful."""
        single = set(more)
        for path, line in self.words.places[name]:
            if path not in self.facts.files:
                continue
            if self.facts.is_blind(path, line) or name in self.facts.unknown[(path, line)]:
                single.add((path, line))
        return None if len(single) > 2 * MOST_PLACES else tell(single)

    def add_definition(self, task, asked, one, expected, either):
        """A question for a name, written as its language writes it."""
        places = self.words.places[one["name"]]
        blind = {p for p in places if p[0] in self.facts.files and self.facts.is_blind(*p)}
        either = tell((either | blind) - expected)
        self.add(task, name=asked, kind=one["kind"], expected=tell(expected), either=either)
        return True

    def inside(self, one):
        """The name with its owner, and all definitions that it means."""
        owner, name = one["owner"], one["name"]
        same = [d for d in self.facts.by_name[name] if d.get("owner") == owner]
        expected = {place(d) for d in same if not d.get("local") and not d.get("extra")}
        rest = {place(d) for d in same} - expected
        # A name that is written with its owner may also mean nested owners.
        for d in self.facts.by_name[name]:
            if d["kind"] == "unread":
                rest.add(place(d))
            if d.get("owner", "").split(".")[-1] == owner.split(".")[-1] and d not in same:
                rest.add(place(d))
        return f"{owner.split('.')[-1]}{self.args.separator}{name}", expected, rest

    def definitions(self, most):
        plain, methods = set(), []
        for d in self.facts.defs.values():
            if d.get("local") or d.get("extra"):
                continue
            if d["kind"] in {"function", "type"}:
                plain.add(d["name"])
            elif d["kind"] == "method" and d.get("owner"):
                methods.append(d)
        done, asked = 0, set()
        for name in self.shuffled(plain, str):
            if done >= most // 2 and len(methods) >= most // 2 or done >= most:
                break
            same = self.facts.by_name[name]
            real = [d for d in same if d["kind"] in DEFINED and not d.get("local") and not d.get("extra")]
            rest = {place(d) for d in same if d not in real}
            expected = {place(d) for d in real}
            if len(expected) <= MOST_PLACES:
                done += self.add_definition("definition", name, real[0], expected, rest)
        for one in self.shuffled(methods, place):
            if done >= most:
                break
            question, expected, rest = self.inside(one)
            if question not in asked:
                asked.add(question)
                done += self.add_definition("definition", question, one, expected, rest)

    def members(self, most):
        asked, done = set(), 0
        members = [
            d
            for d in self.facts.defs.values()
            if d["kind"] in MEMBERS and not d.get("local") and not d.get("extra")
        ]
        for one in self.shuffled(members, lambda d: (place(d), d["name"])):
            if done >= most:
                break
            if one.get("owner"):
                question, expected, rest = self.inside(one)
            else:
                question = one["name"]
                same = self.facts.by_name[question]
                real = [d for d in same if not d.get("local") and not d.get("extra")]
                expected = {place(d) for d in real}
                rest = {place(d) for d in same} - expected
            if question not in asked and len(expected) <= MOST_PLACES:
                asked.add(question)
                done += self.add_definition("member", question, one, expected, rest)

    def group(self, one):
        """`unique`: no other definition has the name; `shared`: another one
        of no common ancestor has; neither otherwise."""
        same = [d for d in self.facts.by_name[one["name"]] if d["id"] != one["id"]]
        same = [d for d in same if not d.get("extra") and not is_beside(d, one)]
        family = self.facts.family.get(one["id"], {one["id"]})
        if not same:
            return "unique"
        strangers = [d for d in same if d["id"] not in family and not d.get("local")]
        return "shared" if strangers and one["kind"] in DEFINED | MEMBERS else None

    def references(self, most):
        groups = {"unique": [], "shared": [], "shared field": []}
        for one in self.facts.defs.values():
            if one.get("local") or one.get("extra") or one["id"] not in self.facts.refs:
                continue
            group = self.group(one)
            if group == "unique" or group == "shared" and one["kind"] == "method":
                groups[group].append(one)
            elif group == "shared" and one["kind"] == "field":
                groups["shared field"].append(one)
        done = 0
        for group, ones in groups.items():
            # Fields stand in where there are too few methods, as in C.
            until = most // 2 if group == "unique" else most
            for one in self.shuffled(ones, lambda d: (place(d), d["name"], d["id"])):
                if done >= until:
                    break
                done += self.add_references(one, group)

    def add_references(self, one, group):
        facts, name = self.facts, one["name"]
        roles, either = collections.defaultdict(set), set()
        for ref in facts.refs[one["id"]]:
            if self.words.holds(name, *place(ref)):
                roles[place(ref)].add(ref["role"])
            else:
                either.add(place(ref))
        either |= {place(ref) for ref in facts.soft[one["id"]]}
        for other in facts.others(one["id"]):
            either |= {place(ref) for ref in facts.refs[other]}
            either.add(place(facts.defs[other]))
        own = {place(d) for d in facts.by_name[name] if d["id"] == one["id"] or d.get("extra")}
        either |= own
        # Two of one name on a line cannot be told apart.
        expected = {p for p in roles if p not in either and not facts.is_blind(*p)}
        expected = {p for p in expected if name not in facts.unknown[p]}
        if not expected or len(expected) > MOST_PLACES:
            self.left_out["references: none, or too many places"] += 1
            return False
        told = self.either(name, either)
        if told is None:
            self.left_out["references: too much was not looked into"] += 1
            return False
        lines = [f"{p}:{n} {'+'.join(sorted(roles[(p, n)]))}" for p, n in sorted(expected)]
        at = f"{one['path']}:{one['line']}:{one['column']}"
        shown = f"{one['owner'].split('.')[-1]}{self.args.separator}{name}" if one.get("owner") else name
        self.add(
            "references", name=shown, at=at, kind=one["kind"], group=group,
            shared=group != "unique", expected=lines, either=told,
        )
        return True

    def imports(self, most):
        by_file, to_file, unsure = collections.defaultdict(set), collections.defaultdict(set), set()
        for one in self.facts.imports:
            if one.get("unknown"):
                unsure.add((one["path"], one["line"]))
            for target in one["to"]:
                if target != one["path"]:
                    by_file[one["path"]].add((one["line"], target))
                    to_file[target].add((one["path"], one["line"]))
        done = 0
        for path in self.shuffled(by_file, str):
            if done >= most:
                break
            expected = sorted(by_file[path])
            either = sorted(f"{path}:{line}" for p, line in unsure if p == path)
            self.add("imports", name=path, expected=[f"{n} {p}" for n, p in expected], either=either)
            done += len({n for n, _ in expected})
        done = 0
        for path in self.shuffled(to_file, str):
            if done >= most // 4:
                break
            if len(to_file[path]) > MOST_PLACES:
                continue
            expected = {p for p, _ in to_file[path]}
            self.add(
                "importers", name=path, expected=sorted(expected),
                either=sorted({p for p, _ in unsure} - expected),
            )
            done += 1

    def callpaths(self, most):
        graph = CallGraph(self.facts)
        starts = self.shuffled(graph.direct, str)
        real = 0
        for start in starts:
            if real >= most * 2 // 3:
                break
            reached = graph.distances(start, 4, graph.direct)
            far = self.shuffled([i for i, d in reached.items() if d >= 2], str)
            for end in far[:3]:
                if self.add_callpath(graph, start, end):
                    real += 1
                    break
        none = 0
        ends = self.shuffled(graph.into, str)
        for start, end in zip(starts * 3, ends * 3):
            if none >= most // 3:
                break
            if start != end and end not in graph.distances(start, 99, graph.out) and not graph.is_unsure(start):
                none += self.add_callpath(graph, start, end)

    def add_callpath(self, graph, start, end):
        a, b = self.facts.defs[start], self.facts.defs[end]
        names = []
        for one in (a, b):
            if len([d for d in self.facts.by_name[one["name"]] if d.get("owner") == one.get("owner")]) != 1:
                return False
            owner = one.get("owner", "").split(".")[-1]
            names.append(f"{owner}{self.args.separator}{one['name']}" if owner else one["name"])
        edges = graph.between(start, end)
        if len(edges) > MOST_PLACES or names[0] == names[1]:
            return False
        told = set()
        for path, line, to in edges:
            callee = self.facts.defs[to]
            told.add(f"{path}:{line} {callee['path']}:{callee['line']}")
        self.add(
            "callpath", name=names[0], to=names[1], at=f"{a['path']}:{a['line']}",
            to_at=f"{b['path']}:{b['line']}", expected=sorted(told),
        )
        return True

    def write(self, out):
        head = {
            "suite": self.args.name,
            "language": self.args.language,
            "repository": self.args.repository,
            "commit": self.args.commit,
            "made_by": self.args.made_by,
            "seed": self.args.seed,
            "separator": self.args.separator,
            "not_read": len(set(self.words.paths) - set(self.facts.files)),
            "left_out": dict(sorted(self.left_out.items())),
            "read": sorted(self.facts.files),
        }
        with open(out, "w", encoding="utf-8") as file:
            for row in [head, *self.tasks]:
                row = {k: v for k, v in row.items() if v not in (None, [], False, "") or k == "expected"}
                file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")


class CallGraph:
    """Who calls whom, by the innermost named function around a call."""

    def __init__(self, facts):
        self.facts = facts
        self.around = collections.defaultdict(list)
        for one in facts.defs.values():
            if one["kind"] in FUNCTIONS and one.get("end") and not one.get("local") and not one.get("extra"):
                self.around[one["path"]].append((one["line"], -one["end"], one["id"]))
        for rows in self.around.values():
            rows.sort()
        # What may be called, overrides included; and what surely is.
        self.out, self.into = collections.defaultdict(list), collections.defaultdict(set)
        self.direct = collections.defaultdict(list)
        for ident, refs in facts.refs.items():
            one = facts.defs.get(ident)
            if one is None or one["kind"] not in FUNCTIONS or one.get("local"):
                continue
            for ref in refs:
                caller = self.enclosing(*place(ref))
                if ref["role"] in {"import", "type"} or caller is None:
                    continue
                if caller != ident and not one.get("extra"):
                    self.direct[caller].append((*place(ref), ident))
                for callee in {ident, *facts.family.get(ident, ())} & set(facts.defs):
                    if callee != caller and not facts.defs[callee].get("extra"):
                        self.out[caller].append((*place(ref), callee))
                        self.into[callee].add(caller)
        self.unsure = collections.defaultdict(int)
        for path, line in facts.unknown:
            caller = self.enclosing(path, line)
            if caller:
                self.unsure[caller] += 1

    def enclosing(self, path, line):
        rows = self.around.get(path, [])
        at = bisect.bisect_right(rows, (line, 0, "￿"))
        for start, end, ident in reversed(rows[:at]):
            if start <= line <= -end:
                return ident
        return None

    def distances(self, start, most, out):
        known, step = {start: 0}, [start]
        for depth in range(1, most + 1):
            following = []
            for ident in step:
                for _, _, to in out.get(ident, ()):
                    if to not in known:
                        known[to] = depth
                        following.append(to)
            step = following
        return known

    def is_unsure(self, start):
        """Whether something that is reached calls what the front end does not
        know; then there may be paths that it does not know either."""
        return any(self.unsure[i] for i in self.distances(start, 99, self.out))

    def between(self, start, end):
        """All edges on any way from one to the other."""
        down = self.distances(start, 99, self.out)
        up, step = {end}, [end]
        while step:
            step = [c for i in step for c in self.into.get(i, ()) if c not in up and not up.add(c)]
        inside = set(down) & up
        return {e for i in inside for e in self.out.get(i, ()) if e[2] in inside}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("facts")
    for name in ("repo", "name", "repository", "language", "extensions", "made-by", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--separator", default=".")
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--most", type=int, default=200)
    args = parser.parse_args()
    args.commit = subprocess.run(
        ["git", "-C", args.repo, "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()
    drawer = Drawer(args)
    drawer.definitions(args.most)
    drawer.members(args.most)
    drawer.references(args.most)
    drawer.imports(args.most)
    drawer.callpaths(args.most * 3 // 10)
    drawer.write(args.out)
    counts = collections.Counter(t["task"] + " " + t.get("group", "") for t in drawer.tasks)
    print(dict(counts), dict(drawer.left_out), file=sys.stderr)


if __name__ == "__main__":
    main()
