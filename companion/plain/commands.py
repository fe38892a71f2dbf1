"""What can be typed in the line caller besides moves: the words, and what goes back and on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion import language, reference, vocabulary
from companion.game.verbs import hints
from companion.intent import menu, typed
from companion.language import _
from companion.plain import games, help_topics, queries, taps, voice
from companion.store import StoreError
from companion.wording import prompts
from companion.wording.editions import language_name
from engine import languages
from engine.moves import GRAMMAR, fold

if TYPE_CHECKING:
    from companion.plain.caller import Caller

    Command = Callable[[Caller, str], None]


def answer(caller: Caller, line: str) -> bool:
    """Answer the line if it is a command; whether it was."""
    if not is_command(caller, line):
        return False
    word, _space, rest = line.partition(" ")
    _COMMANDS[fold(word)](caller, rest.strip())
    return True


def is_command(caller: Caller, line: str) -> bool:
    """Whether the line is a command, and no move of this moment: `city Ben temple`, when it is
    counted."""
    word, _space, rest = map(str.strip, line.partition(" "))
    word = fold(word)
    if word not in _COMMANDS or (rest and word not in _WITH_WORDS):
        return False
    if not rest or word not in GRAMMAR:
        return True
    legal = caller.session.legal()
    return not any(move.verb == word for move in legal) or not typed.understand(
        line, caller.session.view, legal
    )


# -- going back, going on -------------------------------------------------------------------


def _undo(caller: Caller, rest: str) -> None:
    if caller.pending:
        caller.forget()
        caller.say(_("Taken back: the cards tapped so far."))
        return
    caller.forget()
    told = caller.session.last_told()  # the sentence the table heard, so no secret in it
    try:
        move = caller.session.undo()
    except StoreError as error:
        caller.refuse(str(error))
        return
    if move is None:
        caller.refuse(_("there is nothing to take back."))
    else:
        caller.say(_("Taken back: {what}").format(what=told[0]))


def _redo(caller: Caller, rest: str) -> None:
    caller.forget()
    try:
        move = caller.session.redo()
    except StoreError as error:
        caller.refuse(str(error))
        return
    if move is None:
        caller.refuse(_("there is nothing to do again."))
    else:
        caller.say(_("Done again."), *caller.session.last_told())


def _repeat(caller: Caller, rest: str) -> None:
    """The last answer again, with the choices that were listed in it."""
    caller.say(*(caller.answered or caller.session.last_told() or [_("Nothing was said yet.")]))
    caller.voice.repeat()


def _back(caller: Caller, rest: str) -> None:
    """One list back; the entry before on a reference card."""
    if caller.reading is not None:
        caller.read(caller.reading.moved(-1))
    elif caller.digits:
        caller.digits = ""
        caller.say(_("The digits so far are forgotten."))
    elif caller.before:
        question, choices = caller.before.pop()
        caller.show(question, choices)
    else:
        caller.forget()
        caller.say(_("Nothing is being chosen now."))


def _next(caller: Caller, rest: str) -> None:
    """Go on without a decision: the next entry, call, nobody answers, end the turn."""
    if caller.reading is not None:
        caller.read(caller.reading.moved(1))
        return
    move = menu.going_on(caller.session.legal())
    if move is not None:
        caller.play(move)
    elif caller.session.over:
        caller.refuse(_("the game is over; new begins another one."))
    else:
        caller.refuse(_("a choice has to be made first; moves lists what can be done."))


# -- what can be done -----------------------------------------------------------------------


def _moves(caller: Caller, rest: str) -> None:
    """What can be done now; with a word, the moves of that verb one by one."""
    view, legal = caller.session.view, caller.session.legal()
    if not legal:
        caller.say(_("Nothing is left to play. undo takes the last move back."))
    elif not rest:
        caller.offer(_("You can:"), menu.folded(view, legal))
    else:
        verbs = vocabulary.verbs(rest, dict.fromkeys(move.verb for move in legal))
        wanted = [move for move in legal if rest == "all" or move.verb in verbs]
        if wanted:
            listed = menu.flat if rest == "all" or len(wanted) <= _MOST else menu.narrowed
            caller.offer(_("You can:"), listed(view, wanted))
        else:
            caller.refuse(_("there is no {word} now.").format(word=rest))


_MOST = 40  # moves of one verb that are still listed one by one


def _taps(caller: Caller, rest: str) -> None:
    told = hints(caller.session.legal())
    caller.say(*(told or [_("A tapped card is shown and explained.")]))


def _reference(caller: Caller, rest: str) -> None:
    """Listen to a reference card from its first entry."""
    number = int(rest) if rest.isascii() and rest.isdecimal() and len(rest) < 4 else 0
    cards = reference.listed(caller.session.view, number)
    if cards:
        caller.read(reference.Reading(number, cards))
    else:
        caller.refuse(_("say which reference card: reference 1 to reference 4."))


def _teach(caller: Caller, rest: str) -> None:
    """`teach on`, `teach off`; alone, this moment's lesson again."""
    teacher = caller.session.teacher
    if rest and fold(rest) not in ("on", "off"):
        caller.refuse(_("say teach on or teach off."))
        return
    if rest:
        teacher.switch(fold(rest) == "on")
    lesson = teacher.lesson()
    if lesson:
        teacher.repeat()
        caller.teach()
    elif teacher.on:
        caller.say(_("Nothing is taught at this moment."))
    else:
        caller.say(_("Teaching is off, or the first round is over. teach on begins it."))


# -- the caller itself ----------------------------------------------------------------------


def _language(caller: Caller, rest: str) -> None:
    """Speak another language from now on."""
    wanted = [code for code in languages.complete() if code == fold(rest) or _is_name(code, rest)]
    if wanted:
        caller.session.speak(wanted[0])
        caller.forget()
        caller.say(_("Language: {language}.").format(language=language_name(wanted[0])))
    elif rest:
        known = ", ".join(languages.complete())
        caller.refuse(
            _("{word} is no language here; there are: {known}.").format(word=rest, known=known)
        )
    else:
        current = language_name(language.current())
        caller.say(_("Language: {language}.").format(language=current))
        caller.say(_("language fr: speak French from now on; there are: {known}.").format(
            known=", ".join(languages.complete())
        ))  # fmt: skip


def _is_name(code: str, word: str) -> bool:
    return fold(word) == fold(language_name(code))


def _quit(caller: Caller, rest: str) -> None:
    caller.leaving = True
    caller.say(_("The game is saved."))


def _steps(caller: Caller, rest: str) -> None:
    caller.say(*prompts.selection_steps(caller.session.view))


_COMMANDS: dict[str, Command] = {
    "undo": _undo,
    "redo": _redo,
    "repeat": _repeat,
    "back": _back,
    "next": _next,
    "moves": _moves,
    "?": _moves,
    "steps": _steps,
    "taps": _taps,
    "reference": _reference,
    "teach": _teach,
    "voice": voice.voice,
    "faster": voice.faster,
    "slower": voice.slower,
    "hush": voice.hush,
    "help": help_topics.answer,
    "language": _language,
    "new": games.new,
    "games": games.games,
    "open": games.open_game,
    "quit": _quit,
    "exit": _quit,
    "learn": taps.learn,
    "tap": taps.tap,
    "hold": taps.hold,
    "lift": taps.lift,
    "unplug": taps.unplug,
    "plug": taps.plug,
    **queries.QUERIES,
}
_WITH_WORDS = frozenset(
    {
        "moves",
        "?",
        "reference",
        "teach",
        "voice",
        "help",
        "language",
        "open",
        "learn",
        "tap",
        "hold",
    }
    | queries.WITH_WORDS
)
