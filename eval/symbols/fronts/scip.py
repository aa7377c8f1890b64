"""Reads a SCIP index, without its schema's generated code."""

import collections

DEFINITION, IMPORT, WRITE = 1, 2, 4
Occurrence = collections.namedtuple("Occurrence", "line column end symbol roles")


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def fields(data):
    """The fields of a message: number and value."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
        else:
            size = 8 if key & 7 == 1 else 4
            value, at = data[at : at + size], at + size
        yield key >> 3, value


def packed(data):
    at, values = 0, []
    while at < len(data):
        value, at = varint(data, at)
        values.append(value)
    return values


def occurrence(data):
    span, symbol, roles = [], "", 0
    for number, value in fields(data):
        if number == 1:
            span = packed(value) if isinstance(value, bytes) else span + [value]
        elif number == 2:
            symbol = value.decode()
        elif number == 3:
            roles = value
    return Occurrence(span[0] + 1, span[1] + 1, span[-1] + 1, symbol, roles)


def read(path):
    """Every document: its path, its occurrences, and pairs of a symbol and
    another one that it implements."""
    with open(path, "rb") as file:
        data = file.read()
    for number, document in fields(data):
        if number != 2:
            continue
        name, found, pairs = "", [], []
        for part, value in fields(document):
            if part == 1:
                name = value.decode()
            elif part == 2:
                found.append(occurrence(value))
            elif part == 3:
                pairs.extend(implemented(value))
        yield name, found, pairs


def implemented(data):
    symbol, others = "", []
    for number, value in fields(data):
        if number == 1:
            symbol = value.decode()
        elif number == 4:
            parts = dict(fields(value))
            if parts.get(3):
                others.append(parts[1].decode())
    return [(symbol, other) for other in others]
