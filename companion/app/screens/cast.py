"""Choosing who plays: a cast as a whole, or rank by rank as the box and the table allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

from companion import setup
from companion.app.display import lines, shown
from companion.app.screens.picker import Picker
from companion.language import _, card, current, said
from engine import cards, casts

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.draft import Draft


class CastScreen(Picker):
    """Whole casts first, then every character by rank; those that play are marked."""

    def __init__(self, draft: Draft, changed: Callable[[], None]) -> None:
        super().__init__()
        self.title_text = _("Who plays?")
        self.draft = draft
        self.changed = changed
        edition, players = draft.edition, draft.size
        self.named = {setup.ORDINARY: _("Ordinary"), setup.RANDOM: _("Random, as the table may")}
        self.named |= {id_: said(cast.title) for id_, cast in casts.printed(edition).items()}
        self.able = [i for ids in casts.candidates(edition, players).values() for i in ids]

    def foot(self) -> str:
        """The keys."""
        return _("Enter chooses, ↑ ↓ move, Esc closes")

    def on_mount(self) -> None:
        """Show what there is to choose."""
        self._fill()

    def _fill(self) -> None:
        playing = self.draft.cast.playing(self.draft.edition, self.draft.size)
        known = cards.characters()
        rows = [(f"  {title}", id_) for id_, title in self.named.items()]
        for id_ in self.able:
            mark = "●" if id_ in playing else "○"
            rows.append((f"{mark} {known[id_].rank} {card(id_)}", id_))
        self.fill(rows)

    def marked(self, place: int | None) -> None:
        """Show who plays in that cast, or what the character says."""
        self.query_one("#meaning", Static).update(self._meaning(place))

    def _meaning(self, place: int | None) -> Content:
        edition, players = self.draft.edition, self.draft.size
        if place is None:
            return Content("")
        if place >= len(self.named):
            id_ = self.able[place - len(self.named)]
            text = cards.text_of(id_, edition.id, current())
            return lines([shown(card(id_), "bold $gold"), text.text, shown(text.source, "$quiet")])
        name = list(self.named)[place]
        heading = shown(self.named[name], "bold $gold")
        if name == setup.RANDOM:
            return lines([heading, _("One of each rank; the unique districts by lot too.")])
        printed = casts.printed(edition).get(name)
        characters = (
            casts.fitted(edition, printed, players).characters
            if printed
            else edition.ordinary_cast(players)
        )
        known = cards.characters()
        return lines([heading, *(f"{known[id_].rank} {card(id_)}" for id_ in characters)])

    def picked(self, place: int) -> None:
        """A whole cast is chosen and done; a character leaves the list open for the next rank."""
        edition, players = self.draft.edition, self.draft.size
        if place < len(self.named):
            self.draft.cast.choose(list(self.named)[place], edition, players)
            self.changed()
            self.dismiss(None)
            return
        self.draft.cast.choose_character(self.able[place - len(self.named)], edition, players)
        self.changed()
        self._fill()
        self.mark(place)
