"""`companion play`: the caller started, its arguments, and errors before starting one."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from companion.commands import play
from companion.commands.cli import main
from companion.phones.serving.where import Where
from companion.settings.config import Config
from companion.setup import PlayOptions
from companion.setup.draft import read_names
from companion.terminal import screen_reader

Capture = pytest.CaptureFixture[str]
Play = Callable[[PlayOptions, Config, Where | None], int]
Started = list[tuple[str, PlayOptions, Config]]


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> Started:
    """Record the caller, `plain` or `app`, and its arguments instead of starting it."""
    calls: Started = []

    def note(name: str) -> Play:
        def start(options: PlayOptions, config: Config, where: Where | None) -> int:
            calls.append((name, options, config))
            return 0

        return start

    monkeypatch.setattr(play, "play_in_lines", note("plain"))
    monkeypatch.setattr("companion.app.caller_app.play", note("app"))
    monkeypatch.setattr("companion.terminal.screen_reader.is_running", lambda: False)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(screen_reader, "is_running", lambda: False)  # it starts programs
    monkeypatch.setenv("TERM", "xterm")
    return calls


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize("words", [[], ["play"], ["--reader", "none"]])
def test_a_terminal_gets_the_full_screen(words: list[str], starts: Started) -> None:
    assert main(words) == 0
    assert [name for name, _, _ in starts] == ["app"]


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize(
    ("words", "variable", "value"),
    [
        (["--plain"], "TERM", "xterm"),
        ([], "TERM", "dumb"),
        ([], "COMPANION_PLAIN", "true"),
        ([], "COMPANION_PLAIN", "1"),
    ],
)
def test_lines_where_they_are_asked_for(
    words: list[str],
    variable: str,
    value: str,
    starts: Started,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(variable, value)
    assert main(words) == 0
    assert [name for name, _, _ in starts] == ["plain"]


def test_lines_where_nothing_draws_a_screen(starts: Started) -> None:
    assert main([]) == 0
    assert [name for name, _, _ in starts] == ["plain"]


def test_every_option_arrives(starts: Started) -> None:
    words = [
        *("play", "--plain", "--edition", "classic_2016", "--players", "Anna, Jean Luc,Ben"),
        *("--crown", "ben", "--option", "city_size=8", "--option", "tie_break=gold,highest_rank"),
        *("--option", "strike_own_city=false", "--secrecy", "secret", "--reader", "simulated"),
    ]
    assert main(words) == 0
    (_, options, config), *others = starts
    assert not others
    assert options == PlayOptions(
        new=True,
        edition="classic_2016",
        players=("Anna", "Jean Luc", "Ben"),
        crown="ben",
        options={
            "city_size": 8,
            "tie_break": ["gold", "highest_rank"],
            "strike_own_city": False,
        },
        secrecy="secret",
        resume=False,
        reader="simulated",
    )
    assert (config.edition, config.secrecy, config.readers[0].path) == (
        "classic_2016",
        "secret",
        "simulated",
    )
    assert config.plain


def test_nothing_asked_for_is_nothing_given(starts: Started) -> None:
    assert main(["--resume"]) == 0
    assert starts[0][1] == PlayOptions(resume=True)


@pytest.mark.parametrize(
    ("words", "messages"),
    [
        (["--players", "Anna,anna"], "--players: two players are called “anna”"),
        (["--players", "Anna"], "--players: Citadels Classic (2016) is for 2 to 7 players"),
        (["--players", ""], "--players: a player needs a name"),
        (["--players", "Anna,Ben", "--crown", "Bne"], "--crown: “Bne” is not a player"),
        (["--crown", "Anna"], "--crown needs --players"),
        (["--resume", "--players", "Anna,Ben"], "--resume continues"),
        (["--option", "city_size"], "“city_size” is not KEY=VALUE"),
        (["--option", "city_sise=8"], "did you mean “city_size”?"),
        (["--option", "city_size=9"], "city_size must be one of 6, 7, 8"),
        (["--option", "tie_break=gold,gold"], "tie_break must be a list"),
        (["--option", "strike_own_city=maybe"], "strike_own_city must be one of true, false"),
        (["--edition", "classic_2015"], "--edition: "),
        (["--secrecy", "secrte"], "did you mean “secret”?"),
        (["--reader", "simulatd"], "did you mean “simulated”?"),
    ],
)
def test_what_is_wrong_is_said_before_a_caller_starts(
    words: list[str], messages: str, starts: Started, capsys: Capture
) -> None:
    assert main(["play", *words]) == 2
    assert not starts
    assert messages in capsys.readouterr().err


def test_everything_that_is_wrong_is_said_at_once(starts: Started, capsys: Capture) -> None:
    assert main(["--players", "A,A", "--crown", "B", "--option", "city_size=8"]) == 2
    assert capsys.readouterr().err.count("\n") == 2
    assert main(["--option", "a=1", "--option", "city_size=9"]) == 2
    assert capsys.readouterr().err.count("\n") == 2


@pytest.mark.parametrize(
    "text",
    [
        "Anna, Kurt B, Ben",
        " Anna , ,Kurt\u00a0 B,Ben,",
        "Anna;Kurt B;Ben",
        "Anna\uff0cKurt B\u3001Ben",
        "Anna\tKurt B\tBen",
        "\u201cAnna\u201d, \u00abKurt B\u00bb, \u201eBen\u201c",
        "Anna\r\nKurt B\r\nBen\r\n",
        "- Anna\n- Kurt B\n- Ben",
        "1. Anna\n2. Kurt B\n3. Ben\n",
        "1) Anna, 2) Kurt B, 3) Ben",
    ],
)
def test_names_are_the_same_however_they_were_listed(text: str, starts: Started) -> None:
    assert main(["play", "--plain", "--players", text]) == 0
    assert starts[0][1].players == ("Anna", "Kurt B", "Ben")
    assert read_names(text) == ["Anna", "Kurt B", "Ben"]  # as typed in a set-up


def test_a_nickname_keeps_its_quotes(starts: Started) -> None:
    assert main(["play", "--plain", "--players", 'Zoe "Ace", "Kurt B", \u201eAl\u201c Gore']) == 0
    assert starts[0][1].players == ('Zoe "Ace"', "Kurt B", "\u201eAl\u201c Gore")
