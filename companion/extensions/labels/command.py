"""`companion labels`: chip stickers, reference cards and braille as files to print."""

from __future__ import annotations

import os
import re
from argparse import Namespace
from collections.abc import Sequence

from common import own_files
from common.sentences import Sentence
from companion import chips
from companion.chips.box import Box
from companion.commands import CommandError, need_extra, seat_codes
from companion.commands.declared import Answer, arg, command, setting, take_count, wrong
from companion.commands.record import confirm
from companion.commands.tags import ONLY
from companion.extensions.labels import drawing, reference_cards, sheets
from companion.extensions.labels.drawing import Printing
from companion.extensions.labels.reference_cards import ReferenceText
from companion.extensions.labels.sheets import Label, LabelSheet
from companion.files.locations import cannot_be_saved
from companion.language import _, translate
from companion.settings.config import Config
from companion.setup import split_names
from engine.record import Setup

FARTHEST = 30.0  # millimetres that a printer may be off
_NUMBER = r"-?\d{1,3}(?:\.\d{1,3})?"
_OFFSET = re.compile(f"({_NUMBER}),({_NUMBER})")
_CENTRED = (0.0, 0.0)
_OF_LABELS = {
    **dict.fromkeys(("sheet", "round", "players"), None),
    **dict.fromkeys(("seats", "qr", "test_page"), False),
    **{"only": (), "offset": _CENTRED, "start": 1},
}
"""Options that only labels have, with their defaults."""

COMMAND = "companion labels"
_WRITABLE = 0o644  # nothing in it is secret, and the printer may belong to somebody else
_SECRET = 0o600  # a seat's code opens it


def _take_offset(word: str) -> tuple[float, float]:
    match = _OFFSET.fullmatch(word)
    if match is None or any(abs(float(part)) > FARTHEST for part in match.groups()):
        raise wrong(
            Sentence(
                "“{word}” is not two numbers of millimetres from {least} to {most}, such as -1.5,2",
                word=word,
                least=f"-{FARTHEST:g}",
                most=f"{FARTHEST:g}",
            )
        )
    return float(match[1]), float(match[2])


@command(
    "labels",
    [
        arg(
            "--sheet",
            metavar="NAME|WxH",
            help="the sheet's name, or a label's size in millimetres: 40x30; without any option "
            "the sheets are listed",
        ),
        arg(
            "--round",
            metavar="MM",
            type=float,
            help="circular labels of this diameter, in millimetres",
        ),
    ],
    arg("--out", metavar="FILE", help="write to this PDF file; --cards also to an .html page"),
    arg("--braille", metavar="FILE.brf", help="the same in braille"),
    setting("edition", help="the box, instead of the table's"),
    setting("language"),
    ONLY,
    arg("--players", metavar="NAMES", help="the names for the players' tokens"),
    arg(
        "--seats",
        action="store_true",
        help="instead, a label for each seat of the last game, which opens it on a phone",
    ),
    arg("--qr", action="store_true", help="with a QR code for a scanner"),
    arg("--large", action="store_true", help="in large print"),
    arg("--cards", action="store_true", help="the four reference cards instead of labels"),
    arg(
        "--offset",
        metavar="X,Y",
        type=_take_offset,
        default=_CENTRED,
        help="shift everything right and down by this many millimetres",
    ),
    arg(
        "--start",
        metavar="N",
        type=take_count(1, 1000),
        default=1,
        help="the first label to use on the sheet",
    ),
    arg(
        "--test-page",
        action="store_true",
        help="print only the labels' outlines, centres and numbers",
    ),
    arg("--paper", choices=tuple(sheets.PAPERS), help="the paper size, if the sheet has no name"),
    arg(
        "--grade",
        metavar="N",
        type=take_count(1, 2),
        default=1,
        help="the grade of braille",
    ),
    arg(
        "--cells",
        metavar="N",
        type=take_count(10, 100),
        default=40,
        help="braille cells in a line",
    ),
)
def run(config: Config, args: Namespace) -> Answer:
    """Write the requested files, or without any option list the sheets."""
    changes = [name for name, usual in _OF_LABELS.items() if getattr(args, name) != usual]
    if not (args.out or args.braille or args.cards or changes):
        sold = sheets.list_sold()
        example = f"{COMMAND} --sheet {next(iter(sold))} --out labels.pdf"
        sentence = _("To print labels on one of these sheets, type: {command}")
        return Answer([*map(_describe, sold.values()), sentence.format(command=example)])
    _check(args, changes)
    sheet = _find_sheet(args) if args.out and not args.cards else None
    files: dict[str, bytes] = {}
    lines: list[str] = []
    if args.out:
        if not _is_page(args):
            need_extra(COMMAND, "labels")
        drawn = _draw_labels(sheet, args, config) if sheet else _draw_cards(args, config)
        files[args.out], sentence = drawn
        lines.append(sentence)
    if args.braille:
        files[args.braille] = _emboss(args, config)
        lines.append(_("Written: {file}.").format(file=args.braille))
    _write(files, _SECRET if args.seats else _WRITABLE)
    return Answer(lines)


def _check(options: Namespace, changes: list[str]) -> None:
    """Raise CommandError for options that are contradictory; `changes` are those of labels."""
    if not (options.out or options.braille):
        raise _refuse(Sentence("name a file with --out or --braille"))
    if options.cards and changes:
        option = changes[0].replace("_", "-")
        raise _refuse(Sentence("--cards and --{option} cannot be combined", option=option))
    if options.out and not (options.sheet or options.round or options.cards):
        raise _refuse(Sentence("name a --sheet, or give the diameter of --round labels"))
    files = [file for file in (options.out, options.braille) if file]
    if len({os.path.realpath(file) for file in files}) < len(files):
        raise _refuse(Sentence("--out and --braille each need a file"))
    for file in files:
        if os.path.lexists(file) and not confirm(
            Sentence("{file} exists already. Replace it? yes or no:", file=file)
        ):
            raise CommandError(
                Sentence("{file}: this file already exists; name another one", file=file)
            )


def _refuse(problem: Sentence) -> CommandError:
    return CommandError.of(COMMAND, problem, hint=COMMAND)


def _find_sheet(options: Namespace) -> LabelSheet:
    paper = options.paper or "a4"
    if options.round is not None:
        sheet = sheets.measure(options.round, options.round, round_=True, paper=paper)
    else:
        sheet = sheets.find(options.sheet, paper)
        if options.paper not in (None, sheet.paper):
            raise _refuse(
                Sentence(
                    "--paper is for labels given in millimetres; {sheet} is {paper}",
                    sheet=sheet.title,
                    paper=sheet.paper.capitalize(),
                )
            )
    if options.start not in range(1, sheet.labels + 1):
        raise _refuse(
            Sentence(
                "{option} must be from {least} to {most}",
                option="--start",
                least=1,
                most=sheet.labels,
            )
        )
    return sheet


def _describe(sheet: LabelSheet) -> str:
    sentence = (
        _("{name}: {title}, {paper}, {labels} circular labels of {width} mm")
        if sheet.round
        else _("{name}: {title}, {paper}, {labels} labels of {width} × {height} mm")
    )
    return sentence.format(
        name=sheet.name,
        title=sheet.title,
        paper=sheet.paper.capitalize(),
        labels=sheet.labels,
        width=f"{sheet.width:g}",
        height=f"{sheet.height:g}",
    )


def _printing(sheet: LabelSheet, options: Namespace) -> Printing:
    return Printing(
        sheet,
        offset=options.offset,
        start=options.start,
        large=options.large,
        with_codes=options.qr or options.seats,
        outlines=sheet.name not in sheets.list_sold(),
    )


Drawn = tuple[bytes, str]


def _draw_labels(sheet: LabelSheet, options: Namespace, config: Config) -> Drawn:
    """The labels, or the test page: the file, and a sentence."""
    printing = _printing(sheet, options)
    box = Box(config.edition)
    title = _("{edition}: labels").format(edition=translate(box.edition.title))
    if options.test_page:
        sentence = _("Test page: {labels} labels on the sheet, in {file}.")
        text = sentence.format(labels=sheet.labels, file=options.out)
        return drawing.draw_test_page(printing, title), text
    labels = _list_labels(options, config)
    pdf, pages = drawing.draw_labels(labels, printing, title)
    sentence = _("Written: {file}. Labels: {labels}. Sheets: {sheets}.")
    text = sentence.format(file=options.out, labels=len(labels), sheets=pages)
    return pdf, text


def _list_labels(options: Namespace, config: Config) -> list[Label]:
    """The labels of the box's pieces, or those of the seats. Raises CommandError."""
    if not options.seats:
        return sheets.list_labels(
            Box(config.edition), options.only, split_names(options.players or "")
        )
    return [
        sheets.describe_seat(number, seat.player, seat.code, seat.link)
        for number, seat in enumerate(seat_codes.read(config), start=1)
    ]


def _draw_cards(options: Namespace, config: Config) -> Drawn:
    cards = _reference_cards(config)
    title = _("{edition}: reference cards").format(
        edition=translate(Box(config.edition).edition.title)
    )
    sentence = _("Written: {file}. Reference cards: {cards}.")
    text = sentence.format(file=options.out, cards=len(cards))
    if _is_page(options):
        return reference_cards.write_page(cards, title).encode(), text
    paper = options.paper or "a4"
    pdf, _pages = reference_cards.draw(cards, paper, title, larger=options.large)
    return pdf, text


def _is_page(options: Namespace) -> bool:
    return bool(options.cards) and options.out.lower().endswith((".html", ".htm"))


def _reference_cards(config: Config) -> Sequence[ReferenceText]:
    seats = tuple(f"Player {seat}" for seat in range(1, 5))
    references = chips.load(config.chips).references
    return reference_cards.list_cards(Setup(config.edition, seats, seats[0]).table(), references)


def _emboss(options: Namespace, config: Config) -> bytes:
    """The same texts in braille: one part per label, or per entry of a card."""
    if options.cards:
        cards = _reference_cards(config)
        parts = [part for card in cards for part in ([card.title], *card.entries)]
    else:
        labels = _list_labels(options, config)
        parts = [label.lines() for label in labels]
    language = config.language
    return reference_cards.emboss(parts, language, grade=options.grade, cells=options.cells)


def _write(files: dict[str, bytes], mode: int) -> None:
    for file, content in files.items():
        try:
            own_files.replace(file, content, mode=mode, makes_folder=False)
        except OSError as error:
            raise CommandError(cannot_be_saved(file, error)) from None
