"""`companion labels`: chip stickers, reference cards and braille, as files to print."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common import own_files
from companion import chips
from companion.chips.box import Box
from companion.commands import (
    DONE,
    REFUSED,
    CommandError,
    labels_options,
    need_extra,
    settings,
)
from companion.errors.output import answer, answer_json
from companion.files.clean import clean_text
from companion.files.locations import cannot_be_saved
from companion.labels import sheets
from companion.language import _, translate

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from companion.labels.drawing import Printing
    from companion.labels.reference_cards import Card
    from companion.labels.sheets import Sheet
    from companion.settings.config import Config

COMMAND = "companion labels"
NEEDED = ("reportlab",)
_WRITABLE = 0o644  # nothing in it is secret, and the printer may belong to somebody else


def run(words: list[str]) -> int:
    """Write the requested files, or list the sheets."""
    given, sheet, changed = labels_options.parse(words)
    config = settings.load(changed)
    if given.list:
        _list_sheets(as_json=given.json)
        return DONE
    files: dict[str, bytes] = {}
    facts: dict[str, object] = {"out": given.out, "braille": given.braille}
    told: list[str] = []
    if given.out:
        need_extra(COMMAND, "labels", NEEDED)
        drawn = _draw_labels(sheet, given, config) if sheet else _draw_cards(given, config)
        files[given.out], counted, sentence = drawn
        facts |= counted
        told.append(sentence)
    if given.braille:
        files[given.braille] = _emboss(given, config)
        told.append(_("Written: {file}.").format(file=given.braille))
    _write(files)
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
        with_codes=given.qr,
        outlines=given.outlines,
    )


Drawn = tuple[bytes, dict[str, object], str]


def _draw_labels(sheet: Sheet, given: Namespace, config: Config) -> Drawn:
    """The labels, or the test page: the file, facts for programs, a sentence for people."""
    from companion.labels import drawing, pieces

    printing = _printing(sheet, given)
    box = Box(config.edition)
    title = _("{edition}: labels").format(edition=translate(box.edition.title))
    if given.test_page:
        sentence = _("Test page: {labels} labels on the sheet, in {file}.")
        told = sentence.format(labels=sheet.labels, file=given.out)
        return drawing.draw_test_page(printing, title), {"labels": 0, "pages": 1}, told
    labels = pieces.list_labels(box, given.only, _names(given.players))
    pdf, pages = drawing.draw_labels(labels, printing, title)
    sentence = _("Written: {file}. Labels: {labels}. Sheets: {sheets}.")
    told = sentence.format(file=given.out, labels=len(labels), sheets=pages)
    return pdf, {"labels": len(labels), "pages": pages}, told


def _names(players: str | None) -> list[str]:
    names = (clean_text(name) for name in (players or "").split(","))
    return [name for name in names if name]


def _draw_cards(given: Namespace, config: Config) -> Drawn:
    from companion.labels import reference_cards

    cards = _reference_cards(config)
    title = _("{edition}: reference cards").format(
        edition=translate(Box(config.edition).edition.title)
    )
    paper = given.paper or "a4"
    pdf, pages = reference_cards.draw(cards, paper, title, larger=given.large)
    sentence = _("Written: {file}. Reference cards: {cards}. Pages: {pages}.")
    told = sentence.format(file=given.out, cards=len(cards), pages=pages)
    return pdf, {"cards": len(cards), "pages": pages}, told


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
    from companion.labels import braille, pieces

    if given.cards:
        cards = _reference_cards(config)
        parts = [part for card in cards for part in ([card.title], *card.entries)]
    else:
        labels = pieces.list_labels(Box(config.edition), given.only, _names(given.players))
        parts = [label.lines() for label in labels]
    language = config.language
    return braille.emboss(parts, language, grade=given.grade, cells=given.cells, lines=given.lines)


def _write(files: dict[str, bytes]) -> None:
    for file, content in files.items():
        try:
            own_files.replace(file, content, mode=_WRITABLE, makes_folder=False)
        except OSError as error:
            raise CommandError(cannot_be_saved(file, error)) from None
