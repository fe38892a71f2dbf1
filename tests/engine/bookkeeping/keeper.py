"""The bookkeeper: applies each move and compares the engine's JSON with the books."""

from __future__ import annotations

import shlex
from collections import Counter
from functools import cache
from typing import Any

from tests.engine.bookkeeping import (
    bars,
    building,
    cities,
    light,
    obligations,
    offers,
    powers,
    rounds,
    scores,
)
from tests.engine.bookkeeping.books import Books, Carry, Player
from tests.engine.boxes import OwnCards


def _vault(b: Books, name: str) -> None:
    b.player(name).vault = True


MOVES: dict[str, Carry] = {
    **rounds.MOVES, **building.MOVES, **powers.MOVES, **cities.MOVES, **light.MOVES,
    "vault": _vault,
}  # fmt: skip
_ANSWERS: dict[str, dict[str, Carry]] = {
    **rounds.ANSWERS, **building.ANSWERS, **powers.ANSWERS, **cities.ANSWERS, **light.ANSWERS,
}  # fmt: skip


def _drop_notes(score: dict[str, Any] | None) -> dict[str, Any] | None:
    if score is None:
        return None
    notes = {"notes"}
    players = {
        name: {line: value for line, value in lines.items() if line not in notes}
        for name, lines in score["players"].items()
    }
    return {**score, "players": players}


class Disagreement(AssertionError):
    """The engine's table is not what the bookkeeper expects."""


@cache
def split(text: str) -> tuple[str, ...]:
    """The words of a move; the same ones are legal again and again."""
    return tuple(shlex.split(text))


class Bookkeeper:
    """Keeps the books of one game: `play` each move, then `check` the engine's JSON."""

    def __init__(self, head: dict[str, Any], own: OwnCards | None = None) -> None:
        self.books = Books(head, own or {})

    def play(self, text: str) -> None:
        """Apply an accepted move. Raises Disagreement if it is never legal."""
        b = self.books
        verb, *words = split(text)
        broken = bars.find_broken(b, verb, words)
        if broken:
            raise Disagreement(f"{text} is accepted: {broken}")
        if b.turn and not b.questions:
            bars.note_building(b, verb, words)
            b.now.used |= {verb, *words[:1]} if verb == "use" else {verb}
        moves = _ANSWERS[b.questions[-1].kind] if b.questions else MOVES
        moves[verb](b, *words)
        b.last = [verb, *words]

    def check(self, answer: dict[str, Any]) -> None:
        """Raises Disagreement if the JSON of `replay` differs, or allows skipping a duty."""
        fields = {**answer, "score": _drop_notes(answer["score"])}
        for key, target in self.list_expected().items():
            if fields[key] != target:
                raise Disagreement(f"{self.last}: {key} is {fields[key]}, not {target}")
        legal = [[*split(text)] for text in answer["legal"]]
        undone = obligations.find_broken(self.books, legal) or offers.find_broken(self.books, legal)
        if undone:
            raise Disagreement(f"{self.last}: {undone}")
        self._count_cards()

    @property
    def last(self) -> str:
        """The last move, for error messages."""
        return " ".join(self.books.last)

    def list_expected(self) -> dict[str, Any]:
        """The expected JSON, without the legal moves."""
        b = self.books
        turn = b.turn and {
            "player": b.me.name,
            "character": b.turn.character,
            "gathered": b.turn.gathered,
            "income": b.turn.income,
            "built": b.turn.built,
        }
        return {
            "edition": b.edition,
            "round": b.round,
            "phase": self._phase(),
            "crown": b.players[b.crown].name,
            "called": b.called or None,
            "turn": turn,
            "awaiting": self._find_awaited(),
            "players": {player.name: self._seat(player) for player in b.players},
            "faceup": b.faceup or [],
            "killed": b.killed or None,
            "robbed": b.robbed or None,
            "bewitched": b.bewitched or None,
            "warrants": b.warrants,
            "threats": b.threats,
            "tax": b.tax,
            "city_size": b.size,
            "first_complete": [b.players[seat].name for seat in b.first],
            "chosen": {player.name: player.noted for player in b.players if player.noted},
            "signed": b.signed or None,
            "real": b.real or None,
            "refused": None,
            "score": self._score() if b.stage == "over" else None,
        }

    def _phase(self) -> str:
        b = self.books
        if b.questions:
            return "unmask" if b.questions[-1].kind == "unmask" else "answer"
        return b.stage

    def _find_awaited(self) -> dict[str, str] | None:
        b = self.books
        if b.questions:
            seat, question = b.questions[-1].seat, b.questions[-1].kind
        elif b.turn:
            seat, question = b.turn.seat, "turn"
        elif b.stage == "over":
            return None
        else:
            seat, question = b.crown, "select" if b.stage == "selection" else "call"
        return {"player": b.players[seat].name, "question": question}

    def _seat(self, player: Player) -> dict[str, Any]:
        return {
            "gold": player.gold,
            "hand": player.hand if self.books.tracked else None,
            "city": [card.id for card in player.city],
            "decorated": [card.id for card in player.city if card.decorated],
            "under_museum": sum(card.under for card in player.city),
            "complete": self.books.is_complete(player),
            "revealed": player.revealed,
        }

    def _score(self) -> dict[str, Any]:
        b = self.books
        result = scores.result(b)
        names = [player.name for player in b.players]
        return {
            "edition": b.edition,
            "final": True,
            "winners": [names[seat] for seat in result.winners],
            "tie_break": result.tie_break,
            "ranking": [names[seat] for seat in result.ranking],
            "players": {
                name: self._lines(lines) for name, lines in zip(names, result.lines, strict=True)
            },
        }

    def _lines(self, lines: scores.Lines) -> dict[str, Any]:
        parts = ("districts", "five_types", "complete")
        return {
            **{part: lines[part] for part in parts},
            "unique": {line: number for line, number in lines.items() if line not in parts},
            "total": sum(lines.values()),
        }

    def _count_cards(self) -> None:
        """Check that no card is lost or created, and no city has more copies than the box."""
        b = self.books
        standing = [card for player in b.players for card in player.city]
        between = sum(q.kind in ("graveyard", "warrant") for q in b.questions)
        cards = b.deck + sum(player.hand + len(player.city) for player in b.players)
        cards += sum(card.under for card in standing) + between
        if b.tracked and cards != b.deck_size:
            raise Disagreement(f"{self.last}: {cards} cards of {b.deck_size}")
        if min(player.gold for player in b.players) < 0:
            raise Disagreement(f"{self.last}: somebody owes the bank")
        for district, number in Counter(card.id for card in standing).items():
            if number > b.cards[district].copies or district == "secret_vault":
                raise Disagreement(f"{self.last}: {number} times {district}")
