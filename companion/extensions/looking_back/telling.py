"""Looking back in sentences: a line per game, and statistics with one fact per line."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from common.clean import clean_text
from companion.language import _, card, listing, number_entry, plural, translate
from companion.wording import facts
from engine.editions import editions

if TYPE_CHECKING:
    from companion.history.games import Game

    Counts = dict[str, int]


def game(game: Game) -> str:
    names = [clean_text(seat.name) for seat in game.seats]
    lines = [f"{head(game)}."]
    if game.over:
        totals = zip(names, (seat.total for seat in game.seats), strict=True)
        lines.append(f"{', '.join(f'{name} {total}' for name, total in totals)}.")
        lines.append(
            facts.name_winners([clean_text(one.name) for one in game.seats if one.place == 1])
        )
        figures = [rounds(game.rounds)] if game.rounds else []
        figures += [minutes(game.minutes)] if game.minutes else []  # a record does not say
        lines += [f"{', '.join(figures)}."] if figures else []
    elif game.rounds:
        sentence = _("{names}, not over, round {number}.")
        lines.append(sentence.format(names=listing(names), number=game.rounds))
    else:
        sentence = _("{names}; played with another version of the companion or another cards.yaml.")
        lines.append(sentence.format(names=listing(names)))
    if not game.counts:
        lines.append(_("Not counted."))
    return " ".join(lines)


def head(game: Game) -> str:
    """A game's name, with its day unless the name includes it, and its box."""
    day = local(game.started)[:10]
    name = game.name if game.name.startswith(day) else f"{day}, {game.name}"
    return number_entry(name, box(game.edition))


def box(edition: str) -> str:
    known = editions().get(edition)
    return translate(known.title) if known else clean_text(edition)


def local(moment: str) -> str:
    """A time in the local zone: 2026-11-22 19:30."""
    try:
        return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return moment[:16].replace("T", " ")


def rounds(number: int) -> str:
    return plural("{number} round", "{number} rounds", number)


def minutes(number: int) -> str:
    return plural("{number} minute", "{number} minutes", number)


def decimal(number: float) -> str:
    """A number with one decimal, in the language's format."""
    whole, tenth = f"{number:.1f}".split(".")
    return _("{whole}.{tenth}").format(whole=whole, tenth=tenth)


def statistics(figures: dict[str, Any], *, by_character: bool, brief: bool = False) -> list[str]:
    """The statistics, one fact per line: players first, records last, nothing else if `brief`.

    `by_character` adds each player's characters, too many lines for many players, and leaves out
    the totals of characters and districts."""
    lines = [plural("{number} finished game.", "{number} finished games.", figures["games"])]
    for name, sums in figures["players"].items():
        lines += player(clean_text(name), sums)
        if by_character:
            sentence = _(
                "{player} as {character}: chosen {chosen}, won with {won}, murdered {murdered}, "
                "robbed {robbed}."
            )
            lines += _characters(sentence, sums["characters"], player=clean_text(name))
    if not brief:
        lines += map(pair, figures["head_to_head"])
        lines += [edition(name, sums) for name, sums in figures["editions"].items()]
        if not by_character:
            sentence = _(
                "{character}: chosen {chosen}, won with {won}, murdered {murdered}, "
                "robbed {robbed}."
            )
            lines += _characters(sentence, figures["characters"])
            lines += [district(name, sums) for name, sums in figures["districts"].items()]
    return [*lines, *map(record, figures["records"])]


def player(name: str, sums: dict[str, Any]) -> list[str]:
    lines = [
        _("{player}: {wins} of {games} won.").format(
            player=name, wins=sums["wins"], games=facts.games(sums["games"])
        ),
        _("{player}: {points} points and place {place} on average, {best} at best.").format(
            player=name,
            points=decimal(sums["average"]),
            place=decimal(sums["place"]),
            best=sums["best"],
        ),
    ]
    if sums["streak"] > 1:
        sentence = _("{player}: {number} games won in a row.")
        lines.append(sentence.format(player=name, number=sums["streak"]))
    return lines


def _characters(sentence: str, characters: dict[str, Counts], **more: str) -> list[str]:
    return [
        sentence.format(character=card(id_), **counts, **more) for id_, counts in characters.items()
    ]


def district(id_: str, counts: Counts) -> str:
    return _("{district}: built {built}, destroyed {destroyed}.").format(
        district=card(id_), **counts
    )


def edition(name: str, sums: dict[str, Any]) -> str:
    if not sums["rounds"]:  # only results are known
        sentence = _("{box}: {games}, {points} points on average.")
    else:
        sentence = _("{box}: {games}, {points} points and {rounds} rounds on average.")
    return sentence.format(
        box=box(name),
        games=facts.games(sums["games"]),
        points=decimal(sums["average"]),
        rounds=decimal(sums["rounds"]),
    )


def pair(figures: dict[str, Any]) -> str:
    one, other = figures["players"]
    return _("{one} and {other}: {games}, {one} ahead in {first}, {other} in {second}.").format(
        one=clean_text(one),
        other=clean_text(other),
        games=facts.games(figures["games"]),
        first=figures["ahead"][one],
        second=figures["ahead"][other],
    )


def record(figures: dict[str, Any]) -> str:
    value = figures["value"]
    text = {
        "highest_score": lambda: _("Highest score: {amount}."),
        "lowest_winning_score": lambda: _("Lowest winning score: {amount}."),
        "widest_margin": lambda: _("Widest margin: {amount}."),
        "most_expensive_city": lambda: _("Most expensive city: {amount}."),
        "most_districts": lambda: _("Most districts in a city: {number}."),
        "most_gold_left": lambda: _("Most gold left at the end: {number}."),
        "most_gold_stolen": lambda: _("Most gold stolen in a game: {number}."),
        "most_destroyed": lambda: _("Most districts destroyed in a game: {number}."),
        "longest_streak": lambda: _("Most games won in a row: {number}."),
        "most_rounds": lambda: _("Most rounds: {number}."),
        "fewest_rounds": lambda: _("Fewest rounds: {number}."),
        "longest_game": lambda: _("Longest game: {minutes}."),
    }[figures["record"]]().format(amount=facts.points(value), number=value, minutes=minutes(value))
    whose = figures["player"]
    name = _("{player}, game {name}.") if whose is not None else _("Game {name}.")
    return f"{text} " + name.format(player=clean_text(whose or ""), name=figures["game"])
