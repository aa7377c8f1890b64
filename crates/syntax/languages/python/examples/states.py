"""States of a door, and what a door keeps."""

import enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    Key = int
else:
    Key = object

try:
    import fast
    FAST = True
except ImportError:
    FAST = False

WIDTH, HEIGHT = 90, 200


class State(enum.Enum):
    """What a door is."""

    OPEN = 1
    CLOSED = 2


class Door:
    width: int
    height = HEIGHT
    left, right = 0, 1

    def __init__(self, key):
        self.key = key
        self.state, self.opened = State.CLOSED, 0

    def open(self, key):
        """Opens it."""
        self.state = State.OPEN
        self.opened += 1
        with log(key) as self.entry:
            self.last: Key = key

    @classmethod
    def count(cls):
        cls.made = getattr(cls, "made", 0) + 1

        class Hinge:
            size = 3
