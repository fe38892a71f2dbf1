"""Help in the line caller: short, and by topic. Keypad keys are spelt out: a screen reader may skip
punctuation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion import extending
from companion.chips.entries import describe_action
from companion.game.keypad import KEYPAD
from companion.game.shortcuts import NUMBERS
from companion.language import (
    _,
    district_type,
    end_sentence,
    listing,
    number_entry,
    translate,
    vocabulary,
)
from companion.setup.shared import offer_languages
from companion.verbs import VERBS
from engine.cards import DISTRICT_TYPES
from engine.moves import fold

if TYPE_CHECKING:
    from companion.plain.caller_state import CallerState


def list_keys() -> list[str]:
    own = {
        "gold?": describe_action("status"),
        "cities": _("all cities"),
        "characters": _("the characters by rank"),
        "history": _("what happened in the last ten moves"),
        "left": _("districts left to complete"),
        "rules": _("the box and the house rules"),
        "round": _("the round: ranks called and to come, and what was done to whom"),
        "called": _("which rank is called, and who has answered"),
        "phones out": _("remove the phone that joined last"),
        "new": _("start another game"),
        "help keypad": _("this help"),
    }
    meanings = {keys: own.get(word) or describe_action(word) for keys, word in KEYPAD.items()}
    meanings["/1"] = _("listen to reference card 1; likewise 2 to 4, the characters")
    return [
        _("A number: the choice with that number."),
        *_numbers(),
        _type_numbers(),
        *(
            end_sentence(number_entry(_speak_keys(keys), meaning))
            for keys, meaning in meanings.items()
        ),
        _("Star 1, star 3, star 8 or star point, followed by a seat: that player's alone."),
        _("Enter alone: repeat the question."),
    ]


def _speak_keys(keys: str) -> str:
    names = {
        "+": _("plus"),
        "-": _("minus"),
        "*": _("star"),
        "/": _("slash"),
        ".": _("point"),
    }
    return " ".join(names.get(key, key) for key in keys)


def answer(caller: CallerState, rest: str) -> None:
    """Explain a topic, or the few commands that lead to everything else."""
    topic = fold(rest)
    found = [name for name in _TOPICS if name == topic] or [
        name for name in _TOPICS if topic and name.startswith(topic)
    ]
    if found:
        helps = [translate(one.help) for one in extending.list_words().values()]
        caller.tell(*_TOPICS[found[0]](), *(helps if found[0] == "game" else ()))
        return
    if topic:
        caller.refuse(_("there is no help for {topic}.").format(topic=rest))
    caller.tell(*_list_first())
    topics = listing(map(vocabulary.find_typed, _TOPICS))
    caller.tell(_("For more, type help and a topic: {topics}.").format(topics=topics))


def _list_first() -> list[str]:
    return [
        _("Type a move, or the start of its words: build tavern, b tav."),
        _("moves: what you can do now, numbered. Then type a number."),
        _("Enter alone: repeat the question."),
        _("undo: undo the last move. redo: redo it."),
        _("status: everybody's gold, cards and city size."),
        _("why: why the last move wasn't allowed. repeat: the last answer again."),
        _("Type quit to leave; the game is saved."),
    ]


def _numbers() -> list[str]:
    numbers = {verb: record.number for verb, record in VERBS.items()}
    sentences = (
        _("{gold}: take gold. {cards}: draw cards. {build}: build, where you haven't gathered."),
        _("{kill}: the character's power or bonus. {redraw}: the Magician replaces cards."),
        _("{income}: the income. {use}: a district's power. {forfeit}: take the turn away."),
        _("{end}: carry on: call, nobody answers, end the turn."),
        _("{rescue}: yes, {leave}: no, when you are asked about an offer or a threat."),
    )
    return [*(sentence.format(**numbers) for sentence in sentences), *_list_shortcuts()]


def _list_shortcuts() -> list[str]:
    return [
        _("{gold}: take gold, the income and the bonus. {cards}: cards instead of gold.").format(
            **NUMBERS
        ),
        _("{choose}: record a choice in private.").format(choose=VERBS["choose"].number),
    ]


def _type_numbers() -> str:
    types = [
        number_entry(number, district_type(type_))
        for number, type_ in enumerate(DISTRICT_TYPES, start=1)
    ]
    sentence = _(
        "A district: the digit of its type, which reads those you can build, then its number. "
        "{types}."
    )
    return sentence.format(types=listing(types))


def _moves() -> list[str]:
    return [
        _("moves: what you can do now, numbered. moves build: those of one kind."),
        _(
            "A number picks a choice, and always means the same: a seat, a rank, a district, or "
            "one of these. For an amount, type the amount."
        ),
        *_numbers(),
        _type_numbers(),
        _("back: the previous list."),
        _("{end}: carry on: call, nobody answers, end the turn.").format(
            end=vocabulary.find_typed("next")
        ),
        _("undo: undo the last move. redo: redo it."),
        _("steps: how the characters are dealt and chosen."),
    ]


def _questions() -> list[str]:
    return [
        _("status: everybody's gold, cards and city size."),
        _("gold Ben, hand Ben: one player's gold or cards. hand: everybody's."),
        _("cities: all cities. city Ben: one city. left: districts left to complete."),
        _("who: the crown, characters shown, and what was done to whom."),
        _("crown: who has it. called: which rank is called, who has answered."),
        _("round: the ranks called and to come, and what was done to whom."),
        _("look: read the next card tapped to one person only."),
        _("mine, mine Ben: read the cards noted on a phone, to one person only."),
        _("characters, uniques: the cards of this game. card and a name: what a card does."),
        _("reference 1 to reference 4: listen to a reference card; next, back, or a number."),
        _("last: what happened last. history: the last ten moves; history 30: more."),
        _("score: the scores so far."),
        _("why: why the last move wasn't allowed. repeat: the last answer again."),
    ]


def _game() -> list[str]:
    return [
        _("rules: the box and the house rules. options: the house rules only."),
        _("teach: the lesson of the first round again. teach on, teach off."),
        _("voice on, voice off: speak aloud to the table. Also: faster, slower, hush, repeat."),
        _("new: start another game; this one is saved. rematch: with the same names."),
        _("games: the saved games. open and a name: continue one of them."),
        _("phones: the address for phones, the code, and who has one. phones code 2: that seat's."),
        _("phones out: remove the phone that joined last. phones out 2, phones out all: others."),
        offer_languages(),
        _("quit, or Ctrl+D: leave; the game is saved."),
    ]


def _secret() -> list[str]:
    return [
        _("Some moves are for one person: a recorded choice, the signed warrant, a secret target."),
        _(
            "Type the verb alone, such as choose or rob, or pick its number: then only one person"
            " listens."
        ),
        _("Typing is hidden then; choose by a number, a name or a tapped card."),
        _("Nothing typed is repeated, and no reason is given if it isn't allowed."),
    ]


def _chips() -> list[str]:
    return [
        _("taps: what tapping a card would do now."),
        _("learn and what it is: name the last unknown chip tapped."),
        _("Number chips pick a choice; above nine, digit by digit, then the enter chip."),
        _("companion tags list prints what every action chip does."),
        _("With the simulated reader, tap and a chip puts it on the reader for a moment."),
        _("hold and a chip: leave it there. lift: take it away."),
        _("A chip is a card and its copy, a player, crown, a number, end, or reference 1 to 4."),
        _("You can also give its id: chip, and the id."),
        _("unplug, plug: unplug the reader, plug it in again."),
    ]


_TOPICS: dict[str, Callable[[], list[str]]] = {
    "moves": _moves,
    "questions": _questions,
    "game": _game,
    "chips": _chips,
    "secret": _secret,
    "keypad": list_keys,
}
