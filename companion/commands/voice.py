"""`companion voice`: which voices this machine has, and how they sound in each language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import language
from companion.commands import DONE, REFUSED, settings
from companion.commands.output import answer, complain
from companion.commands.parsing import Parser
from companion.language import _, card
from companion.voice import backends
from companion.voice.backends import Manner
from companion.voice.channel import usual_limit
from companion.voice.child import Child, Failed
from companion.voice.settings import FILES
from companion.voice.utterance import LONGEST, Utterance, spoken
from engine import languages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.config import Config
    from companion.voice.backends import Backend


def run(words: list[str]) -> int:
    """List the voices and try the one that would speak; 0 if it spoke."""
    parser = Parser("voice", "Which voices this machine has; a test sentence in each language.")
    parser.add_argument("--say", metavar="TEXT", help="these words instead, in your language")
    parser.add_argument("--into", metavar="FOLDER", help="into files instead of a loudspeaker")
    given = parser.parse_args(words)
    config = settings.load()
    found = backends.found()
    answer(_("{name}: found.").format(name=name) for name in found)
    wanted = config.voice.table if config.voice.table != "none" else "auto"
    chain = backends.chosen(FILES + given.into if given.into else wanted)
    if not chain:
        answer([_("Nothing on this machine can speak; a game goes on without a voice.")])
        answer([backends.advice()])
        return REFUSED
    answer([_("The table would hear: {name}.").format(name=chain[0].name)])
    heard = [_try(chain[0], said, config) for said in _sentences(given.say)]
    if given.into and all(heard):
        answer([_("The sounds are in {folder}.").format(folder=given.into)])
    return DONE if all(heard) else REFUSED


def _sentences(text: str | None) -> Iterator[Utterance]:
    """What to say: the text in the language in force, or a call in every language."""
    usual = language.current()
    if text is not None:
        yield Utterance(spoken(text[:LONGEST]), usual)
        return
    for code in languages.complete():
        language.use(code)
        call = _("Rank {rank}. The {character}.").format(rank=4, character=card("king"))
        yield Utterance(spoken(call), code)
    language.use(usual)


def _try(backend: Backend, said: Utterance, config: Config) -> bool:
    """Speak it and wait; whether that worked. Standard error says why not."""
    speed, volume = config.voice.speed, config.voice.volume
    try:
        command = backend.command(
            said, Manner(speed, config.voice.voices.get(said.language), volume)
        )
        answer([f"{said.language}: {said.text}"])
        if command is not None:
            Child(command).wait(usual_limit(said.text, speed))
    except Failed as failed:
        complain([_("Not spoken: {reason}").format(reason=language.said(str(failed)))])
        return False
    return True
