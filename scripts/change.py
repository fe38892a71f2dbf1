"""Print what a change costs, and what `make check` has not run of what it touches.

    python scripts/change.py [COMMIT]     # since then, instead of since the branch left main

`make check` ends with it. It prints the lines of each room beside those before, and the number of
sentences; there is no limit: whoever decides about a change sees what it costs. Then it names the
tests of the outer ring, since the inner one sees neither a page nor a terminal, and the worked
examples of docs/dev/adding.md.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parent.parent
_KINDS = ("*.py", "*.html", "*.js", "*.css", "*.tcss", "*.svg", "*.service", "*.rules", "*.sql")
_ROOMS = ("common", "companion", "engine", "scripts", "tags", "tests")
_ADDING = "docs/dev/adding.md"

SCREEN, PAGES, PROGRAMS = "tests/app", "tests/serving", "tests/end_to_end"
READERS, VOICE = "tests/tags", "tests/voice"
CLUB, LOOKING_BACK = "tests/club", "tests/looking_back"
COMMANDS, TWINS = "tests/companion", "tests/twins"

FOLDERS = {
    "common": (PROGRAMS, COMMANDS),
    "companion": (PROGRAMS,),
    "companion/app": (SCREEN,),
    "companion/chips": (READERS, COMMANDS),
    "companion/commands": (PROGRAMS, COMMANDS),
    "companion/errors": (PROGRAMS,),
    "companion/extensions": (),
    "companion/extensions/looking_back": (SCREEN, PAGES),
    "companion/files": (PROGRAMS, COMMANDS),
    "companion/game": (SCREEN, PAGES, PROGRAMS, TWINS),
    "companion/history": (LOOKING_BACK, CLUB, COMMANDS),
    "companion/language": (SCREEN, PAGES, PROGRAMS),
    "companion/locale": (SCREEN, PAGES),
    "companion/log": (PROGRAMS, COMMANDS),
    "companion/phones": (PAGES, PROGRAMS),
    "companion/plain": (PROGRAMS, COMMANDS),
    "companion/readers": (READERS, PROGRAMS),
    "companion/settings": (PROGRAMS, COMMANDS),
    "companion/setup": (SCREEN, PAGES, PROGRAMS),
    "companion/system": (PROGRAMS,),
    "companion/terminal": (PROGRAMS, SCREEN),
    "companion/verbs": (SCREEN, PAGES),
    "companion/voice": (VOICE,),
    "companion/wording": (SCREEN, PAGES, TWINS),
    "engine": (SCREEN, PAGES, TWINS),
    "tags": (READERS,),
}
"""The folders that try each room in a terminal, a browser or below an emulated reader. An extension
is tried in the folder of its name, too."""


def main(words: list[str]) -> int:
    """Print both; nothing where there is no history."""
    base = words[0] if words else _git("merge-base", "main", "HEAD").strip()
    if base:
        print_lines(base)
        changed = _git("diff", "--name-only", base) + _git("ls-files", "-o", "--exclude-standard")
        print_tests(changed.splitlines())
    return 0


def print_lines(base: str) -> None:
    """Print the lines of each room at that commit and now."""
    before, now = count_lines(base), count_lines()
    rows = [(room, before[room], now[room]) for room in sorted({*before, *now})]
    product = [row for row in rows if not row[0].startswith("tests")]
    for name, part in (
        ("product", product),
        ("tests", [row for row in rows if row not in product]),
    ):
        rows.append((f"all {name}", sum(row[1] for row in part), sum(row[2] for row in part)))
    rows.append(("sentences", count_sentences(base), count_sentences()))
    print(f"{'lines':26}{base[:8]:>10}{'now':>10}")
    for room, was, is_ in rows:
        print(f"{room:26}{was:10,}{is_:10,}{f'{is_ - was:+,}' if is_ != was else '':>9}")


def print_tests(changed: list[str]) -> None:
    """Print the commands for what these files touch."""
    commands = []
    if folders := find_folders(changed):
        commands.append(f"make test ARGS='-m \"outer and not soak\" {' '.join(folders)}'")
    if is_on_page_of_additions(changed):
        commands.append("make soak ARGS=tests/adding")
    if commands:
        print("Not run yet, and touched by what has changed:", *commands, sep="\n")


def find_folders(paths: list[str]) -> list[str]:
    """The folders of the outer ring for these files: those of the rooms that they are in, and their
    own if they are tests or of an extension."""
    found: set[str] = set()
    for path in paths:
        parts = path.split("/")
        rooms = ["/".join(parts[:depth]) for depth in (3, 2, 1)]
        room = next((r for r in rooms if r in FOLDERS), "")
        found.update(FOLDERS.get(room, ()))
        own = re.match(r"(?:tests|companion/extensions)/(\w+)/", path)
        if own and has_outer_tests(f"tests/{own[1]}"):
            found.add(f"tests/{own[1]}")
    return sorted(found)


def has_outer_tests(folder: str) -> bool:
    """Whether one of its tests is marked so."""
    files = (ROOT / folder).rglob("*.py")
    return any("mark.outer" in file.read_text(encoding="utf-8") for file in files)


def is_on_page_of_additions(paths: list[str]) -> bool:
    """Whether one of these files is docs/dev/adding.md, an example of it, or named on it."""
    page = (ROOT / _ADDING).read_text(encoding="utf-8")
    named = [_write_pattern(path) for path in re.findall(r"^\| `([^`]+)` \|", page, re.M)]
    patterns = (_ADDING, "tests/adding/.+", *named)
    return any(re.fullmatch(pattern, path) for path in paths for pattern in patterns)


def _write_pattern(path: str) -> str:
    """The pattern of a path on that page: what stands in `<name>` is the same in both places."""
    first, *more = re.split(r"<(\w+)>", path)
    pattern, names = first, set[str]()
    for name, text in zip(more[::2], more[1::2], strict=True):
        pattern += f"(?P={name})" if name in names else f"(?P<{name}>[^/]+)"
        pattern += text
        names.add(name)
    return pattern


def count_lines(commit: str = "") -> Counter[str]:
    """The lines of each room at that commit, or as they are now."""
    where = ["", commit] if commit else ["--untracked", ""]
    counts: Counter[str] = Counter()
    for line in _git("grep", "-c", *where, "--", *_KINDS).splitlines():
        path, _, number = line.removeprefix(f"{commit}:").rpartition(":")
        parts = PurePosixPath(path).parts
        if parts[0] in _ROOMS:
            is_split = parts[0] in ("companion", "engine", "tags") and len(parts) > 2
            counts["/".join(parts[: 2 if is_split else 1])] += int(number)
    return counts


def count_sentences(commit: str = "") -> int:
    """The sentences to translate at that commit, or now."""
    where = ["-e", "^msgid ", commit] if commit else ["--untracked", "-e", "^msgid "]
    lines = _git("grep", "--count", *where, "--", "*.pot").splitlines()
    return sum(int(line.rpartition(":")[2]) - 1 for line in lines)  # without the headings


def _git(*words: str) -> str:
    result = subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False
    )
    return result.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
