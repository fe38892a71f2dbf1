"""`companion labels`: chip stickers, reference cards and braille as files to print."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from common import own_files
from common.sentences import N_, Sentence
from companion import chips
from companion.chips.box import KINDS, Box
from companion.commands import DONE, REFUSED, CommandError, need_extra, settings
from companion.commands.files import confirm
from companion.commands.parsing import Parser
from companion.errors.output import answer, answer_json
from companion.files.clean import clean_text
from companion.files.locations import cannot_be_saved
from companion.labels import sheets
from companion.language import _, translate

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from companion.labels.drawing import Printing
    from companion.labels.pieces import Label
    from companion.labels.reference_cards import Card
    from companion.labels.sheets import Sheet
    from companion.settings.config import Config


FARTHEST = 30.0  # millimetres that a printer may be off
CELLS, LINES = range(10, 101), range(5, 101)  # of a page of braille
_NUMBER = r"-?\d{1,3}(?:\.\d{1,3})?"
_OFFSET = re.compile(f"({_NUMBER}),({_NUMBER})")
_OF_LABELS = (
    *("sheet", "round", "only", "players", "seats", "qr", "colour", "offset", "start", "outlines"),
    "test-page",
)


class Asked(NamedTuple):
    """The parsed options, the sheet if labels are printed, and the settings that the options
    change."""

    given: Namespace
    sheet: Sheet | None
    settings: dict[str, Any]


def parse_options(words: Sequence[str]) -> Asked:
    """Parse the words. Raises CommandError and LabelsError."""
    parser = make_parser()
    given = parser.parse_args(_join_negative(words))
    sheet = None
    if not given.list:
        _check(parser, given)
        if given.out and not given.cards:
            sheet = _find_sheet(parser, given)
    return Asked(given, sheet, parser.settings(given))


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
    joined: list[str] = []
    for word in words:
        if joined and joined[-1] == "--offset" and word.startswith("-"):
            joined[-1] = f"--offset={word}"
        else:
            joined.append(word)
    return joined


def _check(parser: Parser, given: Namespace) -> None:
    """Raise CommandError for options that are contradictory or out of range."""
    if not (given.out or given.braille):
        parser.error(_("name a file with --out, or --list the sheets"))
    for option in _OF_LABELS if given.cards else ():
        name = option.replace("-", "_")
        if getattr(given, name) != parser.get_default(name):
            parser.error(_("--cards and --{option} cannot be combined").format(option=option))
    if given.out and not (given.sheet or given.round or given.cards):
        parser.error(_("name a --sheet, or give the diameter of --round labels"))
    if given.cells not in CELLS:
        parser.error(_bounds("--cells", CELLS))
    if given.lines not in LINES:
        parser.error(_bounds("--lines", LINES))
    offset = _OFFSET.fullmatch(given.offset)
    if offset is None or any(abs(float(part)) > FARTHEST for part in offset.groups()):
        parser.error(
            _(
                "--offset takes two numbers of millimetres from {least} to {most}, such as -1.5,2"
            ).format(least=f"-{FARTHEST:g}", most=f"{FARTHEST:g}")
        )
    if (
        given.out
        and given.braille
        and os.path.realpath(given.out) == os.path.realpath(given.braille)
    ):
        parser.error(_("--out and --braille each need a file"))
    for file in () if given.force else filter(None, (given.out, given.braille)):
        if os.path.lexists(file) and not confirm(
            Sentence("{file} exists already. Replace it? yes or no:", file=file)
        ):
            raise CommandError(
                Sentence(
                    "{file}: this file exists already; name another one, or add --force", file=file
                )
            )


def _bounds(option: str, allowed: range) -> str:
    return _("{option} must be from {least} to {most}").format(
        option=option, least=allowed[0], most=allowed[-1]
    )


def _find_sheet(parser: Parser, given: Namespace) -> Sheet:
    paper = given.paper or "a4"
    if given.round is not None:
        sheet = sheets.measure(given.round, given.round, round_=True, paper=paper)
    else:
        sheet = sheets.find(given.sheet, paper)
        if given.paper not in (None, sheet.paper):
            parser.error(
                _("--paper is for labels given in millimetres; {sheet} is {paper}").format(
                    sheet=sheet.title, paper=sheet.paper.capitalize()
                )
            )
    if given.start not in range(1, sheet.labels + 1):
        parser.error(_bounds("--start", range(1, sheet.labels + 1)))
    return sheet


COMMAND = "companion labels"
_WRITABLE = 0o644  # nothing in it is secret, and the printer may belong to somebody else
_SECRET = 0o600  # a seat's code opens it


def run(words: list[str]) -> int:
    """Write the requested files, or list the sheets."""
    given, sheet, changed = parse_options(words)
    config = settings.load(changed)
    if given.list:
        _list_sheets(as_json=given.json)
        return DONE
    files: dict[str, bytes] = {}
    facts: dict[str, object] = {"out": given.out, "braille": given.braille}
    told: list[str] = []
    if given.out:
        if not _is_page(given):
            need_extra(COMMAND, "labels")
        drawn = _draw_labels(sheet, given, config) if sheet else _draw_cards(given, config)
        files[given.out], counted, sentence = drawn
        facts |= counted
        told.append(sentence)
    if given.braille:
        files[given.braille] = _emboss(given, config)
        told.append(_("Written: {file}.").format(file=given.braille))
    _write(files, _SECRET if given.seats else _WRITABLE)
    if given.json:
        answer_json(facts)
    else:
        answer(told)
    return DONE


def _list_sheets(*, as_json: bool) -> None:
    sold = list(sheets.list_sold().values())
    if as_json:
        answer_json([_facts(sheet) for sheet in sold])
        return
    for sheet in sold:
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


def _facts(sheet: Sheet) -> dict[str, object]:
    facts = sheet._asdict()
    shape = "round" if facts.pop("round") else "rectangle"
    return {"name": facts.pop("name"), "shape": shape, "labels": sheet.labels, **facts}


def _printing(sheet: Sheet, given: Namespace) -> Printing:
    from companion.labels.drawing import Printing

    right, down = map(float, given.offset.split(","))
    return Printing(
        sheet,
        offset=(right, down),
        start=given.start,
        large=given.large,
        with_codes=given.qr or given.seats,
        outlines=given.outlines,
        colour=given.colour,
    )


Drawn = tuple[bytes, dict[str, object], str]


def _draw_labels(sheet: Sheet, given: Namespace, config: Config) -> Drawn:
    """The labels, or the test page: the file, facts for programs, a sentence for people."""
    from companion.labels import drawing

    printing = _printing(sheet, given)
    box = Box(config.edition)
    title = _("{edition}: labels").format(edition=translate(box.edition.title))
    if given.test_page:
        sentence = _("Test page: {labels} labels on the sheet, in {file}.")
        told = sentence.format(labels=sheet.labels, file=given.out)
        return drawing.draw_test_page(printing, title), {"labels": 0, "pages": 1}, told
    labels = _list_labels(given, config)
    pdf, pages = drawing.draw_labels(labels, printing, title)
    sentence = _("Written: {file}. Labels: {labels}. Sheets: {sheets}.")
    told = sentence.format(file=given.out, labels=len(labels), sheets=pages)
    return pdf, {"labels": len(labels), "pages": pages}, told


def _list_labels(given: Namespace, config: Config) -> list[Label]:
    """The labels of the box's pieces, or those of the seats. Raises CommandError."""
    from companion.labels import pieces

    if not given.seats:
        return pieces.list_labels(Box(config.edition), given.only, _names(given.players))
    from companion.log.game_settings import ADDRESS, PHONES, GameSettings
    from companion.log.store import Store
    from companion.phones.serving import announce, door, guard

    with Store(config.games) as store:
        last = store.find_last_own_game()
    settings = GameSettings(config.games, last.name) if last is not None else None
    address = settings.get(ADDRESS) if settings else None
    codes = door.read_codes(settings.get(PHONES)) if settings else {}
    if not codes or not isinstance(address, str):
        raise CommandError(
            Sentence("the last game had no phones; host it first, so that its seats have codes"),
            code=REFUSED,
        )
    return [
        pieces.describe_seat(seat, player, guard.format_code(code), announce.link(address, code))
        for seat, (player, code) in enumerate(codes.items(), start=1)
    ]


def _names(players: str | None) -> list[str]:
    names = (clean_text(name) for name in (players or "").split(","))
    return [name for name in names if name]


def _draw_cards(given: Namespace, config: Config) -> Drawn:
    from companion.labels import reference_cards

    cards = _reference_cards(config)
    title = _("{edition}: reference cards").format(
        edition=translate(Box(config.edition).edition.title)
    )
    if _is_page(given):
        sentence = _("Written: {file}. Reference cards: {cards}.")
        told = sentence.format(file=given.out, cards=len(cards))
        page = reference_cards.write_page(cards, title).encode()
        return page, {"cards": len(cards)}, told
    paper = given.paper or "a4"
    pdf, pages = reference_cards.draw(cards, paper, title, larger=given.large)
    sentence = _("Written: {file}. Reference cards: {cards}. Pages: {pages}.")
    told = sentence.format(file=given.out, cards=len(cards), pages=pages)
    return pdf, {"cards": len(cards), "pages": pages}, told


def _is_page(given: Namespace) -> bool:
    """Whether the reference cards are wanted as a page for a browser."""
    return bool(given.cards) and given.out.lower().endswith((".html", ".htm"))


def _reference_cards(config: Config) -> Sequence[Card]:
    from companion.labels import reference_cards
    from engine.record import Setup

    seats = tuple(f"Player {seat}" for seat in range(1, 5))
    try:
        listed = chips.load(config.chips).references
    except chips.ChipsError as error:
        raise CommandError(*error.problems, code=REFUSED) from None
    return reference_cards.list_cards(Setup(config.edition, seats, seats[0]).table(), listed)


def _emboss(given: Namespace, config: Config) -> bytes:
    """The same texts in braille: one part per label, or per entry of a card."""
    from companion.labels import braille

    if given.cards:
        cards = _reference_cards(config)
        parts = [part for card in cards for part in ([card.title], *card.entries)]
    else:
        labels = _list_labels(given, config)
        parts = [label.lines() for label in labels]
    language = config.language
    return braille.emboss(parts, language, grade=given.grade, cells=given.cells, lines=given.lines)


def _write(files: dict[str, bytes], mode: int) -> None:
    for file, content in files.items():
        try:
            own_files.replace(file, content, mode=mode, makes_folder=False)
        except OSError as error:
            raise CommandError(cannot_be_saved(file, error)) from None
