#!/usr/bin/env python3
"""Time how long semble takes to index directories, for comparison with us.

For every corpus directory the script builds semble's index in this process,
with semble's own defaults (content type "code"), and prints one JSON line:

    {"corpus", "seconds", "files", "chunks", "bytes"}

`seconds` is wall time from the call to the finished in-memory index: walking,
chunking, keyword postings and embeddings. Imports, loading the model and
writing anything to disk are left out, and semble's on-disk cache is pointed at
an empty temporary folder so that nothing is reused. A grammar is loaded the
first time its language is met (and unpacked, the first time on a machine),
inside the timing; with --repeat N, N > 1, the fastest of N builds is given,
which leaves that out. `files` and `bytes` count the files that gave at least
one chunk, at their size on disk. A corpus that is missing or fails gives
{"corpus", "error"} and no time. The last line gives the peak memory of this
process over the whole run (worker processes are not counted), and what it was
once the model was loaded: where the two are equal, loading the model took more
than any index did.

The published embedding model is not needed. Where --model names a folder that
does not exist, a stand-in of the same shape is made there: a WordPiece
tokenizer of 63,500 tokens trained on text from the corpora (or from
--vocab-from, better when the corpora are few and small) and padded with filler
tokens, over a random float32 table 256 wide. The time to embed depends on the
table's shape and on the number of tokens, not on the values. The number of
tokens is only near that of the real tokenizer: one trained on the very text it
then splits probably makes fewer, which favours semble a little. The search
results of such an index mean nothing.

A corpus is a directory, or NAME=DIRECTORY to choose the name it is printed
under. The model is built in a process of its own, and so is kept out of the
peak. semble's command line chunks in 4 worker processes once there are 200
files, its library in none: --workers 4 measures the former.

Needs: pip install semble==0.7.0
"""

import argparse
import gc
import importlib.metadata
import json
import multiprocessing
import os
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

VOCABULARY = 63_500
DIMENSIONS = 256
SAMPLE_BYTES = 24_000_000  # text the tokenizer is trained on
LARGEST_SAMPLED_FILE = 200_000


def sample_texts(directories, seed=0):
    """Yield text files of the directories, an even share of bytes from each."""
    pick = random.Random(seed)
    share = SAMPLE_BYTES // max(1, len(directories))
    for directory in directories:
        paths = []
        for folder, subfolders, names in os.walk(directory):
            subfolders[:] = sorted(s for s in subfolders if not s.startswith("."))
            paths.extend(os.path.join(folder, name) for name in sorted(names))
        pick.shuffle(paths)
        left = share
        for path in paths:
            if left <= 0:
                break
            try:
                if not os.path.isfile(path) or os.path.getsize(path) > LARGEST_SAMPLED_FILE:
                    continue
                with open(path, "rb") as file:
                    raw = file.read()
            except OSError:
                continue
            if b"\0" in raw:
                continue
            left -= len(raw)
            yield raw.decode("utf-8", errors="replace")


def make_model(folder, text_from):
    """Save a random static model with a trained tokenizer to the folder."""
    import numpy as np
    from model2vec import StaticModel
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

    def empty(vocabulary=None):
        tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
        tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        return tokenizer

    trained = empty()
    trainer = trainers.WordPieceTrainer(
        vocab_size=VOCABULARY,
        min_frequency=2,
        limit_alphabet=1000,
        special_tokens=["[PAD]", "[UNK]"],
        show_progress=False,
    )
    trained.train_from_iterator(sample_texts(text_from), trainer)
    vocabulary = trained.get_vocab()
    learned = len(vocabulary)
    for number in range(VOCABULARY - learned):
        # No input holds the private-use character, so a filler is never produced.
        vocabulary[f"\ue000{number}"] = learned + number

    vectors = np.random.default_rng(0).standard_normal((VOCABULARY, DIMENSIONS), dtype=np.float32)
    model = StaticModel(vectors, empty(vocabulary), normalize=True)
    partial = folder.with_name(folder.name + ".partial")
    model.save_pretrained(partial)
    partial.rename(folder)
    print(f"made {folder}: {learned} learned tokens, {VOCABULARY - learned} fillers", file=sys.stderr)


def named(argument):
    """Split NAME=DIRECTORY; a plain directory is its own name."""
    name, equals, directory = argument.partition("=")
    if equals and not os.path.isdir(argument):
        return name, Path(directory)
    return argument, Path(argument)


def measure(directory, model, repeat):
    """Build the index `repeat` times; give the fastest time and what it holds."""
    from semble import SembleIndex

    seconds = []
    index = None
    for _ in range(repeat):
        index = None
        gc.collect()
        start = time.perf_counter()
        index = SembleIndex.from_path(directory, model_path=str(model))
        seconds.append(time.perf_counter() - start)
        if index.loaded_from_disk:
            raise RuntimeError("the index came from a cache")
    files = {chunk.file_path for chunk in index.chunks}
    return {
        "seconds": round(min(seconds), 4),
        "files": len(files),
        "chunks": len(index.chunks),
        "bytes": sum((directory / file).stat().st_size for file in files),
    }


def peak():
    """Peak resident bytes of this process so far."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True, metavar="DIR", help="static model; made if missing")
    parser.add_argument("--out", type=Path, required=True, metavar="JSON", help="where all results are written")
    parser.add_argument(
        "--vocab-from",
        type=Path,
        action="append",
        metavar="DIR",
        help="train a new model's tokenizer on this directory's text instead of on the corpora; may be repeated",
    )
    parser.add_argument("--workers", type=int, default=0, help="semble's chunking processes (its library's default: 0)")
    parser.add_argument("--repeat", type=int, default=1, help="builds per corpus, of which the fastest counts")
    parser.add_argument("corpora", nargs="+", metavar="[NAME=]DIR", help="directories to index")
    args = parser.parse_args()
    if args.repeat < 1:
        parser.error("--repeat must be at least 1")
    corpora = [named(argument) for argument in args.corpora]

    model = args.model.resolve()
    if not model.exists():
        model.parent.mkdir(parents=True, exist_ok=True)
        text_from = args.vocab_from or [directory for _, directory in corpora]
        maker = multiprocessing.get_context("spawn").Process(target=make_model, args=(model, text_from))
        maker.start()
        maker.join()
        if maker.exitcode:
            sys.exit("the model could not be made")

    os.environ["SEMBLE_INDEX_WORKERS"] = str(args.workers)
    os.environ["HF_HUB_OFFLINE"] = "1"
    report = {
        "peer": "semble",
        "version": importlib.metadata.version("semble"),
        "model": model.name,
        "workers": args.workers,
        "repeat": args.repeat,
        "corpora": [],
    }
    with tempfile.TemporaryDirectory() as cache:
        os.environ["SEMBLE_CACHE_LOCATION"] = cache
        from semble.index.dense import load_model

        load_model(str(model))  # semble keeps it, so building an index does not load it again
        before = peak()
        for name, directory in corpora:
            row = {"corpus": name}
            try:
                row.update(measure(directory, model, args.repeat))
            except Exception as error:  # one bad corpus must not lose the others
                row["error"] = f"{type(error).__name__}: {error}"
            print(json.dumps(row), flush=True)
            report["corpora"].append(row)
            args.out.write_text(json.dumps(report, indent=1) + "\n")  # kept should a later one kill us

    memory = {"peak_rss_bytes": peak(), "peak_rss_bytes_before_indexing": before}
    report.update(memory)
    args.out.write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(memory))


if __name__ == "__main__":
    main()
