"""Walking through a box piece by piece: shared by `learn` and `write`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from companion.chips import learning
from companion.chips.entries import DistrictChip, Entry
from companion.commands.tags.course import Course
from companion.commands.tags.desk import Desk
from companion.language import _

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.settings.config import Config


class Job(NamedTuple):
    """A chip and the piece it is to become."""

    uid: bytes
    entry: Entry


class Walk(Desk):
    """A desk that asks for the pieces in turn; keys go to the next, the previous, or another."""

    def __init__(self, config: Config, kinds: Sequence[str]) -> None:
        """Walk through the pieces of these kinds (`companion.chips.box.KINDS`)."""
        super().__init__(config)
        self._kinds = kinds
        self._course: Course | None = None
        self._asked: Job | None = None  # the job that `yes` accepts
        self.named = False  # whether the wanted piece was named, instead of coming next

    # -- for subclasses ------------------------------------------------------------------------

    def explain(self) -> Iterable[str]:
        """Explain the command, apart from the words of every walk."""
        raise NotImplementedError

    def is_done(self, entry: Entry) -> bool:
        """Whether to skip the piece."""
        raise NotImplementedError

    def offer(self, job: Job) -> str:
        """The question to confirm the job."""
        raise NotImplementedError

    def accept(self, job: Job) -> None:
        """Do the job after a yes; errors as in `handle_tap`."""
        raise NotImplementedError

    def decline(self) -> str:
        """The message after any other answer."""
        raise NotImplementedError

    # -- the walk ------------------------------------------------------------------------------

    @property
    def course(self) -> Course:
        """The course through the box, from the first piece that is not done."""
        if self._course is None:
            self._course = Course(self.box, self._kinds, self.is_done)
        return self._course

    @property
    def wanted(self) -> Entry | None:
        """The piece asked for."""
        return self.course.wanted

    def is_wanted(self, entry: Entry | None) -> bool:
        """Whether the entry is the piece asked for."""
        return str(entry) == str(self.wanted)

    def greeting(self) -> Iterable[str]:
        """Explain the command, say how far it is, and ask for the next piece."""
        return (
            *self.explain(),
            _("back: the previous one. missing: what is left. done: leave."),
            self.course.progress(),
            self.course.ask_for_next(),
        )

    def handle_line(self, line: str) -> None:
        """Handle an answer, a word of the walk, or a piece to go to."""
        asked = self.withdraw()
        if asked is not None and line in ("", "no"):
            self.say(self.decline(), self.course.ask_for_next())
        elif asked is not None and line == "yes":
            self.accept(asked)
        elif line == "":
            self.go_on()
        elif line == "missing":
            self.say(*self.course.list_missing(), self.course.progress())
        elif line == "back":
            if not self.course.go_back():
                raise ValueError(_("this is the first one."))
            self.say(self.course.ask_for_next())
        elif line in ("yes", "no"):
            raise ValueError(_("nothing was asked that this answers."))
        else:
            self.go_to(self._find_piece(self._line))

    def ask(self, job: Job, reason: str) -> None:
        """Ask to confirm the job; `yes` accepts it until the next line or chip."""
        self._asked = job
        self.say(reason, self.offer(job))

    def withdraw(self) -> Job | None:
        """Withdraw the open question; returns its job, if there was one."""
        asked, self._asked = self._asked, None
        return asked

    def go_on(self) -> None:
        """Ask for the next piece."""
        self.named = False
        self.course.advance()
        self.say(self.course.ask_for_next())

    def go_to(self, entry: Entry) -> None:
        """Ask for that piece and continue from there."""
        self.named = True
        self.course.jump(entry)
        self.say(self.course.ask_for_next())

    def _find_piece(self, line: str) -> Entry:
        """The piece called `line`; without a copy number, the first copy that is not done."""
        here = [*self.box.copies, *self.box.characters]
        entry = learning.read_entry(line, self.registry, here=here)
        if isinstance(entry, DistrictChip) and not line.split()[-1].isdecimal():
            copies = range(1, self.box.copies.get(entry.card, 0) + 1)
            open_ = [n for n in copies if not self.is_done(DistrictChip(entry.card, n))]
            return DistrictChip(entry.card, open_[0]) if open_ else entry
        return entry
