"""From the command line's options to a running caller: the game it opens with, or the set-up."""

from __future__ import annotations

import gc
import sys
import time
from typing import TYPE_CHECKING

from companion import language, setup
from companion.clean import printable
from companion.served import is_served
from companion.store import Store, StoreError
from engine.problems import Inconsistent

if TYPE_CHECKING:
    from companion.config import Config
    from companion.options import PlayOptions
    from companion.session import Session

PAUSE = 0.25  # seconds


def play(options: PlayOptions, config: Config) -> int:
    """Run the caller; 0 when it was left, 2 when it could not begin (standard error says why)."""
    gc.disable()  # until the first screen is painted: nothing made before that is garbage
    language.use(config.language)
    with Store(config.games) as store:
        if is_served():
            return _in_a_tab(store, options, config)
        try:
            session = opened(store, options, config)
        except Inconsistent as error:
            return _complain(*(problem.text for problem in error.problems))
        except StoreError as error:
            return _complain(str(error))
        from companion.app.caller import CallerApp

        return CallerApp(store, config, options, session).play()


def _in_a_tab(store: Store, options: PlayOptions, config: Config) -> int:
    """A tab goes on with the unfinished game; what keeps it from that is said on the screen."""
    from companion.app.caller import CallerApp

    session, problem = None, ""
    for patience in (*[PAUSE] * 8, 0.0):  # a tab that was just reloaded lets its game go only now
        try:
            if any(not game.finished for game in store.games(1)):
                session = _resumed(store)
            problem = ""
            break
        except StoreError as error:
            problem = str(error)
            time.sleep(patience)
    return CallerApp(store, config, options, session, problem).play()


def opened(store: Store, options: PlayOptions, config: Config) -> Session | None:
    """The game that the options ask for; None if the set-up screen has to ask.

    Raises Inconsistent for options that make no game, StoreError as `Session`.
    """
    if options.resume:
        return _resumed(store)
    wanted = setup.from_options(options, config)
    if wanted is None:
        return None
    from companion.session import Session

    return Session.begin(store, wanted, teach=options.teach)


def _resumed(store: Store) -> Session:
    from companion.session import Session  # with the rules: the set-up screen needs neither yet

    return Session.resume(store)


def _complain(*lines: str) -> int:
    for line in lines:
        print(printable(language.said(line)), file=sys.stderr)
    return 2
