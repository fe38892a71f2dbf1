"""File locations on this machine: the user's settings, games and chips.

`COMPANION_DATA=DIR` moves a table's games, chips and settings together into one folder. Every path
is absolute and text; nothing is created here. The messages for files that fail are here too.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

import platformdirs

from common.sentences import Sentence
from companion.files import reason

APP = "citadels-companion"
"""The name of our folder among those of other programs."""

CONFIG_NAME = "config.yaml"
GAMES_NAME = "games.sqlite3"
CHIPS_NAME = "tags.yaml"
CARDS_NAME = "cards.yaml"
CERTIFICATE_NAME = "certificate.pem"  # that this computer has signed itself, and its key
TAPS_NAME = "taps-key.txt"  # the key for chips laid in the middle of the table
TOLD_NAME = "told.txt"  # what was told once
WRITTEN_NAME = "written-chips.txt"
CRASH_NAME = "crash-report.txt"


def user_config(env: Mapping[str, str] = os.environ) -> str:
    """The user's settings file, which need not exist."""
    folder = env.get("COMPANION_DATA") or platformdirs.user_config_dir(APP, appauthor=False)
    return os.path.join(make_absolute(folder), CONFIG_NAME)


def data_dir(text: str | None = None, env: Mapping[str, str] = os.environ) -> str:
    """The folder of games and chips: `COMPANION_DATA`, else `text` (the setting
    `paths.data`), else the user's data folder."""
    usual = platformdirs.user_data_dir(APP, appauthor=False)
    return make_absolute(env.get("COMPANION_DATA") or text or usual)


def games_file(data: str) -> str:
    return os.path.join(data, GAMES_NAME)


def chips_file(data: str) -> str:
    return os.path.join(data, CHIPS_NAME)


def written_file(data: str) -> str:
    return os.path.join(data, WRITTEN_NAME)


def cache_dir() -> str:
    """The cache folder, which may be deleted at any time."""
    return platformdirs.user_cache_dir(APP, appauthor=False)


def service_dir(data: str) -> str:
    """The private folder for this user's reader service: the system's runtime folder, else one in
    the data folder `data`. It need not exist."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "").strip()
    if os.path.isabs(runtime):
        return os.path.join(runtime, APP)
    return os.path.join(data, "service")


def pictures_dir(data: str) -> str:
    """Where pictures for people are saved: the user's folder of pictures if there is one and the
    table's files are not kept together, else the data folder `data`."""
    if not os.environ.get("COMPANION_DATA"):
        folder = platformdirs.user_pictures_dir()
        if os.path.isdir(folder):
            return folder
    return data


def user_units() -> str:
    return os.path.join(platformdirs.user_config_dir(), "systemd", "user")


def make_absolute(path: str) -> str:
    return os.path.abspath(os.path.expanduser(path))


def cannot_be_read(path: str, error: Exception) -> Sentence:
    return Sentence("{path}: cannot be read: {reason}", path=path, reason=reason(error))


def cannot_be_saved(path: str, error: Exception) -> Sentence:
    return Sentence("{path}: cannot be saved: {reason}", path=path, reason=reason(error))
