"""probe: BM25 over syntax tree blocks, without an index.

Called as in semble's baseline: its `search` command with JSON output and its own
defaults. It has no switch for its ignore rules, and `--allow-tests` is not given
because the baseline did not. That baseline asks for 30 blocks and takes the
first 10 files of them: ask for a limit of 30 to compare with its number.
"""

import json

from adapter import Adapter, Failure, hit, inside, program, run, serve

INSTALL = "npm: the program inside @probelabs/probe; or cargo install probe-code"


class Probe(Adapter):
    def prepare(self):
        self.probe = program("probe", "PROBE", INSTALL)
        version = run([self.probe, "--version"], cwd=self.root).stdout.strip()
        return {"version": version, "index_ms": 0, "index_bytes": 0, "files": None, "prefix": False}

    def search(self, query, limit):
        flags = ["--format=json", f"--max-results={limit}"]
        output = run([self.probe, "search", *flags, "--", query, "."], cwd=self.root)
        blocks = report(output.stdout)["results"]
        return [hit(inside(block["file"], self.root), *block["lines"]) for block in blocks], output.ms


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
