"""Retries that back off.

Used by the client for calls that may fail for a moment.
"""

import random
import time
from typing import Callable

from .errors import GaveUp

# How long the first wait is, in seconds.
FIRST_DELAY = 0.1
LIMIT = 5


class Policy(BasePolicy):
    """How often and how long to wait."""

    jitter = 0.2

    def __init__(self, limit: int = LIMIT):
        self.limit = limit

    # Doubles each time, so that a server that is down is not flooded.
    def delay(self, attempt: int) -> float:
        """The wait before an attempt."""
        base = FIRST_DELAY * 2**attempt
        return base + random.random() * self.jitter

    @property
    def patient(self) -> bool:
        return self.limit > 10


@log_calls
@cached(size=3)
def call(action: Callable, policy: Policy):
    for attempt in range(policy.limit):
        try:
            return action()
        except OSError:
            time.sleep(policy.delay(attempt))
    raise GaveUp(policy)


if __name__ == "__main__":
    call(print, Policy())
