"""Languages are found by their files: finished ones are offered, others say what they lack."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from companion.language import catalogues
from companion.settings import config

ROOT = Path(__file__).parents[2]


@pytest.fixture
def env(home: Path) -> dict[str, str]:
    """An environment without language variables."""
    return {}


@pytest.fixture
def language_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root of a tree with all files of French, under the code xx."""
    for file in catalogues.files("fr"):
        copy = tmp_path / file.replace(".fr.", ".xx.").replace("/fr/", "/xx/")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, copy)
    monkeypatch.setattr(catalogues, "_ROOT", str(tmp_path))
    monkeypatch.setattr(catalogues, "LOCALE_FOLDER", str(tmp_path / "companion" / "locale"))
    return tmp_path


def test_a_language_is_its_files(language_files: Path) -> None:
    assert "xx" in catalogues.list_offered()
    assert catalogues.describe_missing("xx") is None


@pytest.mark.parametrize("file", catalogues.files("xx"))
def test_without_one_of_them_it_is_not_offered(
    file: str, language_files: Path, env: dict[str, str]
) -> None:
    (language_files / file).unlink()
    assert "xx" not in catalogues.list_offered()
    with pytest.raises(config.ConfigError) as error:
        config.load({**env, "COMPANION_LANGUAGE": "xx"})
    lacks = f"the language xx is not finished; missing: {file}"
    assert list(error.value.problems) == [f"COMPANION_LANGUAGE: {lacks}"]


def test_with_a_sentence_missing_it_can_be_tried(language_files: Path, env: dict[str, str]) -> None:
    note = language_files / "companion" / "locale" / "xx" / catalogues.UNFINISHED
    note.write_text("companion.po: 3 of 2000 sentences\n", encoding="utf-8")
    assert "xx" not in catalogues.list_offered()
    assert str(catalogues.describe_missing("xx")).endswith(
        "missing: companion.po (3 of 2000 sentences)"
    )
    assert config.load({**env, "COMPANION_LANGUAGE": "xx"}).language == "xx"
    assert config.load({**env, "LANG": "xx_XX.UTF-8", "COMPANION_LANGUAGE": ""}).language == "en"
