"""Words to ids: greedy longest-match WordPiece, the same as `crates/embed/src/tokenizer.rs`."""

LONGEST_WORD = 40


class Tokens:
    def __init__(self, vocabulary):
        """`vocabulary` are the pieces in order of their ids; pieces inside a word begin with ##."""
        self.known = {piece: at for at, piece in enumerate(vocabulary)}
        self.longest = max(map(len, vocabulary))
        self.cache = {}

    @classmethod
    def read(cls, path):
        with open(path, encoding="utf-8") as file:
            return cls(file.read().rstrip("\n").split("\n"))

    def of_word(self, word):
        """The ids of one word; none where it cannot be cut completely."""
        found = self.cache.get(word)
        if found is None:
            found = self.cache[word] = self.cut(word)
        return found

    def cut(self, word):
        if len(word) > LONGEST_WORD:
            return ()
        ids, start = [], 0
        while start < len(word):
            mark = "##" if start else ""
            for end in range(min(len(word), start + self.longest), start, -1):
                at = self.known.get(mark + word[start:end])
                if at is not None:
                    break
            else:
                return ()
            ids.append(at)
            start = end
        return tuple(ids)

    def ids(self, words, most):
        """The ids of words, at most so many."""
        found = []
        for word in words:
            found.extend(self.of_word(word))
            if len(found) >= most:
                break
        return found[:most]
