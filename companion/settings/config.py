"""Loads the settings and reports problems with them.

The defaults of `all_settings` are overridden by the user's `config.yaml`, then by `COMPANION_…`
variables, then by the command's options. All problems are reported at once, each with its place and
a suggestion.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, NamedTuple

from common import own_files, strict_yaml
from common.clean import clean_text
from common.problems import Problems, find_nearest, quote_data
from common.sentences import Sentence, locate, suggest
from companion.errors import UserError
from companion.files import locations
from companion.files.locations import cannot_be_read
from companion.language import catalogues
from companion.settings import keys
from companion.settings.all_settings import (
    GONE,
    GONE_VARIABLES,
    GROUPS,
    SETTINGS,
    VARIABLES,
)
from companion.settings.checks import truth
from companion.settings.named_readers import ReaderSetting, read_readers
from companion.settings.setting import Notice, Setting, is_mistake, list_brought
from engine import datafiles, own_cards


def find_setting(key: str) -> Setting | None:
    """The setting of that key; extensions are looked for only if the core has none."""
    if key in SETTINGS:
        return SETTINGS[key]
    return next((one for one in list_brought() if one.key == key), None)


def _find_by_variable(variable: str) -> Setting | None:
    if variable in VARIABLES:
        return SETTINGS[VARIABLES[variable]]
    return next((one for one in list_brought() if one.variable == variable), None)


def find_system_language(env: Mapping[str, str], spoken: Sequence[str]) -> str:
    """The first preferred language that is one of `spoken`; English if none is.

    Follows gettext: LANGUAGE lists languages in order, unless the locale is `C`.
    """
    locale = next((env[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if env.get(name)), "C")
    several = () if _code(locale) in ("c", "posix") else env.get("LANGUAGE", "").split(":")
    codes = map(_code, (*several, locale))
    return next((code for code in codes if code in spoken), "en")


def _code(locale: str) -> str:
    """The language of a locale such as fr_FR.UTF-8, ru-RU or sr@latin, in small letters."""
    letters = (letter if letter.isascii() and letter.isalpha() else " " for letter in locale)
    return "".join(letters).partition(" ")[0].lower()


Level = Literal["calls", "all"]


class VoiceSettings(NamedTuple):
    """The checked settings of the voice; `all_settings` describes each of them."""

    table: str
    ear: str
    speed: int
    volume: int
    level: Level


class Config:
    """The checked settings of one run; `all_settings` describes each of them."""

    edition: str
    language: str
    """Its code; if the setting is `auto`, the system's language."""
    readers: tuple[ReaderSetting, ...]
    """At least one, whose path may be `auto` or `none`."""
    secrecy: str
    forced: str
    calling: str
    theme: str
    symbols: str | dict[str, str]
    cursor: bool
    plain: bool
    phones: bool
    house: str
    data: str
    """The folder of games and chips, absolute; neither it nor the files need exist."""
    chips: str
    cards: str
    sounds: bool
    voice: VoiceSettings
    link: str | None
    deck: str | None
    """The deck that chips are learned for; None for the one without a name."""

    notices: tuple[Notice, ...]
    """What is to be told about settings of former versions."""
    given: frozenset[str]
    """The keys of the settings that the file, a variable or an option names."""
    extended: dict[str, Any]
    """The checked values that are given to settings of extensions, by key."""

    def __init__(
        self,
        values: Mapping[str, Any],
        env: Mapping[str, str],
        notices: Iterable[Notice] = (),
        given: Iterable[str] = (),
    ) -> None:
        """Take checked values, by key path as in `config.yaml` (`paths.data`)."""
        self.notices = tuple(notices)
        self.given = frozenset(given)
        self.extended = {key: value for key, value in values.items() if key not in SETTINGS}
        for setting in SETTINGS.values():
            if setting.group not in ("paths", "voice") and setting.key not in ("keys", "reader"):
                setattr(self, setting.name, values[setting.key])
        self.language = _find_language(values["language"], env)
        voice = {s.name: values[s.key] for s in SETTINGS.values() if s.group == "voice"}
        numbers = {name: round(float(voice[name])) for name in ("speed", "volume")}
        self.voice = VoiceSettings(**{**voice, **numbers})
        self.readers = read_readers(values["readers"], values["reader"])
        self._own_keys = values["keys"]
        self.data = locations.data_dir(values["paths.data"], env)
        chips = values["paths.chips"] or locations.chips_file(self.data)
        cards = values["paths.cards"] or os.path.join(self.data, locations.CARDS_NAME)
        self.chips, self.cards = map(locations.make_absolute, (chips, cards))

    @property
    def games(self) -> str:
        """The log of games, absolute; it need not exist."""
        return locations.games_file(self.data)

    @property
    def keys(self) -> dict[str, tuple[str, ...]]:
        """The keys of each action of the full screen, with the table's own in place of defaults."""
        return keys.list_in_force(self._own_keys)

    def plays_forced(self, *, people: bool) -> bool:
        """Whether forced moves are played: by default for people, not for a program, which sends
        every move itself."""
        return people if self.forced == "auto" else self.forced == "play"

    def __repr__(self) -> str:
        return f"Config({vars(self)})"


class ConfigError(UserError):
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
    command's `options` by key (None for one that was not given). Raises ConfigError with all
    problems."""
    loading = _Loading()
    own = locations.user_config(env)
    if os.path.lexists(own):
        loading.overlay(own)
    loading.overlay_variables(env)
    for key, value in (options or {}).items():
        if value is not None:
            setting = find_setting(key)
            assert setting is not None
            loading.set(setting, value, f"--{setting.option or key}")
    if loading.problems:
        raise ConfigError(loading.problems, _find_language(loading.values.get("language"), env))
    return Config(loading.values, env, loading.notices, loading.given)


def _find_language(language: Any, env: Mapping[str, str]) -> str:
    """The language for this value of the setting; an invalid one gives the system's."""
    if isinstance(language, str) and catalogues.is_whole(language):
        return language
    return find_system_language(env, catalogues.list_offered())


_PREFIX = "COMPANION_"
_NO_LINES = Sentence("settings are lines of “key: value”")


class _Loading:
    """The values so far, every problem with them, and what is told about former ones."""

    def __init__(self) -> None:
        self.values = {key: setting.default for key, setting in SETTINGS.items()}
        self.problems: list[str] = []
        self.notices: list[Notice] = []
        self.given: set[str] = set()

    def overlay(self, file: str) -> None:
        try:
            document = _read(file)
        except ConfigError as error:
            self.problems += error.problems
            return

        def check(place: tuple[str, ...], part: Any) -> None:
            for word, value in part.items():
                here = (*place, word)
                key = ".".join(here)
                setting = find_setting(key) if key not in (*GROUPS, *GONE) else None
                if setting is not None:
                    value = self._renew(setting, value)
                    self.given.add(key)
                    self.values[key], text = value, setting.check(value)
                    text = text and locate(key, text)
                    for inner, wrong in setting.inner(value) if setting.inner else ():
                        sentence = locate(".".join((key, *inner)), wrong)
                        self.problems.append(str(document.problem((*here, *inner), sentence)))
                elif key in GONE:
                    text = None
                    gone = document.problem(here, _describe_gone(key, key))
                    self.notices.append(Notice(str(gone)))
                elif not _is_group(key):
                    text = _describe_unknown_key(key)
                elif isinstance(value, dict | None):
                    text = None
                    check(here, value or {})
                else:
                    text = Sentence("“{key}” has keys of its own, indented below it", key=key)
                if text:
                    self.problems.append(str(document.problem(here, text)))

        if isinstance(document.data, dict | None):
            check((), document.data or {})
        else:
            self.problems.append(locate(f"{file}:1", _NO_LINES))

    def overlay_variables(self, env: Mapping[str, str]) -> None:
        """Override the values with the variables; an empty variable is ignored."""
        for variable, text in env.items():
            if not variable.startswith(_PREFIX) or not text:
                continue
            if variable in GONE_VARIABLES:
                gone = _describe_gone(variable, GONE_VARIABLES[variable])
                self.notices.append(Notice(gone))
            elif setting := _find_by_variable(variable):
                value: Any = text
                if setting.check is truth:
                    words = {"true": True, "1": True, "false": False, "0": False}
                    value = words.get(text.lower(), text)
                self.set(setting, value, variable)
            # Another program may own it: report only what looks like a typing error.
            elif nearest := find_nearest(variable, VARIABLES, cutoff=0.85):
                word = variable.removeprefix(_PREFIX).lower().replace("_", ".")
                if is_mistake(word, SETTINGS):
                    problem = Sentence("{name} is not a known variable", name=quote_data(variable))
                    self.problems.append(suggest(problem, nearest))

    def set(self, setting: Setting, value: Any, place: str) -> None:
        """Set one value that comes from no file; `place` names its source for messages."""
        value = self._renew(setting, value)
        self.values[setting.key] = value
        self.given.add(setting.key)
        if setting.key == "reader":  # for this run only this reader, whatever the files name
            self.values["readers"] = None
        text = setting.check(value)
        if text:
            self.problems.append(locate(place, text))

    def _renew(self, setting: Setting, value: Any) -> Any:
        """The value, or what replaces it if it is of a former version."""
        if setting.renew is None:
            return value
        value, notices = setting.renew(value)
        self.notices += notices
        return value


def _describe_gone(name: str, key: str) -> Sentence:
    return Sentence(
        "“{name}”: this setting no longer exists; {instead}", name=name, instead=GONE[key]
    )


def _is_group(key: str) -> bool:
    return key in GROUPS or any(one.group == key for one in list_brought())


def _describe_unknown_key(key: str) -> str | None:
    bare = {setting.name: setting.group for setting in SETTINGS.values() if setting.group}
    if key in bare:
        return Sentence(
            "unknown key “{key}”; write it indented below “{group}:”", key=key, group=bare[key]
        )
    known = sorted({*SETTINGS, *GROUPS, *(one.key for one in list_brought())})
    if not is_mistake(key, known):
        return None
    problem = Sentence("unknown key “{key}”", key=clean_text(key, limit=60))
    return suggest(problem, find_nearest(key, known))


def _read(file: str) -> strict_yaml.Document:
    """A file of the settings. Raises ConfigError with every problem and its line."""
    try:
        return strict_yaml.read(file)
    except OSError as error:
        raise ConfigError([cannot_be_read(file, error)]) from None
    except Problems as error:
        raise ConfigError(map(str, error.problems)) from None


def use_own_cards(config: Config) -> None:
    """Register the table's own cards, or none if it has no such file. Raises ConfigError with every
    problem of the file and its line."""
    if not os.path.lexists(config.cards):
        if datafiles.load_own():
            datafiles.stand_in({})
        return
    document = _read(config.cards)
    try:
        own_cards.use(own_cards.read(document.data))
    except Problems as error:
        raise ConfigError(map(str, document.locate(error.problems).problems)) from None


def save(key: str, value: str, env: Mapping[str, str] = os.environ) -> None:
    """Write `key: value` into the user's settings; every other line is left unchanged.

    `key` is at the left edge of the file. Raises OSError, also if the file is a link to another
    user's, or another user's link, or has settings that are not on lines of their own; the file is
    then unchanged.
    """
    path = locations.user_config(env)
    own_files.need_own_link(path)
    path = os.path.realpath(path)
    lines = _lines(path)
    line = re.compile(rf"([\"']?){re.escape(key)}\1\s*:")
    places = [place for place, text in enumerate(lines) if line.match(text)]
    if places:
        comment = re.search(r"\s+#.*$", lines[places[0]].rstrip("\n"))
        lines[places[0]] = f"{key}: {value}{comment.group() if comment else ''}\n"
    else:
        lines.append(f"{key}: {value}\n")
    text = "".join(lines)
    if not _says(text, key, value):
        raise OSError(errno.EINVAL, _NO_LINES, path)
    try:
        mode = os.stat(path).st_mode & 0o777
    except OSError:
        mode = own_files.FILE
    own_files.replace(path, text, mode=mode)


def _says(text: str, key: str, value: str) -> bool:
    """Whether settings with that text have that value: not where its braces or blanks mean more
    than its lines."""
    with suppress(Problems):
        settings, one = (strict_yaml.parse(it, name="").data for it in (text, f"{key}: {value}"))
        return isinstance(settings, dict) and settings.get(key) == one[key]
    return False


def _lines(path: str) -> list[str]:
    """The lines of the file, each with its newline; none if the file does not exist."""
    try:
        text = strict_yaml.read_text(path)
    except FileNotFoundError:
        return []
    except Problems as error:  # changed by hand meanwhile
        raise OSError(errno.EINVAL, error.problems[0].text, path) from None
    text = text.removeprefix("\ufeff")
    if text and not text.endswith("\n"):
        text += "\n"
    return text.splitlines(keepends=True)
