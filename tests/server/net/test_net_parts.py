"""The small pure parts: limits, frames, messages, request lines, replies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from samedeal_server import net
from samedeal_server.net import EdgeLimits, HttpReply, text_frame
from samedeal_server.net.frames import close_frame, shorten_reason
from samedeal_server.net.http import BadRequest, head_end, parse_request_line, render
from samedeal_server.net.messages import FragmentedText, MessageRefused, is_utf8


def test_exports() -> None:
    """The public surface is what the rest of the server builds on."""
    assert set(net.__all__) == {
        "Connection", "EdgeLimits", "EdgeServer", "ForwardedHeader", "Forwarding", "Gate",
        "HttpReply", "Peer", "TlsFiles", "TlsUnusable", "Turned", "listen", "network_of",
        "text_frame",
    }  # fmt: skip
    assert all(hasattr(net, name) for name in net.__all__)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536, 70_000])
def test_text_frame_is_the_librarys(size: int) -> None:
    """To the byte."""
    payload = b"x" * size
    assert text_frame(payload) == Frame(Opcode.TEXT, payload).serialize(mask=False)


@given(st.text())
def test_reason_always_fits(reason: str) -> None:
    """123 bytes, whole characters, a beginning of what was asked."""
    cut = shorten_reason(reason)
    assert len(cut.encode()) <= 123
    assert reason.startswith(cut)
    assert len(close_frame(1000, reason)) <= 127


def test_reason_with_half_a_character() -> None:
    """A lone surrogate can't be sent, and must not break a send (case 69)."""
    assert shorten_reason("bad \ud83d") == "bad ?"


@given(st.binary(max_size=64), st.data())
def test_fragments_agree_with_the_whole(payload: bytes, data: st.DataObject) -> None:
    """However text is cut, it is accepted in pieces just when it is accepted whole."""
    cuts = sorted(data.draw(st.lists(st.integers(0, len(payload)), max_size=8)))
    text = FragmentedText(max_size=64, max_fragments=16)
    parts = [payload[a:b] for a, b in zip([0, *cuts], [*cuts, len(payload)], strict=True)]
    whole = None
    code = 0
    try:
        for part in parts[:-1]:
            assert text.add(part, last=False) is None
        whole = text.add(parts[-1], last=True)
    except MessageRefused as refusal:
        code = refusal.code
    assert (whole, code) == ((payload, 0) if is_utf8(payload) else (None, 1007))


@pytest.mark.parametrize(
    ("line", "method", "path"),
    [
        (b"GET / HTTP/1.1", "GET", "/"),
        (b"HEAD /a/b?c=d HTTP/1.0", "HEAD", "/a/b"),
        (b"GET /a?b?c#d HTTP/1.1", "GET", "/a"),
        (b"GET ws://host:80/ws?x HTTP/1.1", "GET", "/ws"),
        (b"GET http://host HTTP/1.1", "GET", "/"),
        (b"GET /x://y HTTP/1.1", "GET", "/x://y"),
    ],
)
def test_request_lines(line: bytes, method: str, path: str) -> None:
    """The query is no part of the path; the absolute form is understood."""
    got = parse_request_line(line + b"\r\nHost: x\r\n\r\n")
    assert (got.method, got.path) == (method, path)


@pytest.mark.parametrize(
    ("line", "status"),
    [
        (b"GET /", 400),
        (b"GET  / HTTP/1.1", 400),
        (b"GET / HTTP/1.1 x", 400),
        (b"G(T / HTTP/1.1", 400),
        (b"GET /\xff HTTP/1.1", 400),
        (b"GET / FTP/1.1", 400),
        (b"GET / HTTP/2.0", 505),
        (b"DELETE / HTTP/1.1", 405),
        (b"get / HTTP/1.1", 405),
    ],
)
def test_bad_request_lines(line: bytes, status: int) -> None:
    """Each has its status."""
    with pytest.raises(BadRequest) as refusal:
        parse_request_line(line + b"\r\n\r\n")
    assert refusal.value.status == status


@given(st.binary(max_size=40))
def test_request_lines_of_garbage(garbage: bytes) -> None:
    """A path or a BadRequest, nothing else."""
    try:
        assert parse_request_line(garbage).method in ("GET", "HEAD")
    except BadRequest:
        pass


@given(st.lists(st.sampled_from([b"\r", b"\n", b"a"]), max_size=12).map(b"".join))
def test_head_end_is_the_same_byte_by_byte(data: bytes) -> None:
    """Searching on from where it stopped finds what searching all finds."""
    at_once = head_end(bytearray(data), 0)
    for size in range(1, len(data) + 1):
        end = head_end(bytearray(data[:size]), size - 1)
        if end >= 0:
            assert end == at_once
            return
    assert at_once == -1


def test_render() -> None:
    """A length, an end, and no body for HEAD."""
    reply = HttpReply(404, b"no\n", "text/plain")
    whole = render(reply, head_only=False, extra=(("Retry-After", "5"),))
    head = render(reply, head_only=True, extra=(("Retry-After", "5"),))
    assert whole.startswith(b"HTTP/1.1 404 Not Found\r\n")
    assert head.endswith(b"Retry-After: 5\r\n\r\n")
    assert whole == head + b"no\n"
    assert b"Content-Length: 3\r\n" in head


def test_limits_in_order() -> None:
    """Water marks out of order are refused; the wheel is a tenth of the shortest time."""
    with pytest.raises(ValueError):
        EdgeLimits(pause_above=1024, resume_below=2048)
    with pytest.raises(ValueError):
        EdgeLimits(max_backlog=1024)
    assert EdgeLimits().resolution == 0.5
    assert EdgeLimits(close_timeout=0.5).resolution == 0.05
    assert EdgeLimits(close_timeout=0.001).resolution == 0.01
