"""What can speak on this computer, and a sentence in each language to hear it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion import language
from companion.language import _, card, listing, translate
from companion.voice import backends
from companion.voice.channel import Child, Failed, find_limit
from companion.voice.script import Manner, Utterance, make_speakable

if TYPE_CHECKING:
    from companion.settings.config import Config
    from companion.voice.channel import Backend


def tell(config: Config) -> list[str]:
    """The voices found, the one for the table, and what the setting lacks."""
    found, output = backends.list_found(), config.voice.table
    lines = [_("Voices: {names}.").format(names=listing(found))] if found else []
    chain = _choose(config)
    if output == "none":
        lines.append(_("The voice is off."))
    elif lack := backends.find_lack(output):
        lines.append(translate(lack))
    elif chain:
        lines.append(_("Voice for the table: {name}.").format(name=chain[0].name))
    if not chain:
        lines.append(_("No voice was found on this computer; games are played in silence."))
        lines.append(backends.advice())
    return lines


def _choose(config: Config) -> list[Backend]:
    return backends.choose("auto" if config.voice.table == "none" else config.voice.table)


def speak(config: Config) -> Iterator[tuple[str, str]]:
    """Speak a call in every language; yields each sentence with its language before it is heard,
    and a problem instead, with "", where it is not."""
    chain, usual = _choose(config), language.current()
    if not chain:
        yield "", _("No voice was found on this computer; games are played in silence.")
        return
    for code in language.list_offered():
        language.use(code)
        call = _("Rank {rank}. Who is the {character}?").format(rank=4, character=card("king"))
        language.use(usual)
        yield code, call
        try:
            _try(chain[0], Utterance(make_speakable(call), code), config)
        except Failed as error:
            yield "", _("Not spoken: {reason}").format(reason=translate(str(error)))


def _try(backend: Backend, utterance: Utterance, config: Config) -> None:
    """Speak and wait. Raises Failed."""
    speed, volume = config.voice.speed, config.voice.volume
    command = backend.command(utterance, Manner(speed, volume))
    Child(command).wait(find_limit(utterance.text, speed))
