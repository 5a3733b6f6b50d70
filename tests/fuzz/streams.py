"""What a hostile client may write: handshakes, frames, JSON, messages, cut anywhere."""

from __future__ import annotations

import json
from typing import Any, Final

from hypothesis import strategies as st

__all__ = ["HELLO", "REQUEST", "cut", "frame", "handshakes", "payloads", "streams"]

REQUEST: Final = (
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    b"Sec-WebSocket-Protocol: samedeal.1\r\n\r\n"
)
HELLO: Final = b'{"type":"hello","name":"fuzz"}'
MASK: Final = b"\x37\xfa\x21\x3d"

FIELDS: Final[dict[str, dict[str, Any]]] = {
    "hello": {"name": "fuzz", "token": "t" * 43, "bot": True},
    "ping": {"id": 3},
    "create": {"req": 1, "ruleset": "timed", "seats": 1, "duration_ms": 30_000, "options": {}},
    "join": {"req": 2, "code": "ABCDEF"},
    "watch": {"req": 3, "code": "abc def"},
    "ready": {"req": 4, "nonce_hash": "0" * 64},
    "reveal": {"req": 5, "nonce": "0" * 32},
    "start": {"req": 6},
    "move": {"seq": 0, "move": "d"},
    "leave": {"req": 7},
    "queue": {"req": 8, "ruleset": "timed", "seats": 2},
    "cancel": {"req": 9},
    "rematch": {"req": 10},
    "sync": {"req": 11},
    "hint": {"req": 12},
    "where": {"req": 13},
    "record": {"req": 14},
    "top": {"req": 15, "table": "timed", "count": 3},
    "open": {"req": 16},
}

_scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=True),
    st.text(max_size=80),
    st.sampled_from(["d", "u", "end", "t1-t2", "timed", "\ud800", "\u202e", "\x00", "9" * 400]),
)
_values = st.recursive(
    _scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@st.composite
def _messages(draw: st.DrawFn) -> bytes:
    """A message of the protocol, or nearly."""
    kind = draw(st.sampled_from(sorted(FIELDS)))
    fields: dict[str, Any] = {"type": kind, **FIELDS[kind]}
    for _ in range(draw(st.integers(0, 2))):
        name = draw(st.sampled_from([*fields, "score", "req", "seq", "type"]))
        if draw(st.booleans()):
            fields[name] = draw(_values)
        else:
            fields.pop(name, None)
    text = json.dumps(fields)
    if draw(st.integers(0, 9)) == 0:
        at = draw(st.integers(0, len(text)))
        text = (
            text[:at]
            + draw(st.sampled_from(["{", "}", ",", ":", '"', "\\u12", "[" * 200]))
            + text[at:]
        )
    return text.encode("utf-8", "surrogatepass")


payloads = st.one_of(
    _messages(),
    _messages(),
    st.just(HELLO),
    _values.map(lambda value: json.dumps(value).encode("utf-8", "surrogatepass")),
    st.binary(max_size=200),
    st.sampled_from([b"", b"[" * 9000, b"x" * 17_000, b'{"type":"ping","id":1}' + b" " * 16_000]),
)
"""What may be in a text frame."""


def frame(
    opcode: int, payload: bytes, *, fin: bool = True, rsv: int = 0, masked: bool = True
) -> bytes:
    """A frame as asked for, sense or not."""
    size, bit = len(payload), masked << 7
    head = bytes([fin << 7 | rsv << 4 | opcode])
    if size < 126:
        head += bytes([bit | size])
    elif size < 65_536:
        head += bytes([bit | 126]) + size.to_bytes(2, "big")
    else:
        head += bytes([bit | 127]) + size.to_bytes(8, "big")
    if not masked:
        return head + payload
    return head + MASK + bytes(byte ^ MASK[i % 4] for i, byte in enumerate(payload))


@st.composite
def _frames(draw: st.DrawFn) -> bytes:
    """Mostly a text frame; now and then anything that has the shape of a frame, or has not."""
    chance = draw(st.integers(0, 11))
    payload = draw(payloads)
    if chance < 8:
        return frame(1, payload)
    if chance == 8:
        at = draw(st.integers(0, len(payload)))
        return frame(1, payload[:at], fin=False) + frame(0, payload[at:])
    if chance == 9:
        return frame(draw(st.sampled_from([8, 9, 10])), draw(st.binary(max_size=130)))
    if chance == 10:
        return frame(
            draw(st.integers(0, 15)),
            payload,
            fin=draw(st.booleans()),
            rsv=draw(st.integers(0, 7)),
            masked=draw(st.booleans()),
        )
    return draw(st.binary(max_size=60))


@st.composite
def handshakes(draw: st.DrawFn) -> bytes:
    """A request head, with a line too many, too few, or spoilt."""
    lines = REQUEST.split(b"\r\n")[:-2]
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(lines) - 1)) if lines else 0
        match draw(st.integers(0, 4)):
            case 0 if lines:
                del lines[at]
            case 1:
                lines.insert(at, draw(st.binary(max_size=40)))
            case 2 if lines:
                spoilt = bytearray(lines[at] or b" ")
                spoilt[draw(st.integers(0, len(spoilt) - 1))] = draw(st.integers(0, 255))
                lines[at] = bytes(spoilt)
            case 3:
                lines.insert(at, b"X: " + b"y" * draw(st.sampled_from([1, 9000, 20_000])))
            case _ if lines:
                lines.append(lines[at])
    return b"\r\n".join(lines) + draw(st.sampled_from([b"\r\n\r\n", b"\n\n", b"\r\n", b""]))


@st.composite
def streams(draw: st.DrawFn) -> list[bytes]:
    """All that one client writes, in pieces."""
    head = draw(handshakes()) if draw(st.integers(0, 4)) == 0 else REQUEST
    greeting = frame(1, HELLO) if draw(st.booleans()) else b""
    body = b"".join(draw(st.lists(_frames(), max_size=8)))
    return cut(draw, head + greeting + body)


def cut(draw: st.DrawFn, data: bytes) -> list[bytes]:
    """The same bytes in a few pieces, cut anywhere."""
    at = sorted(draw(st.lists(st.integers(0, len(data)), max_size=4)))
    return [data[a:b] for a, b in zip([0, *at], [*at, len(data)], strict=True)]
