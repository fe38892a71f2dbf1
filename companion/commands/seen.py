"""A refused move as one viewer may know it: judged only by that viewer's view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from common.named_tuples import NamedTuple
from common.sentences import Sentence
from companion.verbs import SECRET_REASON, is_private, refusal_seen
from engine import cards, views
from engine.explain import find_source_of_unknown
from engine.moves import GRAMMAR, Move, UnknownMove, parse, split
from engine.words import listing

if TYPE_CHECKING:
    from companion.log.records import Replay
    from engine.table import Table

_NO_MOVE = Sentence("That isn't a move.")
_SECRET_MOVE = Sentence("That secret move isn't allowed.")


class Seen(NamedTuple):
    """The refusal as far as it may be shown; hidden parts are None."""

    place: int
    move: str | None
    rule: str | None
    reason: str
    source: Sentence | None

    def data(self) -> dict[str, Any]:
        """The refusal in the JSON format of `companion replay`."""
        return {
            "index": self.place,
            "move": self.move,
            "rule": self.rule,
            "reason": self.reason,
        }

    def sentence(self) -> str:
        """The refusal in one line, for people."""
        sentence = self.reason
        if self.rule and self.source:
            sentence = Sentence(
                "{reason} ({rule}; {source})",
                reason=self.reason,
                rule=self.rule,
                source=self.source,
            )
        if self.move is None:
            return sentence
        return Sentence("“{move}” isn't allowed. {reason}", move=self.move, reason=sentence)


def explain_fully(replay: Replay) -> Seen | None:
    """The full refusal for a viewer who may know everything; None if nothing was refused."""
    if replay.refused is None:
        return None
    refusal, move = replay.refused.refusal, replay.refused.move
    reason = refusal.reason
    if refusal.rule == "move.unknown" and (missing := _cards_unknown(move)):
        reason = Sentence(
            "{reason} No box has a card called {cards}; a table's own cards are in its cards.yaml.",
            reason=reason,
            cards=listing(missing),
        )
    return Seen(replay.place, move, refusal.rule, reason, refusal.source)


def _cards_unknown(text: str) -> list[str]:
    """Districts in the move that no box has: another table's own cards."""
    verb, *words = split(text) or [""]
    forms = [form.replace("...", "").split() for form in GRAMMAR.get(verb, ())]
    spots = {spot for form in forms for spot, kind in enumerate(form) if kind == "D"}
    names = cards.district_ids()
    return [
        word
        for spot, word in enumerate(words)
        if spot in spots and word not in names and word.isidentifier() and word.islower()
    ]


def explain_to(replay: Replay, viewer: int | None) -> Seen | None:
    """The refusal for that seat's player, or the public, judged by their view alone."""
    if replay.refused is None:
        return None
    try:
        move = parse(replay.refused.move, replay.table.rules.vocabulary)
    except UnknownMove:  # the text itself could be a misspelt secret
        return Seen(replay.place, None, "move.unknown", _NO_MOVE, find_source_of_unknown())
    if _is_secret(replay.table, move, viewer):
        return Seen(replay.place, None, None, _SECRET_MOVE, None)
    refusal = refusal_seen(views.redact(replay.table, viewer), move)
    if refusal is None:
        return Seen(replay.place, move.text, None, SECRET_REASON, None)
    return Seen(replay.place, move.text, refusal.rule, refusal.reason, refusal.source)


def _is_secret(table: Table, move: Move, viewer: int | None) -> bool:
    """Whether only one player, who is not the viewer, may know the move's text."""
    if move.verb == "choose":
        return table.seat_named(move.args[0]) != viewer
    if is_private(table, move.verb):
        return table.turn is None or table.turn.seat != viewer
    return False
