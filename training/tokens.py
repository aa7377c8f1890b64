"""Words to the numbers of their pieces: the same as `crates/embed/src/tokenizer.rs`.

A word is cut greedily: the longest piece that it begins with, then the longest continuation,
written with `##` in the vocabulary, and so on. The golden test of `crates/embed` holds the two
against each other.
"""

# Longer words are numbers, keys or accidents, and left out.
MOST_CHARS = 40

# The first ids stand for padding and for the unknown, never for a word.
FIRST_ID = 2


class Tokens:
    """A vocabulary with one piece a line."""

    def __init__(self, lines):
        self.lines = list(lines)
        self.pieces = {}
        for number, piece in enumerate(self.lines):
            # A line that stands there twice keeps its first id.
            if number >= FIRST_ID and piece not in ("", "##"):
                self.pieces.setdefault(piece, number)
        self.longest = max((len(piece) for piece in self.pieces), default=0)
        self.known = {}

    def ids(self, words, most):
        """The ids of words, `most` at most. A word that has no complete cut gives none."""
        found = []
        for word in words:
            if len(found) >= most:
                break
            if word not in self.known:
                self.known[word] = self.cut(word)
            found += self.known[word]
        return found[:most]

    def cut(self, word):
        """The ids of one word."""
        if len(word) > MOST_CHARS or word.startswith("##"):
            return []
        found, start = [], 0
        while start < len(word):
            prefix = "##" if start else ""
            for end in range(min(len(word), start + self.longest), start, -1):
                number = self.pieces.get(prefix + word[start:end])
                if number is not None:
                    found.append(number)
                    start = end
                    break
            else:
                return []
        return found
