"""The echo of a line while it is typed: nothing that could be private."""

from __future__ import annotations

import pytest

from companion import language, verbs
from companion.game.privacy import may_show
from companion.language import list_offered, load_words
from engine import record, views
from engine.referee import Referee, list_legal_moves
from engine.table import Table

PLAYERS = ["Anna", "Kurt", "Rob", "Ben"]


def table(*moves: str, secrecy: str = "secret") -> Table:
    """A public view of a table with the Classic box."""
    head = {"edition": "classic_2016", "players": PLAYERS, "crown": "Kurt", "secrecy": secrecy}
    referee = Referee(record.read(head).start)
    for move in moves:
        referee.play(move)
    return views.redact(referee.table, views.PUBLIC)


SELECTION = table("faceup bishop merchant")
ASSASSIN = table("faceup bishop merchant", "call", "reveal Anna")
GATHERED = table("faceup bishop merchant", "call", "reveal Anna", "kill king", "gold")
OPEN = table("faceup bishop merchant", "call", "reveal Anna", secrecy="announced")


def shown(t: Table, line: str) -> str:
    """The part of the line that a terminal shows before Enter."""
    moves = list_legal_moves(t)
    return max(
        (line[:end] for end in range(len(line) + 1) if may_show(t, moves, line[:end])), key=len
    )


PUBLIC = ("undo", "moves", "call", "card king", "reveal Ben", "gold", "city Kurt", "12", "*2", "+")
PRIVATE = (
    *("kill king", "ki king", "KILL King", "  kill king", ": kill king", "ki-ll king", "kill"),
    *("choose Ben king", "ch Ben king", "real king", "rob merchant", "signed king"),
    *("tuer le roi", "assassiner roi", "voler marchand", "choisir Ben roi"),
    *("убить короля", "выбрать Ben король"),
)
MISSPELT = ("kil kng", "klil king", "gill king", "лшдд king", "kull king", "rbo king", "king")


@pytest.mark.parametrize("line", PUBLIC)
@pytest.mark.parametrize("t", [SELECTION, ASSASSIN, GATHERED], ids=["choosing", "killing", "turn"])
def test_a_public_line_is_shown_whole(t: Table, line: str) -> None:
    assert shown(t, line) == line


@pytest.mark.parametrize("line", PRIVATE)
@pytest.mark.parametrize("t", [SELECTION, ASSASSIN, GATHERED], ids=["choosing", "killing", "turn"])
def test_a_line_that_begins_like_a_private_verb_is_never_shown(t: Table, line: str) -> None:
    assert shown(t, line).strip() in ("", ":", '"')


@pytest.mark.parametrize("line", MISSPELT)
@pytest.mark.parametrize("t", [SELECTION, ASSASSIN], ids=["choosing", "killing"])
def test_a_misspelt_line_is_not_shown_while_something_private_may_be_meant(
    t: Table, line: str
) -> None:
    assert len(shown(t, line)) < len(line.split()[0])


def test_a_name_that_follows_a_player_is_not_shown() -> None:
    assert shown(SELECTION, "Ben king").strip() == "Ben"
    assert shown(SELECTION, "Rob king") == ""


def test_a_misspelt_word_is_shown_where_nothing_private_can_be_meant() -> None:
    assert shown(GATHERED, "tavrn") == "tavrn"
    assert "king" not in shown(GATHERED, "klil king")


def test_an_announced_kill_is_shown() -> None:
    assert shown(OPEN, "kill king") == "kill king"
    assert shown(OPEN, "choose Ben king") == ""


def test_a_district_alone_is_shown_where_one_can_be_built() -> None:
    assert shown(GATHERED, "tavern") == "tavern"


def test_it_is_shown_before_a_secret_murder_only_if_it_can_be_built() -> None:
    call = ("faceup bishop merchant", "call", "reveal Anna")
    assert shown(table(*call, "gold"), "tavern") == "tavern"
    assert shown(table(*call), "tavern") != "tavern"


@pytest.mark.parametrize("code", list_offered())
def test_every_private_verb_of_every_language_is_hidden_at_every_table(code: str) -> None:
    secret_verbs = (*verbs.ALWAYS_SECRET, *verbs.SECRET_TARGETS)
    words = {w for other in list_offered() for verb in secret_verbs
             for w in (verb, *load_words(other, "verbs").get(verb, ()))}  # fmt: skip
    language.use(code)
    assert [word for word in words if shown(SELECTION, word)] == []


@pytest.mark.parametrize("line", ["warlord", "thief"])
@pytest.mark.parametrize("t", [SELECTION, ASSASSIN], ids=["choosing", "killing"])
def test_a_character_is_not_shown_even_if_it_begins_like_a_public_word(t: Table, line: str) -> None:
    assert shown(t, line) == ""
