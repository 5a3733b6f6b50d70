"""The cases of the Autobahn test suite, by its numbers, against an echo on our edge.

Where we differ from it on purpose: binary messages are refused (1003), a message may have
16 KiB and 64 fragments, and a close frame within a fragmented message is a protocol error.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from edge_testing import BINARY, CLOSE, CONT, PING, PONG, TEXT, Dial, Serve, close, frame, request

BYE = close(1000)
HELLO = frame(TEXT, b"Hello")
KOSME = "κόσμε".encode()
MAX = 16 * 1024


def case(
    number: str, *sent: bytes, texts: Sequence[bytes] = (), pongs: Sequence[bytes] = (), code: int
) -> Any:
    """`code` is that of the server's close frame, 1005 for an empty one."""
    return pytest.param(b"".join(sent), list(texts), list(pongs), code, id=number)


def echoed(
    number: str, *sent: bytes, texts: Sequence[bytes] = (), pongs: Sequence[bytes] = ()
) -> Any:
    """A good case: after it the connection still works and closes in an orderly way."""
    return case(number, *sent, HELLO, BYE, texts=[*texts, b"Hello"], pongs=pongs, code=1000)


def refused(
    number: str,
    *sent: bytes,
    texts: Sequence[bytes] = (),
    pongs: Sequence[bytes] = (),
    code: int = 1002,
) -> Any:
    """A bad case: nothing after it has any effect."""
    return case(number, *sent, HELLO, texts=texts, pongs=pongs, code=code)


def pieces(*parts: bytes) -> bytes:
    """One text message in so many frames."""
    last = len(parts) - 1
    return b"".join(frame(CONT if i else TEXT, part, fin=i == last) for i, part in enumerate(parts))


def octets(text: bytes) -> bytes:
    """One text message, a frame for each byte."""
    return pieces(*(text[i : i + 1] for i in range(len(text))))


SIZES = [
    echoed(f"1.1 {size} bytes", frame(TEXT, b"*" * size), texts=[b"*" * size])
    for size in (0, 1, 125, 126, 127, 128, 4090, 4096, 8192, MAX - 1, MAX)
] + [
    refused(f"1.2 binary {size}", frame(BINARY, b"\xfe" * size), code=1003) for size in (0, 1, 126)
]

PINGS = [
    echoed("2.1", frame(PING), pongs=[b""]),
    echoed("2.2", frame(PING, b"Hello, world!"), pongs=[b"Hello, world!"]),
    echoed("2.3", frame(PING, bytes(range(0xF8, 0x100))), pongs=[bytes(range(0xF8, 0x100))]),
    echoed("2.4", frame(PING, b"\xfe" * 125), pongs=[b"\xfe" * 125]),
    refused("2.5", frame(PING, b"\xfe" * 126)),
    refused("2.5 pong", frame(PONG, b"\xfe" * 126)),
    echoed("2.7", frame(PONG)),
    echoed("2.8", frame(PONG, b"unsolicited")),
    echoed("2.9", frame(PONG, b"unsolicited"), frame(PING, b"a"), pongs=[b"a"]),
    echoed(
        "2.10", *(frame(PING, b"%d" % i) for i in range(10)), pongs=[b"%d" % i for i in range(10)]
    ),
]

RESERVED_BITS = [
    refused(f"3 rsv {rsv} {name}", HELLO, frame(opcode, payload, rsv=rsv), texts=[b"Hello"])
    for rsv in range(1, 8)
    for name, opcode, payload in (("text", TEXT, b"x"), ("ping", PING, b""), ("close", CLOSE, b""))
]

RESERVED_OPCODES = [
    refused(f"4 opcode {opcode} {size}", HELLO, frame(opcode, b"x" * size), texts=[b"Hello"])
    for opcode in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)
    for size in (0, 5)
]

FRAGMENTS = [
    refused("5.1", frame(PING, b"a", fin=False), frame(CONT, b"b")),
    refused("5.2", frame(PONG, b"a", fin=False), frame(CONT, b"b")),
    echoed("5.3", pieces(b"one", b"two"), texts=[b"onetwo"]),
    echoed(
        "5.6",
        frame(TEXT, b"one", fin=False),
        frame(PING, b"p"),
        frame(CONT, b"two"),
        texts=[b"onetwo"],
        pongs=[b"p"],
    ),
    refused("5.9", frame(CONT, b"lost"), texts=[]),
    refused("5.10", HELLO, frame(CONT, b"lost"), texts=[b"Hello"]),
    refused("5.12", frame(CONT, b"lost", fin=False)),
    refused(
        "5.15", pieces(b"1", b"2"), frame(CONT, b"3", fin=False), frame(TEXT, b"4"), texts=[b"12"]
    ),
    refused("5.18", frame(TEXT, b"1", fin=False), frame(TEXT, b"2")),
    refused("5.18 binary", frame(TEXT, b"1", fin=False), frame(BINARY, b"2")),
    echoed(
        "5.19",
        frame(TEXT, b"1", fin=False),
        frame(CONT, b"2", fin=False),
        frame(PING, b"p"),
        frame(CONT, b"3", fin=False),
        frame(CONT, b"4", fin=False),
        frame(PING, b"q"),
        frame(CONT, b"5"),
        texts=[b"12345"],
        pongs=[b"p", b"q"],
    ),
    refused("5.20 binary", frame(BINARY, b"1", fin=False), frame(CONT, b"2"), code=1003),
    echoed(
        "5.21 two messages", pieces(b"a", b"b"), pieces(b"c", b"d", b"e"), texts=[b"ab", b"cde"]
    ),
]

VALID_TEXTS = {
    "6.2 kosme": KOSME,
    "6.5": b"Hello-\xc2\xb5@\xc3\x9f\xc3\xb6\xc3\xa4\xc3\xbc\xc3\xa0\xc3\xa1-UTF-8!!",
    "6.7 nul": b"\x00",
    "6.7 first of two": b"\xc2\x80",
    "6.7 first of three": b"\xe0\xa0\x80",
    "6.7 first of four": b"\xf0\x90\x80\x80",
    "6.9 last of one": b"\x7f",
    "6.9 last of two": b"\xdf\xbf",
    "6.9 last of three": b"\xef\xbf\xbf",
    "6.9 last of four": b"\xf4\x8f\xbf\xbf",
    "6.11 before surrogates": b"\xed\x9f\xbf",
    "6.11 after surrogates": b"\xee\x80\x80",
    "6.11 replacement": b"\xef\xbf\xbd",
    "6.22 noncharacter": b"\xef\xbf\xbe",
}

INVALID_TEXTS = {
    "6.3 surrogate in text": KOSME + b"\xed\xa0\x80edited",
    "6.4 beyond unicode": KOSME + b"\xf4\x90\x80\x80edited",
    "6.6 cut after one": b"\xce",
    "6.6 cut in the third": b"\xce\xba\xe1\xbd",
    "6.8 five bytes": b"\xf8\x88\x80\x80\x80",
    "6.8 six bytes": b"\xfc\x84\x80\x80\x80\x80",
    "6.10 last of four, too far": b"\xf7\xbf\xbf\xbf",
    "6.12 continuation alone": b"\x80",
    "6.12 two of them": b"\x80\xbf",
    "6.13 lone heads": b"\xc0 \xc1 \xc2 ",
    "6.14 cut, then text": b"\xe2\x82 abc",
    "6.16 fe": b"\xfe",
    "6.16 ff": b"\xff",
    "6.17 overlong slash": b"\xc0\xaf",
    "6.17 overlong slash, three": b"\xe0\x80\xaf",
    "6.18 overlong maximum": b"\xf0\x8f\xbf\xbf",
    "6.19 overlong nul": b"\xc0\x80",
    "6.20 first surrogate": b"\xed\xa0\x80",
    "6.20 last surrogate": b"\xed\xbf\xbf",
    "6.21 pair of surrogates": b"\xed\xa0\x80\xed\xb0\x80",
}

UTF8 = [
    echoed("6.1.1", frame(TEXT), texts=[b""]),
    echoed("6.1.2", pieces(b"", b"", b""), texts=[b""]),
    echoed("6.1.3", pieces(b"", b"middle", b""), texts=[b"middle"]),
    *(echoed(n, frame(TEXT, t), texts=[t]) for n, t in VALID_TEXTS.items()),
    *(echoed(f"{n}, by octets", octets(t), texts=[t]) for n, t in VALID_TEXTS.items()),
    *(refused(n, frame(TEXT, t), code=1007) for n, t in INVALID_TEXTS.items()),
    *(refused(f"{n}, by octets", octets(t), code=1007) for n, t in INVALID_TEXTS.items()),
    refused("6.4 before the last fragment", frame(TEXT, KOSME + b"\xf4\x90", fin=False), code=1007),
    refused("6.6 after a good one", HELLO, frame(TEXT, b"\xff"), texts=[b"Hello"], code=1007),
]

CLOSES = [
    case("7.1.1", HELLO, BYE, texts=[b"Hello"], code=1000),
    case("7.1.2", BYE, BYE, code=1000),
    case("7.1.3", BYE, frame(PING), code=1000),
    case("7.1.4", BYE, HELLO, code=1000),
    case("7.1.5", frame(TEXT, b"a", fin=False), BYE, frame(CONT, b"b"), code=1002),
    case(
        "7.1.6",
        frame(TEXT, b"*" * MAX),
        HELLO,
        BYE,
        frame(PING),
        texts=[b"*" * MAX, b"Hello"],
        code=1000,
    ),
    case("7.3.1", close(None), code=1005),
    refused("7.3.2", frame(CLOSE, b"a")),
    case("7.3.4", close(1000, b"Hello World!"), code=1000),
    case("7.3.5", close(1000, b"*" * 123), code=1000),
    refused("7.3.6", close(1000, b"*" * 124)),
    refused("7.5.1", close(1000, KOSME + b"\xed\xa0\x80"), code=1007),
    *(
        case(f"7.7 {code}", close(code), code=code)
        for code in (
            1000,
            1001,
            1002,
            1003,
            1007,
            1008,
            1009,
            1010,
            1011,
            1012,
            1013,
            3000,
            3999,
            4000,
            4999,
        )
    ),
    *(
        refused(f"7.9 {code}", close(code))
        for code in (0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999, 5000, 65535)
    ),
]

LIMITS = [
    refused("9.1", frame(TEXT, b"*" * (MAX + 1)), code=1009),
    refused("9.1 just within the core's own limit", frame(TEXT, b"*" * (MAX + 125)), code=1009),
    refused("9.1 announced only", b"\x81\xff" + b"\x7f" + b"\xff" * 7, code=1009),
    refused("9.1 negative", b"\x81\xff" + b"\xff" * 8, code=1009),
    refused("9.3", pieces(b"*" * MAX, b"*"), code=1009),
    refused(
        "9.3 in a middle one",
        frame(TEXT, b"*" * MAX, fin=False),
        frame(CONT, b"*", fin=False),
        code=1009,
    ),
    echoed("9.3 as many as allowed", pieces(*[b"*" * 256] * 64), texts=[b"*" * MAX]),
    refused("9.3 one more", pieces(*[b"*"] * 65), code=1008),
    refused("9.3 empty ones", frame(TEXT, fin=False), frame(CONT, fin=False) * 64, code=1008),
    echoed(
        "9.4 the longest ping in the last gap",
        frame(TEXT, b"*" * MAX, fin=False),
        frame(PING, b"p" * 125),
        frame(CONT),
        texts=[b"*" * MAX],
        pongs=[b"p" * 125],
    ),
    echoed("9.7 many", HELLO * 1000, texts=[b"Hello"] * 1000),
    refused("no mask", frame(TEXT, b"x", masked=False)),
    refused("no mask, after a good one", HELLO, frame(TEXT, b"x", masked=False), texts=[b"Hello"]),
]

CASES = [
    *SIZES,
    *PINGS,
    *RESERVED_BITS,
    *RESERVED_OPCODES,
    *FRAGMENTS,
    *UTF8,
    *CLOSES,
    *LIMITS,
]


@pytest.mark.parametrize(("sent", "texts", "pongs", "code"), CASES)
async def test_case_at_once(
    serve: Serve, dial: Dial, sent: bytes, texts: list[bytes], pongs: list[bytes], code: int
) -> None:
    """All bytes of the case in one segment, beside nothing else."""
    edge = await serve()
    client = await dial(edge)
    client.send(sent)
    talk = await client.talk()
    assert (talk.texts, talk.pongs, talk.code) == (texts, pongs, code)


@pytest.mark.parametrize(("sent", "texts", "pongs", "code"), CASES)
async def test_case_chopped(
    serve: Serve, dial: Dial, sent: bytes, texts: list[bytes], pongs: list[bytes], code: int
) -> None:
    """One byte at a time (large ones in odd pieces), and it makes no difference."""
    edge = await serve()
    client = await dial(edge)
    step = 1 if len(sent) < 500 else 997
    for start in range(0, len(sent), step):
        client.send(sent[start : start + step])
        await asyncio.sleep(0)
        if client.writer.is_closing():
            break
    talk = await client.talk()
    assert (talk.texts, talk.pongs, talk.code) == (texts, pongs, code)


@pytest.mark.parametrize(("sent", "texts", "pongs", "code"), CASES)
async def test_case_beside_the_handshake(
    serve: Serve, dial: Dial, sent: bytes, texts: list[bytes], pongs: list[bytes], code: int
) -> None:
    """In the segment of the request: all of it waits for the 101 and then counts."""
    edge = await serve()
    client = await dial(edge, shake=False)
    client.send(request(), sent)
    assert (await client.head()).startswith(b"HTTP/1.1 101 ")
    talk = await client.talk()
    assert (talk.texts, talk.pongs, talk.code) == (texts, pongs, code)
