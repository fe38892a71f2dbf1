"""`companion recap --html`: a self-contained page, accessible and printable."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from companion.commands.cli import main
from companion.language import list_offered
from tests.games.regenerate import GAMES
from tests.looking_back.test_recap import WHOLE, write

Capture = pytest.CaptureFixture[str]

NASTY = ["</script><b>Q", '"onload="x', "{{ 7 * 7 }}", "<!--‮Ben"]
OPENING = ["faceup bishop merchant", "call", 'reveal "{{ 7 * 7 }}"', "kill thief", "gold"]


class Page(HTMLParser):
    """A parsed page: its elements with their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def every(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of the elements of that name."""
        return [attributes for name, attributes in self.elements if name == tag]


def page(tmp_path: Path, *words: str) -> str:
    """The page that the command writes."""
    file = tmp_path / "recap.html"
    assert main(["recap", *words, "--html", str(file)]) == 0
    return file.read_text(encoding="utf-8")


def test_it_holds_everything_and_asks_nobody_for_anything(tmp_path: Path) -> None:
    text = page(tmp_path, str(WHOLE))
    shown = Page(text)
    names = {name for name, _attributes in shown.elements}
    assert not names & {"link", "iframe", "object", "embed", "form", "base"}
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    (policy,) = [str(one["content"]) for one in shown.every("meta") if "http-equiv" in one]
    assert policy.startswith("default-src 'none'; ")
    assert policy.endswith(f"; script-src 'sha256-{digest}'")
    for name, attributes in shown.elements:
        assert not any(key.startswith("on") for key in attributes), (name, attributes)
        assert not attributes.get("src") or str(attributes["src"]).startswith("data:")
    assert "url(" not in text
    assert "@import" not in text


def test_every_chart_has_its_words_and_its_numbers(tmp_path: Path) -> None:
    shown = Page(page(tmp_path, str(WHOLE)))
    ids = {attributes.get("id") for _name, attributes in shown.elements}
    drawings = [svg for svg in shown.every("svg") if svg.get("role") == "img"]
    assert len(drawings) == 2
    for svg in drawings:
        assert set(str(svg["aria-labelledby"]).split()) <= ids
    assert len(shown.every("table")) == 3 + len(drawings)
    assert len(shown.every("caption")) == len(shown.every("details")) == 2 + len(drawings)
    assert all(heading["scope"] in ("col", "row") for heading in shown.every("th"))
    assert "At the end: Anna 12, Kurt 25, Ashley 21 and Ben 42." in shown.text
    assert "Round 10 decided it, when Ben passed Kurt for good" in shown.text


def test_headings_and_language(tmp_path: Path) -> None:
    shown = Page(page(tmp_path, str(WHOLE)))
    headings = [name for name, _attributes in shown.elements if re.fullmatch("h[1-6]", name)]
    assert headings[0] == "h1"
    assert set(headings[1:]) == {"h2"}
    assert shown.every("html") == [{"lang": "en"}]


@pytest.mark.parametrize("code", list_offered())
def test_it_is_in_the_language_of_the_table(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_LANGUAGE", code)
    shown = Page(page(tmp_path, str(WHOLE)))
    assert shown.every("html") == [{"lang": code}]
    assert ("Who was who" in shown.text) == (code == "en")


def test_names_are_text_whatever_is_in_them(tmp_path: Path) -> None:
    record = write(tmp_path, players=NASTY, crown=NASTY[0], moves=OPENING)
    text = page(tmp_path, record)
    shown = Page(text)
    assert not shown.every("script") + shown.every("b")
    assert not any("onload" in attributes for _name, attributes in shown.elements)
    assert "{{ 7 * 7 }}" in shown.text
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in text
    assert "‮" not in text


def test_lines_and_deeds_differ_without_their_colours(tmp_path: Path) -> None:
    shown = Page(page(tmp_path, str(GAMES / "seven_players.yaml")))
    ways = [path for path in shown.every("path") if path.get("class") == "way"]
    dashes = [path.get("stroke-dasharray") for path in ways[:7]]
    assert len(set(dashes)) == 7
    from companion.extensions.looking_back.recap import charts

    assert len(set(charts.SHAPES)) == len(charts.SHAPES)
    assert len(set(charts.SIGNS.values())) == len(charts.SIGNS)


def test_colours_are_told_from_the_page_in_every_scheme(tmp_path: Path) -> None:
    style = page(tmp_path, str(WHOLE)).partition("<style>")[2]
    roots = re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    palettes = [dict(re.findall(r"--([\w-]+): (#\w+)", root)) for root in roots]
    light, dark, _contrasting, paper = palettes
    for colours in (light, dark, paper):
        for ground in ("ground", "paper"):
            for name in ("accent", "muted", "bad", "noble", "trade", "unique"):
                assert _contrast(colours[name], colours[ground]) >= 4.5, (name, colours)
            assert _contrast(colours["ink"], colours[ground]) >= 7, colours
        for seat in range(8):
            assert _contrast(colours[f"p{seat}"], colours["paper"]) >= 4.5, (seat, colours)


def _contrast(one: str, other: str) -> float:
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_legend_names_every_line_above_its_chart(tmp_path: Path) -> None:
    moves = ["faceup bishop merchant", "call"]
    text = page(tmp_path, write(tmp_path, crown="Anna", moves=moves))
    for chart in text.split("<figure>")[1:]:
        legend, _drawn, _rest = chart.partition('<svg class="chart"')
        assert re.findall(r"</svg> (\w+)", legend) == ["Anna", "Kurt", "Ashley", "Ben"]


def test_who_was_whom_and_every_city_are_on_it(tmp_path: Path) -> None:
    text = page(tmp_path, str(WHOLE))
    grid = Page(text[text.index('<table class="whom') :].partition("</table>")[0])
    fifth = re.split(r"\n(?=\d)", grid.text.strip())[5]
    assert fifth.split() == ["5", "King", "murdered", "Merchant", "Magician", "Assassin"]
    cities = re.findall(r'<ul class="city">(.*?)</ul>', text, re.DOTALL)
    assert [city.count("<li") for city in cities] == [9, 5, 5, 4]  # by place
    assert "Imperial Treasury" in cities[0]


def test_an_unfinished_game_says_so(tmp_path: Path) -> None:
    record = write(tmp_path, crown="Anna", moves=["faceup bishop merchant"])
    shown = Page(page(tmp_path, record))
    assert "The game is not over; this is the recap so far." in shown.text
    assert "The scores so far" in shown.text
    assert "BG Stats" not in shown.text


def test_only_a_page_is_written_over(tmp_path: Path, capsys: Capture) -> None:
    record = write(tmp_path, crown="Anna", moves=["faceup bishop merchant"])
    before = Path(record).read_bytes()
    for file in (record, str(tmp_path)):
        assert main(["recap", record, "--html", file]) == 2
        assert f"{file} already exists and is of another kind" in capsys.readouterr().err
    assert Path(record).read_bytes() == before
    text = page(tmp_path, record)
    assert page(tmp_path, str(WHOLE)) != text


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "file").touch()
    below = tmp_path / "file" / "recap.html"
    assert main(["recap", str(WHOLE), "--html", str(below)]) == 2
    assert f"{below}: cannot be saved" in capsys.readouterr().err
