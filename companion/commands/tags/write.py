"""`companion tags write`: each piece's link, record and name put on its chip, in the box's order.

A chip that is known is written as what it is; one that is not becomes what is asked for. What would
replace something that is not ours is asked about first, and a chip that comes to light from under
another one is not touched.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from companion import chips, language, locations
from companion.chips.written import Written
from companion.commands import DONE
from companion.commands.tags.walk import Job, Walk
from companion.language import _, plural
from tags import access, ndef
from tags.ndef import ContentError
from tags.registry import CharacterChip, DistrictChip, Entry, format_uid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.config import Config
    from tags.watch import Tap


class Write(Walk):
    """Lay on what is asked for; it is written and looked at, and the next is asked for."""

    command = "write"

    def __init__(self, config: Config, kinds: Sequence[str], *, again: bool) -> None:
        """Write the pieces of these kinds; `again` those as well that were written before."""
        super().__init__(config, kinds)
        self._written = Written(locations.written_file(config.data))
        self._again = again
        self._now: set[str] = set()  # the pieces that are done since the start
        self._count = 0
        self._allowed: Job | None = None  # what waits for its chip to come back

    def explain(self) -> Iterable[str]:
        """What chips and keys do."""
        return (
            _("Lay on the chip of each card that is asked for, and take it away when told."),
            _("Enter: pass it over. A card's name, and its number: that one next."),
        )

    def is_done(self, entry: Entry) -> bool:
        """Whether the piece was written, as far as it is remembered."""
        if str(entry) in self._now:
            return True
        held = any(self._written.holds(uid, entry) for uid in self.registry.find(entry))
        return held and not self._again

    def offer(self, job: Job) -> str:
        """What `yes` would write."""
        return _("yes: write {piece} on it. Enter: leave it.").format(piece=self._words(job.entry))

    def agreed(self, job: Job) -> None:
        """Write it, at once if the chip still lies there."""
        if self.reader.lying == job.uid:
            self._write(job)
        else:
            self._allowed = job
            self.say(_("Lay the same chip on once more."))

    def declined(self) -> str:
        """The chip was left alone."""
        return _("Nothing was written.")

    def tapped(self, tap: Tap) -> None:
        """Write the chip, or ask before something on it is lost."""
        self.withdraw()
        allowed, self._allowed = self._allowed, None
        self.need_laid_on(tap)
        self.need_own_id(tap.uid)
        if allowed is None:
            self._choose(tap.uid)
        elif allowed.uid == tap.uid:
            self._write(allowed)
        else:
            raise ValueError(_("this is another chip; nothing was written."))

    def typed(self, line: str) -> None:
        """What every walk knows; whatever it is, no chip is waited for any more."""
        self._allowed = None
        super().typed(line)

    def left(self) -> int:
        """How many were written."""
        self.say(plural("{number} chip is written.", "{number} chips are written.", self._count))
        return DONE

    def _choose(self, uid: bytes) -> None:
        """What is known is written as what it is, unless another piece was named."""
        known, wanted = self.registry.lookup(uid), self.wanted
        entry = known or wanted
        if entry is None:
            raise ValueError(_("nothing is asked for; type what this chip is, then lay it on."))
        if known is None or wanted is None or not self.named or self.is_wanted(known):
            self._look(Job(uid, entry))
        else:
            told = _("This is {piece}.").format(piece=self._words(known))
            self.ask(Job(uid, wanted), told)

    def _look(self, job: Job) -> None:
        """Write at once what costs nothing; ask about the rest."""
        self._need_free(job)
        held = self.on_chip(job.uid, access.read)
        if held == self._message(job.entry):
            self._keep(job)
            self.say(_("{piece} is written already.").format(piece=self._words(job.entry)))
            self._go_on(job)
            return
        try:
            said = ndef.decode(held, chips.known_cards())
        except ContentError:
            self.ask(job, _("Something that is not ours is on this chip."))
            return
        if said is not None and str(said) != str(job.entry):
            self.ask(job, _("This chip says that it is {piece}.").format(piece=self._words(said)))
            return
        self._write(job)

    def _need_free(self, job: Job) -> None:
        for other, _held in self.registry.conflicts(job.uid, job.entry):
            if other != job.uid:
                raise ValueError(
                    _(
                        "chip {uid} is {piece} already; lay that one on, or Enter: pass it over."
                    ).format(uid=format_uid(other), piece=self._words(job.entry))
                )

    def _write(self, job: Job) -> None:
        self._need_free(job)
        message = self._message(job.entry)
        self.on_chip(job.uid, lambda reader, chip: access.write(reader, chip, message))
        self._keep(job)
        self._count += 1
        self.say(_("Written: {piece}. Take it away.").format(piece=self._words(job.entry)))
        self._go_on(job)

    def _keep(self, job: Job) -> None:
        """Save what the chip is now; only then is anything said of it."""
        if str(self.registry.lookup(job.uid)) != str(job.entry):
            self.reader.learn(job.uid, job.entry)
        self._written.note(job.uid, job.entry)

    def _go_on(self, job: Job) -> None:
        self._now.add(str(job.entry))
        if self.is_wanted(job.entry):
            self.go_on()

    def _message(self, entry: Entry) -> bytes:
        name = self._words(entry)
        if isinstance(entry, DistrictChip | CharacterChip):
            name = language.card(entry.card)
        return ndef.encode(entry, name, language.current(), self.config.link or ndef.DEFAULT_BASE)

    def _words(self, entry: Entry) -> str:
        return self.box.in_words(entry)
