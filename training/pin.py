#!/usr/bin/env python3
"""Adds sources to sources.toml: looks up version, checksum, repository, licence and language.

    pin.py --data DIR --exclude FILE [--mirrors DIR] < NAMES

NAMES has one 'registry name' a line (pypi, npm, crates, debian, github). Entries that are in the
list already stay as they are. What is excluded, has no allowed licence or cannot be had is named
and not added. Archives come through the registries' own clients (pip, npm, cargo, apt-get) and are
kept below DATA/raw, where collect.py finds them again.
"""

import argparse
import collections
import concurrent.futures
import email.parser
import hashlib
import json
import re
import subprocess
import sys
import tarfile
import tomllib
import tempfile
from pathlib import Path

import collect
import exclude
import keep
import licences
import registries

MAX_ARCHIVE = 45_000_000
FIELDS = (
    "registry",
    "name",
    "version",
    "repository",
    "licence",
    "language",
    "checksum",
    "copyright_checksum",
)


class Refused(Exception):
    pass


def repository(*urls):
    for url in urls:
        found = exclude.normalise_repository(url)
        if found and not found.startswith("sponsors/"):
            # as the metadata spells it
            at = url.lower().find(found)
            return url[at : at + len(found)] if at >= 0 else found
    return next((url for url in urls if url), "")


def main_language(files):
    """The language with the most bytes among (path, size)."""
    sizes = collections.Counter()
    for path, size in files:
        if not keep.drop_by_path(path) and size <= keep.MAX_FILE:
            language = keep.language_of(path)
            if not language and path.rsplit("/", 1)[-1].isidentifier() and "bin" in path.split("/"):
                language = "bash"
            sizes[language] += size
    for other in ("", "markdown", "css", "cmake", "sql"):
        sizes.pop(other, None)
    header = sizes.pop("h", 0)
    if header:
        sizes["cpp" if sizes["cpp"] > sizes["c"] else "c"] += header
    return sizes.most_common(1)[0][0] if sizes else ""


def listing(path):
    files = []
    for name, _, why in keep.archive_files(path, lambda n, size: f"{size}"):
        if why.isdigit():
            files.append((name.split("/", 1)[-1], int(why)))
    return files


def sha256(path):
    return "sha256:" + hashlib.sha256(Path(path).read_bytes()).hexdigest()


def pin_pypi(data, name):
    # Of a source archive pip reads the metadata by its own build back end: pin what you trust.
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    with tempfile.TemporaryDirectory() as work:
        try:
            registries.run([*pip, "--no-binary", ":all:", "--dest", work, name])
        except ValueError:  # no source archive, or one that cannot be read here
            registries.run([*pip, "--only-binary", ":all:", "--dest", work, name])
        archive = next(Path(work).iterdir())
        checksum, meta = sha256(archive), pypi_metadata(archive)
    urls = [row.partition(",")[::2] for row in meta.get_all("Project-URL", [])]
    urls.sort(key=lambda row: (not re.search(r"source|repo|code|github", row[0], re.I), row[0]))
    licence = pypi_licence(meta)
    if not licence:
        raise Refused(f"licence {(meta['License-Expression'] or meta['License'] or '?')[:60]!r}")
    return {
        "name": meta["Name"],
        "version": meta["Version"],
        "licence": licence,
        "repository": repository(*[url.strip() for _, url in urls], meta["Home-page"]),
        "checksum": checksum,
    }


def pypi_metadata(archive):
    def wanted(path, size):
        return "" if path.endswith(("/PKG-INFO", ".dist-info/METADATA")) else "no"

    texts = [text for _, text, why in keep.archive_files(archive, wanted) if not why]
    if not texts:
        raise Refused("no metadata in the archive")
    return email.parser.Parser().parsestr(texts[0].decode("utf-8", "replace"))


def pypi_licence(meta):
    stated = meta["License"] or ""
    licence = licences.resolve(meta["License-Expression"]) or licences.resolve(stated)
    if licence:
        return licence
    classifiers = [c for c in meta.get_all("Classifier", []) if c.startswith("License ::")]
    licence = licences.resolve(" OR ".join(c.split(" :: ")[-1] for c in classifiers))
    if not licence and any(words in stated for words in ("Permission is", "Redistribution")):
        return licences.classify(stated)
    return licence


def pin_npm(data, name):
    meta = json.loads(registries.run(["npm", "view", "--json", name]))
    repo = meta.get("repository") or ""
    repo = repo.get("url", "") if isinstance(repo, dict) else repo
    licence = meta.get("license") or ""
    licence = licence.get("type", "") if isinstance(licence, dict) else licence
    found = licences.resolve(licence)
    if not found:
        raise Refused(f"licence {licence!r}")
    kind, _, digest = meta["dist"]["integrity"].partition("-")
    return {
        "name": meta["name"],
        "version": meta["version"],
        "licence": found,
        "repository": repository(repo, meta.get("homepage")),
        "checksum": f"{kind}:{digest}",
    }


def pin_crates(data, name):
    told = registries.run(["cargo", "info", "--quiet", name])
    version = re.search(r"^version: (\S+)", told, re.M)[1]
    with tempfile.TemporaryDirectory() as work:
        registries.from_crates({"name": name, "version": version}, work)
        path = next(Path(work).iterdir())
        checksum = sha256(path)
        with tarfile.open(path) as archive:
            member = archive.extractfile(f"{name}-{version}/Cargo.toml")
            package = tomllib.loads(member.read().decode())["package"]
    licence = licences.resolve(package.get("license"))
    if not licence:
        raise Refused(f"licence {package.get('license')!r}")
    return {
        "name": name,
        "version": version,
        "licence": licence,
        "repository": repository(package.get("repository"), package.get("homepage")),
        "checksum": checksum,
    }


def debian_fields(name):
    """What Debian's list of source packages says of the newest version."""
    paragraphs = registries.run(["apt-cache", "showsrc", "--only-source", name])
    for paragraph in paragraphs.split("\n\n"):
        fields = dict(re.findall(r"^([\w-]+):[ \t]*(.*(?:\n[ \t].*)*)", paragraph, re.M))
        if fields and fields.get("Extra-Source-Only") != "yes":
            return fields
    raise Refused("no such package")


def pin_debian(data, name):
    fields = debian_fields(name)
    files = [line.split() for line in fields["Checksums-Sha256"].strip().split("\n")]
    orig = [f for f in files if re.search(r"\.orig\.tar\.(gz|xz|bz2)$", f[2])]
    packaging = [f for f in files if re.search(r"\.debian\.tar\.(gz|xz|bz2)$", f[2])]
    if not orig or not packaging:
        raise Refused("native or odd source format")
    if int(orig[0][1]) > MAX_ARCHIVE:
        raise Refused(f"{int(orig[0][1]) >> 20} MB archive")
    entry = {
        "registry": "debian",
        "name": fields["Package"],
        "version": fields["Version"],
        "checksum": "sha256:" + orig[0][0],
        "copyright_checksum": "sha256:" + packaging[0][0],
    }
    path = collect.archive_of(data, entry, "copyright_checksum")
    rules = collect.debian_copyright(path)
    with tarfile.open(path) as archive:
        try:
            upstream = (
                archive.extractfile("debian/upstream/metadata").read().decode("utf-8", "replace")
            )
        except KeyError:
            upstream = ""
    stated = re.findall(r"^Repository(?:-Browse)?:\s*(\S+)", upstream, re.M)
    found = re.findall(r"https?://\S+", rules.source)
    entry["repository"] = repository(*stated, *found, fields.get("Homepage", ""))
    entry["licence"] = rules.main()
    if not entry["licence"]:
        stated = next((name for paths, name in rules.stanzas if "*" in paths), "?")
        raise Refused(f"licence {stated[:60]!r}")
    return entry


def pin_github(data, name, mirrors):
    mirror = collect.mirror_of(mirrors, name)
    if not mirror:
        raise Refused("no mirror")

    def git(*args):
        return subprocess.run(
            ["git", f"--git-dir={mirror}", *args], check=True, capture_output=True
        ).stdout

    commit = git("rev-parse", "HEAD^{commit}").decode().strip()
    files = []
    for row in git("ls-tree", "-r", "-l", "-z", commit).split(b"\0"):
        if row:
            meta, _, path = row.partition(b"\t")
            size = meta.split()[3]
            files.append((path.decode("utf-8", "replace"), int(size) if size.isdigit() else 0))
    texts = []
    for path, _ in files:
        if re.fullmatch(r"[^/]*(licen[cs]e|copying|copyright)[^/]*", path, re.I):
            texts.append(path)
        elif re.fullmatch(r"licenses?/[^/]*(mit|apache|bsd)[^/]*", path, re.I):
            texts.append(path)
    if not texts:  # monorepos keep one in each package
        texts = [p for p, _ in files if re.fullmatch(r"[^/]+/LICENSE(\.\w+)?", p, re.I)][:3]
    found = []
    for path in texts:
        try:
            text = git("cat-file", "blob", f"{commit}:{path}").decode("utf-8", "replace")
        except subprocess.CalledProcessError:
            continue
        found.append(licences.classify(text))
    if not any(found):
        raise Refused(f"licence not recognised in {texts}")
    language = main_language(files) or "bash"  # one script without an extension
    return {
        "name": name,
        "version": commit,
        "repository": name,
        "language": language,
        "licence": " OR ".join(dict.fromkeys(f for f in found if f)),
    }


PINS = {"pypi": pin_pypi, "npm": pin_npm, "crates": pin_crates, "debian": pin_debian}


def quote(text):
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def write(path, entries):
    order = ["github", "debian", "crates", "npm", "pypi"]
    entries = sorted(entries, key=lambda e: (order.index(e["registry"]), e["name"].lower()))
    out = [
        "# The sources the embedding model is trained on. Written by pin.py; licence is what the\n"
        "# package or its licence file states (SPDX), repository what its metadata states. The\n"
        "# registry's own client finds the archive, and the checksum says which file is meant.\n"
    ]
    for entry in entries:
        out.append("\n[[source]]\n")
        out += [f"{key} = {quote(entry[key])}\n" for key in FIELDS if key in entry]
    Path(path).write_text("".join(out))


def main():
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--exclude", required=True)
    parser.add_argument("--mirrors")
    parser.add_argument("--sources", default=here / "sources.toml")
    args = parser.parse_args()
    entries = {}
    if Path(args.sources).exists():
        with open(args.sources, "rb") as file:
            entries = {collect.source_id(e): e for e in tomllib.load(file).get("source", [])}
    exclusions = exclude.Exclusions(Path(args.exclude).read_text().splitlines())
    names = [tuple(line.split()[:2]) for line in sys.stdin if line.strip() and line[0] != "#"]
    have = {key.lower() for key in entries}
    names = [n for n in dict.fromkeys(names) if f"{n[0]}:{n[1]}".lower() not in have]

    def pin(registry, name):
        why = exclusions.reason(registry, name, "")
        if why:
            raise Refused(f"excluded, {why}")
        if registry == "github":
            entry = pin_github(args.data, name, args.mirrors)
        else:
            entry = PINS[registry](args.data, name)
        entry["registry"] = registry
        why = exclusions.reason(registry, entry["name"], entry["repository"])
        if why:
            raise Refused(f"excluded, {why}")
        if registry != "github":
            whole = f"github:{exclude.normalise_repository(entry['repository'])}"
            if whole in have:
                raise Refused(f"listed as {whole}")
            entry["language"] = main_language(listing(collect.archive_of(args.data, entry)))
        if not entry["language"]:
            raise Refused("no source files")
        return entry

    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        jobs = {pool.submit(pin, *name): name for name in names}
        for number, job in enumerate(concurrent.futures.as_completed(jobs), 1):
            registry, name = jobs[job]
            try:
                entry = job.result()
                entries[collect.source_id(entry)] = entry
            except Refused as error:
                print(f"not added: {registry} {name}: {error}", flush=True)
            except Exception as error:
                print(f"not added: {registry} {name}: {type(error).__name__}: {error}", flush=True)
            if number % 40 == 0:
                write(args.sources, entries.values())
                print(f"{number}/{len(names)}", flush=True)
    write(args.sources, entries.values())
    print(f"{len(entries)} sources")


if __name__ == "__main__":
    main()
