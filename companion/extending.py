"""Extensions: what a table can do without, each a package of its own that may be removed.

An extension is one object, an `Extension`, which its distribution names under the entry point group
`GROUP`; docs/dev/extending.md has a whole one. Nothing here imports one before it is needed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable, Container, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from common.sentences import Sentence

if TYPE_CHECKING:
    from engine.table import Table

GROUP = "citadels_companion.extensions"
_Brought = TypeVar("_Brought")


class Command(NamedTuple):
    """A command: `what` it does, and the module whose `run` is made by `declared.command`. One that
    only has commands below it (`tags`) needs no module. `in_front`: the help describes it."""

    what: str
    module: str = ""
    in_front: bool = False


class Told(NamedTuple):
    """A sentence that everybody heard: `about` is the verb of the move, or the kind of event;
    `companion.language.translate` gives the text in the table's language."""

    about: str
    text: Sentence


class Seen(NamedTuple):
    """What everybody at the table may know, when there was something to see."""

    game: str
    """The game's name in the log."""

    number: int
    """Counts the moves and what was undone, also before the game was resumed."""

    table: Table
    """The public view (`engine.views.redact`)."""

    told: tuple[Told, ...] = ()
    """What the move did that was just played; otherwise empty."""

    awaited: tuple[str, ...] = ()
    """The names of those for whom the game waits; empty while nobody may know who that is."""


class TableWord(NamedTuple):
    """A word of the conversation at the table: its line in the help, and what answers it, given the
    conversation, whose game has its secrets, and the text after it. It may have a `row` after the
    end of a game, and `keys` on the full screen, whose help tells what they do."""

    help: str
    answer: Callable[[Any, str], object]
    takes_text: bool = False
    row: Sentence = Sentence("")
    keys: tuple[str, ...] = ()
    does: Sentence = Sentence("")


class Onlooker:
    """What sees each game at the table, and no more of it than everybody there.

    Its methods are called in the game's thread and return at once: what takes time they leave to a
    thread of their own.
    """

    quiet: float = 0.0
    """After how many seconds with nothing new for everybody to see `see_quiet` is called, once; 0:
    never."""

    say: Callable[[str], object] = staticmethod(lambda text: None)
    """Says a sentence to everybody at the table, on every face. Given by the table; any thread may
    call it. With a `Sentence` each phone has it in its own language."""

    def see(self, seen: Seen) -> None:
        """A game has begun or was resumed, a move was played or undone."""

    def see_quiet(self, seen: Seen) -> None:
        """Nothing new was to be seen for a while; this is what is to be seen."""

    def close(self) -> None:
        """The program ends."""


class Extension:
    """What an extension brings; a subclass names what it has, the rest stays empty. Whatever raises
    an exception is told to people in one sentence, and left out."""

    name: str
    """That of its entry point, which gives it."""

    commands: ClassVar[Mapping[str, Command]] = {}
    """By name; one with a space (`club hub`) is below the other."""

    gone: ClassVar[Mapping[str, str]] = {}
    """Commands of former versions and their options (`labels --list`), with what replaces them."""

    locale: str = ""
    """The path of a folder like `companion/locale`: its sentences and words in other languages. If
    it names none, that is the folder `locale` beside the module of its entry point."""

    settings: ClassVar[Iterable[Any]] = ()
    """Each a `companion.settings.setting.Setting`; with an option, `companion play` takes it."""

    def listen(
        self, settings: Mapping[str, Any], folder: str, tell: Callable[[str], object]
    ) -> Onlooker | None:
        """What sees the games at this table; None if the settings want nothing of it.

        `settings` are the extension's own by their keys, `folder` is the table's data folder, and
        `tell` shows a person a line, from any thread.
        """
        return None

    def list_words(self) -> Mapping[str, TableWord]:
        """Its words of the conversation at the table, now."""
        return {}

    def list_pages(self) -> Mapping[str, Callable[[Any, Any], Awaitable[Any]]]:
        """Its pages for phones by address: what answers a GET, given the site and the request. An
        address that ends with a slash takes one more segment; one that the companion has itself
        stays its own."""
        return {}

    async def tell_end(self, site: Any, language: str) -> Any:
        """A `companion.phones.serving.afterwards.Ending`: what phones show in that language after
        the end of the game."""
        return None


def explain(name: str, error: Exception) -> Sentence:
    """Why an extension, or its module of that name, cannot be used."""
    reason = str(error)
    if not isinstance(reason, Sentence):
        reason = " ".join(reason.split()) or type(error).__name__
    return Sentence("The extension {name} does not work: {reason}", name=name, reason=reason)


_missing: set[str] = set()  # the names of those that were removed or do not work
_problems: list[Sentence] = []  # that nobody was told yet


def _give_up(name: str, error: Exception) -> None:
    """Leave that extension out from now on, and note why."""
    _missing.add(name)
    _problems.append(explain(name, error))


@cache
def _find() -> list[Extension]:
    from importlib.metadata import entry_points  # slow, and most commands need no extension

    extensions: list[Extension] = []
    for point in sorted(entry_points(group=GROUP)):
        try:
            extension = point.load()
            if not isinstance(extension, Extension):
                raise TypeError(f"{point.value} is no Extension")
            extension.name = point.name
            module = sys.modules[point.module].__file__ or ""
            extension.locale = extension.locale or os.path.join(os.path.dirname(module), "locale")
            extensions.append(extension)
        except Exception as error:
            lacks = error.name if isinstance(error, ModuleNotFoundError) else None
            is_removed = lacks and f"{point.module}.".startswith(f"{lacks}.")
            if is_removed and point.module.startswith("companion.extensions."):
                _missing.add(point.name)
            else:
                _give_up(point.name, error)
    return extensions


def gather(bring: Callable[[Extension], Iterable[_Brought]]) -> list[_Brought]:
    """What all extensions bring of one kind."""
    brought: list[_Brought] = []
    for extension in _find():
        try:
            brought += bring(extension) if extension.name not in _missing else ()
        except Exception as error:
            _give_up(extension.name, error)
    return brought


def list_words() -> dict[str, TableWord]:
    """The words that all extensions bring to the conversation at the table."""
    return dict(gather(lambda extension: extension.list_words().items()))


def find_bringer(word: str, bring: Callable[[Extension], Container[str]]) -> str:
    """The name of the extension with that word in what it brings of one kind."""
    names = gather(lambda extension: [extension.name] if word in bring(extension) else [])
    return names[-1] if names else word  # it has failed meanwhile


def list_missing() -> set[str]:
    """The names of the extensions that are installed, but were removed or do not work."""
    _find()
    return _missing


def take_problems() -> list[Sentence]:
    """What is to be told about extensions that do not work, once."""
    problems = [*_problems]
    _problems.clear()
    return problems
