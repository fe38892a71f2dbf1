"""What people are offered in the recorded games, as a file to read.

    python -m tests.companion.offers          # compare with offers.txt
    python -m tests.companion.offers --write  # write it anew, after looking at what changed

A paragraph has the game, the number of moves played, the question and its rows: number, key, label,
the moves behind it, its word and why it cannot be taken; then the question that comes before the
turn ends. A seat's player tells a card of the hand at each of these moments, as far as it fits.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from companion.game import Row, shortcuts
from companion.game.hand import CannotTell
from companion.log import records
from engine.explain import Refused
from engine.referee import Referee
from tests.companion.talking import Talk
from tests.kept_lines import compare_or_write

FILE = Path(__file__).with_suffix(".txt")
GAMES = Path(__file__).parents[1] / "games"
NAMES = (
    *("short_game", "secret_game", "two_players", "light_game", "whole_game"),
    *("editions/deluxe_2016.cunning_agents", "editions/ffg_2005.two_players"),
    *("editions/deluxe_2016.devious_dignitaries", "editions/deluxe_2016.three_players"),
    *("editions/hobby_world_2022", "editions/brettspielwelt", "editions/millennium_3e"),
    "books/untracked.last_round.late",
)
LAST = 200
"""The most moves played before an offer."""
EVERY = {"short_game": 2, "secret_game": 5, "books/untracked.last_round.late": 3}
"""Moves between two offers; of the other games, 19."""


def tell(name: str, number: int) -> Iterator[str]:
    """The offers of a game, every other one as the face of a seat sees it."""
    record = records.read(str(GAMES / f"{name}.yaml")).record
    with tempfile.TemporaryDirectory() as folder:
        seat = 1 if number % 2 else None
        talk = Talk(Path(folder), record.setup, seat=seat)
        talk.session.referee = Referee(record.start)
        with suppress(Refused):  # some records end with a move that the rules forbid
            for count, text in enumerate(record.moves[:LAST]):
                if count % EVERY.get(name, 19) == 0:
                    yield f"{name}, after {count} moves, seen by {seat}"
                    yield from _tell_moment(talk, seat)
                talk.session.play(text)
        talk.close()


def _tell_moment(talk: Talk, seat: int | None) -> Iterator[str]:
    if seat is not None:
        yield f"  told: {', '.join(_tell_a_card(talk, seat))}"
    talk.conversation.relabel()
    yield from _tell_offer(talk.conversation.asked.question, talk.offer.rows)
    view, legal = talk.session.view, talk.session.legal()
    before_end = shortcuts.ask_before_end(view, legal)
    if before_end is not None:
        yield from _tell_offer(before_end.question, before_end.rows)


def _tell_a_card(talk: Talk, seat: int) -> list[str]:
    """The told hand of that seat, after another district of those that are offered to build."""
    session = talk.session
    buildable = [move.args[0] for move in session.legal() if move.verb == "build"]
    districts = buildable or sorted(session.view.rules.districts)
    with suppress(CannotTell):
        session.tell_hand(seat, "add", districts[len(session.referee.moves) % len(districts)])
    return [*map(str, session.notebook.of(seat).told)]


def _tell_offer(question: str, rows: Sequence[Row]) -> Iterator[str]:
    yield f"  {question}"
    yield from map(_tell_row, rows)


def _tell_row(row: Row) -> str:
    moves = {0: "", 1: f"[{row.moves[0].text}]" if row.moves else ""}
    marks = [moves.get(len(row.moves), f"[{len(row.moves)} moves]")]
    marks += [f"“{row.word}”"] if row.word else []
    marks += [f"not: {row.why().refusal.rule}"] if row.why is not None else []
    number = "" if row.number is None else row.number
    return f"  {number:>4} {row.key or '-'} {row.label} {' '.join(marks)}".rstrip()


def lines() -> Iterator[str]:
    """Every line of the file."""
    for number, name in enumerate(NAMES):
        yield from tell(name, number)


if __name__ == "__main__":
    sys.exit(compare_or_write(FILE, lines()))
