#!/usr/bin/env python3
"""Holds `scent unused` against what compilers and linters say is dead.

    unused.py SCENT FOLDER TOOL [--tool-path PATH] [--blank N --seed S] [--min C]

TOOL is one of

  rustc    the lint dead_code, from `cargo check` in FOLDER
  tsc      noUnusedLocals, over the files of FOLDER
  vulture  at 60%, over the Python files of FOLDER
  gcc      -Wunused-function, over the C files of FOLDER one by one

Code that is kept tidy has nothing dead in it. With --blank, the bodies of N
functions, drawn by the seed, are blanked in a copy of FOLDER first: what only they
used is dead then, and the compiler says what that is. A definition counts as
right where the tool names its line; definitions that scent lists in files which the
tool did not read, and names that begin with an underscore, which rustc and vulture
never name, count for neither side. Prints right, wrong and the precision, and each wrong one.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BLANK = {
    "rs": "unimplemented!()",
    "ts": "throw 0;",
    "tsx": "throw 0;",
    "js": "throw 0;",
    "c": "for (;;) {}",
    "py": "raise NotImplementedError",
}
# A heading that ends on its line.
HEADING = re.compile(r"\)[^(){}]*[{:]\s*$")
READS = {
    "rustc": (".rs",),
    "tsc": (".ts", ".tsx"),
    "vulture": (".py",),
    "gcc": (".c",),
}


def run(command, cwd, **more):
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, **more)


def rustc(folder, tool, _):
    """Paths and lines of dead_code; members of a type have a span each."""
    command = [tool or "cargo", "check", "--message-format=json"]
    # What a feature leaves out is not compiled, and not judged then.
    for more in (["--all-features"], []):
        made = run(command + more, folder)
        if made.returncode == 0:
            break
    else:
        sys.exit(made.stderr[-3000:])
    found = set()
    for line in made.stdout.splitlines():
        message = json.loads(line).get("message") or {}
        if (message.get("code") or {}).get("code") == "dead_code":
            for span in message["spans"]:
                found.add((os.path.normpath(span["file_name"]), span["line_start"]))
    return found


def tsc(folder, tool, files):
    """Over the files as they are: what nothing in a file uses needs no other file."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as listed:
        listed.write("\n".join(files))
        listed.flush()
        flags = "--noEmit --noUnusedLocals --skipLibCheck --pretty false --experimentalDecorators --target es2022"
        more = "--module esnext --moduleResolution bundler --jsx preserve --noResolve"
        made = run([tool or "tsc", *flags.split(), *more.split(), "@" + listed.name], folder)
    found = set()
    for path, line in re.findall(r"^(\S+?)\((\d+),\d+\): error TS(?:6133|6192|6196|6198)", made.stdout, re.M):
        found.add((os.path.normpath(path), int(line)))
    return found


def vulture(folder, tool, _):
    made = run([tool or "vulture", ".", "--min-confidence", "60"], folder)
    found = set()
    for path, line in re.findall(r"^(.+?):(\d+): unused", made.stdout, re.M):
        found.add((os.path.normpath(path), int(line)))
    return found


def gcc(folder, tool, files):
    found = set()
    for path in files:
        made = run([tool or "gcc", "-fsyntax-only", "-Wunused-function", "-I.", "-Iinclude", path], folder)
        for line in re.findall(r":(\d+):\d+: warning: .*defined but not used", made.stderr):
            found.add((path, int(line)))
    return found


def files_of(folder, endings):
    for path in sorted(Path(folder).rglob("*")):
        inside = path.relative_to(folder)
        hidden = any(part.startswith(".") or part in ("node_modules", "target") for part in inside.parts)
        if path.is_file() and not hidden and path.name.endswith(endings):
            yield inside.as_posix()


def blank(folder, scent, endings, count, seed):
    """Blanks the bodies of functions that begin and end on lines of their own."""
    functions = []
    for path in files_of(folder, endings):
        if any(part.startswith(("test", "docs")) for part in path.split("/")):
            continue
        made = run([scent, "outline", path, "--json"], folder)
        if made.returncode:
            continue
        lines = (Path(folder) / path).read_text(errors="replace").splitlines()
        for symbol in (s for f in json.loads(made.stdout)["files"] for s in f["symbols"]):
            first, last = symbol["line"], symbol["end_line"]
            if first > len(lines):
                continue
            # What returns some type is given one by its body.
            if "impl " in lines[first - 1] or "const fn" in lines[first - 1]:
                continue
            opens = HEADING.search(lines[first - 1])
            if symbol["kind"] in ("function", "method") and opens and last > first + 1:
                functions.append((path, first, last))
    drawn = random.Random(seed).sample(functions, min(count, len(functions)))
    # From the end of a file, so that lines stay where they are.
    for path, first, last in sorted(drawn, reverse=True):
        place = Path(folder) / path
        lines = place.read_text().splitlines()
        ending = path.rsplit(".", 1)[-1]
        indent = lines[first - 1][: len(lines[first - 1]) - len(lines[first - 1].lstrip())]
        if ending == "py":
            last += 1
        elif lines[last - 1].strip() != "}":
            continue
        lines[first : last - 1] = [indent + "    " + BLANK[ending]] + [""] * (last - 2 - first)
        place.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scent")
    parser.add_argument("folder")
    parser.add_argument("tool", choices=READS)
    parser.add_argument("--tool-path")
    parser.add_argument("--blank", type=int, default=0)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--min", default="0.7")
    asked = parser.parse_args()
    endings = READS[asked.tool]
    folder = asked.folder
    if asked.blank:
        folder = os.path.join(tempfile.mkdtemp(), os.path.basename(os.path.normpath(asked.folder)))
        shutil.copytree(asked.folder, folder, symlinks=True)
        blank(folder, asked.scent, endings, asked.blank, asked.seed)
    read = set(files_of(folder, endings))
    if asked.tool == "rustc":
        read = {path for path in read if path.startswith("src/") or "/src/" in path}
    dead = globals()[asked.tool](folder, asked.tool_path, sorted(read))
    made = run([asked.scent, "--exact", "unused", ".", "--json", "-k", "100000", "--min-confidence", asked.min], folder)
    said = json.loads(made.stdout)["unused"] if made.stdout else []
    right, wrong = 0, []
    for one in said:
        place = one["definition"]
        # rustc never names what begins with an underscore, and vulture no such variable.
        if place["path"] not in read or (asked.tool != "tsc" and place["name"].startswith("_")):
            continue
        lines = range(place["start_line"], place["line"] + 1)
        if any((place["path"], line) in dead for line in lines):
            right += 1
        else:
            wrong.append(one)
    total = right + len(wrong)
    print(f"{asked.folder} {asked.tool}: the tool names {len(dead)}, scent {total}, right {right}, "
          f"wrong {len(wrong)}, precision {right / total if total else 1:.2f}")
    for one in wrong:
        place = one["definition"]
        print(f"  {place['path']}:{place['line']} {place['kind']} {place['qualified_name']} "
              f"{one['confidence']:.2f} {one['reason']}")


if __name__ == "__main__":
    main()
