"""Choosing the characters, as a whole or rank by rank, and the unique districts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

from companion import setup
from companion.app.display import lines, paint
from companion.app.screens.picker import Picker
from companion.language import _, card, current, listing
from engine import cards, casts

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.setup.draft import Draft


ORDINARY, RANDOM = 0, 1  # the first rows


class UniquesScreen(Picker):
    """Every unique district of the box; those shuffled in are marked."""

    def __init__(self, draft: Draft, changed: Callable[[], None]) -> None:
        super().__init__()
        self.draft = draft
        self.changed = changed
        playing = draft.cast.playing(draft.edition, draft.size)
        self.able = list(casts.uniques(draft.edition, playing))
        self.title_text = self._count()

    def foot(self) -> str:
        """The help line."""
        return _("Enter adds or removes, ↑ ↓ move, Esc closes")

    def on_mount(self) -> None:
        """Fill the list."""
        self._fill()

    def _list_shuffled(self) -> tuple[str, ...]:
        return self.draft.cast.list_shuffled_in(self.draft.edition, self.draft.size)

    def _count(self) -> str:
        return _("Unique districts: {number} of {wanted}").format(
            number=len(self._list_shuffled()), wanted=self.draft.edition.uniques_played
        )

    def _fill(self) -> None:
        inside = self._list_shuffled()
        rows = [(_("  Ordinary"), "ordinary"), (_("  Random"), "random")]
        rows += [(f"{'●' if id_ in inside else '○'} {card(id_)}", id_) for id_ in self.able]
        self.fill(rows)
        self.query_one("#picker-title", Static).update(paint(self._count()))

    def show_meaning(self, place: int | None) -> None:
        """Show the district's text."""
        text = Content("")
        if place is not None and place > RANDOM:
            id_ = self.able[place - 2]
            said = cards.text_of(id_, self.draft.edition.id, current())
            text = lines([paint(card(id_), "bold $gold"), said.text, paint(said.source, "$quiet")])
        self.query_one("#meaning", Static).update(text)

    def take_place(self, place: int) -> None:
        """Take the ordinary or random ones and close; add or remove a single district."""
        draft = self.draft
        if place == ORDINARY:
            chosen = None
        elif place == RANDOM:
            number = min(draft.edition.uniques_played or 0, len(self.able))
            left = list(self.able)
            for _time in range(len(self.able) - number):
                left.remove(setup.chance(left))
            chosen = tuple(left)
        else:
            inside = set(self._list_shuffled()) ^ {self.able[place - 2]}
            chosen = tuple(id_ for id_ in self.able if id_ in inside)
        draft.cast.choose_districts(chosen, draft.edition, draft.size)
        self.changed()
        if place <= RANDOM:
            self.dismiss(None)
            return
        self._fill()
        self.mark(place)


class CastScreen(Picker):
    """Whole casts first, then every character by rank; those in play are marked."""

    def __init__(self, draft: Draft, changed: Callable[[], None]) -> None:
        super().__init__()
        self.title_text = _("Who plays?")
        self.draft = draft
        self.changed = changed
        edition, players = draft.edition, draft.size
        self.named = {
            setup.ORDINARY: _("Ordinary"),
            setup.RANDOM: _("Random, allowed for this number of players"),
        }
        self.printed = {cast.name: cast for cast in setup.list_named(edition, players)}
        self.named |= {name: cast.title for name, cast in self.printed.items()}
        self.able = [i for ids in casts.candidates(edition, players).values() for i in ids]

    def foot(self) -> str:
        """The help line."""
        return _("Enter chooses, ↑ ↓ move, Esc closes")

    def on_mount(self) -> None:
        """Fill the list."""
        self._fill()

    def _fill(self) -> None:
        playing = self.draft.cast.playing(self.draft.edition, self.draft.size)
        known = cards.characters()
        rows = [(f"  {title}", id_) for id_, title in self.named.items()]
        for id_ in self.able:
            mark = "●" if id_ in playing else "○"
            rows.append((f"{mark} {known[id_].rank} {card(id_)}", id_))
        self.fill(rows)

    def show_meaning(self, place: int | None) -> None:
        """Show the characters of that cast, or a character's text."""
        self.query_one("#meaning", Static).update(self._explain_row(place))

    def _explain_row(self, place: int | None) -> Content:
        edition, players = self.draft.edition, self.draft.size
        if place is None:
            return Content("")
        if place >= len(self.named):
            id_ = self.able[place - len(self.named)]
            text = cards.text_of(id_, edition.id, current())
            return lines([paint(card(id_), "bold $gold"), text.text, paint(text.source, "$quiet")])
        name = list(self.named)[place]
        heading = paint(self.named[name], "bold $gold")
        if name == setup.RANDOM:
            return lines(
                [heading, _("One of each rank; the unique districts are drawn at random too.")]
            )
        ranks = [[id_] for id_ in edition.ordinary_cast(players)]
        if name in self.printed:
            ranks = self.printed[name].ranks
        known = cards.characters()
        names = (listing(map(card, able), joined="or") for able in ranks)
        told = (f"{known[able[0]].rank} {name}" for able, name in zip(ranks, names, strict=True))
        return lines([heading, *told])

    def take_place(self, place: int) -> None:
        """Take a whole cast and close; after a character keep the list open for the next rank."""
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
