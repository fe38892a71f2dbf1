"""The table's own cards, from the file named in the settings (`cards.yaml` beside the games)."""

from __future__ import annotations

import os

from common import strict_yaml
from common.problems import Problems
from companion.files.locations import cannot_be_read, kept_file
from companion.settings.config import ConfigError
from engine import datafiles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from companion.settings.config import Config


def use(config: Config) -> None:
    """Register the table's own cards, or none if it has no such file.

    Raises ConfigError with every problem of the file and its line.
    """
    if not os.path.lexists(config.cards):
        if datafiles.load_own():
            datafiles.stand_in({})
        return
    from engine import own_cards, own_cards_file

    try:
        document = strict_yaml.read_cached(config.cards, kept_file(config.cards))
    except OSError as error:
        raise ConfigError([cannot_be_read(config.cards, error)]) from None
    except Problems as error:
        raise ConfigError(map(str, error.problems)) from None
    try:
        own_cards.use(own_cards_file.read(document.data))
    except Problems as error:
        raise ConfigError(map(str, document.locate(error.problems).problems)) from None
