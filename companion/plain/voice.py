"""The voice in the line caller: off by default, since a screen reader reads the lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.language import _
from engine.moves import fold

if TYPE_CHECKING:
    from companion.plain.state import CallerState


def voice(caller: CallerState, rest: str) -> None:
    """`voice on`, `voice off`, or its state."""
    word = fold(rest)
    if word in ("on", "off"):
        caller.voice.switch(word == "on")
    elif word:
        caller.refuse(_("type voice on or voice off."))
        return
    on = caller.voice.speaks_to_table
    caller.tell(_("The voice is on.") if on else _("The voice is off."))


def speed_up(caller: CallerState, rest: str) -> None:
    """Speed the voice up by a step."""
    _change_speed(caller, 1)


def slow_down(caller: CallerState, rest: str) -> None:
    """Slow the voice down by a step."""
    _change_speed(caller, -1)


def hush(caller: CallerState, rest: str) -> None:
    """Silence the voice; every typed line does that, this one does nothing else."""
    caller.voice.hush()


def _change_speed(caller: CallerState, steps: int) -> None:
    if not caller.voice.on:
        caller.refuse(_("the voice is off; type voice on."))
        return
    speed = caller.voice.change_speed(steps)
    caller.tell(_("Speed {number} percent.").format(number=speed))
