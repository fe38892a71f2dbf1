"""Starts the caller from the command line's options: with a game, or with the setup screen."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING

from common.problems import Problems
from companion import language, setup
from companion.files.clean import printable
from companion.log.store import Store, StoreError

if TYPE_CHECKING:
    from companion.game.session import Session
    from companion.phones.serving.where import Where
    from companion.settings.config import Config
    from companion.setup.options import PlayOptions


def play(options: PlayOptions, config: Config, where: Where | None = None) -> int:
    """Run the caller, with phones connecting to `where`; return 0 after quitting, 2 if it could not
    start (standard error says why)."""
    gc.disable()  # until the first screen is painted: nothing created before is garbage
    language.use(config.language)
    with Store(config.games) as store:
        try:
            session = open_session(store, options, config)
        except Problems as error:
            return _complain(*(problem.text for problem in error.problems))
        except StoreError as error:
            return _complain(str(error))
        from companion.app.caller import CallerApp

        return CallerApp(store, config, options, session, where).play()


def open_session(store: Store, options: PlayOptions, config: Config) -> Session | None:
    """The game that the options ask for; None if the setup screen has to ask.

    Raises Problems for options that make no game, and StoreError as `Session` does.
    """
    if options.resume:
        return _resume(store)
    wanted = setup.from_options(options, config)
    if wanted is None:
        return None
    from companion.game.session import Session

    return Session.begin(store, wanted, teach=options.teach)


def _resume(store: Store) -> Session:
    from companion.game.session import (
        Session,  # imports the rules: the setup screen needs neither yet
    )

    return Session.resume(store)


def _complain(*lines: str) -> int:
    for line in lines:
        print(printable(language.translate(line)), file=sys.stderr)
    return 2
