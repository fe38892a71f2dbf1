"""The marks of the round: characters face up, shown, chosen and named."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from common.sentences import quote
from engine.words import amount, listing

if TYPE_CHECKING:
    from common.problems import Path
    from engine.position.position_reader import PositionReader

# The marks of a round, and the characters whose powers leave them.
MAKERS = {
    "killed": ("assassin",),
    "robbed": ("thief",),
    "bewitched": ("witch",),
    "warrants": ("magistrate",),
    "signed": ("magistrate",),
    "threats": ("blackmailer",),
    "real": ("blackmailer",),
    "owes_tax": ("tax_collector_2004",),
    "tax": ("tax_collector",),
}
RECORDED = ("signed", "real")  # by a separate move, which is used up too
OTHERS_LEAVE = ("owes_tax", "tax")  # by others' building: before the maker's turn, or without it


def read_marks(reader: PositionReader) -> None:
    _read_faceup(reader, reader.facts.get("faceup"))
    _read_revealed(reader, reader.facts.get("revealed"))
    _read_chosen(reader, reader.facts.get("chosen"))
    _check_choices(reader)
    _read_markers(reader)
    _read_named(reader)
    _read_taxes(reader)


def _read_faceup(reader: PositionReader, data: object) -> None:
    if data is None:
        return
    path: Path = ("position", "faceup")
    faceup = reader.read_characters(data, path)
    if len(set(faceup)) < len(faceup):
        reader.check.say(path, "a character is face up twice")
    if len(faceup) > reader.rules.faceup_count:
        reader.check.say(
            path,
            "{faceup} face up, but this table discards {owed}",
            faceup=amount("character", len(faceup)),
            owed=reader.rules.faceup_count,
        )
    selecting = reader.is_selecting
    if selecting and 0 < len(faceup) < reader.rules.faceup_count:
        reader.check.say(
            path,
            "{faceup} face up, but {owed} must be discarded before anyone chooses",
            faceup=amount("character", len(faceup)),
            owed=reader.rules.faceup_count,
        )
    if selecting and not faceup and reader.rules.faceup_count:
        return  # still owed
    for character in faceup:
        if reader.rules.characters[character].rank == 4:
            reader.check.say(path, "“{id}” has rank 4 and is never discarded face up", id=character)
    reader.table.faceup = faceup


def _read_revealed(reader: PositionReader, data: object) -> None:
    for index, value, path in reader.read_by_player(data, ("position", "revealed")):
        reader.table.own_seat(index).revealed = reader.read_characters(value, path)
        if reader.is_selecting and reader.table.seats[index].revealed:
            reader.check.say(path, "nobody is revealed before the characters are called")
    _check_holders(reader, "revealed")


def _read_chosen(reader: PositionReader, data: object) -> None:
    for index, value, path in reader.read_by_player(data, ("position", "chosen")):
        reader.table.own_seat(index).chosen = reader.read_characters(value, path)
    _check_holders(reader, "chosen", shared=True)


def _check_holders(reader: PositionReader, mark: str, *, shared: bool = False) -> None:
    """Check that no character is held twice or face up, and no hand has too many. Unless `shared`,
    no two hands may hold the same one."""
    path: Path = ("position", mark)
    held: Counter[str] = Counter()
    for seat in reader.table.seats:
        characters = getattr(seat, mark)
        if len(characters) > reader.rules.picks:
            reader.check.say(
                path,
                "{player} has more than {picks} “{mark}”",
                player=seat.name,
                picks=reader.rules.picks,
                mark=mark,
            )
        if shared:
            held |= Counter(characters)
        else:
            held.update(characters)
    for character, times in held.items():
        if times > 1:
            reader.check.say(
                path,
                "“{id}” is “{mark}” more than once",
                id=character,
                mark=mark,
            )
        if character in (reader.table.faceup or ()):
            reader.check.say(
                path,
                "“{id}” is face up and can't be “{mark}”",
                id=character,
                mark=mark,
            )


def _check_choices(reader: PositionReader) -> None:
    """Check that every recorded choice can still be shown, or has been."""
    for index, seat in enumerate(reader.table.seats):
        for character in seat.chosen:
            holder = reader.table.holder(character)
            if holder is not None and holder != index:
                reader.check.say(
                    ("position", "chosen"),
                    "“{id}” was revealed by {player}",
                    id=character,
                    player=reader.rules.player_names[holder],
                )
        if seat.chosen and len({*seat.chosen, *seat.revealed}) > reader.rules.picks:
            reader.check.say(
                ("position", "chosen"),
                "{player} has chosen and revealed more than {picks}",
                player=seat.name,
                picks=reader.rules.picks,
            )


def _read_named(reader: PositionReader) -> None:
    named: dict[str, Any] = {
        mark: reader.read_character(reader.facts[mark], ("position", mark))
        for mark in ("killed", "robbed", "bewitched")
        if reader.facts.get(mark) is not None
    }
    marks = reader.table.marks = reader.table.marks._replace(**named)
    characters = reader.rules.characters
    for mark, namer in (("killed", "assassin"), ("bewitched", "witch")):
        if getattr(marks, mark) == namer:
            reader.check.say(("position", mark), "“{id}” can't be “{mark}”", id=namer, mark=mark)
    marked = [("robbed", marks.robbed), *(("threats", character) for character in marks.threats)]
    for mark, character in marked:
        if character is None:
            continue
        last_spared = 2 if mark == "robbed" else 1  # the Blackmailer may threaten his own token
        if characters[character].rank <= last_spared or character == marks.bewitched:
            reader.check.say(
                ("position", mark),
                "“{id}” can't be “{mark}”",
                id=character,
                mark=mark,
            )
        elif character == marks.killed and not reader.rules.secret:
            reader.check.say(
                ("position", mark),
                "“{id}” was killed and can't be “{mark}”",
                id=character,
                mark=mark,
            )


def _read_markers(reader: PositionReader) -> None:
    """Read the warrants and threats: where they are, which one counts, which are answered."""
    for mark, real_mark, count in (("warrants", "signed", 3), ("threats", "real", 2)):
        path: Path = ("position", mark)
        characters = reader.read_characters(reader.facts.get(mark), path)
        if characters and len(set(characters)) != count:
            reader.check.say(
                path, "“{mark}” must name {count} different characters", count=count, mark=mark
            )
        by_rank = sorted(characters, key=lambda id_: reader.rules.characters[id_].rank)
        real = None
        if reader.facts.get(real_mark) is not None:
            real = reader.read_character(reader.facts[real_mark], ("position", real_mark))
        if real is not None and real not in characters:
            reader.check.say(
                ("position", real_mark),
                "“{id}” isn't among the “{mark}”",
                id=real,
                mark=mark,
            )
        markers: dict[str, Any] = {mark: tuple(by_rank), real_mark: real}
        reader.table.marks = reader.table.marks._replace(**markers)
    marks = reader.table.marks
    reader.table.marks = marks._replace(real_recorded=marks.real is not None)
    _read_settled(reader, reader.facts.get("settled"))


SETTLED_KEYS = ("warrants", "threats")


def _read_settled(reader: PositionReader, data: object) -> None:
    """Read the answered warrants and threats: apart, or as a list of characters."""
    path: Path = ("position", "settled")
    if isinstance(data, dict):
        facts = reader.check.read_mapping(data, path, SETTLED_KEYS)
        for key in facts:
            _read_answered(reader, facts[key], (*path, key), (key,))
        return
    _read_answered(reader, data, path, SETTLED_KEYS)
    turn = reader.facts.get("turn")
    if isinstance(turn, dict) and not turn.get("built"):
        # a player with both answers the threat first, on gathering: nothing was built yet
        marks = reader.table.marks
        acting = {c for c in marks.answered_threats if c == turn.get("character")}
        answered = marks.answered_warrants - acting
        reader.table.marks = marks._replace(answered_warrants=answered)


def _read_answered(reader: PositionReader, data: object, path: Path, keys: tuple[str, ...]) -> None:
    """Read characters whose markers of these kinds have been answered."""
    characters, marks = reader.read_characters(data, path), reader.table.marks
    for character in characters:
        if not any(character in getattr(marks, key) for key in keys):
            reader.check.say(path, "“{id}” has neither a warrant nor a threat", id=character)
    answered: dict[str, Any] = {
        f"answered_{key}": frozenset(characters).intersection(getattr(marks, key)) for key in keys
    }
    reader.table.marks = marks._replace(**answered)


def read_theater(reader: PositionReader) -> None:
    """Read which districts were used in the selection (Theater)."""
    path: Path = ("position", "used")
    districts = [
        reader.check.check_known(
            item,
            (*path, place),
            reader.rules.cards_with("swaps_characters"),
            "{data} is not a district used in the selection",
        )
        for place, item in enumerate(reader.check.read_items(reader.facts.get("used"), path))
    ]
    reader.table.marks = reader.table.marks._replace(theater_used=any(districts))


def read_unmasked(reader: PositionReader) -> None:
    """Read who had the killed character; its holder, if the Hospital has shown it."""
    table, name = reader.table, reader.facts.get("unmasked")
    path: Path = ("position", "unmasked")
    killed = table.marks.killed
    holder = table.holder(killed) if killed else None
    if name is None:
        table.marks = table.marks._replace(unmasked=holder if reader.is_after_calling else None)
        return
    unmasked = reader.read_seat(name, path)
    table.marks = table.marks._replace(unmasked=unmasked)
    if killed is None or not reader.is_after_calling:
        reader.check.say(path, "a killed character is unmasked after the last rank")
    elif unmasked is not None and unmasked != holder:
        seat = table.seats[unmasked]
        if holder is not None or len(seat.revealed) >= reader.rules.picks:
            reader.check.say(path, "{player} can't have had “{id}”", player=seat.name, id=killed)


def _read_taxes(reader: PositionReader) -> None:
    debtors = reader.read_seats(reader.facts.get("owes_tax"), ("position", "owes_tax"))
    reader.table.marks = reader.table.marks._replace(owes_tax=frozenset(debtors))
    if "tax" in reader.facts:
        reader.table.tax = reader.check.read_number(reader.facts["tax"], ("position", "tax"))


def check_killed(reader: PositionReader) -> None:
    """Check that nobody but the owner of the Hospital shows a killed character."""
    victim, turn = reader.table.marks.killed, reader.table.turn
    holder = reader.table.holder(victim) if victim else None
    if victim is None or holder is None or (turn is not None and turn.character == victim):
        return
    hospital = "gathers_when_killed"
    lost_since = (
        reader.rules.cards_with(hospital)
        and reader.find_last_answered() > reader.rules.characters[victim].rank
    )
    if hospital not in reader.table.seats[holder].city.effects and not lost_since:
        reader.check.say(
            ("position", "killed"),
            "“{id}” was killed and can't be revealed",
            id=victim,
        )


def check_debts(reader: PositionReader) -> None:
    """Check the debts to the older Tax Collector: players who build before he is shown owe him;
    afterwards nobody does."""
    debtor_count = len(reader.table.marks.owes_tax)
    path: Path = ("position", "owes_tax")
    for collector in reader.rules.cards_with("taxes_builders") if debtor_count else ():
        earlier = sum(
            rank < reader.rules.characters[collector].rank for rank in reader.rules.by_rank
        )
        last = reader.find_last_answered()
        if reader.table.bearer(collector) is not None:
            reader.check.say(
                path, "“{id}” has already been revealed and has collected the tax", id=collector
            )
        elif last < 1:
            reader.check.say(path, "nobody has had a turn this round")
        elif debtor_count > earlier * reader.rules.picks:
            reader.check.say(
                path, "only a player whose turn is before “{id}” owes the tax", id=collector
            )


def check_makers(reader: PositionReader) -> None:
    """Check that a character of the cast can have left each mark by now."""
    characters = reader.rules.characters
    for mark, makers in MAKERS.items():
        if not reader.facts.get(mark):
            continue
        path: Path = ("position", mark)
        makers_in_game = [maker for maker in makers if maker in reader.rules.cast]
        turn = reader.table.turn
        last = reader.find_last_answered()
        if not makers_in_game:
            reader.check.say(
                path,
                "nobody can have done this: {cards} isn't in this game",
                cards=listing(map(quote, makers), conjunction="or"),
            )
        elif mark in OTHERS_LEAVE:
            continue
        elif all(maker in (reader.table.faceup or ()) for maker in makers_in_game):
            reader.check.say(
                path, "nobody can have done this: “{id}” is face up", id=makers_in_game[0]
            )
        elif all(characters[m].rank > last for m in makers_in_game):
            reader.check.say(path, "“{id}” has not had a turn this round", id=makers_in_game[0])
        elif all(maker == reader.table.marks.killed for maker in makers_in_game):
            reader.check.say(path, "“{id}” was killed and has had no turn", id=makers_in_game[0])
        elif turn is not None and turn.character in makers_in_game:
            turn.used |= {turn.character, mark} if mark in RECORDED else {turn.character}
    settled = reader.table.marks.settled
    if settled and all(characters[c].rank > reader.find_last_answered() for c in settled):
        path = ("position", "settled")
        reader.check.say(path, "nobody with a warrant or a threat has had a turn this round")
