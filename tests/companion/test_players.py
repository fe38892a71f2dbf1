"""The people of a log: listed, renamed and merged."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.commands.cli import main
from companion.log.store import Store
from companion.plain.setup import open_session
from companion.settings import config as settings
from companion.setup import PlayOptions
from tests.bench.many_games import Random, fill
from tests.companion.past_games import Capture, begin, json_of, lines_of, random_games


def test_players_are_listed_with_their_games(log: str, capsys: Capture) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    begin(log, "anna", "Zoë", "Ashley", "Ben")
    assert lines_of(capsys, "players")[0] == "anna: 2 games; also played as Anna."
    assert {p["name"]: p["games"] for p in json_of(capsys, "players")} == {
        "anna": 2, "Zoë": 1, "Ashley": 2, "Ben": 2, "Kurt": 1,
    }  # fmt: skip


@pytest.mark.looking_back
def test_a_renamed_player_keeps_the_statistics(log: str, capsys: Capture) -> None:
    fill(log, random_games(6))
    before = json_of(capsys, "stats")
    assert json_of(capsys, "players", "rename", "anna", "Änne Müller")["name"] == "Änne Müller"
    players = json_of(capsys, "stats")["players"]
    assert players.pop("Änne Müller") == before["players"]["Anna"]
    assert players.items() <= before["players"].items()
    history = json_of(capsys, "history", "--player", "Änne Müller")
    assert history == json_of(capsys, "history", "--player", "Anna")
    assert all("Änne Müller" in game["totals"] for game in history)
    with Store(log) as store:
        assert "Anna" in store.load(1).setup["players"]  # the record keeps its names
    json_of(capsys, "players", "rename", "Änne Müller", "Anna")
    assert json_of(capsys, "stats") == before


@pytest.mark.looking_back
def test_two_names_of_one_person_are_merged(log: str, capsys: Capture) -> None:
    games = list(random_games(8))
    for place, game in enumerate(games):
        if place % 2:
            _call_otherwise(game, "Anna", "Ann")
    fill(log, iter(games), digests=False)
    apart = json_of(capsys, "stats")["players"]
    assert json_of(capsys, "players", "merge", "Ann", "Anna")["also"] == ["Ann"]
    anna = json_of(capsys, "stats")["players"]["Anna"]
    for what in ("games", "wins"):
        assert anna[what] == apart["Anna"][what] + apart["Ann"][what]
    assert json_of(capsys, "stats", "ann")["players"] == {"Anna": anna}


def _call_otherwise(game: Random, was: str, now: str) -> None:
    """Rename one player in the game."""
    players = [now if name == was else name for name in game.setup["players"]]
    crown = now if game.setup["crown"] == was else game.setup["crown"]
    game.setup.update(players=players, crown=crown)
    game.moves[:] = [re.sub(rf"\b{was}\b", now, move) for move in game.moves]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["rename", "Anan", "Eva"], "did you mean “Anna”?"),
        (["rename", "Anna", "kurt"], "one person: companion players merge Anna Kurt"),
        (["rename", "Anna", ""], "can't be a player's name"),
        (["rename", "Anna", "nobody"], "can't be a player's name"),
        (["rename", "Anna", "\u202e"], "can't be a player's name"),
        (["rename", "Anna", "x" * 41], "can't be a player's name"),
        (["merge", "Anna", "ANNA"], "Both names already mean Anna."),
        (["merge", "Anna", "Kurt"], "have played in the same game"),
        (["merge", "Anna"], "write merge A B; a name with spaces needs quotes"),
        (["remane", "Anna", "Kurt"], "did you mean “rename”?"),
    ],
)
def test_names_that_cannot_be_changed_so(
    words: list[str], sentence: str, log: str, capsys: Capture
) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    before = Path(log).read_bytes()
    assert main(["players", *words]) == 2
    assert sentence in capsys.readouterr().err
    assert Path(log).read_bytes() == before


def test_a_renamed_player_is_found_by_any_former_name(log: str, capsys: Capture) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    lines_of(capsys, "players", "rename", "Anna", "Eva")
    lines_of(capsys, "players", "rename", "anna", "Eva Maria")
    assert lines_of(capsys, "players")[0] == "Eva Maria: 1 game; also played as Anna."
    assert main(["players", "rename", "Kurt", "eva maria"]) == 2
    assert 'companion players merge Kurt "Eva Maria"' in capsys.readouterr().err


@pytest.mark.looking_back
@pytest.mark.parametrize("name", ["anna", "ANNA"])
def test_a_name_can_be_written_with_other_capitals(log: str, capsys: Capture, name: str) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    assert json_of(capsys, "players", "rename", "Anna", name)["name"] == name
    assert list(json_of(capsys, "history")[0]["players"]) == [name, "Kurt", "Ashley", "Ben"]


@pytest.mark.looking_back
def test_games_of_somebody_who_never_played_here_are_not_just_none(
    log: str, capsys: Capture
) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    assert main(["history", "--player", "Ahsley"]) == 2
    assert "did you mean “Ashley”?" in capsys.readouterr().err


@pytest.mark.looking_back
def test_two_people_of_one_game_stay_two(log: str, capsys: Capture) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    lines_of(capsys, "players", "rename", "Anna", "Eva")
    begin(log, "Anna", "Eva", "Ashley", "Ben")  # another Anna
    assert json_of(capsys, "history")[0]["players"] == ["Anna", "Eva", "Ashley", "Ben"]


@pytest.mark.looking_back
def test_a_name_with_anything_in_it_reaches_no_terminal(log: str, capsys: Capture) -> None:
    begin(log, "\x1b[31mred", "\u202eevil", "<b>bold</b>", "Ben\u200b")
    for words in (["history"], ["players"], ["stats"], ["history", "--csv"]):
        text = "\n".join(lines_of(capsys, *words))
        assert not set(text) & set("\x1b\u202e\u200b")


def begin_typed(log: str, *typed: str) -> tuple[str, ...] | None:
    """Begin a game with these lines; returns its players, or None if the input ended before."""
    answers = iter(typed)
    with Store(log) as store:
        session = open_session(store, PlayOptions(), settings.load(), lambda: next(answers, None))
        if session is None:
            return None
        session.close()
        return session.setup.players


def test_former_players_are_named_before_a_game(log: str, capsys: Capture) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    begin(log, "Anna", "Zoë", "Ashley", "Ben")
    lines_of(capsys, "players", "rename", "Kurt", "Konrad")
    assert begin_typed(log, "no", "Konrad, Zoë, Li", "") == ("Konrad", "Zoë", "Li")
    assert "Also known here: Konrad." in capsys.readouterr().out.splitlines()


def test_the_last_game_s_players_are_suggested_as_they_are_called_now(
    log: str, capsys: Capture
) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    lines_of(capsys, "players", "rename", "Kurt", "Konrad")
    lines_of(capsys, "players", "forget", "Ashley")
    assert begin_typed(log, "no", "", "") == ("Anna", "Konrad", "Ben")
    text = capsys.readouterr().out
    assert "Enter: Anna, Konrad and Ben." in text
    assert "Also known here" not in text


@pytest.mark.parametrize(
    ("typed", "players"),
    [
        (("Anna", "Zoë", "Li, Max", "", ""), ("Anna", "Zoë", "Li", "Max")),
        (("Anna", "", "Zoë", "", ""), ("Anna", "Zoë")),  # Enter came too early
        (("Anna, Zoë", "5", "Li", "", ""), ("Anna", "Zoë", "Li")),
        (("Anna", "Anne", "1", "5", "Zoë", "", ""), ("Anne", "Zoë")),
        (("Anna", "back", "Li, Zoë", ""), ("Li", "Zoë")),
        (("Anna Zoë", "Li", "Max, Mia", ""), ("Anna", "Zoë", "Li", "Max", "Mia")),
        (("Anna Zoë", "Ana", ""), ("Anna", "Zoë")),  # misspelt
        (("Anna Zoë", "no", "yes"), ("Anna", "Zoë")),
        (("Anna Zoë", "Players", "1", "Another name", "3", "Li", "", "", ""), ("Li", "Zoë")),
        (("Anna Zoë", "5", "2", "does", "", "Li", "", ""), ("Anna", "Li")),  # one cannot play
    ],
    ids=[
        *("one_a_line", "too_few", "at_the_crown", "not_meant", "back"),
        *("unasked", "misspelt", "yes_and_no", "by_labels", "too_few_left"),
    ],
)
def test_names_come_one_a_line_and_at_the_question_for_the_crown_too(
    log: str, typed: tuple[str, ...], players: tuple[str, ...]
) -> None:
    assert begin_typed(log, *typed) == players


def test_a_bad_name_alone_says_why(log: str, capsys: Capture) -> None:
    assert begin_typed(log, "x" * 60) is None
    assert "Refused: " in capsys.readouterr().out
