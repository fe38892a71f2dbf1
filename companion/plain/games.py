"""Several games in the line caller: list saved games, open one, start a new one; and its voice, off
by default, since a screen reader reads the lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game import ending
from companion.game.session import Session
from companion.history import people
from companion.language import _, plural
from companion.log.store import StoreError
from companion.plain import setup
from engine.moves import fold

if TYPE_CHECKING:
    from companion.log.store import GameInfo
    from companion.plain.state import CallerState
    from engine.record import Setup


_RECENT = 9  # saved games listed


def list_games(caller: CallerState, rest: str) -> None:
    """List the saved games, the one played last first."""
    number = caller.store.count()
    caller.tell(plural("{number} saved game.", "{number} saved games.", number))
    caller.tell(*map(describe, caller.store.games(_RECENT)))
    caller.tell(_("Type open and a name to continue that game."))


def describe(game: GameInfo) -> str:
    """A saved game in a line: its name, its players, its progress."""
    moves = plural("{number} move", "{number} moves", game.moves)
    sentence = _("{name}: {names}, {moves}, over.") if game.finished else _(
        "{name}: {names}, {moves}."
    )  # fmt: skip
    return sentence.format(name=game.name, names=setup.players(game), moves=moves)


def open_game(caller: CallerState, rest: str) -> Session | None:
    """Switch to another saved game."""
    game = caller.store.find(rest) if rest else None
    if game is None:
        caller.refuse(
            _("no saved game is called {name}; type games to list them.").format(name=rest)
            if rest
            else _("which game? Type open and its name; games lists them.")
        )
    elif game == caller.session.game:
        caller.tell(_("This game is already open."))
    else:
        try:
            return Session.resume(caller.store, game)
        except StoreError as error:
            caller.refuse(str(error))
    return None


def start_new(caller: CallerState, rest: str) -> Session | None:
    """Start another game by questions; this one stays saved."""
    caller.talk.forget()
    known_names = people.list_offered(caller.store)
    asking = setup.Asking(
        caller.config,
        caller.inbox.read_line,
        last=caller.session.setup,
        known_names=known_names,
        asks_people=caller.phones is not None,
    )
    with caller.inbox.limit_echo(lambda text: True):
        game_setup = asking.ask_for_game()
    if game_setup is None:
        caller.tell(_("The game continues."))
        return None
    draft = asking.draft
    return _begin(caller, game_setup, teach=draft.teach, stays=draft.is_same_group)


def rematch(caller: CallerState, rest: str) -> Session | None:
    """Play again with the same names, box and options."""
    return _begin(caller, ending.next_game(caller.session.setup), teach=False, stays=True)


def _begin(caller: CallerState, game_setup: Setup, *, teach: bool, stays: bool) -> Session | None:
    """Begin that game; with `stays` the group of this one plays it."""
    before = caller.session.settings if stays else None
    try:
        return Session.begin(caller.store, game_setup, teach=teach, before=before)
    except StoreError as error:
        caller.refuse(str(error))
        return None


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
