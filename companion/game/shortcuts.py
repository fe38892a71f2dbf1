"""Rows that make several moves with one pick: gathering with what else the turn gives, then the end
of the turn; and, for a player who has told a hand, building from it.

Each is an ordinary move, undone on its own. A row is only offered where all of its moves can be
made and, if it ends the turn, nothing would be lost. What a turn would end without comes first:
people are asked about it once before it does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from common import NamedTuple
from companion import verbs
from companion.game.asking import Offer, Row, narrow
from companion.game.picks import Obstacle, has_income
from companion.language import _, coins, hand_cards, listing
from companion.verbs import is_private
from engine.moves import Move, make
from engine.referee import list_legal_moves, push_move

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game.conversation import Conversation
    from engine.table import Table


SEVERAL = "several"
"""The command of a row that makes several moves: their words follow, separated by semicolons."""

END_ANYWAY = "end_anyway"
"""The command of the row that ends the turn without what is left."""

_TAKING = ("income", "bonus")
"""Verbs that take what the turn gives, without a choice of a target."""


def find_unused(table: Table, legal: Sequence[Move]) -> dict[str, list[Move]]:
    """The moves, by verb, that cost nothing and are lost if the turn ends now: income, bonus, and
    the powers whose verbs say so (`Verb.unused`)."""
    entries: dict[str, list[Move]] = {}
    for move in legal:
        if verbs.VERBS[move.verb].unused is not None:
            entries.setdefault(move.verb, []).append(move)
    if "income" in entries and not has_income(table) and table.rules.counts_cards:
        del entries["income"]
    return entries


def find_untaken(table: Table, legal: Sequence[Move]) -> Move | None:
    """The income or bonus lost if the turn ended now; None if there is none."""
    entries = find_unused(table, legal)
    return next((entries[verb][0] for verb in _TAKING if verb in entries), None)


def find_sure(table: Table, legal: Sequence[Move]) -> Move | None:
    """The income or bonus that is left and needs no choice; None if there is none."""
    entries = find_unused(table, legal)
    sure = (entries[verb][0] for verb in _TAKING if len(entries.get(verb, ())) == 1)
    return next(sure, None)


def name_left(table: Table, legal: Sequence[Move]) -> list[str]:
    """What would be left if the turn ended now, as rows name it."""
    entries = find_unused(table, legal)
    return [
        verbs.label(table, moves[0]) if len(moves) == 1 else verbs.fold_label(table, verb, moves)
        for verb, moves in entries.items()
    ]


def ask_before_end(table: Table, legal: Sequence[Move]) -> Offer | None:
    """The question before a turn ends with such a move left; None if there is none."""
    entries = find_unused(table, legal)
    if not entries:
        return None
    lines = [sentence(table) for verb in entries if (sentence := verbs.VERBS[verb].unused)]
    end = Row(_("End the turn anyway"), number=verbs.VERBS["end"].number, key="e", word=END_ANYWAY)
    rows = (*(_offer_unused(table, verb, moves) for verb, moves in entries.items()), end)
    return Offer(_("{left} End anyway?").format(left=" ".join(lines)), rows)


def _offer_unused(table: Table, verb: str, moves: Sequence[Move]) -> Row:
    record = verbs.VERBS[verb]
    if verb in _TAKING and len(moves) == 1:
        label = _("{move}, then end the turn").format(move=verbs.label(table, moves[0]))
        word = f"{SEVERAL} {moves[0].text}; end"
        return Row(label, number=record.number, key=record.key, word=word)
    private = is_private(table, verb)
    label = verbs.fold_label(table, verb, moves)
    return Row(label, tuple(moves), record.number, record.key, private=private)


# -- several moves with one pick -------------------------------------------------------------------

KEYS = {"gold": ("f", "e"), "cards": ("p", "d")}
"""By gathering: the keys of taking the rest with it, and of then ending the turn; no action or
other move of a turn that has yet to gather has them."""

NUMBERS = {verb: (60 + verbs.VERBS[verb].number, 90 + verbs.VERBS[verb].number) for verb in KEYS}
"""Their numbers: no other row begins with a 6 or a 9 then, so that 1 and 2 stay single keys."""


class Taking(NamedTuple):
    """What a player takes in one go: the gathering, then the rest; and the table after that."""

    moves: tuple[Move, ...]
    after: Table
    legal: list[Move]
    rest: str
    """What the rest amounts to; "" if there is none."""

    @property
    def ends(self) -> bool:
        """Whether the turn may then end without losing anything."""
        is_legal = any(move.verb == "end" for move in self.legal)
        return is_legal and not find_unused(self.after, self.legal)

    def label(self, table: Table) -> str:
        """Its row at the table before it."""
        gathering = verbs.label(table, self.moves[0])
        if not self.rest:
            return gathering
        return _("{move}, and the rest: {gained}").format(move=gathering, gained=self.rest)


def take_all(table: Table, gathering: Move) -> Taking:
    """That gathering, with the income and bonus that need no choice; alone if the rest of the turn
    is another player's, as after a bewitched one has gathered."""
    moves, after = [gathering], push_move(table, gathering)
    seat = table.playing.seat
    if after.turn is None or after.turn.seat != seat:
        return Taking((gathering,), after, [], "")
    legal = list_legal_moves(after)
    before = after.seats[seat]
    while (move := find_sure(after, legal)) is not None:
        moves.append(move)
        after = push_move(after, move)
        legal = list_legal_moves(after)
    gold, cards = after.seats[seat].gold - before.gold, after.seats[seat].hand - before.hand
    amounts = [*([coins(gold)] if gold else []), *([hand_cards(cards)] if cards else [])]
    return Taking(tuple(moves), after, legal, listing(amounts) if len(moves) > 1 else "")


def list_gatherings(
    table: Table, legal: Sequence[Move], rows: Sequence[Row], only: Sequence[str] = tuple(KEYS)
) -> list[Row]:
    """A row for each gathering with the rest, and with the end of the turn, beside those `rows`."""
    can_end = any(move.verb == "end" for move in legal)
    taken = {row.key for row in rows}
    new_rows = []
    for gathering in (move for move in legal if move.text in only and not can_end):
        taking = take_all(table, gathering)
        label, word = taking.label(table), f"{SEVERAL} {'; '.join(m.text for m in taking.moves)}"
        keys = [key if key not in taken else "" for key in KEYS[gathering.verb]]
        numbers = NUMBERS[gathering.verb]
        if taking.rest:
            new_rows.append(Row(label, number=numbers[0], key=keys[0], word=word))
        if taking.ends:
            label = _("{move}, then end the turn").format(move=label)
            new_rows.append(Row(label, number=numbers[1], key=keys[1], word=f"{word}; end"))
    return new_rows


def add_to(talk: Conversation, offer: Offer) -> Offer:
    """The rows of the moment with those that make several moves."""
    view = talk.view
    if view.turn is None or view.questions:
        return offer
    if talk.seat is not None:
        hand = talk.session.notebook.of(talk.seat)
        return _add_for_told(talk, offer, hand.told) if hand.begun else offer
    if not (talk.people and talk.handed_over):
        return offer
    rows = (*offer.rows, *list_gatherings(view, talk.legal, offer.rows))
    return offer._replace(rows=rows, ahead=tuple(_list_builds_ahead(talk, rows)))


def _list_builds_ahead(talk: Conversation, rows: Sequence[Row]) -> list[Row]:
    """A row for each district, which takes gold and builds it, with the number that it has after
    gathering; without one where its first digit already picks a row now, as 1 and 2 do."""
    gold = next((move for move in talk.legal if move.text == "gold"), None)
    table = talk.view
    if gold is None or not table.rules.counts_cards:
        return []
    after = push_move(table, gold)
    if after.turn is None or after.turn.seat != table.playing.seat:
        return []
    builds = {move.text: move for move in list_legal_moves(after) if move.verb == "build"}
    first_digits = {str(row.number)[0] for row in rows if row.number}
    rows_ahead = []
    for row in narrow(after, [*builds.values()]).rows if builds else ():
        build = make("build", row.card)
        if not (row.why or build.text in builds):
            continue
        number = None if str(row.number)[0] in first_digits else row.number
        why = row.why and Obstacle(table, build, gold)
        word = f"{SEVERAL} {gold.text}; {build.text}"
        label = _build_label(row.label)
        ahead = row._replace(label=label, moves=(), number=number, word=word)
        rows_ahead.append(ahead._replace(why=why))  # type: ignore[arg-type]
    return rows_ahead


def _build_label(district: str) -> str:
    return _("Take gold, then build: {district}").format(district=district)


def play(talk: Conversation, rest: str) -> None:
    """Make these moves, separated by semicolons, as far as they are accepted; the turn is ended
    unless it has ended, and asked about if something is left."""
    with talk.session.together():
        for text in map(str.strip, rest.split(";")):
            if text == "end" and not any(move.verb == "end" for move in talk.legal):
                return
            if not talk.play(text):
                return


# -- with a told hand ------------------------------------------------------------------------------

_AT_ONE_TARGET = ("kill", "rob", "bewitch", "swap")
_MOST_TARGETS = 8  # rows that a page has room for


def _add_for_told(talk: Conversation, offer: Offer, told: Sequence[str]) -> Offer:
    """Also a row for each target of a power, rows that take gold and build, and an end of the turn
    that names what is left instead of asking about it."""
    view = talk.view
    rows = [short for row in offer.rows for short in _list_targets(view, row)]
    question = ask_before_end(view, talk.legal)
    if question is not None:
        rows = [
            new for row in rows for new in (_end(talk, row, question) if _is_end(row) else [row])
        ]
    rows += _list_builds_after_gold(talk, told)
    short = _("Take gold, then end the turn")  # worded like the rows that build
    for row in list_gatherings(view, talk.legal, rows):
        rows.append(row._replace(label=short) if row.word == f"{SEVERAL} gold; end" else row)
    return offer._replace(rows=tuple(rows))


def _list_targets(table: Table, row: Row) -> list[Row]:
    """A row for each target of a power that names one character or player; else the row itself."""
    if not row.moves or row.moves[0].verb not in _AT_ONE_TARGET or len(row.moves) > _MOST_TARGETS:
        return [row]
    targets = narrow(table, row.moves, alone=True).rows
    if row.number is None or any(len(each.moves) != 1 for each in targets):
        return [row]
    return [
        each._replace(
            label=verbs.label(table, each.moves[0]), number=int(f"{row.number}{each.number}")
        )
        for each in targets
    ]


def _is_end(row: Row) -> bool:
    return [move.text for move in row.moves] == ["end"]


def _end(talk: Conversation, end: Row, question: Offer) -> list[Row]:
    """The rows that end the turn while something is left, instead of the `question` about it: after
    taking it, and without it."""
    taking = [
        row._replace(number=int(f"{row.number}{end.number}"), key="")
        for row in question.rows
        if row.word.startswith(SEVERAL)
    ]
    what = listing(name_left(talk.view, talk.legal))
    label = _("End the turn (left: {what})").format(what=what)
    return [*taking, end._replace(label=label, word=END_ANYWAY)]


_AFTER_GOLD = 100
"""Above all numbers of a page: its rows are touched."""


def _list_builds_after_gold(talk: Conversation, told: Sequence[str]) -> list[Row]:
    """Rows that take gold and build a told district that this pays."""
    rows = {row.card: row for row in _list_builds_ahead(talk, ()) if row.why is None}
    return [
        rows[district]._replace(number=_AFTER_GOLD + place)
        for place, district in enumerate(dict.fromkeys(told), start=1)
        if district in rows
    ]
