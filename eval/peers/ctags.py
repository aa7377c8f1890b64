"""Universal Ctags: where names are defined, in the languages that it parses."""

import json
import os
import re
import time
from collections import defaultdict

from adapter import Adapter, Failure, fresh, line_hit, program, run, serve, tidy

INSTALL = "Debian and Homebrew: universal-ctags"


class Ctags(Adapter):
    def prepare(self):
        self.ctags = program("ctags", "CTAGS", INSTALL)
        version = run([self.ctags, "--version"], cwd=self.root).stdout.split("\n")[0]
        if "Universal Ctags" not in version:
            raise Failure(f"this is {version or 'no Universal Ctags'}; install it ({INSTALL})")
        tags = fresh(self.work, "tags.json")
        # Without the user's options and without the usual excludes: all files are to be searched.
        flags = ["--options=NONE", "--recurse", "--exclude=", "--links=no", "--fields=+n", "--totals=yes"]
        made = run([self.ctags, *flags, "--output-format=json", "-f", tags, "."], cwd=self.root)
        start = time.perf_counter()
        self.places = read_tags(tags)
        read_ms = (time.perf_counter() - start) * 1000
        files = re.search(r"(\d+) files?,", made.stderr + made.stdout)
        return {
            "version": version.split(",")[0],
            "index_ms": made.ms + read_ms,
            "index_bytes": os.path.getsize(tags),
            "files": int(files.group(1)) if files else None,
            "prefix": True,
        }

    def define(self, name):
        start = time.perf_counter()
        hits = [line_hit(path, line) for path, line in sorted(self.places.get(name, ()))]
        return hits, (time.perf_counter() - start) * 1000


def read_tags(file):
    """Names with the places where they are defined."""
    places = defaultdict(set)
    with open(file, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            tag = json.loads(line)
            if tag.get("_type") == "tag" and "line" in tag:
                places[tag["name"]].add((tidy(tag["path"]), tag["line"]))
    return places


if __name__ == "__main__":
    serve(Ctags())
