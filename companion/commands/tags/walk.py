"""Walking through a box piece by piece, for `learn` and `write`.

Every chip is saved at once; the next start continues from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from common.sentences import Sentence
from companion import language
from companion.chips import learning
from companion.chips.box import Box
from companion.chips.entries import CharacterChip, DistrictChip, Entry
from companion.commands.tags.desk import ChipStation
from companion.language import _, plural, translate
from companion.settings.config import Config
from tags.links import format_uid


def describe_missing(box: Box, missing: Sequence[Entry], pieces: Sequence[Entry]) -> list[str]:
    """Lines for each kind of missing piece, some pieces a line; copies of a card count as one:
    `Tavern, 3 of 5 here`."""
    sentences = {
        DistrictChip: _("Missing districts: {pieces}."),
        CharacterChip: _("Missing characters: {pieces}."),
    }
    kinds: dict[str, dict[str, None]] = {}
    for entry in missing:
        sentence = sentences.get(type(entry), _("Also missing: {pieces}."))
        copies = [e for e in pieces if isinstance(e, DistrictChip) and _is_same_card(e, entry)]
        name = box.describe(entry)
        if len(copies) > 1:
            here = sum(copy not in missing for copy in copies)
            name = _("{district}, {here} of {most} here").format(
                district=language.card(copies[0].card), here=here, most=len(copies)
            )
        kinds.setdefault(sentence, {})[name] = None
    return [
        sentence.format(pieces="; ".join(line))
        for sentence, names in kinds.items()
        for line in _divide(names, _LENGTH - len(sentence))
    ]


_LENGTH = 90
"""Characters of a line, which people also listen to."""


def _divide(names: Iterable[str], length: int) -> Iterator[list[str]]:
    """The names in lines of about that many characters."""
    line: list[str] = []
    for name in names:
        if line and len("; ".join([*line, name])) > length:
            yield line
            line = []
        line.append(name)
    yield line


def _is_same_card(one: DistrictChip, other: Entry) -> bool:
    return isinstance(other, DistrictChip) and one.card == other.card


class Pending(NamedTuple):
    """A chip and the piece it is to become."""

    uid: bytes
    entry: Entry


class BoxCommand(ChipStation):
    """A desk that asks for a box's pieces in turn, and skips those already done.

    Keys go to the next piece, the previous, or another. A command adds its sentences and what it
    does to a chip.
    """

    offer: Sentence
    """The question to confirm a job."""

    declined: Sentence
    """What is said after any other answer than yes."""

    unasked = Sentence(
        "no card is being asked for; type what this chip is, then put it on the reader."
    )
    """The refusal of an unknown chip while no piece is asked for."""

    def __init__(self, config: Config, kinds: Sequence[str]) -> None:
        """Walk through the pieces of these kinds (`companion.chips.box.KINDS`), or the usual
        ones."""
        super().__init__(config)
        self.pieces = self.box.pieces(kinds)
        self._place = -1
        self.wanted: Entry | None = None  # the piece asked for
        self._question: Pending | None = None  # the job that `yes` accepts
        self.named = False  # whether the wanted piece was named, instead of coming next

    # -- for subclasses ------------------------------------------------------------------------

    def explain(self) -> Iterable[str]:
        """Explain the command, apart from the words of every walk."""
        raise NotImplementedError

    def is_done(self, entry: Entry) -> bool:
        """Whether to skip the piece."""
        raise NotImplementedError

    def accept(self, job: Pending) -> None:
        """Do the job after a yes; errors as in `handle_tap`."""
        raise NotImplementedError

    # -- the walk ------------------------------------------------------------------------------

    def begin(self) -> None:
        self._advance()

    def greeting(self) -> Iterable[str]:
        """Explain the command, say how far it is, and ask for the next piece."""
        return (
            *self.explain(),
            _("back: the previous one. missing: what is left. done: leave."),
            self._tell_progress(),
            self.ask_for_next(),
        )

    def handle_line(self, line: str) -> None:
        """Handle an answer, a word of the walk, or a piece to go to."""
        job = self.withdraw()
        if job is not None and line in ("", "no"):
            self.say(translate(self.declined), self.ask_for_next())
        elif job is not None and line == "yes":
            self.accept(job)
        elif line == "":
            self.go_on()
        elif line == "missing":
            missing = describe_missing(self.box, self._find_missing(), self.pieces)
            self.say(*missing, self._tell_progress())
        elif line == "back":
            self._go_back()
        elif line in ("yes", "no"):
            raise ValueError(_("nothing was asked that this answers."))
        else:
            self.go_to(self._find_piece(self._line))

    def ask_for_next(self) -> str:
        """The line that asks for the next chip, or says that none is left."""
        if self.wanted is not None:
            return _("Next: {piece}.").format(piece=self.box.describe(self.wanted))
        missing = len(self._find_missing())
        if missing:
            return plural(
                "That was the last one. {number} was skipped; type its name to go back to it.",
                "That was the last one. {number} were skipped; type a name to go back to it.",
                missing,
            )
        return _("All done.")

    def need_free(self, job: Pending) -> None:
        """Raise ValueError if another chip is the piece."""
        for other, _held in self.registry.conflicts(*job):
            if other != job.uid:
                refusal = Sentence(
                    "chip {uid} is already {piece}; tap that one, or press Enter to skip it.",
                    uid=format_uid(other),
                    piece=self.box.describe(job.entry),
                )
                raise ValueError(translate(refusal))

    def ask(self, job: Pending, reason: str) -> None:
        """Ask to confirm the job; `yes` accepts it until the next line or chip."""
        self._question = job
        self.say(reason, translate(self.offer).format(piece=self.box.describe(job.entry)))

    def withdraw(self) -> Pending | None:
        """Withdraw the open question; returns its job, if there was one."""
        job, self._question = self._question, None
        return job

    def go_on(self) -> None:
        """Ask for the next piece."""
        self.named = False
        self._advance()
        self.say(self.ask_for_next())

    def go_to(self, entry: Entry) -> None:
        """Ask for that piece and continue from there, even if it is not in the sequence."""
        self.named = True
        if entry in self.pieces:
            self._place = self.pieces.index(entry)
        elif self.wanted in self.pieces:
            self._place -= 1  # return to the current piece afterwards
        self.wanted = entry
        self.say(self.ask_for_next())

    def _advance(self) -> None:
        """Move to the next piece that is not done; to none after the last."""
        rest = range(self._place + 1, len(self.pieces))
        index = next((place for place in rest if not self.is_done(self.pieces[place])), None)
        self._place = len(self.pieces) if index is None else index
        self.wanted = None if index is None else self.pieces[index]

    def _go_back(self) -> None:
        """Ask for the previous piece, done or not."""
        if self._place <= 0:
            raise ValueError(_("this is the first one."))
        self._place -= 1
        self.wanted = self.pieces[self._place]
        self.say(self.ask_for_next())

    def _find_missing(self) -> list[Entry]:
        """The pieces that are not done, in order."""
        return [piece for piece in self.pieces if not self.is_done(piece)]

    def _tell_progress(self) -> str:
        """The progress: `Citadels Classic (2016): 23 of 84 done.`"""
        return _("{edition}: {done} of {all} done.").format(
            edition=translate(self.box.edition.title),
            done=len(self.pieces) - len(self._find_missing()),
            all=len(self.pieces),
        )

    def _find_piece(self, line: str) -> Entry:
        """The piece called `line`; without a copy number, the first copy that is not done."""
        here = [*self.box.copies, *self.box.characters]
        entry = learning.read_entry(line, self.registry, here=here)
        if isinstance(entry, DistrictChip) and not line.split()[-1].isdecimal():
            copies = range(1, self.box.copies.get(entry.card, 0) + 1)
            open_ = [n for n in copies if not self.is_done(DistrictChip(entry.card, n))]
            return DistrictChip(entry.card, open_[0]) if open_ else entry
        return entry
