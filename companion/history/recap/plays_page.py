"""A page with the links that log games in BG Stats."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.history.recap import bgstats, recap
from companion.history.recap.page import DEFAULT, load_template, read_styles
from companion.language import _, current
from companion.terminal import qr

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.history.recap.recap import Recap


class PlayEntry(NamedTuple):
    """A game with its link, and the picture of its code if it fits into one."""

    title: str
    frame: str
    link: str
    code: str | None


def write(looks: Iterable[Recap]) -> str:
    """The page of these finished games, in the current language."""
    plays = [describe(look) for look in looks]
    waiting = _("Scan the code or open the link to log this game in the BG Stats app.")
    return load_template("plays.html").render(
        lang=current(),
        styles=read_styles(),
        style=DEFAULT,
        links=(),
        symbols="",
        title="BG Stats",
        told=waiting if plays else _("Every finished game was sent to BG Stats."),
        plays=plays,
        open=_("Log this game in BG Stats"),
        alt=_("QR code with that link"),
    )


def describe(look: Recap) -> PlayEntry:
    """The game for a page."""
    link = bgstats.link(look)
    code = qr.draw_picture(link) if bgstats.has_code(link) else None
    return PlayEntry(recap.tell_outcome(look), recap.tell_frame(look), link, code)
