"""The codes of the seats of the last game with phones, for `labels --seats` alone: whoever has one
reads that seat's secrets."""

from __future__ import annotations

from typing import NamedTuple

from common.sentences import Sentence
from companion.commands import REFUSED, CommandError, open_games
from companion.log.open_game import ADDRESS, PHONES, GameSettings
from companion.phones.serving import guard, seat_keys
from companion.phones.serving.where import link_with_code
from companion.settings.config import Config


class SeatCode(NamedTuple):
    """What opens a player's seat: the code as it is shown, and a link with it."""

    player: str
    code: str
    link: str


def read(config: Config) -> list[SeatCode]:
    """The codes in the order of the seats. Raises CommandError if the last game had no phones."""
    with open_games(config) as store:
        last = store.find_last_own_game()
    settings = GameSettings(config.games, last.name) if last is not None else None
    address = settings.get(ADDRESS) if settings else None
    codes = seat_keys.read_codes(settings.get(PHONES)) if settings else {}
    if not codes or not isinstance(address, str):
        raise CommandError(
            Sentence("the last game had no phones; host it first, so that its seats have codes"),
            code=REFUSED,
        )
    return [
        SeatCode(player, guard.format_code(code), link_with_code(address, code))
        for player, code in codes.items()
    ]
