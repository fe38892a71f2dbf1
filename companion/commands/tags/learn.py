"""`companion tags learn`: the pieces of a box asked for one after the other, their chips tapped.

Every chip is saved as soon as it is learned; what the next start asks for follows from that.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from companion import learning
from companion.commands.tags.course import Course
from companion.commands.tags.desk import Desk
from companion.language import _, plural
from tags.registry import Entry, Registry, format_uid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.config import Config
    from tags.watch import Tap


class Question(NamedTuple):
    """What `yes` would make of a chip."""

    uid: bytes
    entry: Entry


class Learn(Desk):
    """Tap what is asked for; the next is asked for."""

    command = "learn"

    def __init__(self, config: Config, kinds: Sequence[str]) -> None:
        """Learn the pieces of these kinds (`companion.box.KINDS`)."""
        super().__init__(config)
        self._kinds = kinds
        self._question: Question | None = None
        self._before: list[tuple[Registry, Entry]] = []  # what undo goes back to
        self._last: bytes | None = None

    def greeting(self) -> Iterable[str]:
        """How it works, how far it is, and what is asked for."""
        self._course = Course(self.box, self._kinds, lambda e: bool(self.registry.find(e)))
        return (
            _("Tap the chip of each card that is asked for. Enter: pass it over."),
            _("A card's name, and its number: that one next. undo: forget the last chip."),
            _("back: the one before. missing: what is left. done: leave."),
            self._course.progress(),
            self._course.asked(),
        )

    def tapped(self, tap: Tap) -> None:
        """Learn the chip, or ask what is meant."""
        uid, self._question = tap.uid, None
        self.need_own_id(uid)
        known, said = self.registry.lookup(uid), self.says(uid)
        if known is not None:
            self._known(uid, known, said)
        elif said is not None and str(said) != str(self._course.wanted):
            self._says_otherwise(uid, said)
        elif self._course.wanted is None:
            raise ValueError(_("nothing is asked for; type what this chip is, then tap it."))
        else:
            self._learn(uid, self._course.wanted)

    def typed(self, line: str) -> None:
        """A word about the course, the answer to a question, or a piece to go to."""
        question, self._question = self._question, None
        match line:
            case "" | "no":
                self._pass_over(question)
            case "yes" if question is not None:
                self._learn(question.uid, question.entry)
            case "undo":
                self._undo()
            case "back":
                if not self._course.back():
                    raise ValueError(_("this is the first one."))
                self.say(self._course.asked())
            case "missing":
                self.say(*self._course.told_missing(), self._course.progress())
            case _:
                self._course.jump(learning.read_entry(line, self.registry, here=self._here()))
                self.say(self._course.asked())

    def left(self) -> int:
        """How many chips are known now."""
        known = len(self.registry)
        self.say(plural("{number} chip is known.", "{number} chips are known.", known))
        return super().left()

    def _here(self) -> list[str]:
        return [*self.box.copies, *self.box.characters]

    def _known(self, uid: bytes, known: Entry, said: Entry | None) -> None:
        """Tell what the chip is already, and ask when it may be meant for what is asked for."""
        self.say(*self.contradiction(known, said))
        name = self.box.in_words(known)
        if uid == self._last or self._course.wanted is None:
            self.say(_("This is {piece} already.").format(piece=name), self._course.asked())
        elif str(known) == str(self._course.wanted):
            self.say(_("This is {piece} already.").format(piece=name))
            self._course.advance()
            self.say(self._course.asked())
        else:
            self._ask(Question(uid, self._course.wanted), _("This is {piece} already.").format(
                piece=name
            ))  # fmt: skip

    def _says_otherwise(self, uid: bytes, said: Entry) -> None:
        """An unknown chip that carries the record of something else than is asked for."""
        name = self.box.in_words(said)
        holders = [other for other, _held in self.registry.conflicts(uid, said)]
        if not holders:
            self._ask(
                Question(uid, said), _("This chip says that it is {piece}.").format(piece=name)
            )
            return
        double = _("Double: this chip says that it is {piece}, which is chip {uid}.").format(
            piece=name, uid=format_uid(holders[0])
        )
        if self._course.wanted is None:
            self.say(double)
        else:
            self._ask(Question(uid, self._course.wanted), double)

    def _ask(self, question: Question, reason: str) -> None:
        self._question = question
        self.say(
            reason,
            _("yes: learn it as {piece}. Enter: leave it.").format(
                piece=self.box.in_words(question.entry)
            ),
        )

    def _learn(self, uid: bytes, entry: Entry) -> None:
        for other, _held in self.registry.conflicts(uid, entry):
            if other != uid:
                raise ValueError(
                    _("chip {uid} is {piece} already.").format(
                        uid=format_uid(other), piece=self.box.in_words(entry)
                    )
                )
        before = self.registry
        self.reader.learn(uid, entry)
        self._before.append((before, self._course.wanted or entry))
        self._last = uid
        self.say(_("Learned: {piece}.").format(piece=self.box.in_words(entry)))
        if str(entry) == str(self._course.wanted):
            self._course.advance()
        self.say(self._course.asked())

    def _pass_over(self, question: Question | None) -> None:
        if question is not None:
            self.say(_("It stays as it was."))
        else:
            self._course.advance()
        self.say(self._course.asked())

    def _undo(self) -> None:
        if not self._before:
            raise ValueError(_("there is nothing to take back."))
        before, wanted = self._before.pop()
        self.reader.restore(before)
        self._last = None
        self._course.jump(wanted)
        self.say(_("Taken back."), self._course.asked())
