"""Count the keys, or chip taps, of a whole game: the cheapest input for each move, or for several
that one row makes.

Golden games are played through the conversation, every move with the fewest keys (or taps); forced
moves cost nothing. What a turn gives (gathering, income, bonus) may be taken in another order than
recorded, as nothing happens between. A turn is everything between a reveal and the next call; the
rest of the round (face up, call, who answers) is counted separately.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from companion.chips.entries import (
    MOVE_ACTIONS,
    ActionChip,
    CharacterChip,
    CrownChip,
    DistrictChip,
    Entry,
    PlayerChip,
)
from companion.game import Offer, Row, tap_meaning
from companion.game.asking import narrow
from companion.game.conversation import Conversation
from companion.game.modes import MODES
from companion.game.picks import SETS
from companion.game.session import Session
from companion.game.shortcuts import SEVERAL
from companion.log import records
from companion.log.store import Store
from engine.moves import Move
from engine.record import Record
from engine.referee import Referee
from engine.table import Table
from tests.companion.talking import Notebook

GAMES = Path(__file__).parents[1] / "games"
TAKEN = ("gold", "cards", "income", "bonus")
"""What a turn gives without a choice of a target."""


def keys_for(offer: Offer, row: Row) -> list[str]:
    """The fewest keys that select that row."""
    if row.key:
        return [row.key]
    number = str(row.number)
    others = (r.number for r in offer.rows if r.number != row.number)
    longer = any(str(other).startswith(number) for other in others)
    return [*number, *(["enter"] if longer else [])]


def press(talk: Conversation, move: Move, *, letters: bool = True) -> int:
    """Play the move by keys, or by number chips alone; returns their number."""
    count = 0
    while True:
        offer = talk.asked.offer
        row = next((row for row in offer.rows if _leads_to(talk, row, move)), None)
        if row is None:
            raise AssertionError(f"{move} is not offered")
        before = len(talk.session.referee.moves)
        for key in keys_for(offer, row if letters else row._replace(key="")):
            talk.press(key)
            count += 1
        if len(talk.session.referee.moves) > before:
            return count


def press_run(talk: Conversation, moves: Sequence[Move], *, letters: bool = True) -> int:
    """Press the keys of the row that makes the most of the next moves, if it takes fewer than they
    would; returns their number, 0 if there is no such row."""
    offer = talk.asked.offer
    row, count = find_run(talk, moves)
    if row is None:
        return 0
    keys = keys_for(offer, row if letters else row._replace(key=""))
    apart = sum(2 if move.verb == "build" else 1 for move in moves[:count])  # a number has 2 digits
    if len(keys) >= apart:
        return 0
    for key in keys:
        talk.press(key)
    return len(keys)


def find_run(talk: Conversation, moves: Sequence[Move]) -> tuple[Row | None, int]:
    """The row that makes the most of the next moves, and how many."""
    longest: tuple[Row | None, int] = (None, 0)
    for row in talk.asked.offer.rows:
        word, _space, rest = row.word.partition(" ")
        texts = rest.split("; ") if word == SEVERAL else []
        following = [move.text for move in moves[: len(texts)]]
        if row.number is not None and len(texts) > longest[1] and _may_follow(texts, following):
            longest = row, len(texts)
    return longest


def _may_follow(texts: Sequence[str], following: Sequence[str]) -> bool:
    """Whether these are the same moves, those that need no choice in any order."""
    if any(text.split()[0] not in TAKEN for text in (*texts[:-1], *following[:-1])):
        return texts == following
    return sorted(texts) == sorted(following) and (texts[-1] != "end" or following[-1] == "end")


def _leads_to(talk: Conversation, row: Row, move: Move) -> bool:
    if talk.chooser is not None and not talk.chooser:
        return row.card == move.args[0]
    is_asked = any(is_same(move, new_move) for new_move in row.moves)
    return is_asked or (move.text == "end" and row.word == "end_anyway")


def is_same(move: Move, new_move: Move) -> bool:
    """Whether the moves are equal, ignoring the order of the cards."""
    if move.verb in SETS:
        return new_move.verb == move.verb and {*move.args} == {*new_move.args}
    return move == new_move


def tap(talk: Conversation, move: Move) -> int:
    """Play the move by chips; returns the number of taps."""
    chips = next(_taps_for(talk, move), None)
    if chips is None:
        return press(talk, move, letters=False)
    for entry in chips:
        talk.tap(entry)
    if talk.stack and move.text == "end":  # something is left to take
        talk.tap(ActionChip("9"))
        return len(chips) + 1
    return len(chips)


def _taps_for(talk: Conversation, move: Move) -> Iterator[Sequence[Entry]]:
    """The tap sequences that make the move, shortest first; none if only numbers do."""
    chips = _chips(talk)
    for most in (1, 2, 3, 4):
        yield from _taps(talk, move, talk.session.legal(), (), chips, most)


def _taps(
    talk: Conversation,
    move: Move,
    among: Sequence[Move],
    pending: tuple[str, ...],
    chips: Sequence[Entry],
    most: int,
) -> Iterator[list[Entry]]:
    if most == 1:
        yield from ([chip] for chip in chips if _makes(talk, among, chip, pending, move))
        return
    for chip in chips:
        meaning = tap_meaning.find_meaning(talk.view, among, chip, pending)
        if meaning.move is not None or not (meaning.moves or meaning.pending):
            continue
        if meaning.moves and not any(is_same(move, m) for m in meaning.moves):
            continue
        rest = meaning.moves or among
        if most == 2 and meaning.moves:
            offer = narrow(talk.view, meaning.moves)
            for row in offer.rows:
                if row.moves == (move,) and 0 < (row.number or 0) < 10:
                    yield [chip, ActionChip(str(row.number))]
        for others in _taps(talk, move, rest, meaning.pending, chips, most - 1):
            yield [chip, *others]


def _makes(
    talk: Conversation, among: Sequence[Move], chip: Entry, pending: tuple[str, ...], move: Move
) -> bool:
    result = tap_meaning.find_meaning(talk.view, among, chip, pending).move
    return result is not None and is_same(move, result)


def _chips(talk: Conversation) -> list[Entry]:
    rules = talk.view.rules
    return [
        *(CharacterChip(id_) for id_ in rules.cast),
        *(DistrictChip(id_, 1) for id_ in rules.districts),
        *(PlayerChip(seat + 1) for seat in rules.seats),
        CrownChip(),
        *(ActionChip(name) for name in MOVE_ACTIONS),
    ]


def play(path: Path, how: str) -> tuple[Counter[str], int]:
    """Play that record by keys or by taps; returns the cost of each part, and the number of
    turns."""
    record = records.read(str(path)).record
    moves = list_played(record)
    cost: Counter[str] = Counter()
    turns = 0
    with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/games.sqlite3") as store:
        talk = Conversation(Session.begin(store, record.setup), Notebook(), MODES)
        place = 0
        while place < len(moves):
            in_turn = talk.view.turn is not None
            rest = moves[place:]
            by_keys = how == "keys"
            cost["turns" if in_turn else "round"] += press_run(talk, rest, letters=by_keys) or (
                press if by_keys else tap
            )(talk, moves[place])
            games = talk.session.referee.moves
            moves[place : len(games)] = sort_like(games[place:], moves[place : len(games)])
            turns += sum(move.verb == "reveal" for move in games[place:])
            if not all(map(is_same, moves, games)):
                raise AssertionError(f"{path.name}: another game after {moves[place]}")
            place = len(games)
        talk.session.close()
    return cost, turns


def sort_like(games: Sequence[Move], moves: Sequence[Move]) -> list[Move]:
    """The recorded moves in the order in which the game has made them, if what a turn gives was
    taken in another one."""
    if sorted(m.text for m in games) == sorted(m.text for m in moves):
        return [*games]
    return [*moves]


def list_played(record: Record) -> list[Move]:
    """The moves of a record without recorded choices, and without an empty income, which is never
    offered."""
    referee, moves = Referee(record.start), []
    for text in record.moves:
        before = referee.table
        move = referee.play(text)
        if move.verb == "choose":  # a private note
            continue
        if move.verb != "income" or _gained(before, referee.table):
            moves.append(move)
    return moves


def _gained(before: Table, after: Table) -> bool:
    seat = before.playing.seat
    then, now = before.seats[seat], after.seats[seat]
    return (then.gold, then.hand) != (now.gold, now.hand)
