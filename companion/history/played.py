"""Commands of the conversation about this table's games and their statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from common.problems import Problems
from companion import language
from companion.language import _, plural
from companion.log.store import StoreError
from engine.moves import fold, split

if TYPE_CHECKING:
    from companion.history.asking import Command, Game, Talk
    from companion.log.store import Store

MOST_WAITED_FOR = 300
"""Games to count while people wait; if more are missing, the command must do it."""

MOST_TOLD = 20  # games listed by default


class NotCounted(Exception):
    """Why the games cannot be listed here and now; the message is in the current language."""


def list_games(store: Store, most: int) -> list[str]:
    """A line for each of the latest games. Raises NotCounted and StoreError."""
    from companion.history import games, people, telling

    _check_waiting(store)
    known = people.read(store)
    with games.pause_garbage_collection():
        found = games.read_all(store, most=most)
    return [telling.game(one, known) for one in found]


def add_up(store: Store, players: list[str]) -> dict[str, Any]:
    """The statistics, of these players only if any are given. Raises NotCounted and StoreError."""
    from companion.history import kept, people, statistics
    from companion.history.wanted import Wanted

    _check_waiting(store)
    found = kept.add_up(store, Wanted(any_of=tuple(players)))
    if not players:
        return found
    known = people.read(store)
    found = statistics.limit_to_players(found, [known.find(name) for name in players])
    here = set(map(fold, found["players"]))
    for name in players:
        if fold(known.find(name)) not in here:
            raise NotCounted(_("{player} has not finished a game here yet.").format(player=name))
    return found


def _check_waiting(store: Store) -> None:
    from companion.history import games

    missing = games.count_missing(store)
    if missing > MOST_WAITED_FOR:
        raise NotCounted(
            plural(
                "{number} game has not been counted yet; run companion stats once.",
                "{number} games have not been counted yet; run companion stats once.",
                missing,
            )
        )


def _show_results(talk: Talk, rest: str) -> None:
    """Show the latest games, by default MOST_TOLD; or the recap of the game called `rest`."""
    number = rest if rest.isascii() and rest.isdecimal() and len(rest) < 4 else ""
    try:
        if rest and not number:
            told = _recap(talk.session, rest)
        else:
            told = list_games(talk.session.store, int(number or MOST_TOLD))
    except (NotCounted, StoreError) as reason:
        talk.say("refused", str(reason))
    else:
        talk.say("answer", *told)
        talk.face.voice.read(told[:MOST_ALOUD])


def _recap(session: Game, name: str) -> list[str]:
    """The recap of that game, in the words of its box. Raises NotCounted and StoreError."""
    from companion.history.recap import recap
    from companion.log import records
    from engine import record

    game = session.store.find(name)
    if game is None:
        raise NotCounted(
            _("no saved game is called {name}; type games to list them.").format(name=name)
        )
    log, info = session.store.load(game), session.store.info(game)
    try:
        played = records.play(record.read({**log.setup, "moves": log.moves}))
        if played.refused is None:
            return recap.lines(recap.look_back(played.referee, log.name, info))
    except Problems:
        pass
    finally:
        language.print_as(*session.view.rules.edition.boxes)
    raise NotCounted(
        _(
            "game {name} can't be replayed here, because it was played with another version of "
            "the companion or another cards.yaml."
        ).format(name=log.name)
    )


def _tell_statistics(talk: Talk, rest: str) -> None:
    """Everybody's results and the records; with names, those players' results by character."""
    from companion.history import telling

    players = split(rest) or []
    try:
        found = add_up(talk.session.store, players)
    except (NotCounted, StoreError) as reason:
        talk.say("refused", str(reason))
        return
    told = telling.results(found, by_character=bool(players))
    talk.say("answer", *told)
    talk.face.voice.read(told[:MOST_ALOUD])


MOST_ALOUD = 9  # sentences

COMMANDS: dict[str, Command] = {"results": _show_results, "stats": _tell_statistics}
"""The commands by their English words."""
