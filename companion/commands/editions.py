"""`companion editions`: lists the boxes, one box's options, or the differences between two."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from common.problems import find_nearest
from common.sentences import Sentence, suggest
from companion.commands import CommandError
from companion.commands.declared import JSON, Answer, arg, command
from companion.errors.output import answer
from companion.language import _, boxes, current, listing, print_as, translate
from companion.settings.config import Config
from companion.wording import editions_told
from companion.wording.editions_told import list_differences
from companion.wording.facts import sentences
from engine import casts
from engine.differences import SMALL_TABLE, characters_of, compare, districts_of
from engine.editions import Edition, Switch, editions, switches, write_answer

DIFF = "diff"


@command(
    "editions",
    arg(
        "words",
        metavar="EDITION | diff A B",
        nargs="*",
        help="every option of this box, or how two of them differ",
    ),
    JSON,
)
def run(config: Config, args: Namespace) -> Answer:
    """The requested editions."""
    if args.words[:1] == [DIFF]:
        return _tell_differences(args.words[1:])
    choices = [_edition(id_) for id_ in args.words] or list(editions().values())
    if args.json:
        return Answer((), [_facts(edition) for edition in choices])
    table = boxes()
    for edition in choices:
        print_as(*edition.boxes)
        answer(editions_told.box(edition))
        if args.words:  # one sentence per line, for listening
            answer(line for option in editions_told.options(edition) for line in sentences(option))
    print_as(*table)
    more = _("companion editions and an id lists every option of that box.")
    return Answer(() if args.words else [more])


def _edition(id_: str) -> Edition:
    """The edition with that id. Raises CommandError with the nearest one."""
    known = editions()
    if id_ not in known:
        offers = [*known, DIFF]
        problem = Sentence("companion editions: unknown edition “{word}”", word=id_)
        raise CommandError(
            suggest(problem, find_nearest(id_, offers)),
            Sentence("Choose from: {cards}.", cards=listing(known)),
        )
    return known[id_]


def _tell_differences(ids: list[str]) -> Answer:
    if len(ids) != 2:
        raise CommandError(
            Sentence("companion editions diff: name two editions"),
            Sentence("See: {command}", command="companion editions"),
        )
    one, other = _edition(ids[0]), _edition(ids[1])
    lines = list_differences(one, other) or [_("They play exactly the same.")]
    head = _("{one}: {first}. {other}: {second}.").format(
        one=translate(one.cites),
        first=translate(one.title),
        other=translate(other.cites),
        second=translate(other.title),
    )
    facts = compare(one, other, current())._asdict()
    data = {"editions": [one.id, other.id], **_drop_empty(facts)}
    return Answer([head, *lines], data)


def _drop_empty(facts: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in facts.items() if value not in (None, {}, (), ((), ()))}


def _facts(edition: Edition) -> dict[str, Any]:
    """The edition as JSON."""
    return {
        "id": edition.id,
        "title": edition.title,
        "players": [edition.min_players, edition.max_players],
        "language": edition.language,
        "first_crown": translate(edition.first_crown),
        "characters": characters_of(edition),
        "ordinary_cast": edition.cast,
        "ninth": edition.ninth,
        "nine_with": edition.nine_with,
        "districts": {
            id_: {"type": card.type, "cost": card.cost, "copies": card.copies}
            for id_, card in districts_of(edition).items()
        },
        "uniques_played": edition.uniques_played,
        "casts": {
            id_: {"characters": cast.characters, "districts": cast.districts}
            for id_, cast in casts.list_printed(edition).items()
        },
        "options": {name: _option(edition, switch) for name, switch in switches().items()},
    }


def _option(edition: Edition, switch: Switch) -> dict[str, Any]:
    return {
        "question": translate(switch.question),
        "values": {write_answer(value): translate(word) for value, word in switch.values.items()},
        "list": switch.is_list,
        "answer": edition.answers(SMALL_TABLE + 1)[switch.name],
        "answer_small_table": edition.answers(SMALL_TABLE)[switch.name],
        "source": translate(edition.source(switch.name)),
        "own": switch.name in edition.switches or switch.name in edition.small_table,
    }
