"""What a tap would do, told without doing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.chips import CALLER_ACTIONS, words
from companion.chips.entries import DIGITS, ActionChip
from companion.game import taps
from companion.game.intent import gathering
from companion.game.intent import taps as intent
from companion.language import _, translate
from companion.verbs import label
from companion.wording import facts

if TYPE_CHECKING:
    from companion.chips.entries import Entry
    from companion.game.talk import Talk

_MOST = 12  # moves that are named


def foretell(talk: Talk, entry: Entry, seat: int | None) -> list[str]:
    """What tapping this chip would do now, at the reader of `seat` (from 1) or at a shared one; if
    nothing, why, and what the card says."""
    if isinstance(entry, ActionChip) and entry.name in CALLER_ACTIONS:
        return [_answer(talk, entry.name)]
    card = intent.entry_card(entry)
    return _move(talk, entry, seat) or [
        *_find_obstacle(talk, entry, seat),
        *(facts.card_text(talk.view, card) if card is not None else ()),
    ]


def _answer(talk: Talk, name: str) -> str:
    if name not in DIGITS:
        return _("{chip}: {does}.").format(chip=name, does=words.caller_actions()[name])
    found = [row.label for row in talk.offer.rows if row.number == int(name)]
    return found[0] if found else _("This chip does nothing right now.")


def _move(talk: Talk, entry: Entry, seat: int | None) -> list[str]:
    """The move that the tap makes, the moves it chooses between, or what it has gathered so far."""
    if talk.session.over or _is_unawaited(talk, entry, seat):
        return []
    meaning = taps.mean(talk, entry, seat)
    named = [label(talk.view, move) for move in meaning.moves[:_MOST]]
    if not named and meaning.pending != talk.chips.pending:
        return [gathering.tell_gathered(talk.legal, meaning.pending)]
    return named if len(named) < 2 else [_("It will ask which of these you mean:"), *named]


def _find_obstacle(talk: Talk, entry: Entry, seat: int | None) -> list[str]:
    """Why the tap does nothing, as far as the rules say."""
    if not talk.session.over and _is_unawaited(talk, entry, seat):
        return [_("It is not your turn: a tap changes nothing.")]
    refused = intent.objection(talk.view, entry, taps.mean(talk, entry, seat))
    if refused is not None:
        return [translate(refused.refusal.reason)]
    return [_("This chip does nothing right now.")]


def _is_unawaited(talk: Talk, entry: Entry, seat: int | None) -> bool:
    return intent.refuse_unawaited(talk.view, talk.legal, entry, seat) is not None
