"""News of a race: points that fall, places, the line."""

from __future__ import annotations

from client.tui.tables import played
from samedeal_client import events as facts
from samedeal_client.tui.look import Look
from samedeal_client.tui.race import Race, hear
from samedeal_protocol import Applied, PlayerState, PointsEarned, RefusalCode, Refused, Standings
from samedeal_protocol.server_messages import StandingRow

DECK = played("timed", 0).ruleset.deck
LOOK = Look()


def after(race: Race, *events: object, now: int = 1000, you: int = 0) -> Race:
    for event in events:
        race = hear(race, event, now, LOOK, DECK, you)  # type: ignore[arg-type]
    return race


def applied(**more: object) -> Applied:
    return Applied(seq=0, move="d", ms=1, score=0, checksum=0, **more)  # type: ignore[arg-type]


def standings(version: int, *order: int) -> Standings:
    rows = [
        StandingRow(
            place=place, seat=seat, name=f"p{seat}", score=0, up=0, state=PlayerState.PLAYING
        )
        for place, seat in enumerate(order, 1)
    ]
    return Standings(duel="p00test", version=version, server_ms=0, total=len(rows), rows=rows)


def test_points_fall_the_latest_first() -> None:
    """With the card that they are for."""
    points = [
        PointsEarned(item="foundation", points=500, what="5H"),
        PointsEarned(item="turned", points=100, what="t3"),
    ]
    race = after(Race(), applied(points=points))
    assert [earned.text for earned in race.earned] == ["+100 turned", "+500 5♥"]
    race = after(race, applied(points=[PointsEarned(item="passes", points=-400)]))
    assert race.earned[0].text == "-400 pass"


def test_places_gained_and_lost_are_pointed_at_for_a_while() -> None:
    """Our own are said, too."""
    race = after(Race(), standings(1, 1, 0), standings(2, 0, 1))
    assert race.moved == {0: (1, 1000), 1: (-1, 1000)}
    assert race.notice.text == "You go ahead!"
    race = after(race, standings(3, 1, 0), now=2000)
    assert race.notice.text == "You were overtaken."
    assert after(race, standings(4, 1, 0), now=99_000).moved == {}


def test_a_broken_line_is_known_until_it_is_back() -> None:
    """A sign, and a word each time."""
    race = after(Race(), facts.ConnectionDropped(1006, "gone", 1.0))
    assert race.down
    race = after(race, facts.Reconnected(2.0))
    assert not race.down
    assert race.notice.text == "Connected again."


def test_a_refusal_is_told_with_what_fell_with_it() -> None:
    """And is not overwritten by what follows from it."""
    because = Refused(seq=0, code=RefusalCode.LOST, message="lost")
    race = after(Race(), facts.MovesFell(("d", "w-f"), because), facts.OutOfStep())
    assert "could not keep it" in race.notice.text
    assert race.notice.text.endswith("With it fell one move more.")


def test_the_end_of_our_game_is_told() -> None:
    """However it came."""
    race = after(Race(), applied(ended=PlayerState.CLEARED))
    assert race.notice.text == "You cleared the table!"
    assert race.ended is PlayerState.CLEARED
