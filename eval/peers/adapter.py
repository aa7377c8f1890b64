"""The loop that every peer's adapter shares: JSON lines in, JSON lines out.

An adapter is a class with the methods of `Adapter` that its tool can do, handed
to `serve`. README.md describes the protocol.
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path


class Failure(Exception):
    """Something a person can act on; its text is the answer's error."""


class Unsupported(Exception):
    """The tool has no way to do what was asked."""


class Adapter:
    """What a peer may be asked. Whatever is not overridden is unsupported."""

    root = None  # the folder to search, once prepared
    work = None  # a folder of ours to write in

    def prepare(self):
        """Make what the tool needs; return version, index_ms, index_bytes, files, prefix."""
        raise NotImplementedError

    def search(self, query, limit):
        """Return (hits, ms), the best hit first."""
        raise Unsupported

    def define(self, name):
        """Return (hits, ms): the lines where the name is defined."""
        raise Unsupported

    def refer(self, name):
        """Return (hits, ms): the lines where the name is used."""
        raise Unsupported

    def depend(self, path):
        """Return (imports, importers, ms)."""
        raise Unsupported

    def dead(self):
        """Return (names, ms): what nothing refers to."""
        raise Unsupported

    def peak_bytes(self):
        """The most memory that the tool held at once.

        A child counts from before its exec, when it still shares this process's
        memory: for a command line tool, anything below what Python takes (about
        15 MB) cannot be seen.
        """
        return peak(resource.RUSAGE_CHILDREN)


def peak(who):
    """Peak resident bytes of this process or of the largest child waited for."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(who).ru_maxrss * unit


def hit(path, start=None, end=None, shown=None):
    """A result; `shown` are the numbers of the lines that a user sees, where these are not all."""
    found = {"path": path, "start": start, "end": end}
    return found if shown is None else {**found, "shown": shown}


def line_hit(path, line):
    return hit(path, line, line)


def tidy(path):
    """A path as tools print it, as the harness wants it: relative, with slashes."""
    path = path.replace(os.sep, "/")
    return path[2:] if path.startswith("./") else path


def inside(path, root):
    """A path that may be absolute, relative to the root."""
    if os.path.isabs(path):
        path = os.path.relpath(path, root)
    return tidy(path)


class Output:
    """What a finished command left, and how long it took."""

    def __init__(self, code, stdout, stderr, ms):
        self.code = code
        self.stdout = stdout
        self.stderr = stderr
        self.ms = ms

    def complaint(self):
        return " ".join(self.stderr.split())[:500] or f"exit status {self.code}"


# How long a command may take, in seconds: what the request says, so that no
# tool runs on when the harness has given the question up.
patience = 600


def run(command, cwd, env=None, good=(0,)):
    """Run a command to its end, its start included in the time.

    A path that is not UTF-8 comes back with replacement characters: JSON cannot
    carry the bytes.
    """
    if any("\0" in argument for argument in command):
        raise Failure("a NUL byte cannot be passed on a command line")
    start = time.perf_counter()
    try:
        done = subprocess.run(
            command,
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=patience,
        )
    except subprocess.TimeoutExpired:
        raise Failure(f"{os.path.basename(command[0])} took longer than {patience} s")
    except OSError as error:
        raise Failure(f"{os.path.basename(command[0])} could not be run: {error.strerror}")
    ms = (time.perf_counter() - start) * 1000
    output = Output(
        done.returncode,
        done.stdout.decode("utf-8", "replace"),
        done.stderr.decode("utf-8", "replace"),
        ms,
    )
    if output.code not in good:
        raise Failure(f"{os.path.basename(command[0])} failed: {output.complaint()}")
    return output


def program(name, variable, install):
    """The program that the environment variable names, or the one on the PATH."""
    named = os.environ.get(variable)
    found = shutil.which(named or name)
    if found is None:
        where = f"{variable} names {named}, which cannot be run" if named else f"{name} is not on the PATH"
        raise Failure(f"{where}; install it ({install}) or set {variable}")
    # Commands run in other folders than this one.
    return os.path.abspath(found)


def fresh(work, name):
    """A path in the work folder with nothing of an earlier run."""
    path = os.path.join(work, name)
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.remove(path)
    return path


def copy_of(root, work):
    """A copy of the corpus, for tools that write into the project."""
    return shutil.copytree(root, fresh(work, "tree"), symlinks=True)


def folder_bytes(folder):
    """The bytes of all files under a folder."""
    return sum(path.lstat().st_size for path in Path(folder).rglob("*") if path.is_file())


def text(request, key):
    value = request.get(key)
    if not isinstance(value, str):
        raise Failure(f"{request.get('do')} needs a text as {key}")
    return value


def prepare(adapter, request):
    root, work = text(request, "root"), text(request, "work")
    if not os.path.isdir(root):
        raise Failure(f"there is no folder {root}")
    os.makedirs(work, exist_ok=True)
    # The real path: some tools print it, and it has to be cut off again.
    adapter.root, adapter.work = os.path.realpath(root), os.path.abspath(work)
    try:
        return adapter.prepare()
    except BaseException:
        adapter.root = None  # so that later requests say what is missing
        raise


def search(adapter, request):
    query = text(request, "query")
    limit = request.get("limit", 10)
    if not isinstance(limit, int) or limit < 1:
        raise Failure("search needs a limit of at least 1")
    if type(adapter).search is Adapter.search:
        raise Unsupported
    if not query.strip():
        # Some tools refuse this and some match everything; neither says anything about ranking.
        return {"hits": [], "ms": 0.0}
    hits, ms = adapter.search(query, limit)
    return {"hits": hits[:limit], "ms": ms}


def named(method, request):
    name = text(request, "name")
    if not name.strip():
        return {"hits": [], "ms": 0.0}
    hits, ms = method(name)
    return {"hits": hits, "ms": ms}


def depend(adapter, request):
    imports, importers, ms = adapter.depend(text(request, "path"))
    return {"imports": imports, "importers": importers, "ms": ms}


def dead(adapter):
    names, ms = adapter.dead()
    return {"names": names, "ms": ms}


def answer(adapter, request):
    do = request.get("do") if isinstance(request, dict) else None
    if do == "end":
        return {"peak_bytes": adapter.peak_bytes()}
    if do == "prepare":
        return prepare(adapter, request)
    if do not in ("search", "define", "refer", "depend", "dead"):
        raise Failure(f"there is nothing called {do!r} to do")
    if adapter.root is None:
        raise Failure(f"{do} before a prepare that worked")
    if do == "search":
        return search(adapter, request)
    if do == "define":
        return named(adapter.define, request)
    if do == "refer":
        return named(adapter.refer, request)
    if do == "depend":
        return depend(adapter, request)
    return dead(adapter)


def reply(adapter, line):
    """The answer to one line; whatever goes wrong is an answer too."""
    try:
        request = json.loads(line)
    except ValueError as error:
        return {"error": f"the request is not JSON: {error}"}, False
    last = False
    if isinstance(request, dict):
        global patience
        patience = request.get("patience", patience)
        last = request.get("do") == "end"
    try:
        return answer(adapter, request), last
    except Unsupported:
        return {"unsupported": True}, last
    except Failure as failure:
        return {"error": str(failure)}, last
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}, last


def serve(adapter):
    """Answer requests until `end` or the end of the input."""
    # What a package prints would break the protocol: it goes to standard error.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        said, last = reply(adapter, line)
        answers.write(json.dumps(said) + "\n")
        answers.flush()
        if last:
            return
