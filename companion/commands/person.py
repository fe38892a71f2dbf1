"""`companion person NAME`: one person's games, as lines, a page or JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.sentences import Sentence
from companion.commands import DONE, REFUSED, CommandError, load_settings, looking_back
from companion.commands.parsing import Parser
from companion.errors.output import answer, answer_json
from companion.history import people, portraits
from companion.log.store import Store

if TYPE_CHECKING:
    from companion.history.portraits import Portrait


def run(words: list[str]) -> int:
    """Print the portrait."""
    parser = make_parser()
    args = parser.parse_args(words)
    config = load_settings()
    query = looking_back.choose_games(parser, args)
    with Store(config.games) as store:
        evenings = portraits.read(store, query, looking_back.Progress())
        (name,) = people.find_all(store, [args.person])
        looking_back.need_finished(parser.prog, [name], evenings.sums, store)
    portrait = portraits.draw(name, evenings)
    if portrait is None:  # in none of the games that were chosen
        raise CommandError.of(parser.prog, Sentence("no games match"), code=REFUSED)
    if args.html is not None:
        looking_back.write_page(args.html, lambda: _draw_page(portrait), parser.prog)
    if args.json:
        answer_json(portraits.data(portrait))
    elif args.html is None:
        answer([line for section in portraits.tell(portrait) for line in section.lines])
    return DONE


def _draw_page(portrait: Portrait) -> str:
    from companion.history.recap import page

    return page.write_person(portrait)


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser("person", "One person: results against chance, characters, rival and nemesis.")
    parser.add_argument("person", metavar="NAME", help="the player's name")
    looking_back.add_choices(parser)
    parser.add_argument("--html", metavar="FILE", help="write it as a page, to show or print")
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    return parser
