"""What is asked, and what answers it, in a game as in its set-up: a stack of modes.

A mode is what is asked now. It says what a key, a row, a line and a tap mean while it is on top. A
face draws `asked` and shows what is said; it passes on what people do (`press`, `take`, `line`,
`tap`) and decides nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.game import CurrentQuestion, Identity, Kind, Offer, Row
from companion.language import _, listing, number_entry
from companion.language.vocabulary import match_yes_or_no, search_names, simplify, spellings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.chips.entries import Entry


class Mode:
    """What is asked, and what each kind of input means while it is."""

    secret = False  # others must not see, hear or learn what is put in
    passes = False  # input other than its own ends it
    player: str | None = None  # who chooses in private; "" until it is known

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.letters = self.digits = ""  # typed to find a row

    # -- what is asked ----------------------------------------------------------------------------

    def question(self) -> str:
        return self.offer().question or self.offer().title

    def offer(self) -> Offer:
        raise NotImplementedError

    def visible(self) -> tuple[Row, ...]:
        """The rows that match the text typed so far: letters search the names, if any rows have
        one, so that Enter after them never ends a turn."""
        rows = self.offer().rows
        if self.digits:
            return tuple(row for row in rows if str(row.number).startswith(self.digits))
        if not self.letters:
            return rows
        named = tuple(row for row in rows if row.card)
        return tuple(row for row in named or rows if fits(row, self.letters))

    @property
    def typed(self) -> str:
        return self.letters or self.digits

    def clear(self) -> None:
        self.letters = self.digits = ""

    def renew(self) -> None:
        """Find the rows again: what they depend on besides the game has changed."""

    def begin(self) -> None:
        """Ask for the first time."""

    def go_on(self) -> bool:
        """Tell what comes next without a choice; return whether there was anything."""
        return False

    def step(self, by: int) -> bool:
        """Read on by that many entries; return whether anything is being read."""
        return False

    def holds(self) -> bool:
        """Whether it is still asked although another face has made a move."""
        return False

    def leave(self) -> None:
        self.talk.close()

    # -- what is put in ---------------------------------------------------------------------------

    def press(self, key: str) -> bool:
        """A digit, a letter, `enter`, `escape` or `backspace`; return whether it meant anything."""
        match key:
            case "enter":
                return self.enter()
            case "escape":
                return self.talk.go_back()
            case "backspace" if self.typed:
                self.letters, self.digits = self.letters[:-1], self.digits[:-1]
                return True
            case "backspace":
                return self.talk.go_back()
        if key.isascii() and key.isdecimal():
            self.digit(key)
            return True
        return self.letter(key)

    def digit(self, digit: str) -> None:
        """A digit: it completes the number of a row as soon as no longer one begins with it. One
        that begins no row's, but a number all the same, stays typed: its second digit is not
        another answer."""
        number = self.digits + digit
        rows = {str(row.number): row for row in self.offer().rows}
        begun = [other for other in rows if other.startswith(number)]
        self.letters, self.digits = "", number if begun or self.goes_on(number) else ""
        if begun == [number]:
            self.talk.take_row(rows[number])
        elif not begun:
            self.refuse_number(number)

    def goes_on(self, digits: str) -> bool:
        """Whether a longer number begins with these digits, although no row has it now."""
        return False

    def enter(self) -> bool:
        """Complete the digits typed so far; without any, go on."""
        if number := self.digits:
            self.clear()
            row = next((row for row in self.offer().rows if str(row.number) == number), None)
            if row is not None:
                self.talk.take_row(row)
            else:
                self.refuse_number(number)
            return True
        if self.letters and not self.visible():
            sentence = _("Nothing matches “{letters}”.")
            self.talk.say("refused", sentence.format(letters=self.letters))
            return True
        return self.talk.base.go_on()

    def list_named(self, text: str, *, in_full: bool = False) -> list[Row]:
        """The rows of that name or label; else, unless it is `in_full`, of that beginning."""
        typed = simplify(text)
        names = {row: [*spellings(row.label), *search_names(row.card)] for row in self.offer().rows}
        exact = [row for row, of_row in names.items() if typed in of_row]
        if exact or in_full or not typed:
            return exact
        return [
            row for row, of_row in names.items() if any(one.startswith(typed) for one in of_row)
        ]

    def find_yes_or_no(self, text: str) -> Row | None:
        """The row that `yes` or `no`, or the letter of it, takes; no also closes a list that
        asks."""
        is_yes, rows = match_yes_or_no(text), self.offer().rows
        row = next((row for row in rows if is_yes is not None and row.yes is is_yes), None)
        if row is None and is_yes is False and self.talk.stack and any(row.yes for row in rows):
            return Row("", word="back")
        return row

    def searches(self, key: str) -> bool:
        """Whether a sign belongs to the search for a name: every letter once it has begun, and
        before that one with which a name of the kind begins."""
        if len(key) != 1:
            return False
        if self.letters:
            return key.isalpha() or key in " -'’"
        initials = self.offer().initials
        return key.isalpha() and any(one[:1] in initials for one in spellings(key))

    def letter(self, key: str) -> bool:
        """A letter or another sign; return whether it meant anything."""
        raise NotImplementedError

    def take_key(self, key: str) -> bool:
        """Take the row with that key; return whether there is one."""
        return False

    def refuse_key(self, key: str) -> bool:
        """Say why a letter or another sign means nothing now; return False for a key that is the
        face's own."""
        return False

    def refuse_number(self, number: str) -> None:
        rows = self.offer().rows
        numbers = [str(row.number) for row in rows if row.why is None and row.number is not None]
        sentence = _("There is no choice {number} now.").format(number=number)
        why = _("There is no choice {number} now, only {numbers}.")
        why = why.format(number=number, numbers=listing(numbers)) if numbers else ""
        self.talk.say("refused", sentence, why=why)

    def refuse_read(self) -> None:
        """Refuse a line with a secret that others have read."""
        sentence = _("Everyone could read that, so it wasn't played. Choose in private.")
        self.talk.say("refused", sentence)

    def take(self, row: Row) -> None:
        raise NotImplementedError

    def line(self, text: str, *, in_public: bool) -> None:
        """A typed line that is no chip's name; `in_public` others could read it."""
        raise NotImplementedError

    def run(self, word: str, rest: str = "") -> bool:
        """A command, by its English name; return whether it is one with these arguments."""
        raise NotImplementedError

    def tap(self, entry: Entry, uid: bytes, seat: int | None) -> None:
        """A known chip at the reader of `seat`, or at a shared one."""
        raise NotImplementedError


class Talk:
    """A conversation: what is asked on top of what, and whether input still belongs to it."""

    def __init__(self) -> None:
        self.stack: list[Mode] = []

    # -- what a face draws ------------------------------------------------------------------------

    @property
    def base(self) -> Mode:
        """What is asked when nothing else is open."""
        raise NotImplementedError

    @property
    def top(self) -> Mode:
        return self.stack[-1] if self.stack else self.base

    @property
    def stage(self) -> str:
        """The part of the evening to which the question belongs."""
        raise NotImplementedError

    @property
    def awaited(self) -> int | None:
        """The seat of the player who has to act."""
        return None

    @property
    def offer(self) -> Offer:
        return self.top.offer()

    @property
    def asked(self) -> CurrentQuestion:
        self.catch_up()
        top = self.top
        question, offer, rows = top.question(), top.offer(), top.visible()
        return CurrentQuestion(question, self.awaited, offer, rows, top.typed, private=top.secret)

    @property
    def identity(self) -> Identity:
        """What is asked now; a face passes it on with what began while it was shown."""
        asked = self.asked
        person = self.top.player if asked.private else asked.seat
        offers = asked.offer.identity
        return Identity(asked.question, person, offers, asked.private, self.stage)

    @property
    def can_go_back(self) -> bool:
        return bool(self.stack)

    # -- what people do ---------------------------------------------------------------------------

    # `begun` is the question that was shown when the key, row, line or tap began: once another
    # one is asked, the input is dropped. Without it, input is meant for what is asked now.

    def press(self, key: str, *, begun: Identity | None = None) -> bool:
        """Handle a digit, a letter, `enter`, `escape` or `backspace`; return whether it meant
        anything. `enter` ignores the highlighted row, which only the face knows."""
        return self.drops(begun) or self.top.press(key.lower() if len(key) == 1 else key)

    def take(self, row: Row, *, begun: Identity | None = None) -> None:
        """Handle a row that was clicked or picked with Enter."""
        if not self.drops(begun):
            self.take_row(row)

    def take_row(self, row: Row) -> None:
        """Take a row as part of the answer to a line, a key or a tap."""
        self.top.clear()
        self.top.take(row)

    def line(self, text: str, *, in_public: bool = False, begun: Identity | None = None) -> None:
        """Handle a typed, sanitized line. `in_public` means that others could read it."""
        if not self.drops(begun):
            self.top.line(text, in_public=in_public)

    def go_back(self) -> bool:
        """Go one step back: typed text, then the mode on top. Return whether there was any."""
        if self.top.typed:
            self.top.clear()
        elif not self.stack:
            return False
        else:
            self.top.leave()
        return True

    def drops(self, begun: Identity | None) -> bool:
        """Start a new answer; return whether the input is dropped, since its question has gone."""
        self.listen()
        if begun is None or begun == self.identity:
            return False
        self.say("refused", self.tell_dropped(begun))
        return True

    def tell_dropped(self, begun: Identity) -> str:
        """That input which began in a question that has gone was dropped."""
        if begun.private and begun.stage == "selection" != self.stage:
            return _("Everybody has chosen. What you typed was dropped.")
        return _("Something else is asked now. What you typed was dropped.")

    # -- modes ------------------------------------------------------------------------------------

    def open(self, mode: Mode) -> None:
        self.stack.append(mode)
        mode.begin()

    def close(self) -> None:
        self.stack.pop()

    def keep(self, wanted: Callable[[Mode], bool]) -> None:
        self.stack = [mode for mode in self.stack if wanted(mode)]

    def catch_up(self) -> None:
        """Close what another face has made stale."""
        self.keep(lambda mode: mode.holds())

    # -- telling ----------------------------------------------------------------------------------

    def listen(self) -> None:
        """Start a new answer."""

    def say(self, kind: Kind, *lines: str, why: str = "", **marks: Any) -> None:
        """Say something, with the marks of a `Message`. `why` is told to who asks why it is
        refused, if there is more to tell than the lines do."""
        raise NotImplementedError


def fits(row: Row, letters: str) -> bool:
    """Whether each typed word is part of one of the row's names, in any language."""
    names = [*spellings(row.label), *search_names(row.card)]
    return all(any(simplify(word) in name for name in names) for word in letters.split())


def tell_rows(rows: Iterable[Row]) -> list[str]:
    """The rows that a number picks, one a line, with that number."""
    return [
        number_entry(row.number, row.line or row.label) for row in rows if row.number is not None
    ]
