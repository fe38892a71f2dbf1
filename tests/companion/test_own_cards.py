"""Custom cards: added or corrected in `cards.yaml`, checked, then used like any other card."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from common.problems import Problems
from companion.commands.cli import main
from engine import cards, datafiles, own_cards, record
from engine.editions import editions
from engine.referee import Referee
from tests.companion.listening import companion
from tests.companion.past_games import Capture, text_of

OWN = """
millennium_3e:
  palace: {copies: 3}
  observatory: {cost: 4}
  bastion: {type: military, cost: 4, copies: 1, names: {fr: Bastion}}
  old_tower:
    type: unique
    cost: 4
    copies: 1
    names: {en: Old Tower, fr: Vieille tour}
    text: At the end it brings 2 points more.
    points: 2
classic_2016:
  stables: {copies: 1}
"""
POSITION = """
edition: millennium_3e
players: [Anna, Ben, Clara, Dan]
crown: Anna
position:
  players: {Anna: {gold: 9, hand: 3, city: [bastion, old_tower]}}
  turn: {player: Anna, character: warlord, gathered: true}
moves: [income, build palace]
"""


@pytest.fixture
def table(home: Path) -> Path:
    """The folder of a table with custom cards."""
    folder = home / "data"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cards.yaml").write_text(OWN)
    return folder


@pytest.mark.usefixtures("table")
def test_a_card_of_its_own_is_shown(capsys: Capture) -> None:
    text = text_of(capsys, "card", "vieille", "tour", "--edition", "millennium_3e")
    assert text.splitlines() == [
        "Old Tower",
        "District, unique, costs 4 gold, 1 copy in Citadelles, 3rd edition (Millennium)",
        "At the end it brings 2 points more.",
        "Source: this table's own cards.",
        "From this table's cards.yaml: cost 4 and copies 1",
        "Other printed names: Vieille tour (fr)",
        "Id: old_tower",
    ]
    text = text_of(capsys, "card", "bastion", "--edition", "millennium_3e")
    assert "A district of this table's own." in text


@pytest.mark.usefixtures("table")
def test_a_correction_holds_for_its_edition_alone(capsys: Capture) -> None:
    assert "costs 4 gold" in text_of(capsys, "card", "observatory", "--edition", "millennium_3e")
    assert "costs 5 gold" in text_of(capsys, "card", "observatory", "--edition", "ffg_2005")
    assert "18 characters; 83 districts, 27 of them unique." in text_of(
        capsys, "editions", "millennium_3e"
    )
    assert "68 districts" in text_of(capsys, "editions", "hobby_world_2022")
    assert "69 districts" in text_of(capsys, "editions", "classic_2016")
    assert "Districts only in Classic 2016: Stables." in text_of(
        capsys, "editions", "diff", "classic_2016", "hobby_world_2022"
    )


def test_they_are_built_and_counted(table: Path, capsys: Capture) -> None:
    file = table / "game.yaml"
    file.write_text(POSITION)
    text = text_of(capsys, "score", str(file))
    assert "Anna: 15 points." in text
    assert "2 points for the Old Tower." in text
    assert "Bastion, military, 4 gold." in text_of(capsys, "replay", str(file))
    own_cards.use(own_cards.read({"ffg_2005": {"palace": {"copies": 1}}}))
    head = {"edition": "ffg_2005", "players": ["A", "B", "C", "D"]}
    position = {
        "players": {"A": {"city": ["palace"]}, "B": {"gold": 9}},
        "turn": {"player": "B", "character": "king", "gathered": True},
    }
    referee = Referee(record.read({**head, "position": position, "moves": []}).start)
    assert "build palace" not in [move.text for move in referee.list_legal_moves()]


@pytest.mark.outer
@pytest.mark.usefixtures("table")
def test_they_are_played_typed_and_tapped() -> None:
    words = ["play", "--plain", "--edition", "millennium_3e", "--reader", "simulated"]
    words += ["--players", "Anna,Ben,Clara,Dan", "--crown", "Anna"]
    moves = ["faceup bishop merchant", "call", "reveal Anna", "gold", "cards"]
    moves += ["tap bastion", "undo", "b basti", "undo", "build bastion", "card old tower", "rules"]
    result = companion(*words, stdin="\n".join(moves) + "\n")
    assert (
        result.stdout.count("Anna builds the Bastion for 4 gold.") == 5
    )  # told three times, undone twice
    assert "Old Tower: unique district, 4 gold." in result.stdout
    assert "Old Tower." in result.stdout


@pytest.mark.outer
def test_a_record_names_what_it_needs(table: Path, home: Path, capsys: Capture) -> None:
    words = ["play", "--plain", "--edition", "millennium_3e", "--reader", "none"]
    moves = ["faceup bishop merchant", "call", "reveal Anna", "gold", "build bastion"]
    companion(*words, "--players", "Anna,Ben,Clara,Dan", stdin="\n".join(moves) + "\n")
    text = text_of(capsys, "record")
    assert text.startswith("# Played with a table's own cards; ")
    assert "#   bastion: {cost: 4, copies: 1, type: military, names: {fr: Bastion}}\n" in text
    assert "old_tower]" in text
    file = home / "game.yaml"
    file.write_text(text)
    assert "Bastion" in text_of(capsys, "replay", str(file))

    (table / "cards.yaml").unlink()
    assert main(["replay", str(file)]) == 1
    err = capsys.readouterr().err
    assert "“old_tower” is not a unique district in Citadelles, 3rd edition (Millennium)" in err
    assert "no box has a card “old_tower”; a table's own cards go in its cards.yaml" in err
    file.write_text("".join(line for line in text.splitlines(True) if "districts:" not in line))
    assert main(["replay", str(file)]) == 1
    assert (
        "No box has a card called bastion; a table's own cards are in its cards.yaml."
        in capsys.readouterr().err
    )
    # the other table needs only the text of the comment in its cards.yaml
    remark = [line[2:] for line in text.splitlines(True) if line.startswith("# ")][1:]
    (table / "cards.yaml").write_text("".join(remark))
    file.write_text(text)
    assert main(["replay", str(file)]) == 0


def test_the_file_can_stand_elsewhere(
    home: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "elsewhere.yaml").write_text("classic_2016:\n  temple: {cost: 2}\n")
    monkeypatch.setenv("COMPANION_CARDS", str(home / "elsewhere.yaml"))
    assert "costs 2 gold" in text_of(capsys, "card", "temple")
    monkeypatch.delenv("COMPANION_CARDS")
    assert "costs 1 gold" in text_of(capsys, "card", "temple")


def test_everything_that_is_wrong_is_said_with_its_line(table: Path, capsys: Capture) -> None:
    file = table / "cards.yaml"
    file.write_text(
        """\
milenium_3e: {}
millennium_3e:
  palce: {copies: 3}
  palace: {copies: 0, type: noble, coopies: 3}
  king: {cost: 3}
  Bastion: {type: military}
  build: {type: military}
  bastion: {type: milit, cost: x, copies: 99, names: {}, points: 3}
  tower: {type: unique, cost: 3, copies: 1, names: {en: Castle, xx: Foo}, text: 3}
  keep:
  stables: {cost: 3}
ffg_2005: [1]
"""
    )
    assert main(["card", "temple"]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    lines = [line.removeprefix(f"{file}:") for line in output.err.splitlines()]
    assert lines == [
        "1: unknown key “milenium_3e”; did you mean “millennium_3e”?",
        "3: unknown card “palce”; did you mean “palace”?",
        "4: the type of “palace” is fixed; only cost and copies can differ",
        "4: unknown key “coopies”; did you mean “copies”?",
        "4: millennium_3e.palace.copies is 0, but must be from 1 to 20",
        "5: “king” is a character; only districts can be added or corrected",
        "6: “Bastion” is not an id: use lower-case letters, digits and _, such as “new_tower”",
        "7: “build” is a word of the notation; choose another id",
        "8: millennium_3e.bastion.cost must be a whole number, not “x”",
        "8: millennium_3e.bastion.copies is 99, but must be from 1 to 20",
        "8: “milit” is not a type of district; did you mean “military”?",
        "8: a card needs a name in at least one language, such as en: New Tower",
        "8: only a unique district can score points of its own",
        "9: unknown key “xx”",
        "9: “millennium_3e.tower.text” must be text",
        "9: “castle” is already called “Castle”",
        "10: “keep” needs facts, such as copies: 2",
        "11: “stables” is from another box; say how many copies this one has",
        "12: ffg_2005 must list cards, each with its facts indented below it",
    ]


@pytest.mark.parametrize("text", ["a: [", "- 1", "x", "a: 1\na: 2", "\x00"])
def test_no_good_yaml(text: str, table: Path, capsys: Capture) -> None:
    (table / "cards.yaml").write_text(text)
    assert main(["card", "temple"]) == 2
    assert f"{table / 'cards.yaml'}:" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "# nothing\n", "ffg_2005:\n", "ffg_2005: {}\n"])
def test_a_file_that_says_nothing(text: str, table: Path, capsys: Capture) -> None:
    (table / "cards.yaml").write_text(text)
    assert "costs 1 gold" in text_of(capsys, "card", "temple")
    assert not datafiles.load_own()


def test_one_id_is_one_card() -> None:
    tower = {"type": "trade", "cost": 2, "copies": 1, "names": {"en": "Tower"}}
    both = {"ffg_2005": {"tower": tower}, "brettspielwelt": {"tower": {**tower, "cost": 3}}}
    own_cards.use(own_cards.read(both))
    for edition, cost in (("ffg_2005", 2), ("brettspielwelt", 3)):
        assert cards.districts(editions()[edition].printing)["tower"].cost == cost
    assert "tower" not in cards.districts(editions()["classic_2016"].printing)
    both["brettspielwelt"]["tower"]["type"] = "noble"
    with pytest.raises(Problems, match="described differently under ffg_2005"):
        own_cards.read(both)


NEEDS = "unknown card “xyzzy”; one of your own needs type, cost, copies and names"


@pytest.mark.parametrize(
    ("id_", "facts", "messages"),
    [
        ("xyzzy", {"cost": 3}, NEEDS),
        ("xyzzy", {"cost": 3, "copies": 2}, NEEDS),
        ("xyzzy", {"type": "noble", "cost": 1}, "a card of your own needs copies and names"),
        ("templ", {"cost": 3}, "unknown card “templ”; did you mean “temple”?"),
        (
            "xyzzy",
            {"type": "noble", "cost": 1, "copies": 1, "names": {"en": "x" * 41}},
            "“classic_2016.xyzzy.names.en” can have at most 40 characters",
        ),
    ],
)
def test_what_is_wrong_with_a_card_unknown_so_far(
    id_: str, facts: dict[str, Any], messages: str
) -> None:
    with pytest.raises(Problems) as exception_info:
        own_cards.read({"classic_2016": {id_: facts}})
    assert [str(problem.text) for problem in exception_info.value.problems] == [messages]


def test_a_name_may_be_as_long_as_that() -> None:
    facts = {"type": "noble", "cost": 1, "copies": 1, "names": {"en": "x" * 40}}
    assert "xyzzy" in own_cards.read({"classic_2016": {"xyzzy": facts}})["classic_2016"]
