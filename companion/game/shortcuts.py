"""Rows that make several moves with one pick: gathering with what else the turn gives. And what a
turn would end without: people are asked about it once before it does.

Each is an ordinary move, undone on its own. A row is only offered where all of its moves can be
made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.sentences import quote
from companion import verbs
from companion.game import Offer, Row
from companion.language import _, coins, hand_cards, listing, translate
from companion.verbs import is_private
from companion.wording.state import may_pay
from engine.referee import list_legal_moves, push_move

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.moves import Move
    from engine.table import Table


SEVERAL = "several"
"""The command of a row that makes several moves: their words follow, separated by semicolons."""

END_ANYWAY = "end_anyway"
"""The command of the row that ends the turn without what is left."""

_TAKING = ("income", "bonus")
"""Verbs that take what the turn gives, without a choice of a target."""


def find_unused(table: Table, legal: Sequence[Move]) -> dict[str, list[Move]]:
    """The moves, by verb, that cost nothing and are lost if the turn ends now: income, bonus, and
    the powers whose verbs say so (`Verb.is_lost`)."""
    unused: dict[str, list[Move]] = {}
    for move in legal:
        if verbs.VERBS[move.verb].is_lost:
            unused.setdefault(move.verb, []).append(move)
    if "income" in unused and not may_pay(table):
        del unused["income"]
    return unused


def find_untaken(table: Table, legal: Sequence[Move]) -> Move | None:
    """The income or bonus lost if the turn ended now; None if there is none."""
    unused = find_unused(table, legal)
    return next((unused[verb][0] for verb in _TAKING if verb in unused), None)


def find_sure(table: Table, legal: Sequence[Move]) -> Move | None:
    """The income or bonus that is left and needs no choice; None if there is none."""
    unused = find_unused(table, legal)
    sure = (unused[verb][0] for verb in _TAKING if len(unused.get(verb, ())) == 1)
    return next(sure, None)


def ask_before_end(table: Table, legal: Sequence[Move]) -> Offer | None:
    """The question before a turn ends with such a move left; None if there is none."""
    unused = find_unused(table, legal)
    if not unused:
        return None
    choices = listing(
        translate(quote(_label(table, verb, moves))) for verb, moves in unused.items()
    )
    number = verbs.VERBS["end"].number
    end = Row(_("End the turn anyway"), number=number, key="e", word=END_ANYWAY, yes=True)
    rows = (*(_offer_unused(table, verb, moves) for verb, moves in unused.items()), end)
    return Offer(_("You can still choose {choices}. End anyway?").format(choices=choices), rows)


def _offer_unused(table: Table, verb: str, moves: Sequence[Move]) -> Row:
    record = verbs.VERBS[verb]
    if verb in _TAKING and len(moves) == 1:
        label = _("{move}, then end the turn").format(move=_label(table, verb, moves))
        word = f"{SEVERAL} {moves[0].text}; end"
        return Row(label, number=record.number, key=record.key, word=word)
    private = is_private(table, verb)
    label = _label(table, verb, moves)
    return Row(label, tuple(moves), record.number, record.key, private=private)


def _label(table: Table, verb: str, moves: Sequence[Move]) -> str:
    if verb in _TAKING and len(moves) == 1:
        return verbs.label(table, moves[0])
    return verbs.fold_label(table, verb, moves)


# -- several moves with one pick -------------------------------------------------------------------

KEYS = {"gold": "f", "cards": "d"}
"""The keys of gathering with the rest; no other move of a turn that has yet to gather has them."""

NUMBERS = {verb: 60 + verbs.VERBS[verb].number for verb in KEYS}
"""Their numbers: no other row begins with a 6 then, so that 1 and 2 stay single keys."""


def find_rest(table: Table, gathering: Move) -> tuple[list[Move], str]:
    """The income and bonus that need no choice after that gathering, and what they amount to; none
    if the rest of the turn is another player's, as after a bewitched one has gathered."""
    after, seat = push_move(table, gathering), table.playing.seat
    if after.turn is None or after.turn.seat != seat:
        return [], ""
    before, moves = after.seats[seat], []
    while (move := find_sure(after, list_legal_moves(after))) is not None:
        moves.append(move)
        after = push_move(after, move)
    gold, cards = after.seats[seat].gold - before.gold, after.seats[seat].hand - before.hand
    return moves, listing(
        [*([coins(gold)] if gold else []), *([hand_cards(cards)] if cards else [])]
    )


def list_gatherings(table: Table, legal: Sequence[Move]) -> list[Row]:
    """A row for each gathering that takes the rest with it; none outside a turn."""
    if table.turn is None or table.questions:
        return []
    rows = []
    for gathering in (move for move in legal if move.text in KEYS):
        moves, gained = find_rest(table, gathering)
        if moves:
            label = _("{move}, plus {gained}").format(
                move=verbs.label(table, gathering), gained=gained
            )
            word = f"{SEVERAL} {'; '.join(move.text for move in (gathering, *moves))}"
            number, key = NUMBERS[gathering.verb], KEYS[gathering.verb]
            rows.append(Row(label, number=number, key=key, word=word))
    return rows
