"""ripgrep, as people use it: `whole` looks for the query as typed, `words` for its keywords.

`whole` is the baseline of semble's benchmark: the query as one literal, letter
case ignored, files in falling order of matching lines. There, files with as many
lines stand in the order in which ripgrep's threads happened to finish; here,
in order of path, so that a run can be repeated.
"""

import re
import sys
import time
from collections import Counter, defaultdict

from adapter import Adapter, Failure, hit, line_hit, program, run, serve, tidy

INSTALL = "Debian and Homebrew: ripgrep; cargo install ripgrep"

# The folder holds exactly what is to be searched, and a user's settings must not change results.
FLAGS = ["--no-config", "--no-ignore", "--hidden", "--color=never", "--no-heading", "--null"]

STOP_WORDS = frozenset(
    """
    a about after all also an and any are as at be because been before being between both but by can
    could did do does done each either every for from had has have how i if in into is it its like
    may me might more most my no not of off on once one only or other our out over own same shall
    should so some such than that the their them then there these they this those through to too
    under until up us very via was we were what when where whether which while who whose why will
    with within without would you your
    """.split()
)


def keywords(query):
    """The distinct words to look for; a query of stop words alone is taken as it is."""
    words = list(dict.fromkeys(word.casefold() for word in re.findall(r"\w+", query)))
    kept = [word for word in words if len(word) > 1 and word not in STOP_WORDS]
    return kept or words


def definition(name):
    """What a line looks like that defines the name, in the common languages."""
    n = re.escape(name)
    word = rf"(?<![\w$]){n}(?![\w$])"
    modifiers = (
        r"(?:(?:pub(?:\([^)]*\))?|public|private|protected|internal|export|default|static|async|final"
        r"|abstract|override|virtual|inline|extern|unsafe|const|suspend|open|get|set)\s+)*"
    )
    introducer = (
        r"(?:function\*?|class|def[a-z]*|const|let|var|val|fn|func|fun|sub|proc|struct|enum|trait|interface"
        r"|type|typedef|union|module|namespace|package|protocol|extension|object|record|data|newtype"
        r"|instance|actor|mixin|macro_rules!|\#\s*define|declare|alias|local)"
    )
    statement = (
        r"(?:return|throw|new|else|await|yield|case|delete|typeof|in|of|and|or|not|goto|import|from|use"
        r"|require|include)"
    )
    forms = [
        # def NAME, class NAME, const NAME, func (r *T) NAME, fun <T> T.NAME, function M.NAME
        rf"(?<![\w.$]){introducer}\s+(?:\([^)]*\)\s*|<[^>]*>\s*)?(?:[\w$]+(?:<[^>]*>)?(?:\.|::|:))*{word}",
        # const a, NAME and let mut NAME
        rf"^\s*{modifiers}(?:let|var|const)\s+(?:mut\s+|[\w$]+\s*,\s*)+{word}",
        # NAME = function, NAME: (a) =>, and the same on an object
        rf"(?:^|[\s.]){n}\s*[:=]\s*(?:async\s+)?(?:function\b|(?:\([^)]*\)|[\w$]+)\s*=>)",
        rf"^\s*(?:module\.)?(?:exports|this|self|[\w$]+\.prototype)\.{n}\s*=(?!=)",
        # NAME = value at the start of a line, NAME :: type
        rf"^{n}\s*(?::\s*[^=]+)?=(?!=)",
        rf"^{n}\s*::",
        # NAME(a) { of methods and shells
        rf"^\s*{modifiers}{n}\s*(?:<[^>]*>)?\([^;]*\)\s*(?::\s*[^;]+)?(?:throws\s+[\w.,\s]+)?\{{",
        # Type NAME( of C, C++, Java, C#
        rf"^\s*(?!{statement}\b)(?:[\w:<>\[\],*&?.]+\s+)+[*&]*(?:[\w~]+::)*{n}\s*\([^;]*$",
    ]
    return re.compile("|".join(forms))


class Ripgrep(Adapter):
    def __init__(self, mode):
        self.mode = mode

    def prepare(self):
        self.rg = program("rg", "RG", INSTALL)
        version = run([self.rg, "--version"], cwd=self.root).stdout.split("\n")[0]
        listed = run([self.rg, *FLAGS, "--files", "."], cwd=self.root, good=(0, 1))
        return {
            "version": version,
            "index_ms": 0,
            "index_bytes": 0,
            "files": listed.stdout.count("\0"),
            "prefix": True,
        }

    def grep(self, flags, patterns):
        """Run ripgrep; give its lines as (path, rest) and the time."""
        given = [f"--regexp={pattern}" for pattern in patterns]
        # 1: nothing found; 2: something could not be read, which is fatal only if there is no output.
        output = run([self.rg, *FLAGS, *flags, *given, "--", "."], cwd=self.root, good=(0, 1, 2))
        if output.code == 2 and not output.stdout:
            raise Failure(f"rg failed: {output.complaint()}")
        lines = (line.split("\0", 1) for line in output.stdout.split("\n") if "\0" in line)
        return [(tidy(path), rest) for path, rest in lines], output.ms

    def search(self, query, limit):
        ranked, ms = self.whole(query) if self.mode == "whole" else self.words(query)
        return [hit(path) for path in ranked[:limit]], ms

    def whole(self, query):
        # A literal cannot go over lines: as in grep, each line of a query is one.
        lines = [line for line in re.split(r"[\r\n]+", query) if line.strip()]
        counted, ms = self.grep(["--count", "--ignore-case", "--fixed-strings"], lines)
        return rank({path: (int(count),) for path, count in counted}), ms

    def words(self, query):
        wanted = keywords(query)
        if not wanted:
            return [], 0.0
        # Longest first: one match then stands for the shorter keywords inside it as well.
        patterns = sorted(wanted, key=len, reverse=True)
        flags = ["--only-matching", "--no-line-number", "--ignore-case", "--fixed-strings"]
        matched, ms = self.grep(flags, patterns)
        start = time.perf_counter()
        held, matches = defaultdict(set), Counter()
        for (path, match), count in Counter(matched).items():
            match = match.casefold()
            held[path].update(word for word in wanted if word in match)
            matches[path] += count
        ranked = rank({path: (len(words), matches[path]) for path, words in held.items()})
        return ranked, ms + (time.perf_counter() - start) * 1000

    def lines(self, name):
        """All lines with the name as a word, and the time."""
        if "\n" in name or "\r" in name:
            return [], 0.0
        found, ms = self.grep(["--line-number", "--word-regexp", "--fixed-strings"], [name])
        lines = []
        for path, rest in found:
            number, _, line = rest.partition(":")
            lines.append((path, int(number), line[:2000]))  # a minified file is one long line
        return sorted(lines), ms

    def define(self, name):
        lines, ms = self.lines(name)
        defines = definition(name)
        return [line_hit(path, number) for path, number, line in lines if defines.search(line)], ms

    def refer(self, name):
        lines, ms = self.lines(name)
        defines = definition(name)
        return [line_hit(path, number) for path, number, line in lines if not defines.search(line)], ms


def rank(scores):
    """Paths, the highest score first, then by path."""
    return sorted(scores, key=lambda path: ([-part for part in scores[path]], path))


if __name__ == "__main__":
    if sys.argv[1:] not in (["whole"], ["words"]):
        sys.exit("usage: ripgrep.py whole|words")
    serve(Ripgrep(sys.argv[1]))
