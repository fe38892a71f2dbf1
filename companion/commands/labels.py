"""`companion labels`: chip stickers, reference cards and braille as files to print."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from common import NamedTuple, own_files
from common.sentences import N_, Sentence
from companion import chips
from companion.chips.box import KINDS, Box
from companion.commands import DONE, REFUSED, CommandError, load_settings, need_extra
from companion.commands.parsing import Parser
from companion.commands.record import confirm
from companion.errors.output import answer, answer_json
from companion.files.clean import clean_text
from companion.files.locations import cannot_be_saved
from companion.labels import sheets
from companion.language import _, translate

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from companion.labels.drawing import Printing
    from companion.labels.reference_cards import ReferenceText
    from companion.labels.sheets import Label, LabelSheet
    from companion.settings.config import Config


FARTHEST = 30.0  # millimetres that a printer may be off
CELLS, LINES = range(10, 101), range(5, 101)  # of a page of braille
_NUMBER = r"-?\d{1,3}(?:\.\d{1,3})?"
_OFFSET = re.compile(f"({_NUMBER}),({_NUMBER})")
_OF_LABELS = (
    *("sheet", "round", "only", "players", "seats", "qr", "colour", "offset", "start", "outlines"),
    "test-page",
)


class LabelJob(NamedTuple):
    """The parsed options, the sheet if labels are printed, and the settings that the options
    change."""

    options: Namespace
    sheet: LabelSheet | None
    settings: dict[str, Any]


def parse_options(words: Sequence[str]) -> LabelJob:
    """Parse the words. Raises CommandError and LabelsError."""
    parser = make_parser()
    args = parser.parse_args(_join_negative(words))
    sheet = None
    if not args.list:
        _check(parser, args)
        if args.out and not args.cards:
            sheet = _find_sheet(parser, args)
    return LabelJob(args, sheet, parser.settings(args))


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser(
        "labels", N_("Print labels for the chips of a box, reference cards, or braille.")
    )
    sheet = parser.add_mutually_exclusive_group()
    sheet.add_argument(
        "--sheet",
        metavar="NAME|WxH",
        help="the sheet's name, or a label's size in millimetres: 40x30",
    )
    sheet.add_argument(
        "--round", metavar="MM", type=float, help="circular labels of this diameter, in millimetres"
    )
    parser.add_argument(
        "--out", metavar="FILE", help="write to this PDF file; --cards also to an .html page"
    )
    parser.add_argument("--force", action="store_true", help="replace files without asking")
    parser.add_argument("--braille", metavar="FILE.brf", help="the same in braille")
    parser.add_argument("--list", action="store_true", help="list the sheets by name")
    parser.add_setting("edition", help="the box, instead of the table's")
    parser.add_setting("language")
    parser.add_argument(
        "--only",
        nargs="+",
        choices=KINDS,
        default=KINDS,
        metavar="KIND",
        help=_("only these kinds; there are {kinds}").format(kinds=", ".join(KINDS)),
    )
    parser.add_argument("--players", metavar="NAMES", help="the names for the players' tokens")
    parser.add_argument(
        "--seats",
        action="store_true",
        help="instead, a label for each seat of the last game, which opens it on a phone",
    )
    parser.add_argument("--qr", action="store_true", help="with a QR code for a scanner")
    parser.add_argument(
        "--colour", action="store_true", help="with the signs in the colours of the types"
    )
    parser.add_argument("--large", action="store_true", help="in large print")
    parser.add_argument(
        "--cards", action="store_true", help="the four reference cards instead of labels"
    )
    parser.add_argument(
        "--offset",
        metavar="X,Y",
        default="0,0",
        help="shift everything right and down by this many millimetres",
    )
    parser.add_argument(
        "--start", metavar="N", type=int, default=1, help="the first label to use on the sheet"
    )
    parser.add_argument(
        "--outlines", action="store_true", help="draw the edges of the labels as cutting lines"
    )
    parser.add_argument(
        "--test-page",
        action="store_true",
        help="print only the labels' outlines, centres and numbers",
    )
    parser.add_argument(
        "--paper", choices=tuple(sheets.PAPERS), help="the paper size, if the sheet has no name"
    )
    parser.add_argument("--grade", type=int, choices=(1, 2), default=1, help="the grade of braille")
    parser.add_argument(
        "--cells", metavar="N", type=int, default=40, help="braille cells in a line"
    )
    parser.add_argument(
        "--lines", metavar="N", type=int, default=25, help="braille lines on a page"
    )
    parser.add_argument("--json", action="store_true", help="the answer as JSON")
    return parser


def _join_negative(words: Sequence[str]) -> list[str]:
    """Join a negative offset to its option; argparse would take it for an option."""
    parts: list[str] = []
    for word in words:
        if parts and parts[-1] == "--offset" and word.startswith("-"):
            parts[-1] = f"--offset={word}"
        else:
            parts.append(word)
    return parts


def _check(parser: Parser, options: Namespace) -> None:
    """Raise CommandError for options that are contradictory or out of range."""
    if not (options.out or options.braille):
        parser.error(_("name a file with --out, or --list the sheets"))
    for option in _OF_LABELS if options.cards else ():
        name = option.replace("-", "_")
        if getattr(options, name) != parser.get_default(name):
            parser.error(_("--cards and --{option} cannot be combined").format(option=option))
    if options.out and not (options.sheet or options.round or options.cards):
        parser.error(_("name a --sheet, or give the diameter of --round labels"))
    if options.cells not in CELLS:
        parser.error(_bounds("--cells", CELLS))
    if options.lines not in LINES:
        parser.error(_bounds("--lines", LINES))
    offset = _OFFSET.fullmatch(options.offset)
    if offset is None or any(abs(float(part)) > FARTHEST for part in offset.groups()):
        parser.error(
            _(
                "--offset takes two numbers of millimetres from {least} to {most}, such as -1.5,2"
            ).format(least=f"-{FARTHEST:g}", most=f"{FARTHEST:g}")
        )
    files = [file for file in (options.out, options.braille) if file]
    if len({os.path.realpath(file) for file in files}) < len(files):
        parser.error(_("--out and --braille each need a file"))
    for file in () if options.force else files:
        if os.path.lexists(file) and not confirm(
            Sentence("{file} exists already. Replace it? yes or no:", file=file)
        ):
            raise CommandError(
                Sentence(
                    "{file}: this file exists already; name another one, or add --force", file=file
                )
            )


def _bounds(option: str, range_of_values: range) -> str:
    return _("{option} must be from {least} to {most}").format(
        option=option, least=range_of_values[0], most=range_of_values[-1]
    )


def _find_sheet(parser: Parser, options: Namespace) -> LabelSheet:
    paper = options.paper or "a4"
    if options.round is not None:
        sheet = sheets.measure(options.round, options.round, round_=True, paper=paper)
    else:
        sheet = sheets.find(options.sheet, paper)
        if options.paper not in (None, sheet.paper):
            parser.error(
                _("--paper is for labels given in millimetres; {sheet} is {paper}").format(
                    sheet=sheet.title, paper=sheet.paper.capitalize()
                )
            )
    if options.start not in range(1, sheet.labels + 1):
        parser.error(_bounds("--start", range(1, sheet.labels + 1)))
    return sheet


COMMAND = "companion labels"
_WRITABLE = 0o644  # nothing in it is secret, and the printer may belong to somebody else
_SECRET = 0o600  # a seat's code opens it


def run(words: list[str]) -> int:
    """Write the requested files, or list the sheets."""
    options, sheet, changes = parse_options(words)
    config = load_settings(changes)
    if options.list:
        _list_sheets(as_json=options.json)
        return DONE
    files: dict[str, bytes] = {}
    facts: dict[str, object] = {"out": options.out, "braille": options.braille}
    lines: list[str] = []
    if options.out:
        if not _is_page(options):
            need_extra(COMMAND, "labels")
        sheets_drawn = (
            _draw_labels(sheet, options, config) if sheet else _draw_cards(options, config)
        )
        files[options.out], counts, sentence = sheets_drawn
        facts |= counts
        lines.append(sentence)
    if options.braille:
        files[options.braille] = _emboss(options, config)
        lines.append(_("Written: {file}.").format(file=options.braille))
    _write(files, _SECRET if options.seats else _WRITABLE)
    if options.json:
        answer_json(facts)
    else:
        answer(lines)
    return DONE


def _list_sheets(*, as_json: bool) -> None:
    entries = list(sheets.list_sold().values())
    if as_json:
        answer_json([_facts(sheet) for sheet in entries])
        return
    for sheet in entries:
        sentence = (
            _("{name}: {title}, {paper}, {labels} circular labels of {width} mm")
            if sheet.round
            else _("{name}: {title}, {paper}, {labels} labels of {width} × {height} mm")
        )
        answer(
            [
                sentence.format(
                    name=sheet.name,
                    title=sheet.title,
                    paper=sheet.paper.capitalize(),
                    labels=sheet.labels,
                    width=f"{sheet.width:g}",
                    height=f"{sheet.height:g}",
                )
            ]
        )


def _facts(sheet: LabelSheet) -> dict[str, object]:
    facts = sheet._asdict()
    shape = "round" if facts.pop("round") else "rectangle"
    return {"name": facts.pop("name"), "shape": shape, "labels": sheet.labels, **facts}


def _printing(sheet: LabelSheet, options: Namespace) -> Printing:
    from companion.labels.drawing import Printing

    right, down = map(float, options.offset.split(","))
    return Printing(
        sheet,
        offset=(right, down),
        start=options.start,
        large=options.large,
        with_codes=options.qr or options.seats,
        outlines=options.outlines,
        colour=options.colour,
    )


Drawn = tuple[bytes, dict[str, object], str]


def _draw_labels(sheet: LabelSheet, options: Namespace, config: Config) -> Drawn:
    """The labels, or the test page: the file, facts for programs, a sentence for people."""
    from companion.labels import drawing

    printing = _printing(sheet, options)
    box = Box(config.edition)
    title = _("{edition}: labels").format(edition=translate(box.edition.title))
    if options.test_page:
        sentence = _("Test page: {labels} labels on the sheet, in {file}.")
        text = sentence.format(labels=sheet.labels, file=options.out)
        return drawing.draw_test_page(printing, title), {"labels": 0, "pages": 1}, text
    labels = _list_labels(options, config)
    pdf, pages = drawing.draw_labels(labels, printing, title)
    sentence = _("Written: {file}. Labels: {labels}. Sheets: {sheets}.")
    text = sentence.format(file=options.out, labels=len(labels), sheets=pages)
    return pdf, {"labels": len(labels), "pages": pages}, text


def _list_labels(options: Namespace, config: Config) -> list[Label]:
    """The labels of the box's pieces, or those of the seats. Raises CommandError."""
    from companion.labels import sheets

    if not options.seats:
        return sheets.list_labels(Box(config.edition), options.only, _names(options.players))
    from companion.log.open_game import ADDRESS, PHONES, GameSettings
    from companion.log.store import Store
    from companion.phones.serving import guard, seat_keys
    from companion.phones.serving.where import link_with_code

    with Store(config.games) as store:
        last = store.find_last_own_game()
    settings = GameSettings(config.games, last.name) if last is not None else None
    address = settings.get(ADDRESS) if settings else None
    codes = seat_keys.read_codes(settings.get(PHONES)) if settings else {}
    if not codes or not isinstance(address, str):
        raise CommandError(
            Sentence("the last game had no phones; host it first, so that its seats have codes"),
            code=REFUSED,
        )
    return [
        sheets.describe_seat(seat, player, guard.format_code(code), link_with_code(address, code))
        for seat, (player, code) in enumerate(codes.items(), start=1)
    ]


def _names(players: str | None) -> list[str]:
    names = (clean_text(name) for name in (players or "").split(","))
    return [name for name in names if name]


def _draw_cards(options: Namespace, config: Config) -> Drawn:
    from companion.labels import reference_cards

    cards = _reference_cards(config)
    title = _("{edition}: reference cards").format(
        edition=translate(Box(config.edition).edition.title)
    )
    if _is_page(options):
        sentence = _("Written: {file}. Reference cards: {cards}.")
        text = sentence.format(file=options.out, cards=len(cards))
        page = reference_cards.write_page(cards, title).encode()
        return page, {"cards": len(cards)}, text
    paper = options.paper or "a4"
    pdf, pages = reference_cards.draw(cards, paper, title, larger=options.large)
    sentence = _("Written: {file}. Reference cards: {cards}. Pages: {pages}.")
    text = sentence.format(file=options.out, cards=len(cards), pages=pages)
    return pdf, {"cards": len(cards), "pages": pages}, text


def _is_page(options: Namespace) -> bool:
    """Whether the reference cards are wanted as a page for a browser."""
    return bool(options.cards) and options.out.lower().endswith((".html", ".htm"))


def _reference_cards(config: Config) -> Sequence[ReferenceText]:
    from companion.labels import reference_cards
    from engine.record import Setup

    seats = tuple(f"Player {seat}" for seat in range(1, 5))
    try:
        references = chips.load(config.chips).references
    except chips.ChipsError as error:
        raise CommandError(*error.problems, code=REFUSED) from None
    return reference_cards.list_cards(Setup(config.edition, seats, seats[0]).table(), references)


def _emboss(options: Namespace, config: Config) -> bytes:
    """The same texts in braille: one part per label, or per entry of a card."""
    from companion.labels import reference_cards

    if options.cards:
        cards = _reference_cards(config)
        parts = [part for card in cards for part in ([card.title], *card.entries)]
    else:
        labels = _list_labels(options, config)
        parts = [label.lines() for label in labels]
    language = config.language
    return reference_cards.emboss(
        parts, language, grade=options.grade, cells=options.cells, lines=options.lines
    )


def _write(files: dict[str, bytes], mode: int) -> None:
    for file, content in files.items():
        try:
            own_files.replace(file, content, mode=mode, makes_folder=False)
        except OSError as error:
            raise CommandError(cannot_be_saved(file, error)) from None
