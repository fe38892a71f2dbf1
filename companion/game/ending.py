"""The end of a game, told part by part, and the next game with the same players."""

from __future__ import annotations

import secrets
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from companion.game import Offer, Row
from companion.game.session import Session
from companion.language import _, begin_sentence, end_sentence, listing, number_entry, translate
from companion.log import ledger
from companion.log.store import GameInfo, Store, StoreError
from companion.wording import facts, story
from engine import scoring

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from companion.extending import TableWord
    from engine.record import Setup


EVENING = timedelta(hours=12)
"""The longest gap between games of one evening."""

MOST_GAMES = 20
"""How many recent games are searched for that."""


class Part(NamedTuple):
    """One part of the scores: its heading and a line for each player who has points in it."""

    title: str
    lines: tuple[str, ...]


def parts(session: Session) -> list[Part]:
    """The scores one part at a time, then the winner, the full table with ties, and who won the
    evening's other games."""
    view = session.view
    standing = scoring.standing(view)
    result = []
    for title, find_points in facts.list_sources():
        points_by_player = [
            (view.seats[seat].name, find_points(standing.scores[seat])) for seat in view.rules.seats
        ]
        lines = [
            end_sentence(number_entry(name, str(facts.points(gain))))
            for name, gain in points_by_player
            if gain
        ]
        result.append(Part(title, tuple(lines) or (end_sentence(_("Nobody")),)))
    ties = facts.tell_ties(view)
    ties_of_winner = 1 if standing.tie_break else 0
    result.append(Part(_("The winner"), (story.winners(view), *ties[:ties_of_winner])))
    result.append(Part(_("The final scores"), (*facts.score(view), *ties[ties_of_winner:])))
    return [*result, *list_evening(session)]


def list_evening(session: Session) -> list[Part]:
    """Who won the other games of the same players within `EVENING`, as one part, if there are any;
    games that cannot be read are left out."""
    now, people = datetime.now(UTC), set(session.setup.players)
    lines: list[str] = []
    with suppress(StoreError):
        for info in session.store.games(MOST_GAMES):  # last played, or imported, first
            if (
                now - EVENING <= info.update_time <= now
                and info.finished
                and info.id != session.game
                and set(info.setup.get("players", ())) == people
            ):
                lines += _winners(session.store, info)
    return [Part(_("This evening"), tuple(reversed(lines)))] if lines else []


def _winners(store: Store, info: GameInfo) -> Iterator[str]:
    """The winner of a finished game, in a sentence; nothing if it is not in the ledger. Phone pages
    are rendered often, so no game is replayed for this."""
    with store.database.look() as connection:
        winners = ledger.read_winners(connection, info.id)
    if winners:
        names = [name for name, _total in winners]
        yield f"{info.name}: {story.tell_winners(names, winners[0][1])}"


def rows(more: Mapping[str, TableWord], *, is_told: bool) -> tuple[Row, ...]:
    """The choices after the end: hear the rest of the scores unless it `is_told`, then play another
    game, or take a row of an extension."""
    if not is_told:
        return (Row(_("Continue"), number=1, word="next"),)
    return (
        Row(_("Play again with the same names"), number=1, word="rematch"),
        Row(_("The scores again"), number=2, word="score"),
        Row(_("Another game"), number=3, word="new"),
        *(
            Row(translate(word.row), number=number, word=name)
            for number, (name, word) in enumerate(
                ((name, word) for name, word in more.items() if word.row), start=4
            )
        ),
    )


def ask_before_rematch(setup: Setup) -> Offer:
    """The question before the next game begins: a row is taken by accident."""
    question = _("Play again with {names}, with the same box and rules?")
    return Offer(
        question.format(names=listing(setup.players)),
        (
            Row(_("Yes, begin the next game"), number=1, word="rematch", yes=True),
            Row(begin_sentence(_("no")), number=2, word="back", yes=False),
        ),
    )


def begin_next(session: Session) -> Session:
    """The next game of the same group, once this one is over. Raises StoreError."""
    return Session.begin(session.store, next_game(session.setup), before=session.settings)


def next_game(setup: Setup) -> Setup:
    """The same players, box and options again, with the first crown by that box's rule: it stays
    with the oldest player, or is drawn by lot again."""
    if not setup.ruleset().edition.crown_by_lot:
        return setup
    return setup._replace(crown=secrets.choice(setup.players))
