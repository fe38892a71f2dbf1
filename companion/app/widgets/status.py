"""The lines around the table, each in its place: status, ranks, question, hints, notice."""

from __future__ import annotations

from bisect import bisect
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from companion.app import keymap
from companion.app.display import DEEDS, cut, fit, join, lay_in_rows, paint, wrap
from companion.app.keymap import Keys, label
from companion.app.widgets.panel import Panel
from companion.game.events import tell_recent
from companion.language import _, amount, begin_sentence, card, plural, put_after_colon, translate
from companion.wording import facts, state
from engine import casts

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from companion.game import Message
    from companion.game.session import Session
    from companion.wording.state import Mark, Rank
    from engine.table import Table


class Prompt(Panel):
    """Two lines, so that the longest name and question fit; below a short question, the last great
    moment of the game."""

    question = ""
    moment = ""
    _version_told: tuple[Session, int] | None = None  # the moment is of this version of that game

    def show(self, question: str, session: Session) -> None:
        self.question = question
        if self._version_told != (session, session.version):
            self._version_told = session, session.version
            recent = None if session.over else tell_recent(session)
            kind, text = recent or ("", "")
            self.moment = f"{_SIGNS.get(kind, '▶')} {text}" if text else ""
        self.refresh()

    def draw(self, width: int, height: int) -> Content:
        """The question, wrapped, and the moment in the room that is left."""
        rows = cut([paint(self.question, "bold")], width, height)
        if self.moment and len(rows) < height:
            text = f" {self.moment} "
            rows.append(paint(fit(text, min(cell_len(text), width)), "bold $on-mark on $mark"))
        return Content("\n").join(rows)


_SIGNS = {
    "murdered": DEEDS["murder"],
    "robbed": DEEDS["robbery"],
    "destroyed": DEEDS["destruction"],
}


_SHOWN: dict[Mark, str] = {
    "faceup": "○",
    "murdered": DEEDS["murder"],
    "robbed": DEEDS["robbery"],
    "bewitched": "~",
    "warrant": "§",
    "threat": "!",
}
"""Marks shown as words, or by these signs where there is no room for words; the others are shown by
style. The help explains the signs."""

_LEAST_NAME = 3  # letters of a shortened name
_LEAST_BY_WORDS = 4  # the same beside marks as words
_ENDING_BESIDE = 3  # the part of the width, 1/3, that is left for how near the end is


class Strip(Panel):
    """The name of every rank and what is known of it, shortened until all fit."""

    ranks: tuple[Rank, ...] = ()
    ending = brief = ""
    _last_paint: tuple[object, Content] | None = None
    """What `draw` returned last, and for what: finding the form takes long."""

    def show(self, table: Table) -> None:
        self.ranks = tuple(state.ranks(table))
        self.ending = state.ending(table).rstrip(".")
        self.brief = state.brief_ending(table)
        self.refresh()

    def draw(self, width: int, height: int) -> Content:
        """The fullest form that fits, with how near the end is on the right of the first line."""
        names = tuple(card(rank.character) for rank in self.ranks)
        key = (self.ranks, names, self.ending, self.brief, width, height)
        if self._last_paint is None or self._last_paint[0] != key:
            self._last_paint = (key, self._find_form(width, height))
        return self._last_paint[1]

    def _find_form(self, width: int, height: int) -> Content:
        if not self.ranks:
            return Content("")
        whole = RankStyle(max(len(card(rank.character)) for rank in self.ranks), words=True)
        for ending in dict.fromkeys((self.ending, self.brief)):
            text = fit(ending, min(cell_len(ending), width // _ENDING_BESIDE)) if ending else ""
            rows = self._rows(whole, width, height, text)
            if rows is not None:
                return rows
        forms = [
            RankStyle(longest, words=words)
            for words, least in ((True, _LEAST_BY_WORDS), (False, _LEAST_NAME))
            for longest in range(whole.longest, least - 1, -1)
        ]
        forms += [form._replace(tight=True) for form in forms if not form.words]
        forms += [form._replace(all_named=False) for form in forms if not form.tight]
        candidates = (self._rows(form, width, height, text) for form in forms)
        rows = next((rows for rows in candidates if rows is not None), None)
        return rows or Content("  ").join([_rank(rank, _LEAST) for rank in self.ranks])

    def _rows(self, form: RankStyle, width: int, height: int, ending: str) -> Content | None:
        """The ranks in that form, if they fit."""
        parts = [_rank(rank, form) for rank in self.ranks]
        room = width - cell_len(ending) - 2 if ending else width
        if max(part.cell_length for part in parts) > room:
            return None
        rows = lay_in_rows(parts, Content(" " if form.tight else "  "), room)
        if len(rows) > height:
            return None
        if ending:
            first = rows[0].pad_right(max(0, width - cell_len(ending) - rows[0].cell_length))
            rows[0] = first + paint(ending, "bold $gold")
        return Content("\n").join(rows)


class RankStyle(NamedTuple):
    """How ranks are written: names of at most `longest` letters (0: none), unless `all_named` only
    of ranks about which something is known; marks as `words`; `tight` without full stops and with
    little space between."""

    longest: int
    words: bool
    all_named: bool = True
    tight: bool = False


_LEAST = RankStyle(0, words=False)


def _rank(rank: Rank, form: RankStyle) -> Content:
    now, marks = "now" in rank.marks, [mark for mark in rank.marks if mark in _SHOWN]
    is_named = form.all_named or now or marks
    name = state.shorten(card(rank.character), form.longest) if is_named else ""
    name = name.rstrip(".") if form.tight else name
    text = f"{rank.rank} {name}".rstrip()
    signs = [
        state.describe_mark(mark, rank.character) if form.words else _SHOWN[mark] for mark in marks
    ]
    described = paint(f" {(', ' if form.words else '').join(signs)}" if signs else "", "bold")
    if now:
        return paint(f"▶{text}", "bold $gold") + described
    return paint(text, "$quiet" if rank.marks else "") + described


_MADE_BY: dict[Mark, str] = {
    "murdered": "kill",
    "robbed": "rob",
    "bewitched": "bewitch",
    "warrant": "warrants",
    "threat": "threats",
}


def explain_signs(possible_verbs: Container[str]) -> dict[str, str]:
    """Each sign of the strip with its word, for a game with these verbs."""
    return {
        sign: state.name_mark(mark)
        for mark, sign in _SHOWN.items()
        if mark not in _MADE_BY or _MADE_BY[mark] in possible_verbs
    }


class Hints(Panel):
    """One line, or two: the reader's state, then a sentence for each kind of card; or a notice,
    unless a reader is lost: nobody is to tap a dead one."""

    sentences: tuple[str, ...] = ()
    state = ""
    working = False
    is_lost = False
    notice: Sequence[Content] = ()

    def show(self, sentences: list[str]) -> None:
        if tuple(sentences) != self.sentences:
            self.sentences = tuple(sentences)
            self.refresh()

    def show_reader(self, told: str, *, working: bool, is_lost: bool = False) -> None:
        """Show the reader's state, in words; that it `is_lost` in place of any notice."""
        self.state, self.working, self.is_lost = told, working, is_lost
        if is_lost:
            self.show_notice(())
        self.refresh()

    def has_room(self, notice: Sequence[Content]) -> bool:
        return self.display and not self.is_lost and len(notice) <= self.content_size.height

    def show_notice(self, notice: Sequence[Content], *, is_refusal: bool = False) -> None:
        """Show these rows instead, or none."""
        self.notice = notice
        self.set_class(bool(notice), "-said")
        self.set_class(is_refusal, "-refused")
        self.refresh()

    def draw(self, width: int, height: int) -> list[Content]:
        """The notice; or the reader's state, and as many whole sentences as fit."""
        if self.notice:
            return list(self.notice)
        told = paint(self.state, "$success" if self.working else "$warning")
        if not self.working:
            return [told]
        for left_out in range(len(self.sentences)):
            lines = self.sentences[: len(self.sentences) - left_out] + ("…",) * bool(left_out)
            rows = wrap(join([told, "  ", paint(" ".join(lines))]), width)
            if len(rows) <= height:
                return rows
        return [told]


class NoticeBar(Widget):
    """Shows a notice that is too long for the line of hints, above the table."""

    messages: Sequence[Message] = ()
    with_reason = False
    names: Sequence[str] = ()
    """The players' names."""

    def show(self, messages: Sequence[Message], with_reason: bool, hints: Hints) -> None:
        """Show these, among the hints if they fit there, which lays out nothing; `with_reason` is
        whether a key shows the rule behind a refusal."""
        self.messages = [
            one for one in messages if one.kind != "list" and not one.private and one.lines
        ]
        is_refused = any(one.kind == "refused" for one in self.messages)
        self.with_reason = with_reason and is_refused
        rows = wrap(self.render(), max(1, hints.content_size.width)) if self.messages else []
        fits = not rows or hints.has_room(rows)
        hints.show_notice(rows if fits else (), is_refusal=fits and is_refused)
        if self.display or not fits:
            self.display = not fits
            self.set_class(is_refused, "-refused")
            self.refresh(layout=True)

    def render(self) -> Content:
        """A refusal with its label and the key that explains it; a card and the key to open it."""
        parts: list[Content | str] = []
        for one in self.messages:
            if one.kind == "refused":
                reason = " ".join(one.lines)
                if one.by_rule:
                    parts.append(paint(_("Refused: "), "bold"))
                    reason = put_after_colon(reason, self.names)
                else:
                    reason = begin_sentence(reason, self.names)
                parts.append(paint(reason, "bold"))
            elif one.card:
                parts.append(_("{card} Enter opens the card.").format(card=one.lines[0]))
            else:
                parts.append(paint(" ".join(one.lines)))
            parts.append("  ")
        if self.with_reason:
            parts.append(paint(_("{key} says why").format(key=keymap.key("why"))))
        return join(parts)


class Lesson(Widget):
    """A few rows of text at most; a longer lesson ends in an ellipsis with the key that shows the
    full card it explains."""

    text = heading = end = ""

    def show(self, lesson: Sequence[str], keys: Keys, *, of_card: bool = False) -> None:
        """Show this moment's lesson, or hide; `keys` has the one that ends teaching. `of_card`
        means that it explains a card, which the card browser has too."""
        self.text = " ".join(lesson)
        self.heading = _("Lesson ({key} ends it)").format(key=label(keys["teach"][0]))
        key = label(keys["card_texts"][0])
        self.end = _("… {key}: the whole card").format(key=key) if of_card else "…"
        self.refresh()

    def render(self) -> Content:
        """As much of the lesson as fits."""
        width, height = self.content_size
        words = self.text.split(" ")

        def rows(count: int) -> list[Content]:
            return wrap(self._paint(words, count), max(width, 1))

        count = len(words)
        if len(rows(count)) > height:
            count = max(bisect(range(1, count), height, key=lambda few: len(rows(few))), 1)
        return Content("\n").join(rows(count))

    def _paint(self, words: list[str], count: int) -> Content:
        parts = [paint(self.heading, "bold $gold"), paint("  " + " ".join(words[:count]))]
        if count < len(words):
            parts += [paint(" "), paint(self.end, "$quiet")]
        return join(parts)


class Status(Panel):
    """One line about the game as a whole."""

    table: Table | None = None
    reader = ""
    phones: tuple[str, ...] = ()

    def show(self, table: Table) -> None:
        self.table = table
        self.refresh()

    def show_phones(self, lines: Sequence[str]) -> None:
        if self.phones != tuple(lines):
            self.phones = tuple(lines)
            self.refresh()

    def draw(self, width: int, height: int) -> Content:
        """Round and box on the left; the crown on the right, always visible.

        Options take precedence over the name of the box, which is on the table anyway.
        """
        t = self.table
        if t is None:
            return Content("")
        room = max(8, width // 3)
        crown = ""
        if facts.has_crown(t):
            crown = _("Crown: {player}").format(player=t.seats[t.crown].name)
        if cell_len(crown) > room:
            crown = fit(crown, room)
        left = " · ".join((state.name_round(t), *self.phones))
        room = max(1, width - cell_len(left) - cell_len(crown) - 1)
        rules = f" · {self._rules(t)}"
        rest = f" · {translate(t.rules.edition.title)}{rules}"
        rest = fit(rest if cell_len(rest) <= room else rules, room)
        return join(
            [paint(left, "bold $gold"), paint(rest, "$quiet"), " ", paint(crown, "bold $gold")]
        )

    def _rules(self, table: Table) -> str:
        parts: list[str] = [amount("district", table.city_size)]
        if table.rules.cast != table.rules.edition.ordinary_cast(len(table.seats)):
            parts.append(_cast_name(table))
        if table.rules.secret:
            parts.append(_("secret"))
        if not (table.rules.tracks_cities or table.rules.only_scores):
            parts.append(_("light mode"))
        others = len(table.rules.options.keys() - {"city_size", "cities", "rulings"})
        if others:
            parts.append(plural("{number} house rule", "{number} house rules", others))
        return ", ".join(parts)


def _cast_name(table: Table) -> str:
    casts_of_box = casts.list_printed(table.rules.edition).values()
    titles = [
        translate(c.title) for c in casts_of_box if set(c.characters) == set(table.rules.cast)
    ]
    return titles[0] if titles else _("chosen characters")
