"""What the line caller does itself: languages, the voice, other games, chips, leaving."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion import language
from companion.language import _
from companion.plain import chip_words, games, help_topics, voice
from companion.wording.editions import language_called, language_name
from engine import languages

if TYPE_CHECKING:
    from companion.plain.caller import Caller

    Deed = Callable[[Caller, str], None]


def do(caller: Caller, word: str, rest: str) -> bool:
    """Do what that word says, by its English name; whether it is one of these."""
    deed = DEEDS.get(word)
    if deed is None or (rest and word not in _WITH_WORDS):
        return False
    deed(caller, rest)
    return True


def _language(caller: Caller, rest: str) -> None:
    """Speak another language from now on."""
    wanted = language_called(rest)
    known = ", ".join(languages.complete())
    if wanted is not None:
        caller.session.speak(wanted)
        caller.talk.forget()
    elif rest:
        sentence = _("{word} is no language here; there are: {known}.")
        caller.refuse(sentence.format(word=rest, known=known))
        return
    current = language_name(language.current())
    caller.tell(_("Language: {language}.").format(language=current))
    if not rest:
        sentence = _("language fr: speak French from now on; there are: {known}.")
        caller.tell(sentence.format(known=known))


def _quit(caller: Caller, rest: str) -> None:
    caller.leaving = True
    caller.tell(_("The game is saved."))


DEEDS: dict[str, Deed] = {
    "voice": voice.voice,
    "faster": voice.faster,
    "slower": voice.slower,
    "hush": voice.hush,
    "help": help_topics.answer,
    "language": _language,
    "new": games.new,
    "rematch": games.rematch,
    "games": games.games,
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
_WITH_WORDS = frozenset({"voice", "help", "language", "open", "learn", "tap", "hold"})
