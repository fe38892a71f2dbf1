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
from companion.setup import PlayOptions
from companion.setup.draft import Draft
from companion.setup.shared import SetUp
from engine.moves import fold

if TYPE_CHECKING:
    from companion.log.store import GameInfo
    from companion.plain.state import CallerState


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
    return sentence.format(name=game.name, names=_players(game), moves=moves)


def _players(game: GameInfo) -> str:
    """The players of a saved game."""
    names = game.setup.get("players")
    return ", ".join(map(str, names)) if isinstance(names, list) else "?"


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
    """Start another game by questions, or on the phones; this one stays saved."""
    caller.talk.forget()
    draft = Draft.of(PlayOptions(), caller.config, caller.session.setup)
    draft.before = caller.session.setup.players if caller.phones is not None else ()
    set_up = SetUp(
        draft,
        caller.begin_drafted,
        known_names=people.list_offered(caller.store),
        former_names=people.list_former(caller.store),
        again=caller.session.setup.players,
        leave=caller.leave_set_up,
    )
    if caller.phones is not None:
        caller.phones.open_lobby(set_up)
    caller.set_up = setup.LineSetUp(set_up, caller.tell, read_aloud=caller.voice.read)
    caller.set_up.tell_question()
    return None


def rematch(caller: CallerState, rest: str) -> Session | None:
    """Play again with the same names, box and options."""
    again = ending.next_game(caller.session.setup)
    try:
        return Session.begin(caller.store, again, before=caller.session.settings)
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
