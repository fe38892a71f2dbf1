"""Help in the line caller: short, and by topic."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion import vocabulary
from companion.language import _, listing
from companion.plain import keypad_help
from engine.moves import fold

if TYPE_CHECKING:
    from companion.plain.caller import Caller


def answer(caller: Caller, rest: str) -> None:
    """Tell a topic, or the few words with which everything else is found."""
    topic = fold(rest)
    found = [name for name in _TOPICS if name == topic] or [
        name for name in _TOPICS if topic and name.startswith(topic)
    ]
    if found:
        caller.tell(*_TOPICS[found[0]]())
        return
    if topic:
        caller.refuse(_("there is no help for {topic}.").format(topic=rest))
    caller.tell(*_first())
    topics = listing(map(vocabulary.typed, _TOPICS))
    caller.tell(_("help and a topic says more: {topics}.").format(topics=topics))


def _first() -> list[str]:
    return [
        _("Type a move, or a beginning of its words: build tavern, b tav."),
        _("moves: what you can do now, numbered. Then type a number."),
        _("Enter alone: the question again."),
        _("undo: take the last move back. repeat: hear the last answer again."),
        _("status: everybody's gold, cards and city size."),
        _("why: the rule behind the last refusal."),
        _("End the input to leave; the game is saved."),
    ]


def _moves() -> list[str]:
    return [
        _("moves: what you can do now, numbered. moves build: those of one kind."),
        _("A number picks a choice, and stays the same: of a seat, a rank, a district, an amount."),
        _("back: the list before."),
        _("next: call, nobody answers, end the turn; whichever of them goes on now."),
        _("undo: take the last move back. redo: do it again."),
        _("steps: how the characters are dealt and chosen."),
    ]


def _questions() -> list[str]:
    return [
        _("status: everybody's gold, cards and city size. gold? says the same."),
        _("gold Ben, hand Ben: one player's gold or cards. hand: everybody's."),
        _("cities: all cities. city Ben: one city. left: districts left to complete."),
        _("who: the crown, characters shown, and what was done to whom."),
        _("crown: who wears it. called: which rank is called, who has answered."),
        _("round: the ranks called and to come, and what was done to whom."),
        _("look: the next card tapped is read to one person alone."),
        _("characters, uniques: the cards of this game. card and a name: what a card does."),
        _("reference 1 to reference 4: listen to a reference card; next, back, or a number."),
        _("last: what happened last. history: the last ten moves; history 30: more."),
        _("score: the scores as they stand."),
        _("why: the rule behind the last refusal. repeat: the last answer again."),
    ]


def _game() -> list[str]:
    return [
        _("rules: which box and which options are played. options: the house options alone."),
        _("teach: the lesson of the first round again. teach on, teach off."),
        _("voice on, voice off: speak aloud to the table. faster, slower, hush, repeat."),
        _("new: begin another game; this one is saved. rematch: with the same names."),
        _("games: the saved games. open and a name: go on with one of them."),
        _("language fr: speak another language from now on: en, fr, ru."),
        _("quit, or the end of the input: leave; the game is saved."),
    ]


def _secret() -> list[str]:
    return [
        _("Some moves are for one person: a recorded choice, a true warrant, a secret target."),
        _("Type the verb alone, such as choose or rob, or pick its number: then only one listens."),
        _("What is typed then is not shown; a number, a name or a tapped card chooses."),
        _("Nothing of it is repeated, and a refusal gives no reason."),
    ]


def _chips() -> list[str]:
    return [
        _("taps: what tapping a card would do now."),
        _("learn and what it is: says what the unknown chip is that was tapped last."),
        _("Number chips pick a choice; above nine digit by digit, then the chip enter."),
        _("companion tags key prints what every action chip does."),
        _("With the simulated reader, tap and a chip lays it on the reader for a moment."),
        _("hold and a chip: leave it there. lift: take it away."),
        _("A chip is a card and its copy, a player, crown, a number, end, or reference 1 to 4."),
        _("It can also be named by its id: chip, and the id."),
        _("unplug, plug: pull the reader's cable, plug it in again."),
    ]


_TOPICS: dict[str, Callable[[], list[str]]] = {
    "moves": _moves,
    "questions": _questions,
    "game": _game,
    "chips": _chips,
    "secret": _secret,
    "keypad": keypad_help.told,
}
