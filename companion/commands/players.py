"""`companion players [rename|merge|split|forget|undo …]`: this table's players and their names."""

from __future__ import annotations

from argparse import Namespace

from common.clean import clean_text
from common.sentences import Sentence
from companion.commands import CommandError, open_games
from companion.commands.declared import JSON, Answer, arg, command, refuse_words
from companion.history import people
from companion.language import _, end_sentence, listing, number_entry
from companion.log.store import Store
from companion.settings.config import Config
from companion.wording import facts

_PROG = "companion players"
_FORMS = {
    "rename": "rename A B",
    "merge": "merge A B",
    "split": "split A GAME…",
    "forget": "forget A",
    "undo": "undo",
}


@command(
    "players",
    arg(
        "words",
        metavar=" | ".join(_FORMS.values()),
        nargs="*",
        help="call a player by another name, count A's games as B's, make the A of these games "
        "another person, leave out A's name, or undo the last of these changes",
    ),
    JSON,
)
def run(config: Config, args: Namespace) -> Answer:
    """The players, or the one whose name is changed."""
    text = _("Nobody has played here yet.")
    with open_games(config) as store:
        match args.words:
            case []:
                everybody = people.list_all(store)
                return Answer(
                    [*map(describe, everybody)] or [text], [one._asdict() for one in everybody]
                )
            case ["rename", one, other]:
                return _tell(store, people.rename(store, one, other))
            case ["merge", one, other]:
                return _tell(store, people.merge(store, one, other))
            case ["split", name, *games] if games:
                return _tell(store, people.split(store, name, games))
            case ["forget", name]:
                people.forget(store, name)
                text = _(
                    "{name} is now called somebody in all finished games, their records and "
                    "exports; to take that back: {command}"
                ).format(name=name, command=f"{_PROG} undo")
            case ["undo"]:
                if not people.undo(store):
                    raise CommandError.of(f"{_PROG} undo", _NOTHING_TO_UNDO)
                text = _("The last change of names is undone.")
            case [word, *_rest]:
                raise refuse_words(_PROG, word, _FORMS)
        return Answer([text], [one._asdict() for one in people.list_all(store)])


_NOTHING_TO_UNDO = Sentence("no change of names to undo")


def _tell(store: Store, name: str) -> Answer:
    (person,) = (one for one in people.list_all(store) if one.name == clean_text(name))
    return Answer([describe(person)], person._asdict())


def describe(person: people.Person) -> str:
    """A player in one line."""
    games = facts.games(person.games)
    if not person.also:
        return end_sentence(number_entry(person.name, games))
    return _("{player}: {games}; also played as {names}.").format(
        player=person.name, games=games, names=listing(person.also)
    )
