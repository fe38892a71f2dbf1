"""A name is the same however it is typed, pasted or written into a file; one that only looks like
another's is refused where players sit down."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from common.problems import Problems
from companion.commands.cli import main
from companion.files import kinds, locations
from companion.settings import config
from companion.setup import PlayOptions, from_options
from companion.setup.draft import Draft
from engine import record
from engine.moves import quote, split
from tests.companion.past_games import begin, json_of

Capture = pytest.CaptureFixture[str]

MESSY = ["  Anna ", "Kurt\u00a0 B", "Zoe\u0308", "Ben\t"]
CLEAN = ("Anna", "Kurt B", "Zo\u00eb", "Ben")


def test_a_record_is_read_with_clean_names_and_played_by_either() -> None:
    data = {"players": MESSY, "crown": "Kurt B", "position": {"players": {"Kurt  B": {"gold": 7}}}}
    setup = record.read({**data, "moves": ["faceup bishop merchant"]})
    assert setup.setup.players == CLEAN
    assert setup.setup.crown == "Kurt B"
    assert setup.start.seats[1].gold == 7
    assert record.read({"players": [*CLEAN], "moves": ["choose Zoe\u0308 king"]}).moves


@pytest.mark.parametrize("name", ['Anna "Q"', "An\\na B", '"'])
def test_a_name_with_quotes_and_backslashes_is_one_word_of_a_move(name: str) -> None:
    assert split(f"destroy {quote(name)} tavern") == ["destroy", name, "tavern"]


@pytest.mark.looking_back
def test_a_player_is_renamed_to_the_clean_name(log: str, capsys: Capture) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    assert main(["players", "rename", "Kurt", " Kurt \u00a0Meier "]) == 0
    capsys.readouterr()
    assert json_of(capsys, "history")[0]["players"][1] == "Kurt Meier"


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("\u0410nna", "Anna"),
        ("\uff21nna", "Anna"),
        ("\u039dora", "Nora"),
        ("\u0397ans", "Hans"),
        ("\u0396oe", "Zoe"),
        ("Zo\u0451", "Zo\u00eb"),
        ("O\u2019Neil", "O'Neil"),
    ],
)
def test_a_name_that_only_looks_like_anothers_is_refused_at_the_set_up(
    name: str, other: str
) -> None:
    draft = Draft.of(PlayOptions(players=(other, "Kurt")), config.load({}), None)
    problem = f"{name} looks like {other}, but is written with other letters; tell them apart."
    assert draft.add(name) == problem
    assert draft.rename(1, name) == problem
    with pytest.raises(Problems, match="tell them apart"):  # as `--players` gives them
        from_options(PlayOptions(players=(other, "Kurt", name, "Ben")), config.load({}))


def test_names_that_differ_in_a_mark_are_two_names() -> None:
    draft = Draft.of(PlayOptions(players=("Zo\u00eb", "Kurt")), config.load({}), None)
    assert draft.add("Zoe") == ""


@pytest.mark.parametrize("blank", ["\u200b", "\u2060", "\ufeff", "\u200e", "\u00ad", "\u202a"])
def test_what_nobody_sees_makes_no_other_name(blank: str) -> None:
    players = [f"Jo{blank}", "Ben", "Eva", "Zoe"]
    setup = record.read_setup({"players": players, "crown": f"{blank}Jo"})
    assert (setup.players[0], setup.crown) == ("Jo", "Jo")
    with pytest.raises(Problems, match="two players are called"):
        record.read_setup({"players": ["Jo", f"{blank}Jo", "Ben", "Eva"]})


@pytest.mark.parametrize("name", ["Somebody", "somebody 2", "Nobody"])
def test_a_word_for_whoever_is_forgotten_is_no_name(
    name: str, log: str, home: Path, capsys: Capture
) -> None:
    draft = Draft.of(PlayOptions(players=("Anna", "Kurt")), config.load({}), None)
    assert draft.add(name) == f"Nobody can be called {name}: that word has a meaning here."
    with pytest.raises(Problems):
        from_options(PlayOptions(players=("Anna", "Kurt", name, "Ben")), config.load({}))
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    assert main(["players", "rename", "Kurt", name]) == 2
    assert "can't be a player's name" in capsys.readouterr().err


@pytest.mark.looking_back
def test_whoever_is_forgotten_beside_an_imported_somebody_is_somebody_else(
    log: str, home: Path, capsys: Capture
) -> None:
    file = home / "game.yaml"
    file.write_text(BOM_RECORD.replace("Anna", "Somebody"), encoding="utf-8")
    json_of(capsys, "import", str(file))
    assert main(["players", "forget", "Kurt"]) == 0
    capsys.readouterr()
    assert json_of(capsys, "history")[0]["players"] == ["Somebody", "Somebody 2", "Ashley", "Ben"]
    assert main(["record"]) == 0  # one that can be read
    text = capsys.readouterr().out
    file.write_text(text, encoding="utf-8")
    assert main(["replay", str(file)]) == 0


@pytest.mark.looking_back
@pytest.mark.parametrize(
    ("name", "shown"),
    [("\u0410nna", "\u0410nna (Cyrillic)"), ("\uff21nna", "\uff21nna (full width)")],
)
def test_in_a_file_it_is_another_person_shown_with_the_script(
    name: str, shown: str, log: str, home: Path, capsys: Capture
) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    file = home / "game.yaml"
    file.write_text(BOM_RECORD.replace("Anna", name), encoding="utf-8")
    for added in (1, 0):
        assert json_of(capsys, "import", str(file))["added"] == added
    people = {person["name"]: person["games"] for person in json_of(capsys, "players")}
    assert (people["Anna"], people[shown]) == (1, 1)
    assert shown in json_of(capsys, "history")[0]["players"]
    for word in (name, shown):
        assert len(json_of(capsys, "history", "--player", word)) == 1
    begin(log, name, "Kurt", "Ashley", "Ben")
    assert {p["name"]: p["games"] for p in json_of(capsys, "players")}[shown] == 2
    json_of(capsys, "players", "rename", shown, "Anja")
    assert {p["name"]: p["games"] for p in json_of(capsys, "players")}["Anja"] == 2


BOM_RECORD = "edition: classic_2016\nplayers: [Anna, Kurt, Ashley, Ben]\nmoves: []\n"
PASTED = """edition: classic_2016
players: [Anna, Kurt, Ashley, Ben]
crown: Kurt
moves:
  - faceup bishop merchant
  - call
"""
FORMS = {
    "a mark": BOM_RECORD.encode("utf-8-sig"),
    "UTF-16": BOM_RECORD.replace("\n", "\r\n").encode("utf-16"),
    "UTF-16 the other way round": b"\xfe\xff" + BOM_RECORD.encode("utf-16-be"),
    "a line before it": f"# ours\r\n---\r\n{BOM_RECORD}".encode(),
    "UTF-16 without a mark": BOM_RECORD.encode("utf-16-le"),
    "the same the other way round": BOM_RECORD.encode("utf-16-be"),
    "quoted keys": BOM_RECORD.replace("edition:", '"edition":').encode(),
    "keys in single quotes": BOM_RECORD.replace("edition:", "'edition':").encode(),
    "a remark behind the dashes": f"--- # ours\n{BOM_RECORD}".encode(),
    "a name with a colon of full width": "players:\n- VIP\uff1aBen\n- Kurt\n".encode(),
    "long keys": BOM_RECORD.replace("edition:", "? edition\n:").encode(),
    "old line ends": BOM_RECORD.replace("\n", "\r").encode(),
    "UTF-32": BOM_RECORD.encode("utf-32"),
    "the end of a file of DOS": BOM_RECORD.encode() + b"\x1a",
    "no-break spaces": PASTED.replace("crown: ", "crown:\u00a0")
    .replace("  - f", "\u00a0\u00a0-\u202ff")
    .encode(),
    "signs of full width": PASTED.replace(": ", "\uff1a")
    .replace(", ", "\uff0c")
    .replace("[", "\uff3b")
    .replace("2016", "\uff12\uff10\uff11\uff16")
    .encode(),
    "tabs": PASTED.replace("  - ", "\t- ").encode(),
    "bullets": PASTED.replace("  - f", "  \u2022 f").replace("  - c", "  * c").encode(),
    "long dashes": PASTED.replace("  - ", "\u2013\u00a0").encode(),
    "capitals": PASTED.replace("edition", "Edition").replace("crown", "Crown").encode(),
    "curly quotes": PASTED.replace("[Anna", "[\u201cAnna\u201d")
    .replace("Kurt,", "\u2018Kurt\u2019,")
    .encode(),
    "French quotes": PASTED.replace("[Anna", "[\u00abAnna\u00bb").encode(),
    "a fence": f"```yaml\n{PASTED}```\n".encode(),
    "a chat": f"Hi Kurt, look: I won!\n\n~~~\n{PASTED}~~~\nBye, Anna\n".encode(),
    "a mail": "".join(f"> {line}\n" for line in PASTED.splitlines()).encode(),
    "a mail that quotes a fence": b"> ```\n> " + PASTED.replace("\n", "\n> ").encode(),
    "names without brackets": PASTED.replace("[", "").replace("]", "").encode(),
    "moves as sentences": PASTED.replace("faceup b", "Faceup B").replace("call", "CALL.").encode(),
    "moves in curly quotes": f"{PASTED}  - reveal \u201cAnna\u201d\n".encode(),
    "two fences": b"```\n" + PASTED.replace("moves:", "```\nand:\n```\nmoves:").encode() + b"```",
    "the end of a fence": f"{PASTED}```\n".encode(),
    "line ends of a word processor": PASTED.replace("\n", "\u2028").encode(),
}


@pytest.mark.parametrize("form", FORMS)
def test_whatever_replay_plays_import_and_score_take(
    form: str, home: Path, capsys: Capture
) -> None:
    file = home / "game.yaml"
    file.write_bytes(FORMS[form])
    for command in ("replay", "score", "import"):
        assert main([command, str(file)]) == 0, command


def test_no_move_is_lost_between_two_fences(home: Path, capsys: Capture) -> None:
    file = home / "game.yaml"
    file.write_text(f"~~~\n{PASTED}~~~\nand then\n~~~\n  - nobody\n~~~\nBye\n", encoding="utf-8")
    assert main(["replay", str(file)]) == 0
    assert "Rank 2." in capsys.readouterr().out


@pytest.mark.parametrize("part", ["\n", ">", ">\n", " \n", "\t", "#\n", "edition\n", "{"])
def test_the_kind_of_no_file_takes_long_to_tell(part: str, home: Path) -> None:
    file = home / "game.yaml"
    file.write_text(part * 65_536, encoding="utf-8")
    assert kinds.find_kind(str(file)) == ""  # not after all ways to split it


@pytest.mark.skipif(os.name == "nt", reason="such a name cannot be given to a file there")
def test_a_file_with_a_name_in_another_encoding_is_a_file(
    log: str, home: Path, capsys: Capture
) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")  # whose log was called damaged
    name = os.fsdecode(os.fsencode(home) + b"/Kr\xf6te.yaml")
    Path(name).write_text(BOM_RECORD, encoding="utf-8")
    for command in ("score", "record"):
        assert main([command, name]) == 0, capsys.readouterr().err
    assert main(["score", os.path.basename(name[:-5])]) == 2
    assert "there is no game" in capsys.readouterr().err


ELSEWHERE = {
    "sep=;\r\ndate;player;score\r\n": "results of other programs are not imported",
    '{"plays": [], "games": []}': "results of other programs are not imported",
    "chips:\n  04A2B3C4D5E680: district tavern 1\n": "this is a list of chips",
    "chips:\n  players: 3\n": "this is a list of chips",
    "citadels-companion-games 2": "this is a file of “companion export”",
    "Größe;Spieler\n": "results of other programs are not imported",
    '<?xml version="1.0"?><plays total="1"/>': "results of other programs are not imported",
    "PK\3\4 a workbook": "results of other programs are not imported",
}


@pytest.mark.parametrize("text", ELSEWHERE)
def test_a_file_that_belongs_elsewhere_is_named_as_what_it_is(
    text: str, home: Path, capsys: Capture
) -> None:
    file = home / "game.yaml"
    file.write_text(text, encoding="utf-16" if "sep=" in text else "utf-8")
    for command in ("replay", "score"):
        assert main([command, str(file)]) == 1
        assert ELSEWHERE[text] in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    [BOM_RECORD.replace("edition", "Editions"), "a: [", "voice: on\n", "\u201cedition\u201d: x"],
)
def test_what_replay_refuses_import_refuses_for_the_same_reason(
    text: str, home: Path, capsys: Capture
) -> None:
    file = home / "game.yaml"
    file.write_text(text, encoding="utf-8")
    said = []
    for command in ("replay", "import"):
        assert main([command, str(file)]) == 1
        said.append(capsys.readouterr().err.splitlines()[0])
    assert said[0] == said[1]


def test_own_cards_of_any_encoding_are_exported_and_imported(home: Path, capsys: Capture) -> None:
    data = Path(locations.data_dir())
    data.mkdir(exist_ok=True)
    cards = "classic_2016:\n  inn: {type: trade, cost: 3, copies: 2, names: {en: G\u00e4sthof}}\n"
    (data / "cards.yaml").write_bytes(cards.encode("utf-16"))
    file = str(home / "games.citadels")
    assert main(["export", file]) == 0
    (data / "cards.yaml").write_bytes(cards.encode("utf-8-sig"))
    assert main(["import", file]) == 0
    capsys.readouterr()
    (data / "cards.yaml").write_bytes(cards.encode("cp1252"))
    for command in ("export", "import"):
        assert main([command, file]) == 2
        assert "save it as UTF-8" in capsys.readouterr().err


def test_whoever_is_renamed_split_or_undone_is_shown_with_the_script(
    log: str, capsys: Capture
) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Eva")
    game = begin(log, "\u0410nna", "Kurt", "Ashley", "Eva")
    shown = "\u0410nna (Cyrillic)"
    person = json_of(capsys, "players", "rename", "Eva", "\u041aurt")
    assert person["name"] == "\u041aurt (Cyrillic)"
    json_of(capsys, "players", "rename", shown, "Zoe")
    assert shown in {person["name"] for person in json_of(capsys, "players", "undo")}
    json_of(capsys, "players", "rename", "Anna", "Zoe")
    names = {person["name"] for person in json_of(capsys, "players", "undo")}
    assert {"Anna", shown} <= names
    json_of(capsys, "players", "merge", shown, "Anna")
    assert json_of(capsys, "players", "split", "Anna", game)["name"] == shown


def test_a_name_with_invisible_characters_can_be_merged_into(
    log: str, home: Path, capsys: Capture
) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    file = home / "game.yaml"
    file.write_text(BOM_RECORD.replace("Anna", "Jo\u200b"), encoding="utf-8")
    json_of(capsys, "import", str(file))
    assert json_of(capsys, "players", "merge", "Anna", "Jo\u200b")["name"] == "Jo"


def test_a_name_that_ends_with_a_full_stop_ends_the_sentence_too(
    tmp_path: Path, capsys: Capture
) -> None:
    players = ["Anna M.", "Kurt", "Ashley", "Ben"]
    moves = ["faceup bishop merchant", "call", "reveal Anna M.", "gold", "build 3"]
    for made, question in ((4, "Anna M. Build,"), (3, "Anna M. Gold or cards?")):
        path = tmp_path / "game.yaml"
        path.write_text(json.dumps({"players": players, "moves": moves[:made]}))
        assert main(["replay", str(path)]) == 0
        told = capsys.readouterr().out
        assert question in told
        assert "M.." not in told
