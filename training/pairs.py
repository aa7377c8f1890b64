"""Units with what people said about them, cut by the `scent` binary itself.

    python3 pairs.py --data DATA --scent SCENT [--jobs 2]

Reads what `collect.py` collected and writes `DATA/pairs/<source>.tsv.gz`, one unit a line:

    language TAB path words TAB name words TAB segments, separated by U+001F

The first character of a segment says what it is, the rest are its words:

    .  code
    d  the beginning of the documentation: may be asked for
    e  the rest of the documentation
    c  a comment inside the code: may be asked for
    s  a sentence in a string, such as an error message: may be asked for
    m  the subject of a commit that changed these lines (`commits.py`)
    p  what it does in words that are not in it; q  a question about it (`questions.py`). Both are
       asked for and never part of the text

A query is one of the segments that may be asked for, or the name; its answer is the unit without
it. A source that is finished is not done again.
"""

import argparse
import collections
import gzip
import json
import os
import random
import re
import subprocess
import sys
from multiprocessing import Pool

from words import words

SEPARATOR = "\x1f"
MOST_WORDS = 320  # as crates/embed/src/text.rs
PATH_WORDS = 12
QUERY_WORDS = 40
FEWEST_WORDS = 4

# How much of a source is read, in bytes; languages of which there is little are read whole.
CAP = 3_000_000
THIN = {"bash", "zig", "haskell", "lua", "elixir", "ocaml", "dart", "perl", "erlang", "sql", "r",
        "powershell", "fsharp", "objc", "crystal", "julia", "nix", "terraform", "clojure"}
# Configuration and styling say little in words.
LEFT_OUT = {"css", "cmake", "json", "yaml", "toml"}

HASH = {"python", "ruby", "bash", "perl", "elixir", "r", "julia", "nix", "crystal", "nim",
        "powershell", "fish", "make", "tcl", "dockerfile", "terraform", "hcl", "gdscript"}
DASH = {"haskell", "lua", "sql", "elm", "purescript", "vhdl", "ada"}
SEMICOLON = {"clojure", "lisp", "scheme", "elisp", "racket", "commonlisp"}
PERCENT = {"erlang", "prolog", "latex", "matlab"}
SLASH = re.compile(r"^\s*(//+[/!]?|/\*+|\*+/?)\s?")
MARKS = [(HASH, re.compile(r"^\s*#+(?!!)\s?")), (DASH, re.compile(r"^\s*(--+|\{-)\s?[|^]?\s?")),
         (SEMICOLON, re.compile(r"^\s*;+\s?")), (PERCENT, re.compile(r"^\s*%+\s?"))]

# A line that talks has one of these.
TALK = re.compile(r"\b(the|a|an|to|is|are|of|for|if|in|we|this|that|and|not|be|with|when|from|on|it"
                  r"|as|by|or|so|because|must|should|cannot|can|will|no|all|only|any)\b", re.I)
LEGAL = re.compile(r"copyright|licen[cs]e|warranty|all rights|spdx|@author|@generated|eslint|"
                   r"noqa|pylint|clang-format|nolint|prettier-ignore", re.I)
STRING = re.compile(r'"((?:[^"\\\n]|\\.){16,240})"|' + r"'((?:[^'\\\n]|\\.){16,240})'")
SENTENCE_END = re.compile(r"[.!?:](\s|$)")
TRIMMED = " \t/*#;%-\"'!<>{}|=~"


def comment_mark(language):
    return next((mark for group, mark in MARKS if language in group), SLASH)


def talks(text, documentation=False):
    """Whether a text is language rather than code; documentation may be terse."""
    letters = sum(c.isalpha() or c.isspace() for c in text)
    said = documentation or bool(TALK.search(text))
    return letters > 0.8 * len(text) and said and not LEGAL.search(text)


def first_sentences(doc):
    """What documentation says first: whole sentences up to QUERY_WORDS words."""
    paragraph = re.split(r"\n\s*\n|\n\s*[@:\\-]", doc.strip(), maxsplit=1)[0]
    taken, count = [], 0
    start = 0
    for end in [m.end() for m in SENTENCE_END.finditer(paragraph)] + [len(paragraph)]:
        found = words(paragraph[start:end])
        if taken and count + len(found) > QUERY_WORDS:
            break
        taken += found
        count += len(found)
        start = end
    return taken[:QUERY_WORDS]


class Segments:
    """The segments of a unit in order; neighbours of the same kind of code are joined."""

    def __init__(self):
        self.parts = []

    def add(self, kind, found):
        if not found:
            return
        if kind == "." and self.parts and self.parts[-1][0] == ".":
            self.parts[-1][1].extend(found)
        else:
            self.parts.append((kind, list(found)))

    def cut(self, most):
        room, kept = most, []
        for kind, found in self.parts:
            if room <= 0:
                break
            kept.append((kind, found[:room]))
            room -= len(found)
        self.parts = kept

    def text(self):
        return SEPARATOR.join(kind + " ".join(found) for kind, found in self.parts)


def add_code(segments, line):
    """A line of code; sentences in its strings become segments of their own."""
    at = 0
    for match in STRING.finditer(line):
        inner = match.group(1) or match.group(2)
        found = words(inner)
        if " " in inner.strip() and len(found) >= FEWEST_WORDS and talks(inner):
            segments.add(".", words(line[at:match.start()]))
            segments.add("s", found[:QUERY_WORDS])
            at = match.end()
    segments.add(".", words(line[at:]))


def end_comment(segments, comment):
    if not comment:
        return
    text = " ".join(comment)
    found = words(text)
    asked = FEWEST_WORDS <= len(found) <= 60 and talks(text)
    segments.add("c" if asked else ".", found[:QUERY_WORDS] if asked else found)


def segments_of(unit):
    """A unit as segments."""
    segments = Segments()
    # As crates/embed/src/text.rs: what encloses a unit comes first.
    if unit["passage"] > 0:
        segments.add(".", words(unit["qualified_name"]))
        segments.add(".", words(unit["signature"]))
    elif unit["qualified_name"] != unit["name"]:
        segments.add(".", words(unit["qualified_name"]))
    doc = unit["doc"]
    query = first_sentences(doc)
    asked = len(query) >= FEWEST_WORDS and talks(doc[:300], documentation=True)
    if asked:
        segments.add("d", query)
        segments.add("e", words(doc)[len(query):])
    doc_lines = {line.strip(TRIMMED) for line in doc.split("\n")} - {""} if asked else set()
    mark = comment_mark(unit["language"])
    comment = []
    for line in unit["body"].split("\n"):
        if doc_lines and line.strip(TRIMMED) in doc_lines:
            continue
        match = mark.match(line)
        if match and not (unit["language"] in ("c", "cpp") and line.lstrip().startswith("*") and not comment):
            comment.append(line[match.end():].strip(TRIMMED))
            continue
        end_comment(segments, comment)
        comment = []
        add_code(segments, line)
    end_comment(segments, comment)
    for member in unit["members"]:
        segments.add(".", words(member))
    segments.cut(MOST_WORDS)
    return segments


def section_of(unit):
    """A section of documentation: its heading and first sentence ask for the rest."""
    segments = Segments()
    lines = unit["body"].split("\n")
    text = "\n".join(lines[1:]) if lines and lines[0].lstrip().startswith("#") else unit["body"]
    head = words(unit["qualified_name"])[-16:]
    first = first_sentences(text)
    asked = head + first if len(first) >= FEWEST_WORDS and talks(text[:200]) else head
    segments.add("d", asked[:QUERY_WORDS])
    segments.add(".", words(text)[len(first) if asked is not head else 0:])
    segments.cut(MOST_WORDS)
    return segments


def row_of(unit, path, anyway=False):
    name = words(unit["name"])[:12]
    segments = section_of(unit) if unit["kind"] == "section" else segments_of(unit)
    asked = any(kind in "dcs" for kind, _ in segments.parts)
    code = sum(len(found) for kind, found in segments.parts if kind == ".")
    if not anyway and (code < 8 or not (asked or len(name) >= 2)):
        return None
    path_words = words(path)[-PATH_WORDS:]
    return "\t".join([unit["language"], " ".join(path_words), " ".join(name), segments.text()])


def chosen_files(rows):
    """Files of one source up to the cap, always the same ones."""
    rows = sorted(rows, key=lambda row: row["path"])
    random.Random(rows[0]["source"]).shuffle(rows)
    taken, size = [], collections.Counter()
    for row in rows:
        language = row["language"]
        if language in LEFT_OUT or row["bytes"] > 300_000:
            continue
        cap = 4 * CAP if language in THIN else CAP // 6 if language == "markdown" else CAP
        if size[language] + row["bytes"] <= cap:
            size[language] += row["bytes"]
            taken.append(row)
    return taken


def extract(job):
    """All rows of one source."""
    data, scent, source, rows = job
    target = os.path.join(data, "pairs", source.replace("/", "+") + ".tsv.gz")
    if os.path.exists(target):
        return source, -1
    paths = {os.path.join(data, row["file"]): row["path"] for row in chosen_files(rows)}
    run = subprocess.Popen([scent, "units", "--json", "--files-from", "-"], stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if os.fork() == 0:  # feeds the list while this process reads the answers
        run.stdin.write("\n".join(paths))
        run.stdin.close()
        os._exit(0)
    run.stdin.close()
    seen, count = set(), 0
    with gzip.open(target + ".part", "wt", compresslevel=1) as out:
        for line in run.stdout:
            unit = json.loads(line)
            row = row_of(unit, paths.get(unit["path"], unit["path"]))
            if row and (key := hash(row.split("\t", 2)[2])) not in seen:
                seen.add(key)
                out.write(row + "\n")
                count += 1
    run.wait()
    os.rename(target + ".part", target)
    return source, count


def by_source(data, only=None):
    """Files that were collected, by source."""
    found = collections.defaultdict(list)
    with open(os.path.join(data, "collected.jsonl"), encoding="utf-8") as file:
        for row in map(json.loads, file):
            if not only or re.search(only, row["source"]):
                found[row["source"]].append(row)
    return found


def main():
    parser = argparse.ArgumentParser(description="Units with what people said about them")
    parser.add_argument("--data", required=True)
    parser.add_argument("--scent", required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", help="only sources whose name matches")
    args = parser.parse_args()
    os.makedirs(os.path.join(args.data, "pairs"), exist_ok=True)
    jobs = [(args.data, args.scent, source, rows) for source, rows in sorted(by_source(args.data, args.only).items())]
    random.Random(0).shuffle(jobs)
    total = 0
    with Pool(args.jobs) as pool:
        for done, (source, count) in enumerate(pool.imap_unordered(extract, jobs), 1):
            total += max(count, 0)
            if done % 20 == 0 or done == len(jobs):
                print(f"{done} of {len(jobs)} sources, {total} units", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
