"""Chooses rows for training, holds repositories back, and makes the vocabulary.

    python3 prepare.py --data DATA --out PACK [--rows 700000] [--vocab 32000]

Reads what `pairs.py` and `commits.py` wrote and writes below PACK

    units-<n>.tsv.xz   training rows, each with the number of its repository in front
    held.tsv.xz        rows of the repositories that are held back, in the same layout
    vocab.txt          the pieces of words, one a line; the line number is the id
    REPORT.md          what was chosen

Which repositories are held back depends on their names alone: all packages that are made from one
repository are on the same side.
"""

import argparse
import collections
import glob
import gzip
import hashlib
import lzma
import os
import random
import sys
import tomllib
from multiprocessing import Pool

from pairs import SEPARATOR

MOST_WORDS = 210  # more than the model is trained on
HELD_BACK = 28  # one repository in so many
SHARD = 180_000
NAME_ONLY = 0.15  # how many of the rows that only a name asks for are kept
LARGEST_SHARE = 0.09  # of one language
PER_REPOSITORY = 6_000
PER_HELD = 1_200
SPECIAL = ["[PAD]", "[UNK]"]


def number_of(text):
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def repositories(sources):
    """The repository of every source, by `registry:name`."""
    found = {}
    for source in sources:
        name = f"{source['registry']}:{source['name']}"
        found[name] = source.get("repository") or name
    return found


def cut(segments):
    """Segments up to MOST_WORDS words."""
    room, kept = MOST_WORDS, []
    for segment in segments.split(SEPARATOR):
        found = segment[1:].split(" ")
        kept.append(segment if len(found) <= room else segment[0] + " ".join(found[:room]))
        room -= len(found)
        if room <= 0:
            break
    return SEPARATOR.join(kept)


def rows_of(job):
    """A sample of the rows of one file, always the same."""
    path, repository = job
    rng = random.Random(os.path.basename(path))
    rows = []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            language, place, name, segments = line.rstrip("\n").split("\t")
            asked = any(s[0] in "dcsm" for s in segments.split(SEPARATOR) if s)
            if asked or rng.random() < NAME_ONLY:
                rows.append((language, place, name, cut(segments)))
    return repository, rng.sample(rows, min(len(rows), PER_REPOSITORY))


def balanced(rows, most, rng):
    """At most this many rows, no language above its share."""
    by_language = collections.defaultdict(list)
    for row in rows:
        by_language[row[1]].append(row)
    share = int(most * LARGEST_SHARE)
    chosen = []
    for language in sorted(by_language):
        group = by_language[language]
        chosen += rng.sample(group, share) if len(group) > share else group
    return rng.sample(chosen, most) if len(chosen) > most else chosen


def count_words(rows):
    counts = collections.Counter()
    for row in rows:
        counts.update(row[2].split())
        for segment in row[4].split(SEPARATOR):
            # What is asked is a small part of the text, and what users type.
            found = segment[1:].split()
            counts.update(found)
            if segment[:1] in "dcsm":
                counts.update(found)
                counts.update(found)
    return counts


def make_vocabulary(counts, size):
    """Pieces of words by how often they occur, made by the WordPiece trainer of `tokenizers`."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    ascii_counts = {w: c for w, c in counts.items() if c > 2 and len(w) <= 24 and w.isascii()}
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.WordPieceTrainer(vocab_size=size, special_tokens=SPECIAL,
                                        show_progress=False)

    def lines():
        # The trainer counts words itself. The square root keeps the work small and the order.
        for word, count in sorted(ascii_counts.items()):
            yield " ".join([word] * max(1, int(count**0.5)))

    tokenizer.train_from_iterator(lines(), trainer)
    vocabulary = tokenizer.get_vocab()
    return sorted(vocabulary, key=vocabulary.get)


def write_rows(path, rows):
    with lzma.open(path, "wt", preset=6, encoding="utf-8") as out:
        for row in rows:
            out.write("\t".join(map(str, row)) + "\n")


def report(path, train, held, numbers):
    lines = ["# Rows for training", "",
             f"{len(train)} rows of {len({r[0] for r in train})} repositories; held back: "
             f"{len(held)} rows of {len({r[0] for r in held})} repositories.", ""]
    for title, key in [("language", lambda r: [r[1]]),
                       ("may be asked by", lambda r: {s[0] for s in r[4].split(SEPARATOR) if s})]:
        counts = collections.Counter(value for row in train for value in key(row))
        lines += [f"| {title} | rows |", "| --- | ---: |"]
        lines += [f"| {name} | {count} |" for name, count in counts.most_common()] + [""]
    held_names = sorted(name for name, number in numbers.items() if is_held(name)
                        and number in {r[0] for r in held})
    lines += ["Held back: " + ", ".join(held_names) + ".", ""]
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join(lines))


def is_held(repository):
    return number_of(repository.lower()) % HELD_BACK == 0


def repository_names():
    """The repository of every source on the list."""
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "sources.toml"), "rb") as file:
        return repositories(tomllib.load(file)["source"])


def jobs_of(data, repository):
    """The files of rows with the repository of each, and the number of every repository."""
    jobs = []
    for path in sorted(glob.glob(f"{data}/pairs/*.gz") + glob.glob(f"{data}/commits/*.gz")):
        source = os.path.basename(path).removesuffix(".tsv.gz").replace("+", "/", 1)
        jobs.append((path, repository.get(source, source)))
    names = sorted({name for _, name in jobs})
    return jobs, {name: at for at, name in enumerate(names)}


def main():
    parser = argparse.ArgumentParser(description="Chooses rows and makes the vocabulary")
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--rows", type=int, default=700_000)
    parser.add_argument("--vocab", type=int, default=32_000, help="how many pieces of words")
    parser.add_argument("--keep-vocab", help="a vocab.txt to keep, to go on with a model that has it")
    args = parser.parse_args()
    jobs, numbers = jobs_of(args.data, repository_names())
    train, held = [], []
    with Pool(2) as pool:
        for name, rows in pool.imap(rows_of, jobs):
            if is_held(name):
                held += [(numbers[name], *row) for row in rows[:PER_HELD]]
            else:
                train += [(numbers[name], *row) for row in rows]
    print(f"{len(train)} rows to choose from, {len(held)} held back", file=sys.stderr)
    rng = random.Random(0)
    train = balanced(train, args.rows, rng)
    train.sort(key=lambda row: row[0])  # neighbours compress better
    os.makedirs(args.out, exist_ok=True)
    report(f"{args.out}/REPORT.md", train, held, numbers)
    if args.keep_vocab:
        with open(args.keep_vocab, encoding="utf-8") as file:
            vocabulary = file.read().rstrip("\n").split("\n")
    else:
        vocabulary = make_vocabulary(count_words(train), args.vocab)
    with open(f"{args.out}/vocab.txt", "w", encoding="utf-8") as out:
        out.write("\n".join(vocabulary) + "\n")
    write_rows(f"{args.out}/held.tsv.xz", held)
    shards = [(f"{args.out}/units-{n}.tsv.xz", train[at : at + SHARD])
              for n, at in enumerate(range(0, len(train), SHARD))]
    with Pool(2) as pool:
        pool.starmap(write_rows, shards)


if __name__ == "__main__":
    main()
