"""The readers of this table: opening them, the reader service, and whether a tap was meant.

A chip may come to lie on a reader in other ways than by a deliberate tap. Every road goes through
`reject_tap`. `tags.presence` has marked what readers see; what a phone reports is marked here, for
each seat's phone.
"""

from __future__ import annotations

from dataclasses import replace

from companion.language import _
from tags.presence import Presence, Tap, Traits, moment

LATE = 2.0
"""Seconds after which an unprocessed tap is discarded: the game has moved on while this program was
stopped or the computer asleep."""

PHONE = Traits(writes=False, hold=1.5)
"""A chip's page, opened by touching the chip, and a browser that reads chips, which reports a lying
chip whenever it loses and finds it again: about every 0.6 seconds, or at every second look only."""


def reject_tap(tap: Tap, now: float | None = None) -> str | None:
    """Why the tap is ignored, in a sentence; None for a deliberate tap.

    `now` is the time at which it is processed (`tags.presence.moment`), by default now.
    """
    if (text := reject_unfit(tap)) is not None:
        return text
    if tap.found:
        return _("There was already a chip on the reader. It plays nothing until you tap it again.")
    if tap.again:
        return _(
            "The same chip came back within a second. To tap it twice, wait a moment in between."
        )
    return reject_late(tap, now) or reject_pair(tap)


def reject_unfit(tap: Tap) -> str | None:
    """The message for a card that cannot be a game's chip; None for a fit one."""
    match tap.kind:
        case "random":
            return _("A phone or a bank card can't be used: it changes its id every time.")
        case "iso-dep":
            return _(
                "This is a bank card, a phone or another smart card, which can't be used. Take a "
                "sticker or a card with an NTAG chip."
            )
        case "felica":
            return _(
                "This is a FeliCa card, as Japanese trains use, which can't be used. Take a "
                "sticker or a card with an NTAG chip."
            )
        case "type b":
            return _(
                "This is a card of type B, like a passport, which can't be used. Take a sticker or "
                "a card with an NTAG chip."
            )
    return None


def reject_late(tap: Tap, now: float | None = None) -> str | None:
    """The message for a tap made too long ago."""
    if tap.at is None or (moment() if now is None else now) - tap.at <= LATE:
        return None
    return _("That tap was more than two seconds ago. If you mean it, tap again.")


def reject_pair(tap: Tap) -> str | None:
    if not tap.together:
        return None
    return _("There were two chips at once. Take both away, then tap one at a time.")


class PhoneGate:
    """The chips that the seats' phones report, each phone a reader of its own."""

    def __init__(self) -> None:
        self._presences: dict[int | None, Presence] = {}

    def reject(
        self, seat: int | None, uid: bytes, at: float, now: float | None = None
    ) -> str | None:
        """Why that report of a chip is ignored, in a sentence; None for a deliberate tap.

        `seat` is None for a chip in the middle of the table; `at` is when it arrived, `now` when it
        is processed (`tags.presence.moment`).
        """
        presence = self._presences.setdefault(seat, Presence(traits=PHONE))
        return reject_tap(replace(presence.report(uid, at), at=at), now)
