"""A person's page and a year: their figures are those of the games."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.commands.cli import main
from companion.language import list_offered
from tests.bench.many_games import fill
from tests.companion.past_games import Capture, json_of, lines_of, random_games
from tests.companion.test_recap_page import Page


@pytest.fixture
def games(log: str, capsys: Capture) -> list[dict[str, object]]:
    """Some games, as the history lists them."""
    fill(log, random_games(14))
    matches: list[dict[str, object]] = json_of(capsys, "history")
    return matches


def list_own(games: list[dict[str, object]], name: str) -> list[dict[str, object]]:
    return [game for game in games if name in game["players"]]  # type: ignore[operator]


def test_wins_are_held_against_chance_at_tables_of_each_size(
    games: list[dict[str, object]], capsys: Capture
) -> None:
    match = json_of(capsys, "person", "anna")
    own = list_own(games, "Anna")
    assert match["player"] == "Anna"
    assert match["games"] == len(own)
    assert match["wins"] == sum("Anna" in game["winners"] for game in own)  # type: ignore[operator]
    sizes = [len(game["players"]) for game in own]  # type: ignore[arg-type]
    assert match["expected"] == pytest.approx(sum(1 / size for size in sizes))
    assert {size["players"]: size["games"] for size in match["sizes"]} == {
        size: sizes.count(size) for size in sizes
    }
    assert match["first"] == own[-1]["game"]
    assert match["last"] == own[0]["game"]


def test_rival_and_nemesis_are_those_of_head_to_head(
    games: list[dict[str, object]], capsys: Capture
) -> None:
    assert games
    pairs = {
        other: (pair["games"], pair["ahead"]["Anna"], pair["ahead"][other])
        for pair in json_of(capsys, "stats", "Anna")["head_to_head"]
        for other in pair["players"]
        if other != "Anna"
    }
    match = json_of(capsys, "person", "Anna")
    rival = match["rival"]
    assert (rival["games"], rival["ahead"], rival["behind"]) == pairs[rival["name"]]
    assert rival["games"] == max(meetings for meetings, _ahead, _behind in pairs.values())
    balance = {other: behind - ahead for other, (_met, ahead, behind) in pairs.items()}
    nemesis = match["nemesis"]
    if nemesis is None:
        assert max(balance.values()) <= 0
    else:
        assert balance[nemesis["name"]] == max(balance.values()) > 0


def test_characters_are_held_against_the_whole_table(
    games: list[dict[str, object]], capsys: Capture
) -> None:
    assert games
    stats = json_of(capsys, "stats")
    mine, all_ = stats["players"]["Anna"]["characters"], stats["characters"]
    match = json_of(capsys, "person", "Anna")
    favourite = match["favourite"]
    assert favourite["rounds"] == max(counts["chosen"] for counts in mine.values())
    everybody = sum(counts["chosen"] for counts in all_.values())
    assert favourite["table"] == all_[favourite["character"]]["chosen"] / everybody
    surplus = {
        id_: counts["won"] - counts["chosen"] * all_[id_]["won"] / all_[id_]["chosen"]
        for id_, counts in mine.items()
        if counts["chosen"]
    }
    assert surplus[match["luckiest"]["character"]] == max(surplus.values())
    assert surplus[match["unluckiest"]["character"]] == min(surplus.values())


def test_one_win_is_not_told_as_several(games: list[dict[str, object]], capsys: Capture) -> None:
    assert games
    numbers = [
        luck["wins"]
        for name in json_of(capsys, "stats")["players"]
        for luck in [json_of(capsys, "person", name)["luckiest"]]
        if luck is not None
    ]
    assert 1 in numbers
    text = " ".join(
        line
        for name in json_of(capsys, "stats")["players"]
        for line in lines_of(capsys, "person", name)
    )
    assert ", 1 win in " in text
    assert " 1 wins" not in text


def test_a_year_has_the_games_that_were_played_in_it(
    games: list[dict[str, object]], capsys: Capture
) -> None:
    year = str(games[0]["started"])[:4]
    match = json_of(capsys, "year", year)
    entries = [game for game in games if game["winners"]]
    assert match["games"] == len(entries) == sum(match["months"].values())
    assert {player["player"] for player in match["players"]} == {
        name
        for game in entries
        for name in game["players"]  # type: ignore[attr-defined]
    }
    above = [player["wins"] - player["expected"] for player in match["players"]]
    assert above == sorted(above, reverse=True)
    assert json_of(capsys, "year", "1999")["games"] == 0
    assert lines_of(capsys, "year", "1999") == ["No games match."]


def test_a_game_that_is_left_out_is_in_neither(
    games: list[dict[str, object]], capsys: Capture
) -> None:
    before = json_of(capsys, "person", "Anna")["games"]
    own = list_own(games, "Anna")
    assert main(["history", "--leave-out", str(own[0]["game"])]) == 0
    capsys.readouterr()
    assert json_of(capsys, "person", "Anna")["games"] == before - 1


@pytest.mark.parametrize("code", list_offered())
def test_the_pages_hold_their_sentences_and_ask_nobody_for_anything(
    code: str,
    games: list[dict[str, object]],
    capsys: Capture,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COMPANION_LANGUAGE", code)
    year = str(games[0]["started"])[:4]
    for words in (["person", "Anna"], ["year", year]):
        file = tmp_path / f"{words[0]}.html"
        lines = lines_of(capsys, *words)
        assert main([*words, "--html", str(file)]) == 0
        page = Page(file.read_text(encoding="utf-8"))
        assert page.every("html") == [{"lang": code}]
        assert not page.every("script") + page.every("link") + page.every("img")
        assert lines[1] in page.text
        assert lines[-1] in page.text


def test_who_never_finished_a_game_and_what_is_no_year_are_refused(
    games: list[dict[str, object]], capsys: Capture
) -> None:
    assert games
    assert main(["person", "Ana"]) == 2
    assert "did you mean “Anna”" in capsys.readouterr().err
    assert main(["person", "Anna", "--until", "1999-01-01"]) == 1
    assert "no games match" in capsys.readouterr().err
    for word in ("next", "99999", "-1", "²"):
        assert main(["year", word]) == 2
