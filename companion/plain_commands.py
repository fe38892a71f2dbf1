"""What can be typed in the line caller besides moves: undo, questions, and what chips do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion import menu, plain_taps, plain_voice, taps, typed
from companion.language import _, card
from companion.store import StoreError
from companion.wording import editions, facts, prompts
from engine.moves import GRAMMAR, fold, split

if TYPE_CHECKING:
    from companion.plain import Caller
    from engine.refusals import Refused
    from engine.table import Table


def answer(caller: Caller, word: str, rest: str) -> bool:
    """Answer the command if it is one; whether it was."""
    command = _COMMANDS.get(fold(word))
    if command is None or (rest and command not in _WITH_WORDS) or _is_move(caller, word, rest):
        return False
    command(caller, rest)
    return True


def _is_move(caller: Caller, word: str, rest: str) -> bool:
    """Whether the line is rather a move of this moment: `city Ben temple`, when it is counted."""
    if not rest or fold(word) not in GRAMMAR:
        return False
    view, legal = caller.session.view, caller.session.legal()
    return any(move.verb == fold(word) for move in legal) and bool(
        typed.understand(f"{word} {rest}", view, legal)
    )


# -- going back -----------------------------------------------------------------------------


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


# -- questions ------------------------------------------------------------------------------


def _moves(caller: Caller, rest: str) -> None:
    """What can be done now; with a word, the moves of that verb one by one."""
    view, legal = caller.session.view, caller.session.legal()
    if not legal:
        caller.say(_("Nothing is left to play. undo takes the last move back."))
    elif not rest:
        caller.offer(_("You can:"), menu.folded(view, legal))
    else:
        wanted = [move for move in legal if rest == "all" or move.verb.startswith(fold(rest))]
        if wanted:
            listed = menu.flat if rest == "all" or len(wanted) <= _MOST else menu.narrowed
            caller.offer(_("You can:"), listed(view, wanted))
        else:
            caller.refuse(_("there is no {word} now.").format(word=rest))


def _why(caller: Caller, rest: str) -> None:
    """Why the last move was refused, or what a named card does."""
    if rest:
        _card(caller, rest)
        return
    refused = caller.last_refusal
    if refused is None:
        caller.say(_("Nothing was refused yet. Ask for a card: why, and its name."))
        return
    refusal = refused.refusal
    caller.say(
        refusal.reason,
        _("Rule: {rule}.").format(rule=refusal.rule),
        _("Source: {place}.").format(place=refusal.source),
    )
    if refusal.ruling:
        caller.say(_("Ruling: {ruling}").format(ruling=refusal.ruling))
    about = _card_of(caller.session.view, refused)
    if about is not None:
        caller.say(*facts.card_text(caller.session.view, about))


def _card_of(t: Table, refused: Refused) -> str | None:
    """The card whose rule forbade it, if it is one card's: `warlord.bishop` is the Warlord's."""
    owner = refused.refusal.rule.partition(".")[0]
    if owner in t.rules.characters or owner in t.rules.districts:
        return owner
    named = (word for word in split(refused.move) or () if word in t.rules.uniques)
    return next(named, None) if refused.refusal.rule in _OF_A_DISTRICT else None


_MOST = 40  # moves of one verb that are still listed one by one

_OF_A_DISTRICT = ("build.never", "build.city_full", "build.form")  # the named district's own


def _card(caller: Caller, rest: str) -> None:
    view = caller.session.view
    known = {id_: typed.card_names(id_) for id_ in (*view.rules.cast, *view.rules.districts)}
    found = typed.named(rest, known)
    if not rest:
        caller.refuse(_("say which card: card, and its name."))
    elif len(found) == 1:
        caller.say(*facts.card_text(view, found[0]))
    elif found:
        names = ", ".join(map(card, found))
        caller.refuse(_("{name} can be {cards}; say more of the name.").format(
            name=rest, cards=names
        ))  # fmt: skip
    else:
        caller.refuse(_("no card of this game is called {name}.").format(name=rest))


def _city(caller: Caller, rest: str) -> None:
    view = caller.session.view
    found = typed.named(rest, typed.player_names(view.rules.player_names))
    for name in found if rest else view.rules.player_names:
        caller.say(*facts.city(view, view.seat_named(name)))
    if rest and not found:
        caller.refuse(_("nobody here is called {name}.").format(name=rest))


def _score(caller: Caller, rest: str) -> None:
    view = caller.session.view
    if not caller.session.over:
        caller.say(_("Scores so far; the game is not over."), *facts.score(view))
    else:
        caller.say(*facts.score(view), facts.result(view))


def _taps(caller: Caller, rest: str) -> None:
    told = taps.hints(caller.session.view, caller.session.legal())
    caller.say(*(told or [_("A tapped card is shown and explained.")]))


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


def _help(caller: Caller, rest: str) -> None:
    caller.say(
        _("Type a move, or a beginning of its words: build tavern, b tav."),
        _("moves: what you can do now, numbered. Then type a number."),
        _("moves build: those of one kind."),
        _("Enter alone: who is awaited, and for what."),
        _("undo: take the last move back. redo: do it again."),
        _("last: what happened last."),
        _("status: everybody's gold, cards and city size."),
        _("who: the crown, characters shown, and what was done to whom."),
        _("city: all cities. city and a name: one city."),
        _("score: the scores as they stand."),
        _("rules: which box and which options are played."),
        _("steps: how the characters are dealt and chosen."),
        _("why: the rule behind the last refusal."),
        _("card and a name: what a card does."),
        _("teach: the lesson of the first round again. teach on, teach off."),
        _("voice on, voice off: speak aloud to the table. faster, slower, hush, repeat."),
        _("End the input to leave; the game is saved."),
    )
    if caller.reader is None:
        return
    caller.say(
        _("taps: what tapping a card would do now."),
        _("learn and what it is: says what the unknown chip is that was tapped last."),
    )
    if caller.reader.simulated:
        caller.say(
            _("tap and a chip: lay it on the simulated reader for a moment."),
            _("hold and a chip: leave it there. lift: take it away."),
            _("A chip is a card and its copy, a player, crown, or reference 1 to 4."),
            _("It can also be named by its id: chip, and the id."),
            _("unplug, plug: pull the reader's cable, plug it in again."),
        )


def _says(lines: Callable[[Caller], list[str]], nothing: str = "") -> _Command:
    def command(caller: Caller, rest: str) -> None:
        caller.say(*(lines(caller) or [_(nothing)]))

    return command


_Command = Callable[["Caller", str], None]

_last = _says(lambda caller: caller.session.last_told(), "Nothing has happened yet.")


def _repeat(caller: Caller, rest: str) -> None:
    _last(caller, rest)
    plain_voice.repeat(caller)


_status = _says(lambda caller: facts.status(caller.session.view))


def _quit(caller: Caller, rest: str) -> None:
    caller.leaving = True
    caller.say(_("The game is saved."))


_COMMANDS: dict[str, _Command] = {
    "quit": _quit,
    "exit": _quit,
    "undo": _undo,
    "redo": _redo,
    "moves": _moves,
    "?": _moves,
    "why": _why,
    "card": _card,
    "city": _city,
    "help": _help,
    "last": _last,
    "repeat": _repeat,
    "status": _status,
    "gold?": _status,
    "who": _says(lambda caller: facts.who(caller.session.view)),
    "rules": _says(lambda caller: editions.rules(caller.session.view)),
    "steps": _says(lambda caller: prompts.selection_steps(caller.session.view)),
    "score": _score,
    "voice": plain_voice.voice,
    "faster": plain_voice.faster,
    "slower": plain_voice.slower,
    "hush": plain_voice.hush,
    "taps": _taps,
    "teach": _teach,
    "learn": plain_taps.learn,
    "tap": plain_taps.tap,
    "hold": plain_taps.hold,
    "lift": plain_taps.lift,
    "unplug": plain_taps.unplug,
    "plug": plain_taps.plug,
}
_WITH_WORDS = (
    _teach,
    _moves,
    _why,
    _card,
    _city,
    plain_taps.learn,
    plain_taps.tap,
    plain_taps.hold,
    plain_voice.voice,
)
