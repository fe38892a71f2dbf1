"""`companion record [GAME|FILE]`: a game as a record file for `replay`.

The files of other commands are here too: the game that a command is about, from a record file or
the log of games, with its refused move as one viewer may know it; and the question whether to
replace a file.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from contextlib import suppress
from io import TextIOWrapper
from typing import Any, NamedTuple

from common.problems import Problems, find_nearest
from common.sentences import Sentence, Typed, locate, suggest
from companion import terminal
from companion.commands import DONE, REFUSED, CommandError, open_games
from companion.commands.declared import GAME, arg, command
from companion.errors.output import print_error
from companion.files.locations import cannot_be_read
from companion.language.vocabulary import find_named, match_yes_or_no
from companion.log import records
from companion.log.digest import RESULT
from companion.log.records import RecordFile, Replay, remove_secrets
from companion.log.store import GameLog, StoreError
from companion.settings.config import Config
from companion.verbs import SECRET_REASON, is_private, refusal_seen
from engine import cards, own_cards, views
from engine.editions import EARLIER, RULINGS
from engine.explain import Refused, find_source_of_unknown
from engine.moves import GRAMMAR, Move, UnknownMove, parse, split
from engine.record import Record, begin_at
from engine.record import read as read_record
from engine.table import Table
from engine.words import listing

FULL = "full"
PUBLIC = "public"


@command(
    "record",
    GAME,
    arg(
        "--view",
        choices=(FULL, PUBLIC),
        help="full (the default), or public: without what is still secret",
    ),
    arg(
        "--position",
        action="store_true",
        help="the table as it is now, without the moves that led to it",
    ),
)
def run(config: Config, args: Namespace) -> int:
    """Print the record."""
    log = find_game_or_file(config, args.game)
    check_moves(log)
    data = _write(log, public=args.view == PUBLIC, position=args.position)
    if args.view is None and _holds_secrets(log, position=args.position):
        print_error([SECRETS_ARE_SHOWN])
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # record files are always read as UTF-8
    sys.stdout.write(_remark(log.setup))
    sys.stdout.write(records.text_of(data))
    return DONE


SECRETS_ARE_SHOWN = Sentence(
    "This game is not over, and its players' secrets are shown; --view public leaves them out."
)


def _write(log: GameLog, *, public: bool, position: bool) -> dict[str, Any]:
    """The game as data of a record file: its moves, or its table now. Raises CommandError."""
    if not position:
        return _make_public(load_record(log)) if public else {**log.setup, "moves": log.moves}
    record, replay = play_saved(log)
    if public:
        record = read_record(_make_public(record))
        replay = records.play(record)
    return begin_at(record.setup, replay.table)


def _make_public(record: Record) -> dict[str, Any]:
    """The record without secrets. Raises CommandError."""
    try:
        return remove_secrets(record)
    except Refused as error:
        raise CommandError(str(error), code=REFUSED) from None


def _holds_secrets(log: GameLog, *, position: bool) -> bool:
    """Whether the game is unfinished and its record contains secrets."""
    try:
        record, replay = play_saved(log)
        whole = _write(log, public=False, position=True) if position else record.data()
        over = replay.table.stage == "over"
        return not over and _write(log, public=True, position=position) != whole
    except CommandError:
        return True  # it does not fit today's rules: unknown


def _remark(setup: dict[str, Any]) -> str:
    """A comment with the table's own cards, which another computer needs for a replay."""
    edition = setup.get("edition")
    own = own_cards.find_in_use(edition) if isinstance(edition, str) else {}
    if not own:
        return ""
    remark = [
        "Played with a table's own cards; to replay it elsewhere, put them into its cards.yaml:",
        f"{edition}:",
        *(f"  {records.flow(id_)}: {records.flow(facts)}" for id_, facts in own.items()),
    ]
    return "".join(f"# {line}\n" for line in remark)


def confirm(question: Sentence) -> bool:
    """Ask at the terminal; no, without asking, where there is none."""
    if sys.stdin is None or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    print_error([question])
    return match_yes_or_no(terminal.read_line() or "") is True


def record_file(path: str) -> RecordFile:
    """Read a record file. Raises CommandError."""
    try:
        return records.read(path)
    except OSError as error:
        raise CommandError(cannot_be_read(path, error)) from None
    except Problems as error:
        raise CommandError(*map(str, error.problems), code=REFUSED) from None
    except ValueError as error:  # such as a NUL in the path
        raise CommandError(cannot_be_read(path, error)) from None


def find_saved_game(
    config: Config, name: str | None = None, otherwise: CommandError | None = None
) -> GameLog:
    """The game with that name or id, or the latest one. Raises CommandError; if there are no games,
    `otherwise`."""
    with open_games(config) as store:
        game = store.find_last_game() if name is None else store.find(name)
        if game is not None:
            return store.load(game)
        names = [info.name for info in store.games()]
    if not names or name is None:
        nothing = Sentence("no game has been saved yet in {folder}", folder=config.data)
        raise otherwise or CommandError(nothing)
    raise CommandError(
        suggest(Sentence("there is no game called “{name}”", name=name), find_nearest(name, names))
    )


def play_file(path: str) -> tuple[Record, Replay]:
    """Play the record in that file. Raises CommandError, also for a refused move."""
    file = record_file(path)
    replay = records.play(file.record)
    refusal = explain_fully(replay)
    if refusal is not None:
        line = file.line_of_move(refusal.place)
        raise CommandError(locate(f"{path}:{line}", refusal.sentence()), code=REFUSED)
    return file.record._replace(moves=replay.moves), replay


def is_file(config: Config, name: str) -> bool:
    """Whether a file is meant: no game has that name, and it exists or looks like a path."""
    with open_games(config) as store, suppress(StoreError):
        if store.find(name) is not None:
            return False
    return os.path.basename(name) != name or "." in name or "\0" in name or os.path.exists(name)


def find_game_or_file(config: Config, name: str | None) -> GameLog:
    """The game in that record file or of that name, by default the last. Raises CommandError, also
    for a file with a refused move."""
    if name is None or not is_file(config, name):
        return find_saved_game(config, name)
    replay, _table = play_file(name)
    setup = replay.data()
    log = GameLog(0, name, setup)
    log.moves = setup.pop("moves")
    return log


def play_named(config: Config, name: str | None) -> tuple[Record, Replay]:
    """Play a record file or the game of that name, by default the last. Raises CommandError."""
    if name is not None and is_file(config, name):
        return play_file(name)
    return play_saved(find_saved_game(config, name))


def play_saved(log: GameLog) -> tuple[Record, Replay]:
    """Play a saved game. Raises CommandError, also for a move that today's rules refuse."""
    record = load_record(log)
    replay = records.play(record)
    refusal = explain_fully(replay)
    if refusal is not None:
        problem = Sentence("game {name}: {problem}", name=log.name, problem=refusal.sentence())
        raise CommandError(problem, code=REFUSED)
    return record, replay


def load_record(log: GameLog) -> Record:
    """A saved game as a record. Raises CommandError if it does not fit today's rules, or if only
    its result is known."""
    check_moves(log)
    try:
        return read_record({**log.setup, "moves": log.moves})
    except Problems as error:
        problems = [
            Sentence("game {name}: {problem}", name=log.name, problem=problem.text)
            for problem in error.problems
        ]
        raise CommandError(*problems, code=REFUSED) from None


def check_moves(log: GameLog) -> None:
    """Raise CommandError if only the game's result is known."""
    if RESULT in log.setup:
        problem = Sentence(
            "game {name} was imported without moves; {command} shows its result",
            name=log.name,
            command="companion history",
        )
        raise CommandError(problem, code=REFUSED)


# -- a refused move of it --------------------------------------------------------------------------


_NO_MOVE = Sentence("That isn't a move.")
_SECRET_MOVE = Sentence("That secret move isn't allowed.")


class Seen(NamedTuple):
    """The refusal as far as it may be shown; hidden parts are None."""

    place: int
    move: str | None
    rule: str | None
    reason: str
    source: Sentence | None

    def data(self) -> dict[str, Any]:
        """The refusal in the JSON format of `companion replay`."""
        return {
            "index": self.place,
            "move": self.move,
            "rule": self.rule,
            "reason": self.reason,
        }

    def sentence(self) -> str:
        """The refusal in one line, for people."""
        sentence = self.reason
        if self.rule and self.source:
            sentence = Sentence(
                "{reason} ({rule}; {source})",
                reason=self.reason,
                rule=self.rule,
                source=self.source,
            )
        if self.move is None:
            return sentence
        return Sentence("“{move}” isn't allowed. {reason}", move=self.move, reason=sentence)


def explain_fully(replay: Replay) -> Seen | None:
    """The full refusal for a viewer who may know everything; None if nothing was refused."""
    if replay.refused is None:
        return None
    refusal, move = replay.refused.refusal, replay.refused.move
    reason = refusal.reason
    if refusal.rule == "move.unknown" and (missing := _cards_unknown(move)):
        reason = Sentence(
            "{reason} No box has a card called {cards}; a table's own cards are in its cards.yaml.",
            reason=reason,
            cards=listing(missing),
        )
    return Seen(replay.place, move, refusal.rule, _name_rulings(replay, reason), refusal.source)


def _name_rulings(replay: Replay, reason: str) -> str:
    """The reason, with the option under which a record of an earlier version plays on."""
    if not replay.by_earlier:
        return reason
    return Sentence(
        "{reason} A game recorded by an earlier version may need the option “{option}”.",
        reason=reason,
        option=Typed(f"{RULINGS}: {EARLIER}"),
    )


def _cards_unknown(text: str) -> list[str]:
    """Districts in the move that no box has: another table's own cards."""
    verb, *words = split(text) or [""]
    forms = [form.replace("...", "").split() for form in GRAMMAR.get(verb, ())]
    spots = {spot for form in forms for spot, kind in enumerate(form) if kind == "D"}
    names = cards.district_ids()
    return [
        word
        for spot, word in enumerate(words)
        if spot in spots and word.isidentifier() and word.islower() and not find_named(word, names)
    ]


def explain_to(replay: Replay, viewer: int | None) -> Seen | None:
    """The refusal for that seat's player, or the public, judged by their view alone."""
    if replay.refused is None:
        return None
    try:
        move = parse(replay.refused.move, replay.table.rules.vocabulary)
    except UnknownMove:  # the text itself could be a misspelt secret
        return Seen(replay.place, None, "move.unknown", _NO_MOVE, find_source_of_unknown())
    if _is_secret(replay.table, move, viewer):
        return Seen(replay.place, None, None, _SECRET_MOVE, None)
    refusal = refusal_seen(views.redact(replay.table, viewer), move)
    if refusal is None:
        return Seen(replay.place, move.text, None, SECRET_REASON, None)
    reason = _name_rulings(replay, refusal.reason)
    return Seen(replay.place, move.text, refusal.rule, reason, refusal.source)


def _is_secret(table: Table, move: Move, viewer: int | None) -> bool:
    """Whether only one player, who is not the viewer, may know the move's text."""
    if move.verb == "choose":
        return table.seat_named(move.args[0]) != viewer
    if is_private(table, move.verb):
        return table.turn is None or table.turn.seat != viewer
    return False
