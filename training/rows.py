"""Rows for training on the device: tokens with the segment each belongs to, and batches of them."""

import glob
import lzma
import multiprocessing
import os

import numpy as np
import torch

from pairs import SEPARATOR

BODY, PATH, QUERY, NAME = 192, 16, 40, 12  # the most tokens of each
SLOTS = 8  # slot 0 asks by name, the others by a segment
DOC_REST = 15
CODE, DOC, COMMENT, STRING, MESSAGE, BY_NAME = 0, 1, 2, 3, 4, 5
KINDS = {"d": DOC, "c": COMMENT, "s": STRING, "m": MESSAGE}
# How often a row is asked by each kind, where it has it.
ASKED = torch.tensor([0.0, 1.0, 0.8, 0.5, 1.0, 0.25])


# How people begin a question; put before some of the queries.
OPENINGS = ["", "where is", "how does", "how is", "where are", "what", "find the code that", "how do we",
            "which function", "where do we", "code that", "the place where", "why", "when"]


def read(pattern):
    rows = []
    for path in sorted(glob.glob(pattern)):
        with lzma.open(path, "rt", encoding="utf-8") as file:
            rows += [line.rstrip("\n").split("\t") for line in file]
    return rows


def encode(row, tokens):
    """Tokens of the body, the slot of each, those of path and name, and the kind of each slot."""
    _, _, path, name, segments = row
    body, slots, kinds = [], [], [0] * SLOTS
    name_ids = tokens.ids(name.split(), NAME)
    if len(name_ids) >= 2:
        kinds[0] = BY_NAME
    next_slot = 1
    for segment in segments.split(SEPARATOR):
        ids = tokens.ids(segment[1:].split(), BODY - len(body))
        slot = DOC_REST if segment[:1] == "e" else 0
        # Slots are numbered by the segments alone, so that they are the same in every vocabulary.
        if segment[:1] in KINDS and next_slot < SLOTS:
            slot = next_slot
            kinds[slot] = KINDS[segment[0]] if len(ids) >= 3 else 0
            next_slot += 1
        body += ids
        slots += [slot] * len(ids)
        if len(body) >= BODY:
            break
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
    return (padded(columns[0], BODY, np.int16), padded(columns[1], BODY, np.uint8),
            padded(columns[2], PATH, np.int16), padded(columns[3], NAME, np.int16),
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


class View:
    """The rows in the tokens of one vocabulary."""

    def __init__(self, rows, tokens, device, first=None, query=32):
        self.body, self.slots, self.path, self.name, self.kinds = encode_all(rows, tokens, device)
        openings = [tokens.ids(opening.split(), 4) for opening in OPENINGS]
        self.openings = torch.from_numpy(padded(openings, 4, np.int16)).to(device)
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
        gone = asked | (doc & ~plan.keep_doc[:, None])
        gone |= plan.hide_name[:, None] & holds_any(body, name)
        body = torch.where(gone, 0, body)
        if spoil:
            chosen = torch.where(torch.rand(query.shape, device=query.device) < plan.lexical, query, 0)
            spoilt = holds_any(body, chosen) | (torch.rand(body.shape, device=body.device) < 0.05)
            # Some words are left in any case.
            spoilt &= ((body > 0) & ~spoilt).sum(1, keepdim=True) >= 6
            body = torch.where(spoilt, 0, body)
            path = torch.where(plan.drop_path[:, None], 0, path)
        texts = query, compact(body, BODY), path
        return tuple(self.with_first(t) for t in texts)

    def with_first(self, ids):
        ids = ids.long()
        return ids if self.first is None else torch.nn.functional.pad(ids, (1, 0), value=self.first)


class Plan:
    """What is asked of each row of a batch, and what is hidden; the same for every vocabulary."""

    def __init__(self, kinds, slot=None):
        device, count = kinds.device, len(kinds)
        chance = lambda p: torch.rand(count, device=device) < p
        if slot is None:
            share = ASKED.to(device)[kinds.long()] + 1e-9
            slot = torch.multinomial(share, 1).squeeze(1)
        self.slot = slot
        kind = kinds.gather(1, slot[:, None]).squeeze(1)
        self.has_doc = kinds[:, 1] == DOC
        self.keep_doc = (kind != DOC) & chance(0.5)
        self.hide_name = ((kind == BY_NAME) & chance(0.7)) | ((kind == DOC) & chance(0.15))
        self.drop_path = chance(0.2) | ((kind == BY_NAME) & chance(0.4))
        self.opening = torch.randint(0, len(OPENINGS), (count,), device=device) * chance(0.12)
        self.lexical = torch.where(chance(0.55), 0.4, 0.0)[:, None]


def askable(kinds):
    """Rows that something asks for."""
    return np.flatnonzero((kinds.cpu().numpy() > 0).any(1))


def batches(repositories, chosen, size, group, seed):
    """Endless batches of row numbers: groups of rows of the same repository, which are the harder
    wrong answers to each other."""
    rng = np.random.default_rng(seed)
    while True:
        order = rng.permutation(chosen)
        order = order[np.argsort(repositories[order], kind="stable")]
        start = rng.integers(0, group)
        groups = order[start : start + (len(order) - start) // group * group].reshape(-1, group)
        flat = rng.permutation(groups).reshape(-1)
        for at in range(0, len(flat) - size + 1, size):
            yield flat[at : at + size]
