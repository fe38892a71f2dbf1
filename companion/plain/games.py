"""Several games in the line caller: the saved ones, another of them, and a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game import ending
from companion.language import _, plural
from companion.plain import setup
from companion.session import Session
from companion.store import StoreError

if TYPE_CHECKING:
    from companion.plain.caller import Caller
    from companion.store import GameInfo
    from engine.record import Setup

_RECENT = 9  # saved games that are listed


def games(caller: Caller, rest: str) -> None:
    """The saved games, the one played last first."""
    number = caller.store.count()
    caller.tell(plural("{number} saved game.", "{number} saved games.", number))
    caller.tell(*map(described, caller.store.games(_RECENT)))
    caller.tell(_("open and a name goes on with that game."))


def described(game: GameInfo) -> str:
    """A saved game in a line: its name, who plays, how far it is."""
    moves = plural("{number} move", "{number} moves", game.moves)
    sentence = _("{name}: {names}, {moves}, over.") if game.finished else _(
        "{name}: {names}, {moves}."
    )  # fmt: skip
    return sentence.format(name=game.name, names=setup.players(game), moves=moves)


def open_game(caller: Caller, rest: str) -> None:
    """Go on with another saved game."""
    game = caller.store.find(rest) if rest else None
    if game is None:
        caller.refuse(
            _("no saved game is called {name}; games lists them.").format(name=rest)
            if rest
            else _("say which game: open, and its name; games lists them.")
        )
    elif game != caller.session.game:
        try:
            session = Session.resume(caller.store, game)
        except StoreError as error:
            caller.refuse(str(error))
        else:
            caller.change_game(session)
    else:
        caller.tell(_("This game is open already."))


def new(caller: Caller, rest: str) -> None:
    """Begin another game by questions; this one is saved as it stands."""
    caller.talk.forget()
    asking = setup.Asking(caller.config, caller.inbox.next_line, last=caller.session.setup)
    with caller.inbox.showing(lambda text: True):
        wanted = asking.new_game()
    if wanted is None:
        caller.tell(_("The game goes on."))
        return
    _begin(caller, wanted, teach=asking.draft.teach)


def rematch(caller: Caller, rest: str) -> None:
    """Play again with the same names, box and options."""
    _begin(caller, ending.next_game(caller.session.setup), teach=False)


def _begin(caller: Caller, wanted: Setup, *, teach: bool) -> None:
    try:
        session = Session.begin(caller.store, wanted, teach=teach)
    except StoreError as error:
        caller.refuse(str(error))
    else:
        caller.change_game(session)
