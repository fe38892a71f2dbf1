"""The question at each moment, for every face and the voice; and answers for players who cannot see
the table: a fact a line, the important word first.

Among them is the round at a glance: every rank with what is known of it, then how near the end is.
"""

from __future__ import annotations

from functools import reduce
from itertools import groupby
from typing import TYPE_CHECKING, Literal, NamedTuple

from companion import verbs
from companion.language import (
    _,
    amount,
    any_district,
    card,
    coins,
    end_sentence,
    hand_cards,
    listing,
    number_entry,
    plural,
)
from companion.language.vocabulary import simplify
from companion.verbs import ALWAYS_SECRET
from companion.verbs.selection import tell_call
from companion.wording import editions_told
from engine.referee import list_legal_moves
from engine.rules.turn_moves import count_paying_districts
from engine.table import UNNAMED, Table
from engine.views import find_awaited

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from engine.moves import Move


Mark = Literal["called", "now", "faceup", "murdered", "robbed", "bewitched", "warrant", "threat"]


def hands(table: Table, seats: Sequence[int]) -> list[str]:
    if not table.rules.tracks_cities:
        return [_("This table doesn't count cards.")]
    return [
        _("{player}: {cards} in hand.").format(
            player=table.seats[seat].name, cards=hand_cards(table.seats[seat].hand)
        )
        for seat in seats
    ]


def tell_left(table: Table, seats: Sequence[int]) -> list[str]:
    """The number of districts each of these players still needs."""
    if not table.rules.tracks_cities:
        return [_("This table doesn't count districts; the cities are counted at the end.")]
    lines = []
    for seat in seats:
        name, missing = table.seats[seat].name, table.city_size - table.seats[seat].city.size
        if table.is_complete(table.seats[seat]):
            lines.append(_("{player}: the city is complete.").format(player=name))
        else:
            number = amount("district", max(missing, 0))
            lines.append(
                _("{player}: {districts} left to complete the city.").format(
                    player=name, districts=number
                )
            )
    return lines


def tell_called(table: Table) -> list[str]:
    lines = [_tell_now(table)]
    for seat in table.seats:
        lines += [
            end_sentence(number_entry(str(card(character)), seat.name))
            for character in seat.revealed
        ]
    return lines


def _tell_now(table: Table) -> str:
    if table.stage == "over":
        return _("The game is over.")
    if table.stage == "selection":
        return _("No one has been called yet; the characters are being chosen.")
    if table.called not in table.rules.by_rank:
        return _("Every rank has been called.")
    name, waiting = card(table.rules.by_rank[table.called]), find_awaited(table)
    if table.turn is not None and waiting is not None:
        return _("Rank {rank}, the {character}: {player}'s turn.").format(
            rank=table.called, character=name, player=table.seats[table.turn.seat].name
        )
    return _("Rank {rank}, the {character}, is being called.").format(
        rank=table.called, character=name
    )


def characters(table: Table) -> list[str]:
    """The characters of this game by rank, with what is publicly known of each this round."""
    by_rank = sorted(table.rules.cast, key=lambda id_: table.rules.characters[id_].rank)
    return [_character(table, id_) for id_ in by_rank]


def _character(table: Table, id_: str) -> str:
    fields = {"rank": table.rules.characters[id_].rank, "character": card(id_)}
    holder = next((seat.name for seat in table.seats if id_ in seat.revealed), None)
    if holder is not None:
        return _("{character}, rank {rank}, shown by {player}.").format(player=holder, **fields)
    if id_ in (table.faceup or ()):
        return _("{character}, rank {rank}, face up.").format(**fields)
    if id_ == table.marks.killed:
        return _("{character}, rank {rank}, murdered.").format(**fields)
    if id_ == table.marks.bewitched:
        return _("{character}, rank {rank}, bewitched.").format(**fields)
    if id_ == table.marks.robbed:
        return _("{character}, rank {rank}, to be robbed.").format(**fields)
    return _("{character}, rank {rank}.").format(**fields)


def options(table: Table) -> list[str]:
    lines = [
        line for name in table.rules.options for line in editions_told.describe_ruling(table, name)
    ]
    return lines or [_("No house rules; everything is as in the box.")]


def uniques(table: Table) -> list[str]:
    """The unique districts shuffled in, with their costs, cheapest first."""
    ids = sorted(
        table.rules.uniques, key=lambda id_: (table.rules.districts[id_].cost, simplify(card(id_)))
    )
    return [
        end_sentence(
            _("{label}, {mark}").format(
                label=card(id_), mark=coins(table.rules.districts[id_].cost)
            )
        )
        for id_ in ids
    ]


class Rank(NamedTuple):
    """A rank of the round, with the id of its character and its public marks."""

    rank: int
    character: str
    player: str  # who has revealed the character; "" if nobody yet
    marks: tuple[Mark, ...]


def name_round(table: Table) -> str:
    """The round as a heading; of a table that only counts the points, that it does."""
    if table.rules.only_scores:
        return _("Only the points")
    return _("Round {round}").format(round=table.round)


def ranks(table: Table) -> list[Rank]:
    """Every rank in order; none where no character is called."""
    if table.rules.only_scores:
        return []
    owners = {character: seat.name for seat in table.seats for character in seat.revealed}
    return [
        Rank(rank, character, owners.get(character, ""), tuple(_marks(table, rank, character)))
        for rank, character in sorted(table.rules.by_rank.items())
    ]


def _marks(table: Table, rank: int, character: str) -> list[Mark]:
    over = table.stage == "over"
    holds: dict[Mark, bool] = {
        "called": rank < table.called or (over and rank <= table.called),
        "now": rank == table.called and not over,
        "faceup": character in (table.faceup or ()),
        "murdered": character == table.marks.killed,
        "robbed": character == table.marks.robbed,
        "bewitched": character == table.marks.bewitched,
        "warrant": character in table.marks.warrants,
        "threat": character in table.marks.threats,
    }
    return [mark for mark, applies in holds.items() if applies]


def name_mark(mark: Mark) -> str:
    return {
        "called": _("called"),
        "now": _("now", "this rank is being called"),
        "faceup": _("face up"),
        "murdered": _("murdered"),
        "robbed": _("robbed"),
        "bewitched": _("bewitched"),
        "warrant": _("warrant"),
        "threat": _("threat"),
    }[mark]


def describe_mark(mark: Mark, character: str) -> str:
    """The word for a mark of that character, which agrees with its gender."""
    sentences = {
        "murdered": _("{character:?murdered}"),
        "robbed": _("{character:?robbed}"),
        "bewitched": _("{character:?bewitched}"),
    }
    return sentences.get(mark, name_mark(mark)).format(character=card(character))


def mark_face_up(table: Table, character: str, label: str = "") -> str:
    """The character's label, by default its name; with a mark if it lies face up."""
    label = label or card(character)
    if character not in (table.faceup or ()):
        return label
    mark = describe_mark("faceup", character)
    return _("{label}, {mark}").format(label=label, mark=mark)


def ending(table: Table) -> str:
    """That this is the last round, else who is one district short of a complete city; "" if
    nobody is, and once the game is over."""
    if table.stage == "over" or table.rules.only_scores:
        return ""
    if table.is_last_round:
        return _("LAST ROUND.")
    if not table.rules.tracks_cities:
        return ""
    near = [seat.name for seat in table.seats if seat.city.size == table.city_size - 1]
    if not near:
        return ""
    return _("One district from the end: {names}.").format(names=listing(near))


def progress(size: int, complete: int) -> str:
    """The districts of a city and how many complete it, as every face shows them: `5/7`."""
    return f"{size}/{complete}"


def brief_ending(table: Table) -> str:
    """The same in a few letters: `6/7 Ben, Mia`; "" if nobody is near."""
    if table.is_last_round or not ending(table):
        return ending(table).rstrip(".")
    near = [seat for seat in table.seats if seat.city.size == table.city_size - 1]
    names = ", ".join(seat.name for seat in near)
    return f"{progress(table.city_size - 1, table.city_size)} {names}"


def shorten(name: str, longest: int) -> str:
    """A name in at most `longest` letters and a full stop: `Archit.`; "" for none."""
    if len(name) <= longest + 1 or not longest:
        return name if longest else ""
    return name[:longest].rstrip(" -’'") + "."


def _append(first: str, second: str) -> str:
    return _("{first}; {second}").format(first=first, second=second)


def list_round(table: Table) -> list[str]:
    """The round in words: all ranks in one line, then the result of `ending`."""
    if table.rules.only_scores:
        return [end_sentence(name_round(table))]
    words = reduce(_append, map(_write_in_words, ranks(table)))
    result = [_("Round {round}: {ranks}.").format(round=table.round, ranks=words), ending(table)]
    return [line for line in result if line]


def _write_in_words(rank: Rank) -> str:
    """`4 King, murdered`: a rank that was called and whose player is known needs no mark for it."""
    marks = [mark for mark in rank.marks if mark != "called" or not rank.player]
    owner = [rank.player] if rank.player else []
    words = ", ".join(
        [
            card(rank.character),
            *owner,
            *(describe_mark(mark, rank.character) for mark in marks),
        ]
    )
    return _("{rank} {known}").format(rank=rank.rank, known=words)


def question(table: Table, *, to_player: bool = False, passes: bool = False) -> str:
    """The current question and whom it asks, the important word first; or that the game is over.
    With `to_player` it is for the one whose turn it is, alone, and does not name them. `passes`: a
    rank that nobody can answer passes by itself, so nobody is asked about it."""
    waiting = find_awaited(table)
    if waiting is None:
        return _("The game is over.")
    seat, kind = waiting
    player = table.seats[seat].name
    match kind:
        case "select":
            return _ask_selection(table, player)
        case "call":
            return ask_call(table, passes=passes)
        case "turn":
            return _turn(table, player, to_player=to_player)
    about = table.questions[-1].about
    districts = amount("district", table.seats[seat].city.size)
    name = any_district() if about == UNNAMED else card(about) if about else ""
    return _answers()[kind].format(player=player, card=name, districts=districts)


def _answers() -> dict[str, str]:
    """The questions to another player, or to the crowned one, that take precedence."""
    return {
        "graveyard": _("{player}. Pay 1 gold to take the {card} into your hand?"),
        "unmask": _("Who had the murdered {card}?"),
        "emperor": _("{player}. Who gets the crown?"),
        "warrant": _("{player}. Confiscate the {card}?"),
        "threat": _("{player}. Pay the Blackmailer, or refuse?"),
        "expose": _("{player}. Reveal the threat on the {card}?"),
        "city": _("{player}. Which districts are in your city?"),
        "number": _("{player}. How many cards score for the {card}?"),
        "gold": _("{player}. How much gold have you left?"),
        "rank": _("{player}. A tie! Who was your last character?"),
        "first": _("Whose city was complete first?"),
        "completion": _("{player}. Your city was complete first, but has {districts}. Right?"),
        "built_last_round": _("{player}. Was your {card} built in the last round?"),
    }


def lays_face_up(table: Table) -> bool:
    """Whether characters are still to be laid face up before anybody takes one."""
    return table.faceup is None and bool(table.rules.faceup_count)


def _ask_selection(table: Table, player: str) -> str:
    if lays_face_up(table):
        count = amount("character", table.rules.faceup_count)
        return _("{player}. Discard {characters} face up.").format(player=player, characters=count)
    return _("Has everybody chosen?")


def ask_call(table: Table, *, passes: bool = False) -> str:
    """The call of the current rank: who has the character, or whether to carry on if nobody can;
    if the rank `passes` by itself, only why nobody can."""
    who = _("Rank {rank}. Who is the {character}?")
    if passes:
        return tell_call(
            table, _("The {character} was murdered."), _("The {character} is face up."), who
        )
    return tell_call(
        table,
        _("Rank {rank}. The {character} was murdered. Carry on?"),
        _("Rank {rank}. The {character} is face up. Carry on?"),
        who,
    )


def _turn(table: Table, player: str, *, to_player: bool) -> str:
    def ask(text: str) -> str:
        return text if to_player else f"{end_sentence(player)} {text}"

    if not table.playing.gathered:
        return ask(_("Gold or cards?"))
    moves = _list_moves(table)
    powers = _find_powers(moves)
    if powers and "end" not in moves:  # must be done before the turn can end
        return verbs.ask(powers[0], 0, player)
    options = _list_options(table, moves)
    if not options:
        return ask(_("End the turn?"))
    choice = listing([*options, _("end")], conjunction="or")
    return ask(_("{choice}?").format(choice=choice[:1].upper() + choice[1:]))


def asks_to_end(table: Table) -> bool:
    """Whether the turn can end, and nothing else is left of it, not even gold or cards."""
    moves = _list_moves(table)
    return table.playing.gathered and "end" in moves and not _list_options(table, moves)


def _list_moves(table: Table) -> dict[str, Move]:
    return {move.verb: move for move in list_legal_moves(table)}


def _find_powers(moves: Iterable[str]) -> list[str]:
    return [verb for verb in moves if verb not in _EVERYBODYS and verb not in ALWAYS_SECRET]


def _list_options(table: Table, moves: Mapping[str, Move]) -> list[str]:
    options, powers = [_("build")] if "build" in moves else [], _find_powers(moves)
    if len(powers) == 1:
        options.append(verbs.describe_power(moves[powers[0]]))
    elif powers:
        options.append(_("use a power"))
    if "income" in moves and may_pay(table):
        options.append(_("take the income"))
    return options


def may_pay(table: Table) -> bool:
    """Whether the income of the turn can be more than zero."""
    paying = count_paying_districts(table, table.playing.seat, table.playing.character)
    return paying > 0 or not table.rules.tracks_cities


_EVERYBODYS = {"gold", "cards", "build", "end", "pay", "gain", "complete", "income", "forfeit"}
"""Verbs of a turn that are not a character's power."""


def list_remaining_steps(table: Table) -> list[str]:
    """The steps that are still to be done; none once the characters are called."""
    if table.stage != "selection":
        return []
    is_shuffled = table.rules.faceup_count and table.faceup is not None
    return selection_steps(table)[2 if is_shuffled else 0 :]


def selection_steps(table: Table) -> list[str]:
    """The steps by which the table chooses characters, in order (Selection phase of the rulebook).

    What several players do in turn is one sentence.
    """
    lines = [
        _("Shuffle the {characters}.").format(characters=amount("character", len(table.rules.cast)))
    ]
    if table.rules.faceup_count:
        lines.append(
            plural(
                "Discard {number} face up.", "Discard {number} face up.", table.rules.faceup_count
            )
        )
    steps = [step.split() for step in table.rules.selection["steps"]]
    for what, same in groupby(steps, key=lambda step: step[0]):
        numbers = [int(number) for _what, number in same]
        if what == "discard":
            lines += [plural("Lay {number} face down.", "Lay {number} face down.", numbers[0])]
            continue
        names = [table.seats[(table.crown + number) % len(table.seats)].name for number in numbers]
        if len(names) > 1:
            lines.append(_common_sentences()[what].format(names=listing(names)))
        else:
            lines.append(_step_sentences()[what].format(player=names[0]))
    return lines


def _common_sentences() -> dict[str, str]:
    return {
        "pick": _("Each keeps one and passes the rest on: {names}."),
        "pick_and_discard": _(
            "Each keeps one, lays one face down and passes the rest on: {names}."
        ),
    }


def _step_sentences() -> dict[str, str]:
    return {
        "pick": _("{player} keeps one and passes the rest on."),
        "pick_last": _("{player} keeps one and lays the other face down."),
        "pick_with_facedown": _(
            "{player} also takes the card laid face down, keeps one, and lays the other face down."
        ),
        "discard_from": _("{player} lays one of the rest face down, without looking."),
    }
