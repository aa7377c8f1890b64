"""scent itself, as people run it: a new process for every question, from a cold start.

The harness also runs scent inside its own process. This adapter shows that the
program gives the same answers, and what a process costs in time and memory.
What scent leaves out by itself (generated and minified files, what ignore files
name) stays out here too: that is what its users get.
"""

import json
import os

from adapter import Adapter, Failure, fresh, hit, line_hit, program, run, serve

INSTALL = "cargo install --profile dist --locked --path crates/cli"

ALL = 100_000  # more than any name has places


class ScentProcess(Adapter):
    def prepare(self):
        self.scent = program("scent", "SCENT", INSTALL)
        self.env = {key: value for key, value in os.environ.items() if not key.startswith("SCENT_")}
        # Neither the user's settings nor Git's global excludes may change results.
        self.env["XDG_CONFIG_HOME"] = os.path.join(self.work, "config")
        self.data = fresh(self.work, "data")
        version = self.call(["--version"]).stdout.strip()
        indexed = self.call(["index", self.root])
        status = json.loads(self.call(["status", "--json", self.root]).stdout)
        if os.path.realpath(status["root"]) != self.root:
            raise Failure(f"scent indexed {status['root']}")
        return {
            "version": version,
            "index_ms": indexed.ms,
            "index_bytes": status["index_bytes"],
            "files": status["files"],
            "prefix": True,
        }

    def call(self, arguments, good=(0,)):
        flags = ["--data-dir", self.data, "--exact", "--quiet"]
        return run([self.scent, *flags, *arguments], cwd=self.root, env=self.env, good=good)

    def ask(self, flags, query, limit):
        """Results and the time; the long form, because a query may be the name of a command."""
        asked = self.call(["search", "--json", f"--limit={limit}", *flags, "--", query, self.root], good=(0, 1))
        return json.loads(asked.stdout)["results"], asked.ms

    def search(self, query, limit):
        results, ms = self.ask([], query, limit)
        return [hit(r["path"], r["start_line"], r["end_line"], r["snippet_lines"]) for r in results], ms

    def define(self, name):
        found, ms = self.look(["def", f"--limit={ALL}", "--", name, self.root])
        return [line_hit(d["path"], d["line"]) for d in found["definitions"]], ms

    def refer(self, name):
        flags = ["--no-tests", "--no-vendored", "--include-text", f"--limit={ALL}"]
        found, ms = self.look(["refs", *flags, "--", name, self.root])
        return [line_hit(u["path"], u["line"]) for u in found["uses"]], ms

    def depend(self, path):
        path = os.path.join(self.root, path)
        imports, ms = self.look(["deps", "--", path])
        importers, more = self.look(["deps", "--reverse", "--no-tests", "--", path])
        imported = {to for dependency in imports["dependencies"] for to in dependency["to"]}
        importing = {dependency["from"] for dependency in importers["dependencies"]}
        return sorted(imported), sorted(importing), ms + more

    def look(self, arguments):
        asked = self.call([arguments[0], "--json", *arguments[1:]], good=(0, 1))
        return json.loads(asked.stdout), asked.ms


if __name__ == "__main__":
    serve(ScentProcess())
