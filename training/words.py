"""The words a model reads: the same as `crates/words/src/model_words.rs`.

Identifiers are split, everything is in lower case, punctuation is gone. The tests of both read
`crates/words/tests/words.tsv`.
"""

import re

# Letters beyond ASCII are told by range and count as small.
SMALL = "a-z\u00c0-\u024f\u0370-\u1fff\u3040-\ud7ff"
WORD = re.compile(
    rf"[A-Z]{{2,}}s(?![{SMALL}])"  # an acronym in the plural
    rf"|[A-Z]+(?![{SMALL}])"  # an acronym; its last capital may begin the next word
    rf"|[A-Z]?[{SMALL}]+"
    rf"|[0-9]+"
)


def words(text):
    """The words of a text in lower case, in order."""
    found = WORD.findall(text)
    return " ".join(found).lower().split() if text.isascii() else [lower(w) for w in found]


def lower(word):
    # Letter by letter: Python's own rule for a final sigma looks at the whole word.
    return "".join(c.lower() for c in word)
