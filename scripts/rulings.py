"""Generate docs/dev/rulings.md from the engine's data, each edition's answers where boxes disagree,
the list of boxes in docs/boxes.md and that of the moves that light mode refuses.

    python scripts/rulings.py

None is edited by hand; a test checks that they are up to date.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP))

from companion.wording.editions_told import answer  # noqa: E402
from engine import cards, datafiles, record  # noqa: E402
from engine.differences import ANY_TABLE, SMALL_TABLE, can_come_up, characters_of  # noqa: E402
from engine.editions import Edition, editions, switches, write_answer  # noqa: E402
from engine.moves import GRAMMAR  # noqa: E402
from engine.rules import is_switched_off  # noqa: E402
from engine.words import card as card_name  # noqa: E402

PAGE = TOP / "docs" / "dev" / "rulings.md"
BOXES = TOP / "docs" / "boxes.md"
LIGHT = TOP / "docs" / "reference" / "light-mode.md"

HEAD = """\
# What each edition plays, and where it is written

The rulebooks of Citadels disagree, and sometimes none of them decides. This page says what the
companion plays, box by box, where that is printed, and which rulings are ours. If your table plays
differently, set an option: `companion play --option NAME=VALUE`, with the names and values below.
`companion editions` says the same on the terminal, and `companion editions diff A B` compares two
boxes. [rules-coverage.md](rules-coverage.md) goes through the rulebooks sentence by sentence: where
each one is played, and which record shows it.

`scripts/rulings.py` writes this page from `engine/data`; change it there.
"""


def page() -> str:
    """docs/dev/rulings.md."""
    parts: list[str] = [HEAD, *(_edition(edition) for edition in editions().values())]
    parts += [_values(), _list_books(), _rulings(), _list_uncertain()]
    return "\n".join(parts)


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    heads = list(heads)
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', '/') for cell in row)} |"


def _edition(edition: Edition) -> str:
    """An edition's section: its own answers first, then shared ones."""
    own = {*edition.switches, *edition.small_table}
    ranking = sorted(switches(), key=lambda name: name not in own)
    lines = [
        f"## {edition.title}",
        "",
        f"`{edition.id}`: {edition.min_players} to {edition.max_players} players, "
        f"{len(characters_of(edition))} characters; the first crown: {edition.first_crown}. "
        "Its own answers stand first, in bold.",
        "",
        *_table(
            ("Question", "Answer", "Option", "Source"),
            (_row(edition, name, own=name in own) for name in ranking),
        ),
        "",
    ]
    for character, districts in edition.taken_out.items():
        out = ", ".join(map(card_name, districts))
        lines += [f"With the {card_name(character)}, these stay in the box: {out}.", ""]
    return "\n".join(lines)


def _row(edition: Edition, name: str, *, own: bool) -> tuple[str, ...]:
    switch = switches()[name]
    value = edition.answers(ANY_TABLE)[name]
    sentence = answer(switch, value)
    source = edition.source(name)
    small = edition.small_table.get(name, value)
    if small != value and edition.min_players <= SMALL_TABLE:
        sentence += f"; with 2 or 3 players {answer(switch, small)}"
        source += f"; {edition.sources['small_table']}"
    if not can_come_up(edition, switch):
        sentence += " (its card is not in this box)"
    option = f"`{name}={write_answer(value)}`"
    return switch.question, f"**{sentence}**" if own else sentence, option, source


def _values() -> str:
    """The section on every option's possible answers."""
    rows = [
        (
            f"`{name}`",
            "a list of" if switch.is_list else "one of",
            "; ".join(f"`{write_answer(value)}` {words}" for value, words in switch.values.items()),
        )
        for name, switch in switches().items()
    ]
    return "\n".join(
        ["## Every option and its values", "", *_table(("Option", "", "Values"), rows), ""]
    )


def _list_books() -> str:
    """The section on the books that sources name, and their languages."""
    rows = [
        (book, facts["language"], "word for word" if facts.get("quoted") else "the place")
        for book, facts in datafiles.load("books").items()
    ]
    note = (
        "A source is a place in one of these, or *ours* where none of them says it. A refusal and "
        "`why` quote the book's sentence where its text was to be had, if it is in your language."
    )
    heads = ("Book", "Language", "What we quote")
    return "\n".join(["## The books", "", note, "", *_table(heads, rows), ""])


def _rulings() -> str:
    """The section on our own rulings, where no rulebook decides, each with a reason."""
    rows = [
        (card_name(id_), facts["ruling"])
        for id_, facts in datafiles.load("texts.en").items()
        if "ruling" in facts
    ]
    rows += [
        (f"“{facts['reason']}” (`{'`, `'.join(name.split())}`)", facts["ours"])
        for name, facts in datafiles.load("rules").items()
        if "ours" in facts
    ]
    rows += [(facts["question"], facts["ruling"]) for facts in datafiles.load("rulings").values()]
    heads = ("Card, refusal or question", "Ruling")
    return "\n".join(["## Rulings of ours", "", *_table(heads, rows), ""])


def _list_uncertain() -> str:
    """The section on facts without a source, and our assumptions."""
    rows = []
    for id_, facts in datafiles.load("districts").items():
        for printing, words in facts.get("uncertain", {}).items():
            boxes = [e.title for e in editions().values() if e.printing == printing]
            rows.append((card_name(id_), ", ".join(boxes), str(words)))
    note = (
        "A table whose printing differs says so in its `cards.yaml` (see `config.yaml`), and can "
        "add there the cards that nobody could list."
    )
    heads = ("Card", "Box", "What is not certain")
    return "\n".join(["## What is not certain", "", note, "", *_table(heads, rows), ""])


def boxes() -> str:
    """docs/boxes.md with the current list of boxes."""
    rows = []
    for edition in editions().values():
        districts = cards.districts(edition.printing).values()
        usual = " (default)" if edition.id == record.DEFAULT_EDITION else ""
        rows.append(
            f"| `{edition.id}`{usual} | {edition.title}: {len(characters_of(edition))} characters, "
            f"{sum(district.copies for district in districts)} districts "
            f"| {edition.min_players}-{edition.max_players} |"
        )
    head, _, rest = BOXES.read_text(encoding="utf-8").partition("|---|---|---|\n")
    return "\n".join([f"{head}|---|---|---|", *rows, "", rest.partition("\n\n")[2]])


def light() -> str:
    """docs/reference/light-mode.md with the current list of moves that it refuses."""
    table = record.read(
        {"players": ["Anna", "Kurt", "Ashley", "Ben"], "options": {"cities": "untracked"}}
    ).start
    refused = " · ".join(f"`{verb}`" for verb in GRAMMAR if is_switched_off(table, verb))
    head, sentence, rest = LIGHT.read_text(encoding="utf-8").partition("refused with a sentence:\n")
    return "\n\n".join([f"{head}{sentence.strip()}", refused, rest.split("\n\n", 1)[1]])


if __name__ == "__main__":
    LIGHT.write_text(light(), encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
    BOXES.write_text(boxes(), encoding="utf-8")
