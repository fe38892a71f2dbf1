"""Whether a tap was deliberate: a chip may come to lie on a reader in other ways."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.chips.ndef import refuse_random
from companion.language import _
from tags.presence import moment

if TYPE_CHECKING:
    from tags.watch import Tap

LATE = 2.0
"""Seconds after which an unprocessed tap is discarded: the game has moved on while this program was
stopped or the computer asleep."""


def refuse_unmeant(tap: Tap, now: float | None = None) -> str | None:
    """Why the tap is ignored, in a sentence; None for a deliberate tap.

    `now` is the time at which it is processed (`tags.presence.moment`), by default now.
    """
    if (refused := refuse_random(tap.uid)) is not None:
        return refused
    if tap.found:
        return _("There was already a chip on the reader. It plays nothing until you tap it again.")
    if tap.again:
        return _(
            "The same chip came back within a second. To tap it twice, wait a moment in between."
        )
    return refuse_old(tap, now) or refuse_together(tap)


def refuse_old(tap: Tap, now: float | None = None) -> str | None:
    """The message for a tap made too long ago."""
    if tap.at is None or (moment() if now is None else now) - tap.at <= LATE:
        return None
    return _("That tap was more than two seconds ago. If you mean it, tap again.")


def refuse_together(tap: Tap) -> str | None:
    """The message for two chips laid on together."""
    if not tap.together:
        return None
    return _("There were two chips at once. Take both away, then tap one at a time.")
