"""Checks of `scent mcp` with the official clients (scripts/mcp-checks).

Each check is a function; its docstring is its name in the report. A check that
does not hold raises, and the process ends with status 1 after the others ran.
"""

import argparse
import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mcp import Client, StdioServerParameters
from mcp.types import ResourceTemplateReference

CORE = ["search", "def", "refs", "impact", "deps", "outline"]
ERAS = {"legacy": "2025-11-25", "modern": "2026-07-28"}
MODES = {"legacy": "legacy", "modern": "2026-07-28"}

# A tool, its arguments, and the command that prints the same.
SAME = [
    ("search", {"query": "wait before the next attempt"}, ["wait before the next attempt"]),
    ("search", {"query": "retry", "limit": 2}, ["retry", "-k", "2"]),
    ("search", {"pattern": "def \\w+", "paths": "src"}, ["-e", "def \\w+", "src"]),
    ("def", {"name": "retry_delay"}, ["def", "retry_delay"]),
    ("def", {"name": "retry*"}, ["def", "retry*"]),
    ("def", {"name": "Policy"}, ["def", "Policy"]),
    ("refs", {"name": "retry_delay"}, ["refs", "retry_delay"]),
    ("refs", {"name": "src/retry.py:4"}, ["refs", "src/retry.py:4"]),
    ("refs", {"name": "wait", "role": "call"}, ["refs", "wait", "--role", "call"]),
    ("impact", {"target": "retry_delay"}, ["impact", "retry_delay"]),
    ("impact", {"target": ["src/retry.py"]}, ["impact", "src/retry.py"]),
    ("impact", {"target": "send", "to": "retry_delay"}, ["callpath", "send", "retry_delay"]),
    ("deps", {"path": "src/client.py"}, ["deps", "src/client.py"]),
    ("deps", {"path": "src/retry.py", "reverse": True}, ["deps", "src/retry.py", "--reverse"]),
    ("deps", {"path": "src"}, ["deps", "src"]),
    ("outline", {"paths": ["src/retry.py"]}, ["outline", "src/retry.py"]),
    ("outline", {"paths": ["src"]}, ["outline", "src"]),
    ("outline", {}, ["map"]),
]

RETRY = '''"""Waiting between attempts."""


def retry_delay(attempt):
    """How long to wait before the next attempt."""
    return 100 << attempt


class Policy:
    def next(self):
        return retry_delay(3)
'''

CLIENT = '''from retry import retry_delay


def wait(seconds):
    pass


def send(request):
    """Sends a request, and sends it again."""
    for attempt in range(3):
        wait(retry_delay(attempt))
'''


class World:
    """A project, a home, and a folder for indexes, all of them temporary."""

    def __init__(self, options, files=None):
        self.options = options
        self.base = Path(tempfile.mkdtemp(prefix="scent-mcp-")).resolve()
        self.root, self.home = self.base / "project", self.base / "home"
        (self.root / ".git").mkdir(parents=True)
        self.home.mkdir()
        (self.root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        self.write(files or {"src/retry.py": RETRY, "src/client.py": CLIENT})

    def write(self, files):
        for path, text in files.items():
            path = self.root / path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.base, ignore_errors=True)

    def env(self):
        return {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "SCENT_DATA_DIR": str(self.base / "data"),
        }

    def scent(self, *args):
        command = [self.options.program, *args]
        done = subprocess.run(command, env=self.env(), cwd=self.root, capture_output=True, text=True)
        assert done.returncode < 2, (args, done.stderr)
        return done.stdout

    def client(self, *args, mode="auto", cwd=None, **more):
        server = StdioServerParameters(
            command=self.options.program, args=["mcp", *args], env=self.env(), cwd=cwd or self.root
        )
        return Client(server, mode=mode, cache=None, **more)

    def inspect(self, *args, server=()):
        command = [self.options.node, self.options.inspector, "--cli", "--format", "json"]
        for name, value in self.env().items():
            command += ["-e", f"{name}={value}"]
        command += ["--cwd", str(self.root), *args, "--", self.options.program, "mcp", *server]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, (args, done.returncode, done.stderr)
        return done.stdout, done.stderr


def text_of(result):
    return "".join(block.text for block in result.content)


def body(text):
    """An answer without the notes below it."""
    return text.split("note: ")[0].rstrip()


def answers_of(output):
    return json.loads(output.strip().splitlines()[-1])["result"]


def both_eras(options):
    """1. both forms of the protocol, at once and without an index"""
    with World(options) as world:
        told = set()
        for era, version in ERAS.items():
            output, _ = world.inspect("--method", "initialize", "--protocol-era", era)
            met = answers_of(output)
            assert met["serverInfo"]["name"] == "scent", met
            assert met["protocolVersion"] == version, met
            told.add(met["instructions"])
        assert len(told) == 1 and 1 <= len(told.pop()) <= 2000
        times = [first_answer(world) for _ in range(10)]
        assert min(times) < 0.2, times
        assert not (world.base / "data").exists(), "nothing is indexed unless asked for"
        return f"first answer {1000 * sorted(times)[5]:.1f} ms after the start"


def first_answer(world):
    """How long it takes from the start of a server to its first answer."""
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "check", "version": "1"},
        },
    }
    began = time.monotonic()
    server = start(world)
    server.stdin.write(json.dumps(hello).encode() + b"\n")
    server.stdin.flush()
    server.stdout.readline()
    took = time.monotonic() - began
    server.stdin.close()
    assert server.wait(5) == 0
    return took


def start(world, *args, **more):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    command = [world.options.program, "mcp", *args]
    return subprocess.Popen(command, env=world.env(), cwd=world.root, **{**pipes, **more})


def nothing_else_is_written(options):
    """2. standard output is for the protocol alone; the server goes with its parent"""
    with World(options) as world:
        server = start(world, stderr=subprocess.PIPE)
        server.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        server.stdin.flush()
        notes = ""
        if sys.platform == "linux":
            time.sleep(0.3)
            streams = [os.readlink(f"/proc/{server.pid}/fd/{n}") for n in (1, 2)]
            assert streams[0] == streams[1], streams
            notes = "what writes to descriptor 1 reaches standard error; "
        server.stdin.close()
        server.wait(5)
        # A parent that is killed leaves its pipes to whoever else holds them.
        read, write = os.pipe()
        program = "import subprocess, sys; p = subprocess.Popen(sys.argv[1:]); print(p.pid, flush=True); p.wait()"
        parent = subprocess.Popen(
            [sys.executable, "-c", program, options.program, "mcp"],
            env=world.env(), cwd=world.root, stdin=read, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )
        child = int(parent.stdout.readline())
        time.sleep(0.5)
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        began = time.monotonic()
        while is_alive(child):
            assert time.monotonic() - began < 15, "it outlives its parent"
            time.sleep(0.05)
        os.close(write)
        return f"{notes}gone {time.monotonic() - began:.1f} s after its parent"


def is_alive(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")")[1].split()[0]
        return state != "Z"
    except OSError:
        return False


def tool_list(options):
    """3. the list of tools, strict, the same and short in both forms"""
    with World(options) as world:
        lists = []
        for era in ["legacy", "modern", "modern"]:
            output, said = world.inspect("--method", "tools/list", "--strict", "--protocol-era", era)
            assert "warning" not in said.lower() and "portab" not in said.lower(), said
            tools = answers_of(output)["tools"]
            assert [tool["name"] for tool in tools] == CORE, tools
            for tool in tools:
                hints = tool["annotations"]
                assert hints["readOnlyHint"] and hints["idempotentHint"], tool
                assert not hints["destructiveHint"] and not hints["openWorldHint"], tool
                assert 40 <= len(tool["description"]) <= 600, tool["name"]
            lists.append(json.dumps(tools, separators=(",", ":")))
        assert len(set(lists)) == 1 and len(lists[0]) < 8000, len(lists[0])
        output, _ = world.inspect("--method", "tools/list", "--strict", server=["--tools", "all"])
        names = [tool["name"] for tool in answers_of(output)["tools"]]
        assert names == [*CORE, "similar", "callpath", "status"], names
        return f"{len(lists[0])} characters, no warning"


async def answers(options):
    """4. answers are what the commands print; structured ones keep their schema"""
    with World(options) as world:
        world.scent("index")
        for mode in MODES.values():
            async with world.client(mode=mode) as client:
                for tool, arguments, command in SAME:
                    tokens = "2000" if tool == "search" else "1500"
                    want = world.scent(*command, "--max-tokens", tokens, "-q").rstrip()
                    told = await client.call_tool(tool, arguments)
                    assert not told.is_error, (tool, arguments, text_of(told))
                    assert told.structured_content is None
                    assert body(text_of(told)) == want, (tool, arguments, text_of(told), want)
        checked = 0
        for mode in MODES.values():
            async with world.client("--structured", "--tools", "all", mode=mode) as client:
                listed = await client.list_tools()
                assert all(tool.output_schema for tool in listed.tools)
                calls = [(tool, arguments) for tool, arguments, _ in SAME]
                calls += [("status", {}), ("callpath", {"from": "send", "to": "retry_delay"})]
                calls += [("similar", {"place": "src/retry.py:4"})]
                for tool, arguments in calls:
                    # The client holds the data against the schema.
                    told = await client.call_tool(tool, arguments)
                    assert not told.is_error, (tool, text_of(told))
                    assert told.structured_content == json.loads(text_of(told)), tool
                    checked += 1
        output, _ = world.inspect(
            "--method", "tools/call", "--tool-name", "def", "--tool-args-json", '{"name": "retry_delay"}'
        )
        told = answers_of(output)["content"][0]["text"]
        assert body(told) == world.scent("def", "retry_delay", "-q").rstrip(), told
        return f"{2 * len(SAME)} answers equal, {checked} hold their schema"


async def resources(options):
    """4b. resources and completions"""
    with World(options) as world:
        world.scent("index")
        async with world.client() as client:
            listed = await client.list_resources()
            assert [str(r.uri) for r in listed.resources] == ["scent://map", "scent://status"]
            templates = (await client.list_resource_templates()).resource_templates
            assert len(templates) == 5, templates
            read = await client.read_resource("scent://file/src/retry.py")
            assert read.contents[0].text == RETRY
            read = await client.read_resource("scent://def/retry_delay")
            assert read.contents[0].text.startswith("src/retry.py:4"), read
            for uri in ["scent://file/../../etc/passwd", "scent://file/.git/HEAD", "scent://nothing"]:
                try:
                    read = await client.read_resource(uri)
                except Exception:  # noqa: BLE001 - any refusal will do
                    continue
                raise AssertionError((uri, read))
            for uri, name, begun, want in [
                ("scent://file/{+path}", "path", "src/", ["src/client.py", "src/retry.py"]),
                ("scent://file/{+path}", "path", "retry", ["src/retry.py"]),
                ("scent://def/{name}", "name", "retry_d", ["retry_delay"]),
                ("scent://def/{name}", "name", "nothing_like_it", []),
            ]:
                ref = ResourceTemplateReference(type="ref/resource", uri=uri)
                told = await client.complete(ref, {"name": name, "value": begun})
                assert told.completion.values == want, (uri, begun, told)
        return f"{len(templates)} templates"


def many_files(count):
    """A generated project; what is looked for is in its last file."""
    files = {}
    for n in range(count):
        body = f"def compute_{n}(value):\n    return helper(value + {n})\n\n\ndef helper(value):\n    return value\n"
        files[f"pkg{n // 100:03}/mod{n:05}.py"] = body
    last = f"pkg{(count - 1) // 100:03}/zebra.py"
    files[last] = "def zebra_crossing(street):\n    return street.stripes\n"
    return files


async def budgets(options):
    """5. budgets hold, and pages join"""
    with World(options, many_files(300)) as world:
        world.scent("index")
        checked = 0
        async with world.client() as client:
            for budget in [200, 1000, 8000, 100_000]:
                calls = [("search", {"query": f"compute value {n}"}) for n in range(50)]
                calls += [("refs", {"name": "helper"})]
                calls += [("outline", {"paths": [f"pkg000/mod{n:05}.py" for n in range(20)]})]
                for tool, arguments in calls:
                    told = text_of(await client.call_tool(tool, {**arguments, "max_tokens": budget}))
                    most = min(budget, 8000) * 1.1
                    assert len(told.encode()) / 4 <= most, (tool, budget, len(told))
                    checked += 1
            seen, offset = [], 0
            while True:
                arguments = {"name": "helper", "max_tokens": 2000, "offset": offset, "format": "json"}
                page = json.loads(text_of(await client.call_tool("refs", arguments)))
                seen += [(r["path"], r["line"]) for r in page["references"]]
                offset += len(page["references"])
                if not page["references"] or offset >= page["total"]:
                    break
        assert len(seen) == len(set(seen)) == page["total"], (len(seen), page["total"])
        return f"{checked} answers within their budgets, {len(seen)} references in pages"


async def cold(options):
    """6. a first call is told how far it is, and answered in time"""
    patience, seconds = 3, []
    with World(options, many_files(options.files)) as world:
        for mode in MODES.values():
            shutil.rmtree(world.base / "data", ignore_errors=True)
            async with world.client("--patience", str(patience), mode=mode) as client:
                heard = []

                async def hear(progress, total, message):
                    heard.append((progress, message))

                began = time.monotonic()
                told = await client.call_tool("search", {"query": "zebra crossing"}, progress_callback=hear)
                took = time.monotonic() - began
                assert not told.is_error, text_of(told)
                assert took < patience + 2 * options.slack, took
                rising = [progress for progress, _ in heard]
                assert len(rising) >= 2 and rising == sorted(set(rising)), heard
                said = [line for line in text_of(told).splitlines() if "indexed" in line]
                is_there = "zebra_crossing" in body(text_of(told))
                assert said or is_there, f"a partial answer says so: {text_of(told)}"
                while "zebra_crossing" not in body(text_of(told)).partition("\n")[0]:
                    assert time.monotonic() - began < 100, text_of(told)
                    await asyncio.sleep(1)
                    told = await client.call_tool("search", {"query": "zebra crossing"})
                all_there = time.monotonic() - began
                seconds.append(f"{took:.1f} s{f' ({said[0]}), complete after {all_there:.0f} s' if said else ''}")
            subprocess.run(["sleep", "0.2"], check=True)
        return f"{options.files} files, patience {patience} s: answered in {', '.join(seconds)}"


async def load(options):
    """7. cancelled calls, load, and twenty servers on one cold project"""
    notes = []
    with World(options, many_files(1500)) as world:
        async with world.client("--patience", "60") as client:
            try:
                await asyncio.wait_for(client.call_tool("search", {"query": "zebra"}), 0.5)
            except (asyncio.TimeoutError, TimeoutError):
                pass
            told = await client.call_tool("def", {"name": "zebra_crossing"})
            assert "zebra.py:1" in text_of(told), text_of(told)
        world.scent("index", "--wait")
        arguments = json.dumps({"query": "zebra crossing"})
        output, _ = world.inspect(
            "-q", "--method", "tools/call", "--tool-name", "search", "--tool-args-json", arguments,
            "--load", "--load-requests", "500", "--load-concurrency", "8",
        )
        summary = json.loads(output.strip().splitlines()[-1])
        summary = summary.get("result", summary)
        errors, p99 = figure(summary, "errors"), figure(summary, "p99")
        assert errors == 0, summary
        assert p99 < 250 * options.slack, summary
        notes.append(f"500 calls at 8: p99 {p99:.0f} ms")
    with World(options, many_files(1500)) as world:
        notes.append(await twenty(world))
    return "; ".join(notes)


def figure(summary, name):
    """A number of a summary, however deep in it."""
    for key, value in summary.items():
        if key.lower().replace("_", "").startswith(name) and isinstance(value, (int, float)):
            return value
        if isinstance(value, dict):
            found = figure(value, name)
            if found is not None:
                return found
    return None


async def twenty(world):
    clients = [world.client("--patience", "60") for _ in range(20)]
    for client in clients:
        await client.__aenter__()
    most_workers, done = 0, asyncio.Event()

    async def watch():
        nonlocal most_workers
        while not done.is_set():
            most_workers = max(most_workers, len(processes(world, "worker")))
            await asyncio.sleep(0.05)

    watching = asyncio.create_task(watch())
    calls = [client.call_tool("def", {"name": "zebra_crossing"}) for client in clients]
    for told in await asyncio.gather(*calls):
        assert "zebra.py:1" in text_of(told), text_of(told)
    done.set()
    await watching
    assert most_workers <= 1, most_workers
    total = sum(pss(pid) for pid in processes(world, "mcp"))
    count = len(processes(world, "mcp"))
    for client in reversed(clients):
        await client.__aexit__(None, None, None)
    assert count == 20, count
    assert total < 20 * 40 * 1024, total
    generations = len(list((world.base / "data").glob("*-v*")))
    assert generations == 1, generations
    return f"20 servers, {most_workers} indexer beside them, {total / 1024:.0f} MB together"


def processes(world, command):
    """The processes of this world that run a command of scent."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            environment = (folder / "environ").read_bytes()
        except OSError:
            continue
        data = f"SCENT_DATA_DIR={world.base / 'data'}".encode()
        if command.encode() in words[1:] and data in environment.split(b"\0"):
            found.append(int(folder.name))
    return found


def pss(pid):
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1])
    return 0


async def places(options):
    """8. which project is meant, and fresh answers"""
    with World(options) as world:
        async with world.client(cwd="/") as client:
            told = await client.call_tool("def", {"name": "retry_delay"})
            assert told.is_error and "root" in text_of(told), text_of(told)
            told = await client.call_tool("def", {"name": "retry_delay", "root": str(world.root)})
            assert text_of(told).startswith("src/retry.py:4"), text_of(told)
            told = await client.call_tool("search", {"query": "root", "root": "/etc"})
            assert told.is_error, text_of(told)
        async with world.client() as client:
            world.write({"src/new.py": "def brand_new():\n    pass\n"})
            told = await client.call_tool("def", {"name": "brand_new"})
            assert text_of(told).startswith("src/new.py:1"), text_of(told)
            (world.root / "src/new.py").unlink()
            told = await client.call_tool("def", {"name": "brand_new"})
            assert "no symbol" in text_of(told), text_of(told)
            told = await client.call_tool("search", {"q": "retry", "top_k": "1", "path": "src", "frob": 1})
            assert "ignored: frob" in text_of(told), text_of(told)
        return "as documented"


CHECKS = [
    both_eras, nothing_else_is_written, tool_list, answers, resources, budgets, cold, load, places,
]


def reasons(error):
    """What went wrong, also where several things did at once."""
    if isinstance(error, BaseExceptionGroup):
        return [reason for inner in error.exceptions for reason in reasons(inner)]
    return [f"{type(error).__name__}: {error}"]


def main():
    parser = argparse.ArgumentParser()
    for name in ["program", "node", "inspector"]:
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--files", type=int, default=6000, help="files of the cold project")
    parser.add_argument("--only", help="a part of the name of a check")
    options = parser.parse_args()
    # What is not optimised is only held to a limit that a hang would break, and
    # nothing to one that a busy machine makes impossible.
    busy = os.getloadavg()[0] / (os.cpu_count() or 1)
    options.slack = 8 if "/debug/" in options.program else max(1.0, busy)
    failed = 0
    for check in CHECKS:
        if options.only and options.only not in check.__name__:
            continue
        began = time.monotonic()
        try:
            note = asyncio.run(check(options)) if asyncio.iscoroutinefunction(check) else check(options)
            verdict = "ok"
        except BaseException as error:  # noqa: BLE001 - all of them are reported
            if isinstance(error, KeyboardInterrupt):
                raise
            failed += 1
            verdict, note = "FAILED", " / ".join(reasons(error))
        print(f"{verdict:6} {check.__doc__} [{time.monotonic() - began:.1f} s]\n       {note}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
