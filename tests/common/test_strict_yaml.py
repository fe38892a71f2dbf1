"""Strict YAML: text stays text, every mistake has its line, nothing hostile gets through."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from common import strict_yaml
from common.problems import Problem, Problems
from common.strict_yaml import parse


def problems(text: str) -> list[str]:
    """The problems of `text`, each as `LINE: sentence`."""
    with pytest.raises(Problems) as exception_info:
        parse(text, name="f")
    return [f"{problem.line}: {problem.text}" for problem in exception_info.value.problems]


@pytest.mark.parametrize(
    "text",
    [
        "12:34:56",
        "04123456",
        "4E12",
        "1.5E+3",
        "0x04",
        "0o17",
        "1_000",
        "+5",
        "-0",
        "1.",
        ".5",
        ".inf",
        ".nan",
        "123456789012345678901234567890",
        "2026-11-21",
        "no",
        "on",
        "True",
        "Null",
        "<<",
        "=",
        "Évêque",
    ],
)
def test_text_stays_text(text: str) -> None:
    assert parse(f"a: {text}\nb: [{text}]\n{text}: c", name="f").data == {
        "a": text,
        "b": [text],
        text: "c",
    }


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("7", 7),
        ("-12", -12),
        ("123456789012345678", 123456789012345678),
        ("0.05", 0.05),
        ("-1.5", -1.5),
        ("true", True),
        ("false", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("'7'", "7"),
        ('"true"', "true"),
        ("|\n  7", "7"),
        ("{}", {}),
        ("[]", []),
    ],
)
def test_plain_values(text: str, value: object) -> None:
    parsed = parse(f"a: {text}", name="f").data["a"]
    assert parsed == value
    assert type(parsed) is type(value)


def test_keys_are_always_text() -> None:
    data = parse("1: a\nnull: b\ntrue: c\n1.5: d\n04: e\n'': f", name="f").data
    assert list(data) == ["1", "null", "true", "1.5", "04", ""]


@given(st.integers(-(10**20), 10**20))
def test_an_integer_prints_back_as_it_was_written(number: int) -> None:
    assert str(parse(f"- {number}", name="f").data[0]) == str(number)


def test_an_empty_text_is_no_data() -> None:
    document = parse("# nothing\n", name="f")
    assert document.data is None
    assert document.line(("a", 1)) == 1


def test_lines_of_keys_and_entries() -> None:
    document = parse(
        "a: 1\nb:\n  - x\n  - y: 2\n    z:\n      3\nc: {d: 4,\n e: [5,\n 6]}\n", name="f"
    )
    lines = {
        (): 1,
        ("a",): 1,
        ("b",): 2,
        ("b", 0): 3,
        ("b", 1): 4,
        ("b", 1, "y"): 4,
        ("b", 1, "z"): 5,
        ("b", 1, "unknown", "deeper"): 4,
        ("b", 9): 2,
        ("a", "inside a scalar"): 1,
        ("c", "d"): 7,
        ("c", "e"): 8,
        ("c", "e", 1): 9,
    }
    assert {path: document.line(path) for path in lines} == lines
    assert str(document.problem(("b", 0), "is odd")) == "f:3: is odd"


def test_duplicate_keys_are_all_reported_with_both_lines() -> None:
    assert problems("a: 1\nb:\n  c: 1\n  'c': 2\na: 3\n1: x\n'1': y\n") == [
        "4: “c” is given twice, first on line 3",
        "5: “a” is given twice, first on line 1",
        "7: “1” is given twice, first on line 6",
    ]


def test_aliases_anchors_and_tags_are_refused() -> None:
    lines = problems("a: &x [1]\nb: *x\nc: !!python/object:os.system x\nd: !mine {}\n*y : 1\n")
    assert lines == [
        "1: “&x” is not allowed; quote it if it is text",
        "2: “*x” is not allowed; quote it if it is text",
        "3: “tag:yaml.org,2002:python/object:os.system” is not allowed; quote it if it is text",
        "4: “!mine” is not allowed; quote it if it is text",
        "5: “*y” is not allowed; quote it if it is text",
    ]


def test_an_alias_bomb_is_refused_at_once() -> None:
    lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x]"]
    lines += [f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 30)]
    assert "1: “&a0” is not allowed; quote it if it is text" in problems("\n".join(lines))


@pytest.mark.timeout(20)
@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? ", "[{a: "])
def test_depth_is_limited(opening: str) -> None:
    assert "more than 32 lists or mappings inside each other" in problems(opening * 100_000)[0]
    assert parse("[" * 32 + "]" * 32, name="f").data is not None


def test_size_is_limited(tmp_path: Path) -> None:
    text = "a: " + "x" * strict_yaml.MAX_SIZE
    assert problems(text) == ["1: the file is longer than 1 MiB"]
    (tmp_path / "long.yaml").write_text(text)
    with pytest.raises(Problems, match="longer than 1 MiB"):
        strict_yaml.read(str(tmp_path / "long.yaml"))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a: 1\nb: \x1b[2J", "2: the character U+001B cannot be shown and is not allowed"),
        ("a: 1\r\nb: \x9b", "2: the character U+009B cannot be shown and is not allowed"),
        ("a: x\u2028b: y", "1: the character U+2028 cannot be shown and is not allowed"),
        ("a: \ud800", "1: the character U+D800 cannot be shown and is not allowed"),
        ('a: 1\nb: "\\x1b]0;x"', "2: the character U+001B cannot be shown and is not allowed"),
        ('"\\a": 1', "1: the character U+0007 cannot be shown and is not allowed"),
        ("a: 1\nb: [1", "2: a “,” or the closing “]” is missing"),
        ("a:\n\tb: 1", "2: column 1: text cannot begin like this; quote it"),
        ("a: b: c", "1: column 5: there is a “:” where none is expected"),
        ("a: 'x", "1: column 6: a closing quote is missing"),
        ("- 1\n--- \n- 2", "2: a second document begins here; a file holds only one"),
        ("? [a]\n: 1", "1: a key must be text, not a list or a mapping"),
        ("a: 1\nb: {: 2}", "2: column 5: a key or a value is missing here"),
        ("a: 1\nb: [1,,2]", "2: column 7: a key or a value is missing here"),
        ('a: [é 🙂, "y" z]', "1: column 14: a “,” or the closing “]” is missing"),
        ("a: 1\n?\n: 2", "2: a key is missing before “:”"),
    ],
)
def test_each_mistake_has_its_line_and_sentence(text: str, sentence: str) -> None:
    assert any(line.startswith(sentence) for line in problems(text)), problems(text)


def test_problems_before_a_syntax_error_are_kept() -> None:
    assert [line.split(":")[0] for line in problems("a: 1\na: 2\nb: [")] == ["2", "3"]


def test_a_file_that_is_no_utf8(tmp_path: Path) -> None:
    path = tmp_path / "latin.yaml"
    path.write_bytes("a: 1\nb: é\n".encode("latin-1"))
    with pytest.raises(Problems) as exception_info:
        strict_yaml.read(str(path))
    assert str(exception_info.value) == f"{path}:2: this is not UTF-8 text; save it as UTF-8"


def test_a_byte_order_mark_and_windows_lines_are_fine() -> None:
    document = parse("\ufeffa: 1\r\nb: 2\r\n", name="f")
    assert document.data == {"a": 1, "b": 2}
    assert document.line(("b",)) == 2


@given(st.text(st.sampled_from("ab01:-[]{}'\"&*!|>\n\t #%@`,?.~é"), max_size=60))
def test_any_text_is_read_or_refused_with_a_line(text: str) -> None:
    problems: tuple[Problem, ...] = ()
    try:
        parse(text, name="f")
    except Problems as error:
        problems = error.problems
    assert all(1 <= problem.line <= text.count("\n") + 1 for problem in problems)


@given(st.text(st.sampled_from("ab01:-[]{}'\" \n,é~"), max_size=40))
def test_both_parsers_read_the_same(text: str) -> None:
    """Where PyYAML has no compiled parser its slow one reads what we accept to the same data."""
    try:
        document = parse(text, name="f")
    except Problems:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr(yaml, "CLoader")
        try:
            slow = parse(text, name="f")
        except Problems:
            return  # the two differ in a few malformed texts that only the compiled one forgives
    assert slow.data == document.data
