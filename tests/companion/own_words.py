"""Moves as typed in the user's own language: verbs, names and literal words."""

from __future__ import annotations

from companion.language import card, current, vocabulary
from engine import words
from engine.moves import Move, quote


def type_move(move: Move) -> str:
    """The move in the words of the current language."""
    own = (
        {**vocabulary._words("commands"), **vocabulary._words("verbs")} if current() != "en" else {}
    )
    speakers = {"P": quote, "C": _card, "D": _card}
    kinds = {word: say for kind, say in speakers.items() for word in move.words(kind)}
    args = (kinds.get(word, _translate_small)(word) for word in move.args)
    return " ".join((own.get(move.verb, [move.verb])[0], *args))


def _card(card_id: str) -> str:
    """The card's name in the form used after a verb: `tuer l’Évêque`, `убить епископа`."""
    forms = words.language(current())["forms"] if current() != "en" else {}
    return format(card(card_id), next((form for form in ("acc", "the") if form in forms), ""))


def _translate_small(word: str) -> str:
    """Translate a literal word: `nobody`, `from`; numbers are unchanged."""
    own = vocabulary._words("small") if current() != "en" else {}
    return own.get(word, [word])[0]
