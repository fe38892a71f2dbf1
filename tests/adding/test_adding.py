"""Follow docs/dev/adding.md in a copy of the tree, with a made-up example of each thing."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from companion.extending import GROUP
from tests.adding.edits import ROOT
from tests.adding.made_up import THINGS
from tests.sizes import RING

CHECKS = (
    "tests/test_nothing_forgotten.py",
    "tests/companion/test_config.py",
    "tests/engine/test_bookkeeper.py::test_the_bookkeeper_knows_what_each_box_plays",
    "tests/companion/test_catalogues.py::test_every_catalogue_has_every_sentence",
)
"""The tests that report a forgotten file; what a translation lags, scripts/messages.py tells."""

MOST = {"A character": 8, "A district": 2, "An edition": 3, "A language": 4}
"""The most files to write by hand."""

TRANSLATED = ["de", "fr", "ru"]
"""The languages for which the made-up things have translations; those of others may follow."""

NOT_COPIED = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis")


def page() -> dict[str, list[str]]:
    """The paths in the table of each of the page's sections that has one, by heading."""
    text = (ROOT / "docs" / "dev" / "adding.md").read_text(encoding="utf-8")
    sections = {
        section.splitlines()[0]: re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE)
        for section in text.split("\n## ")[1:]
    }
    return {heading: paths for heading, paths in sections.items() if paths}


def files_of(heading: str) -> dict[str, str]:
    """The section's files: path in the tree to path on the page."""
    names = {"code": TRANSLATED, **{key: [name] for key, name in THINGS[heading].names.items()}}
    files: dict[str, str] = {}
    for path in page()[heading]:
        paths = [path]
        for key, fillings in names.items():
            paths = [p.replace(f"<{key}>", name) for p in paths for name in fillings]
        files |= dict.fromkeys(paths, path)
    return files


TRIED = list(THINGS) if RING == "soak" else ["A reader", "A command"]
"""The additions tried in this ring; all of them take seven minutes."""


def text_of(file: Path) -> str | None:
    """The text of a file; None if it does not exist."""
    return file.read_text(encoding="utf-8") if file.exists() else None


class Tree:
    """A copy of the checkout in which a page's section is followed."""

    def __init__(self, root: Path, heading: str) -> None:
        self.root, self.thing = root, THINGS[heading]
        shutil.copytree(ROOT, root, ignore=NOT_COPIED, symlinks=True)
        self.files = files_of(heading)
        self.before = {path: text_of(root / path) for path in self.files}

    def follow(self) -> None:
        """Write every file and those that are made from them."""
        for path, on_page in self.files.items():
            self.write(path, self.thing.files[on_page](self.before[path] or ""))
        text = self.make("generated")
        assert not text, text

    def leave_out(self, path: str) -> None:
        """Restore that file."""
        self.write(path, self.before[path])

    def make(self, target: str) -> str:
        """Make it; returns what went wrong, or nothing."""
        bin_ = f"BIN={Path(sys.executable).parent}"
        result = self.run("make", target, bin_, "--old-file=.venv/.dev")
        return "" if result.returncode == 0 else result.stdout + result.stderr

    def check(self, *paths: str, ring: str = "not outer and not soak") -> str:
        """Run these tests; returns the failures, or nothing."""
        options = ("-m", ring, "-n0", "-p", "no:cacheprovider")
        result = self.python("-m", "pytest", "-q", "-rf", *options, *paths)
        return "" if result.returncode == 0 else result.stdout + result.stderr

    def python(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run Python on the copy's modules."""
        return self.run(sys.executable, *words)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a program in the copy; tests in the sizes of `make check`."""
        return subprocess.run(
            words, cwd=self.root, capture_output=True, encoding="utf-8",
            env={**os.environ, "PYTHONPATH": str(self.root), "PYTHONIOENCODING": "utf-8",
                 "RING": "test"},
        )  # fmt: skip

    def write(self, path: str, text: str | None) -> None:
        """Write the file; None deletes it."""
        file = self.root / path
        if text is None:
            file.unlink()
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        if path == "pyproject.toml":
            self.install()

    def install(self) -> None:
        """Name the extensions of pyproject.toml, as an installation of the copy would."""
        facts = self.root / "citadels_companion-0.dist-info"
        facts.mkdir(exist_ok=True)
        installed = metadata.distribution("citadels-companion").read_text("METADATA")
        (facts / "METADATA").write_text(installed or "", encoding="utf-8")
        project = tomllib.loads((self.root / "pyproject.toml").read_text(encoding="utf-8"))
        points = project["project"]["entry-points"][GROUP]
        lines = [f"[{GROUP}]", *(f"{name} = {place}" for name, place in points.items())]
        (facts / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")


@pytest.fixture(scope="module")
def tree(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """A copy of the tree after following the section of that heading."""
    result = Tree(tmp_path_factory.mktemp("adding") / "tree", request.param)
    result.follow()
    return result


def test_the_page_and_the_made_up_things_name_the_same_files() -> None:
    assert {heading: set(paths) for heading, paths in page().items()} == {
        heading: set(thing.files) for heading, thing in THINGS.items()
    }


@pytest.mark.parametrize("heading", MOST)
def test_few_files_are_written(heading: str) -> None:
    assert len(files_of(heading)) <= MOST[heading]


@pytest.mark.documents
@pytest.mark.parametrize("heading", THINGS)
def test_the_made_up_things_fit_the_tree_of_now(heading: str) -> None:
    for path, on_page in files_of(heading).items():
        before = text_of(ROOT / path) or ""
        assert THINGS[heading].files[on_page](before) != before


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("tree", TRIED, indirect=True)
def test_whoever_follows_the_page_breaks_nothing(tree: Tree) -> None:
    text = tree.make("style") or tree.check(*CHECKS) or tree.check(*tree.thing.ring)
    if own := [path for path in tree.files if "/test_" in path]:
        text = text or tree.check(*own, ring="not soak")
    assert not text, text[-6000:]


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("tree", TRIED, indirect=True)
def test_a_forgotten_file_is_named(tree: Tree) -> None:
    texts = {path: text_of(tree.root / path) for path in tree.files}
    for path, text in texts.items():
        tree.leave_out(path)
        report = tree.check(*CHECKS) + tree.python("scripts/messages.py", "--check").stderr
        assert path in report, f"nothing tells of {path}:\n{report[-3000:]}"
        tree.write(path, text)
