"""codegraph: full-text search over symbols and a graph of calls, in SQLite.

It writes its index into the project, so it works on a copy. It leaves out what
ignore files name and has no switch for that. semble's benchmark calls it with
`query --json` and a limit of 20 for 10 files.
"""

import json
import os

from adapter import Adapter, copy_of, folder_bytes, hit, line_hit, program, run, serve

INSTALL = "npm install -g @colbymchenry/codegraph"

ALL = 1000  # more than any name has places


class Codegraph(Adapter):
    def prepare(self):
        self.codegraph = program("codegraph", "CODEGRAPH", INSTALL)
        home = os.path.join(self.work, "home")
        os.makedirs(home, exist_ok=True)
        self.env = {**os.environ, "HOME": home, "CODEGRAPH_TELEMETRY": "0", "DO_NOT_TRACK": "1", "NO_COLOR": "1"}
        version = self.call(["--version"], self.work).stdout.strip()
        self.tree = copy_of(self.root, self.work)
        made = self.call(["init", self.tree], self.work)
        status = json.loads(self.call(["status", "--json", self.tree], self.work).stdout)
        return {
            "version": f"codegraph {version}",
            "index_ms": made.ms,
            "index_bytes": folder_bytes(os.path.join(self.tree, ".codegraph")),
            "files": status["fileCount"],
            "prefix": False,
        }

    def call(self, arguments, cwd):
        return run([self.codegraph, *arguments], cwd=cwd, env=self.env)

    def ask(self, command, limit, text):
        flags = ["--json", f"--limit={limit}", f"--path={self.tree}"]
        asked = self.call([command, *flags, "--", text], self.tree)
        return parsed(asked.stdout), asked.ms

    def search(self, query, limit):
        found, ms = self.ask("query", limit, query)
        nodes = (item["node"] for item in found or [])
        return [hit(node["filePath"], node["startLine"], node["endLine"]) for node in nodes], ms

    def define(self, name):
        found, ms = self.ask("query", ALL, name)
        nodes = (item["node"] for item in found or [])
        places = dict.fromkeys((node["filePath"], node["startLine"]) for node in nodes if node["name"] == name)
        return [line_hit(*place) for place in places], ms

    def refer(self, name):
        found, ms = self.ask("callers", ALL, name)
        places = {place for each in (found or {}).get("definitions", []) for place in calls(each)}
        return [line_hit(*place) for place in sorted(places)], ms


def calls(definition):
    """The lines of the calls of one definition: an edge knows the line, its caller the file."""
    files = {caller["id"]: caller["filePath"] for caller in definition["callers"]}
    edges = (edge for edge in definition["edges"] if edge.get("line") and edge["source"] in files)
    return [(files[edge["source"]], edge["line"]) for edge in edges]


def parsed(printed):
    """The JSON that was printed; a name that is not there gives a sentence instead."""
    try:
        return json.loads(printed)
    except ValueError:
        return None


if __name__ == "__main__":
    serve(Codegraph())
