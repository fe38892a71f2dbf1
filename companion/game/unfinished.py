"""The game that can be resumed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.problems import Problems
from companion.language import _, listing, translate
from companion.log.store import StoreError

if TYPE_CHECKING:
    from companion.log.store import GameInfo, Store


def find_last(store: Store) -> GameInfo | None:
    """The game played last at this table, if it is not over."""
    try:
        last = store.find_last_own_game()
    except StoreError:
        return None
    return last if last is not None and not last.finished else None


def describe(store: Store, game: GameInfo) -> list[str]:
    """Its box, players, round, turn, and when it was played; empty if it can't be replayed."""
    # Imports the rules, which the screen that finds the game can be painted without.
    from engine import record, views
    from engine.explain import Refused
    from engine.referee import Referee

    try:
        log = store.load(game.id)
        referee = Referee(record.read_setup(log.setup).table())
        for text in log.moves:
            referee.play(text)
    except (StoreError, Problems, Refused):
        return []
    view = views.redact(referee.table, views.PUBLIC)
    waiting = views.find_awaited(view)
    return [
        _("Game {name} is not finished: {edition}, {names}.").format(
            name=game.name,
            edition=translate(view.rules.edition.title),
            names=listing(view.rules.player_names),
        ),
        _("Round {round}, {player} to play; last played {when}.").format(
            round=view.round,
            player=view.seats[waiting[0] if waiting else view.crown].name,
            when=f"{game.update_time.astimezone():%Y-%m-%d %H:%M}",
        ),
    ]
