"""Moves as people type them in their own language: verbs, names and small words."""

from __future__ import annotations

from companion.language import card, current, vocabulary
from engine import words
from engine.moves import Move, quote


def typed(move: Move) -> str:
    """The move in the words of the language in force."""
    own = (
        {**vocabulary._words("commands"), **vocabulary._words("verbs")} if current() != "en" else {}
    )
    known = {"P": quote, "C": _card, "D": _card}
    kinds = {word: say for kind, say in known.items() for word in move.words(kind)}
    args = (kinds.get(word, _small)(word) for word in move.args)
    return " ".join((own.get(move.verb, [move.verb])[0], *args))


def _card(card_id: str) -> str:
    """The card as the language has it after a verb: `tuer l’Évêque`, `убить епископа`."""
    forms = words.language(current())["forms"] if current() != "en" else {}
    return format(card(card_id), next((form for form in ("acc", "the") if form in forms), ""))


def _small(word: str) -> str:
    """`nobody`, `from`; a number stays one."""
    own = vocabulary._words("small") if current() != "en" else {}
    return own.get(word, [word])[0]
