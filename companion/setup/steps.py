"""The pages of the set-up that one face has open, and the order of the questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from companion.setup.draft import CAST, PEOPLE
from companion.setup.shared import (
    CROWN,
    FORMER,
    NAMES,
    OVERVIEW,
    PAGES,
    RENAME,
    RESUME,
    SEAT,
    Place,
    Say,
    SetUp,
    SetupPage,
)

if TYPE_CHECKING:
    from companion.setup.draft import Draft


class SetUpPages:
    """Which page of the set-up one face has open; its pages are in `players` and `game`."""

    def __init__(self, set_up: SetUp, say: Say, *, steps: bool = False, asks_cast: bool = True):
        """`say` gets a kind (`told`, `refused`, `note`) and a sentence. With `steps`, one question
        after the other is asked, for a face of lines; otherwise everything is on the overview."""
        self.set_up = set_up
        self.say = say
        self._stack: list[Place] = []
        self._asks_cast = asks_cast
        self._steps = self._list_steps() if steps else [OVERVIEW]
        self._at = 0
        self.moves = 0
        """Counts what was done here: with `SetUp.version` it names the moment of a page."""

    def _list_steps(self) -> list[str]:
        first = [RESUME] if self.set_up.unfinished is not None else []
        people = [PEOPLE] if self.set_up.draft.before else []
        return [*first, NAMES, *people, CAST, CROWN]

    @property
    def draft(self) -> Draft:
        """The set-up so far."""
        return self.set_up.draft

    @property
    def place(self) -> Place:
        """The page that is open."""
        former = self.set_up.find_former()
        if former is not None:
            return FORMER, former[0]
        while self._stack and not self._exists(self._stack[-1]):
            self._stack.pop()  # somebody else has changed what it was about
        return self._stack[-1] if self._stack else (self._steps[self._at], 0)

    def _exists(self, place: Place) -> bool:
        name, at = place
        if name in (SEAT, RENAME):
            return at < len(self.draft.players)
        return name in PAGES or any(row.name == name for row in self.draft.rows())

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
