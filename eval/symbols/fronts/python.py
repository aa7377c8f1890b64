"""Facts of a Python repository: definitions and imports by Python's own `ast`,
what is meant by a name by scip-python (pyright).

    scip-python index . --output=INDEX        (in ROOT)
    python3 python.py ROOT INDEX > facts.jsonl

A name that pyright gives no meaning, such as an attribute of something without
a type, is unknown.
"""

import ast
import collections
import json
import os
import re
import sys

import scip

LAST = re.compile(r"(?:`([^`]+)`|(\w+))(\(\)\.|#|\.)$")


def emit(**fact):
    print(json.dumps({k: v for k, v in fact.items() if v not in (None, False)}))


class File:
    """What `ast` says of a file."""

    def __init__(self, root, path):
        self.path = path
        with open(os.path.join(root, path), encoding="utf-8") as file:
            text = file.read()
        self.lines = text.split("\n")
        self.tree = ast.parse(text)
        self.ends, self.names, self.bases, self.calls = {}, {}, {}, set()
        self.types, self.writes = set(), set()
        for node in ast.walk(self.tree):
            self.look(node)

    def look(self, node):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            word = re.compile(rf"\b(?:def|class)\s+({node.name})\b")
            found = word.search(self.lines[node.lineno - 1])
            if found:
                self.ends[(node.lineno, found.start(1) + 1)] = node.end_lineno
            if isinstance(node, ast.ClassDef):
                self.bases[(node.lineno, node.name)] = [self.at(b) for b in node.bases]
            else:
                every = [*node.args.args, *node.args.kwonlyargs, *node.args.posonlyargs]
                for part in [node.returns, *(a.annotation for a in every)]:
                    self.annotation(part)
        if isinstance(node, ast.AnnAssign):
            self.annotation(node.annotation)
        if isinstance(node, ast.Call):
            self.calls.add(self.at(node.func))
        if isinstance(node, (ast.Name, ast.Attribute)):
            name = node.id if isinstance(node, ast.Name) else node.attr
            self.names[self.at(node)] = name
            if isinstance(node.ctx, ast.Store):
                self.writes.add(self.at(node))

    def annotation(self, node):
        for part in ast.walk(node) if node else ():
            self.types.add(self.at(part))

    def at(self, node):
        """The line and column, from 1, of the last name of an expression."""
        if isinstance(node, ast.Subscript):
            node = node.value
        if isinstance(node, ast.Attribute):
            line = self.lines[node.end_lineno - 1].encode()[: node.end_col_offset]
            return node.end_lineno, len(line.decode()) - len(node.attr) + 1
        if hasattr(node, "lineno"):
            line = self.lines[node.lineno - 1].encode()[: node.col_offset]
            return node.lineno, len(line.decode()) + 1
        return 0, 0

    def role(self, place, roles):
        if any(place in bases for bases in self.bases.values()):
            return "inherit"
        if place in self.calls:
            return "call"
        if place in self.types:
            return "type"
        if place in self.writes or roles & scip.WRITE:
            return "write"
        return "read" if place in self.names else "import"


def modules(root, path, node):
    """The files that an import may mean, the likeliest first, for each name."""
    base = os.path.dirname(path)
    if isinstance(node, ast.Import):
        wanted = [alias.name.replace(".", "/") for alias in node.names]
        return [[found(root, w)] for w in wanted]
    for _ in range(node.level - 1):
        base = os.path.dirname(base)
    start = base if node.level else ""
    stem = os.path.join(start, (node.module or "").replace(".", "/")).rstrip("/")
    every = []
    for alias in node.names:
        inner = found(root, f"{stem}/{alias.name}" if stem else alias.name)
        every.append([inner or found(root, stem)])
    return every


def found(root, stem):
    for path in (f"{stem}/__init__.py", f"{stem}.py", f"{stem}.pyi"):
        if os.path.isfile(os.path.join(root, path)):
            return path
    return None


def imports(root, file):
    for node in ast.walk(file.tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            to = {path for group in modules(root, file.path, node) for path in group if path}
            emit(t="import", path=file.path, line=node.lineno, to=sorted(to))


def kind(symbol):
    """What a symbol is, its name, its owner, and whether it is local."""
    last = LAST.search(symbol)
    if symbol.startswith("local ") or not last:
        return None
    before = symbol[: last.start()]
    name, suffix = last.group(1) or last.group(2), last.group(3)
    owner = re.search(r"(?:`([^`]+)`|(\w+))#$", before)
    owner = owner and (owner.group(1) or owner.group(2))
    what = {"().": "method" if owner else "function", "#": "type", ".": "field" if owner else "constant"}
    return what[suffix], name, owner if suffix != "#" else None, "()." in before


def define(symbol, places, files):
    """The first place that gives the name is the definition; a later one, such
    as a second assignment to an attribute, counts for nothing."""
    what = kind(symbol)
    if what is None:
        return
    of_kind, name, owner, local = what
    (path, line, column), *rest = places
    end = files[path].ends.get((line, column))
    if of_kind in {"function", "method", "type"} and end is None:
        return
    emit(t="def", id=symbol, kind=of_kind, name=name, owner=owner, path=path, line=line,
         column=column, end=end, local=local)
    for number, (path, line, column) in enumerate(rest):
        if of_kind in {"function", "method", "type"} and (line, column) in files[path].ends:
            emit(t="def", id=f"{symbol}{number}", kind=of_kind, name=name, owner=owner, path=path,
                 line=line, column=column, end=files[path].ends[(line, column)], local=local)
        else:
            emit(t="def", id=f"{symbol}{number}", kind="again", name=name, owner=owner, path=path,
                 line=line, column=column, extra=True, local=local)


def families(files, defined, at):
    """A member that its class's ancestor has too."""
    parents = collections.defaultdict(list)
    for path, file in files.items():
        for (line, name), bases in file.bases.items():
            own = at.get((path, line, column_of(file, line, name)))
            parents[own] += [at[(path, *b)] for b in bases if (path, *b) in at]
    members = collections.defaultdict(dict)
    for symbol in defined:
        what = kind(symbol)
        if what and what[2]:
            members[symbol[: LAST.search(symbol).start()]][what[1]] = symbol
    for own in list(parents):
        above, step = [], list(parents[own])
        while step:
            one = step.pop()
            if one not in above:
                above.append(one)
                step += parents.get(one, [])
        for name, symbol in members.get(own, {}).items():
            for base in above:
                if name in members.get(base, {}):
                    emit(t="same", ids=[symbol, members[base][name]])


def column_of(file, line, name):
    found = re.search(rf"\bclass\s+({name})\b", file.lines[line - 1])
    return found.start(1) + 1 if found else 0


def main():
    root, index = sys.argv[1:]
    files, at = {}, {}
    places, uses = collections.defaultdict(list), []
    for path, occurrences, _ in scip.read(index):
        try:
            files[path] = File(root, path)
        except (SyntaxError, UnicodeDecodeError, OSError):
            continue
        for one in sorted(occurrences):
            at[(path, one.line, one.column)] = one.symbol
            if one.roles & scip.DEFINITION:
                places[one.symbol].append((path, one.line, one.column))
            else:
                uses.append((path, one))
    for path, file in files.items():
        emit(t="file", path=path)
        imports(root, file)
        for (line, column), name in file.names.items():
            if (path, line, column) not in at:
                emit(t="unknown", path=path, line=line, name=name)
    for symbol, where in places.items():
        define(symbol, where, files)
    for path, one in uses:
        if one.symbol in places and not one.symbol.startswith("local "):
            role = files[path].role((one.line, one.column), one.roles)
            emit(t="ref", to=one.symbol, path=path, line=one.line, column=one.column, role=role)
    families(files, places, at)


if __name__ == "__main__":
    main()
