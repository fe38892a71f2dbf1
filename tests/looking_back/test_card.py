"""The card to share: a picture that holds everything, and six lines."""

from __future__ import annotations

import base64
import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from common import strict_yaml
from companion import language
from companion.commands.cli import main
from companion.commands.record import play_file
from companion.extensions.looking_back.recap import look_back, recap_card
from companion.language import list_offered
from tests.engine.boxes import EDITIONS
from tests.looking_back.test_recap import WHOLE
from tests.looking_back.test_recap_story import look_at

SVG = "{http://www.w3.org/2000/svg}"


def draw(tmp_path: Path, file: Path = WHOLE) -> ElementTree.Element:
    """The card on the page that the command writes."""
    path = tmp_path / "page.html"
    assert main(["recap", str(file), "--html", str(path)]) == 0
    (data,) = re.findall('data:image/svg[+]xml;base64,([^"]+)', path.read_text(encoding="utf-8"))[
        :1
    ]
    return ElementTree.fromstring(base64.b64decode(data))


def test_the_picture_has_the_winner_every_score_and_every_city(tmp_path: Path) -> None:
    element = draw(tmp_path)
    texts = [text.text for text in element.iter(f"{SVG}text")]
    assert texts[1] == "Ben wins, 42 to 25"
    assert {"1. Ben", "42 points", "2. Kurt", "25", "3. Ashley", "21", "4. Anna", "12"} <= {*texts}
    districts = [use.get("href") for use in element.iter(f"{SVG}use")]
    assert len(districts) == 9 + 5 + 5 + 4
    assert districts[:3] == ["#military", "#noble", "#unique"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_everything_is_inside_the_picture_and_nothing_covers_another(edition: str) -> None:
    for seed in range(4):
        element = ElementTree.fromstring(recap_card.draw(look_at(edition, seed)[0]))
        lines = [float(text.get("y") or 0) for text in element.iter(f"{SVG}text")]
        assert all(
            recap_card.MARGIN <= y <= recap_card.HEIGHT - recap_card.MARGIN / 2 for y in lines
        )
        ground, *boxes = element.iter(f"{SVG}rect")
        assert (ground.get("width"), ground.get("height")) == ("1080", "1350")
        edges = [(float(box.get("y") or 0), float(box.get("height") or 0)) for box in boxes]
        for (y, height), (below, _height) in pairwise(edges):
            assert height > 30
            assert y + height <= below


@pytest.mark.parametrize("code", list_offered())
def test_the_text_fits_a_chat(code: str) -> None:
    language.use(code)
    _record, replay = play_file(str(WHOLE))
    lines = recap_card.tell(look_back(replay.referee))
    assert len(lines) == recap_card.MOST_LINES
    assert "Ben" in lines[0]
    assert "1. Ben 42, 2. Kurt 25, 3. Ashley 21, 4. Anna 12" in lines


def test_long_and_nasty_names_stay_text_and_inside(tmp_path: Path) -> None:
    data: Any = strict_yaml.read(str(WHOLE)).data
    names = {"Anna": "<b>&amp;'%s", "Kurt": "Ж" * 40, "Ben": "x</svg>" * 5}
    quoted = {was: json.dumps(now, ensure_ascii=False) for was, now in names.items()}
    record = data | {
        "players": [names.get(name, name) for name in data["players"]],
        "crown": names.get(data["crown"], data["crown"]),
        "moves": [
            " ".join(quoted.get(word, word) for word in move.split()) for move in data["moves"]
        ],
    }
    file = tmp_path / "game.yaml"
    file.write_text(json.dumps(record, ensure_ascii=False), encoding="utf-8")
    picture = draw(tmp_path, file)
    for element in picture.iter(f"{SVG}text"):
        size = float(element.get("font-size") or 0)
        assert len(element.text or "") * size * 0.5 <= recap_card.WIDTH
    assert not [*picture.iter("b")]
