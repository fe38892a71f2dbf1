"""The voice of a table: it listens to the game, decides what to say to whom, and can be hushed.

The callers create one, let it listen to their session, and close it. While it is off it costs
nothing: no thread, no child, and the speech modules are not even imported. Every method returns at
once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from companion import language
from companion.game import TableVoice
from companion.game.session import Listener, Session
from companion.language import _, card, end_sentence, number_entry, translate
from companion.voice import backends, script
from companion.voice.channel import Channel

if TYPE_CHECKING:
    from companion.settings.config import VoiceSettings
    from engine.moves import Move
    from engine.table import Table

STEP = 20
"""The step of the speed, in percent of the normal speed."""

SLOWEST, FASTEST = 50, 300


class Voice(Listener, TableVoice):
    """Speaks to the table and, if a private output is set, to one person."""

    def __init__(self, settings: VoiceSettings, tell: Callable[[str], None]) -> None:
        """`tell` shows the user what is wrong with the voice; any thread may call it."""
        self._settings = settings
        self._tell = tell
        self._messages: set[str] = set()  # messages shown once only
        self._speed = settings.speed
        self._last: tuple[script.Utterance, ...] = ()
        self._untold: list[list[script.ScriptLine]] = []  # of each move since the last input
        self._session: Session | None = None
        self._is_open = False  # whether the configured outputs were opened
        self._table: Channel | None = None
        self._ear: Channel | None = None

    @property
    def on(self) -> bool:
        return _speaks(self._table) or _speaks(self._ear)

    @property
    def speaks_to_table(self) -> bool:
        return _speaks(self._table)

    def close(self) -> None:
        """Stop speaking; no child is left."""
        for channel in self._channels():
            channel.close()
        self._table = self._ear = None

    # -- the game's events -------------------------------------------------------------------------

    def tell_begun(self, session: Session) -> None:
        """Announce the game's state. The configured outputs are opened with the first game."""
        self._open_outputs()
        self._session = session
        self._open_game()

    def tell_move(self, before: Table, move: Move, after: Table) -> None:
        if self.on:
            self._drop(*script.list_obsolete(after, move))
            lesson = self._session.teacher.teach_between(before, after) if self._session else []
            self._untold.append(
                [
                    *script.tell(before, move, after, self._settings.level),
                    *script.tell_lesson(lesson),
                ]
            )

    def tell_settled(self) -> None:
        """A move and its forced steps were played: say them together."""
        if not self._untold:
            return
        untold, self._untold = self._untold, []
        self._say(script.join(untold))

    def tell_undo(self, lines: Sequence[str], view: Table) -> None:
        """A move was undone: cancel what was about to be said about it."""
        if self.on:
            self.hush()
            self._say(script.tell_undone(lines, view))

    def tell_refusal(self, view: Table, move: Move) -> None:
        if self.on:
            self._drop(script.Relevance.MOMENT)
            self._say(script.tell_refused(view, move), urgent=True)

    def tell_notice(self, text: str) -> None:
        self.announce(translate(text))

    # -- what people ask -----------------------------------------------------------------------

    def hush(self) -> None:
        """Stop speaking at once and clear the queue."""
        for channel in self._channels():
            channel.hush()

    def repeat(self) -> bool:
        self.hush()
        self._put(self._last)
        return bool(self._last)

    def switch(self, on: bool) -> None:
        """Turn the table's voice on or off; its backends come from the settings or this machine."""
        if self._table is not None:
            self._table.close()
            self._table = None
        if not on:
            return
        output = self._settings.table
        self._table = self._open(script.Audience.TABLE, "auto" if output == "none" else output)
        self._open_game()

    def change_speed(self, steps: int = 1) -> int:
        """Speak faster (slower if negative), and say so. Return the speed in percent."""
        self._speed = max(SLOWEST, min(FASTEST, self._speed + steps * STEP))
        self.hush()
        self.speak_aloud(_("Speed {number} percent.").format(number=self._speed))
        return self._speed

    def speak_aloud(self, *texts: str) -> None:
        if not self.on or not texts:
            return
        self.hush()
        self._put([self._answer(text, stays=script.Relevance.MOMENT) for text in texts])

    def announce(self, text: str) -> None:
        """Tell the table what has happened outside the game, after what is being said."""
        if self.on:
            self._put([self._utterance(script.ScriptLine(text))])

    def speak_privately(self, *texts: str) -> bool:
        """Speak a secret to the private output; return whether there is one. Stores nothing."""
        if self._ear is None:
            if self._table is not None:
                self._say_once(_("Secrets won't be spoken: no private output (voice.ear) is set."))
            return False
        if self._table is not None and self._table.output == self._ear.output:
            self._say_once(_("Secrets won't be spoken: table and ear use the same output."))
            return False
        self._ear.hush()
        for text in texts:
            self._ear.say(self._answer(text, audience=script.Audience.EAR))
        return True

    def whisper_choices(self, title: str, choices: Sequence[tuple[int, str]]) -> None:
        names = (end_sentence(number_entry(number, choice)) for number, choice in choices)
        self.speak_privately(title, *names)

    def whisper_chosen(self, move: Move) -> None:
        self.speak_privately(_("Chosen: {card}.").format(card=card(move.args[-1])))

    def read(self, lines: Sequence[str]) -> None:
        """Read something public to the person who asked, such as an entry of a reference card: to
        the ear if there is one, else to the table."""
        if not self.on:
            return
        self.hush()
        self._put([self._answer(text) for text in lines], to_ear_first=True)

    def read_set_up(self, lines: Sequence[str]) -> None:
        """Read a question of the set-up, before there is a game."""
        self._open_outputs()
        self.read(lines)

    # -- the two outputs -----------------------------------------------------------------------

    def _open_outputs(self) -> None:
        """Open the configured outputs, once."""
        if not self._is_open:
            self._is_open = True
            self._table = self._open(script.Audience.TABLE, self._settings.table)
            self._ear = self._open(script.Audience.EAR, self._settings.ear)

    def _open(self, audience: script.Audience, output: str) -> Channel | None:
        if output == "none":
            return None
        if lack := backends.find_lack(output):
            self._say_once(translate(lack))
        chain = backends.choose(output)
        if not chain:
            self._say_once(
                _("No voice was found on this machine; companion doctor says what is missing.")
            )
            return None

        def trouble(reason: str, following: str | None) -> None:
            if following is not None:
                sentence = _("Switching to the voice {name}: {reason}.")
                self._say_once(sentence.format(name=following, reason=translate(reason)))
            else:
                self._say_once(
                    _("The voice has stopped: {reason}.").format(reason=translate(reason))
                )

        def manner() -> script.Manner:
            return script.Manner(self._speed, self._settings.volume)

        return Channel(audience, chain, manner, trouble)

    def _channels(self) -> list[Channel]:
        return [channel for channel in (self._table, self._ear) if channel is not None]

    def _drop(self, *stays: script.Relevance) -> None:
        for channel in self._channels():
            channel.drop(*stays)

    def _open_game(self) -> None:
        if self._session is not None and self.on:
            lesson = self._session.teacher.lesson(self._session.view)
            self._say([*script.opening(self._session.view), *script.tell_lesson(lesson)])

    def _say(self, lines: Iterable[script.ScriptLine], *, urgent: bool = False) -> None:
        """Speak lines of the script, and remember them for `repeat`."""
        utterances = [self._utterance(line, urgent=urgent) for line in lines]
        if utterances:
            self._last = tuple(one._replace(urgent=False) for one in utterances)
            self._put(utterances)

    def _put(self, utterances: Sequence[script.Utterance], *, to_ear_first: bool = False) -> None:
        """Queue for the table; for the ear if the table has no voice or the ear comes first."""
        order = (self._ear, self._table) if to_ear_first else (self._table, self._ear)
        for channel in order:
            if channel is not None and not channel.has_failed:
                channel.say(*utterances)
                return

    def _answer(
        self,
        text: str,
        *,
        stays: script.Relevance = script.Relevance.ALWAYS,
        audience: script.Audience = script.Audience.TABLE,
    ) -> script.Utterance:
        """What somebody has asked for, without pauses. A card or a choice that is read to one
        person is no less of use when another has played; what answers a question about the table
        is."""
        return self._utterance(script.ScriptLine(text, stays, 0), audience=audience)

    def _utterance(
        self,
        line: script.ScriptLine,
        *,
        audience: script.Audience = script.Audience.TABLE,
        urgent: bool = False,
    ) -> script.Utterance:
        pause = line.pauses * script.PAUSE
        text = script.agree_numbers(script.make_speakable(line.text), language.current())
        return script.Utterance(text, language.current(), audience, line.stays, pause, urgent)

    def _say_once(self, sentence: str) -> None:
        if sentence not in self._messages:
            self._messages.add(sentence)
            self._tell(sentence)


def _speaks(channel: Channel | None) -> bool:
    return channel is not None and not channel.has_failed
