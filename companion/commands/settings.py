"""The table's settings for commands: loaded, validated, language set."""

from __future__ import annotations

import os

from common import own_files
from companion import language
from companion.files import locations
from companion.settings import config

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from companion.settings.config import Config


def speak() -> None:
    """Set the table's language before all settings are validated."""
    try:
        target: str | None = config.load(os.environ).language
    except config.ConfigError as error:
        target = error.language
    if target is not None and target != language.current():
        language.use(target)


def load(options: Mapping[str, Any] | None = None) -> Config:
    """The current settings. Raises ConfigError with all problems."""
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
