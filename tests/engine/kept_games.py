"""Random games checked by the bookkeeper after every move, through the public API."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from engine import own_cards, record, views
from engine.referee import Referee
from tests.engine.bookkeeping import Bookkeeper
from tests.engine.boxes import OwnCards

MOST_MOVES = 6000  # random games end much earlier


def play_kept_game(
    head: dict[str, Any],
    seed: int | str,
    *,
    by_verb: bool,
    own: OwnCards | None = None,
    books: dict[str, Any] | None = None,
) -> Iterator[Referee]:
    """Play a random game from the head of a record, checked before every move and at the end.

    With `own`, the table has those cards of its own. `books` are options that the bookkeeper plays
    by, if not the head's: it must complain.

    `by_verb` chooses the verb first, so that rare ones are made more often (and turns with a
    hundred possible amounts end). Raises Disagreement if engine and bookkeeper differ.
    """
    chance = random.Random(f"{head['edition']} {seed}")
    fields = head if books is None else {**head, "options": books}
    own_cards.use(own_cards.read({head["edition"]: own} if own else {}))
    try:
        referee, keeper = Referee(record.read(head).start), Bookkeeper(fields, own)
    finally:
        own_cards.use({})
    for _ in range(MOST_MOVES):
        answer = views.table_json(referee.table, full=True)
        keeper.check(answer)
        yield referee
        moves = answer["legal"]
        if not moves:
            break
        if chance.random() < 0.9:  # choices can be recorded again and again
            moves = [move for move in moves if not move.startswith("choose ")] or moves
        if by_verb:
            verb = chance.choice(sorted({move.split()[0] for move in moves}))
            moves = [move for move in moves if move.split()[0] == verb]
        move = chance.choice(moves)
        referee.play(move)
        keeper.play(move)
    assert referee.table.phase == "over", head
