"""Every key of the full screen changes what is shown or says why it does not, in random games of
every box, in every language in turn."""

from __future__ import annotations

import random
import string

import pytest

from companion.language import list_offered
from companion.settings.keys import ACTIONS
from companion.setup import PlayOptions
from engine.editions import editions
from engine.record import Setup
from engine.referee import Referee
from tests.app.driving import Driver, start_table
from tests.companion.talking import FOUR
from tests.sizes import pick_size

pytestmark = pytest.mark.outer

MOMENTS = pick_size(1, 2, 40)
KEYS = pick_size(7, 10, 60)
LANGUAGES = dict(zip(editions(), [*list_offered()] * len(editions()), strict=False))


def list_keys() -> list[str]:
    """The letters, the digits, and the keys of actions."""
    actions = {key for keys in ACTIONS.values() for key in keys if len(key) > 1}
    return sorted({*string.ascii_lowercase, *string.digits, "colon", "question_mark"} | actions)


def play_at_random(edition: str, chance: random.Random, many: int) -> list[str]:
    """The first moves of a random game, without private notes."""
    referee = Referee(Setup(edition, FOUR, "Kurt").table())
    for _move in range(many):
        legal = [move for move in referee.list_legal_moves() if move.verb != "choose"]
        if not legal or referee.table.stage == "over":
            break
        referee.play(chance.choice(legal))
    return [move.text for move in referee.moves]


async def press(table: Driver, key: str) -> None:
    """Press the key from a clean screen; what is then shown must differ. Go back afterwards."""
    table_screen, moves = table.app.screen, len(table.session.referee.moves)
    await table.keys("escape", "escape")
    before = table.text()
    await table.keys(key)
    assert table.app.screen is not table_screen or table.text() != before, f"{key}:\n{before}"
    while table.app.screen is not table_screen:
        table.app.pop_screen()
        await table.settle()
    while len(table.session.referee.moves) > moves:
        await table.keys("ctrl+z")


@pytest.mark.sweep
@pytest.mark.parametrize("edition", editions())
async def test_every_key_does_something_or_says_why(edition: str) -> None:
    chance = random.Random(edition)
    for _moment in range(MOMENTS):
        moves = play_at_random(edition, chance, chance.randrange(1, 160))
        options = PlayOptions(edition=edition)
        language = {"language": LANGUAGES[edition], "forced": "ask"}
        async with start_table(
            FOUR, crown="Kurt", moves=moves, options=options, settings_too=language
        ) as table:
            for key in chance.sample(list_keys(), KEYS):
                await press(table, key)
