"""Questions that were written for units of the sources, and the sheets to write them on.

    python3 questions.py sheets --data DATA --scent SCENT --out SHEETS [--each 12]
    python3 questions.py gather --sheets SHEETS --out questions.tsv.xz
    python3 questions.py rows --data DATA --scent SCENT --questions questions.tsv.xz --out PACK

`sheets` lays units of many repositories out to be read, one repository a sheet. Whoever fills them in,
a person or a language model, reads SHEETS/batches/<sheet>.txt and writes SHEETS/answers/<sheet>.tsv,
for each unit

    NUMBER TAB A TAB what it does or is for, in words that are not in the code
    NUMBER TAB B TAB a question a developer would ask whose answer it is

or `NUMBER TAB -` where a unit is not worth a question. `gather` checks what was written and collects it,
one unit a line:

    source TAB path TAB first line TAB A TAB B

`rows` cuts these units again and writes PACK/questions.tsv.xz and PACK/held-questions.tsv.xz beside
what `prepare.py` wrote, and others.tsv.xz and held-others.tsv.xz with other units of the same
repositories: wrong answers as an index has them.
"""

import argparse
import collections
import glob
import json
import lzma
import os
import random
import re
import subprocess
import sys
from multiprocessing import Pool

from pairs import SEPARATOR, by_source, chosen_files, row_of
from prepare import cut, is_held, jobs_of, repository_names, write_rows
from words import words

LANGUAGES = """bash c cpp csharp dart elixir go haskell java javascript kotlin lua ocaml perl php python
ruby rust scala swift typescript zig""".split()
SAME = {"tsx": "typescript"}
# Nobody asks for these, so they only stand among the wrong answers.
ASIDE = re.compile(r"(^|/|_|\.|-)(tests?|specs?|testing|examples?|demos?|bench(marks?)?|fixtures?|vendor"
                   r"|third_party|node_modules|generated|mocks?|docs?|dist|build|min)(/|_|\.|-|$)"
                   r"|Tests?\.|Spec\.|_test|test_", re.I)
SMALLEST_SOURCE = 60_000  # bytes
ON_A_SHEET, FEWEST, OF_ONE_FILE = 24, 12, 3
SHOWN_LINES, SHOWN_COLUMNS = 42, 160
WORDS = (2, 32)  # of a question
OTHERS = 350  # units without questions of one repository


def main_language(rows):
    size = collections.Counter()
    for row in rows:
        size[SAME.get(row["language"], row["language"])] += row["bytes"]
    code = [(size[language], language) for language in LANGUAGES if size[language] > SMALLEST_SOURCE]
    return max(code)[1] if code else None


def units_of(data, scent, rows):
    """Units of the files of one source, each with its path in the repository."""
    paths = {os.path.join(data, row["file"]): row["path"] for row in rows}
    run = subprocess.run([scent, "units", "--json", "--files-from", "-"], input="\n".join(paths),
                         capture_output=True, text=True, check=True)
    for line in filter(None, run.stdout.split("\n")):
        unit = json.loads(line)
        yield unit | {"path": paths.get(unit["path"], unit["path"])}


def worth_asking(unit, language):
    """Whether a unit is code of a size that a question can be about."""
    body = unit["body"]
    if unit["kind"] == "section" or unit["passage"] > 0 or SAME.get(unit["language"], unit["language"]) != language:
        return False
    if not 6 <= body.count("\n") + 1 <= 70 or not 220 <= len(body) <= 3200:
        return False
    dense = re.sub(r"[ \n]", "", body)
    return sum(c.isalpha() for c in dense) > 0.45 * len(dense) and not re.search("generated|do not edit", body[:200], re.I)


def chosen_units(units, rng):
    units = sorted(units, key=lambda unit: (unit["path"], unit["start_line"]))
    rng.shuffle(units)
    chosen, files, names = [], collections.Counter(), set()
    for unit in units:
        if files[unit["path"]] < OF_ONE_FILE and unit["name"].lower() not in names:
            files[unit["path"]] += 1
            names.add(unit["name"].lower())
            chosen.append(unit)
    return chosen[:ON_A_SHEET]


def write_sheet(out, sheet, source, units):
    with open(f"{out}/batches/{sheet}.txt", "w", encoding="utf-8") as file:
        file.write(f"# {source}\n")
        for number, unit in enumerate(units):
            lines = [line[:SHOWN_COLUMNS] for line in unit["body"].split("\n")[:SHOWN_LINES]]
            file.write(f"\n### {number} {unit['path']} :: {unit['qualified_name']}\n" + "\n".join(lines) + "\n")
    with open(f"{out}/units.jsonl", "a", encoding="utf-8") as file:
        for number, unit in enumerate(units):
            place = dict(id=f"{sheet}.{number}", source=source, path=unit["path"], start=unit["start_line"])
            file.write(json.dumps(place) + "\n")


def sheets(args):
    """At most `each` repositories a language, and all that are held back."""
    sources, names = by_source(args.data), repository_names()
    os.makedirs(f"{args.out}/batches", exist_ok=True)
    os.makedirs(f"{args.out}/answers", exist_ok=True)
    order = sorted(sources)
    random.Random(7).shuffle(order)
    taken, seen = collections.Counter(), set()
    for source in order:
        name, language = names.get(source, source), main_language(sources[source])
        held = is_held(name)
        if not language or name.lower() in seen or (not held and taken[language] >= args.each):
            continue
        files = [row for row in chosen_files(sources[source]) if not ASIDE.search(row["path"])]
        asked = (unit for unit in units_of(args.data, args.scent, files) if worth_asking(unit, language))
        units = chosen_units(asked, random.Random(source))
        if len(units) < FEWEST:
            continue
        seen.add(name.lower())
        taken["held" if held else language] += 1
        write_sheet(args.out, f"{'h' if held else 't'}{len(seen):04d}", source, units)
    print(dict(taken), file=sys.stderr)


def answers_of(path):
    """The answers on one sheet by number and letter; what is not in the layout is counted."""
    found, wrong = {}, 0
    with open(path, encoding="utf-8") as file:
        for line in file:
            parts = line.rstrip("\n").split("\t")
            if len(parts) == 3 and parts[0].isdigit() and parts[1] in "AB":
                if WORDS[0] <= len(words(parts[2])) <= WORDS[1]:
                    found[int(parts[0]), parts[1]] = " ".join(parts[2].split())
                    continue
            wrong += len(parts) != 2
    return found, wrong


def gather(args):
    places = {}
    for path in sorted(glob.glob(f"{args.sheets}/units*.jsonl")):
        with open(path, encoding="utf-8") as file:
            places |= {place["id"]: place for place in map(json.loads, file)}
    lines, wrong = [], 0
    for path in sorted(glob.glob(f"{args.sheets}/answers/*.tsv")):
        sheet = os.path.basename(path).removesuffix(".tsv")
        found, bad = answers_of(path)
        wrong += bad
        for number in sorted({number for number, _ in found}):
            place = places.get(f"{sheet}.{number}")
            if place:
                asked = [found.get((number, letter), "") for letter in "AB"]
                lines.append("\t".join([place["source"], place["path"], str(place["start"])] + asked))
    with lzma.open(args.out, "wt", encoding="utf-8") as out:
        out.write("\n".join(sorted(lines)) + "\n")
    print(f"{len(lines)} units with questions, {wrong} lines left out", file=sys.stderr)


def read(path):
    """Questions by source, then by path and line."""
    found = collections.defaultdict(dict)
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            source, place, start, told, asked = line.rstrip("\n").split("\t")
            found[source][place, int(start)] = (told, asked)
    return found


def with_questions(row, told, asked):
    """A row with its questions behind its segments."""
    language, path, name, segments = row.split("\t")
    kinds = [("p", told), ("q", asked)]
    parts = [cut(segments)] + [kind + " ".join(words(text)) for kind, text in kinds if text]
    return language, path, name, SEPARATOR.join(parts)


def apart(unit, asked):
    """Whether a unit shares no line with one that has questions."""
    return all(unit["end_line"] < start or end < unit["start_line"] for start, end in asked[unit["path"]])


def rows_of(job):
    """The rows of one source that have questions, and a sample of its other units as an index has
    them: tests, documentation and trifles too."""
    args, source, files, asked = job
    units = list(units_of(args.data, args.scent, files))
    found, lines = [], collections.defaultdict(list)
    for unit in units:
        questions = asked.pop((unit["path"], unit["start_line"]), None)
        if questions:
            lines[unit["path"]].append((unit["start_line"], unit["end_line"]))
            found.append(with_questions(row_of(unit, unit["path"], anyway=True), *questions))
    others = [unit for unit in units if apart(unit, lines)]
    others = random.Random(source).sample(others, min(len(others), OTHERS))
    others = [row_of(unit, unit["path"], anyway=True).split("\t") for unit in others]
    return source, found, [(*row[:3], cut(row[3])) for row in others], len(asked)


def rows(args):
    sources, names = by_source(args.data), repository_names()
    _, numbers = jobs_of(args.data, names)
    jobs = []
    for source, asked in sorted(read(args.questions).items()):
        wanted = {path for path, _ in asked}
        files = {row["path"]: row for row in chosen_files(sources[source])}
        files |= {row["path"]: row for row in sources[source] if row["path"] in wanted}
        jobs.append((args, source, list(files.values()), asked))
    found, lost = collections.defaultdict(list), 0
    with Pool(2) as pool:
        for source, questions, others, missing in pool.imap(rows_of, jobs):
            name = names.get(source, source)
            side = "held-" if is_held(name) else ""
            found[f"{side}questions"] += [(numbers[name], *row) for row in questions]
            found[f"{side}others"] += [(numbers[name], *row) for row in others]
            lost += missing
    with Pool(2) as pool:
        pool.starmap(write_rows, [(f"{args.out}/{file}.tsv.xz", rows) for file, rows in found.items()])
    print({file: len(rows) for file, rows in found.items()}, f"{lost} units not found", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description="Questions that were written for units")
    steps = parser.add_subparsers(required=True)
    for step, needed in ((sheets, "data scent out"), (gather, "sheets out"), (rows, "data scent questions out")):
        options = steps.add_parser(step.__name__)
        options.set_defaults(step=step)
        for option in needed.split():
            options.add_argument(f"--{option}", required=True)
        if step is sheets:
            options.add_argument("--each", type=int, default=12, help="repositories of each language")
    args = parser.parse_args()
    args.step(args)


if __name__ == "__main__":
    main()
