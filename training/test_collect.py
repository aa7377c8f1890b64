"""Tests of the collecting step: python3 -m unittest test_collect"""

import hashlib
import io
import subprocess
import tarfile
import tempfile
import tomllib
import unittest
import zipfile
from pathlib import Path
from unittest import mock

import collect
import exclude
import keep
import licences
import registries

LIST = """# repositories
tokio-rs/tokio
BurntSushi/ripgrep
nlohmann/json
spf13/cobra
encode/starlette
redis/redis
haskell/aeson
expressjs/express
httpie/cli
symfony/console
vitest-dev/vitest
google/gson
tj/commander.js
"""
CODE = b"""def total(rows):
    # adds the amounts of all rows
    return sum(row.amount for row in rows)
"""


class Normalise(unittest.TestCase):
    def test_forms(self):
        for url in (
            "tokio-rs/tokio",
            "Tokio-RS/Tokio.git",
            "github:tokio-rs/tokio",
            "https://github.com/tokio-rs/tokio",
            "https://GitHub.com/tokio-rs/tokio.git",
            "https://www.github.com/tokio-rs/tokio/",
            "git+https://github.com/tokio-rs/tokio.git#readme",
            "git+ssh://git@github.com/tokio-rs/tokio.git",
            "git@github.com:tokio-rs/tokio.git",
            "git://github.com/tokio-rs/tokio",
            "ssh://git@github.com/tokio-rs/tokio",
            "https://github.com/tokio-rs/tokio/tree/master/tokio-util",
            "https://github.com/tokio-rs/tokio?tab=readme",
            "scm:git:git://github.com/tokio-rs/tokio.git",
            "https://tokio-rs.github.io/tokio",
            "https://gitlab.com/tokio-rs/tokio",
        ):
            self.assertEqual(exclude.normalise_repository(url), "tokio-rs/tokio", url)

    def test_no_repository(self):
        for url in ("", None, "https://tokio.rs", "https://docs.example.org/a/b", "github.com"):
            self.assertEqual(exclude.normalise_repository(url), "", url)


class Excluded(unittest.TestCase):
    def setUp(self):
        self.rules = exclude.Exclusions(LIST.splitlines())

    def out(self, registry, name, repository=""):
        self.assertTrue(self.rules.reason(registry, name, repository), (registry, name, repository))

    def stays(self, registry, name, repository=""):
        self.assertEqual(self.rules.reason(registry, name, repository), "", (registry, name))

    def test_case_and_git_suffix(self):
        self.out("github", "burntsushi/RIPGREP")
        self.out("crates", "something", "https://github.com/BurntSushi/ripgrep.git")
        self.out("npm", "x", "git+ssh://git@GITHUB.com/ExpressJS/Express.git")

    def test_packages_of_a_monorepo(self):
        self.out("crates", "tokio-util", "https://github.com/tokio-rs/tokio")
        self.out("crates", "tokio-util")  # no metadata
        self.out(
            "crates", "ignore", "https://github.com/BurntSushi/ripgrep/tree/master/crates/ignore"
        )
        self.out("crates", "globset")
        self.out("npm", "@vitest/expect")
        self.out("debian", "golang-github-spf13-cobra")
        self.out("debian", "haskell-aeson")
        self.out("debian", "libgoogle-gson-java")
        self.out("debian", "nlohmann-json3")
        self.out("npm", "commander")

    def test_forks_by_name(self):
        self.out("github", "someone/ripgrep")
        self.out("github", "hexagon-geo-surv/json")
        self.out("github", "someone/redis-mirror")
        self.out("pypi", "starlette", "https://example.org")
        self.out("debian", "redis")

    def test_renamed_and_containing(self):
        self.out("github", "Kludex/starlette")
        self.out("github", "valkey-io/valkey")
        self.out("github", "symfony/symfony")

    def test_others_stay(self):
        self.stays("crates", "mio", "https://github.com/tokio-rs/mio")
        self.stays("crates", "serde_json", "https://github.com/serde-rs/json")
        self.stays("github", "boostorg/json")
        self.stays("github", "cli/cli")
        self.stays("debian", "zlib", "https://zlib.net/")
        self.stays("npm", "redux-saga", "redux-saga/redux-saga")


class Bringing(unittest.TestCase):
    SOURCE = {"registry": "npm", "name": "@a/b", "version": "1.0"}
    FILES = {"b-1.0.tgz": b"the archive", "notes": b"something else"}
    CHECKSUM = "sha256:" + hashlib.sha256(b"the archive").hexdigest()

    def client(self, source, folder):
        self.calls += 1
        for name, content in self.FILES.items():
            (Path(folder) / name).write_bytes(content)

    def setUp(self):
        self.calls = 0
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data = Path(folder.name)
        clients = mock.patch.dict(registries.CLIENTS, {"npm": self.client})
        clients.start()
        self.addCleanup(clients.stop)

    def test_the_checksum_finds_the_file_and_it_is_brought_once(self):
        source = self.SOURCE | {"checksum": self.CHECKSUM}
        for _ in range(2):
            found = collect.archive_of(self.data, source)
            self.assertEqual(found, self.data / "raw/npm/@a+b@1.0/b-1.0.tgz")
        self.assertEqual(self.calls, 1)

    def test_a_damaged_file_is_brought_again(self):
        source = self.SOURCE | {"checksum": self.CHECKSUM}
        collect.archive_of(self.data, source).write_bytes(b"damaged")
        self.assertEqual(collect.archive_of(self.data, source).read_bytes(), b"the archive")

    def test_another_checksum_is_refused(self):
        source = self.SOURCE | {"checksum": "sha256:00"}
        with self.assertRaises(ValueError):
            collect.archive_of(self.data, source)
        self.assertEqual(list(self.data.glob("raw/npm/*/*")), [])

    def test_checksums_in_base64(self):
        path = self.data / "a"
        path.write_bytes(b"")
        self.assertTrue(registries.fits(path, "sha1:2jmj7l5rSw0yVb/vlWAYkK/YBwk="))
        self.assertFalse(registries.fits(path, "sha1:3jmj7l5rSw0yVb/vlWAYkK/YBwk="))


class Sources(unittest.TestCase):
    PINNED = {"registry", "name", "version", "repository", "licence", "language", "checksum"}

    def test_sources_name_packages_not_addresses(self):
        with open(Path(__file__).parent / "sources.toml", "rb") as file:
            sources = tomllib.load(file)["source"]
        for source in sources:
            from_git = source["registry"] == "github"
            want = self.PINNED - ({"checksum"} if from_git else set())
            self.assertEqual(source.keys() - {"copyright_checksum"}, want, source["name"])
            self.assertTrue(from_git or source["registry"] in registries.CLIENTS)


class Unpacking(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)

    def tar(self, members):
        path = self.path / "a.tar.gz"
        with tarfile.open(path, "w:gz") as archive:
            for name, content, kind in members:
                info = tarfile.TarInfo(name)
                info.type = kind
                if kind == tarfile.REGTYPE:
                    info.size = len(content)
                    archive.addfile(info, io.BytesIO(content))
                else:
                    info.linkname = content
                    archive.addfile(info)
        return path

    def test_tar(self):
        path = self.tar(
            [
                ("p-1/ok.py", CODE, tarfile.REGTYPE),
                ("../evil.py", CODE + b"#1", tarfile.REGTYPE),
                ("p-1/../../evil.py", CODE + b"#2", tarfile.REGTYPE),
                ("/tmp/evil.py", CODE + b"#3", tarfile.REGTYPE),
                ("p-1/link.py", "/etc/passwd", tarfile.SYMTYPE),
                ("p-1/dir", "/", tarfile.SYMTYPE),
                ("p-1/dir/evil.py", CODE + b"#4", tarfile.REGTYPE),
                ("p-1/hard.py", "p-1/ok.py", tarfile.LNKTYPE),
                ("p-1/pipe.py", "", tarfile.FIFOTYPE),
            ]
        )
        files = list(keep.archive_files(path, keep.wanted_file))
        self.assertEqual([f[0] for f in files if f[1]], ["p-1/ok.py", "p-1/dir/evil.py"])
        self.assertEqual(sum(f[2] == "unsafe path" for f in files), 3)
        self.assertEqual(sum(f[2] == "link" for f in files), 4)

    def test_written_inside_the_tree(self):
        path = self.tar(
            [
                ("p-1/ok.py", CODE, tarfile.REGTYPE),
                ("p-1/dir", "/", tarfile.SYMTYPE),
                ("p-1/dir/x.py", CODE + b"#4", tarfile.REGTYPE),
                ("../../evil.py", CODE + b"#1", tarfile.REGTYPE),
            ]
        )
        source = {"registry": "pypi", "name": "p", "version": "1", "licence": "MIT"}
        state = collect.process(self.path / "data", source, path)
        self.assertEqual([f[0] for f in state["files"]], ["dir/x.py", "ok.py"])
        written = sorted(
            p.relative_to(self.path / "data").as_posix()
            for p in (self.path / "data").rglob("*")
            if p.is_file()
        )
        self.assertEqual(written, ["tree/pypi/p@1/dir/x.py", "tree/pypi/p@1/ok.py"])
        self.assertEqual(state["dropped"]["unsafe path"], 1)

    def test_zip(self):
        path = self.path / "a.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("p/ok.py", CODE)
            archive.writestr("../evil.py", CODE)
            archive.writestr("C:/evil.py", CODE)
            archive.writestr("..\\evil.py", CODE)
            link = zipfile.ZipInfo("p/link.py")
            link.external_attr = 0o120777 << 16
            archive.writestr(link, "/etc/passwd")
        files = list(keep.archive_files(path, keep.wanted_file))
        self.assertEqual([f[0] for f in files if f[1]], ["p/ok.py"])

    def test_git(self):
        work = self.path / "work"
        git = ["git", "-C", str(work), "-c", "user.name=t", "-c", "user.email=t@example.org"]
        subprocess.run(["git", "init", "-q", str(work)], check=True)
        (work / "a.py").write_bytes(CODE)
        (work / "link.py").symlink_to("/etc/passwd")
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "-q", "-m", "first"], check=True)
        files = list(keep.git_files(work / ".git", "HEAD", keep.wanted_file))
        self.assertEqual([f[0] for f in files if f[1]], ["a.py"])


class Files(unittest.TestCase):
    def test_language(self):
        self.assertEqual(keep.language_of("src/a.rs"), "rust")
        self.assertEqual(keep.language_of("A.KT"), "kotlin")
        self.assertEqual(keep.language_of("bin/tool", b"#!/usr/bin/env bash\n"), "bash")
        self.assertEqual(keep.language_of("bin/tool", b"#!/bin/sh -e\n"), "bash")
        self.assertEqual(keep.language_of("data.bin"), "")

    def test_header_follows_its_neighbours(self):
        rows = [("a.h", CODE, ""), ("b.cpp", CODE + b"1", "")]
        kept, _ = keep.select_files(rows, "github")
        self.assertEqual({row[1] for row in kept}, {"cpp"})
        kept, _ = keep.select_files([("a.h", CODE, ""), ("b.c", CODE + b"1", "")], "github")
        self.assertEqual({row[1] for row in kept}, {"c"})

    def test_dropped(self):
        for path in (
            "vendor/a.go",
            "x/node_modules/a.js",
            "a.min.js",
            "p_pb2.py",
            "configure",
            "lib/third_party/a.cc",
            "include/spdlog/a.h",
            "x.pb.go",
            "types.d.ts",
        ):
            self.assertTrue(keep.drop_by_path(path), path)
        for path in ("src/vendor_list.go", "src/main.rs", "lib/a.js"):
            self.assertFalse(keep.drop_by_path(path), path)
        self.assertEqual(keep.drop_by_content(b"\0" * 100, "c"), "binary")
        self.assertEqual(
            keep.drop_by_content(b"// Code generated by x. DO NOT EDIT.\n" * 3, "go"),
            "generated",
        )
        self.assertEqual(keep.drop_by_content(b"var a=1;" * 600, "javascript"), "minified or data")
        self.assertEqual(keep.drop_by_content(b"x = 1\n" * 200_000, "python"), "over 1 MB")
        gpl = b"# under the terms of the GNU General Public License\n"
        self.assertEqual(keep.drop_by_content(gpl + CODE, "python"), "licence of the file")
        self.assertEqual(keep.drop_by_content(CODE, "python"), "")

    def test_excluded_package_carried_inside(self):
        rules = exclude.Exclusions(LIST.splitlines())
        rows = [
            ("p-1/src/a.rs", CODE, ""),
            (
                "p-1/crates/tokio-util/Cargo.toml",
                b'[package]\nname = "tokio-util"\nversion = "1.0.0"\n',
                "",
            ),
            ("p-1/crates/tokio-util/src/a.rs", CODE + b"1", ""),
            ("p-1/crates/own/Cargo.toml", b'[package]\nname = "own"\nversion = "1.0.0"\n', ""),
            ("p-1/crates/own/src/a.rs", CODE + b"2", ""),
            ("p-1/rust/log/.cargo-checksum.json", None, "not source"),
            ("p-1/rust/log/src/a.rs", CODE + b"3", ""),
        ]
        kept, dropped = keep.select_files(rows, "pypi", None, rules)
        self.assertEqual(sorted(row[0] for row in kept), ["crates/own/src/a.rs", "src/a.rs"])
        self.assertEqual(dropped["embedded copy"], 2)

    def test_npm_build_beside_source(self):
        rows = [("package/src/a.ts", CODE, ""), ("package/lib/a.js", CODE + b"1", "")]
        kept, _ = keep.select_files(rows, "npm")
        self.assertEqual([row[0] for row in kept], ["src/a.ts"])


class Merge(unittest.TestCase):
    def state(self, *contents):
        files = [
            [f"f{i}.cc", "cpp", 300, keep.content_key(c), "MIT"] for i, c in enumerate(contents)
        ]
        return {"files": files, "dropped": {}}

    def source(self, name):
        return {"registry": "pypi", "name": name, "version": "1", "licence": "MIT"}

    def merge(self, known=(), cap=10_000, **states):
        return collect.merge({n: (self.source(n), s) for n, s in states.items()}, set(known), cap)

    def test_duplicates_over_sources(self):
        rows, copies, dropped = self.merge(
            a=self.state(b"one", b"two"), b=self.state(b"two \r\n", b"three")
        )
        self.assertEqual([r["source"] for r in rows], ["a", "a", "b"])
        self.assertEqual(dropped["duplicate"], 1)
        self.assertFalse(copies)

    def test_copy_of_a_benchmark(self):
        known = {keep.content_key(b"bench")}
        few = self.state(b"bench", *[b"x%d" % i for i in range(99)])
        many = self.state(b"bench", *[b"y%d" % i for i in range(9)])
        rows, copies, dropped = self.merge(known, 10**6, few=few, many=many)
        self.assertEqual(list(copies), ["many"])
        self.assertEqual(len(rows), 99)
        self.assertEqual(dropped["identical to a benchmark file"], 1)

    def test_changed_copy_of_a_benchmark(self):
        bench = b"\n".join(
            b"    result_%d = compute_the_next_value(result, factor=%d)" % (i, i) for i in range(30)
        )
        changed = bench.replace(b"_7 ", b"_seven ") + b"\n# changed here and there\n"
        other = bench.replace(b"compute_the_next_value", b"something_else_of_our_own")
        with tempfile.TemporaryDirectory() as folder:
            rows = []
            for i, content in enumerate([changed] + [other] * 60):
                (Path(folder) / f"f{i}").write_bytes(content)
                rows.append({"source": "s", "language": "python", "bytes": 900, "file": f"f{i}"})
            left, copies, count = collect.without_near_copies(
                rows, folder, collect.code_lines(bench)
            )
        self.assertEqual((len(left), copies, count), (60, {}, 1))

    def test_share_of_one_source(self):
        rows, _, dropped = self.merge(cap=700, a=self.state(b"1", b"2", b"3"))
        self.assertEqual(len(rows), 2)
        self.assertEqual(dropped["over the share of one source"], 1)

    def test_key_ignores_line_ends(self):
        self.assertEqual(keep.content_key(b"a\r\nb  \n"), keep.content_key(b"a\nb\n\n"))
        self.assertNotEqual(keep.content_key(b"a\nb"), keep.content_key(b"a\n b"))


class Licences(unittest.TestCase):
    def test_expressions(self):
        self.assertEqual(licences.resolve("MIT OR Apache-2.0"), "MIT")
        self.assertEqual(licences.resolve("MIT/Apache-2.0"), "MIT")
        self.assertEqual(licences.resolve("GPL-3.0 OR MIT"), "MIT")
        self.assertEqual(licences.resolve("Expat"), "MIT")
        self.assertEqual(licences.resolve("MIT AND BSD-3-Clause"), "MIT AND BSD-3-Clause")
        self.assertEqual(licences.resolve("(MIT OR Apache-2.0)"), "MIT")
        for bad in ("GPL-2.0", "MIT AND GPL-2.0", "", None, "BUSL-1.1", "SEE LICENSE IN FILE"):
            self.assertEqual(licences.resolve(bad), "", bad)

    def test_debian(self):
        rules = licences.DebianCopyright(
            "Format: x\nSource: https://github.com/a/b\n\n"
            "Files: *\nCopyright: a\nLicense: Expat\n\n"
            "Files: lib/* tools/x.c\nCopyright: b\nLicense: GPL-2+\n text\n\n"
            "License: Expat\n text\n"
        )
        self.assertEqual(rules.main(), "MIT")
        self.assertEqual(rules.licence("src/a.c"), "MIT")
        self.assertEqual(rules.licence("lib/a/b.c"), "")
        self.assertEqual(rules.source, "https://github.com/a/b")


if __name__ == "__main__":
    unittest.main()
