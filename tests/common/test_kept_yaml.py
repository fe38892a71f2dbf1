"""Cached YAML: the same result as parsing again, whatever happens to the cache."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common import strict_yaml
from common.problems import Problems
from common.strict_yaml import Document


def read(path: Path) -> Document:
    return strict_yaml.read_cached(str(path), str(path) + ".kept")


def kept_file(path: Path) -> Path:
    return path.with_name(path.name + ".kept")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file that has been read, and so cached, once."""
    path = tmp_path / "a.yaml"
    path.write_text("a: 1\n")
    read(path)
    return path


def test_any_change_is_noticed(path: Path) -> None:
    for text in ("a: 1\n", "a: 2\n", "a: 1\n"):
        path.write_text(text)
        os.utime(path, (1, 1))  # same size, same time: only the contents tell
        for _ in range(2):
            document = read(path)
            assert (document.data, document.line(("a",))) == ({"a": int(text[3])}, 1)


def test_what_is_kept_is_used(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(strict_yaml, "parse_bytes")
    assert read(path).data == {"a": 1}


def test_what_is_kept_still_has_its_lines(path: Path) -> None:
    path.write_text("a:\n  - 1\n  - b: 2\n")
    fresh, document = read(path), read(path)
    for place in ((), ("a",), ("a", 0), ("a", 1, "b"), ("a", 7)):
        assert document.line(place) == fresh.line(place)


def test_problems_are_never_kept(path: Path) -> None:
    path.write_text("a: 1\na: 2\n")
    for _ in range(2):
        with pytest.raises(Problems, match="given twice"):
            read(path)


@given(data=st.data())
def test_a_damaged_file_changes_nothing(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("damaged") / "a.yaml"
    path.write_text("a: [1, {b: c}]\n")
    document = read(path)
    whole = kept_file(path).read_bytes()
    at = data.draw(st.integers(0, len(whole)))
    content = data.draw(
        st.sampled_from([whole[:at], whole[:at] + b"\xff" + whole[at + 1 :], whole + b"x", b""])
    )
    kept_file(path).write_bytes(content)
    match = read(path)
    assert match.data == document.data
    assert match.line(("a", 1, "b")) == document.line(("a", 1, "b"))


def test_a_file_that_others_may_write_is_not_trusted(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert kept_file(path).stat().st_mode & 0o777 == 0o600
    kept_file(path).chmod(0o666)
    anew = Document("a.yaml", "read anew", 1)
    monkeypatch.setattr(strict_yaml, "parse_bytes", lambda source, **_: anew)
    assert read(path).data == anew.data


def test_others_may_read_what_is_kept_for_them(path: Path) -> None:
    record = path.parent / "folder" / "kept"
    strict_yaml.read_cached(str(path), str(record), mode=0o644)
    assert record.stat().st_mode & 0o777 == 0o644
    assert record.parent.stat().st_mode & 0o777 & ~0o022 == 0o755


def test_where_nothing_can_be_kept_reading_works_all_the_same(path: Path) -> None:
    assert strict_yaml.read_cached(str(path), "/dev/null/x").data == {"a": 1}
