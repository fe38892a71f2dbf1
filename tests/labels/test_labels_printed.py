"""Printed labels: their text extracted, pages rendered, codes scanned, and braille through
liblouis."""

from __future__ import annotations

import math
import re
import subprocess
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import pytest

from companion import language
from companion.chips.box import Box
from companion.commands.cli import main
from companion.extensions.labels import sheets
from engine.editions import editions
from tests import needs
from tests.serving.hosting import Hosting

if TYPE_CHECKING:
    from pathlib import Path

    from companion.extensions.labels.sheets import LabelSheet

pytestmark = pytest.mark.outer


class Printed(NamedTuple):
    """A case: what is printed, and how."""

    edition: str
    code: str
    sheet: str
    only: tuple[str, ...]
    words: tuple[str, ...] = ()
    dpi: int = 100
    start: int = 1
    offset: tuple[float, float] = (0.0, 0.0)


USUAL = ("districts", "characters", "players", "crown")
CASES = {
    "small": Printed(
        "classic_2016", "en", "rayfilm-2525k", (*USUAL[:1], "actions"), ("--qr",), 300
    ),
    "large": Printed(
        "hobby_world_2022", "ru", "endisch-6500060x", USUAL[1:], ("--qr", "--large"), 150
    ),
    "used": Printed(
        "deluxe_2016", "de", "avery-l7651", USUAL[1:], ("--qr", "--start", "60"), 300, start=60
    ),
    "off": Printed(
        "millennium_3e",
        "fr",
        "40x30",
        USUAL,
        ("--offset", "-1.5,2"),
        100,
        offset=(-1.5, 2),
    ),
}


@pytest.fixture(params=CASES)
def printed(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Printed, Path]:
    """A PDF made by the command."""
    needs.require("labels")
    case = CASES[request.param]
    out = tmp_path / "labels.pdf"
    words = ["labels", "--sheet", case.sheet, "--edition", case.edition]
    words += ["--only", *case.only, *case.words, "--language", case.code]
    assert main([*words, "--out", str(out)]) == 0
    return case, out


def list_expected(case: Printed) -> list[sheets.Label]:
    language.use(case.code)
    language.print_as(*editions()[case.edition].boxes)
    return sheets.list_labels(Box(case.edition), case.only)


def test_a_sheet_says_what_it_should_and_nothing_leaves_its_label(
    printed: tuple[Printed, Path],
) -> None:
    case, out = printed
    labels, sheet = list_expected(case), sheets.find(case.sheet)
    check_text(out, labels, whole=sheet.width >= 30)
    pages = look(out, case.dpi)
    assert len(pages) == -(-(case.start - 1 + len(labels)) // sheet.labels)
    places = [place_on_page(sheet, case, number) for number in range(len(labels))]
    if "--qr" in case.words:
        check_codes(out.parent, pages, sheet, places, labels)
    for page, picture in enumerate(pages):
        inside = [place for on, *place in places if on == page]
        assert picture.wipe(sheet, inside) == [], f"{case.sheet}, page {page + 1}"


def check_text(out: Path, labels: list[sheets.Label], *, whole: bool) -> None:
    """Every word of every label is found as text, as often as it is printed; on small labels those
    of the name and the cost."""
    needs.require("poppler")
    command = ["pdftotext", "-raw", str(out), "-"]
    text = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    printed = Counter(re.findall(r"\w+", text))
    expected: Counter[str] = Counter()
    for label in labels:
        least = label.shorten()[0 if whole else -1]._replace(note="")
        expected.update(re.findall(r"\w+", " ".join(least.lines())))
    assert {word for word, count in expected.items() if printed[word] < count} == set()


class Picture:
    """A greyscale page, one byte per pixel, from pdftoppm."""

    def __init__(self, path: Path, dpi: int) -> None:
        self.dpi = dpi
        data = path.read_bytes()
        head = re.match(rb"P5\s+(\d+)\s+(\d+)\s+255\s", data)
        assert head is not None
        self.width, self.height = int(head[1]), int(head[2])
        self.dots = bytearray(data[head.end() :])

    def find(self, millimetres: float) -> float:
        """A length in pixels."""
        return millimetres / 25.4 * self.dpi

    def wipe(self, sheet: LabelSheet, places: list[list[float]]) -> list[int]:
        """Blank every label (an empty one is reported); returns the rows with remaining ink."""
        for x, y in places:
            left, top, width, height = (
                self.find(each) for each in (x, y, sheet.width, sheet.height)
            )
            is_inked = False
            for row in range(
                max(math.floor(top) - 1, 0), min(math.ceil(top + height) + 1, self.height)
            ):
                half = width / 2
                if sheet.round:
                    far = min(abs(row + 0.5 - top - height / 2) / (height / 2), 1)
                    half *= math.sqrt(1 - far**2)
                start = max(math.floor(left + width / 2 - half) - 1, 0)
                end = min(math.ceil(left + width / 2 + half) + 1, self.width)
                at = slice(row * self.width + start, row * self.width + end)
                is_inked = is_inked or min(self.dots[at]) < 128
                self.dots[at] = b"\xff" * (end - start)
            assert is_inked, f"nothing at {x}, {y}"
        left_over = []
        for number in range(self.height):
            line = bytes(self.dots[number * self.width : (number + 1) * self.width])
            if line.count(b"\xff") < self.width:
                left_over.append(number)
        return left_over

    def crop(self, x: float, y: float, sheet: LabelSheet) -> bytes:
        """One label as a separate image."""
        left, top = max(int(self.find(x)), 0), max(int(self.find(y)), 0)
        width = min(int(self.find(sheet.width)), self.width - left)
        height = min(int(self.find(sheet.height)), self.height - top)
        starts = ((top + row) * self.width + left for row in range(height))
        rows = (self.dots[start : start + width] for start in starts)
        return b"P5 %d %d 255\n" % (width, height) + b"".join(rows)


def look(out: Path, dpi: int) -> list[Picture]:
    """Render the pages."""
    needs.require("poppler")
    subprocess.run(
        ["pdftoppm", "-r", str(dpi), "-gray", str(out), str(out.parent / "page")], check=True
    )
    return [Picture(path, dpi) for path in sorted(out.parent.glob("page*.pgm"))]


def place_on_page(sheet: LabelSheet, case: Printed, number: int) -> tuple[int, float, float]:
    """The page of a label, from 0, and its corner in millimetres."""
    page, on_page = divmod(case.start - 1 + number, sheet.columns * sheet.rows)
    row, column = divmod(on_page, sheet.columns)
    x = sheet.first[0] + column * sheet.step[0] + case.offset[0]
    return page, x, sheet.first[1] + row * sheet.step[1] + case.offset[1]


def check_codes(
    folder: Path,
    pages: list[Picture],
    sheet: LabelSheet,
    places: list[tuple[int, float, float]],
    labels: list[sheets.Label],
) -> None:
    """A real decoder reads the short name of each chip from its label."""
    needs.require("zbar")
    files = []
    for number, (page, x, y) in enumerate(places):
        files.append(folder / f"label-{number:03}.pgm")
        files[-1].write_bytes(pages[page].crop(x, y, sheet))
    only = ["-Sdisable", "-Sqrcode.enable"]
    result = subprocess.run(
        ["zbarimg", "--nodbus", "--quiet", "--raw", *only, *files], capture_output=True, check=False
    )
    assert result.stdout.decode().splitlines() == [label.code for label in labels]


@pytest.mark.needs("labels", "poppler", "zbar")
def test_a_label_for_each_seat_has_the_link_that_opens_it(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, sheet = tmp_path / "seats.pdf", sheets.find("avery-l7160")
    words = ["labels", "--seats", "--sheet", sheet.name, "--out", str(out)]
    assert main(words) == 1
    assert "the last game had no phones" in capsys.readouterr().err
    with Hosting() as host:
        assert main(words) == 0
    assert out.stat().st_mode & 0o777 == 0o600
    places = [
        place_on_page(sheet, Printed("classic_2016", "en", sheet.name, ()), number)
        for number in range(4)
    ]
    labels = [
        sheets.describe_seat(seat, player, "", f"{host.url}#{code}")
        for seat, (player, code) in enumerate(host.seats.items(), start=1)
    ]
    check_codes(tmp_path, look(out, 300), sheet, places, labels)


@pytest.mark.needs("labels", "poppler")
def test_a_test_page_has_an_outline_and_a_middle_for_each_label(tmp_path: Path) -> None:
    out, sheet = tmp_path / "test.pdf", sheets.find("avery-l7160")
    assert main(["labels", "--sheet", sheet.name, "--test-page", "--out", str(out)]) == 0
    (page,) = look(out, 100)
    case = Printed("classic_2016", "en", sheet.name, ())
    places = [place_on_page(sheet, case, number) for number in range(sheet.labels)]
    for _page, x, y in places:
        middle = int(page.find(y + sheet.height / 2)), int(page.find(x + sheet.width / 2))
        near = [page.dots[(middle[0] + row) * page.width + middle[1]] for row in (-2, -1, 0, 1, 2)]
        assert min(near) < 128
    assert page.wipe(sheet, [[x, y] for _page, x, y in places]) == []


@pytest.mark.needs("labels", "poppler")
def test_the_reference_cards_are_in_large_print_with_a_place_for_the_chip(tmp_path: Path) -> None:
    out = tmp_path / "cards.pdf"
    words = ["--edition", "accessible_fr", "--language", "fr", "--out", str(out)]
    assert main(["labels", "--cards", *words]) == 0
    result = subprocess.run(["pdftotext", "-bbox", str(out), "-"], capture_output=True, check=True)
    read = re.findall(
        r'yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">([^<]+)<', result.stdout.decode()
    )
    texts = [text for _top, _bottom, text in read]
    for number in range(1, 5):
        assert texts.count("Aide-mémoire") >= 4
        assert str(number) in texts
    assert texts.count("puce") == 4
    for name in ("Observatoire", "Cimetière", "Assassin", "Condottiere"):
        assert any(name in word for word in texts)
    small = [text for top, bottom, text in read if float(bottom) - float(top) < 18]
    assert set(small) <= {"puce"}


@pytest.mark.parametrize("code", language.list_offered())
@pytest.mark.needs("liblouis")
def test_braille_says_what_the_labels_say(code: str, tmp_path: Path) -> None:
    out = tmp_path / "labels.brf"
    words = ["--only", "districts", "--language", code, "--braille", str(out)]
    assert main(["labels", *words, "--cells", "30"]) == 0
    text = out.read_bytes()
    pages = text.decode("ascii").split("\f")
    assert all(len(page.splitlines()) <= 25 for page in pages)
    assert all(len(line) <= 30 for page in pages for line in page.splitlines())
    assert set(text) <= {*range(32, 96), 13, 10, 12}
    parts = [part for page in pages for part in page.strip("\r\n").split("\r\n\r\n")]
    assert len(parts) == 68
    if code == "en":  # the numbers of Unified English Braille
        assert parts[0].splitlines() == [",MANOR", "NOBLE", "#C GOLD1 #A OF #E"]


@pytest.mark.needs("liblouis")
def test_contracted_braille_is_shorter_and_what_is_not_there_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain, short = tmp_path / "1.brf", tmp_path / "2.brf"
    assert main(["labels", "--cards", "--braille", str(plain)]) == 0
    assert main(["labels", "--cards", "--grade", "2", "--braille", str(short)]) == 0
    assert 0.5 < short.stat().st_size / plain.stat().st_size < 0.95
    words = ["--language", "ru", "--grade", "2", "--braille", str(tmp_path / "3.brf")]
    assert main(["labels", *words]) == 2
    assert capsys.readouterr().err
    assert not (tmp_path / "3.brf").exists()


@pytest.mark.parametrize("code", language.list_offered())
@pytest.mark.needs("liblouis")
def test_braille_names_the_letters_that_it_lacks(
    code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--only", "players", "--players", "Anna,李", "--language", code]
    assert main(["labels", *words, "--braille", str(tmp_path / "1.brf")]) == 2
    assert "李" in capsys.readouterr().err
    assert not (tmp_path / "1.brf").exists()
