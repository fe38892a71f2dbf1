"""Operations of the line caller alone: languages, the voice, other games, chips, quitting."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion import language
from companion.language import _
from companion.plain import chip_words, games, help_topics, phone_words, voice
from companion.plain.asking import offer_languages
from companion.wording.editions import language_called, language_name, refuse_language

if TYPE_CHECKING:
    from companion.game.session import Session
    from companion.plain.state import CallerState

    Operation = Callable[[CallerState, str], Session | None]


def find(word: str, rest: str) -> Operation | None:
    """The operation for this command, by its English name, with these arguments."""
    return OPERATIONS.get(word) if not rest or word in _WITH_WORDS else None


def _language(caller: CallerState, rest: str) -> None:
    """Switch to another language."""
    wanted = language_called(rest)
    if wanted is not None:
        caller.session.speak(wanted)
        caller.talk.forget()
    elif rest:
        caller.refuse(refuse_language(rest))
        return
    current = language_name(language.current())
    caller.tell(_("Language: {language}.").format(language=current))
    if not rest:
        caller.tell(offer_languages())


def _quit(caller: CallerState, rest: str) -> None:
    caller.leaving = True
    caller.tell(_("The game is saved."))


OPERATIONS: dict[str, Operation] = {
    "voice": voice.voice,
    "faster": voice.speed_up,
    "slower": voice.slow_down,
    "hush": voice.hush,
    "phones": phone_words.answer_phones,
    "help": help_topics.answer,
    "language": _language,
    "new": games.start_new,
    "rematch": games.rematch,
    "games": games.list_games,
    "open": games.open_game,
    "quit": _quit,
    "exit": _quit,
    "learn": chip_words.learn,
    "tap": chip_words.tap,
    "hold": chip_words.hold,
    "lift": chip_words.lift,
    "unplug": chip_words.unplug,
    "plug": chip_words.plug,
}
"""What each command does, with its arguments; some return a game to switch to."""

_WITH_WORDS = frozenset({"voice", "phones", "help", "language", "open", "learn", "tap", "hold"})
