"""Getting in: who is asked for a name, and when."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.fake_server import TOKEN, FakeServer
from samedeal_client.entry import NoEntry, enter
from samedeal_client.errors import ConnectionFailed
from samedeal_client.identity import Identities, Identity
from samedeal_protocol import ErrorCode, Hello


class Person:
    """Answers with these names, then with none; remembers what was said and offered."""

    def __init__(self, *names: str) -> None:
        self.names = list(names)
        self.told: list[str] = []
        self.offered: list[str | None] = []

    def tell(self, words: str) -> None:
        self.told.append(words)

    async def ask_name(self, default: str | None) -> str | None:
        self.offered.append(default)
        return self.names.pop(0) if self.names else None


async def test_a_newcomer_is_asked_and_kept(tmp_path: Path) -> None:
    """The next time nobody is asked."""
    async with FakeServer() as server:
        identities = Identities(tmp_path)
        person = Person("Ana")
        connection = await enter(person, identities, server.url, "here", None)
        await connection.aclose()
        assert len(person.offered) == 1
        assert identities.find("here") == Identity("here", "Ana", TOKEN)
        identities.release()
        again = Person()
        connection = await enter(again, Identities(tmp_path), server.url, "here", None)
        await connection.aclose()
        assert again.offered == []


async def test_a_name_that_is_taken_is_asked_for_again(tmp_path: Path) -> None:
    """With the reason; never another player of ours instead."""
    async with FakeServer() as server:
        identities = Identities(tmp_path)
        identities.keep(Identity("here", "Old", TOKEN))
        server.refuse_hello = ErrorCode.NAME_TAKEN
        person = Person()
        with pytest.raises(NoEntry):
            await enter(person, identities, server.url, "here", "Ana")
        assert len(person.told) == 1
        names = [message.name for message in server.seen[-1] if isinstance(message, Hello)]
        assert names == ["Ana"]


async def test_a_second_window_gets_a_name_of_its_own(tmp_path: Path) -> None:
    """The first one is not thrown out."""
    async with FakeServer() as server:
        first, second = Identities(tmp_path), Identities(tmp_path)
        first.keep(Identity("here", "Ana", TOKEN))
        assert first.claim("here", "Ana")
        person = Person("Ana two")
        connection = await enter(person, second, server.url, "here", None)
        await connection.aclose()
        assert person.offered == ["Ana2"]
        assert "plays in another window" in person.told[0]
        first.release()
        second.release()


async def test_nobody_is_asked_for_a_server_that_is_not_there(tmp_path: Path) -> None:
    """The connection fails before a name is thought of."""
    person = Person("Ana")
    with pytest.raises(ConnectionFailed):
        await enter(person, Identities(tmp_path), "ws://127.0.0.1:9/ws", "here", None)
    assert person.offered == []


async def test_one_is_the_same_at_another_server_of_this_machine(tmp_path: Path) -> None:
    """The two may share a store: the token of the one is tried at the other, and kept there too."""
    async with FakeServer() as server:
        identities = Identities(tmp_path)
        identities.keep(Identity("here", "Ann", TOKEN))
        person = Person()
        connection = await enter(person, identities, server.url, server.url, None)
        await connection.aclose()
        hello = server.seen[-1][0]
        assert isinstance(hello, Hello)
        assert hello.token == TOKEN
        assert person.offered == []
        kept = identities.find(server.url)
        assert kept is not None
        assert kept.token == TOKEN
        identities.release()


async def test_a_token_that_another_server_does_not_know_stays_good_where_it_is_from(
    tmp_path: Path,
) -> None:
    """Not forgotten; who is new there is asked for a name."""
    async with FakeServer() as server:
        identities = Identities(tmp_path)
        known = Identity("here", "Ann", TOKEN)
        identities.keep(known)
        server.refuse_hello = ErrorCode.BAD_TOKEN

        class Newcomer(Person):
            async def ask_name(self, default: str | None) -> str | None:
                server.refuse_hello = None
                return await super().ask_name(default)

        person = Newcomer("Bea")
        connection = await enter(person, identities, server.url, server.url, None)
        await connection.aclose()
        assert len(person.offered) == 1
        assert identities.find("here") == known
        identities.release()


async def test_no_token_of_this_machine_goes_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that is not on this machine sees a newcomer, whatever we are here."""
    monkeypatch.setattr("samedeal_client.entry.is_local", lambda url: False)
    async with FakeServer() as server:
        identities = Identities(tmp_path)
        identities.keep(Identity("here", "Ann", TOKEN))
        connection = await enter(Person("Bea"), identities, server.url, server.url, None)
        await connection.aclose()
        hellos = [message for seen in server.seen for message in seen if isinstance(message, Hello)]
        assert [hello.token for hello in hellos] == [None]
        identities.release()


async def test_after_a_second_window_the_first_player_comes_back(tmp_path: Path) -> None:
    """Its own name was for the time when two were open."""
    async with FakeServer() as server:
        first, second = Identities(tmp_path), Identities(tmp_path)
        first.keep(Identity("here", "Newbie", TOKEN))
        assert first.claim("here", "Newbie")
        connection = await enter(Person("Newbie2"), second, server.url, "here", None)
        await connection.aclose()
        first.release()
        second.release()
        found = first.find("here")
        assert found is not None
        assert found.name == "Newbie"
