#!/usr/bin/env python3
"""Every adapter against a tiny corpus: the protocol, hostile questions, and that the corpus stays as it was."""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import ripgrep  # noqa: E402

# name, command after the interpreter, what it can be asked, the variable that names its tool
PEERS = [
    ("ripgrep", ["ripgrep.py", "whole"], {"search", "define", "refer"}, "RG"),
    ("ripgrep-words", ["ripgrep.py", "words"], {"search", "define", "refer"}, "RG"),
    ("semble-bm25-raw", ["semble_bm25.py", "raw"], {"search"}, "SEMBLE_PYTHON"),
    ("semble-bm25", ["semble_bm25.py", "ranked"], {"search"}, "SEMBLE_PYTHON"),
    ("probe", ["probe.py"], {"search"}, "PROBE"),
    ("codegraph", ["codegraph.py"], {"search", "define", "refer"}, "CODEGRAPH"),
    ("srclight", ["srclight.py"], {"search", "define"}, "SRCLIGHT"),
    ("ctags", ["ctags.py"], {"define"}, "CTAGS"),
    ("scent-process", ["scent_process.py"], {"search", "define", "refer", "depend"}, "SCENT"),
]

FILES = {
    "src/backoff.py": '''"""Waiting between attempts."""

import random


def retry_delay(attempt, base=0.5):
    """The seconds to wait before the next attempt."""
    return base * 2 ** attempt + random.random()


class Backoff:
    def next(self):
        self.attempt += 1
        return retry_delay(self.attempt)
''',
    "src/client.js": """const { send } = require('./wire');

function fetchPage(url) {
  return send({ url });
}

module.exports = { fetchPage };
""",
    "src/deep er/naïve name.py": "def parse_header(line):\n    return line.split(':', 1)\n",
    "src/wire.go": "package wire\n\nfunc OpenSocket(port int) error {\n\treturn nil\n}\n",
    "src/.hidden.py": "def hidden_helper():\n    return 1\n",
    "crlf.py": "def carriage():\r\n    return 1\r\n",
    "README.md": "# Tiny\n\nA corpus for tests; `retry_delay` waits.\n",
    "empty.py": "",
}

HOSTILE = [
    "--help",
    "-e",
    "-F",
    "--",
    "-",
    "@file",
    "status",
    '"',
    "'",
    'say "hello" and \'bye\'',
    "two\nlines",
    "retry_delay\n--help\r\n",
    "tab\there",
    "[",
    "(",
    "*",
    "a{3,",
    "a.*b|c\\",
    "$(touch x) `touch y` ; touch z",
    "%s %d {} {",
    "{\n",
    '{"results": []}',
    "name:* OR NEAR(",
    "naïve ünïcode 検索",
    "\u2028",
    "a\0b",
    ".",
    "../../etc/passwd",
    "x" * 10_000,
    "retry delay " * 850,
]


SKIPPED = set()  # peers whose tool is missing, each told once


class Process:
    """An adapter that runs, to be asked one line at a time."""

    def __init__(self, command, env=None):
        self.process = subprocess.Popen(
            [sys.executable, *command],
            cwd=HERE,
            env={**os.environ, **(env or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )

    def line(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def ask(self, **request):
        return self.line(json.dumps(request))

    def close(self):
        self.process.stdin.close()
        code = self.process.wait(timeout=60)
        self.process.stdout.close()
        return code


def write_corpus(root):
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    (root / "data.bin").write_bytes(bytes(range(256)) * 8)


def snapshot(root):
    """Everything about a folder that writing to it would change."""
    seen = {}
    for path in [root, *sorted(root.rglob("*"))]:
        info = path.lstat()
        held = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        seen[str(path)] = (info.st_mode, info.st_mtime_ns, held)
    return seen


class PeerTest:
    """The same tests for every peer; the subclasses are made below."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve() / "root"
        self.work = Path(folder.name).resolve() / "work"
        write_corpus(self.root)
        self.before = snapshot(self.root)
        self.peer = Process(self.command)
        self.addCleanup(self.peer.close)
        self.prepared = self.prepare(self.peer)
        if "error" in self.prepared:
            self.assertIn("install", self.prepared["error"])
            if self.name not in SKIPPED:
                SKIPPED.add(self.name)
                print(f"\nSKIPPED: {self.name}: {self.prepared['error']}", file=sys.stderr)
            self.skipTest(self.prepared["error"])

    def prepare(self, peer):
        return peer.ask(do="prepare", root=str(self.root), work=str(self.work), name="tiny")

    def check_hits(self, answer, limit=None):
        self.assertGreaterEqual(answer["ms"], 0)
        if limit:
            self.assertLessEqual(len(answer["hits"]), limit)
        for hit in answer["hits"]:
            self.assertEqual(set(hit), {"path", "start", "end"})
            path = self.root / hit["path"]
            self.assertTrue(path.is_file(), hit)
            self.assertEqual(path.relative_to(self.root).as_posix(), hit["path"])
            if hit["start"] is not None:
                lines = path.read_bytes().count(b"\n") + 1
                self.assertTrue(1 <= hit["start"] <= hit["end"] <= lines, hit)

    def places(self, answer):
        self.check_hits(answer)
        return {(hit["path"], hit["start"]) for hit in answer["hits"]}

    def test_prepare_says_what_there_is(self):
        self.assertEqual(set(self.prepared), {"version", "index_ms", "index_bytes", "files", "prefix"})
        self.assertRegex(self.prepared["version"], r"\w+.* \d")
        self.assertIsInstance(self.prepared["prefix"], bool)
        self.assertGreaterEqual(self.prepared["index_ms"], 0)
        self.assertGreaterEqual(self.prepared["index_bytes"], 0)

    def test_a_search_finds(self):
        answer = self.peer.ask(do="search", query="retry_delay", limit=5)
        if "search" not in self.can:
            self.assertEqual(answer, {"unsupported": True})
            return
        self.check_hits(answer, 5)
        self.assertIn("src/backoff.py", [hit["path"] for hit in answer["hits"]])

    def test_more_results_keep_the_order(self):
        if "search" not in self.can or not self.prepared["prefix"]:
            return
        few = self.peer.ask(do="search", query="return", limit=2)
        many = self.peer.ask(do="search", query="return", limit=20)
        self.assertEqual(few["hits"], many["hits"][:2])

    def test_names(self):
        defined = self.peer.ask(do="define", name="retry_delay")
        if "define" in self.can:
            self.assertIn(("src/backoff.py", 6), self.places(defined))
            self.assertIn(("src/client.js", 3), self.places(self.peer.ask(do="define", name="fetchPage")))
            self.assertEqual(self.places(self.peer.ask(do="define", name="no_such_name_anywhere")), set())
        else:
            self.assertEqual(defined, {"unsupported": True})
        used = self.peer.ask(do="refer", name="retry_delay")
        if "refer" in self.can:
            self.assertIn(("src/backoff.py", 14), self.places(used))
            self.assertNotIn(("src/backoff.py", 6), self.places(used))
        else:
            self.assertEqual(used, {"unsupported": True})

    def test_the_rest_is_unsupported(self):
        depends = self.peer.ask(do="depend", path="src/client.js")
        if "depend" in self.can:
            self.assertEqual((depends["imports"], depends["importers"]), ([], []))
        else:
            self.assertEqual(depends, {"unsupported": True})
        self.assertEqual(self.peer.ask(do="dead"), {"unsupported": True})

    def test_hostile_questions_are_answered_and_nothing_is_written(self):
        for text in HOSTILE:
            with self.subTest(text=text[:40]):
                for answer in (
                    self.peer.ask(do="search", query=text, limit=3),
                    self.peer.ask(do="define", name=text),
                    self.peer.ask(do="refer", name=text),
                ):
                    if "hits" in answer:
                        self.check_hits(answer)
                    elif "error" in answer:
                        self.assertGreater(len(answer["error"]), 10)
                    else:
                        self.assertEqual(answer, {"unsupported": True})
        if "search" in self.can:
            for blank in ("", " ", "\n"):
                self.assertEqual(self.peer.ask(do="search", query=blank, limit=3), {"hits": [], "ms": 0.0})
            again = self.peer.ask(do="search", query="retry_delay", limit=5)
            self.assertIn("src/backoff.py", [hit["path"] for hit in again["hits"]])
        end = self.peer.ask(do="end")
        self.assertGreater(end["peak_bytes"], 0)
        self.assertEqual(self.peer.close(), 0)
        self.assertEqual(snapshot(self.root), self.before)

    def test_it_can_be_prepared_again(self):
        again = self.prepare(self.peer)
        self.assertEqual(again["files"], self.prepared["files"])
        self.assertEqual(again["version"], self.prepared["version"])

    def test_bad_requests_are_errors_and_do_not_end_it(self):
        for line in ("no json", "[]", "{}", '{"do":"fly"}', '{"do":"prepare"}'):
            self.assertIn("error", self.peer.line(line), line)

    def test_a_missing_tool_says_how_to_install_it(self):
        if self.variable == "SEMBLE_PYTHON":
            return  # the name is tried, and then the Python that runs
        lost = Process(self.command, {self.variable: "/no/such/tool"})
        self.addCleanup(lost.close)
        self.assertIn("install", self.prepare(lost)["error"])
        self.assertIn("prepare", lost.ask(do="search", query="x", limit=1)["error"])


for name, command, can, variable in PEERS:
    made = type(
        "Test_" + name.replace("-", "_"),
        (PeerTest, unittest.TestCase),
        {"name": name, "command": command, "can": can, "variable": variable},
    )
    globals()[made.__name__] = made
del made


class RipgrepTest(unittest.TestCase):
    def test_keywords(self):
        self.assertEqual(ripgrep.keywords("How is the Retry delay retried?"), ["retry", "delay", "retried"])
        self.assertEqual(ripgrep.keywords("what is it"), ["what", "is", "it"])
        self.assertEqual(ripgrep.keywords("?!"), [])

    def test_ranking(self):
        scores = {"b": (1, 9), "c": (2, 1), "a": (1, 9), "d": (2, 3)}
        self.assertEqual(ripgrep.rank(scores), ["d", "c", "a", "b"])

    def test_definitions(self):
        pattern = ripgrep.definition("name")
        for line in (
            "def name(self):",
            "class name:",
            "    async def name(",
            "function name(a) {",
            "export default function name() {",
            "const name = 3;",
            "let mut name = 3;",
            "pub(crate) fn name<T>(x: T) {",
            "func (s *Server) name(w io.Writer) error {",
            "fun <T> List<T>.name(): T {",
            "struct name {",
            "#define name 1",
            "static int name(void)",
            "    public static List<String> name(int a) {",
            "std::string Type::name(int a) const {",
            "name = function (a) {",
            "  name: (a) => a,",
            "proto.name = function name(x) {",
            "exports.name = other;",
            "name = 1",
            "name :: Int -> Int",
            "  name(a, b) {",
            "name() {",
            "local function M.name(x)",
        ):
            self.assertTrue(pattern.search(line), line)
        for line in (
            "return name(a)",
            "x = name(a)",
            "    name(a);",
            "if name == 1:",
            "import name",
            "from x import name",
            "new name(a",
            "class other(name):",
            "rename(a) {",
            "names = 1",
        ):
            self.assertFalse(pattern.search(line), line)


class ListTest(unittest.TestCase):
    def test_the_list_of_peers_is_the_one_tested(self):
        try:
            import tomllib
        except ImportError:
            self.skipTest("Python 3.11 or newer reads peers.toml")
        listed = tomllib.loads((HERE / "peers.toml").read_text(encoding="utf-8"))
        commands = [(p["name"], p["command"], p["variable"]) for p in listed["peer"]]
        self.assertEqual(commands, [(name, ["python3", *command], variable) for name, command, _, variable in PEERS])
        for entry in listed["published"]:
            keys = {"name", "suite", "metric", "score", "repositories", "source", "note"}
            self.assertEqual(set(entry) - {"mode"}, keys, entry["name"])
            self.assertIn(entry.get("mode"), ("chunk", "file", None))
            self.assertTrue(0 < entry["score"] <= 1)


if __name__ == "__main__":
    unittest.main()
