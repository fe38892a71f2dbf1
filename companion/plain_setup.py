"""Opening a game in the line caller: from options without questions, else by questions."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from companion import setup
from companion.clean import clean_text, printable
from companion.language import _
from companion.session import Session
from engine.editions import editions
from engine.problems import Inconsistent

if TYPE_CHECKING:
    from companion.config import Config
    from companion.options import PlayOptions
    from companion.store import Store
    from engine.record import Setup


def open_session(store: Store, options: PlayOptions, config: Config) -> Session | None:
    """The session to play; None if the input ended before there was one.

    Raises Inconsistent for options that make no game, SessionError and StoreError as `Session`.
    """
    if options.resume:
        return Session.resume(store)
    wanted = setup.from_options(options, config)
    if wanted is None and not options.new and _unfinished(store):
        answer = _ask(_("A game is not finished. Resume it? yes or no"))
        if answer is None:
            return None
        if answer[:1].lower() in _("yes")[:1]:
            return Session.resume(store)
    if wanted is None:
        wanted = _ask_setup(options, config)
    return None if wanted is None else Session.begin(store, wanted)


def _unfinished(store: Store) -> bool:
    games = store.games()
    return bool(games) and not games[0].finished


def _ask_setup(options: PlayOptions, config: Config) -> Setup | None:
    """Ask until the answers make a game; None at the end of the input."""
    edition = editions()[options.edition or config.edition]
    while True:
        names = _ask(_("Players in seat order, clockwise, with commas between"))
        if names is None:
            return None
        crown = _ask(_("Who has the crown first: {who}").format(who=edition.first_crown))
        if crown is None:
            return None
        players = tuple(name.strip() for name in names.split(",") if name.strip())
        answered = options._replace(players=players, crown=crown or None)
        try:
            wanted = setup.from_options(answered, config)
            if wanted is not None:
                return wanted
        except Inconsistent as error:
            for problem in error.problems:
                print(printable(problem.text))


def _ask(question: str) -> str | None:
    print(printable(question), flush=True)
    line = sys.stdin.readline()
    return clean_text(line) if line else None
