"""Whole games played only on phone pages: every move of a record can be made there."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.log import records
from engine import views
from tests.companion.phoning import Phones
from tests.sizes import pick_first

GAMES = Path(__file__).parents[1] / "games"


@pytest.mark.parametrize(
    "game", pick_first("secret_game", "seven_players", "two_players", "whole_game")
)
def test_a_whole_game_is_played_on_phones(game: str, tmp_path: Path) -> None:
    record = records.read(str(GAMES / f"{game}.yaml")).record
    phones = Phones(tmp_path, record.setup)
    for text in record.moves:
        phones.play(phones.session.referee.read(text))
    on_phones = views.table_json(phones.session.referee.table, full=True)
    replayed = views.table_json(records.play(record).table, full=True)
    assert on_phones == replayed
