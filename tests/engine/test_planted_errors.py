"""The bookkeeper finds errors: breaking a rule of the engine deliberately makes games disagree.

Each error is planted where the engine looks up the rule; the same games agree without it
(`test_the_games_agree_as_the_rules_are`), so only the planted error is found.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from engine import scoring
from engine.rules import building, turn, turns
from engine.rules.characters import bonuses, strikers
from engine.ruleset import Ruleset
from engine.table import Table
from tests.engine.bookkeeping import Disagreement
from tests.engine.boxes import CHARACTERS, characters, random_setup
from tests.engine.kept_games import play_kept_game

Plant = Callable[[pytest.MonkeyPatch], None]
SEEDS = range(8)


class Planted(NamedTuple):
    """An error, its message, and a table where it occurs."""

    plant: Plant
    noticed: str  # part of the first disagreement's message
    edition: str
    cast: tuple[str, ...] = ()

    def head(self, seed: int) -> dict[str, Any]:
        """A random table with those characters."""
        head = random_setup(self.edition, f"planted {seed}", players=5)
        by_rank = {CHARACTERS[id_][0]: id_ for id_ in (*head["characters"], *self.cast)}
        head["characters"] = [by_rank[rank] for rank in sorted(by_rank)]
        return head


def changed(place: Any, name: str, value: Any) -> Plant:
    """Replace a constant or function of the engine."""
    return lambda patch: patch.setattr(place, name, value)


def wrapped(place: Any, name: str, around: Callable[..., Any]) -> Plant:
    """Wrap a function of the engine."""
    rule = getattr(place, name)
    return lambda patch: patch.setattr(place, name, lambda *words: around(rule, *words))


def _with_a_tip(rule: Callable[..., int], rules: Ruleset, district: str, discount: int = 0) -> int:
    return rule(rules, district, discount) + (district == "tavern")


def _half(_rule: Any, t: Table, victim: int) -> None:
    thief = t.bearer("thief")
    assert thief is not None
    gold = t.seats[victim].gold // 2
    t.own_seat(victim).gold -= gold
    t.own_seat(thief).gold += gold


def _never(_rule: Any, *_words: Any) -> None:
    """Do nothing, or return no rule."""


ERRORS = {
    "a tavern costs two": Planted(
        wrapped(Ruleset, "price", _with_a_tip), "tavern: players is", "classic_2016"),
    "the King leaves the crown": Planted(
        wrapped(turns, "give_crown", _never), "crown is", "hobby_world_2022", ("king",)),
    "the Thief takes half": Planted(
        wrapped(turns, "_pay_thief", _half), "reveal .*: players is", "accessible_fr"),
    "three gold are gathered": Planted(
        changed(turn, "GATHERED_GOLD", 3), "^gold: players is", "brettspielwelt"),
    "nobody is noted as the first": Planted(
        wrapped(turns, "note_completion", _never), "first_complete is", "classic_2016"),
    "the first to complete scores three": Planted(
        changed(scoring, "FIRST_COMPLETE", 3), "score is", "brettspielwelt"),
    "the Bishop protects nobody": Planted(
        changed(strikers, "is_safe", lambda t, victim: False), "the Bishop's city",
        "classic_2016"),
    "what the Warlord destroys costs him nothing less": Planted(
        changed(strikers, "strike_price", lambda t, victim, card: strikers.value(t, card)),
        "destroy .*: players is", "ffg_2005", ("warlord",)),
    "the Emperor keeps the crown": Planted(
        changed(turn, "_OWED", {}), "the crown not given", "millennium_3e", ("emperor",)),
    "the Witch names nobody": Planted(
        changed(turn, "_OWED", {}), "end offered before what is owed", "ffg_2005", ("witch",)),
    "the King has no income": Planted(
        changed(turn.Income, "closed", lambda action, t: "income.none"), "income not offered",
        "hobby_world_2022"),
    "nothing need be gathered": Planted(
        wrapped(turn.End, "closed", _never), "nothing gathered", "classic_2016"),
    "the Navigator brings three": Planted(
        changed(bonuses, "NAVIGATOR_GETS", 3), "navigate .*: players is", "deluxe_2016",
        ("navigator",)),
    "nobody pays the property tax": Planted(
        wrapped(turns, "tax_build", _never), "players is", "deluxe_2016", ("tax_collector",)),
    "the Queen sits alone": Planted(
        wrapped(turns, "_pay_queen", _never), "players is", "deluxe_2016", ("queen", "king")),
    "nothing uses the building limit": Planted(
        changed(building, "_count_built", lambda table: 0), "one building too many", "deluxe_2016",
        ("architect",)),
    "what was built is not refunded": Planted(
        lambda patch: patch.setitem(turns._AT_END_OF_TURN, "refunds_builds", _never),
        "end: players is", "deluxe_2016", ("alchemist",)),
}  # fmt: skip


def play(error: Planted) -> None:
    """Play a few games, choosing the verb first in every other one."""
    for seed in SEEDS:
        for _ in play_kept_game(error.head(seed), seed, by_verb=seed % 2 == 0):
            pass


@pytest.mark.parametrize("name", ERRORS)
def test_a_planted_error_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ERRORS[name].plant(monkeypatch)
    with pytest.raises(Disagreement, match=ERRORS[name].noticed):
        play(ERRORS[name])


def test_the_games_agree_as_the_rules_are() -> None:
    """One game of each table that an error is planted at."""
    for name, error in ERRORS.items():
        for _ in play_kept_game(error.head(0), name, by_verb=True):
            pass


def test_the_tables_have_the_characters_that_the_errors_need() -> None:
    for error in ERRORS.values():
        head = error.head(0)
        assert {*error.cast} <= {*head["characters"]}
        allowed = characters(error.edition, players=5)
        assert all(id_ in allowed[CHARACTERS[id_][0]] for id_ in error.cast)
