"""Facts of a Rust repository, by rustdoc: definitions from its JSON, what is
meant by a name from the links in its pages of source.

    RUSTDOCFLAGS="-Zunstable-options --generate-link-to-definition \
        --document-private-items --document-hidden-items" cargo +nightly doc --no-deps
    cargo +nightly rustdoc -p CRATE -- -Zunstable-options --output-format json \
        --document-private-items --document-hidden-items       (for each crate)
    python3 rust.py ROOT DOC CRATE=SRC... > facts.jsonl

rustdoc links paths and method calls, not fields: the uses of fields are not
drawn. A name without a link and without a definition is unknown, so is all that
a macro makes and what another target is compiled for.
"""

import collections
import html
import json
import os
import re
import sys

KINDS = {"function": "function", "struct": "type", "enum": "type", "union": "type", "trait": "type",
         "type_alias": "type", "struct_field": "field", "variant": "variant", "constant": "constant",
         "static": "constant", "assoc_const": "constant", "assoc_type": "type", "macro": "constant"}
TOKEN = re.compile(r'<a href="?([^" >]*)"?[^>]*>|</a>|<[^>]*>|([^<]+)')
WORD = re.compile(r"[^\W\d]\w*")


def emit(**fact):
    print(json.dumps({k: v for k, v in fact.items() if v not in (None, False)}))


class Reader:
    def __init__(self, root):
        self.root = root
        self.lines, self.defs, self.known = {}, {}, set()
        self.by_line = collections.defaultdict(list)

    def text(self, path):
        if path not in self.lines:
            with open(os.path.join(self.root, path), encoding="utf-8") as file:
                self.lines[path] = file.read().split("\n")
        return self.lines[path]

    def crate(self, document, folder):
        """Definitions, with their owners, from the JSON of a crate."""
        with open(document, encoding="utf-8") as file:
            items = json.load(file)["index"]
        owners, above = {}, {}
        for ident, item in items.items():
            (kind, inner), *_ = item["inner"].items()
            name = item["name"]
            if kind == "impl":
                name = type_name(inner["for"])
            for child in children(kind, inner):
                owners[str(child)] = name
                if kind == "impl" and inner.get("trait"):
                    above[str(child)] = str(inner["trait"]["id"])
        ids = {}
        for ident, item in items.items():
            (kind, inner), *_ = item["inner"].items()
            if kind in KINDS and item["span"] and item["name"]:
                ids[ident] = self.define(item, KINDS[kind], owners.get(ident), ident in above, folder)
        self.families(items, ids, above)

    def define(self, item, kind, owner, of_trait, folder):
        path = os.path.normpath(os.path.join(folder, item["span"]["filename"])) if not os.path.exists(
            os.path.join(self.root, item["span"]["filename"])) else item["span"]["filename"]
        start, end = item["span"]["begin"][0], item["span"]["end"][0]
        name = item["name"]
        if not os.path.exists(os.path.join(self.root, path)) or not WORD.fullmatch(name):
            return None
        for number in range(start, min(end, start + 30) + 1):
            row = self.text(path)[number - 1]
            row = row[: row.find("//")] if "//" in row else row
            found = re.search(rf"\b(?:r#)?({name})\b", re.sub(r"^\s*#\[.*\]\s*$", lambda m: " " * len(m.group()), row))
            if found:
                break
        else:
            return None
        if kind == "function" and owner:
            kind = "method"
        ident = f"{path}:{number}:{name}"
        if ident not in self.defs:
            self.defs[ident] = dict(kind=kind, name=name, owner=owner if kind != "type" else None, path=path,
                                    line=number, column=found.start(1) + 1, end=end)
            self.by_line[(path, start)].append(ident)
        return ident

    def families(self, items, ids, above):
        for ident, trait in above.items():
            item = items.get(trait)
            if not item or ident not in ids:
                continue
            for child in item["inner"].get("trait", {}).get("items", []):
                other = items.get(str(child))
                if other and other["name"] == items[ident]["name"] and ids.get(str(child)) and ids[ident]:
                    emit(t="same", ids=[ids[ident], ids[str(child)]])

    def page(self, file, path, folder, doc):
        """The words of a page of source, with what they are linked to."""
        with open(file, encoding="utf-8") as page:
            text = page.read()
        text = text[text.index('<pre class="rust">') :]
        text = text[: text.index("</pre>")]
        line, column, href, quiet = 0, 1, None, 0
        stack = []
        for found in TOKEN.finditer(text):
            tag, words = found.group(0), found.group(2)
            if words is None:
                if "data-nosnippet" in tag:
                    line, column, skip = int(found.group(1)[1:]), 1, True
                    stack.append("number")
                elif tag.startswith("</"):
                    if stack:
                        last = stack.pop()
                        href = None if last == "a" else href
                elif tag.startswith("<a"):
                    stack.append("a")
                    href = found.group(1)
                else:
                    stack.append(tag)
                continue
            if stack and stack[-1] == "number":
                continue
            quiet = any("comment" in s or "string" in s for s in stack)
            for part in re.split(r"(\n)", html.unescape(words)):
                if part == "\n":
                    column = 1
                    continue
                for word in WORD.finditer(part):
                    self.word(word.group(), path, line, column + word.start(), href, quiet, file, doc)
                column += len(part)

    def word(self, name, path, line, column, href, quiet, file, doc):
        if quiet:
            self.known.add((path, line, name))
            return
        if href is None:
            return
        target, _, span = html.unescape(href).partition("#")
        is_page = "://" not in target and span[:1].isdigit()
        # A link to the documentation of another crate of the repository, not to
        # its source, says nothing of the line.
        if not is_page:
            if not any(f"{crate}/" in target for crate in self.crates):
                self.known.add((path, line, name))
            return
        self.known.add((path, line, name))
        page = os.path.normpath(os.path.join(os.path.dirname(file), target)) if target else file
        to = self.pages.get(page)
        start = int(span.split("-")[0])
        for ident in self.by_line.get((to, start), ()):
            one = self.defs[ident]
            if one["name"] == name and (one["path"], one["line"], one["column"]) != (path, line, column):
                emit(t="ref", to=ident, path=path, line=line, column=column, role=self.role(path, line, column, name, one))
                self.used[path].add((line, one["path"]))

    def role(self, path, line, column, name, one):
        rest = self.text(path)[line - 1][column - 1 + len(name) :].lstrip()
        before = self.text(path)[line - 1]
        if re.match(r"\s*(pub(\(\w+\))?\s+)?use\b", before):
            return "import"
        if one["kind"] in ("function", "method"):
            return "call" if rest.startswith(("(", "::<")) else "read"
        return "type" if one["kind"] == "type" else "read"


def children(kind, inner):
    if kind == "struct":
        shape = inner["kind"]
        if isinstance(shape, dict):
            return shape.get("plain", {}).get("fields", []) or []
        return []
    if kind == "union":
        return inner["fields"]
    if kind == "enum":
        return inner["variants"]
    if kind == "variant":
        shape = inner["kind"]
        return shape.get("struct", {}).get("fields", []) if isinstance(shape, dict) else []
    return inner["items"] if kind in ("trait", "impl") else []


def type_name(one):
    if "resolved_path" in one:
        return one["resolved_path"]["path"].split("::")[-1]
    if "borrowed_ref" in one:
        return type_name(one["borrowed_ref"]["type"])
    return None


def uses(text):
    """The lines of `use` statements: the first of each, and all of them."""
    for found in re.finditer(r"^[ \t]*(?:pub(?:\([^)]*\))?\s+)?use\s[^;]*;", text, re.M):
        first = text.count("\n", 0, found.start() + len(found.group()) - len(found.group().lstrip())) + 1
        yield first, first + found.group().strip().count("\n")


def main():
    root, doc, *crates = sys.argv[1:]
    root, doc = os.path.abspath(root), os.path.abspath(doc)
    reader = Reader(root)
    reader.pages, reader.used = {}, collections.defaultdict(set)
    folders = dict(crate.split("=") for crate in crates)
    reader.crates = list(folders)
    for crate, folder in folders.items():
        document = os.path.join(doc, f"{crate}.json")
        if os.path.exists(document):
            reader.crate(document, os.path.dirname(folder))
        for base, _, names in os.walk(os.path.join(doc, "src", crate)):
            for name in sorted(names):
                page = os.path.join(base, name)
                inside = os.path.relpath(page, os.path.join(doc, "src", crate)).removesuffix(".html")
                if os.path.exists(os.path.join(root, folder, inside)):
                    reader.pages[page] = os.path.normpath(os.path.join(folder, inside))
    for ident, one in reader.defs.items():
        if one["path"] in reader.pages.values():
            emit(t="def", id=ident, **one)
    for page, path in sorted(reader.pages.items()):
        emit(t="file", path=path)
        reader.page(page, path, None, doc)
    for path in sorted(reader.pages.values()):
        finish(reader, path)


def stem(path):
    """The name of the module that a file is."""
    name = os.path.basename(path).removesuffix(".rs")
    return os.path.basename(os.path.dirname(path)) if name in ("mod", "lib", "main") else name


def finish(reader, path):
    defined = {(o["line"], o["name"]) for o in reader.defs.values() if o["path"] == path}
    rows = reader.text(path)
    for number, row in enumerate(rows, 1):
        for name in set(WORD.findall(row)):
            if (path, number, name) not in reader.known and (number, name) not in defined:
                emit(t="unknown", path=path, line=number, name=name)
        # What another target or a test is compiled with is in no JSON.
        found = re.search(r"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:unsafe |async |const )*(?:fn|struct|enum|trait|type|const|static)\s+(\w+)", row)
        if found and (number, found.group(1)) not in defined:
            emit(t="def", id=f"{path}:{number}:unread", kind="unread", name=found.group(1), path=path, line=number,
                 column=found.start(1) + 1, extra=True)
    for first, last in uses("\n".join(rows)):
        linked = sorted({to for line, to in reader.used[path] if first <= line <= last})
        text = " ".join(rows[first - 1 : last])
        # A glob, or a module alone, has no link to a definition.
        crates = "|".join(reader.crates)
        own = re.search(rf"\b(crate|self|super|{crates})::", text)
        # Through a module that exports it again: the module is as right.
        passed_on = any(stem(to) not in WORD.findall(text) for to in linked)
        emit(t="import", path=path, line=first, to=[] if passed_on else linked, unknown=bool(own and (not linked or passed_on or "*" in text or "self" in text)))
    for number, row in enumerate(rows, 1):
        if re.match(r"\s*(pub(\([^)]*\))?\s+)?mod\s+\w+;", row):
            emit(t="import", path=path, line=number, to=[], unknown=True)


if __name__ == "__main__":
    main()
