#!/usr/bin/env python3
"""Adds sources to sources.toml: looks up version, checksum, repository, licence and language.

    pin.py --data DIR --exclude FILE [--mirrors DIR] < NAMES

NAMES has one 'registry name' a line (pypi, npm, crates, debian, github). Entries that are in the
list already stay as they are. What is excluded, has no allowed licence or cannot be had is named
and not added. Archives are kept below DATA/raw, where collect.py finds them again.
"""

import argparse
import collections
import concurrent.futures
import json
import lzma
import re
import subprocess
import sys
import tarfile
import tomllib
import urllib.error
import urllib.request
from pathlib import Path

import collect
import exclude
import keep
import licences

DEBIAN = "https://deb.debian.org/debian/"
SUITE = "trixie"
MAX_ARCHIVE = 45_000_000
FIELDS = (
    "registry",
    "name",
    "version",
    "repository",
    "licence",
    "language",
    "url",
    "checksum",
    "copyright_url",
    "copyright_checksum",
)


class Refused(Exception):
    pass


def get(url):
    request = urllib.request.Request(url, headers=collect.AGENT)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read()


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


def pypi_file(url):
    """Caching proxies answer with a relative address: name the original one."""
    return re.sub(r"^(\.\./)+(packages/)+", "https://files.pythonhosted.org/packages/", url)


def pin_pypi(data, name):
    info = json.loads(get(f"https://pypi.org/pypi/{name}/json"))
    meta, urls = info["info"], info["urls"]
    choice = [u for u in urls if u["packagetype"] == "sdist" and not u["yanked"]]
    choice = choice or [u for u in urls if u["filename"].endswith("none-any.whl")]
    if not choice:
        raise Refused("no source archive")
    named = meta.get("project_urls") or {}
    order = sorted(named, key=lambda k: (not re.search(r"source|repo|code|github", k, re.I), k))
    licence = licences.resolve(meta.get("license_expression")) or licences.resolve(
        meta.get("license")
    )
    if not licence:
        tail = [c.split(" :: ")[-1] for c in meta["classifiers"] if c.startswith("License ::")]
        licence = licences.resolve(" OR ".join(tail))
        if not licence and any(
            x in (meta.get("license") or "") for x in ("Permission is", "Redistribution")
        ):
            licence = licences.classify(meta["license"])
    if not licence:
        raise Refused(
            f"licence {(meta.get('license_expression') or meta.get('license') or '?')[:60]!r}"
        )
    return {
        "name": meta["name"],
        "version": meta["version"],
        "licence": licence,
        "repository": repository(*[named[k] for k in order], meta.get("home_page")),
        "url": pypi_file(choice[0]["url"]),
        "checksum": "sha256:" + choice[0]["digests"]["sha256"],
    }


def pin_npm(data, name):
    meta = json.loads(get(f"https://registry.npmjs.org/{name.replace('/', '%2f')}/latest"))
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
        "url": meta["dist"]["tarball"],
        "checksum": f"{kind}:{digest}",
    }


def pin_crates(data, name):
    low = name.lower()
    where = {1: "1", 2: "2", 3: f"3/{low[0]}"}.get(len(low), f"{low[:2]}/{low[2:4]}")
    rows = [json.loads(r) for r in get(f"https://index.crates.io/{where}/{low}").splitlines()]
    rows = [r for r in rows if not r["yanked"]]
    stable = [r for r in rows if "-" not in r["vers"]] or rows
    row = max(stable, key=lambda r: [int(x) for x in re.findall(r"\d+", r["vers"].split("+")[0])])
    entry = {
        "registry": "crates",
        "name": row["name"],
        "version": row["vers"],
        "url": f"https://static.crates.io/crates/{row['name']}/{row['name']}-{row['vers']}.crate",
        "checksum": "sha256:" + row["cksum"],
    }
    path = collect.download(
        entry["url"], collect.raw_path(data, entry, entry["url"]), entry["checksum"]
    )
    with tarfile.open(path) as archive:
        member = archive.extractfile(f"{row['name']}-{row['vers']}/Cargo.toml")
        package = tomllib.loads(member.read().decode())["package"]
    entry["licence"] = licences.resolve(package.get("license"))
    if not entry["licence"]:
        raise Refused(f"licence {package.get('license')!r}")
    entry["repository"] = repository(package.get("repository"), package.get("homepage"))
    return entry


def debian_index(data):
    path = Path(data) / "raw" / "debian" / f"Sources-{SUITE}.xz"
    collect.download(f"{DEBIAN}dists/{SUITE}/main/source/Sources.xz", path, "")
    packages = {}
    for paragraph in lzma.open(path, "rt", encoding="utf-8").read().split("\n\n"):
        fields = dict(re.findall(r"^([\w-]+):[ \t]*(.*(?:\n[ \t].*)*)", paragraph, re.M))
        if fields and fields.get("Extra-Source-Only") != "yes":
            packages[fields["Package"]] = fields
    return packages


def pin_debian(data, name, index):
    fields = index.get(name) or index.get(name.lower())
    if not fields:
        raise Refused("no such package")
    files = [line.split() for line in fields["Checksums-Sha256"].strip().split("\n")]
    orig = [f for f in files if re.search(r"\.orig\.tar\.(gz|xz|bz2)$", f[2])]
    packaging = [f for f in files if re.search(r"\.debian\.tar\.(gz|xz|bz2)$", f[2])]
    if not orig or not packaging:
        raise Refused("native or odd source format")
    if int(orig[0][1]) > MAX_ARCHIVE:
        raise Refused(f"{int(orig[0][1]) >> 20} MB archive")
    base = DEBIAN + fields["Directory"] + "/"
    entry = {
        "registry": "debian",
        "name": fields["Package"],
        "version": fields["Version"],
        "url": base + orig[0][2],
        "checksum": "sha256:" + orig[0][0],
    }
    homepage = fields.get("Homepage", "")
    url, checksum = base + packaging[0][2], "sha256:" + packaging[0][0]
    try:
        path = collect.download(url, collect.raw_path(data, entry, url), checksum)
    except urllib.error.HTTPError:  # not every mirror has it: go by the licence files of the source
        entry["repository"] = repository(homepage)
        entry["licence"] = licence_in_archive(
            collect.download(
                entry["url"], collect.raw_path(data, entry, entry["url"]), entry["checksum"]
            )
        )
        return entry
    entry |= {"copyright_url": url, "copyright_checksum": checksum}
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
    entry["repository"] = repository(*stated, *found, homepage)
    entry["licence"] = rules.main()
    if not entry["licence"]:
        stated = next((name for paths, name in rules.stanzas if "*" in paths), "?")
        raise Refused(f"licence {stated[:60]!r}")
    return entry


def licence_in_archive(path):
    """The licence that the top-level licence files agree to; each of them must be allowed."""

    def wanted(name, size):
        parts = name.split("/")
        fits = len(parts) <= 2 and re.search(r"licen[cs]e|copying|copyright", parts[-1], re.I)
        return "" if fits and size < 200_000 else "no"

    found = {}
    for name, text, why in keep.archive_files(path, wanted):
        if not why:
            found[name] = licences.classify(text.decode("utf-8", "replace"))
    if not found or not all(found.values()):
        raise Refused(f"licence files not recognised: {sorted(found)}")
    return " AND ".join(sorted(set(found.values())))


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


def quote(text):
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def write(path, entries):
    order = ["github", "debian", "crates", "npm", "pypi"]
    entries = sorted(entries, key=lambda e: (order.index(e["registry"]), e["name"].lower()))
    out = [
        "# The sources the embedding model is trained on. Written by pin.py; licence is what the\n"
        "# package or its licence file states (SPDX), repository what its metadata states.\n"
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
    index = debian_index(args.data) if any(n[0] == "debian" for n in names) else {}

    def pin(registry, name):
        why = exclusions.reason(registry, name, "")
        if why:
            raise Refused(f"excluded, {why}")
        if registry == "debian":
            entry = pin_debian(args.data, name, index)
        elif registry == "github":
            entry = pin_github(args.data, name, args.mirrors)
        else:
            entry = {"pypi": pin_pypi, "npm": pin_npm, "crates": pin_crates}[registry](
                args.data, name
            )
        entry["registry"] = registry
        why = exclusions.reason(registry, entry["name"], entry["repository"])
        if why:
            raise Refused(f"excluded, {why}")
        if registry != "github":
            whole = f"github:{exclude.normalise_repository(entry['repository'])}"
            if whole in have:
                raise Refused(f"listed as {whole}")
            target = collect.raw_path(args.data, entry, entry["url"])
            entry["language"] = main_language(
                listing(collect.download(entry["url"], target, entry["checksum"]))
            )
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
