"""Rows for training on the device: tokens with the segment each belongs to, and batches of them."""

import glob
import lzma
import multiprocessing
import os

import numpy as np
import torch

from pairs import SEPARATOR

BODY, PATH, QUERY, NAME = 192, 16, 40, 12  # the most tokens of each
SLOTS = 10  # slot 0 asks by name, the others by a segment; the last two by a question
QUESTION_SLOTS = {"p": 8, "q": 9}
QUESTION_ROOM = 28  # tokens of each question
DOC_REST = 15
CODE, DOC, COMMENT, STRING, MESSAGE, BY_NAME, PARAPHRASE, QUESTION = range(8)
KINDS = {"d": DOC, "c": COMMENT, "s": STRING, "m": MESSAGE, "p": PARAPHRASE, "q": QUESTION}
# How often a row is asked by each kind, where it has it.
ASKED = torch.tensor([0.0, 1.0, 0.8, 0.5, 1.0, 0.25, 8.0, 5.0])


# How people begin a question; put before some of the queries.
OPENINGS = ["", "where is", "how does", "how is", "where are", "what", "find the code that", "how do we",
            "which function", "where do we", "code that", "the place where", "why", "when"]


def read(pattern):
    rows = []
    for path in sorted(glob.glob(pattern)):
        with lzma.open(path, "rt", encoding="utf-8") as file:
            rows += [line.rstrip("\n").split("\t") for line in file]
    return rows


def with_questions(rows, questioned):
    """All rows, those that have questions only with them."""
    def key(row):
        return row[0], row[2], row[4].split(SEPARATOR + "p")[0].split(SEPARATOR + "q")[0]

    doubles = {key(row) for row in questioned}
    return [row for row in rows if key(row) not in doubles] + questioned


def encode(row, tokens):
    """Tokens of the body, the slot of each, those of path and name, and the kind of each slot."""
    _, _, path, name, segments = row
    body, slots, kinds = [], [], [0] * SLOTS
    name_ids = tokens.ids(name.split(), NAME)
    if len(name_ids) >= 2:
        kinds[0] = BY_NAME
    next_slot = 1
    segments = segments.split(SEPARATOR)
    questions = [segment for segment in segments if segment[:1] in QUESTION_SLOTS]
    for segment in segments:
        if segment[:1] in QUESTION_SLOTS:
            continue
        ids = tokens.ids(segment[1:].split(), BODY - len(body))
        slot = DOC_REST if segment[:1] == "e" else 0
        # Slots are numbered by the segments alone, so that they are the same in every vocabulary.
        if segment[:1] in KINDS and next_slot < min(QUESTION_SLOTS.values()):
            slot = next_slot
            kinds[slot] = KINDS[segment[0]] if len(ids) >= 3 else 0
            next_slot += 1
        body += ids
        slots += [slot] * len(ids)
        if len(body) >= BODY:
            break
    # Questions stand behind the body, and are never part of it.
    for segment in questions:
        slot = QUESTION_SLOTS[segment[0]]
        ids = tokens.ids(segment[1:].split(), QUESTION_ROOM)
        kinds[slot] = KINDS[segment[0]] if len(ids) >= 3 else 0
        body += ids
        slots += [slot] * len(ids)
    return body, slots, tokens.ids(path.split(), PATH), name_ids, kinds


def padded(lists, length, dtype):
    out = np.zeros((len(lists), length), dtype)
    for at, values in enumerate(lists):
        out[at, : len(values)] = values
    return out


_tokens = None


def _encode_some(rows):
    found = [encode(row, _tokens) for row in rows]
    columns = list(zip(*found))
    # Vocabularies of WordPiece are small.
    number = np.int16 if len(_tokens.pieces) < 2**15 else np.int32
    width = BODY + QUESTION_ROOM * len(QUESTION_SLOTS)
    return (padded(columns[0], width, number), padded(columns[1], width, np.uint8),
            padded(columns[2], PATH, number), padded(columns[3], NAME, number),
            np.array(columns[4], np.uint8))


def encode_all(rows, tokens, device):
    """All rows as tensors on the device."""
    global _tokens
    _tokens = tokens
    parts = [rows[at : at + 4000] for at in range(0, len(rows), 4000)]
    with multiprocessing.get_context("fork").Pool(min(16, os.cpu_count())) as pool:
        done = pool.map(_encode_some, parts, chunksize=1)
    return [torch.from_numpy(np.concatenate(column)).to(device) for column in zip(*done)]


def compact(ids, length):
    """Moves what is not padding to the left and cuts."""
    order = torch.argsort((ids == 0).to(torch.int8), dim=1, stable=True)[:, :length]
    return ids.gather(1, order)


def holds_any(ids, wanted):
    """Where ids are among those wanted in the same row."""
    found = torch.zeros_like(ids, dtype=torch.bool)
    for column in wanted.unbind(1):
        found |= (ids == column[:, None]) & (column > 0)[:, None]
    return found


def ended(ids, first, last):
    """Texts that begin with one id and end with another."""
    ids = torch.nn.functional.pad(ids, (1, 1))
    ids[:, 0] = first
    return ids.scatter(1, (ids > 0).sum(1, keepdim=True), last)


class View:
    """The rows in the tokens of one vocabulary."""

    def __init__(self, rows, tokens, device, first=None, query=32):
        self.body, self.slots, self.path, self.name, self.kinds = encode_all(rows, tokens, device)
        openings = [tokens.ids(opening.split(), 4) for opening in OPENINGS]
        self.openings = torch.from_numpy(padded(openings, 4, np.int32)).to(self.body)
        self.first = first  # an id to put in front, where the model was pretrained with one
        self.query = query

    def texts(self, ix, plan, spoil):
        """Query, body and path ids. With `spoil`, words are hidden so that none can be relied on."""
        body, slots, path, name = (t[ix] for t in (self.body, self.slots, self.path, self.name))
        slot = plan.slot[:, None]
        asked = (slots == slot) & (slot > 0)
        by_name = slot == 0
        query = compact(torch.where(asked, body, 0), self.query)
        query = torch.where(by_name, torch.nn.functional.pad(name, (0, self.query - NAME)), query)
        query = compact(torch.cat([self.openings[plan.opening], query], 1), self.query)
        doc = ((slots == 1) & plan.has_doc[:, None]) | (slots == DOC_REST)
        questions = (slots >= min(QUESTION_SLOTS.values())) & (slots < DOC_REST)
        gone = asked | questions | (doc & ~plan.keep_doc[:, None])
        gone |= plan.hide_name[:, None] & holds_any(body, name)
        body = torch.where(gone, 0, body)
        if spoil:
            chosen = torch.where(torch.rand(query.shape, device=query.device) < plan.lexical, query, 0)
            spoilt = holds_any(body, chosen) | (torch.rand(body.shape, device=body.device) < 0.05)
            # Some words are left in any case.
            spoilt &= ((body > 0) & ~spoilt).sum(1, keepdim=True) >= 6
            body = torch.where(spoilt, 0, body)
            path = torch.where(plan.drop_path[:, None], 0, path)
        return query.long(), compact(body, BODY).long(), path.long()

    def whole(self, ix, plan, last):
        """Queries and units, path first, as a transformer that reads each as one text expects them."""
        query, body, path = self.texts(ix, plan, spoil=False)
        return [ended(compact(ids, BODY), self.first, last) for ids in (query, torch.cat([path, body], 1))]

    def begun(self, ix, plan, spoil):
        """The same, each with the id in front that the model was pretrained with, if any."""
        texts = self.texts(ix, plan, spoil)
        return [text if self.first is None else torch.nn.functional.pad(text, (1, 0), value=self.first)
                for text in texts]


class Plan:
    """What is asked of each row of a batch, and what is hidden; the same for every vocabulary."""

    def __init__(self, kinds, slot=None):
        device, count = kinds.device, len(kinds)
        chance = lambda p: torch.rand(count, device=device) < p  # noqa: E731
        if slot is None:
            share = ASKED.to(device)[kinds.long()] + 1e-9
            slot = torch.multinomial(share, 1).squeeze(1)
        self.slot = slot
        self.kind = kind = kinds.gather(1, slot[:, None]).squeeze(1)
        self.has_doc = kinds[:, 1] == DOC
        self.keep_doc = (kind != DOC) & chance(torch.where(kind >= PARAPHRASE, 0.7, 0.5))
        self.hide_name = ((kind == BY_NAME) & chance(0.7)) | (((kind == DOC) | (kind >= PARAPHRASE)) & chance(0.15))
        self.drop_path = chance(0.2) | ((kind == BY_NAME) & chance(0.4))
        opens = chance(0.12) & (kind < PARAPHRASE)
        self.opening = torch.randint(0, len(OPENINGS), (count,), device=device) * opens
        self.lexical = torch.where(chance(0.55), 0.4, 0.0)[:, None]


class Unasked(Plan):
    """Rows that only stand among the answers, as spoilt as those to questions are."""

    def __init__(self, kinds):
        super().__init__(kinds, torch.zeros(len(kinds), dtype=torch.long, device=kinds.device))
        chance = torch.rand(2, len(kinds), device=kinds.device)
        self.keep_doc, self.drop_path = chance[0] < 0.7, chance[1] < 0.2
        self.hide_name = torch.zeros_like(self.keep_doc)
        self.lexical = torch.zeros_like(self.lexical)


class Others:
    """Rows without questions by repository."""

    def __init__(self, repositories, first):
        """Repositories of all rows; those from `first` on are the others."""
        of = repositories[first:]
        self.order = first + np.argsort(of, kind="stable")
        self.starts = np.searchsorted(np.sort(of), np.arange(repositories.max() + 2))

    def beside(self, repositories, count, rng):
        """Rows of the repositories given, which stand there as often as they are wanted."""
        counts = np.diff(self.starts)[repositories]
        among = repositories[counts > 0]
        if not len(among):
            among = np.flatnonzero(np.diff(self.starts))
        chosen = rng.choice(among, count)
        counts = np.diff(self.starts)[chosen]
        return self.order[self.starts[chosen] + (rng.random(count) * counts).astype(np.int64)]


class Mined:
    """What an earlier encoder made of the rows; see mine.py."""

    def __init__(self, path):
        with np.load(path) as found:
            self.vectors, self.asked, self.wrong = (found[name] for name in ("vectors", "asked", "wrong"))

    def beside(self, rows, kinds, count, rng):
        """Wrong answers that the questions asked of rows came near to, `count` at most."""
        at = np.searchsorted(self.asked, rows)
        found = self.wrong[at, kinds - PARAPHRASE].reshape(-1)
        found = np.unique(found[found >= 0])
        return rng.permutation(np.setdiff1d(found, rows))[:count]


def askable(kinds):
    """Rows that something asks for."""
    return np.flatnonzero((kinds.cpu().numpy() > 0).any(1))


def questioned(kinds):
    """Rows that have a question."""
    return np.flatnonzero((kinds.cpu().numpy() >= PARAPHRASE).any(1))


def batches(repositories, chosen, size, group, seed, often=(), times=1, vectors=None):
    """Endless batches of row numbers: groups of rows of the same repository, which are the harder
    wrong answers to each other. The rows of `often` are taken so many times beside the others. With
    vectors, every second round groups rows that are alike."""
    rng = np.random.default_rng(seed)
    once, times = np.setdiff1d(chosen, often), max(times, 1) if len(often) else 1
    while True:
        groups = []
        for number, part in enumerate(np.array_split(rng.permutation(once), times)):
            order = rng.permutation(np.concatenate([part, often]).astype(np.int64))
            order = order[np.argsort(repositories[order], kind="stable")]
            if vectors is not None and number % 2 == 0:
                borders = np.flatnonzero(np.diff(repositories[order])) + 1
                order = np.concatenate([alike(rows, vectors, group, rng) for rows in np.split(order, borders)])
            start = rng.integers(0, group)
            groups.append(order[start : start + (len(order) - start) // group * group].reshape(-1, group))
        flat = rng.permutation(np.concatenate(groups)).reshape(-1)
        for at in range(0, len(flat) - size + 1, size):
            yield flat[at : at + size]


def alike(rows, vectors, group, rng):
    """Rows in an order in which neighbours are alike: halved again and again, each time by which of
    two of them they are nearer to."""
    if len(rows) <= group:
        return rows
    one, other = vectors[rng.choice(rows, 2, replace=False)].astype(np.float32)
    place = (vectors[rows] @ (one - other)).argsort()
    half = len(rows) // 2
    return np.concatenate([alike(part, vectors, group, rng) for part in (rows[place[:half]], rows[place[half:]])])
