"""Rate limits: token buckets, one per session or per network address."""

import time
from collections import OrderedDict
from dataclasses import dataclass, field

MOST_ADDRESSES = 10_000  # least recently seen clients are evicted first


@dataclass
class TokenBucket:
    """A burst, refilled at a rate per second."""

    rate: float
    burst: float
    left: float = field(init=False)
    filled: float = field(init=False)

    def __post_init__(self) -> None:
        self.left, self.filled = self.burst, time.monotonic()

    def take(self, cost: float = 1.0) -> bool:
        now = time.monotonic()
        self.left = min(self.burst, self.left + (now - self.filled) * self.rate)
        self.filled = now
        if self.left < cost:
            return False
        self.left -= cost
        return True


class BucketsByAddress:
    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self.buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, address: str, cost: float = 1.0) -> bool:
        bucket = self.buckets.pop(address, None) or TokenBucket(self.rate, self.burst)
        self.buckets[address] = bucket  # in order of use, the most recent last
        if len(self.buckets) > MOST_ADDRESSES:
            self.buckets.popitem(last=False)
        return bucket.take(cost)
