#!/usr/bin/env python3
"""Collects the source code that the embedding model is trained on.

    collect.py --data DIR --exclude FILE [--mirrors DIR] [--corpora DIR]

Downloads every source named in sources.toml, keeps the files that are worth training on,
leaves out everything that belongs to an excluded repository, and writes collected.jsonl and
REPORT.md. Can be stopped and started again; finished sources are not fetched twice.
"""

import argparse
import array
import collections
import concurrent.futures
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import tomllib
from pathlib import Path

import exclude
import keep
import licences
import registries

RULES = 6  # raise when the rules for keeping files change: finished sources are then read anew
# How much of one language one source may give, against --cap-mb: evens out how common they are.
SHARE = dict.fromkeys(("bash", "zig", "kotlin"), 4.0)
MORE = "typescript csharp swift scala elixir php ruby haskell lua go javascript perl ocaml erlang"
SHARE |= dict.fromkeys(MORE.split(), 2.0)
SHARE |= {
    "python": 0.5,
    "java": 0.5,
    "c": 0.7,
    "rust": 0.8,
    "markdown": 0.2,
    "css": 0.1,
    "cmake": 0.1,
}
SAME_LINES = 0.5  # a file with more lines from the benchmarks than this is a changed copy
SAME_SHARE = 0.02  # a source with more benchmark files than this is a copy of a benchmark

# ---------------------------------------------------------------- fetching


def source_id(source):
    return f"{source['registry']}:{source['name']}"


def folder_name(source):
    version = re.sub(r"[^\w.+~-]", "_", str(source["version"]))[:40]
    return source["name"].replace("/", "+") + "@" + version


def archive_of(data, source, checksum="checksum"):
    """The archive of a source below DATA/raw, downloaded unless it is there."""
    folder = Path(data) / "raw" / source["registry"] / folder_name(source)
    return registries.bring(source, folder, source[checksum])


def mirror_of(mirrors, name):
    """The bare git directory of owner/name below a folder of mirrors, or None."""
    if not mirrors:
        return None
    for form in (name.replace("/", "+"), name.replace("/", "+") + ".git", name + ".git", name):
        for inner in ("", "repo", "repo/.git", ".git"):
            path = Path(mirrors) / form / inner
            if (path / "objects").is_dir() and (path / "HEAD").is_file():
                return path
    return None


def bring_repository(data, source, mirrors):
    """The bare git directory of a GitHub source below DATA/git (hard links where possible)."""
    target = Path(data) / "git" / source["name"].replace("/", "+")
    if not target.exists():
        part = target.with_name(target.name + ".part")
        shutil.rmtree(part, ignore_errors=True)
        part.parent.mkdir(parents=True, exist_ok=True)
        mirror = mirror_of(mirrors, source["name"])
        if mirror:

            def link(src, dst):
                try:
                    os.link(src, dst)
                except OSError:
                    shutil.copy2(src, dst)

            shutil.copytree(mirror, part, copy_function=link)
        else:
            url = f"https://github.com/{source['name']}.git"
            subprocess.run(["git", "clone", "--bare", "--quiet", url, str(part)], check=True)
        part.rename(target)
    have = subprocess.run(
        ["git", f"--git-dir={target}", "cat-file", "-e", source["version"] + "^{commit}"],
        capture_output=True,
    )
    if have.returncode:
        raise ValueError(f"commit {source['version']} is not in the repository")
    return target


def stated_version(registry, path):
    """(name, version) that the archive itself states, where the format has it."""
    names = {"crates": "Cargo.toml", "npm": "package.json", "pypi": "PKG-INFO"}
    if registry not in names:
        return None

    def wanted(name, size):
        parts = name.split("/")
        depth = len(parts) == 2 or (registry == "pypi" and parts[-1] == "METADATA")
        return (
            ""
            if depth and parts[-1] in (names[registry], "METADATA") and size < 2_000_000
            else "no"
        )

    for _, data, why in keep.archive_files(path, wanted):
        if why:
            continue
        if registry == "crates":
            package = tomllib.loads(data.decode())["package"]
            return package["name"], package["version"]
        if registry == "npm":
            package = json.loads(data.decode("utf-8-sig"))
            return package["name"], package["version"]
        text = data.decode("utf-8", "replace")
        found = re.search(r"^Version:\s*(\S+)", text, re.M)
        title = re.search(r"^Name:\s*(\S+)", text, re.M)
        if found and title:
            return title[1], found[1]
    return None


def fetch(data, source, mirrors):
    """Brings one source onto the disk and returns the local path (a folder for GitHub)."""
    if source["registry"] == "github":
        return bring_repository(data, source, mirrors)
    if "copyright_checksum" in source:
        archive_of(data, source, "copyright_checksum")
    return archive_of(data, source)


def debian_copyright(path):
    with tarfile.open(path, "r:*") as archive:
        member = archive.extractfile("debian/copyright")
        return licences.DebianCopyright(member.read().decode("utf-8", "replace"))


def process(data, source, local, exclusions=None):
    """Reads one fetched source: writes its kept files below DATA/tree, returns its state."""
    registry = source["registry"]
    rules = None
    if registry == "github":
        members = keep.git_files(local, source["version"], keep.wanted_file)
    else:
        stated = stated_version(registry, local)
        if (
            stated
            and re.sub(r"[-_.]+", "-", stated[0]).lower()
            != re.sub(r"[-_.]+", "-", source["name"]).lower()
        ):
            raise ValueError(f"archive states the name {stated[0]}")
        if stated and stated[1] != source["version"] and registry != "pypi":
            raise ValueError(f"archive states version {stated[1]}")
        if "copyright_checksum" in source:
            rules = debian_copyright(archive_of(data, source, "copyright_checksum"))
        members = keep.archive_files(local, keep.wanted_file)
    kept, dropped = keep.select_files(members, registry, rules, exclusions)
    tree = Path(data) / "tree" / registry / folder_name(source)
    shutil.rmtree(tree, ignore_errors=True)
    rows = []
    for path, language, key, content in sorted(kept):
        target = tree / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        except OSError:  # a file and a folder of one name, in archives built on other systems
            dropped["cannot be written"] += 1
            continue
        licence = rules.licence(path) if rules else source["licence"]
        rows.append([path, language, len(content), key, licence])
    return {"rules": RULES, "version": source["version"], "files": rows, "dropped": dropped}


# ---------------------------------------------------------------- putting it together


BLOCK_COMMENT = re.compile(rb"/\*.*?\*/", re.S)
COMMENT = (b"//", b"#", b"*", b"--", b";", b"import", b"use ", b"using ")
CODE = re.compile(rb"\w\(|=|\{")


def code_lines(data):
    """Hashes of the lines that are long enough to be telling, and code: no comments, no prose."""
    out = set()
    for line in BLOCK_COMMENT.sub(b"", data).split(b"\n"):
        line = line.strip()
        if len(line) > 40 and not line.startswith(COMMENT) and CODE.search(line):
            out.add(int.from_bytes(hashlib.blake2b(line, digest_size=7).digest(), "big"))
    return out


def read_corpora(corpora, cache):
    """Content keys of all source files in the benchmark corpora, and all their code lines."""
    keys, lines = set(), set()
    if not corpora:
        return keys, lines
    keys_file, lines_file = Path(f"{cache}.keys"), Path(f"{cache}.lines")
    if keys_file.exists() and lines_file.exists():
        saved = array.array("q")
        saved.frombytes(lines_file.read_bytes())
        return set(keys_file.read_text().split()), set(saved)
    for root, dirs, names in os.walk(corpora):
        dirs[:] = [d for d in dirs if d != ".git"]
        for name in names:
            path = os.path.join(root, name)
            if keep.language_of(name) in ("", "markdown") or os.path.islink(path):
                continue
            if 200 <= os.path.getsize(path) <= keep.MAX_FILE:
                data = Path(path).read_bytes()
                keys.add(keep.content_key(data))
                lines |= code_lines(data)
    lines_file.write_bytes(array.array("q", lines).tobytes())
    keys_file.write_text("\n".join(sorted(keys)))
    return keys, lines


def without_near_copies(rows, folder, lines):
    """Removes files that mostly consist of benchmark code, and sources with many such files."""
    near, code = collections.Counter(), collections.Counter()
    left, copies = [], {}
    for row in rows:
        if row["language"] != "markdown" and row["bytes"] >= 200:
            code[row["source"]] += 1
            own = code_lines((Path(folder) / row["file"]).read_bytes())
            if len(own) >= 10 and len(own & lines) > SAME_LINES * len(own):
                near[row["source"]] += 1
                continue
        left.append(row)
    for name, count in near.items():
        if count >= 3 and count > SAME_SHARE * code[name]:
            copies[name] = f"{count} of {code[name]} files are mostly benchmark code"
    return [row for row in left if row["source"] not in copies], copies, sum(near.values())


def merge(states, known, cap):
    """Removes benchmark copies and duplicates over all sources, in the order given.

    states: {id: (source, state)}. Returns the rows to write, the sources dropped as copies, and
    a count of dropped files by reason.
    """
    seen, rows = set(), []
    copies, dropped = {}, collections.Counter()
    for name, (source, state) in states.items():
        code = [f for f in state["files"] if f[1] != "markdown" and f[2] >= 200]
        same = sum(f[3] in known for f in code)
        if code and same / len(code) > SAME_SHARE:
            copies[name] = f"{same} of {len(code)} files are benchmark files"
            continue
        used = collections.Counter()
        order = sorted(state["files"], key=lambda f: hashlib.md5(f[0].encode()).digest())
        chosen = []
        for path, language, size, key, licence in order:
            if key in known:
                dropped["identical to a benchmark file"] += 1
            elif key in seen:
                dropped["duplicate"] += 1
            elif used[language] + size > cap * SHARE.get(language, 1.0):
                dropped["over the share of one source"] += 1
            else:
                seen.add(key)
                used[language] += size
                chosen.append(
                    {
                        "source": name,
                        "path": path,
                        "language": language,
                        "bytes": size,
                        "licence": licence,
                    }
                )
        for row in sorted(chosen, key=lambda row: row["path"]):
            row["file"] = f"tree/{source['registry']}/{folder_name(source)}/{row['path']}"
            rows.append(row)
    return rows, copies, dropped


def table(title, counter, total):
    out = [f"| {title} | sources | files | MB | share |", "| --- | ---: | ---: | ---: | ---: |"]
    for key, (names, files, size) in sorted(counter.items(), key=lambda item: -item[1][2]):
        out.append(
            f"| {key} | {len(names)} | {files:,} | {size / 1e6:,.1f} | {size / max(total, 1):.1%} |"
        )
    return "\n".join(out) + "\n"


def write_report(path, sources, rows, excluded, copies, failed, refused, dropped):
    by = {"language": {}, "licence": {}, "registry": {}}
    total = 0
    for row in rows:
        total += row["bytes"]
        for kind in by:
            key = row["source"].split(":")[0] if kind == "registry" else row[kind]
            cell = by[kind].setdefault(key, [set(), 0, 0])
            cell[0].add(row["source"])
            cell[1] += 1
            cell[2] += row["bytes"]
    used = {row["source"] for row in rows}
    text = [
        f"# Collected sources\n\n{len(sources)} sources listed, {len(used)} used, "
        f"{len(rows):,} files, {total / 1e6:,.0f} MB.\n"
    ]
    for kind, counter in by.items():
        text.append(f"## By {kind}\n\n{table(kind, counter, total)}")
    text.append(
        "## Files left out\n\n| why | files |\n| --- | ---: |\n"
        + "".join(f"| {why} | {count:,} |\n" for why, count in dropped.most_common())
    )
    for title, entries in (
        ("Sources excluded by repository", excluded),
        ("Sources dropped as copies of benchmark code", copies),
        ("Sources refused for their licence", refused),
        ("Sources that failed", failed),
    ):
        body = "".join(f"- {name}: {why}\n" for name, why in sorted(entries.items())) or "none\n"
        text.append(f"## {title} ({len(entries)})\n\n{body}")
    empty = sorted(
        source_id(s)
        for s in sources
        if source_id(s) not in used | set(excluded) | set(copies) | set(refused) | set(failed)
    )
    text.append(f"## Sources with nothing left ({len(empty)})\n\n" + ", ".join(empty) + "\n")
    Path(path).write_text("\n".join(text))


def main(arguments=None):
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", required=True, help="folder for everything that is written")
    parser.add_argument("--exclude", required=True, help="list of repositories to leave out")
    parser.add_argument("--sources", default=here / "sources.toml", help="the list of sources")
    parser.add_argument(
        "--mirrors",
        help="folder of bare git repositories (owner+name); without it GitHub sources are cloned",
    )
    parser.add_argument("--corpora", help="folder of benchmark corpora: their files are left out")
    parser.add_argument(
        "--cap-mb",
        type=float,
        default=3.5,
        help="most MB of one language from one source (default 3.5, times SHARE)",
    )
    parser.add_argument("--downloads", type=int, default=4, help="downloads at once (default 4)")
    args = parser.parse_args(arguments)
    data = Path(args.data)
    data.mkdir(parents=True, exist_ok=True)
    with open(args.sources, "rb") as file:
        sources = tomllib.load(file)["source"]
    names = collections.Counter(map(source_id, sources))
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        sys.exit(f"listed twice in {args.sources}: {', '.join(twice)}")
    exclusions = exclude.Exclusions(Path(args.exclude).read_text().splitlines())
    known, lines = read_corpora(args.corpora, data / "corpora")
    print(
        f"{len(sources)} sources, {len(exclusions.repositories)} repositories excluded, "
        f"{len(known)} benchmark files known",
        flush=True,
    )

    excluded, refused, failed, states = {}, {}, {}, {}
    dropped, todo = collections.Counter(), []
    for source in sources:
        why = exclusions.reason(source["registry"], source["name"], source["repository"])
        if why:
            excluded[source_id(source)] = why
        elif not licences.resolve(source["licence"]):
            refused[source_id(source)] = source["licence"]
        else:
            todo.append(source)
    # Repositories first: of two equal files the one with a history is kept.
    todo.sort(key=lambda s: (s["registry"] != "github", s["registry"] != "debian"))
    state_dir = data / "state"
    state_dir.mkdir(exist_ok=True)

    def load(source):
        path = state_dir / f"{source['registry']}+{folder_name(source)}.json"
        if path.exists():
            state = json.loads(path.read_text())
            if state["rules"] == RULES:
                return path, state
        return path, None

    started = time.time()
    with concurrent.futures.ThreadPoolExecutor(args.downloads) as pool:
        jobs = {}
        for source in todo:
            if load(source)[1] is None:
                jobs[source_id(source)] = pool.submit(fetch, data, source, args.mirrors)
        for number, source in enumerate(todo, 1):
            name = source_id(source)
            path, state = load(source)
            if state is None:
                try:
                    state = process(data, source, jobs[name].result(), exclusions)
                except Exception as error:  # one bad source must not stop the others
                    failed[name] = f"{type(error).__name__}: {error}"
                    print(f"[{number}/{len(todo)}] FAILED {name}: {failed[name]}", flush=True)
                    continue
                part = path.with_suffix(".part")
                part.write_text(json.dumps(state))
                part.replace(path)
                size = sum(f[2] for f in state["files"])
                print(
                    f"[{number}/{len(todo)}] {name} {source['version'][:12]}: "
                    f"{len(state['files'])} files, {size / 1e6:.1f} MB "
                    f"({time.time() - started:.0f} s)",
                    flush=True,
                )
            states[name] = (source, state)
            dropped.update(state["dropped"])
    rows, copies, more = merge(states, known, int(args.cap_mb * 1e6))
    dropped.update(more)
    if lines:
        rows, near, count = without_near_copies(rows, data, lines)
        copies |= near
        dropped["mostly benchmark code"] += count
    part = data / "collected.part"
    with open(part, "w") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    part.replace(data / "collected.jsonl")
    write_report(data / "REPORT.md", sources, rows, excluded, copies, failed, refused, dropped)
    print(
        f"{len(rows)} files, {sum(r['bytes'] for r in rows) / 1e6:.0f} MB kept; "
        f"{len(excluded)} sources excluded, {len(copies)} dropped as copies, "
        f"{len(refused)} refused for their licence, {len(failed)} failed"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
