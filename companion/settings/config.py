"""Loads the settings and reports problems with them.

The defaults of the `table` are overridden by the user's `config.yaml`, then by `COMPANION_…`
variables, then by the command's options. All problems are reported at once, each with its place and
a suggestion.
"""

from __future__ import annotations

import os

from common import strict_yaml
from common.problems import Problems, find_nearest
from common.sentences import Sentence, locate, suggest
from companion.errors import Told
from companion.files import locations
from companion.language import available
from companion.settings import keys, system_language
from companion.settings.checks import truth
from companion.settings.quoting import make_safe, quote
from companion.settings.table import GROUPS, SETTINGS, VARIABLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from companion.settings.readers import ReaderSetting
    from companion.settings.table import Setting
    from companion.settings.voice import VoiceSettings


class Config:
    """The checked settings of one run; `table` describes each of them."""

    edition: str
    language: str
    """Its code; if the setting is `auto`, the system's language."""
    reader: str
    readers: tuple[ReaderSetting, ...]
    secrecy: str
    forced: str
    calling: str
    theme: str
    animation: bool
    symbols: str | dict[str, str]
    keys: dict[str, tuple[str, ...]]
    """The keys of each action of the full screen, with the table's own in place of defaults."""
    cursor: bool
    plain: bool
    phones: bool
    data: str
    """The folder of games and chips, absolute; neither it nor the files need exist."""
    chips: str
    cards: str
    dropout: float
    sounds: bool
    link: str | None

    def __init__(self, values: Mapping[str, Any], env: Mapping[str, str]) -> None:
        """Take checked values, by key path as in `config.yaml` (`paths.data`)."""
        for setting in SETTINGS.values():
            if setting.group not in ("paths", "voice"):
                setattr(self, setting.name, values[setting.key])
        self.language = _find_language(values["language"], env)
        self._voice = {s.name: values[s.key] for s in SETTINGS.values() if s.group == "voice"}
        self.readers = _read_readers(values["readers"])
        self.keys = keys.list_in_force(values["keys"])
        self.data = locations.data_dir(values["paths.data"], env)
        chips = values["paths.chips"]
        self.chips = locations.make_absolute(chips) if chips else locations.chips_file(self.data)
        cards = values["paths.cards"]
        self.cards = locations.make_absolute(cards) if cards else locations.cards_file(self.data)

    @property
    def games(self) -> str:
        """The log of games, absolute; it need not exist."""
        return locations.games_file(self.data)

    @property
    def voice(self) -> VoiceSettings:
        """The settings of the voice."""
        from companion.settings import voice as settings

        return settings.settings(self._voice)

    def plays_forced(self, *, people: bool) -> bool:
        """Whether forced moves are played: by default for people, not for a program, which sends
        every move itself."""
        return people if self.forced == "auto" else self.forced == "play"

    def __repr__(self) -> str:
        return f"Config({vars(self)})"


class ConfigError(Told):
    """Every problem with the settings: `problems`, a sentence each with its place."""

    def __init__(self, problems: Iterable[str], language: str | None = None) -> None:
        """`language` is the one for the messages, as far as the settings are readable."""
        super().__init__(*problems)
        self.problems = tuple(self.lines)
        self.language = language


def load(
    env: Mapping[str, str] = os.environ, *, options: Mapping[str, Any] | None = None
) -> Config:
    """The current settings: the defaults, the user's file, the variables of `env`, and the
    command's `options` by key (None for one that was not given).

    Raises ConfigError with all problems.
    """
    values = {key: setting.default for key, setting in SETTINGS.items()}
    problems: list[str] = []
    own = locations.user_config(env)
    if os.path.lexists(own):
        _overlay(values, problems, own, env)
    _overlay_variables(values, problems, env)
    for key, value in (options or {}).items():
        if value is not None:
            _set_value(values, problems, SETTINGS[key], value, f"--{SETTINGS[key].option or key}")
    if problems:
        raise ConfigError(problems, _find_language(values.get("language"), env))
    return Config(values, env)


def _find_language(language: Any, env: Mapping[str, str]) -> str:
    """The language for this value of the setting; an invalid one gives the system's."""
    if isinstance(language, str) and available.is_whole(language):
        return language
    return system_language.find_wanted(env, available.list_offered())


def _read_readers(value: Any) -> tuple[ReaderSetting, ...]:
    if not value:
        return ()
    from companion.settings import readers as reader_settings

    return reader_settings.readers(value)


def _overlay(
    values: dict[str, Any], problems: list[str], file: str, env: Mapping[str, str]
) -> None:
    """Override `values` with those of a file."""
    try:
        document = strict_yaml.read_cached(file, locations.kept_file(file, env))
    except OSError as error:
        problems.append(locations.cannot_be_read(file, error))
        return
    except Problems as error:
        problems.extend(str(problem) for problem in error.problems)
        return

    def check(place: tuple[str, ...], entries: Any) -> None:
        for word, value in entries.items():
            here = (*place, word)
            key = ".".join(here)
            setting = SETTINGS.get(key)
            if setting is not None:
                values[key], said = value, setting.check(value)
                said = said and locate(key, said)
                for inner, wrong in setting.inner(value) if setting.inner else ():
                    shown = locate(".".join((key, *inner)), wrong)
                    problems.append(str(document.problem((*here, *inner), shown)))
            elif key not in GROUPS:
                said = _describe_unknown_key(key)
            elif isinstance(value, dict | None):
                said = None
                check(here, value or {})
            else:
                said = Sentence("“{key}” has keys of its own, indented below it", key=key)
            if said:
                problems.append(str(document.problem(here, said)))

    if isinstance(document.data, dict | None):
        check((), document.data or {})
    else:
        problems.append(locate(f"{file}:1", Sentence("settings are lines of “key: value”")))


def _overlay_variables(values: dict[str, Any], problems: list[str], env: Mapping[str, str]) -> None:
    """Override `values` with the variables; an empty variable is ignored."""
    for variable, text in env.items():
        if not variable.startswith("COMPANION_") or not text:
            continue
        if variable not in VARIABLES:
            # Another program may own it: report only what looks like a typing error.
            meant = find_nearest(variable, VARIABLES, cutoff=0.85)
            if meant:
                problem = Sentence("{name} is not a known variable", name=quote(variable))
                problems.append(suggest(problem, meant))
            continue
        setting = SETTINGS[VARIABLES[variable]]
        value: Any = text
        if setting.check is truth:
            value = {"true": True, "1": True, "false": False, "0": False}.get(text.lower(), text)
        _set_value(values, problems, setting, value, variable)


def _set_value(
    values: dict[str, Any], problems: list[str], setting: Setting, value: Any, place: str
) -> None:
    """Set one value that comes from no file; `place` names its source for messages."""
    values[setting.key] = value
    if setting.key == "reader":  # for this run only this reader, whatever the files name
        values["readers"] = None
    said = setting.check(value)
    if said:
        problems.append(locate(place, said))


def _describe_unknown_key(key: str) -> str:
    bare = {setting.name: setting.group for setting in SETTINGS.values() if setting.group}
    if key in bare:
        return Sentence(
            "unknown key “{key}”; write it indented below “{group}:”", key=key, group=bare[key]
        )
    problem = Sentence("unknown key “{key}”", key=make_safe(key, 60))
    return suggest(problem, find_nearest(key, sorted({*SETTINGS, *GROUPS})))
