"""The pages of the set-up about players: their names, seats and the first crown."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from common.problems import find_nearest
from companion import setup
from companion.language import _, listing, plural, translate
from companion.setup import PlayOptions
from companion.setup.draft import CAST, PEOPLE, UNIQUES, Draft, read_names
from companion.setup.shared import PageName, Place, Say, SetUp, SetupPage, SetupRow, format_row
from engine.moves import fold


class SetUpPages:
    """Which page of the set-up one face has open; its pages are in `players` and `game`."""

    def __init__(self, set_up: SetUp, say: Say, *, steps: bool = False, asks_cast: bool = True):
        """`say` gets a kind (`told`, `refused`, `note`) and a sentence. With `steps`, one question
        after the other is asked, for a face of lines; otherwise everything is on the overview."""
        self.set_up = set_up
        self.say = say
        self._stack: list[Place] = []
        self._asks_cast = asks_cast
        self._steps = self._list_steps() if steps else [PageName.OVERVIEW]
        self._at = 0

    def _list_steps(self) -> list[str]:
        first = [PageName.RESUME] if self.set_up.unfinished is not None else []
        people = [PEOPLE] if self.set_up.draft.before else []
        return [*first, PageName.NAMES, *people, CAST, PageName.CROWN]

    @property
    def draft(self) -> Draft:
        """The set-up so far."""
        return self.set_up.draft

    @property
    def place(self) -> Place:
        """The page that is open."""
        former = self.set_up.find_former()
        if former is not None:
            return PageName.FORMER, former[0]
        while self._stack and not self._exists(self._stack[-1]):
            self._stack.pop()  # somebody else has changed what it was about
        return self._stack[-1] if self._stack else (self._steps[self._at], 0)

    def _exists(self, place: Place) -> bool:
        name, at = place
        if name in (PageName.SEAT, PageName.RENAME):
            return at < len(self.draft.players)
        pages = (*PageName, PEOPLE, CAST, UNIQUES)
        return name in pages or any(row.name == name for row in self.draft.rows())

    @property
    def is_at_start(self) -> bool:
        """Whether no list is open."""
        return not self._stack and self._at == 0 and self.set_up.find_former() is None

    @property
    def asked(self) -> SetupPage:
        """The page that is open."""
        raise NotImplementedError

    def open(self, name: str, at: int = 0) -> None:
        """Open a page on top."""
        self._stack.append((name, at))

    def back(self) -> None:
        """Close the last list, or go back to the question before; from the first one, leave."""
        former = self.set_up.find_former()
        if former is not None:
            self.set_up.note_new_person(self.draft.players[former[0]])
        elif self._stack:
            self._stack.pop()
        elif self._at > 0:
            self._at -= 1
            if self.place[0] == CAST and not self._has_cast_to_ask:
                self.back()
        else:
            self.set_up.go_back()

    def advance(self) -> None:
        """Go on to the next question; after the last one, begin."""
        if self._stack:
            self._stack.pop()
            return
        if self._at + 1 == len(self._steps):
            self.begin()
            return
        self._at += 1
        if self.place[0] == CAST and not self._has_cast_to_ask:
            self.advance()

    @property
    def _has_cast_to_ask(self) -> bool:
        draft = self.draft
        return self._asks_cast and draft.cast.has_choice(draft.edition, draft.size)

    def _row_of_players(self, number: int) -> SetupRow:
        names = listing(self.draft.players) or "-"
        open_seats = partial(self.open, PageName.SEATS)
        return SetupRow(format_row(_("Players"), names), open_seats, number, opens=True)

    def begin(self) -> bool:
        """Start the game; says what is wrong with it otherwise, or leaves a question open."""
        return self.set_up.find_former() is None and not self._refuse(self.set_up.begin())

    def resume(self) -> bool:
        """Continue the unfinished game; says why it cannot be."""
        return not self._refuse(self.set_up.resume())

    def _refuse(self, problems: Iterable[str]) -> bool:
        """Say what is wrong; returns whether anything is."""
        problems = list(problems)
        for problem in problems:
            self.say("refused", problem)
        return bool(problems)

    def _is_possible(self) -> bool:
        """Whether the draft makes a game; says what is wrong with it."""
        return not self._refuse(self.draft.list_problems())

    def _edit(self, change: Callable[[], object]) -> None:
        """Change the draft, and close the list."""
        change()
        if self._stack:
            self._stack.pop()
        self.set_up.note_change()


class PlayerPages(SetUpPages):
    """Who plays, where, and who has the crown first."""

    def _ask_names(self, _at: int) -> SetupPage:
        """All names at once, for whoever answers one question after the other."""
        set_up, edition = self.set_up, self.draft.edition
        again = self._list_usual()
        others = [name for name in set_up.offered if name not in again]
        fits = edition.min_players <= len(again) <= edition.max_players
        who = _("Who plays? {fewest} to {most} names in seat order, clockwise.")
        prompt = [who.format(fewest=edition.min_players, most=edition.max_players)]
        prompt += [_("Enter: {names}.").format(names=listing(again))] if fits else []
        if others:
            prompt.append(_("Also known here: {names}.").format(names=listing(others)))
        field = _("Players in seat order, clockwise")
        return SetupPage(field, tuple(prompt), (), field, partial(self._take_names, fits))

    def _take_names(self, fits: bool, text: str) -> bool:
        if self._choose_mode(text):
            return True
        names = read_names(text) if text or not fits else list(self._list_usual())
        if (
            self.set_up.stays and text and self.draft.players
        ):  # in addition to those who have come with their phones
            return self.add(text)
        if text and not text.isdecimal() and len(names) < self.draft.edition.min_players:
            self.draft.players, self.draft.crown = [], ""
            self.open(PageName.SEATS)  # who types one name a line types the next one there
            return self.add(text)
        if names != self.draft.players:
            self.draft.players, self.draft.crown = names, ""
            self.set_up.note_change()
        if names and self._is_possible():
            self._tell_players()
            self.advance()
        return True

    def _tell_players(self) -> None:
        count = len(self.draft.players)
        names = listing(self.draft.players)
        told = plural("{number} player: {names}.", "{number} players: {names}.", count, names=names)
        self.say("told", told)

    def _list_usual(self) -> tuple[str, ...]:
        """Who plays if nobody says otherwise: who is there already, or played last."""
        draft, set_up = self.draft, self.set_up
        return tuple(draft.players) if set_up.stays and draft.players else set_up.again

    def _choose_mode(self, text: str) -> bool:
        """Take a word that chooses a way to play."""
        now = PlayOptions(options=self.draft.options, teach=self.draft.teach)
        change = setup.choose_by_word(text, now) if text else None
        if change is None:
            return False
        self.draft.options, self.draft.teach = dict(change[0].options or {}), change[0].teach
        self.set_up.note_change()
        self.say("told", change[1])
        return True

    def _ask_seats(self, _at: int) -> SetupPage:
        """The players, one row each, and those of earlier games."""
        draft = self.draft
        choices = [
            SetupRow(
                f"{name}  ({_('crown')})" if name == draft.crown else name,
                partial(self.open, PageName.SEAT, seat),
                seat + 1,
                opens=True,
            )
            for seat, name in enumerate(draft.players)
        ]
        others = [
            SetupRow(name, partial(self.add, name), number)
            for number, name in enumerate(self.set_up.offered, start=len(choices) + 1)
        ]
        prompt = _("Type names to add players, or the number of a player. Enter continues.")
        heading = _("Players in seat order, clockwise")
        return SetupPage(heading, (prompt,), (*choices, *others), _("Names"), self._add_or_number)

    def _add_or_number(self, text: str) -> bool:
        if not text and self._steps[self._at] in (PageName.NAMES, PageName.CROWN):
            if self._is_possible():
                self._stack.pop()
                if self._steps[self._at] == PageName.NAMES:
                    self.advance()
            return True
        if not text or (text.isascii() and text.isdecimal()):
            return False
        return self._choose_mode(text) or self.add(text)

    def add(self, text: str) -> bool:
        """Seat the players of these names. Of words without commas, which may have been meant as
        one name, all are seated or none."""
        names, before = read_names(text), ([*self.draft.players], self.draft.crown)
        problems = [*dict.fromkeys(filter(None, map(self.set_up.seat, names)))]
        if len(names) > 1 and "," not in text and not text.isdecimal():
            hint = _("Each word is a player; a name with spaces needs quotes.")
            if problems:
                self.draft.players, self.draft.crown = before
                problems.append(hint)
            else:
                self.say("note", hint)
        self.set_up.note_change()
        self._refuse(problems)
        return True

    def _ask_seat(self, at: int) -> SetupPage:
        draft = self.draft
        name = draft.players[at]
        rows = [(_("First crown"), partial(self._edit, partial(draft.give_crown, name)))]
        rows += [(_("Another name"), partial(self.open, PageName.RENAME, at))]
        if len(draft.players) > 1:
            rows.append((_("One seat up"), partial(self._move, at, -1)))
            rows.append((_("One seat down"), partial(self._move, at, 1)))
        rows.append((_("Does not play"), partial(self._edit, partial(draft.remove, at))))
        choices = tuple(SetupRow(label, do, n) for n, (label, do) in enumerate(rows, start=1))
        return SetupPage(name, (_("{player}. Enter keeps the seat.").format(player=name),), choices)

    def _move(self, at: int, by: int) -> None:
        self._stack[-1:] = [(PageName.SEAT, self.draft.move(at, by))]
        self.set_up.note_change()

    def _ask_rename(self, at: int) -> SetupPage:
        name = self.draft.players[at]
        question = _("What is {player} called?").format(player=name)
        return SetupPage(question, (question,), (), _("Name"), partial(self._rename, at))

    def _rename(self, at: int, text: str) -> bool:
        if text and not self._refuse(filter(None, [self.draft.rename(at, text)])):
            del self._stack[-1:]
            self.set_up.note_change()
        elif not text:
            self.back()
        return True

    def _ask_former(self, at: int) -> SetupPage:
        """Who somebody is who joins under a former name of another."""
        name, former = self.draft.players[at], self.set_up.find_former()
        person = former[1] if former else name
        text = _("{person} was once called {name}. Who plays?").format(person=person, name=name)
        other = _("somebody else, who is called {name}").format(name=name)
        rows = (
            SetupRow(person, partial(self._is_person, at, person), 1),
            SetupRow(other, partial(self.set_up.note_new_person, name), 2),
        )
        return SetupPage(text, (text,), rows)

    def _is_person(self, at: int, person: str) -> None:
        self._refuse(filter(None, [self.draft.rename(at, person)]))
        self.set_up.note_change()

    def _ask_crown(self, _at: int) -> SetupPage:
        draft = self.draft
        who = translate(draft.edition.first_crown)
        first = draft.crown or next(iter(draft.players), "")
        sentence = _("Who starts with the crown? By the rules: {who}. Enter: {player}.")
        prompt = sentence.format(who=who, player=first)
        names = list(draft.players)
        rows = [SetupRow(name, partial(self._crown, name), n) for n, name in enumerate(names, 1)]
        asked_alone = (PageName.CROWN, 0) not in self._stack and self._steps[0] != PageName.OVERVIEW
        if asked_alone:
            change = _("change the box, characters or house rules first")
            overview = partial(self.open, PageName.OVERVIEW)
            rows.append(SetupRow(change, overview, len(rows) + 1, opens=True))
        rows.append(SetupRow(_("draw the crown by lot"), self._draw_crown, len(rows) + 1))
        if asked_alone:
            rows.append(self._row_of_players(len(rows) + 1))
        heading = _("First crown: {who}").format(who=who)
        return SetupPage(heading, (prompt,), tuple(rows), "", self._take_crown)

    def _take_crown(self, text: str) -> bool:
        """Give the crown to the player named; whoever has come late plays too."""
        players = self.draft.players
        by_name = {fold(name): name for name in players}
        name = by_name.get(fold(text)) if text else self.draft.crown or players[0]
        if name is None and (text.isdecimal() or self.asked.find_row(text) is not None):
            return False
        if name is not None or find_nearest(text, players) is not None:
            self._crown(name or text)  # a misspelt name is refused
        else:
            self.add(text)
            self._tell_players()
        return True

    def _crown(self, name: str) -> None:
        before, self.draft.crown = self.draft.crown, name
        if self._is_possible():
            self.set_up.note_change()
            self.advance()
        else:
            self.draft.crown = before

    def _draw_crown(self) -> None:
        self.draft.draw_crown()
        text = _("{player} is drawn and gets the crown.").format(player=self.draft.crown)
        self.say("told", text)
        self._crown(self.draft.crown)
