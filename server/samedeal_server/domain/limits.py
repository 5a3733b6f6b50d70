"""How fast one connection may ask: told the time, it never looks at a clock."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["TokenBucket"]


@dataclass(slots=True)
class TokenBucket:
    """`rate` tokens a second, saved up to `burst`."""

    rate: float
    burst: float
    tokens: float
    at_ms: float

    @classmethod
    def full(cls, rate: float, burst: float, now_ms: float) -> TokenBucket:
        """A bucket that nobody has used yet."""
        return cls(rate, burst, burst, now_ms)

    def take(self, now_ms: float) -> bool:
        """Take one token if there is one."""
        filled = self.tokens + (now_ms - self.at_ms) * self.rate / 1000
        self.tokens = min(filled, self.burst)
        self.at_ms = now_ms
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True

    def is_full(self, now_ms: float) -> bool:
        """Whether it is as if nobody had used it."""
        return self.tokens + (now_ms - self.at_ms) * self.rate / 1000 >= self.burst

    def wait_ms(self) -> int:
        """How long until there is a token again."""
        return max(1, int((1 - self.tokens) * 1000 / self.rate))
