"""Whether a terminal shows what is typed: hidden while somebody names a character in private."""

from __future__ import annotations

from companion.terminal.modes import Attributes, Modes, at_terminal


class Echo:
    """The echo of standard input; without a terminal there is none, and nothing to do."""

    def __init__(self) -> None:
        self._modes = Modes(_without_echo)

    @property
    def at_terminal(self) -> bool:
        """Whether a person types here, and a terminal would show it."""
        return at_terminal()

    @property
    def hidden(self) -> bool:
        """Whether the terminal, as it is now, does not show what is typed."""
        return self._modes.in_force

    def hide(self) -> bool:
        """Show no longer what is typed; whether that could be done."""
        return self._modes.change()

    def show(self) -> None:
        """Show again what is typed."""
        self._modes.put_back()


def _without_echo(modes: Attributes) -> None:
    import termios

    modes[3] &= ~termios.ECHO
