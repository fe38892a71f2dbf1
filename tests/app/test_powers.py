"""The powers of the larger boxes on the main screen: picks, questions, by keys and by taps."""

from __future__ import annotations

import random

import pytest

from companion.app import offer
from companion.app.choices import choices
from companion.options import PlayOptions
from engine import casts, record, views
from engine.editions import editions
from engine.referee import Referee, legal
from tests.app.driving import at_the_table

SIZES = [(80, 24), (120, 40)]
SHADY = PlayOptions(
    edition="deluxe_2016",
    characters=(
        *("magistrate", "blackmailer", "wizard", "emperor"),
        *("abbot", "merchant", "scholar", "diplomat"),
    ),
)
WITCH = SHADY._replace(characters=("witch", *(SHADY.characters or ())[1:]))
WARRANTED = [
    *("faceup wizard scholar", "call", "reveal Ben", "warrants blackmailer merchant diplomat"),
    *("gold", "end", "reveal Kurt", "threats abbot diplomat", "gold", "end"),
    *("nobody", "nobody"),
]


@pytest.mark.parametrize("seed", range(12))
def test_every_legal_move_is_a_few_picks_away(seed: int) -> None:
    """Over random deluxe games: no list is long, and every move is behind exactly its picks."""
    chance = random.Random(seed)
    edition = editions()["deluxe_2016"]
    names = [f"Player {n}" for n in range(chance.randint(4, 7))]
    cast = casts.at_random(edition, len(names), chance.choice)
    data = {
        "edition": edition.id,
        "players": names,
        "characters": list(cast.characters),
        "districts": list(cast.districts or ()),
    }
    referee = Referee(record.read_setup(data).table())
    for _step in range(120):
        view = views.redact(referee.table, views.PUBLIC)
        moves = legal(view)
        if not moves:
            break
        found = choices(view, moves)
        assert len(found) <= 14
        assert {m for choice in found for m in choice.moves} == set(moves)
        for choice in found:
            if len(choice.moves) > 1 and not choice.private:
                _check_chain(offer.of_moves(view, choice.label, choice.moves), set(choice.moves))
        verb = chance.choice(sorted({m.verb for m in legal(referee.table)} - {"forfeit"}))
        of_verb = [m for m in legal(referee.table) if m.verb == verb]
        referee.play(chance.choice(of_verb))


def _check_chain(shown: offer.Offer, wanted: set[object], depth: int = 0) -> None:
    assert set(shown.moves) == wanted
    assert depth <= 4
    labels = [row.label for row in shown.rows]
    assert len(set(labels)) == len(labels)
    assert all(len(row.moves) < len(wanted) for row in shown.rows)


@pytest.mark.parametrize("size", SIZES)
async def test_warrants_are_laid_pick_by_pick_with_a_way_back(size: tuple[int, int]) -> None:
    moves = ["faceup wizard scholar", "call", "reveal Ben"]
    async with at_the_table(options=SHADY, moves=moves, size=size) as table:
        line = next(c for c in table.app.table.found if c.verb == "warrants")  # type: ignore[union-attr]
        await table.keys(line.number)
        await table.type("blackm")
        await table.keys("enter")
        assert "Emperor" in table.text()
        await table.keys("escape")
        assert "Lay three warrants" in table.text()
        await table.type("blackm")
        await table.keys("enter")
        await table.type("abbot")
        await table.keys("enter")
        await table.type("merch")
        await table.keys("enter")
        assert set(table.session.view.warrants) == {"blackmailer", "abbot", "merchant"}
        assert "Mark the true one" in table.text()
        assert "the signed warrant is" not in table.text()


async def test_the_signed_warrant_is_marked_on_the_private_screen_alone() -> None:
    moves = [*WARRANTED[:4]]
    async with at_the_table(options=SHADY, moves=moves) as table:
        line = next(c for c in table.app.table.found if c.verb == "signed")  # type: ignore[union-attr]
        await table.keys(line.number)
        assert "Hand the device to Ben" in table.text()
        await table.keys("enter")
        await table.keys("2")
        assert table.session.referee.table.signed is not None
        assert "A secret is recorded." in table.text()


@pytest.mark.parametrize("size", SIZES)
async def test_the_stack_of_questions_names_who_is_asked(size: tuple[int, int]) -> None:
    async with at_the_table(options=SHADY, moves=WARRANTED, size=size) as table:
        await table.line("reveal Anna")
        await table.keys("g")
        words = " ".join(table.text().split())
        assert "Anna. Pay the Blackmailer, or refuse?" in words
        await table.keys("2")
        assert "Kurt. Show the threat on the Abbot?" in " ".join(table.text().split())
        await table.keys("3", "e")
        await table.line("reveal Ashley")
        await table.keys("g", "d")
        await table.type("tavern")
        await table.keys("enter")
        words = " ".join(table.text().split())
        assert "Ben. Confiscate the Tavern?" in words
        await table.keys("1")
        assert table.session.view.seats[3].city.ids == {"tavern"}


async def test_an_income_of_nothing_is_said_so() -> None:
    moves = [*WARRANTED, "nobody", "reveal Ashley", "gold"]
    async with at_the_table(options=SHADY, moves=moves, size=(120, 40)) as table:
        assert "Take the income: nothing" in table.text()
        await table.line("income")
        assert "takes the income: nothing." in " ".join(table.text().split())


async def test_warrants_and_threats_are_laid_by_taps() -> None:
    moves = WARRANTED[:3]
    async with at_the_table(options=SHADY, moves=moves, reader="simulated") as table:
        await table.tap("blackmailer")
        assert "Warrants so far: Blackmailer." in table.text()
        await table.tap("abbot")
        await table.tap("merchant")
        assert set(table.session.view.warrants) == {"blackmailer", "abbot", "merchant"}
        await table.line("gold")
        await table.line("end")
        await table.tap("Kurt")
        await table.tap("abbot")
        assert "Threats so far: Abbot." in table.text()
        await table.keys("escape")
        assert "Threats so far" not in table.text()
        await table.tap("abbot")
        await table.tap("merchant")
        assert set(table.session.view.threats) == {"abbot", "merchant"}


@pytest.mark.parametrize("how", ["keys", "taps"])
async def test_the_witch_goes_on_with_the_turn_of_the_bewitched(how: str) -> None:
    moves = ["faceup wizard scholar", "call", "reveal Ben", "gold"]
    reader = "simulated" if how == "taps" else "none"
    async with at_the_table(options=WITCH, moves=moves, reader=reader) as table:
        if how == "taps":
            await table.tap("abbot")
        else:
            line = next(c for c in table.app.table.found if c.verb == "bewitch")  # type: ignore[union-attr]
            await table.keys(line.number)
            if len(line.moves) > 1:
                await table.type("abbot")
                await table.keys("enter")
        assert table.session.view.bewitched is not None
        for _rank in range(10):
            if table.session.view.rules.by_rank[table.session.view.called] == (
                table.session.view.bewitched
            ):
                break
            await table.line("nobody")
        await table.line("reveal Anna")
        await table.line("gold")
        assert table.session.view.acting.name == "Ben"
        assert "Ben." in table.text()


async def test_an_exchange_and_the_emperors_crown_are_chains() -> None:
    moves = [
        *("faceup wizard scholar", "call", "nobody", "nobody", "nobody", "reveal Ben", "gold"),
    ]
    async with at_the_table(options=SHADY, moves=moves) as table:
        line = next(c for c in table.app.table.found if c.verb == "crown")  # type: ignore[union-attr]
        await table.keys(line.number)
        await table.type("kurt")
        await table.keys("enter")
        if table.session.view.crown != 1:
            await table.keys("enter")
        assert table.session.view.seats[table.session.view.crown].name == "Kurt"
