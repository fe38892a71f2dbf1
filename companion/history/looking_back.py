"""Looking back in the conversation: the recap of the game so far, and the play for BG Stats."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from companion.language import _
from companion.log.store import StoreError

if TYPE_CHECKING:
    from companion.history.asking import Command, Game, Talk
    from companion.history.recap.recap import Recap


def look_back(session: Game) -> Recap:
    """The recap of the game so far, told in the language in force."""
    from companion.history.recap import recap  # few look back, and most of a game is played before

    info = minutes = None
    with suppress(StoreError):  # only the times are missing then
        info = session.store.info(session.game)
        minutes = session.store.count_minutes(session.game)
    return recap.look_back(session.referee, session.name, info, minutes)


def _recap(talk: Talk, rest: str) -> None:
    """The game round by round; aloud what turned it."""
    from companion.history.recap import recap

    look = look_back(talk.session)
    talk.say("answer", *recap.lines(look))
    talk.face.voice.read([point.text for point in look.turning_points])


def _bgstats(talk: Talk, rest: str) -> None:
    """The link to BG Stats, with its code where a face can draw it."""
    from companion.history.recap import bgstats

    look = look_back(talk.session)
    if not bgstats.is_known(look):
        talk.say("refused", _("The game is not over; BG Stats takes only finished games."))
        return
    link = bgstats.link(look)
    talk.say("answer", link, title="BG Stats", code=link)


COMMANDS: dict[str, Command] = {"recap": _recap, "bgstats": _bgstats}
"""What looks back, by its word."""
