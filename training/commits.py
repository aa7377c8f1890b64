"""Messages of commits with the lines they changed.

    python3 commits.py --data DATA [--each 600] [--jobs 2]

Looks at a sample of the commits of every repository that `collect.py` brought with its history, and
writes `DATA/commits/<source>.tsv.gz` in the layout of `pairs.py`: the subject is a segment `m`, the
changed lines with what stands around them are the code. Where the message goes on in sentences,
its first paragraph asks too, for the largest change, in a row of its own. Only files that were
collected count, so what the collection left out stays out.
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

from pairs import LEFT_OUT, LEGAL, MOST_WORDS, PATH_WORDS, QUERY_WORDS, SEPARATOR
from words import words

CONTEXT = 10
MOST_FILES = 8  # a commit that touches more is about no place in particular
MOST_HUNKS = 2
MARK, PART = "\x1e", "\x1f"
HUNK = re.compile(r"^@@ -\S+ \+\S+ @@ ?(.*)$")
# Subjects that tell nothing of the change.
EMPTY = re.compile(r"^(merge|bump|release|version|v?\d|revert|update (changelog|readme|version|dep)|"
                   r"prepare|chore|wip|typo|fix typo|lint|format|cleanup|clean up|style|ci\b|"
                   r"\[?auto|sync\b|import\b|rename\b|tests?\b|docs?\b|add tests?)", re.I)
NUMBER = re.compile(r"\(?#\d+\)?|\b[0-9a-f]{7,40}\b|https?://\S+|\[[A-Z]+-\d+\]|^[A-Z]+-\d+:?")


def subject_words(subject):
    """The words of a subject, none where it tells nothing."""
    if EMPTY.search(subject) or LEGAL.search(subject):
        return []
    found = words(NUMBER.sub(" ", subject))
    return found[:QUERY_WORDS] if len(found) >= 4 else []


def paragraph_words(body):
    """The words of the first paragraph of a message, none where it is not made of sentences."""
    paragraph = body.strip().split("\n\n")[0]
    if re.search(r"^\s*([-*+>#`|]|\d+[.)]|[\w-]+: )", paragraph, re.M) or LEGAL.search(paragraph):
        return []
    found = words(NUMBER.sub(" ", paragraph))
    return found[:QUERY_WORDS] if len(found) >= 8 else []


def hunks(lines):
    """(path, context, new text, changed lines) of every hunk in a diff."""
    path, head, text, changed = None, "", [], 0
    for line in lines:
        match = HUNK.match(line)
        if match or line.startswith("diff --git"):
            if path and changed:
                yield path, head, text, changed
            text, changed = [], 0
            head = match.group(1) if match else ""
            path = path if match else None
        elif line.startswith("+++ "):
            path = line[6:] if line.startswith("+++ b/") else None
        elif path is None or line.startswith(("--- ", "index ")):
            continue
        elif line.startswith("+"):
            text.append(line[1:])
            changed += 1
        elif line.startswith(" "):
            text.append(line[1:])
        elif line.startswith("-"):
            changed += 1
    if path and changed:
        yield path, head, text, changed


def rows_of(subject, body, lines, languages):
    """The largest hunks of a commit as rows."""
    asked, more = subject_words(subject), paragraph_words(body)
    any_words = asked or more
    found = [h for h in hunks(lines) if languages.get(h[0], "css") not in LEFT_OUT] if any_words else []
    if len({h[0] for h in found}) > MOST_FILES:
        return
    found.sort(key=lambda h: -h[3])
    asking = [(asked, hunk) for hunk in found[:MOST_HUNKS]] + [(more, hunk) for hunk in found[:1]]
    for asked, (path, head, text, _) in asking:
        code = (words(head) + words("\n".join(text)))[:MOST_WORDS]
        if not asked or len(code) < 12:
            continue
        segments = SEPARATOR.join(["m" + " ".join(asked), "." + " ".join(code)])
        yield "\t".join([languages[path], " ".join(words(path)[-PATH_WORDS:]), "", segments])


def commits_of(folder, each, seed):
    """(subject, rest of the message, lines of the diff) of a sample of commits."""
    git = ["git", "-C", folder]
    listed = subprocess.run(git + ["rev-list", "--no-merges", "--max-count=60000", "HEAD"],
                            capture_output=True, text=True, errors="replace").stdout.split()
    chosen = random.Random(seed).sample(listed, min(each, len(listed)))
    log = subprocess.run(
        git + ["log", "--no-walk=unsorted", "--stdin", "-p", f"-U{CONTEXT}", "--diff-filter=M",
               "--no-renames", "--no-color", "--no-ext-diff", f"--format={MARK}%s{PART}%b{PART}"],
        input="\n".join(chosen), capture_output=True, text=True, errors="replace").stdout
    for commit in log.split(MARK)[1:]:
        if len(commit) < 400_000 and commit.count(PART) == 2:
            subject, body, diff = commit.split(PART)
            yield subject, body, diff.split("\n")


def extract(job):
    data, source, languages, each = job
    target = os.path.join(data, "commits", source.replace("/", "+") + ".tsv.gz")
    folder = os.path.join(data, "git", source.partition(":")[2].replace("/", "+"))
    if os.path.exists(target) or not os.path.isdir(folder):
        return 0
    count = 0
    with gzip.open(target + ".part", "wt", compresslevel=1) as out:
        for subject, body, lines in commits_of(folder, each, source):
            for row in rows_of(subject, body, lines, languages):
                out.write(row + "\n")
                count += 1
    os.rename(target + ".part", target)
    return count


def main():
    parser = argparse.ArgumentParser(description="Messages of commits with the lines they changed")
    parser.add_argument("--data", required=True)
    parser.add_argument("--each", type=int, default=600)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only")
    args = parser.parse_args()
    languages = collections.defaultdict(dict)
    with open(os.path.join(args.data, "collected.jsonl"), encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            if row["source"].startswith("github:") and re.search(args.only or "", row["source"]):
                languages[row["source"]][row["path"]] = row["language"]
    os.makedirs(os.path.join(args.data, "commits"), exist_ok=True)
    jobs = [(args.data, source, known, args.each) for source, known in sorted(languages.items())]
    total = 0
    with Pool(args.jobs) as pool:
        for done, count in enumerate(pool.imap_unordered(extract, jobs), 1):
            total += count
            if done % 20 == 0 or done == len(jobs):
                print(f"{done} of {len(jobs)} repositories, {total} rows", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
