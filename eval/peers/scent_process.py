"""scent itself, as people run it: a new process for every question, from a cold start.

The harness also runs scent inside its own process. This adapter shows that the
program gives the same answers, and what a process costs in time and memory.
What scent leaves out by itself (generated and minified files, what ignore files
name) stays out here too: that is what its users get.
"""

import itertools
import json
import os
import re

from adapter import Adapter, Failure, fresh, hit, line_hit, program, run, serve

INSTALL = "cargo install --path crates/cli"

ALL = 100_000  # more than any name has places

COMMENT = re.compile(r"^\s*(?://|/\*|\*|#(?!\s*define\b)|--|;|%|\"\"\"|''')")


def word(name):
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")


def definition_line(result, lines, name):
    """The line of a unit on which its name is defined.

    A unit starts with its comments, decorators and attributes. The line that the
    signature begins with is the best guess, then the first that is no comment.
    """
    named = word(name)
    code = [(number, line) for number, line in lines if named.search(line) and not COMMENT.match(line)]
    signature = (result.get("signature") or "").strip()
    for number, line in code:
        text = line.strip().rstrip("{:;, ")
        if signature and text and (text.startswith(signature) or signature.startswith(text)):
            return number
    return code[0][0] if code else result["start_line"]


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
        return [hit(r["path"], r["start_line"], r["end_line"]) for r in results], ms

    def define(self, name):
        results, ms = self.ask([], name, ALL)
        return [line_hit(*place) for place in self.definitions(results, name)], ms

    def refer(self, name):
        results, ms = self.ask(["-F", "-w", "-s"], name, ALL)
        named = word(name)
        found = {(r["path"], number) for r in results for number, line in self.lines(r) if named.search(line)}
        return [line_hit(*place) for place in sorted(found.difference(self.definitions(results, name)))], ms

    def definitions(self, results, name):
        """The places where the units of this name define it, in the order of the results."""
        units = (r for r in results if r["name"] == name)
        return dict.fromkeys((r["path"], definition_line(r, self.lines(r), name)) for r in units)

    def lines(self, result):
        """The numbered lines of a unit, from its file: an answer shows some of them, and cuts long ones."""
        path = os.path.join(self.root, result["path"])
        with open(path, encoding="utf-8", errors="replace", newline="\n") as file:
            first, last = result["start_line"], result["end_line"]
            return list(enumerate(itertools.islice(file, first - 1, last), first))


if __name__ == "__main__":
    serve(ScentProcess())
