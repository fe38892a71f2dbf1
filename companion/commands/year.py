"""`companion year [YEAR]`: a year's games, as lines, a page or JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.sentences import Sentence
from companion.commands import DONE, CommandError, load_settings
from companion.commands.looking_back import Progress, write_page
from companion.commands.parsing import Parser
from companion.errors.output import answer, answer_json
from companion.history import portraits, years
from companion.log.store import Store

if TYPE_CHECKING:
    from companion.history.years import Year

FIRST, LAST = 1900, 9998
"""Years that can be asked for."""


def run(words: list[str]) -> int:
    """Print the year."""
    parser = make_parser()
    args = parser.parse_args(words)
    config = load_settings()
    year = _read(args.year, parser.prog)
    with Store(config.games) as store:
        match = years.add_up(year, portraits.read(store, years.span(year), Progress()))
    if args.html is not None:
        write_page(args.html, lambda: _draw_page(match), parser.prog)
    if args.json:
        answer_json(years.data(match))
    elif args.html is None:
        answer([line for section in years.tell(match) for line in section.lines])
    return DONE


def _read(word: str | None, command: str) -> int:
    """The year, by default this one. Raises CommandError."""
    if word is None:
        return years.find_this_year()
    if word.isascii() and word.isdecimal() and FIRST <= int(word[:9]) <= LAST:
        return int(word)
    problem = Sentence("“{word}” is not a year; write it like 2026", word=word)
    raise CommandError.of(command, problem)


def _draw_page(year: Year) -> str:
    from companion.history.recap import page

    return page.write_year(year)


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser("year", "A year at this table: players, characters, records, months.")
    parser.add_argument(
        "year", metavar="YEAR", nargs="?", help="the year, such as 2026 (default: this year)"
    )
    parser.add_argument("--html", metavar="FILE", help="write it as a page, to show or print")
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    return parser
