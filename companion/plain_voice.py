"""The voice in the line caller: off unless it is wanted, since a screen reader reads the lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.language import _
from engine.moves import fold

if TYPE_CHECKING:
    from companion.config import Config
    from companion.plain import Caller
    from companion.voice.host import Voice


def wanted(config: Config) -> bool:
    """Whether the settings ask for a voice from the beginning."""
    return (config.voice.table, config.voice.ear) != ("none", "none")


def begin(caller: Caller) -> Voice:
    """Make the caller's voice, by the settings, and let it listen."""
    from companion.plain import note
    from companion.voice.host import Voice

    caller.voice = Voice(caller.config.voice, note)
    caller.voice.attend(caller.session)
    return caller.voice


def voice(caller: Caller, rest: str) -> None:
    """`voice on`, `voice off`, or how it is."""
    word = fold(rest)
    if word in ("on", "off"):
        (caller.voice or begin(caller)).switch(word == "on")
    elif word:
        caller.refuse(_("say voice on or voice off."))
        return
    on = caller.voice is not None and caller.voice.on
    caller.say(_("The voice is on.") if on else _("The voice is off."))


def faster(caller: Caller, rest: str) -> None:
    """Speak faster by a step."""
    _change_speed(caller, 1)


def slower(caller: Caller, rest: str) -> None:
    """Speak slower by a step."""
    _change_speed(caller, -1)


def hush(caller: Caller, rest: str) -> None:
    """Be silent now; every typed line does that, this one does nothing else."""
    if caller.voice is not None:
        caller.voice.hush()


def repeat(caller: Caller) -> None:
    """Say again what was said last."""
    if caller.voice is not None:
        caller.voice.repeat()


def _change_speed(caller: Caller, steps: int) -> None:
    if caller.voice is None or not caller.voice.on:
        caller.refuse(_("the voice is off; type voice on."))
        return
    speed = caller.voice.faster(steps)
    caller.say(_("Speed {number} percent.").format(number=speed))
