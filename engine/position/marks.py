"""The marks of the round: who lies face up, who has shown or chosen whom, who was named by whom."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from engine.sentences import quoted
from engine.words import amount, listing

if TYPE_CHECKING:
    from engine.position.reader import Reader
    from engine.problems import Path

# The marks of a round, and whose power leaves them.
MAKERS = {
    "killed": ("assassin",),
    "robbed": ("thief",),
    "bewitched": ("witch",),
    "warrants": ("magistrate",),
    "signed": ("magistrate",),
    "threats": ("blackmailer",),
    "real": ("blackmailer",),
    "settled": ("magistrate", "blackmailer"),
    "owes_tax": ("tax_collector_2004",),
    "tax": ("tax_collector",),
}
RECORDED = ("signed", "real")  # by a move of its own, which is used up too
OTHERS_LEAVE = ("owes_tax", "tax")  # by building: before their maker has a turn, or in his absence


def read_marks(r: Reader) -> None:
    """Characters face up, shown, chosen and named."""
    _faceup(r, r.facts.get("faceup"))
    _revealed(r, r.facts.get("revealed"))
    _chosen(r, r.facts.get("chosen"))
    _choices_can_be_kept(r)
    _named(r)
    _markers(r)
    _taxes(r)


def _is_selecting(r: Reader) -> bool:
    return r.facts.get("called") is None and r.facts.get("turn") is None


def _faceup(r: Reader, data: object) -> None:
    if data is None:
        return
    path: Path = ("position", "faceup")
    faceup = r.characters(data, path)
    if len(set(faceup)) < len(faceup):
        r.check.say(path, "a character lies face up twice")
    if len(faceup) > r.rules.faceup_count:
        r.check.say(
            path,
            "face up lie {faceup}, and {owed} are discarded at this table",
            faceup=amount("character", len(faceup)),
            owed=r.rules.faceup_count,
        )
    selecting = _is_selecting(r)
    if selecting and 0 < len(faceup) < r.rules.faceup_count:
        r.check.say(
            path,
            "face up lie {faceup}, and {owed} are discarded before anybody chooses",
            faceup=amount("character", len(faceup)),
            owed=r.rules.faceup_count,
        )
    if selecting and not faceup and r.rules.faceup_count:
        return  # still owed
    for character in faceup:
        if r.rules.characters[character].rank == 4:
            r.check.say(path, "“{id}” has rank 4 and is never discarded face up", id=character)
    r.t.faceup = faceup


def _revealed(r: Reader, data: object) -> None:
    for index, value, path in r.by_player(data, ("position", "revealed")):
        r.t.own_seat(index).revealed = r.characters(value, path)
        if _is_selecting(r) and r.t.seats[index].revealed:
            r.check.say(path, "nobody is revealed before the characters are called")
    _held_once(r, "revealed")


def _chosen(r: Reader, data: object) -> None:
    for index, value, path in r.by_player(data, ("position", "chosen")):
        r.t.own_seat(index).chosen = r.characters(value, path)
    _held_once(r, "chosen")


def _held_once(r: Reader, mark: str) -> None:
    """Each character in one hand, no hand with more than the table deals, none face up."""
    path: Path = ("position", mark)
    held: list[str] = []
    for seat in r.t.seats:
        mine = getattr(seat, mark)
        if len(mine) > r.rules.picks:
            r.check.say(
                path,
                "{player} has more than {picks} “{mark}”",
                player=seat.name,
                picks=r.rules.picks,
                mark=mark,
            )
        held += mine
    for character, times in Counter(held).items():
        if times > 1:
            r.check.say(
                path,
                "“{id}” is “{mark}” more than once",
                id=character,
                mark=mark,
            )
        if character in (r.t.faceup or ()):
            r.check.say(
                path,
                "“{id}” lies face up and cannot be “{mark}”",
                id=character,
                mark=mark,
            )


def _choices_can_be_kept(r: Reader) -> None:
    """Who has recorded a choice can still show it, or has shown it already."""
    for index, seat in enumerate(r.t.seats):
        for character in seat.chosen:
            holder = r.t.holder(character)
            if holder is not None and holder != index:
                r.check.say(
                    ("position", "chosen"),
                    "“{id}” was revealed by {player}",
                    id=character,
                    player=r.rules.player_names[holder],
                )
        if seat.chosen and len({*seat.chosen, *seat.revealed}) > r.rules.picks:
            r.check.say(
                ("position", "chosen"),
                "{player} has chosen and revealed more than {picks}",
                player=seat.name,
                picks=r.rules.picks,
            )


def _named(r: Reader) -> None:
    """The characters that one of rank 1 or 2 has named."""
    for mark in ("killed", "robbed", "bewitched"):
        if r.facts.get(mark) is not None:
            setattr(r.t, mark, r.character(r.facts[mark], ("position", mark)))
    t, known = r.t, r.rules.characters
    for mark, namer in (("killed", "assassin"), ("bewitched", "witch")):
        if getattr(t, mark) == namer:
            r.check.say(("position", mark), "“{id}” cannot be “{mark}”", id=namer, mark=mark)
    named = [("robbed", t.robbed), *(("threats", target) for target in _listed(r, "threats"))]
    for mark, target in named:
        if target is None:
            continue
        if known[target].rank <= 2 or target == t.bewitched:
            r.check.say(
                ("position", mark),
                "“{id}” cannot be “{mark}”",
                id=target,
                mark=mark,
            )
        elif target == t.killed and not r.rules.secret:
            r.check.say(
                ("position", mark),
                "“{id}” was killed and cannot be “{mark}”",
                id=target,
                mark=mark,
            )


def _listed(r: Reader, mark: str) -> tuple[str, ...]:
    data = r.facts.get(mark)
    listed = data if isinstance(data, list) else ()
    return tuple(c for c in listed if isinstance(c, str) and c in r.rules.characters)


def _markers(r: Reader) -> None:
    """Warrants and threats: where they lie, which counts, which have been answered."""
    for mark, real, count in (("warrants", "signed", 3), ("threats", "real", 2)):
        path: Path = ("position", mark)
        laid = r.characters(r.facts.get(mark), path)
        if laid and len(set(laid)) != count:
            r.check.say(path, "“{mark}” are {count}, on as many characters", count=count, mark=mark)
        ranked = sorted(laid, key=lambda id_: r.rules.characters[id_].rank)
        setattr(r.t, mark, tuple(ranked))
        if r.facts.get(real) is None:
            continue
        counting = r.character(r.facts[real], ("position", real))
        setattr(r.t, real, counting)
        r.t.real_recorded = r.t.real is not None
        if counting is not None and counting not in laid:
            r.check.say(
                ("position", real),
                "“{id}” is not among the “{mark}”",
                id=counting,
                mark=mark,
            )
    path = ("position", "settled")
    settled = r.characters(r.facts.get("settled"), path)
    for character in settled:
        if character not in (*r.t.warrants, *r.t.threats):
            r.check.say(path, "“{id}” has neither a warrant nor a threat", id=character)
    r.t.answered_threats = frozenset(settled).intersection(r.t.threats)
    r.t.answered_warrants = frozenset(settled).intersection(r.t.warrants)
    turn = r.facts.get("turn")
    if isinstance(turn, dict) and not turn.get("built"):
        # who has both answers the threat first, on gathering: nothing was built to ask about
        r.t.answered_warrants -= r.t.answered_threats & {turn.get("character")}


def _taxes(r: Reader) -> None:
    r.t.owes_tax = frozenset(r.seats(r.facts.get("owes_tax"), ("position", "owes_tax")))
    if "tax" in r.facts:
        r.t.tax = r.check.number(r.facts["tax"], ("position", "tax"))


def _begun(r: Reader) -> int:
    """The last rank that has been answered, if only by a turn that is still being played."""
    return r.t.called if r.t.turn is not None else r.t.called - 1


def check_killed(r: Reader) -> None:
    """Nobody shows a killed character, but whoever had the Hospital at its call."""
    killed, turn = r.t.killed, r.t.turn
    holder = r.t.holder(killed) if killed else None
    if killed is None or holder is None or (turn is not None and turn.character == killed):
        return
    hospital = "gathers_when_killed"
    lost_since = r.rules.having(hospital) and _begun(r) > r.rules.characters[killed].rank
    if hospital not in r.t.seats[holder].city.effects and not lost_since:
        r.check.say(
            ("position", "killed"),
            "“{id}” was killed and cannot be revealed",
            id=killed,
        )


def check_debts(r: Reader) -> None:
    """The older Tax Collector is owed by those who built before he is shown, by nobody after."""
    debtors = len(r.t.owes_tax)
    path: Path = ("position", "owes_tax")
    for collector in r.rules.having("taxes_builders") if debtors else ():
        earlier = sum(rank < r.rules.characters[collector].rank for rank in r.rules.by_rank)
        begun = _begun(r)
        if r.t.bearer(collector) is not None:
            r.check.say(path, "“{id}” has been revealed and paid", id=collector)
        elif begun < 1:
            r.check.say(path, "nobody has had a turn this round")
        elif debtors > earlier * r.rules.picks:
            r.check.say(path, "only who has a turn before “{id}” owes the tax", id=collector)


def check_makers(r: Reader) -> None:
    """A mark has somebody who can have left it, and the moment for it has come."""
    ranks = r.rules.characters
    for mark, makers in MAKERS.items():
        if not r.facts.get(mark):
            continue
        path: Path = ("position", mark)
        here = [maker for maker in makers if maker in r.rules.cast]
        turn = r.t.turn
        begun = _begun(r)
        if not here:
            r.check.say(
                path,
                "nobody can have done this: {cards} is not in this game",
                cards=listing(map(quoted, makers), joined="or"),
            )
        elif mark in OTHERS_LEAVE:
            continue
        elif mark == "settled" and all(ranks[c].rank > begun for c in r.t.settled):
            r.check.say(path, "nobody with a warrant or a threat has had a turn this round")
        elif all(maker in (r.t.faceup or ()) for maker in here):
            r.check.say(path, "nobody can have done this: “{id}” lies face up", id=here[0])
        elif all(ranks[m].rank > begun for m in here):
            r.check.say(path, "“{id}” has not had a turn this round", id=here[0])
        elif all(maker == r.t.killed for maker in here):
            r.check.say(path, "“{id}” was killed and has had no turn", id=here[0])
        elif turn is not None and turn.character in here:
            turn.used |= {turn.character, mark} if mark in RECORDED else {turn.character}
