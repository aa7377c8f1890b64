"""Licences: names to SPDX, the policy, licence texts, Debian copyright files."""

import fnmatch
import re

# What a source may be under. Permissive licences and MPL-2.0 (file-level copyleft).
ALLOWED = {
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "Artistic-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "PostgreSQL",
    "PSF-2.0",
    "Unlicense",
    "Zlib",
}

_SAME = {
    "mit": "MIT",
    "mit license": "MIT",
    "the mit license": "MIT",
    "expat": "MIT",
    "the mit license (mit)": "MIT",
    "mit licence": "MIT",
    "expat license": "MIT",
    "x11": "MIT",
    "mit-0": "MIT-0",
    "mit-expat": "MIT",
    "mit/expat": "MIT",
    "mit license (mit)": "MIT",
    "mit-style": "",
    "apache": "Apache-2.0",
    "apache2": "Apache-2.0",
    "apache 2": "Apache-2.0",
    "apache 2.0": "Apache-2.0",
    "apache-2": "Apache-2.0",
    "apache-2.0": "Apache-2.0",
    "asl 2.0": "Apache-2.0",
    "asl-2": "Apache-2.0",
    "asl-2.0": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "apache license version 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "apache software license 2.0": "Apache-2.0",
    "apache-2.0 license": "Apache-2.0",
    "the apache license, version 2.0": "Apache-2.0",
    "apache2.0": "Apache-2.0",
    "apache-2.0 with llvm-exception": "Apache-2.0 WITH LLVM-exception",
    "apache-2.0 with llvm exception": "Apache-2.0 WITH LLVM-exception",
    "bsd": "BSD-3-Clause",
    "new bsd": "BSD-3-Clause",
    "bsd license": "BSD-3-Clause",
    "modified bsd": "BSD-3-Clause",
    "3-clause bsd": "BSD-3-Clause",
    "bsd 3-clause": "BSD-3-Clause",
    "bsd-3-clause": "BSD-3-Clause",
    "bsd-3-clauses": "BSD-3-Clause",
    "bsd3": "BSD-3-Clause",
    "bsd-3": "BSD-3-Clause",
    "bsd 3-clause license": "BSD-3-Clause",
    "3-clause bsd license": "BSD-3-Clause",
    "bsd-3-clause license": "BSD-3-Clause",
    "bsd 3 clause": "BSD-3-Clause",
    "new bsd license": "BSD-3-Clause",
    "bsd-3-clause-new": "BSD-3-Clause",
    "bsd-3-clause-generic": "BSD-3-Clause",
    "bsd-3-clause-google": "BSD-3-Clause",
    "bsd-2-clause": "BSD-2-Clause",
    "bsd-2-clauses": "BSD-2-Clause",
    "bsd2": "BSD-2-Clause",
    "bsd-2": "BSD-2-Clause",
    "simplified bsd": "BSD-2-Clause",
    "bsd 2-clause": "BSD-2-Clause",
    "2-clause bsd": "BSD-2-Clause",
    "bsd 2-clause license": "BSD-2-Clause",
    "bsd-2-clause-freebsd": "BSD-2-Clause",
    "isc": "ISC",
    "isc license": "ISC",
    "isc license (iscl)": "ISC",
    "mpl-2.0": "MPL-2.0",
    "mpl 2.0": "MPL-2.0",
    "mpl2": "MPL-2.0",
    "mpl-2": "MPL-2.0",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "zlib": "Zlib",
    "zlib/libpng": "Zlib",
    "zlib license": "Zlib",
    "bsl-1.0": "BSL-1.0",
    "bsl-1": "BSL-1.0",
    "boost-1.0": "BSL-1.0",
    "boost": "BSL-1.0",
    "boost software license 1.0": "BSL-1.0",
    "boost software license": "BSL-1.0",
    "psf": "PSF-2.0",
    "psf-2": "PSF-2.0",
    "psf-2.0": "PSF-2.0",
    "psfl": "PSF-2.0",
    "python software foundation license": "PSF-2.0",
    "python-2.0": "PSF-2.0",
    "postgresql": "PostgreSQL",
    "unlicense": "Unlicense",
    "the unlicense": "Unlicense",
    "the unlicense (unlicense)": "Unlicense",
    "0bsd": "0BSD",
    "artistic-2.0": "Artistic-2.0",
    "artistic-2": "Artistic-2.0",
}


def spdx(name):
    """One licence name, as people write it, to its SPDX identifier ('' if not known)."""
    name = re.sub(r"\s+", " ", (name or "").strip().strip("()").lower())
    if name.startswith("osi approved :: "):
        name = name.split(" :: ", 1)[1]
    return _SAME.get(name, "")


def resolve(expression):
    """A licence expression to the SPDX name we use it under, or '' if it is not allowed.

    A choice (OR, '/', '|') needs one allowed licence, a conjunction (AND, ',') all of them.
    """
    text = re.sub(r"\s+", " ", (expression or "").strip())
    if not text or len(text) > 200:
        return ""
    whole = spdx(text)
    if whole:
        return whole if whole in ALLOWED else ""
    text = text.replace("(", " ").replace(")", " ")
    options = [o for o in re.split(r"\s+or\s+|\s*/\s*|\s*\|+\s*", text, flags=re.I) if o.strip()]
    for option in options:
        names = [spdx(part) for part in re.split(r"\s+and\s+|\s*,\s*", option, flags=re.I) if part]
        if names and all(name in ALLOWED for name in names):
            return " AND ".join(dict.fromkeys(names))
    return ""


def classify(text):
    """The SPDX name of a licence text ('' if unknown or not permissive)."""
    flat = re.sub(r"[\s*#/\"'`“”>-]+", " ", text).lower()
    head = flat[:1500]
    if "gnu " in head and "general public license" in head:
        return ""
    for bad in (
        "business source license",
        "server side public",
        "elastic license",
        "european union public",
        "eclipse public license",
        "creative commons",
        "commons clause",
        "gnu affero",
        "gnu lesser",
    ):
        if bad in head:
            return ""
    if "apache license" in flat and "version 2.0" in flat:
        return "Apache-2.0"
    if (
        "mozilla public license version 2.0" in flat
        or "mozilla public license, version 2.0" in flat
    ):
        return "MPL-2.0"
    if "boost software license version 1.0" in flat:
        return "BSL-1.0"
    if "redistribution and use in source and binary forms" in flat:
        if re.search(
            r"neither the (name|names)|names? of (the|its) .{0,80}may not be used|"
            r"may not be used to endorse",
            flat,
        ):
            return "BSD-3-Clause"
        return "BSD-2-Clause"
    if "permission is hereby granted, free of charge" in flat:
        return "MIT" if "the above copyright notice" in flat else "MIT-0"
    if "altered source versions must be plainly marked" in flat:
        return "Zlib"
    if "free and unencumbered software released into the public domain" in flat:
        return "Unlicense"
    if re.search(r"permission to use, copy, modify,? and(/or| or)? ?distribute", flat):
        if "postgres" in flat or "without a written agreement" in flat:
            return "PostgreSQL"
        return "ISC" if "copyright notice" in flat else "0BSD"
    if "artistic license 2.0" in flat:
        return "Artistic-2.0"
    if "mit license" in head:
        return "MIT"
    return ""


class DebianCopyright:
    """A machine-readable debian/copyright: which licence a file is under."""

    def __init__(self, text):
        self.stanzas = []  # (patterns, licence as written)
        self.source = ""
        for paragraph in re.split(r"\n\s*\n", text.replace("\r", "")):
            fields, key = {}, None
            for line in paragraph.split("\n"):
                if line[:1] in (" ", "\t") and key:
                    fields[key] += "\n" + line.strip()
                elif ":" in line and not line.startswith("#"):
                    key, _, value = line.partition(":")
                    key = key.strip().lower()
                    fields[key] = value.strip()
            if "source" in fields:
                self.source = fields["source"].replace("\n", " ").strip()
            if "files" in fields and "license" in fields:
                self.stanzas.append((fields["files"].split(), fields["license"].split("\n")[0]))

    def licence(self, path):
        """The SPDX licence of a path, '' where it is unknown or not allowed."""
        found = None
        for patterns, licence in self.stanzas:
            if any(fnmatch.fnmatchcase(path, p.removeprefix("./")) for p in patterns):
                found = licence  # the last matching stanza wins
        return resolve(found)

    def main(self):
        """The licence of the upstream code as a whole."""
        for patterns, licence in self.stanzas:
            if "*" in patterns:
                return resolve(licence)
        return ""
