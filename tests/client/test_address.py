"""Server addresses as people write them."""

from __future__ import annotations

import pytest

from samedeal_client.address import BadAddress, is_local, server_address


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("localhost", "ws://localhost:7777/ws"),
        ("127.0.0.1:7791", "ws://127.0.0.1:7791/ws"),
        ("ws://duel.example", "ws://duel.example:7777/ws"),
        ("ws://duel.example:80/ws", "ws://duel.example:80/ws"),
        ("WSS://Duel.Example/", "wss://duel.example/ws"),
        ("https://duel.example", "wss://duel.example/ws"),
        ("http://duel.example", "ws://duel.example:80/ws"),
        ("wss://duel.example/games/ws", "wss://duel.example/games/ws"),
        ("[::1]:7777", "ws://[::1]:7777/ws"),
        (" host ", "ws://host:7777/ws"),
    ],
)
def test_one_server_has_one_spelling(text: str, url: str) -> None:
    """Identities are kept under it."""
    assert server_address(text) == url
    assert server_address(url) == url


@pytest.mark.parametrize("text", ["", "ftp://host", "ws://", "host:port", "host:99999", "ws://a@b"])
def test_what_is_none_is_refused(text: str) -> None:
    """With a line that quotes it."""
    with pytest.raises(BadAddress):
        server_address(text)


def test_this_machine_is_known() -> None:
    """No proxy is asked for it."""
    assert is_local("ws://127.0.0.1:7777/ws")
    assert is_local("ws://[::1]:7777/ws")
    assert not is_local("ws://duel.example/ws")
