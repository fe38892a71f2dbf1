"""The commands: one module each, with `run`, declared by `declared.command`; only the one that is
called is loaded, so that short answers come at once."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from common import extras, own_files
from common.sentences import Sentence, locate
from companion import extending, language
from companion.errors import REFUSED as REFUSED
from companion.errors import WRONG_USAGE as WRONG_USAGE
from companion.errors import UserError
from companion.errors.output import print_error
from companion.files import locations
from companion.settings import config
from companion.settings.setting import Notice
from engine import editions as boxes  # `editions` is a command

if TYPE_CHECKING:
    from companion.log.store import Store

DONE = 0
INTERRUPTED = 130  # the shells' code for Ctrl-C


def use_table_language() -> None:
    """Set the table's language before all settings are validated."""
    try:
        code: str | None = config.load(os.environ).language
    except config.ConfigError as error:
        code = error.language
    if code is not None and code != language.current():
        language.use(code)


def load_settings(options: Mapping[str, Any] | None = None) -> config.Config:
    """The current settings, with their language in use. Raises ConfigError with all problems."""
    settings = config.load(os.environ, options=options)
    settings.notices += tuple(
        Notice(text, at_every_start=True) for text in extending.take_problems()
    )
    config.use_own_cards(settings)
    own_files.narrow(settings.data, locations.GAMES_NAME)
    for folder in {settings.data, os.path.dirname(locations.user_config())}:
        own_files.tidy(folder)
    if settings.language != language.current():
        language.use(settings.language)
    language.print_as(*boxes.editions()[settings.edition].boxes)
    if settings.notices:
        _tell_notices(settings)
    return settings


def _tell_notices(settings: config.Config) -> None:
    """Print what is to be told about settings of former versions; what is told once is kept, and
    left out from then on."""
    path = os.path.join(locations.cache_dir(), locations.TOLD_NAME)
    try:
        told = own_files.read(path, 100_000).decode().splitlines()
    except (OSError, ValueError):
        told = []
    settings.notices = tuple(
        one for one in settings.notices if one.at_every_start or one.text not in told
    )
    print_error(one.text for one in settings.notices)
    more = [one.text for one in settings.notices if not one.at_every_start]
    if more:
        with suppress(OSError):  # then it is told again
            own_files.replace(path, "".join(f"{text}\n" for text in [*told, *more]))


@contextmanager
def open_games(settings: config.Config) -> Iterator[Store]:
    """The games of this table; what is to be told about their file is printed at the end."""
    from companion.log.store import Store  # SQLite: most commands need none

    with Store(settings.games) as store:
        try:
            yield store
        finally:
            print_error(store.take_notices())


def make_reader_error(command: str) -> CommandError:
    """The error for a command that needs a reader when the settings name none."""
    return CommandError(
        Sentence("{command}: no reader is set; use --reader simulated or usb", command=command)
    )


def refuse_gone(what: str, instead: str) -> CommandError:
    """The error for a command or an option of former versions, with what replaces it."""
    return CommandError(
        Sentence("{command}: this no longer exists; use: {instead}", command=what, instead=instead)
    )


def need_extra(command: str, extra: extras.Extra) -> None:
    """Raise CommandError, with how to install the extra, if it is missing."""
    if not extras.is_installed(extra):
        raise CommandError(extras.explain(command, extra))


class CommandError(UserError):
    """A command that fails: lines for standard error, and the exit code."""

    def __init__(self, *lines: str, code: int = WRONG_USAGE) -> None:
        super().__init__(*lines)
        self.code = code

    @classmethod
    def of(
        cls, command: str, *problems: str, hint: str = "", code: int = WRONG_USAGE
    ) -> CommandError:
        """Problems of that command or option, with where to find help for the command `hint`."""
        hints = (Sentence("See: {command}", command=f"{hint} --help"),) if hint else ()
        return cls(*(locate(command, problem) for problem in problems), *hints, code=code)
