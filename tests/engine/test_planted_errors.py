"""The bookkeeper notices an option that is played otherwise than it is told: so it would notice a
rule that is.

`make mutants` plants errors in the rules; what they do to a game is what these options do.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.bookkeeping import Disagreement, facts
from tests.engine.boxes import CHARACTERS, OwnCards, random_setup
from tests.engine.kept_games import play_kept_game

LIGHT = {"cities": "untracked"}
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


def _set_up(edition: str, cast: tuple[str, ...], own: OwnCards, seed: str) -> dict[str, Any]:
    """A random table with those characters and own unique districts."""
    head = random_setup(edition, f"planted {seed}", players=5)
    rest = [id_ for id_ in head["districts"] if id_ not in own]
    head["districts"] = [*own, *rest][: max(len(head["districts"]), len(own))]
    by_rank = {CHARACTERS[id_][0]: id_ for id_ in (*head["characters"], *cast)}
    head["characters"] = [by_rank[rank] for rank in sorted(by_rank)]
    return head


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
        head = _set_up(edition, cast, own, f"{name} {seed}") | {"options": {name: played, **more}}
        try:
            for _ in play_kept_game(
                head, seed, by_verb=seed % 2 == 0, own=own, books={name: books, **more}
            ):
                pass
        except Disagreement:
            return
    raise AssertionError(f"{name}: nobody noticed {played} where {books} is played")
