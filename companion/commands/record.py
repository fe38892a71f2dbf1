"""`companion record [GAME|FILE]`: a game as a record file for `replay`, or with `--salvage` a
damaged log into a new file beside it."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

from common.sentences import Sentence
from companion.commands import DONE, REFUSED, CommandError, settings
from companion.commands.files import check_moves, find_game_or_file, load_record, play_saved
from companion.commands.parsing import Parser
from companion.errors.output import answer, print_error
from companion.files.locations import cannot_be_read
from companion.language import _, plural
from companion.log import records, salvage
from companion.log.records import remove_secrets
from companion.log.store import Store
from engine import own_cards
from engine.explain import Refused
from engine.record import read as read_record
from engine.record import write_position

if TYPE_CHECKING:
    from companion.log.store import GameLog
    from engine.record import Record


def salvage_all(path: str) -> int:
    """Write everything readable to a new log beside the damaged one, which is not changed."""
    try:
        logs = salvage.read(path)
    except OSError as error:
        raise CommandError(cannot_be_read(path, error), code=REFUSED) from None
    if not logs:
        raise CommandError(
            Sentence("{path}: no game can be read from this file", path=path), code=REFUSED
        )
    new = salvage.free_path(path)
    with Store(new) as store:
        for one in logs:
            name = store.add(one.log).name
            moves = plural("{number} move", "{number} moves", len(one.log.moves))
            whole = _("{name}: {moves}, the whole game.")
            cut = _("{name}: {moves}; the rest is damaged.")
            answer([(whole if one.whole else cut).format(name=name, moves=moves)])
    where = _(
        "Saved in {path}. To use it, move {damaged} elsewhere and put the saved file in its place."
    )
    answer([where.format(path=new, damaged=path)])
    return DONE


FULL = "full"
PUBLIC = "public"


def run(words: list[str]) -> int:
    """Print the record."""
    options = make_parser().parse_args(words)
    config = settings.load()
    if options.salvage:
        if options.game is not None:
            raise CommandError(Sentence("companion record: --salvage saves every game; name none"))
        return salvage_all(config.games)
    log = find_game_or_file(config, options.game)
    check_moves(log)
    public = options.view == PUBLIC
    data = _write(log, public=public, position=options.position)
    if options.view is None and _holds_secrets(log, position=options.position):
        print_error([_SECRETS_ARE_IN_IT])
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # record files are always read as UTF-8
    sys.stdout.write(_remark(log.setup))
    sys.stdout.write(records.text_of(data))
    return DONE


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser("record", "Print a saved game, or the game of a file, as a record file.")
    parser.add_argument(
        "game",
        metavar="GAME|FILE",
        nargs="?",
        help="the game's name or number, or a record file (default: the last game)",
    )
    parser.add_argument(
        "--view",
        choices=(FULL, PUBLIC),
        help="full (the default), or public: without what is still secret",
    )
    parser.add_argument(
        "--position",
        action="store_true",
        help="the table as it is now, without the moves that led to it",
    )
    parser.add_argument(
        "--salvage", action="store_true", help="save what can still be read from a damaged game log"
    )
    return parser


_SECRETS_ARE_IN_IT = Sentence(
    "This game is not over, and the record contains its players' secrets; --view "
    "public leaves them out."
)


def _write(log: GameLog, *, public: bool, position: bool) -> dict[str, Any]:
    """The game as data of a record file: its moves, or its table now. Raises CommandError."""
    if not position:
        return _make_public(load_record(log)) if public else {**log.setup, "moves": log.moves}
    record, replay = play_saved(log)
    if public:
        record = read_record(_make_public(record))
        replay = records.play(record)
    return write_position(record.setup, replay.table)


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
