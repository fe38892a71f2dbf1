"""The bookkeeper finds errors: breaking a rule of the engine deliberately makes games disagree, and
so does playing an option otherwise than the bookkeeper is told.

Each error is planted where the engine looks up the rule; the same games agree without it
(`test_the_games_agree_as_the_rules_are`), so only the planted error is found.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from engine import own_cards, scoring
from engine.rules import building, counting, turn_moves, turns, untracked
from engine.rules.characters import crown, strikers
from engine.ruleset import Ruleset
from tests.engine.bookkeeping import Disagreement, facts
from tests.engine.boxes import CHARACTERS, OwnCards, characters, random_setup
from tests.engine.kept_games import play_kept_game

if TYPE_CHECKING:
    from engine.table import Table

Plant = Callable[[pytest.MonkeyPatch], None]
SEEDS = range(8)


class Planted(NamedTuple):
    """An error, its message, and a table where it occurs."""

    plant: Plant
    noticed: str  # part of the first disagreement's message
    edition: str
    cast: tuple[str, ...] = ()
    own: OwnCards = {}  # noqa: RUF012 - never changed
    options: dict[str, Any] = {}  # noqa: RUF012

    def head(self, seed: int | str) -> dict[str, Any]:
        """A random table with those characters, own cards and options."""
        head = random_setup(self.edition, f"planted {seed}", players=5)
        rest = [id_ for id_ in head["districts"] if id_ not in self.own]
        uniques = [id_ for id_ in self.own if self.own[id_].get("type", "unique") == "unique"]
        head["districts"] = [*uniques, *rest][: max(len(head["districts"]), len(uniques))]
        head["options"] = self.options
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


def _without_cost(printed: Any, own: dict[str, Any], printing: str) -> dict[str, Any]:
    return _APPLY(printed, {key: own[key] for key in own if key != "cost"}, printing)


_APPLY = own_cards._apply
LIGHT = {"cities": "untracked"}
BRIDGE: OwnCards = {"bridge": {"type": "unique", "cost": 0, "copies": 4, "points": 3,
                               "names": {"en": "Bridge"}}}  # fmt: skip
ERRORS = {
    "a tavern costs two": Planted(
        wrapped(Ruleset, "price", _with_a_tip), "build: .* missing", "classic_2016"),
    "the King leaves the crown": Planted(
        wrapped(turns, "give_crown", _never), "crown is", "hobby_world_2022", ("king",)),
    "the Thief takes half": Planted(
        wrapped(turns, "_pay_thief", _half), "reveal .*: players is", "accessible_fr"),
    "three gold are gathered": Planted(
        changed(turn_moves, "GATHERED_GOLD", 3), "^gold: players is", "brettspielwelt"),
    "nobody is noted as the first": Planted(
        wrapped(turns, "note_completion", _never), "first_complete is", "classic_2016"),
    "the first to complete scores three": Planted(
        changed(scoring, "FIRST_COMPLETE", 3), "score is", "brettspielwelt"),
    "the Bishop protects nobody": Planted(
        changed(strikers, "is_safe", lambda t, victim: False),
        "destroy: .* offered against the books", "classic_2016"),
    "what the Warlord destroys costs him nothing less": Planted(
        changed(strikers, "strike_price", lambda t, victim, card: strikers.value(t, card)),
        "destroy: .* missing", "ffg_2005", ("warlord",)),
    "the Emperor keeps the crown": Planted(
        changed(turn_moves, "_OBLIGATIONS", {}),
        "the crown not given", "millennium_3e", ("emperor",)),
    "the Witch names nobody": Planted(
        changed(turn_moves, "_OBLIGATIONS", {}),
        "end offered before what is owed", "ffg_2005", ("witch",)),
    "the King has no income": Planted(
        changed(turn_moves.Income, "closed", lambda action, t: "income.none"), "income not offered",
        "hobby_world_2022"),
    "nothing need be gathered": Planted(
        wrapped(turn_moves.End, "closed", _never), "nothing gathered", "classic_2016"),
    "the Navigator brings three": Planted(
        changed(crown, "NAVIGATOR_GETS", 3), "navigate .*: players is", "deluxe_2016",
        ("navigator",)),
    "nobody pays the property tax": Planted(
        wrapped(turns, "tax_build", _never), "players is", "deluxe_2016", ("tax_collector",)),
    "the Queen sits alone": Planted(
        wrapped(turns, "_pay_queen", _never), "players is", "deluxe_2016", ("queen", "king")),
    "nothing uses the building limit": Planted(
        changed(building, "_count_built", lambda table: 0),
        "build: .* offered against the books", "deluxe_2016", ("architect",)),
    "what was built is not refunded": Planted(
        lambda patch: patch.setitem(turns._AT_END_OF_TURN, "refunds_builds", _never),
        "end: players is", "deluxe_2016", ("alchemist",)),
    "a table's own cost is forgotten": Planted(
        changed(own_cards, "_apply", _without_cost), "build: .* missing",
        "millennium_3e", own={"library": {"cost": 0}}),
    "own points are not scored": Planted(
        lambda patch: patch.setitem(scoring._POINTS, "points", lambda points, city, card: 0),
        "score is", "classic_2016", own=BRIDGE),
    "a card of another box has no effect": Planted(
        lambda patch: patch.setitem(turns._AT_END_OF_TURN, "gold_when_poor", _never),
        "end: players is", "classic_2016", own={"poor_house": {"copies": 4, "cost": 0}}),
    "who pays another keeps the gold": Planted(
        changed(untracked.Pay, "apply", _never), "pay .*: players is", "ffg_2005", options=LIGHT),
    "a city that the table calls complete is not": Planted(
        changed(untracked.Complete, "apply", _never), "complete .*: first_complete is",
        "deluxe_2016", options=LIGHT),
    "a Haunted Quarter is not asked about": Planted(
        changed(counting, "_finish_city", counting._go_on), "awaiting is|phase is",
        "ffg_2005", options=LIGHT, own={"haunted_quarter": {"copies": 2}}),
}  # fmt: skip


NEEDED: dict[str, tuple[str, ...]] = {
    "strike_own_city": ("warlord",), "strike_timing": ("warlord",),
    "navigate_timing": ("navigator",), "exchange_timing": ("diplomat",),
    "fallen_bell_tower": ("bell_tower", "armory", "warlord"),
    "points_of_districts": ("dragon_gate", "museum"),
    "abbot_tie": ("abbot",), "wizard_doubles": ("wizard",), "alchemist_refund": ("alchemist",),
    "emperor_killed": ("emperor", "assassin"), "highest_rank": ("assassin",),
    "killed_player_shows": ("assassin",), "great_wall": ("warlord", "great_wall"),
    "library_with_observatory": ("library", "observatory"), "armory_complete_city": ("armory",),
    "quarry_doubles": ("quarry",), "haunted_quarter_last_round": ("haunted_quarter", "ivory_tower"),
    "wishing_well_counts_itself": ("wishing_well",),
}  # fmt: skip
"""The cards without which an option changes nothing; districts are made cheap and frequent."""

WHERE_IT_MATTERS: dict[str, dict[str, Any]] = {
    "highest_rank": LIGHT,  # where who was murdered is always asked
    "points_of_districts": {"tie_break": ["district_points"]},
    "fallen_bell_tower": {"city_size": 8},
}

FIRST_SEED = {"haunted_quarter_last_round": 11, "fallen_bell_tower": 37}
"""The first game in which the answer matters, where that is rare: a change of the rules or one more
card moves it, and the next ones are tried."""

MOST_GAMES = 300
"""One in 50 shows even the rarest, so that a few hundred find it whatever is added."""

SAID = {"faceup_rank_4", "emperor_payment"}
"""Options that tell the table what to do, and change no move."""


def _no_error(patch: pytest.MonkeyPatch) -> None:
    """Plant nothing."""


def _answers() -> list[tuple[str, Any, Any]]:
    """Each option with its usual answer and another, in both orders."""
    answers: list[tuple[str, Any, Any]] = []
    for name, (usual, *others) in facts.HOUSE_RULES.items():
        if name not in SAID | {"cities"}:
            wrap = (lambda value: [value]) if name == "tie_break" else (lambda value: value)
            answers += [(name, wrap(usual), wrap(other)) for other in others]
    return answers + [(name, other, usual) for name, usual, other in answers]


@pytest.mark.parametrize(("name", "played", "books"), _answers())
def test_an_option_played_otherwise_is_noticed(name: str, played: Any, books: Any) -> None:
    """Each option drives the bookkeeper: one who keeps the books by the other answer complains."""
    names = NEEDED.get(name, ())
    more = WHERE_IT_MATTERS.get(name, {})
    first = FIRST_SEED.get(name, 0)
    for seed in range(first, first + MOST_GAMES):
        edition = ("ffg_2005", "deluxe_2016")[seed % 2]
        cast = tuple(id_ for id_ in names if id_ in CHARACTERS)
        own: OwnCards = {id_: {"cost": 0, "copies": 4} for id_ in names if id_ not in cast}
        head = Planted(_no_error, "", edition, cast, own).head(f"{name} {seed}")
        head["options"] = {name: played, **more}
        try:
            for _ in play_kept_game(
                head, seed, by_verb=seed % 2 == 0, own=own, books={name: books, **more}
            ):
                pass
        except Disagreement:
            return
    raise AssertionError(f"{name}: nobody noticed {played} where {books} is played")


def play(error: Planted) -> None:
    """Play a few games, choosing the verb first in every other one."""
    for seed in SEEDS:
        by_verb = bool(error.options) or seed % 2 == 0
        for _ in play_kept_game(error.head(seed), seed, by_verb=by_verb, own=error.own):
            pass


@pytest.mark.parametrize("name", ERRORS)
def test_a_planted_error_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ERRORS[name].plant(monkeypatch)
    with pytest.raises(Disagreement, match=ERRORS[name].noticed):
        play(ERRORS[name])


def test_the_games_agree_as_the_rules_are() -> None:
    """One game of each table that an error is planted at."""
    for name, error in ERRORS.items():
        for _ in play_kept_game(error.head(0), name, by_verb=True, own=error.own):
            pass


def test_the_tables_have_the_characters_that_the_errors_need() -> None:
    for error in ERRORS.values():
        head = error.head(0)
        assert {*error.cast} <= {*head["characters"]}
        by_rank = characters(error.edition, players=5)
        assert all(id_ in by_rank[CHARACTERS[id_][0]] for id_ in error.cast)
