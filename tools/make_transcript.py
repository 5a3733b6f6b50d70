"""Play a whole duel of two scripted clients on a real server and write protocol/transcript.md.

Ids, secrets and times are stand-ins that are the same at each run; everything else is what the
server says, word for word, so the fairness of the duel and its checksums can be worked through.
With --check nothing is written; the exit code says whether the file is stale.
"""

from __future__ import annotations

import argparse
import asyncio
import inspect
import json
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Final, TypeVar
from unittest.mock import patch

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from protocol_samples import PROTOCOL_MD, wire_type
from samedeal_client.table import Table
from samedeal_protocol import (
    SUBPROTOCOL,
    Applied,
    Create,
    Done,
    DuelChanged,
    Error,
    GetRecord,
    Hello,
    Join,
    Leave,
    Message,
    Ping,
    PlayMove,
    Pong,
    Ready,
    RecordSent,
    Refused,
    Rematch,
    Result,
    Reveal,
    Snapshot,
    Standings,
    Sync,
    Welcome,
    encode,
    parse_server_message,
)
from samedeal_rules import find_ruleset, legal_moves, move_text
from samedeal_server import ids
from samedeal_server.domain.duel import DuelMs
from samedeal_server.node.node import Node
from samedeal_server.settings import Settings
from samedeal_server.store.embedded import embedded_store

TRANSCRIPT: Final = PROTOCOL_MD.parent / "transcript.md"

STARTS_AT: Final = 1_750_000_000_000
"""What the stand-in clock says at first. Before the store's own clock, which confirms starts."""
M = TypeVar("M", bound=Message)

STEP_MS: Final = 40
"""How far the stand-in clock goes with each message of a client."""
SILENCE_S: Final = 10.0

HEAD: Final = """\
# A whole duel as a transcript

Two people, Ana and Bo, race on one deal. `→ ana` is what Ana's client sends, `← ana` what it
receives; the same for Bo. Every line is a text frame, word for word, of a real duel. Ids, secrets
and times are stand-ins, the same at each run; they fit together: the commitment, the seed, the
deal, the checksums and the record's digest can be worked through with [PROTOCOL.md](PROTOCOL.md).

Written by `tools/make_transcript.py`; a test parses every line and says when this file is stale.
"""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--check", action="store_true", help="only say whether the file is stale")
    check: bool = parser.parse_args(argv).check
    text = asyncio.run(transcript())
    if not check:
        TRANSCRIPT.write_text(text, "utf-8")
    elif TRANSCRIPT.read_text("utf-8") != text:
        print("protocol/transcript.md is stale; tools/make_transcript.py writes it anew")
        return 1
    return 0


async def transcript() -> str:
    """The whole file."""
    story = Story()
    with tempfile.TemporaryDirectory() as folder, patch.object(ids, "secrets", StandIns(16)):
        async with (
            embedded_store(Path(folder), sync="everysec") as store,
            node_on(store.url, story) as address,
            Client(address, "ana", story) as ana,
            Client(address, "bo", story) as bo,
        ):
            await tell(story, ana, bo)
    return HEAD + "\n".join(story.lines) + "\n```\n"


@asynccontextmanager
async def node_on(store_url: str, story: Story) -> AsyncIterator[str]:
    """A real node whose duels' clock is the story's."""
    node = Node(Settings(port=0, tell_winnable=False), store_url)
    await node.clock.measure()
    patched = patch.object(node.clock, "now_ms", story.now)
    with patched:
        await node.start()
        try:
            yield f"ws://127.0.0.1:{node.port}/ws"
        finally:
            await node.stop()


class NotAsWritten(Exception):
    """The duel took another course than the script: change the script, or look for the fault."""


class StandIns:
    """What `secrets` gives, the same at each run.

    Each kind of thing that is drawn has a sequence of its own, so that one more id drawn somewhere
    changes nothing else of the duel.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._sequences: dict[str, Random] = {}

    def choice(self, letters: str) -> str:
        return self._sequence().choice(letters)

    def token_hex(self, size: int) -> str:
        return self._sequence().randbytes(size).hex()

    def token_urlsafe(self, size: int) -> str:
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        return "".join(self._sequence().choice(letters) for _ in range((size * 4 + 2) // 3))

    def _sequence(self) -> Random:
        """By the function of `ids` that draws, and who called it."""
        frame = inspect.currentframe()
        while frame is not None and not frame.f_code.co_name.startswith("new_"):
            frame = frame.f_back
        assert frame is not None, "only the functions of ids draw"
        assert frame.f_back is not None
        what = f"{self._seed} {frame.f_code.co_name} {frame.f_back.f_code.co_name}"
        return self._sequences.setdefault(what, Random(what))


class Story:
    """The lines written so far, and what time it is."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.time = STARTS_AT

    def now(self) -> DuelMs:
        return DuelMs(self.time)

    def chapter(self, title: str, words: str) -> None:
        end = ["```"] if self.lines else []
        self.lines += [*end, "", f"## {title}", "", words, "", "```text"]

    def line(self, arrow: str, who: str, text: str) -> None:
        self.lines.append(f"{arrow} {who} {text}")


class Client:
    """A scripted client: sends what it is told, expects what it is told."""

    def __init__(self, address: str, who: str, story: Story) -> None:
        self.address, self.who, self.story = address, who, story
        self.nonce = sha256(who.encode()).hexdigest()[:32]
        self.token: str | None = None
        self.table: Table
        self._req = 0
        self._socket: ClientConnection

    async def __aenter__(self) -> Client:
        await self.connect()
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._socket.close()

    async def connect(self) -> None:
        """A new connection, at once after the loss of the old one."""
        self._socket = await connect(
            self.address, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None
        )

    async def drop(self) -> None:
        """The line breaks."""
        self._socket.transport.abort()
        await self._socket.wait_closed()

    async def send(self, message: Message) -> None:
        self.story.time += STEP_MS
        await self.send_text(encode(message))

    async def send_text(self, text: str) -> None:
        self.story.line("→", self.who, text)
        await self._socket.send(text)

    async def expect(self, kind: type[M]) -> M:
        """The next message, which must be of this kind."""
        async with asyncio.timeout(SILENCE_S):
            frame = await self._socket.recv()
        assert isinstance(frame, str)
        self.story.line("←", self.who, frame)
        message = parse_server_message(frame)
        if not isinstance(message, kind):
            raise NotAsWritten(f"{self.who} expected {wire_type(kind)}: {frame}")
        return message

    def req(self) -> int:
        self._req += 1
        return self._req

    async def play(self, seq: int, move: str) -> Applied:
        await self.send(PlayMove(seq=seq, move=move))
        applied = await self.expect(Applied)
        assert self.table.applied(applied), "the checksum differs"
        return applied

    def best_moves(self) -> list[str]:
        """Legal moves, those that bring points first."""
        game = self.table.confirmed
        moves = legal_moves(game.ruleset, game.board)
        return [move_text(move, game.ruleset.deck.suits) for move in moves]

    def see(self, snapshot: Snapshot) -> None:
        self.table = Table.from_snapshot(snapshot, find_ruleset("timed")[1])


async def tell(story: Story, ana: Client, bo: Client) -> None:
    """The script."""
    story.chapter("Coming in", "A new player gets a token; `ping` tells the server's clock.")
    await ana.send(Hello(name="Ana", client="transcript 1"))
    ana.token = (await ana.expect(Welcome)).token
    await ana.send(Ping(id=1))
    await ana.expect(Pong)
    await bo.send(Hello(name="Bo", client="transcript 1"))
    bo.token = (await bo.expect(Welcome)).token

    story.chapter("Seats", "Ana opens a duel of two and reads its code out; Bo joins with it.")
    await ana.send(Create(req=ana.req(), seats=2))
    code = (await ana.expect(DuelChanged)).code
    await bo.send(Join(req=bo.req(), code="AAAAAA"))
    await bo.expect(Error)
    await bo.send(Join(req=bo.req(), code=f"{code[:3]} {code[3:]}".lower()))
    await bo.expect(DuelChanged)
    await ana.expect(DuelChanged)

    await get_ready(story, ana, bo)
    await start(story, ana, bo)
    await race(story, ana, bo)
    await come_back(story, ana, bo)
    await finish(story, ana, bo)


async def get_ready(story: Story, ana: Client, bo: Client) -> None:
    story.chapter(
        "Ready, frozen, revealed",
        "Each client draws a nonce and sends its hash. When all are ready the duel is frozen, with "
        "all hashes in it; then the nonces themselves are sent.",
    )
    await ana.send(Ready(req=ana.req(), nonce_hash=sha256(ana.nonce.encode()).hexdigest()))
    await ana.expect(DuelChanged)
    await ana.expect(Done)
    await bo.expect(DuelChanged)
    await bo.send(Ready(req=bo.req(), nonce_hash=sha256(bo.nonce.encode()).hexdigest()))
    await bo.expect(DuelChanged)
    await bo.expect(Done)
    await ana.expect(DuelChanged)
    await ana.send(Reveal(req=ana.req(), nonce=ana.nonce))
    await ana.expect(DuelChanged)
    await ana.expect(Done)
    await bo.expect(DuelChanged)
    await bo.send(Reveal(req=bo.req(), nonce=bo.nonce))
    countdown = await bo.expect(DuelChanged)
    await bo.expect(Done)
    await ana.expect(DuelChanged)
    assert countdown.start_at is not None
    story.time = countdown.start_at


async def start(story: Story, ana: Client, bo: Client) -> None:
    story.chapter("The start", "After the countdown: both see the same cards, at the same time.")
    for client in (ana, bo):
        await client.expect(DuelChanged)
        client.see(await client.expect(Snapshot))
    for client in (ana, bo):
        await client.expect(Standings)


async def race(story: Story, ana: Client, bo: Client) -> None:
    story.chapter(
        "Moves",
        "`applied` says what a move turned up, what went up by itself and what it earned. "
        "Standings follow, at most twice a second.",
    )
    story.time += 4_000
    for seq in range(3):
        story.time += 900
        await ana.play(seq, ana.best_moves()[0])
        await both_see_standings(ana, bo)
    story.time += 500
    await bo.play(0, "d")
    await both_see_standings(ana, bo)
    story.chapter(
        "Moves that are not taken",
        "The rules forbid one; one leaves a gap; one is repeated, and answered again as before; "
        "one has the number of another; one is no message.",
    )
    last = ana.table.journal[2].text
    await ana.send(PlayMove(seq=3, move="r"))
    await ana.expect(Refused)
    await ana.send(PlayMove(seq=5, move="d"))
    await ana.expect(Refused)
    await ana.send(PlayMove(seq=2, move=last))
    await ana.expect(Applied)
    await ana.send(PlayMove(seq=2, move="end"))
    await ana.expect(Refused)
    story.time += 100
    await ana.send_text('{"type":"move","seq":"3","move":"d"}')
    await ana.expect(Error)
    story.chapter("An undo", "The card is face down again, so the whole table follows.")
    story.time += 1_500
    await bo.send(PlayMove(seq=1, move="u"))
    await bo.expect(Applied)
    bo.see(await bo.expect(Snapshot))
    await both_see_standings(ana, bo)


async def both_see_standings(ana: Client, bo: Client) -> None:
    for client in (ana, bo):
        await client.expect(Standings)


async def come_back(story: Story, ana: Client, bo: Client) -> None:
    story.chapter(
        "A lost line",
        "Bo's connection breaks and comes back with the token: the place, the duel, the table as "
        "it is. The clock ran on. `sync` brings the table anew at any time.",
    )
    await bo.drop()
    await ana.expect(Standings)
    story.time += 2_000
    await bo.connect()
    await bo.send(Hello(token=bo.token, client="transcript 1"))
    await bo.expect(Welcome)
    await bo.expect(DuelChanged)
    bo.see(await bo.expect(Snapshot))
    await both_see_standings(ana, bo)
    await bo.send(Sync(req=bo.req()))
    await bo.expect(Snapshot)


async def finish(story: Story, ana: Client, bo: Client) -> None:
    story.chapter("The end", "Both end their games early. The result reveals all that was secret.")
    story.time = STARTS_AT + 60_000
    await bo.play(2, "end")
    await both_see_standings(ana, bo)
    story.time += 10_000
    await ana.play(3, "end")
    for client in (ana, bo):
        await client.expect(DuelChanged)
        await client.expect(Result)
    await both_see_standings(ana, bo)
    story.chapter("Afterwards", "The record for `verify`; a rematch that Bo does not take.")
    await ana.send(GetRecord(req=ana.req()))
    record = await ana.expect(RecordSent)
    assert json.loads(record.text)["format"] == "samedeal-duel/1"
    await ana.send(Rematch(req=ana.req()))
    await ana.expect(DuelChanged)
    await ana.expect(DuelChanged)
    await bo.expect(DuelChanged)
    await bo.send(Leave(req=bo.req()))
    await ana.expect(DuelChanged)
    await bo.expect(Done)


if __name__ == "__main__":
    sys.exit(main())
