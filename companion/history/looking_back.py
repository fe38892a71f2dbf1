"""Commands of the conversation about the current game: its recap, and the play for BG Stats."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from companion.language import _
from companion.log.store import StoreError

if TYPE_CHECKING:
    from companion.history.asking import Command, Game, Talk
    from companion.history.recap.recap import Recap


def look_back(session: Game) -> Recap:
    """The recap of the game so far, in the current language."""
    from companion.history.recap import recap  # slow to load and rarely used

    info = minutes = None
    with suppress(StoreError):  # then only the times are missing
        info = session.store.info(session.game)
        minutes = session.store.count_minutes(session.game)
    return recap.look_back(session.referee, session.name, info, minutes)


def _show_recap(talk: Talk, rest: str) -> None:
    """Show the game round by round; read its turning points aloud."""
    from companion.history.recap import recap

    look = look_back(talk.session)
    talk.say("answer", *recap.lines(look))
    talk.face.voice.read([point.text for point in look.turning_points])


def _show_bgstats(talk: Talk, rest: str) -> None:
    """Show the link to BG Stats, as a QR code where the face can draw one."""
    from companion.history.recap import bgstats

    look = look_back(talk.session)
    if not bgstats.is_known(look):
        talk.say("refused", _("The game is not over; BG Stats takes only finished games."))
        return
    link = bgstats.link(look)
    talk.say("answer", link, title="BG Stats", code=link)


COMMANDS: dict[str, Command] = {"recap": _show_recap, "bgstats": _show_bgstats}
"""The commands by their English words."""
