"""The commands: one module each, with `run(words)`, which returns the exit code.

Each parses its own arguments and imports what it needs late, so that short answers come at once.
"""

from __future__ import annotations

import gc
import os
from importlib import import_module

from common.sentences import Sentence, locate
from companion.errors import WRONG_USAGE as WRONG_USAGE
from companion.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType
    from typing import Any

    from common.extras import Extra
    from companion.settings.config import Config

DONE = 0
REFUSED = 1  # a move was refused, or a file is inconsistent
INTERRUPTED = 130  # the shells' code for Ctrl-C


def import_quickly(name: str) -> ModuleType:
    """Import a module with the garbage collector off: what an import creates stays, and scanning it
    repeatedly takes a tenth of a start."""
    gc.disable()
    try:
        return import_module(name)
    finally:
        gc.freeze()
        gc.enable()


def use_table_language() -> None:
    """Set the table's language before all settings are validated."""
    from companion import language
    from companion.settings import config

    try:
        target: str | None = config.load(os.environ).language
    except config.ConfigError as error:
        target = error.language
    if target is not None and target != language.current():
        language.use(target)


def load_settings(options: Mapping[str, Any] | None = None) -> Config:
    """The current settings, with their language in use. Raises ConfigError with all problems."""
    from common import own_files
    from companion import language
    from companion.files import locations
    from companion.settings import config
    from engine.editions import editions

    settings = config.load(os.environ, options=options)
    config.use_own_cards(settings)
    own_files.narrow(settings.data, locations.GAMES_NAME)
    path = os.path.join(locations.cache_dir(), "compiled")
    for folder in {settings.data, os.path.dirname(locations.user_config()), path}:
        own_files.tidy(folder)
    if settings.language != language.current():
        language.use(settings.language)
    language.print_as(*editions()[settings.edition].boxes)
    return settings


def make_reader_error(command: str) -> CommandError:
    """The error for a command that needs a reader when the settings name none."""
    return CommandError(
        Sentence("{command}: no reader is set; use --reader simulated or usb", command=command)
    )


def need_extra(command: str, extra: Extra) -> None:
    """Raise CommandError, with how to install the extra, if it is missing."""
    from common import extras

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
