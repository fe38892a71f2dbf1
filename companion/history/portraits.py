"""A person's games: figures, and the same in sentences.

Only finished games count that are not left out. By chance everybody at a table of four wins a
quarter of the games: a win of seven is worth more than a win of two.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from common import NamedTuple
from companion.files.clean import clean_text
from companion.history import games as played
from companion.history import telling
from companion.history.counting import ignore_progress
from companion.history.statistics import read_statistics
from companion.history.telling import Section
from companion.language import _, card, plural
from engine.moves import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.history.counting import Progress
    from companion.history.games import Game, GameFilter, GameSeat
    from companion.log.store import Store


class Share(NamedTuple):
    """Something that was so in `number` of `all` cases, and how often it was at the whole table."""

    number: int
    all: int
    table: float
    """The table's share, from 0 to 1."""

    @property
    def surplus(self) -> float:
        """How many more cases than the table's share would have given."""
        return self.number - self.all * self.table


class Opponent(NamedTuple):
    """Another player, in the games of both; who share a place are neither ahead nor behind."""

    name: str
    games: int
    ahead: int
    """Games in which the person was ahead of them."""

    behind: int


class Size(NamedTuple):
    """Games at tables of one size."""

    players: int
    games: int
    wins: int
    expected: float
    """Wins by chance."""


class Portrait(NamedTuple):
    """One person's games."""

    name: str
    games: tuple[Game, ...]
    """Oldest first."""

    totals: tuple[int, ...]
    """The points in each of them."""

    sums: dict[str, Any]
    """As of `companion stats --json`: games, wins, averages."""

    sizes: tuple[Size, ...]
    minutes: int
    favourite: tuple[str, Share] | None
    """The character shown most often, and its rounds among all in which the person showed one."""

    luckiest: tuple[str, Share] | None
    """The character with the most wins above the table's share, and the rounds as it; won with are
    the characters of the last round."""

    unluckiest: tuple[str, Share] | None
    rival: Opponent | None
    """Whom the person has met most often; of equal ones the closest."""

    nemesis: Opponent | None
    """Who was most often ahead, on balance."""

    @property
    def expected(self) -> float:
        """Wins by chance in all games."""
        return sum(size.expected for size in self.sizes)


class Evenings(NamedTuple):
    """The finished games that count, oldest first, and their statistics."""

    games: tuple[Game, ...]
    sums: dict[str, Any]


def read(store: Store, query: GameFilter, progress: Progress = ignore_progress) -> Evenings:
    """The wanted games. Raises StoreError."""
    sums = read_statistics(store, query, progress)
    games = [game for game in played.read_all(store, query) if game.over and game.counts]
    return Evenings(tuple(sorted(games, key=lambda game: (game.ended, game.id))), sums)


def draw(name: str, evenings: Evenings) -> Portrait | None:
    """The portrait of the person with this current name; None without a finished game. The
    evenings are those of the whole table."""
    own = [
        (game, seat)
        for game in evenings.games
        for seat in game.seats
        if fold(seat.name) == fold(name)
    ]
    if not own:
        return None
    text = own[-1][1].name
    sums = evenings.sums["players"][text]
    opponents = _list_opponents(own)
    lucks = _list_shares(sums, evenings.sums, "won")
    return Portrait(
        name=text,
        games=tuple(game for game, _seat in own),
        totals=tuple(seat.total for _game, seat in own),
        sums=sums,
        sizes=_list_sizes(own),
        minutes=sum(game.minutes for game, _seat in own),
        favourite=_find_favourite(sums, evenings.sums),
        luckiest=_find_extreme(lucks, 1),
        unluckiest=_find_extreme(lucks, -1),
        rival=_find_rival(opponents),
        nemesis=_find_nemesis(opponents),
    )


_Own = list[tuple["Game", "GameSeat"]]


def _list_sizes(own: _Own) -> tuple[Size, ...]:
    games: Counter[int] = Counter()
    wins: Counter[int] = Counter()
    for game, seat in own:
        games[len(game.seats)] += 1
        wins[len(game.seats)] += seat.place == 1
    return tuple(
        Size(players, number, wins[players], number / players)
        for players, number in sorted(games.items())
    )


def _find_favourite(sums: dict[str, Any], table: dict[str, Any]) -> tuple[str, Share] | None:
    rounds = {id_: counts["chosen"] for id_, counts in sums["characters"].items()}
    most = max(rounds.values(), default=0)
    if not most:
        return None
    character = min(id_ for id_, number in rounds.items() if number == most)
    everybody = {id_: counts["chosen"] for id_, counts in table["characters"].items()}
    share = everybody[character] / sum(everybody.values())
    return character, Share(most, sum(rounds.values()), share)


def _list_shares(sums: dict[str, Any], table: dict[str, Any], what: str) -> dict[str, Share]:
    """For each character that the person has shown: how often that count was among its rounds."""
    return {
        character: Share(counts[what], counts["chosen"], everybody[what] / everybody["chosen"])
        for character, counts in sums["characters"].items()
        for everybody in [table["characters"][character]]
        if counts["chosen"]
    }


def _find_extreme(shares: dict[str, Share], sign: int) -> tuple[str, Share] | None:
    """The character furthest above (1) or below (-1) the table's share; None if none is."""
    best = max(shares.items(), key=lambda one: one[1].surplus * sign, default=None)
    return best if best is not None and best[1].surplus * sign > 0.005 else None


def _list_opponents(own: _Own) -> list[Opponent]:
    """Everybody else in the person's games, by name."""
    sums: dict[str, list[int]] = {}
    entries: dict[str, str] = {}
    for game, mine in own:
        for seat in game.seats:
            if seat is mine or seat.is_forgotten:
                continue
            key = fold(seat.name)
            entries[key] = seat.name
            matches = sums.setdefault(key, [0, 0, 0])
            matches[0] += 1
            matches[1] += mine.place < seat.place
            matches[2] += mine.place > seat.place
    return [Opponent(entries[key], *matches) for key, matches in sorted(sums.items())]


def _find_rival(opponents: Iterable[Opponent]) -> Opponent | None:
    return max(opponents, key=lambda one: (one.games, -abs(one.ahead - one.behind)), default=None)


def _find_nemesis(opponents: Iterable[Opponent]) -> Opponent | None:
    worst = max(opponents, key=lambda one: (one.behind - one.ahead, one.games), default=None)
    return worst if worst is not None and worst.behind > worst.ahead else None


def tell(portrait: Portrait) -> list[Section]:
    """The portrait in sentences; the first section has no title."""
    name = clean_text(portrait.name)
    lines = telling.player(name, portrait.sums)
    lines.append(
        _("Expected by chance: {number}.").format(number=telling.decimal(portrait.expected))
    )
    first, last = portrait.games[0], portrait.games[-1]
    lines.append(
        _("First game: {first}. Last game: {last}.").format(
            first=telling.local(first.started)[:10], last=telling.local(last.started)[:10]
        )
    )
    lines.append(_("At the table: {minutes}.").format(minutes=telling.minutes(portrait.minutes)))
    sizes = _("{players} players: {wins} of {games} won; expected by chance: {expected}.")
    return [
        Section("", lines),
        Section(_("Characters"), _tell_characters(portrait)),
        Section(_("Opponents"), _tell_opponents(portrait)),
        Section(
            _("By size of the table"),
            [
                sizes.format(
                    players=size.players,
                    wins=size.wins,
                    games=telling.games(size.games),
                    expected=telling.decimal(size.expected),
                )
                for size in portrait.sizes
            ],
        ),
    ]


def _tell_characters(portrait: Portrait) -> list[str]:
    lines = []
    if portrait.favourite is not None:
        character, share = portrait.favourite
        sentence = _("Favourite: {character}, in {own} % of the rounds; everybody {table} %.")
        lines.append(
            sentence.format(
                character=card(character),
                own=round(100 * share.number / share.all),
                table=round(100 * share.table),
            )
        )
    for sentence, found in (
        (
            _("Luckiest: {character}, {wins} in {rounds}; everybody {table} %."),
            portrait.luckiest,
        ),
        (
            _("Unluckiest: {character}, {wins} in {rounds}; everybody {table} %."),
            portrait.unluckiest,
        ),
    ):
        if found is not None:
            character, share = found
            lines.append(
                sentence.format(
                    character=card(character),
                    wins=plural("{number} win", "{number} wins", share.number),
                    rounds=telling.rounds(share.all),
                    table=round(100 * share.table),
                )
            )
    return lines


def _tell_opponents(portrait: Portrait) -> list[str]:
    lines = []
    for sentence, opponent in (
        (
            _("Rival: {player}, {games}; finished behind {ahead} times, ahead {behind} times."),
            portrait.rival,
        ),
        (
            _("Nemesis: {player}, {games}; finished behind {ahead} times, ahead {behind} times."),
            portrait.nemesis,
        ),
    ):
        if opponent is not None:
            lines.append(
                sentence.format(
                    player=clean_text(opponent.name),
                    games=telling.games(opponent.games),
                    ahead=opponent.ahead,
                    behind=opponent.behind,
                )
            )
    return lines


def data(portrait: Portrait) -> dict[str, Any]:
    """The portrait as the JSON of `companion person`."""

    def share(found: tuple[str, Share] | None, number: str, of: str) -> dict[str, Any] | None:
        if found is None:
            return None
        character, one = found
        return {"character": character, number: one.number, of: one.all, "table": one.table}

    sums = {key: value for key, value in portrait.sums.items() if key != "characters"}
    return {
        "player": portrait.name,
        **sums,
        "expected": portrait.expected,
        "minutes": portrait.minutes,
        "first": portrait.games[0].name,
        "last": portrait.games[-1].name,
        "favourite": share(portrait.favourite, "rounds", "of"),
        "luckiest": share(portrait.luckiest, "wins", "rounds"),
        "unluckiest": share(portrait.unluckiest, "wins", "rounds"),
        "rival": portrait.rival and portrait.rival._asdict(),
        "nemesis": portrait.nemesis and portrait.nemesis._asdict(),
        "sizes": [size._asdict() for size in portrait.sizes],
    }
