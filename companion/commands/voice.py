"""`companion voice`: lists this machine's voices and tries them in each language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import language
from companion.commands import DONE, REFUSED, load_settings
from companion.commands.parsing import Parser
from companion.errors.output import answer, print_error
from companion.language import _, card
from companion.settings.services import FILES
from companion.voice import backends
from companion.voice.channel import Child, Failed, find_limit
from companion.voice.script import LONGEST, Manner, Utterance, make_speakable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.settings.config import Config
    from companion.voice.backends import Backend


def run(words: list[str]) -> int:
    """List the voices and try the preferred one; 0 if it spoke."""
    args = make_parser().parse_args(words)
    config = load_settings()
    matches = backends.list_found()
    answer(_("{name}: found.").format(name=name) for name in matches)
    target = config.voice.table if config.voice.table != "none" else "auto"
    if lack := backends.find_lack(target):
        print_error([language.translate(lack)])
    chain = backends.choose(FILES + args.into if args.into else target)
    if not chain:
        answer([_("No voice was found on this computer; games are played in silence.")])
        answer([backends.advice()])
        return REFUSED
    answer([_("Voice for the table: {name}.").format(name=chain[0].name)])
    entries = [_try(chain[0], utterance, config) for utterance in _sentences(args.say)]
    if args.into and all(entries):
        answer([_("The sounds are in {folder}.").format(folder=args.into)])
    return DONE if all(entries) else REFUSED


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser("voice", "The voices on this computer, with a test sentence in each language.")
    parser.add_argument(
        "--say", metavar="TEXT", help="speak these words instead, in the table's language"
    )
    parser.add_argument("--into", metavar="FOLDER", help="write sound files instead of speaking")
    return parser


def _sentences(text: str | None) -> Iterator[Utterance]:
    """What to say: the text in the current language, or a call in every language."""
    usual = language.current()
    if text is not None:
        yield Utterance(make_speakable(text[:LONGEST]), usual)
        return
    for code in language.list_offered():
        language.use(code)
        call = _("Rank {rank}. Who is the {character}?").format(rank=4, character=card("king"))
        yield Utterance(make_speakable(call), code)
    language.use(usual)


def _try(backend: Backend, utterance: Utterance, config: Config) -> bool:
    """Speak and wait; returns whether it worked. Errors go to standard error."""
    speed, volume = config.voice.speed, config.voice.volume
    try:
        command = backend.command(
            utterance, Manner(speed, config.voice.voices.get(utterance.language), volume)
        )
        answer([f"{utterance.language}: {utterance.text}"])
        if command is not None:
            Child(command).wait(find_limit(utterance.text, speed))
    except Failed as error:
        print_error([_("Not spoken: {reason}").format(reason=language.translate(str(error)))])
        return False
    return True
