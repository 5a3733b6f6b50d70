"""What one connection may cost us, each number with its reason."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["EdgeLimits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeLimits:
    """Limits of the WebSocket edge. Times are seconds, sizes are bytes, all above zero.

    Times are kept with the coarse resolution of the keepalive wheel: they may end up to a
    tenth of the shortest of them late, never early.
    """

    open_timeout: float = 10.0
    """From accept to a whole request head: two retransmissions on a bad mobile link fit in."""

    close_timeout: float = 5.0
    """From our close frame (or plain reply) to the end of the TCP connection, then abort."""

    ping_interval: float = 20.0
    """Silence after which we ping. Home routers forget idle TCP flows after 30 s and more."""

    ping_timeout: float = 20.0
    """Silence after our ping that means the other side is gone."""

    max_message_size: int = 16 * 1024
    """One whole text message, fragments joined; the largest of the protocol is under 2 KiB."""

    max_fragments: int = 64
    """Frames of one message. Empty fragments cost us work and add nothing to the size."""

    max_header_size: int = 16 * 1024
    """The whole request head. Browsers with large cookies stay under 8 KiB."""

    max_backlog: int = 256 * 1024
    """A reader with more unsent bytes than this is cut (case 60). A larger message, such as the
    record of a large duel, is forgiven: who takes it slowly would never get it otherwise."""

    pause_above: int = 64 * 1024
    """Unsent answers above which we stop reading from the client that doesn't take them."""

    resume_below: int = 16 * 1024
    """Unsent answers below which we read again."""

    control_rate_per_s: float = 4.0
    """Pings and pongs a second in the long run; keepalives come every few seconds at most."""

    control_burst: int = 32
    """Pings and pongs at once, e.g. after a connection has hung; more is a flood (1008)."""

    max_connections: int = 20_000
    """Open WebSockets; further ones get 503. 20,000 idle ones take about 250 MiB (perf.md)."""

    refusal_headroom: int = 256
    """Sockets beyond `max_connections` that still hear why (and health checks that still work)."""

    retry_after_s: int = 5
    """What a 503 tells clients to wait."""

    def __post_init__(self) -> None:
        """Raises ValueError if the water marks are out of order."""
        if not 0 <= self.resume_below <= self.pause_above <= self.max_backlog:
            raise ValueError("expected resume_below <= pause_above <= max_backlog")

    @property
    def resolution(self) -> float:
        """Seconds between two turns of the keepalive wheel, 0.01 to 0.5."""
        shortest = min(self.open_timeout, self.close_timeout, self.ping_interval, self.ping_timeout)
        return min(0.5, max(0.01, shortest / 10))
