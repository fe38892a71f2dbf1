"""Labels, reference cards and braille: contents, layout and errors."""

from __future__ import annotations

import io
import math
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.extras import find_install
from companion import language
from companion.chips import load_catalogue
from companion.chips.box import KINDS, Box
from companion.chips.entries import parse_entry
from companion.commands.cli import main
from companion.extensions.labels import LabelsError, fitting, reference_cards, sheets
from companion.extensions.labels.fitting import FOOT, LEADING, Area, Code
from companion.extensions.labels.sheets import Label
from engine.editions import editions

LANGUAGES = language.list_offered()


def run(*words: str) -> int:
    return main(["labels", *words])


def measure(text: str, bold: bool) -> float:
    """A font whose letters are all as wide as half their height, bold ones wider."""
    return len(text) * (0.6 if bold else 0.5)


# -- sheets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("sheet", sheets.list_sold().values(), ids=lambda sheet: sheet.name)
def test_a_sheet_lies_on_its_paper_and_its_labels_beside_each_other(
    sheet: sheets.LabelSheet,
) -> None:
    width, height = sheet.size
    places = list(sheet.places())
    assert len(places) == sheet.labels == sheet.columns * sheet.rows
    assert all(x >= 0 and x + sheet.width <= width + 0.01 for x, _y in places)
    assert all(y >= 0 and y + sheet.height <= height + 0.01 for _x, y in places)
    assert sheet.step[0] >= sheet.width - 0.01
    assert sheet.step[1] >= sheet.height - 0.01
    assert sheet.source


def test_a_sheet_is_nearly_in_the_middle_of_its_paper() -> None:
    """An error in the data would shift it to one side; no manufacturer is off by more than 3 mm."""
    for sheet in sheets.list_sold().values():
        last = list(sheet.places())[-1]
        right = sheet.size[0] - last[0] - sheet.width
        assert abs(right - sheet.first[0]) <= 3, sheet.name


@pytest.mark.parametrize("name", ["avery-l7160", "L7160", "Avery L7160", "AVERY L7160"])
def test_a_sheet_is_found_by_what_people_call_it(name: str) -> None:
    assert sheets.find(name).name == "avery-l7160"


@pytest.mark.parametrize("name", ["40x30", "40×30", "40 x 30", "40.0X30"])
def test_millimetres_make_a_sheet(name: str) -> None:
    sheet = sheets.find(name)
    assert (sheet.width, sheet.height, sheet.round) == (40, 30, False)
    assert (sheet.columns, sheet.rows) == (4, 8)
    assert sheets.find(name, "letter").columns == 4


@pytest.mark.parametrize(
    "name", ["9x30", "201x30", "40x300", "999999x1", "nonsense", "", "x", "0x0"]
)
def test_what_is_no_sheet_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(LabelsError):
        sheets.find(name)


def test_the_sheets_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 0
    lines = capsys.readouterr().out.splitlines()
    assert "rayfilm-2525k: Rayfilm 2525K, A4, 70 circular labels of 25 mm" in lines
    *names, last = [line.partition(":")[0] for line in lines]
    assert names == list(sheets.list_sold())
    assert last == "To print labels on one of these sheets, type"


@pytest.mark.needs("labels")
def test_what_to_type_after_the_list_prints(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run()
    _companion, _labels, *words = capsys.readouterr().out.rpartition(": ")[2].split()
    monkeypatch.chdir(tmp_path)
    assert run(*words) == 0
    assert "Labels: 88." in capsys.readouterr().out


# -- what is on them ------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", editions())
def test_there_is_a_label_for_each_chip_in_the_order_of_learning(edition: str) -> None:
    box = Box(edition)
    labels = sheets.list_labels(box, KINDS)
    assert [label.code for label in labels] == [str(entry) for entry in box.pieces(KINDS)]
    assert len({label.code for label in labels}) == len(labels)
    for label in labels:
        assert parse_entry(label.code, load_catalogue()) is not None
        assert label.name
        assert label.sign


def test_a_label_says_name_type_cost_and_copy() -> None:
    labels = {label.code: label for label in sheets.list_labels(Box("classic_2016"), KINDS)}
    tavern = labels["district tavern 3"]
    assert tavern.lines() == ["Tavern", "trade", "1 gold, 3 of 5"]
    assert labels["character king"].lines() == ["King", "character 4"]
    assert labels["player 2"].lines() == ["seat 2", "player"]
    assert labels["action undo"].lines() == ["undo", "action", "undo the last move"]
    assert labels["action 7"].lines() == ["7", "number"]
    assert labels["crown"].name == "Crown"
    assert labels["reference 4"].lines() == ["4", "reference card"]
    signs = {label.kind: label.sign for label in labels.values()}
    assert (
        len({signs[type_] for type_ in ("noble", "religious", "trade", "military", "unique")}) == 5
    )


def test_tokens_bear_the_names_that_are_known() -> None:
    labels = sheets.list_labels(Box("classic_2016"), ("players",), ("Anna", "Ben"))
    assert [label.name for label in labels[:3]] == ["Anna", "Ben", "seat 3"]


def test_a_box_prints_its_own_names() -> None:
    language.use("fr")
    language.print_as(*editions()["ffg_2005"].boxes)
    names = [label.name for label in sheets.list_labels(Box("ffg_2005"), ("districts",))]
    assert "Manufacture" in names


# -- how it fits ----------------------------------------------------------------------------------

WORDS = st.lists(st.text("abcdefghij", min_size=1, max_size=14), min_size=1, max_size=4)


@given(WORDS, WORDS, st.floats(25, 300), st.floats(25, 300), st.booleans(), st.booleans())
def test_nothing_leaves_its_label(
    name: list[str], note: list[str], width: float, height: float, is_round: bool, coded: bool
) -> None:
    label = Label("x", "person", "kind", " ".join(name), ("3 gold", "1 of 5"), " ".join(note))
    area = Area(width, height, round=is_round)
    codes = [Code(40, 8), Code(30, 6)] if coded else []
    fit = fitting.fit(label, area, fitting.USUAL, measure, codes)
    if fit is None:
        return
    corners = []
    for line in fit.lines:
        half = (
            measure(line.text, line.bold) * line.size + (1.15 * line.size if line.sign else 0)
        ) / 2
        bottom = line.foot - FOOT * line.size
        corners += [
            (line.middle + side, y)
            for side in (half, -half)
            for y in (bottom, bottom + LEADING * line.size)
        ]
        assert line.size >= (fitting.USUAL.name if line.bold else fitting.USUAL.rest)[0]
    assert (fit.code is not None) == coded
    if fit.code is not None:
        half = fit.code.side / 2
        corners += [
            (fit.code.middle + x, fit.code.height + y) for x in (half, -half) for y in (half, -half)
        ]
    for x, y in corners:
        if is_round:
            assert math.hypot(2 * x / width, 2 * y / height) <= 1 + 1e-6
        else:
            assert abs(x) <= width / 2 + 1e-6
            assert abs(y) <= height / 2 + 1e-6
    word = " ".join(line.text for line in fit.lines)
    assert " ".join(name) in word


def test_a_name_is_broken_rather_than_small() -> None:
    label = Label("x", "person", "kind", "aaaaaaaa bbbbbbbb")
    fit = fitting.fit(label, Area(64, 64, round=True), fitting.USUAL, measure)
    assert fit is not None
    assert [line.text for line in fit.lines if line.bold] == ["aaaaaaaa", "bbbbbbbb"]


def test_a_note_is_left_out_where_there_is_no_room() -> None:
    label = Label("x", "action", "action", "aaaa", note="b " * 80 + "b")
    fit = fitting.fit(label, Area(60, 30), fitting.USUAL, measure)
    assert fit is not None
    assert [line.text for line in fit.lines] == ["action", "aaaa"]


# -- the PDF --------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("edition", ["deluxe_2016", "millennium_3e"])
@pytest.mark.needs("labels")
def test_every_box_fits_the_smallest_round_stickers(
    code: str, edition: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--edition", edition, "--language", code, "--out", str(tmp_path / "a.pdf")]
    assert run("--sheet", "rayfilm-2525k", "--only", *KINDS, *words) == 0
    labels = len(Box(edition).pieces(KINDS))
    counts = re.findall(r" (\d+)\.", capsys.readouterr().out)
    assert counts[-2:] == [str(labels), str(-(-labels // 70))]
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF-")


@pytest.mark.needs("labels")
def test_the_same_labels_are_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        words = ["--only", "crown", "--qr", "--out", str(tmp_path / name)]
        assert run("--round", "30", *words) == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--round", "12"), "A label of 12 mm is too small for “Manor”; from 17 mm on all fit."),
        (("--round", "20", "--qr"), "for “Manor”; from 25 mm on all fit."),
        (
            ("--sheet", "12x11", "--large"),
            "12 × 11 mm is too small for “Monastery”; from 17 × 16 mm on all fit.",
        ),
    ],
)
@pytest.mark.needs("labels")
def test_a_label_too_small_is_told_in_one_sentence(
    words: tuple[str, ...], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "a.pdf"
    assert run(*words, "--out", str(out)) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].endswith(sentence)
    assert not out.exists()


@pytest.mark.needs("labels")
def test_a_letter_that_no_font_has_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--only", "players", "--players", "\N{DESERET CAPITAL LETTER LONG I}"]
    assert run("--round", "40", *words, "--out", str(tmp_path / "a")) == 2
    assert "\N{DESERET CAPITAL LETTER LONG I}" in capsys.readouterr().err


# -- the command ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--cards",), "name a file with --out or --braille"),
        (("--list",), "no longer exists; use: companion labels"),
        (("--out", "a.pdf"), "name a --sheet, or give the diameter of --round labels"),
        (
            ("--round", "25", "--out", "a.pdf", "--offset", "1"),
            "is not two numbers of millimetres from -30 to 30",
        ),
        (
            ("--round", "25", "--out", "a.pdf", "--offset", "-31,0"),
            "is not two numbers of millimetres from -30 to 30",
        ),
        (("--round", "25", "--out", "a.pdf", "--start", "71"), "--start must be from 1 to 70"),
        (("--round", "nan", "--out", "a.pdf"), "A label measures 10 to 200 mm"),
        (("--round", "25", "--sheet", "L7160", "--out", "a.pdf"), "not allowed with argument"),
        (("--sheet", "avery-l716", "--out", "a.pdf"), "avery-l7160"),
        (("--round", "25", "--out", "a", "--braille", "./a"), "each need a file"),
        (("--cards", "--out", "a", "--qr"), "--cards and --qr cannot be combined"),
        (("--cards", "--out", "a", "--only", "crown"), "--cards and --only cannot be combined"),
        (
            ("--sheet", "L7160", "--paper", "letter", "--out", "a"),
            "for labels given in millimetres; Avery L7160 is A4",
        ),
        (("--round", "wide"), "--round: “wide” is not a number"),
        (("--braille", "a", "--cells", "9"), "--cells: “9” is not a number from 10 to 100"),
        (("--only", "kings", "--round", "25", "--out", "a"), "invalid choice"),
    ],
)
def test_wrong_words_are_told_and_write_nothing(
    words: tuple[str, ...],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "reportlab", None)  # is told before what is missing
    assert run(*words) == 2
    assert sentence in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_not_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "a.pdf"
    out.write_text("mine")
    assert run("--round", "25", "--out", str(out)) == 2
    assert "this file already exists; name another one" in capsys.readouterr().err
    assert out.read_text() == "mine"


@pytest.mark.parametrize(("words_typed", "code"), [("yes", 0), ("oui", 0), ("no", 2), ("", 2)])
def test_a_file_is_replaced_after_a_question(
    words_typed: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "cards.html"
    out.write_text("mine")
    monkeypatch.setenv("COMPANION_LANGUAGE", "fr")
    monkeypatch.setattr("sys.stdin", Typed(f"{words_typed}\n"))
    monkeypatch.setattr("sys.stderr", Typed())
    assert run("--cards", "--out", str(out)) == code
    assert (out.read_text() == "mine") == (code == 2)


class Typed(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def test_reference_cards_as_a_page_have_headings_and_a_language(tmp_path: Path) -> None:
    out = tmp_path / "cards.html"
    words = ["--cards", "--edition", "accessible_fr", "--language", "fr", "--out", str(out)]
    assert run(*words) == 0
    page = out.read_text("utf-8")
    assert '<html lang="fr">' in page
    assert page.count("<h2") == 4
    assert re.findall(r"<h3>(.*?)</h3>", page)[0].startswith("1")


def test_without_the_extra_it_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "reportlab", None)
    assert run("--round", "25", "--out", str(tmp_path / "a")) == 2
    assert capsys.readouterr().err.splitlines() == [
        f"companion labels needs the extra “labels”; install it with {find_install('labels')}"
    ]


# -- braille --------------------------------------------------------------------------------------


def test_without_liblouis_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run("--braille", str(tmp_path / "a.brf")) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "Braille needs liblouis, which is not installed; on Debian and Ubuntu install the "
        "package liblouis-bin."
    ]


@given(st.lists(st.text("abc", min_size=1, max_size=90), max_size=8), st.integers(10, 50))
def test_rows_of_braille_hold_every_cell_and_no_more_than_they_may(
    words: list[str], cells: int
) -> None:
    rows = reference_cards.wrap(" ".join(words), cells)
    assert all(len(row) <= cells for row in rows)
    assert "".join("".join(rows).split()) == "".join(words)
    assert all(row.startswith("  ") for row in rows[1:])


def test_every_language_has_its_braille() -> None:
    assert all(1 in reference_cards.list_tables(code) for code in LANGUAGES)


@pytest.mark.needs("labels")
def test_a_folder_that_is_not_there_is_not_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mistyped" / "file"
    assert run("--cards", "--out", str(file)) == 2
    assert f"{file}: cannot be saved: there is no such file or folder" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
