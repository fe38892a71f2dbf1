"""`companion replay`: the table in lines and as JSON, refusals, views, and files of every kind."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from common.clean import clean_text, printable
from companion.commands.cli import main
from companion.language import list_offered
from tests.companion.past_games import lines_of, text_of

Capture = pytest.CaptureFixture[str]

HEAD = "players: [Anna, Kurt, Ashley, Ben]\ncrown: Kurt\n"
CALLED = "moves:\n  - faceup bishop merchant\n  - choose Anna assassin\n  - call\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.yaml"


def replay(file: Path, text: str, capsys: Capture, *words: str) -> tuple[int, Any, str]:
    """The exit code, the JSON, and standard error."""
    file.write_text(text, encoding="utf-8")
    code = main(["replay", str(file), "--json", *words])
    output = capsys.readouterr()
    return code, json.loads(output.out), output.err


def test_the_json_has_every_key_of_the_notation(file: Path, capsys: Capture) -> None:
    code, table, text = replay(file, HEAD, capsys)
    assert (code, text) == (0, "")
    assert " ".join(table) == (
        "edition round phase crown called turn awaiting players faceup killed robbed bewitched "
        "warrants threats tax city_size first_complete chosen signed real legal refused score"
    )
    assert " ".join(table["players"]["Anna"]) == (
        "gold hand city decorated under_museum complete revealed"
    )
    assert table["crown"] == "Kurt"
    assert table["called"] is table["refused"] is table["score"] is None
    assert table["awaiting"] == {"player": "Kurt", "question": "select"}


@pytest.mark.parametrize("code", list_offered())
def test_what_programs_read_is_the_same_in_every_language(
    file: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    monkeypatch.setenv("COMPANION_LANGUAGE", code)
    text = HEAD + CALLED + "  - reveal Anna\n  - gold\n  - kill king\n  - build palace\n"
    exit_code, table, name = replay(file, text, capsys)
    assert exit_code == 1
    assert name.startswith(f"{file}:10: ")
    assert "(build.gold" in name
    reason = table["refused"].pop("reason")
    assert table["refused"] == {"index": 6, "move": "build palace", "rule": "build.gold"}
    assert (reason == "The Palace costs 5 gold, but Anna has only 4 gold.") is (code == "en")
    assert table["turn"]["character"] == "assassin"
    assert table["legal"][0] == "build manor"
    assert all(move.isascii() for move in table["legal"])
    file.write_text("players: [A, A]\nmoves: 5\n", encoding="utf-8")
    assert main(["replay", str(file)]) == 1
    problems = capsys.readouterr().err.splitlines()
    assert [line.partition(": ")[0] for line in problems] == [f"{file}:1", f"{file}:2"]


def test_a_refused_move(file: Path, capsys: Capture) -> None:
    text = HEAD + CALLED + "  - reveal anna\n  - build temple\n  - gold\n"
    code, table, name = replay(file, text, capsys)
    assert code == 1
    assert table["refused"] == {
        "index": 4,
        "move": "build temple",
        "rule": "build.not_gathered",
        "reason": "Anna must take gold or cards first.",
    }
    assert table["turn"]["player"] == "Anna"
    assert name.startswith(f"{file}:8: “build temple” isn't allowed. Anna must take gold or cards")
    assert "(build.not_gathered; Classic 2016, Player turns" in name


@pytest.mark.parametrize("word", ["undo", "redo", "tap temple", "hold crown", "lift", "unplug"])
def test_session_words_are_no_moves_of_a_file(word: str, file: Path, capsys: Capture) -> None:
    code, table, _ = replay(file, HEAD + CALLED + f"  - {word}\n", capsys)
    assert code == 1
    assert table["refused"]["rule"] == "move.unknown"
    assert table["phase"] == "calling"


def test_the_table_in_lines(file: Path, capsys: Capture) -> None:
    file.write_text(HEAD + CALLED)
    lines = lines_of(capsys, "replay", str(file))
    assert "Crown: Kurt." in lines
    assert "Anna: 2 gold, 4 cards in hand." in lines
    assert "Anna chose the Assassin." in lines
    assert not re.search("[─-╿]", "".join(lines))


def test_a_view_shows_no_secret(file: Path, capsys: Capture) -> None:
    file.write_text(HEAD + CALLED)
    for view, is_shown in (("full", True), ("Anna", True), ("public", False), ("Ben", False)):
        assert ("Anna chose" in text_of(capsys, "replay", str(file), "--view", view)) is is_shown


def test_an_unknown_viewer(file: Path, capsys: Capture) -> None:
    file.write_text(HEAD)
    assert main(["replay", str(file), "--view", "Ashly"]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert "did you mean “Ashley”?" in output.err


@pytest.mark.parametrize(
    ("secrecy", "moves", "secret"),
    [
        ("announced", ["coose Anna thief"], "Anna"),
        ("secret", ["reveal Anna", "kill thief", "kill merchant"], "Merchant"),
        ("secret", ["reveal Anna", "kill merchant", "gold", "end", "kill thief"], "thief"),
    ],
)
def test_a_refusal_tells_a_viewer_no_secret(
    secrecy: str, moves: list[str], secret: str, file: Path, capsys: Capture
) -> None:
    text = HEAD + f"secrecy: {secrecy}\n" + CALLED + "".join(f"  - {move}\n" for move in moves)
    code, table, name = replay(file, text, capsys, "--view", "Ben")
    assert code == 1
    assert secret not in name
    assert secret not in json.dumps(table["refused"])


@pytest.mark.parametrize(
    ("maker", "laid", "kept"),
    [("magistrate", "warrants thief king bishop", "signed king"),
     ("blackmailer", "threats king bishop", "real king")],
)  # fmt: skip
def test_a_marker_refused_twice_is_told_to_its_keeper_alone(
    maker: str, laid: str, kept: str, file: Path, capsys: Capture
) -> None:
    """The second attempt is refused; its words would tell what a viewer may not know."""
    cast = ["assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord"]
    cast[0 if maker == "magistrate" else 1] = maker
    moves = [laid, kept, kept]
    text = (
        f"edition: deluxe_2016\n{HEAD}characters: [{', '.join(cast)}]\n"
        f"position: {{turn: {{player: Anna, character: {maker}}}}}\n"
        f"moves: [{', '.join(moves)}]\n"
    )
    code, table, name = replay(file, text, capsys, "--view", "public")
    assert code == 1
    assert "king" not in json.dumps(table["refused"]).lower()
    assert "king" not in name.lower().replace(str(file).lower(), "")
    _, table, name = replay(file, text, capsys, "--view", "Anna")
    assert table["refused"]["move"] == kept
    assert kept in name
    assert f"{file}:" in name


def test_a_refusal_that_the_table_sees_is_told_in_full(file: Path, capsys: Capture) -> None:
    text = HEAD + CALLED + "  - gold\n"
    _, full, _ = replay(file, text, capsys)
    _, public, _ = replay(file, text, capsys, "--view", "public")
    assert public["refused"] == full["refused"]


def test_a_choice_refused_is_its_players_own(file: Path, capsys: Capture) -> None:
    text = HEAD + "moves: [faceup bishop merchant, choose Anna bishop]\n"
    _, mine, _ = replay(file, text, capsys, "--view", "anna")
    assert mine["refused"]["rule"] == "choose.face_up"
    _, other, name = replay(file, text, capsys, "--view", "Ben")
    assert other["refused"]["move"] is None
    assert "bishop" not in name.lower()


@pytest.mark.parametrize(
    ("content", "line", "messages"),
    [
        (b"", 1, "not a record"),
        (b"just words", 1, "not a record"),
        (b"[1, 2]", 1, "not a record"),
        (b"players: [Anna, B\xe9n]\n", 1, "UTF-8"),
        (b"\n\nplayers: [Anna, \x1b[31mBen]\n", 3, "U+001B"),
        (b"players: [Anna, Ben]\nmoves: {a: b}\n", 2, "list"),
        (b"players: [Anna, Ben]\nmoves:\n  - [gold]\n", 3, "text"),
        (b"players: [Anna, Ben]\nedition: classic_2015\n", 2, "did you mean"),
        (b"players: [Anna, Ben]\noptions: {city_size: 99}\n", 2, "city_size"),
        (b"players: [Anna]\n", 1, "2 to 7 players"),
        (b"x" * 2_000_000, 1, "longer than 1 MiB"),
    ],
)
def test_a_bad_file_is_a_sentence_with_its_line(
    content: bytes, line: int, messages: str, file: Path, capsys: Capture
) -> None:
    file.write_bytes(content)
    for command in ("replay", "score"):
        assert main([command, str(file)]) == 1
        output = capsys.readouterr()
        assert output.out == ""
        assert f"{file}:{line}: " in output.err
        assert messages in output.err
        assert printable(output.err) == output.err


@given(content=st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_garbage_is_never_a_traceback(content: bytes, file: Path, capsys: Capture) -> None:
    file.write_bytes(content)
    assert main(["replay", str(file)]) == 1
    assert capsys.readouterr().err.startswith(f"{file}:")


_JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 99) | st.sampled_from(["Anna", "temple", "king"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["Anna", "id", "gold", "player"]), inner, max_size=3)
    ),
    max_leaves=6,
)
_POSITION = (
    *("round", "players", "first_complete", "faceup", "killed", "robbed", "chosen", "revealed"),
    *("called", "turn", "tax"),
)


@given(position=st.dictionaries(st.sampled_from(_POSITION), _JUNK), moves=_JUNK)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_senseless_record_is_never_a_traceback(
    position: Any, moves: Any, file: Path, capsys: Capture
) -> None:
    record = {"players": ["Anna", "Ben", "Cem", "Dov"], "position": position, "moves": moves}
    file.write_text(json.dumps(record))  # which is YAML too
    assert main(["replay", str(file)]) in (0, 1)
    assert main(["score", str(file)]) in (0, 1)
    capsys.readouterr()


@pytest.mark.parametrize(
    "name",
    ["[bold red]Anna[/]", "😀👨‍👩‍👧‍👦", "אנה", "\u202eannA", "a\nb:1: lie", "%s{}", "-", "'\"\\"],
)
def test_any_name_plays_and_none_drives_the_terminal(
    name: str, file: Path, capsys: Capture
) -> None:
    head = f"players: [{json.dumps(name, ensure_ascii=False)}, Ben]\n"
    code, table, _ = replay(file, head + "moves: [call]\n", capsys)
    assert code == 0
    assert list(table["players"]) == [clean_text(name), "Ben"]
    move = json.dumps("build " + json.dumps(name, ensure_ascii=False), ensure_ascii=False)
    file.write_text(head + f"moves: [call, {move}]\n", encoding="utf-8")
    assert main(["replay", str(file)]) == 1
    output = capsys.readouterr()
    assert printable(output.out) == output.out
    assert printable(output.err) == output.err
    assert output.err.count("\n") == 1


def test_a_long_record_is_played(file: Path, capsys: Capture) -> None:
    code, table, _ = replay(file, HEAD + "moves:\n" + "  - gold\n" * 50_000, capsys)
    assert code == 1
    assert table["refused"]["index"] == 0


@pytest.mark.parametrize("path", ["/nowhere/game.yaml", ".", "\x00"])
def test_a_file_that_cannot_be_read(path: str, capsys: Capture) -> None:
    for command in ("replay", "score"):
        assert main([command, path]) == 2
        assert "cannot be read" in capsys.readouterr().err
