"""The table's own cards, from the file that the settings name (`cards.yaml` beside the games)."""

from __future__ import annotations

import os

from companion import compiled
from companion.config import ConfigError
from companion.locations import cannot_be_read
from companion.strict_yaml import YamlProblems
from engine import datafiles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from companion.config import Config
    from companion.strict_yaml import YamlProblem


def use(config: Config) -> None:
    """Let the table's own cards stand among the known ones, or none where it has no such file.

    Raises ConfigError with every problem of the file and its line.
    """
    if not os.path.lexists(config.cards):
        if datafiles.own():
            datafiles.stand_in({})
        return
    from engine import own_cards, own_cards_file
    from engine.problems import Inconsistent

    try:
        document = compiled.read(config.cards)
    except OSError as error:
        raise ConfigError([cannot_be_read(config.cards, error)]) from None
    except YamlProblems as error:
        raise ConfigError(map(str, error.problems)) from None
    try:
        own_cards.use(own_cards_file.read(document.data))
    except Inconsistent as error:
        said = sorted((document.problem(p.path, p.text) for p in error.problems), key=_line)
        raise ConfigError(map(str, said)) from None


def _line(problem: YamlProblem) -> int:
    return problem.line
