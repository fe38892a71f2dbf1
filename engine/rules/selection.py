"""What happens around the turns: characters discarded face up, secret choices, calls, the end of
the game."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from engine.rules import turns
from engine.rules.base import TRACKED, Action, Words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.moves import Move
    from engine.ruleset import Ruleset
    from engine.table import Seat, Table


class FaceUp(Action):
    """`faceup C...`: the characters discarded face up, before anybody chooses."""

    verb = "faceup"
    options_are_legal = True

    def closed(self, table: Table) -> str | None:
        if table.rules.faceup_count == 0:
            return "faceup.count"
        return "faceup.done" if table.faceup is not None else None

    def objection(self, table: Table, *words: str) -> str | None:
        if len(set(words)) < len(words):
            return "faceup.twice"
        characters = table.rules.characters
        if any(word not in characters for word in words):
            return "faceup.not_in_cast"
        if any(characters[word].rank == 4 for word in words):
            return "faceup.rank_4"
        return "faceup.count" if len(words) != table.rules.faceup_count else None

    def options(self, table: Table) -> Iterable[Words]:
        characters = table.rules.characters
        possible = [character for character in table.rules.cast if characters[character].rank != 4]
        return combinations(possible, table.rules.faceup_count)

    def moves(self, table: Table) -> Sequence[Move]:
        """Cached: always the same list."""
        cached = table.rules.choices
        if (self.verb,) not in cached:
            cached[self.verb,] = tuple(super().moves(table))
        return cached[self.verb,]

    def apply(self, table: Table, *words: str) -> None:
        table.faceup = words


class Choose(Action):
    """`choose P C`: optional and secret, which character a player took; a later record replaces
    it."""

    verb = "choose"
    options_are_legal = True
    player_places = (0,)

    def closed(self, table: Table) -> str | None:
        return "choose.faceup_owed" if table.faceup is None else None

    def objection(self, table: Table, *words: str) -> str | None:
        _name, character = words
        if character not in table.rules.characters:
            return "choose.not_in_cast"
        return "choose.face_up" if table.faceup and character in table.faceup else None

    def options(self, table: Table) -> Iterable[Words]:
        characters = [c for c in table.rules.cast if c not in (table.faceup or ())]
        return [(name, character) for name in table.rules.player_names for character in characters]

    def moves(self, table: Table) -> Sequence[Move]:
        """Cached: the list depends only on the characters face up."""
        cached = table.rules.choices
        key = (self.verb, *(table.faceup or ()))
        if key not in cached:
            cached[key] = tuple(super().moves(table))
        return cached[key]

    def apply(self, table: Table, *words: str) -> None:
        name, character = words
        note_choice(table, table.seat_named(name), character)


class Call(Action):
    """`call`: everybody has chosen; rank 1 is called."""

    verb = "call"

    def closed(self, table: Table) -> str | None:
        return "call.faceup_owed" if table.faceup is None else None

    def apply(self, table: Table, *words: str) -> None:
        table.stage = "calling"
        table.called = 1


class UseTheater(Action):
    """`use theater P`: after the choosing, its owner swaps character cards with another, unseen."""

    verb = "use"
    player_places = (1,)
    under = TRACKED

    def is_possible(self, rules: Ruleset, moment: str) -> bool:
        return bool(rules.cards_with("swaps_characters"))

    def closed(self, table: Table) -> str | None:
        if table.faceup is None:
            return "choose.faceup_owed"
        return "theater.done" if table.marks.theater_used else None

    def objection(self, table: Table, *words: str) -> str | None:
        if words[0] not in table.rules.cards_with("swaps_characters"):
            return "use.not_now"
        if len(words) != 2:
            return "use.form"
        owners = self._find_owners(table)
        if not owners:
            return "theater.nobody"
        return "theater.self" if table.seats[owners[0]].name == words[1] else None

    def options(self, table: Table) -> Iterable[Words]:
        if not self._find_owners(table):
            return ()
        theaters = table.rules.cards_with("swaps_characters")
        return [(theater, name) for theater in theaters for name in table.rules.player_names]

    def apply(self, table: Table, *words: str) -> None:
        owner_index = self._find_owners(table)[0]
        table.marks = table.marks._replace(theater_used=True)
        owner, other = table.own_seat(owner_index), table.own_seat(table.seat_named(words[1]))
        if table.rules.picks == 1:
            owner.chosen, other.chosen = other.chosen, owner.chosen
        else:
            owner.chosen = other.chosen = ()  # which cards were swapped is not recorded

    def _find_owners(self, table: Table) -> list[int]:
        seats = enumerate(table.seats)
        return [index for index, seat in seats if "swaps_characters" in seat.city.effects]


SELECTION: tuple[Action, ...] = (FaceUp(), Choose(), UseTheater(), Call())


# -- after the last round -------------------------------------------------------------------------


class Vault(Action):
    """`vault P`: the Secret Vault is shown from P's hand; it is never built and scores there."""

    verb = "vault"
    player_places = (0,)

    def closed(self, table: Table) -> str | None:
        if not table.rules.cards_with("points_from_hand"):
            return "vault.not_in_game"
        return "vault.shown" if any(seat.vault for seat in table.seats) else None

    def objection(self, table: Table, *words: str) -> str | None:
        return None if table.seats[table.seat_named(words[0])].hand else "vault.no_card"

    def options(self, table: Table) -> Iterable[Words]:
        return [(name,) for name in table.rules.player_names]

    def apply(self, table: Table, *words: str) -> None:
        table.own_seat(table.seat_named(words[0])).vault = True


OVER: tuple[Action, ...] = (Vault(),)


# -- calling --------------------------------------------------------------------------------------


def find_no_answer(table: Table) -> str:
    """Why nobody can answer the call of this rank, as far as the table shows it: `murdered`,
    `faceup`; "" if somebody may."""
    character = table.rules.by_rank.get(table.called)
    if character is not None and character == table.marks.killed:
        return "murdered"
    return "faceup" if character in (table.faceup or ()) else ""


def passes_at_once(table: Table) -> bool:
    """Whether everybody knew before the call of this rank that nobody can answer it."""
    return find_no_answer(table) in (("faceup",) if table.rules.secret else ("faceup", "murdered"))


def find_last_holder(table: Table) -> str:
    """The name of the player who must have all characters that are still unseen, as far as the
    table shows it: the others have shown all of theirs, and no card is left that nobody may have.
    "" if anybody else may have one, or nobody."""
    rules, faceup = table.rules, table.faceup or ()
    shown = {character for seat in table.seats for character in seat.revealed}
    unseen = {
        character
        for rank, character in rules.by_rank.items()
        if (0 < table.called <= rank or character == table.marks.killed)
        and character not in (*shown, *faceup)
    }
    missing = {seat.name: rules.picks - len(seat.revealed) for seat in table.seats}
    holders = [name for name, number in missing.items() if number]
    return holders[0] if len(holders) == 1 and missing[holders[0]] == len(unseen) else ""


class Reveal(Action):
    """`reveal P`: P has the called character and begins a turn."""

    verb = "reveal"
    player_places = (0,)

    def closed(self, table: Table) -> str | None:
        character = table.rules.by_rank[table.called]
        if character == table.marks.killed and not table.rules.cards_with("gathers_when_killed"):
            return "reveal.killed"
        return "reveal.face_up" if table.faceup and character in table.faceup else None

    def objection(self, table: Table, *words: str) -> str | None:
        seat = table.seats[table.seat_named(words[0])]
        if seat not in self._list_answering(table):
            return "reveal.killed"
        return "reveal.already" if len(seat.revealed) >= table.rules.picks else None

    def _list_answering(self, table: Table) -> list[Seat]:
        """The seats that may answer the call: a killed character's, only those with the Hospital,
        whoever has the card, so that the offer reveals nothing."""
        if table.rules.by_rank[table.called] != table.marks.killed:
            return table.seats
        return [seat for seat in table.seats if "gathers_when_killed" in seat.city.effects]

    def moves(self, table: Table) -> Sequence[Move]:
        moves_by_words, picks = self.moves_by_words, table.rules.picks  # listed most often of all
        answering = self._list_answering(table)
        return [moves_by_words[seat.name,] for seat in answering if len(seat.revealed) < picks]

    def apply(self, table: Table, *words: str) -> None:
        index, character = table.seat_named(words[0]), table.rules.by_rank[table.called]
        note_shown(table, index, character)
        turns.begin(table, index, character)


class Nobody(Action):
    """`nobody`: nobody answers; the next rank is called."""

    verb = "nobody"

    def apply(self, table: Table, *words: str) -> None:
        character = table.rules.by_rank[table.called]
        if character != table.marks.killed:
            rule_out(table, character)
        turns.advance(table)


CALLING: tuple[Action, ...] = (Reveal(), Nobody())


# -- secretly recorded choices --------------------------------------------------------------------


def note_choice(table: Table, index: int, character: str) -> None:
    """Record that the seat has chosen the character; its oldest records make room."""
    _make_room(table, index, character)
    seat = table.own_seat(index)
    seat.chosen = (*(c for c in seat.chosen if c != character), character)


def note_shown(table: Table, index: int, character: str) -> None:
    """Drop every record that contradicts the seat having shown the character."""
    rule_out(table, character, but=index)
    _make_room(table, index, character)


def rule_out(table: Table, character: str, *, but: int | None = None) -> None:
    """Drop every record of the character, except for seat `but`."""
    for index, seat in enumerate(table.seats):
        if character in seat.chosen and index != but:
            _drop(table, index, [character])


def _make_room(table: Table, index: int, character: str) -> None:
    """Drop the seat's oldest records that it cannot have beside the character."""
    seat = table.seats[index]
    if not seat.chosen:
        return
    characters = {*seat.revealed, character}
    unshown = [c for c in seat.chosen if c not in characters]
    too_many = max(0, len(characters) + len(unshown) - table.rules.picks)
    if too_many:
        _drop(table, index, unshown[:too_many])


def _drop(table: Table, index: int, characters: list[str]) -> None:
    seat = table.own_seat(index)
    seat.chosen = tuple(c for c in seat.chosen if c not in characters)
