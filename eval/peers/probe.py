"""probe: BM25 over syntax tree blocks, without an index.

Called with its `search` command, JSON output and its own defaults; it has no
switch for its ignore rules, and leaves tests out. Its JSON is in order of paths:
the order that it ranks by is that of the scores. (semble's baseline takes the
blocks as they are printed, which costs probe much of its score.) It merges
blocks after it has cut the list, so it is always asked for many.
"""

import json

from adapter import Adapter, Failure, hit, inside, program, run, serve

INSTALL = "npm: the program inside @probelabs/probe; or cargo install probe-code"


# How many blocks it is asked for at least.
BLOCKS = 50


class Probe(Adapter):
    def prepare(self):
        self.probe = program("probe", "PROBE", INSTALL)
        version = run([self.probe, "--version"], cwd=self.root).stdout.strip()
        return {"version": version, "index_ms": 0, "index_bytes": 0, "files": None, "prefix": True}

    def search(self, query, limit):
        flags = ["--format=json", f"--max-results={max(limit, BLOCKS)}"]
        output = run([self.probe, "search", *flags, "--", query, "."], cwd=self.root)
        blocks = report(output.stdout)["results"]
        blocks.sort(key=lambda block: -(block.get("score") or 0))
        hits = [hit(inside(block["file"], self.root), *block["lines"]) for block in blocks]
        return hits[:limit], output.ms


def report(printed):
    """The JSON object between the lines in which probe repeats the query and those on its limits."""
    decoder = json.JSONDecoder()
    at = printed.find("{\n")
    while at >= 0:
        try:
            found, _ = decoder.raw_decode(printed, at)
        except ValueError:
            found = None  # a brace of the query
        if isinstance(found, dict) and "results" in found:
            return found
        at = printed.find("{\n", at + 1)
    raise Failure("probe printed no JSON")


if __name__ == "__main__":
    serve(Probe())
