"""The program `samedeal`, and its offline commands `deal` and `judge`."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import pytest

from samedeal_client import main as program
from samedeal_client.commands import deal, judge
from samedeal_rules import RULESETS

RECORDS = Path(__file__).parents[1] / "data" / "records"
CLEAR = RECORDS / "clear-125.9s-left.json"
REFUSALS = RECORDS / "refusals.json"


def samedeal(*arguments: str, stdin: bytes = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
    """The program in a process of its own, as a shell would run it."""
    return subprocess.run(
        [sys.executable, "-m", "samedeal_client.main", *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        env={**os.environ, **env},
    )


# The program.


def test_help_lists_every_command_with_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """All commands that are installed, each with what it is for."""
    assert program.main(["--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for entry in entry_points(group="samedeal.commands"):
        assert any(line.split()[:1] == [entry.name] and len(line.split()) > 2 for line in lines)


def test_help_imports_no_other_package() -> None:
    """The help is quick: it needs neither server nor bots, nor the rules."""
    code = (
        "import sys; from samedeal_client.main import main; main(['--help']);"
        "sys.exit(any(m.startswith(('samedeal_server', 'samedeal_bots', 'samedeal_rules',"
        " 'pydantic', 'websockets')) for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL).returncode == 0


def test_no_command_shows_the_help_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    """A script that forgot the command notices."""
    assert program.main([]) == 2
    assert "usage: samedeal COMMAND" in capsys.readouterr().out


def test_an_unknown_command_says_which_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    """A clear message and exit code 2."""
    assert program.main(["paly"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("samedeal: there is no command 'paly'; there are: play, serve")


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """`--version` names program and version."""
    assert program.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("samedeal 0.")


def stand_in(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    entry = EntryPoint("bench", value, "samedeal.commands")
    monkeypatch.setattr(program, "entry_points", lambda **_: [entry])


def test_a_command_that_is_not_installed_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Like `bench` outside a checkout: a plain message and exit code 2."""
    stand_in(monkeypatch, "samedeal_not_there.cli:main")
    assert program.main(["bench"]) == 2
    assert capsys.readouterr().err == (
        "samedeal: the command 'bench' is not installed here (there is no samedeal_not_there)\n"
    )


def interrupted(_arguments: object) -> int:
    raise KeyboardInterrupt


def test_ctrl_c_is_130(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A command that Ctrl-C ends leaves no traceback."""
    stand_in(monkeypatch, f"{__name__}:interrupted")
    assert program.main(["bench"]) == 130
    assert capsys.readouterr().err == ""


def test_a_reader_that_goes_away_is_no_error() -> None:
    """`samedeal judge FILE | head -1` ends silently."""
    process = subprocess.Popen(
        [sys.executable, "-m", "samedeal_client.main", "judge", *[str(CLEAR)] * 200],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 141


@pytest.mark.parametrize(
    "env",
    [
        {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "latin-1"},
        {"PYTHONIOENCODING": "ascii", "TERM": "dumb"},
    ],
)
def test_output_survives_any_encoding(env: dict[str, str]) -> None:
    """What a terminal can't show becomes a question mark; suits are letters."""
    done = samedeal("deal", "--seed", "李 ♠", **env)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"stock, next card first:" in done.stdout
    done = samedeal("judge", str(RECORDS / "seed-unicode.json"), "nicht-da-ß", **env)
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr


# deal


def test_deal_json_has_the_shape_of_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    """Ruleset, options, seed, tableau from the bottom card up, stock with the next card first."""
    assert deal.main(["--ruleset", "timed", "--seed", "1", "--option", "draw=1", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert list(data) == ["ruleset", "options", "seed", "tableau", "stock"]
    assert (data["ruleset"], data["options"], data["seed"]) == ("timed", {"draw": 1}, "1")
    deck = json.loads((RECORDS.parent / "deals" / "timed.json").read_text("utf-8"))["1"].split()
    assert data["tableau"][0] == deck[:1]
    assert [column[0] for column in data["tableau"]] == deck[:7]
    assert [len(column) for column in data["tableau"]] == [1, 2, 3, 4, 5, 6, 7]
    assert data["stock"] == deck[28:]


def test_options_together_or_one_by_one(capsys: pytest.CaptureFixture[str]) -> None:
    """`--option draw=1 redeals=0` is `--option draw=1 --option redeals=0`."""
    shown = []
    for options in (["draw=1", "redeals=0"], ["draw=1", "--option", "redeals=0"]):
        assert deal.main(["--option", *options, "--seed", "abc", "--json"]) == 0
        shown.append(json.loads(capsys.readouterr().out))
    assert shown[0] == shown[1]
    assert shown[0]["options"] == {"draw": 1, "redeals": 0}


def test_deal_for_people_marks_what_lies_face_down(capsys: pytest.CaptureFixture[str]) -> None:
    """A table of columns; face-down cards in brackets; options named."""
    assert deal.main(["--seed", "abc", "--option", "draw=1", "--option", "redeals=0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "timed draw=1 redeals=0, seed 'abc'"
    assert lines[2].split() == ["t1", "t2", "t3", "t4", "t5", "t6", "t7"]
    assert lines[3].split() == ["JC", "[9S]", "[8C]", "[TC]", "[4D]", "[TS]", "[TH]"]
    assert lines[4].split() == ["6C", "[KH]", "[9C]", "[2D]", "[4S]", "[3D]"]
    assert lines[-1].startswith("stock, next card first: 7H 2S 3H 5C")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--seed", "a", "--ruleset", "chess"], "there are: timed"),
        (["--seed", "a", "--option", "draw=2"], "draw in timed can be: 1, 3"),
        (["--seed", "a", "--option", "draw=true"], "draw in timed can be: 1, 3"),
        (["--seed", "a", "--option", "decks=2"], "it has: draw, redeals"),
        (["--seed", "\udcff"], "not valid text"),
    ],
)
def test_deal_says_what_is_possible(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unknown ruleset, option or value is answered with those that there are; exit code 2."""
    assert deal.main(arguments) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["--seed", "a", "--option", "draw"]])
def test_deal_without_what_it_needs_fails(arguments: list[str]) -> None:
    """A seed must be named; an option is NAME=VALUE."""
    with pytest.raises(SystemExit) as caught:
        deal.main(arguments)
    assert caught.value.code == 2


def test_option_values_are_numbers_truths_or_texts(capsys: pytest.CaptureFixture[str]) -> None:
    """`redeals=3` is a number, `redeals=unlimited` a text."""
    assert deal.main(["--seed", "a", "--option", "redeals=unlimited", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["options"] == {}


# judge


def test_judge_json_is_one_line_for_each_file(capsys: pytest.CaptureFixture[str]) -> None:
    """In the order of the files, each with `final` and `moves`."""
    assert judge.main(["--json", str(CLEAR), str(REFUSALS)]) == 0
    lines = capsys.readouterr().out.splitlines()
    for line, path in zip(lines, (CLEAR, REFUSALS), strict=True):
        expected = json.loads(path.with_suffix(".expected.json").read_text("utf-8"))
        del expected["about"]
        assert json.loads(line) == expected


def test_judge_shows_what_each_move_did_and_the_score_item_by_item(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Cards turned and drawn, cards that went by themselves, points with reasons, refusals."""
    assert judge.main([str(REFUSALS), str(RECORDS / "turned-undone.json")]) == 0
    out = capsys.readouterr().out
    assert "t1-f         200  AD goes up by itself from t3; +100 foundation AH; +100" in out
    assert "draws KH 9D QH" in out
    assert "refused: only a king, or a run from a king, goes to an empty column" in out
    assert "running, 2 cards up, score 200\n       200  cards on the foundations\n" in out
    assert "turns 2H on t2; +100 turned t2" in out
    assert "u           -900  -100 turned; -1000 undo" in out
    assert "     -3000  undo" in out


def test_judge_reads_stdin() -> None:
    """`-` is standard input."""
    done = samedeal("judge", "--json", "-", stdin=CLEAR.read_bytes())
    assert done.returncode == 0
    assert json.loads(done.stdout)["final"]["score"] == 36_441


def test_judge_goes_on_after_a_file_that_is_no_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """File and reason on stderr, an error line in the JSON so that lines stay aligned; exit 1."""
    bad = tmp_path / "bad.json"
    bad.write_text('{"ruleset": "timed"}')
    missing = tmp_path / "missing.json"
    assert judge.main(["--json", str(bad), str(CLEAR), str(missing), str(tmp_path)]) == 1
    captured = capsys.readouterr()
    lines = [json.loads(line) for line in captured.out.splitlines()]
    assert [sorted(line) for line in lines] == [["error"], ["final", "moves"], ["error"], ["error"]]
    assert lines[0] == {"error": "options: is missing"}
    errors = captured.err.splitlines()
    assert errors[0] == f"samedeal judge: {bad}: options: is missing"
    assert errors[1] == f"samedeal judge: {missing}: No such file or directory"
    assert len(errors) == 3


def test_judge_does_not_read_without_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A stream larger than any record is refused after its limit."""
    endless = io.BytesIO(b" " * (9 * 2**20))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(endless))
    assert judge.main(["-"]) == 1
    assert endless.tell() < 9 * 2**20
    assert "larger than" in capsys.readouterr().err


def test_judge_shows_a_text_that_is_no_move_harmlessly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Control characters in a record don't reach the terminal."""
    data = json.loads((RECORDS / "empty.json").read_text())
    path = tmp_path / "r.json"
    path.write_text(json.dumps({**data, "moves": [[0, "\x1b[2J\n"]], "seed": "\x1b[2J"}))
    assert judge.main([str(path)]) == 0
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize("ruleset", RULESETS)
def test_records_of_every_game_are_judged_in_words(
    ruleset: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Games without points, runs that leave, cells: no game's record is too strange to print."""
    files = [
        path
        for path in RECORDS.rglob("*.json")
        if not path.name.endswith(".expected.json")
        and f'"ruleset": "{ruleset}"' in path.read_text("utf-8")
    ]
    assert files
    judge.main([str(path) for path in files])  # some are malformed on purpose
    out = capsys.readouterr().out
    assert ("no points" in out) == (ruleset == "spanish")
    assert "None" not in out
    if ruleset == "spider-1":
        assert "the run of S leaves t" in out
