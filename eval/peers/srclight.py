"""srclight: full-text search over symbols in SQLite, here without its optional embeddings.

It leaves a mark in the project even when the database is elsewhere, so it works
on a copy. It leaves out what ignore files name and has no switch for that.
"""

import json
import os
import re
import sqlite3

from adapter import Adapter, copy_of, fresh, hit, line_hit, program, run, serve

INSTALL = "pip install srclight"

ALL = 1000  # more than any name has places


class Srclight(Adapter):
    def prepare(self):
        self.srclight = program("srclight", "SRCLIGHT", INSTALL)
        self.db = fresh(self.work, "index.db")
        home = os.path.join(self.work, "home")
        os.makedirs(home, exist_ok=True)
        self.env = {**os.environ, "HOME": home}
        version = self.call(["--version"], self.work).stdout.split()[-1]
        self.tree = copy_of(self.root, self.work)
        made = self.call(["index", f"--db={self.db}", self.tree], self.work)
        files = re.search(r"Files indexed:\s*(\d+)", made.stdout)
        self.lines = symbol_lines(self.db)
        return {
            "version": f"srclight {version}",
            "index_ms": made.ms,
            "index_bytes": os.path.getsize(self.db),
            "files": int(files.group(1)) if files else None,
            "prefix": False,
        }

    def call(self, arguments, cwd):
        return run([self.srclight, *arguments], cwd=cwd, env=self.env)

    def ask(self, query, limit):
        """Found symbols, each with its lines, and the time."""
        asked = self.call(["search", "--json-output", f"--limit={limit}", f"--db={self.db}", "--", query], self.tree)
        start = asked.stdout.find("[")
        found = json.loads(asked.stdout[start:]) if start >= 0 else []
        return [(each, self.lines.get(each["symbol_id"], (None, None))) for each in found], asked.ms

    def search(self, query, limit):
        found, ms = self.ask(query, limit)
        return [hit(each["file"], *lines) for each, lines in found], ms

    def define(self, name):
        found, ms = self.ask(name, ALL)
        places = dict.fromkeys((each["file"], lines[0]) for each, lines in found if each["name"] == name and lines[0])
        return [line_hit(*place) for place in places], ms


def symbol_lines(db):
    """The lines of every symbol: its answers name files but no lines."""
    connection = sqlite3.connect(db)
    try:
        return {row[0]: row[1:] for row in connection.execute("SELECT id, start_line, end_line FROM symbols")}
    finally:
        connection.close()


if __name__ == "__main__":
    serve(Srclight())
