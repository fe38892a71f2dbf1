"""The settings: what they are, where they come from, and what is wrong with them.

The shipped `config.yaml` is overlaid with the user's own, with `COMPANION_…` variables and with the
command's options. Everything that is wrong with any of them is said at once, each with its place
and the nearest right word.
"""

from __future__ import annotations

import os

from companion import compiled, keys, locations, system_language
from companion.errors import Told
from companion.setting_checks import (
    between,
    link,
    named_readers,
    nearest,
    one_of,
    output,
    own_keys,
    path,
    quoted,
    reader,
    safe,
    symbols,
    truth,
    voices,
)
from companion.strict_yaml import YamlProblems
from engine import languages
from engine.sentences import Sentence, placed, suggesting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from companion.readers.settings import ReaderSetting
    from companion.voice.settings import VoiceSettings

    Check = Callable[[Any], str | None]

EDITIONS = (
    "classic_2016",
    "hobby_world_2022",
    "accessible_fr",
    "brettspielwelt",
    "millennium_3e",
    "ffg_2005",
    "deluxe_2016",
)
SECRECIES = ("announced", "secret")
LEVELS = ("calls", "all")
FORCED = ("auto", "play", "ask")
THEMES = ("dark", "light", "high-contrast", "terminal")


class Config:
    """The settings of one start of the program, all checked."""

    edition: str
    """The id of the box on the table, one of `EDITIONS`; a new game may choose another."""

    language: str
    """The language of everything said and shown, one of `engine.languages.complete()`."""

    reader: str
    """Where chips are read: one of `READERS`, or the path of a reader."""

    readers: tuple[ReaderSetting, ...]
    """The readers of a table that names them; where there are any, `reader` is not used."""

    secrecy: str
    """Whether targets named by Assassin and Thief are public, one of `SECRECIES`."""

    forced: str
    """What becomes of steps that leave no choice, one of `FORCED`: see `plays_forced`."""

    theme: str
    """The colours of the full screen, one of `THEMES`."""

    animation: bool
    """Whether anything on the screen may move by itself."""

    symbols: str | dict[str, str]
    """How district types are marked, one of `SYMBOLS`, or a mark of one or two signs for some."""

    keys: dict[str, tuple[str, ...]]
    """The keys of each action of the full screen, a table's own in place of the usual ones."""

    cursor: bool
    """Whether the terminal's cursor is shown on what is marked."""

    plain: bool
    """Whether the line caller starts instead of the full screen."""

    data: str
    """The folder of games and chips, absolute; it may not exist yet."""

    chips: str
    """The file that says what each chip is, absolute; it may not exist yet."""

    cards: str
    """The file of the table's own cards, absolute; it need not exist."""

    link: str | None
    """What the web link on a written chip begins with; None for the usual one."""

    def __init__(self, values: Mapping[str, Any], env: Mapping[str, str]) -> None:
        """Take checked values, by key path as in `config.yaml` (`paths.data`)."""
        for key in KEYS:
            if not key.startswith(("paths.", "voice.")):
                setattr(self, key.rpartition(".")[2], values[key])
        self.language = _spoken(values["language"], env)
        self._voice = {key[6:]: values[key] for key in KEYS if key.startswith("voice.")}
        self.readers = _named_readers(values["readers"])
        self.keys = keys.in_force(values["keys"])
        self.data = locations.data_dir(values["paths.data"], env)
        chips = values["paths.chips"]
        self.chips = locations.absolute(chips) if chips else locations.chips_file(self.data)
        cards = values["paths.cards"]
        self.cards = locations.absolute(cards) if cards else locations.cards_file(self.data)

    @property
    def games(self) -> str:
        """The log of games, absolute; it may not exist yet."""
        return locations.games_file(self.data)

    @property
    def voice(self) -> VoiceSettings:
        """How and where the table is spoken to."""
        from companion.voice import settings

        return settings.settings(self._voice)

    def plays_forced(self, *, people: bool) -> bool:
        """Whether steps that leave no choice are played: by default for people, not for a program,
        which says every move itself."""
        return people if self.forced == "auto" else self.forced == "play"

    def __repr__(self) -> str:
        return f"Config({vars(self)})"


class ConfigError(Told):
    """Everything that is wrong with the settings: `problems`, a sentence each with its place."""

    def __init__(self, problems: Iterable[str], language: str | None = None) -> None:
        """`language` is the one to say it in, as far as the settings tell."""
        super().__init__(*problems)
        self.problems = tuple(self.lines)
        self.language = language


def load(
    env: Mapping[str, str] = os.environ,
    *,
    editions: Sequence[str] = EDITIONS,
    options: Mapping[str, Any] | None = None,
    default: str | None = None,
) -> Config:
    """The settings of now: the default file, the user's file, the variables of `env`, and the
    command's `options` by key (None for one that was not given).

    Raises ConfigError with every problem of all of them.
    """
    checks = _checks(editions)
    values: dict[str, Any] = {}
    problems: list[str] = []
    shipped = default or locations.default_config()
    _overlay(values, problems, checks, shipped, env)
    missing = [key for key in KEYS if key not in values]
    if missing and not problems:
        problem = Sentence("{keys} must be given in the default settings", keys=", ".join(missing))
        problems.append(placed(shipped, problem))
    own = locations.user_config(env)
    if own != shipped and os.path.lexists(own):
        _overlay(values, problems, checks, own, env)
    _overlay_variables(values, problems, checks, env)
    for key, value in (options or {}).items():
        if value is not None:
            _put(values, problems, checks, key, value, f"--{_OPTIONS.get(key, key)}")
    if problems:
        raise ConfigError(problems, _spoken(values.get("language"), env))
    return Config(values, env)


def _spoken(language: Any, env: Mapping[str, str]) -> str:
    """The language that this value of the setting means; a wrong one means the system's."""
    spoken = languages.complete()
    return language if language in spoken else system_language.wanted(env, spoken)


def _wrong_readers(value: Any) -> Iterable[tuple[tuple[str, ...], str]]:
    """Every mistake in the named readers, each with its place among them."""
    if not isinstance(value, dict):
        return ()
    from companion.readers import settings as reader_settings

    return reader_settings.problems(value)


def _named_readers(value: Any) -> tuple[ReaderSetting, ...]:
    if not value:
        return ()
    from companion.readers import settings as reader_settings

    return reader_settings.readers(value)


def _checks(editions: Sequence[str]) -> dict[str, Check]:
    return {
        "edition": one_of(*editions),
        "language": one_of("auto", *languages.complete()),
        "reader": reader,
        "readers": named_readers,
        "secrecy": one_of(*SECRECIES),
        "forced": one_of(*FORCED),
        "theme": one_of(*THEMES),
        "animation": truth,
        "symbols": symbols,
        "keys": own_keys,
        "cursor": truth,
        "plain": truth,
        "voice.table": output,
        "voice.ear": output,
        "voice.speed": between(50, 300),
        "voice.volume": between(0, 100),
        "voice.level": one_of(*LEVELS),
        "voice.pause": between(0, 5),
        "voice.voices": voices,
        "voice.murmur": truth,
        "paths.data": path,
        "paths.chips": path,
        "paths.cards": path,
        "tags.link": link,
    }


_INNER: dict[str, Callable[[Any], Iterable[tuple[tuple[str, ...], str]]]] = {
    "readers": _wrong_readers,
    "keys": keys.problems,
}
"""What finds the mistakes inside a setting that is a mapping, each with its place in it."""

KEYS = tuple(_checks(EDITIONS))
"""Every key, a group's with a dot: `paths.data`."""


_OPTIONS = {"voice.table": "voice", "tags.link": "link"}
"""What a command calls a setting that it calls something else."""


def _variable(key: str) -> str:
    group, _, name = key.rpartition(".")
    return "COMPANION_" + (f"voice_{name}" if group == "voice" else name).upper()


VARIABLES = {_variable(key): key for key in KEYS if key not in (*_INNER, "voice.voices")}
"""The variable that sets each key; a mapping is for files only."""


def _overlay(
    values: dict[str, Any],
    problems: list[str],
    checks: dict[str, Check],
    file: str,
    env: Mapping[str, str],
) -> None:
    """Put what a file says over `values`."""
    try:
        document = compiled.read(file, env=env)
    except OSError as error:
        problems.append(locations.cannot_be_read(file, error))
        return
    except YamlProblems as error:
        problems.extend(str(problem) for problem in error.problems)
        return

    def check(place: tuple[str, ...], entries: Any) -> None:
        for word, value in entries.items():
            here = (*place, word)
            key = ".".join(here)
            if key in checks:
                said = checks[key](value)
                values[key] = value
            elif key in _GROUPS:
                said = (
                    None
                    if isinstance(value, dict | None)
                    else Sentence("“{key}” holds further keys, indented below it", key=key)
                )
                check(here, value if isinstance(value, dict) else {})
            else:
                said = _unknown_key(key)
            for inner, wrong in _INNER[key](value) if key in _INNER else ():
                shown = placed(".".join((key, *inner)), wrong)
                problems.append(str(document.problem((*here, *inner), shown)))
            if said:
                problem = placed(key, said) if key in checks else said
                problems.append(str(document.problem(here, problem)))

    if isinstance(document.data, dict | None):
        check((), document.data or {})
    else:
        problems.append(placed(f"{file}:1", Sentence("settings are lines of “key: value”")))


_GROUPS = {key.partition(".")[0] for key in KEYS if "." in key}


def _overlay_variables(
    values: dict[str, Any], problems: list[str], checks: dict[str, Check], env: Mapping[str, str]
) -> None:
    """Put what the variables say over `values`; an empty variable says nothing."""
    for variable, text in env.items():
        if not variable.startswith("COMPANION_") or not text:
            continue
        key = VARIABLES.get(variable)
        if key is None:
            # Another program may own it: only what looks like a slip of the hand is ours to report.
            meant = nearest(variable, VARIABLES, cutoff=0.85)
            if meant:
                problem = Sentence("{name} is not a known variable", name=quoted(variable))
                problems.append(suggesting(problem, meant))
            continue
        value: Any = text
        if checks[key] is truth:
            value = {"true": True, "1": True, "false": False, "0": False}.get(text.lower(), text)
        _put(values, problems, checks, key, value, variable)


def _put(
    values: dict[str, Any],
    problems: list[str],
    checks: dict[str, Check],
    key: str,
    value: Any,
    place: str,
) -> None:
    """Put one value that comes from no file; `place` is what people call where it comes from."""
    said = checks[key](value)
    values[key] = value
    if key == "reader":  # for one start this one reader, whatever the files name
        values["readers"] = None
    if said:
        problems.append(placed(place, said))


def _unknown_key(key: str) -> str:
    groups = {name for name in (*KEYS, *_GROUPS)}
    bare = {name.rpartition(".")[2]: name for name in KEYS}
    if key in bare:
        group, _, last = bare[key].partition(".")
        if not last:
            return ""
        return Sentence(
            "unknown key “{key}”; write it indented below “{group}:”", key=key, group=group
        )
    problem = Sentence("unknown key “{key}”", key=safe(key, 60))
    return suggesting(problem, nearest(key, sorted(groups)))
