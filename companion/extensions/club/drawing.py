"""Drawing a round in a club's folder, and exchanging two players of it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from common.problems import find_nearest
from common.sentences import Sentence, suggest
from companion.errors import UserError
from companion.extensions.club import league, league_files
from companion.language import _, listing
from engine.moves import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.extensions.club.league import Round


class CannotDraw(UserError):
    """Why a round cannot be drawn or changed like this."""

    code = 1


class ResultsMatter(CannotDraw):
    """Results are missing, or would be without their round; `anyway` draws all the same."""


class DrawOptions(NamedTuple):
    """How to draw a round."""

    absent: tuple[str, ...] = ()
    most_tables: int | None = None
    again: bool = False
    """Draw the last round once more, instead of the next."""

    anyway: bool = False


class Drawn(NamedTuple):
    """A round, the tables whose result is missing, and its file."""

    round: Round
    waiting: list[str]
    path: str


def draw_round(folder: str, choices: DrawOptions) -> Drawn:
    """Draw a round and write it into the folder. Raises CannotDraw, LeagueError and StoreError."""
    rules, rounds = league_files.read(folder), league_files.read_rounds(folder)
    plays = league_files.read_plays(folder, rules)
    for name in choices.absent:
        need_player(name, rules.players.values())
    last = rounds[-1] if rounds else None
    waiting = league.list_waiting(last, plays) if last is not None else []
    if choices.again:
        last = _need_round(rounds)
        if len(waiting) < len(last.tables) and not choices.anyway:
            raise ResultsMatter(
                Sentence("league round {round} already has results", round=last.number)
            )
        rounds = rounds[:-1]
    elif waiting and last is not None and not choices.anyway:
        raise ResultsMatter(
            Sentence(
                "league round {round} has no result yet from {tables}",
                round=last.number,
                tables=", ".join(waiting),
            )
        )
    number = 1 + max((one.number for one in rounds), default=0)
    if number > league_files.MOST_ROUND:
        raise CannotDraw(
            Sentence("a league has at most {most} rounds", most=league_files.MOST_ROUND)
        )
    seed = f"{last.seed}+" if choices.again and last is not None else f"round {number}"
    try:
        one_round = league.draw(
            rules,
            plays,
            rounds,
            number,
            at=datetime.now().astimezone().isoformat(timespec="milliseconds"),
            seed=seed,
            names=league_files.list_tables(folder),
            absent=choices.absent,
            most_tables=choices.most_tables,
        )
    except ValueError:
        raise CannotDraw(
            Sentence(
                "a round needs at least four players; the club's list has {number}, of whom "
                "{absent} are absent; to add players: {command}",
                number=len(rules.players),
                absent=len(choices.absent),
                command="companion club players add NAME",
            )
        ) from None
    path = league_files.save_round(folder, one_round)
    return Drawn(one_round, league.list_waiting(one_round, plays), path)


def read_last(folder: str) -> Drawn:
    """The last round. Raises as `draw_round`."""
    rules, rounds = league_files.read(folder), league_files.read_rounds(folder)
    last = _need_round(rounds)
    plays = league_files.read_plays(folder, rules)
    return Drawn(last, league.list_waiting(last, plays), "")


def swap_players(folder: str, one: str, other: str) -> Drawn:
    """Exchange two players of the last round and write it. Raises as `draw_round`."""
    last = read_last(folder).round
    for name in (one, other):
        need_player(name, league.list_everybody(last))
    path = league_files.save_round(folder, league.swap(last, one, other))
    return read_last(folder)._replace(path=path)


def _need_round(rounds: list[Round]) -> Round:
    if not rounds:
        raise CannotDraw(Sentence("no round has been drawn yet"))
    return rounds[-1]


def need_player(name: str, names: Iterable[str]) -> None:
    """Raise CannotDraw for a name that is none of these, with the nearest one."""
    names = list(names)
    if fold(name) not in map(fold, names):
        problem = Sentence("there is no player called “{name}”", name=name)
        raise CannotDraw(suggest(problem, find_nearest(name, names)))


def tell(one_round: Round) -> list[str]:
    """The round in lines, a table in each."""
    lines = [_("Round {number}.").format(number=one_round.number)]
    for table, (first, *others) in one_round.tables.items():
        starting = _("{player} with the crown").format(player=first)
        lines.append(
            _("{table}: {names}.").format(table=table, names=", ".join((starting, *others)))
        )
    if one_round.byes:
        lines.append(_("Bye: {names}.").format(names=listing(one_round.byes)))
    if one_round.absent:
        lines.append(_("Not here: {names}.").format(names=listing(one_round.absent)))
    return lines
