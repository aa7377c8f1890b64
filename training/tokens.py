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


class BytePairs:
    """The vocabulary of a byte-level tokenizer, for words that are in lower case and split. Its ids
    are one higher than there, since 0 is padding here."""

    def __init__(self, tokenizer):
        self.pieces = tokenizer["model"]["vocab"]
        merges = (tuple(m.split(" ")) if isinstance(m, str) else tuple(m) for m in tokenizer["model"]["merges"])
        self.ranks = {pair: rank for rank, pair in enumerate(merges)}
        self.known = {}

    ids = Tokens.ids

    def cut(self, word):
        """The ids of one word. What is beyond ASCII is left out: its bytes have names of their own."""
        if len(word) > MOST_CHARS or not word.isascii():
            return []
        parts = ["\u0120"] + list(word)
        while len(parts) > 1:
            pairs = list(zip(parts, parts[1:]))
            best = min(pairs, key=lambda pair: self.ranks.get(pair, len(self.ranks)))
            if best not in self.ranks:
                break
            at = pairs.index(best)
            parts[at : at + 2] = ["".join(best)]
        return [self.pieces[part] + 1 for part in parts if part in self.pieces]
