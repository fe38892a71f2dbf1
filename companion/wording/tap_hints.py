"""What tapping each kind of card or token would do now, said before anybody taps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from companion.language import _

if TYPE_CHECKING:
    from engine.moves import Move


def hints(legal: Iterable[Move]) -> list[str]:
    """A sentence for each kind of tap that these moves allow; empty where none does."""
    verbs = {move.verb for move in legal}
    return [sentence() for verb, sentence in _HINTS.items() if verb in verbs]


_HINTS: dict[str, Callable[[], str]] = {
    "faceup": lambda: _("A character card is discarded face up."),
    "call": lambda: _("The crown calls the first character."),
    "reveal": lambda: _("A player's token shows who has the called character."),
    "nobody": lambda: _("The crown says that nobody answers."),
    "kill": lambda: _("A character card is murdered."),
    "rob": lambda: _("A character card is robbed."),
    "swap": lambda: _("A player's token swaps hands with that player."),
    "build": lambda: _("A district card is built."),
    "destroy": lambda: _("A district of a city is destroyed."),
    "unmask": lambda: _("A player's token says whose the murdered character was."),
    "rescue": lambda: _("The owner's token takes the district back."),
    "bewitch": lambda: _("A character card is bewitched."),
    "warrants": lambda: _("Three character cards get the warrants."),
    "threats": lambda: _("Two character cards get the threats."),
    "take": lambda: _("A player's token takes a card from that player's hand."),
    "spy": lambda: _("A player's token is whose hand was seen."),
    "crown": lambda: _("A player's token gets the crown."),
    "exchange": lambda: _("Your own district card, then the other one: they are exchanged."),
    "seize": lambda: _("A district of a city is seized."),
    "decorate": lambda: _("Your own district card is decorated; two may be."),
    "use": lambda: _("A district card of your city with a power uses it."),
    "city": lambda: _("A district card stands in the city that is counted."),
    "vault": lambda: _("The Secret Vault asks who shows it."),
}
