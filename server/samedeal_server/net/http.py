"""Plain HTTP beside the WebSocket: one request, one reply, and the connection ends."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.utils import formatdate
from http import HTTPStatus
from typing import Final

__all__ = ["BadRequest", "HttpReply", "RequestLine", "head_end", "parse_request_line", "render"]

_BLANK_LINE: Final = re.compile(rb"\n\r?\n")
_TOKEN: Final = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VERSION: Final = re.compile(rb"HTTP/\d\.\d")


@dataclass(frozen=True, slots=True)
class HttpReply:
    """What a plain route answers."""

    status: int = 200
    body: bytes = b""
    content_type: str = "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class RequestLine:
    """The first line of a request."""

    method: str
    path: str
    """Without scheme, host, query and fragment; not percent-decoded."""


class BadRequest(Exception):
    """The head of the request can't be answered otherwise than with `status`."""

    def __init__(self, status: HTTPStatus, text: str) -> None:
        """`text` is a line for the client; it never quotes what came."""
        super().__init__(f"{status.value} {text}")
        self.status = status
        self.text = text


def head_end(buffer: bytearray, start: int) -> int:
    """Length of the request head in `buffer`, blank line included; -1 if it isn't whole yet.

    `start`: how much was searched before; searching resumes just before it, so that a head
    that comes byte by byte costs no more than one that comes at once.
    """
    match = _BLANK_LINE.search(buffer, max(0, start - 2))
    return match.end() if match else -1


def parse_request_line(head: bytes) -> RequestLine:
    """Read the first line of `head`. Raises BadRequest: 400, 405 or 505."""
    parts = head.split(b"\n", 1)[0].rstrip(b"\r").split(b" ")
    if len(parts) != 3 or not _TOKEN.fullmatch(parts[0]) or not parts[1].isascii():
        raise BadRequest(HTTPStatus.BAD_REQUEST, "not an HTTP request")
    method, target, version = parts
    if not _VERSION.fullmatch(version):
        raise BadRequest(HTTPStatus.BAD_REQUEST, "not an HTTP request")
    if not version.startswith(b"HTTP/1."):
        raise BadRequest(HTTPStatus.HTTP_VERSION_NOT_SUPPORTED, "HTTP/1.1 only")
    if method not in (b"GET", b"HEAD"):
        raise BadRequest(HTTPStatus.METHOD_NOT_ALLOWED, "GET and HEAD only")
    return RequestLine(method.decode(), _path_of(target.decode()))


def _path_of(target: str) -> str:
    path = target.split("#", 1)[0].split("?", 1)[0]
    # RFC 9112, 3.2.2: servers accept the absolute form too.
    scheme, separator, rest = path.partition("://")
    if separator and scheme.isalpha():
        path = "/" + rest.partition("/")[2]
    return path


def render(reply: HttpReply, *, head_only: bool, extra: tuple[tuple[str, str], ...] = ()) -> bytes:
    """The bytes of a reply that ends its connection; `head_only` leaves the body out (HEAD)."""
    status = HTTPStatus(reply.status)
    lines = [
        f"HTTP/1.1 {status.value} {status.phrase}",
        f"Date: {formatdate(usegmt=True)}",
        f"Content-Type: {reply.content_type}",
        f"Content-Length: {len(reply.body)}",
        "Cache-Control: no-store",
        "X-Content-Type-Options: nosniff",
        "Connection: close",
        *(f"{name}: {value}" for name, value in extra),
        "\r\n",
    ]
    head = "\r\n".join(lines).encode("latin-1")
    return head if head_only else head + reply.body
