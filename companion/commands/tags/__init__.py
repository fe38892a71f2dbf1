"""`companion tags`: the meanings of this table's chips, and what is written on them.

What needs no chip is here: `list`, `export` and `import` for the whole mapping, and `key`.
"""

from __future__ import annotations

import os
from textwrap import wrap
from typing import TYPE_CHECKING

from common.sentences import N_, Sentence
from companion import chips, language
from companion.chips import entries
from companion.commands import DONE, REFUSED, CommandError, load_settings
from companion.commands.parsing import Parser, describe_group, refuse_subcommand
from companion.errors.output import answer, print_error
from companion.language import _, plural
from tags.links import format_uid

if TYPE_CHECKING:
    from argparse import Namespace

    from companion.settings.config import Config


COMMANDS = {
    "learn": N_("go through a box: tap the chip of each card you are asked for"),
    "write": N_("write each card's link, record and name to its chip"),
    "verify": N_("go through the deck: which chips are correct, wrong, duplicates or missing"),
    "inventory": N_(
        "which cards are here, which are missing, and which boxes you can play with them"
    ),
    "lock": N_("make a chip read-only permanently"),
    "erase": N_("erase a chip"),
    "list": N_("what each chip is"),
    "key": N_("what the action and number chips do, to print or emboss"),
    "export": N_("export the chip list to a FILE, for another table"),
    "import": N_("import the chip list from a FILE"),
}
"""Every subcommand with its description."""

_WITH_FILE = ("export", "import")
_WITH_BOX = ("learn", "write", "verify", "inventory")
_WITH_KINDS = ("learn", "write")
_NO_READER = ("list", "key", *_WITH_FILE)


def run(words: list[str]) -> int:
    """Run a subcommand."""
    if words and words[0] in ("-h", "--help"):
        about = Sentence("The chips: which card each one is, and what is written on it.")
        print(describe_group("tags", about, COMMANDS))
        return DONE
    options = _parse(words)
    editions = getattr(options, "edition", None) or [None]
    for edition in editions:  # the last one is the table's box
        config = load_settings(options.settings | ({"edition": edition} if edition else {}))
    try:
        return _run(options, config)
    except chips.FileFailed as error:
        raise CommandError(*error.problems) from None
    except chips.ChipsError as error:
        raise CommandError(*error.problems, code=REFUSED) from None


def _parse(words: list[str]) -> Namespace:
    command = words[0] if words else ""
    if command not in COMMANDS:
        raise refuse_subcommand("tags", command, COMMANDS)
    parser = make_parser(command)
    options = parser.parse_args(words[1:])
    if command in (*_WITH_KINDS, "verify") and len(options.edition or ()) > 1:
        parser.error(_("one --edition at a time"))
    if command == "key" and options.width is not None and options.width < 20:
        parser.error(_("--width must be at least 20 characters"))
    options.command, options.settings = command, parser.settings(options)
    return options


def make_parser(command: str) -> Parser:
    """The options of a subcommand."""
    parser = Parser(f"tags {command}", COMMANDS[command])
    if command in _WITH_FILE:
        parser.add_argument("file", metavar="FILE", help="the file")
    if command not in _NO_READER:
        parser.add_setting("tags.deck")
        parser.add_setting("reader", help="simulated, usb, or a path")
    if command in _WITH_BOX:
        parser.add_argument(
            "--edition",
            metavar="EDITION",
            action="append",
            help=N_("the box, instead of the table's; repeat it for several")
            if command == "inventory"
            else N_("the box, instead of the table's"),
        )
    if command in _WITH_KINDS:
        from companion.chips.box import KINDS, USUAL

        parser.add_argument(
            "--only",
            nargs="+",
            choices=KINDS,
            default=USUAL,
            metavar="KIND",
            help=_("only these kinds; there are {kinds} (default: {usual})").format(
                kinds=", ".join(KINDS), usual=", ".join(USUAL)
            ),
        )
    if command == "write":
        parser.add_setting("tags.link")
        parser.add_argument(
            "--again",
            action="store_true",
            help="start over, and rewrite chips that are already written",
        )
    if command == "key":
        parser.add_argument(
            "--width",
            metavar="N",
            type=int,
            help="at most this many characters a line, such as 40 for braille",
        )
    if command == "inventory":
        parser.add_argument(
            "--known", action="store_true", help="count from the learned chips instead of tapping"
        )
        parser.add_argument("--json", action="store_true", help="the answer as JSON")
    return parser


def _run(options: Namespace, config: Config) -> int:
    """Run the subcommand; loads a walk only if it is taken."""
    match options.command:
        case "list":
            return list_chips(config)
        case "export":
            return export_chips(config, options.file)
        case "import":
            return import_chips(config, options.file)
        case "key":
            return show_key(config, options.width)
        case "learn":
            from companion.commands.tags.walk import Learn

            return Learn(config, options.only).run()
        case "write":
            from companion.commands.tags.write import Write

            return Write(config, options.only, again=options.again).run()
        case "verify":
            from companion.commands.tags.counting import Verify

            return Verify(config, whole_box=options.edition is not None).run()
        case "inventory":
            from companion.commands.tags import counting

            return counting.run_inventory(config, options)
    from companion.commands.tags.write import Erase, Lock

    return (Lock if options.command == "lock" else Erase)(config).run()


def show_key(config: Config, width: int | None) -> int:
    """Print the key in the table's language, wrapped to `width` columns."""
    language.use(config.language)
    for line in entries.list_action_chips():
        answer(wrap(line, width) if width else [line])
    return DONE


def list_chips(config: Config) -> int:
    """Print every chip with its meaning. Raises ChipsError."""
    registry = chips.load(config.chips)
    answer(f"{format_uid(uid)}: {entry}" for uid, entry in registry)
    number = len(registry)
    print_error(
        [plural("{number} chip in {file}", "{number} chips in {file}", number, file=config.chips)]
    )
    return DONE


def export_chips(config: Config, file: str) -> int:
    """Write the mapping to a new file. Raises ChipsError and CommandError."""
    if os.path.lexists(file):
        raise CommandError(
            Sentence("{file}: this file already exists; name another one", file=file)
        )
    registry = chips.load(config.chips)
    chips.save(file, registry, makes_folder=False)
    answer([plural("{number} chip written.", "{number} chips written.", len(registry))])
    return DONE


def import_chips(config: Config, file: str) -> int:
    """Add a file's chips: all of them, or none if one contradicts the mapping here.

    Each named deck keeps its name; chips without a deck are added to the current one. Raises
    ChipsError and CommandError.
    """
    if not os.path.exists(file):
        raise CommandError(Sentence("{file}: there is no such file", file=file))
    registry, imports = chips.load(config.chips), chips.load(file)
    conflicts, count = [], 0
    for deck in imports.list_decks():
        registry = registry.with_deck(deck or config.deck or "")
        for uid, entry in imports.with_deck(deck).list_own():
            contradictions = registry.conflicts(uid, entry)
            conflicts += [
                _("{uid} would be {entry}, but here {other} is {held}.").format(
                    uid=format_uid(uid), entry=entry, other=format_uid(other), held=meaning
                )
                for other, meaning in contradictions
            ]
            if not contradictions:
                count += uid not in registry
                registry = registry.with_chip(uid, entry)
    if conflicts:
        raise CommandError(*conflicts, _("Nothing was imported."), code=REFUSED)
    chips.save(config.chips, registry)
    answer([plural("{number} new chip imported.", "{number} new chips imported.", count)])
    return DONE
