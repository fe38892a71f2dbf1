"""Twins whose players record their characters, and some of them lie: they record what they do not
hold, or what somebody else has recorded. `wait` takes seconds, and the crowned player undoes.

`hand Anna add tavern` is what Anna tells her phone of her hand."""

from __future__ import annotations

import random

from companion.game.awaiting import PAUSE
from tests.twins.pairs import MIDDLE, Twins

_AFTER_A_LIAR = Twins(
    "faceup bishop magician; choose Ben king",
    ("choose Kurt king", "choose Kurt architect"),
    "",
    knows="Kurt",
)

LIARS: dict[str, Twins] = {
    "choose, recorded by a liar as well": Twins(
        "faceup bishop magician; choose Kurt thief",
        ("choose Anna king", "choose Anna warlord"),
        "choose Ben king; choose Ashley warlord; choose Ben warlord; call; nobody; reveal Kurt;"
        " gold; end; nobody; reveal Ashley; gold; end; nobody; nobody; reveal Ben; gold; end",
        secrecy="announced",
    ),
    "recorded after a liar": _AFTER_A_LIAR._replace(
        secrets=("choose Kurt king", "choose Kurt merchant"),
        then="choose Ben king; call; nobody; nobody; nobody; reveal Ben; gold; end; nobody",
        language="fr",
    ),
    "killed, recorded twice or once": _AFTER_A_LIAR._replace(
        secrets=("choose Kurt king", "choose Kurt warlord"),
        then="call; reveal Anna; kill king; gold; end; nobody; nobody; nobody; nobody; nobody;"
        " nobody; nobody; unmask Ashley",
    ),
    "robbed, recorded twice or once": _AFTER_A_LIAR._replace(
        secrets=("choose Kurt king", "choose Kurt warlord"),
        then="call; nobody; reveal Ashley; gold; rob king; end; nobody; reveal Ben; gold; end",
        language="ru",
    ),
    "bewitched, recorded twice or once": _AFTER_A_LIAR._replace(
        then="call; reveal Anna; gold; bewitch king; nobody; nobody; reveal Ben; gold;"
        " build manor; end",
        edition="deluxe_2016",
        cast=f"witch thief {MIDDLE}",
    ),
    "blackmailed, recorded twice or once": _AFTER_A_LIAR._replace(
        then="call; nobody; reveal Anna; threats king warlord; real king; gold; end; nobody;"
        " reveal Ben; gold; bribe; end",
        edition="deluxe_2016",
        cast=f"assassin blackmailer {MIDDLE}",
    ),
    "two liars of two": Twins(
        "choose Anna assassin; choose Kurt assassin; choose Anna king",
        ("choose Kurt king", "choose Kurt bishop"),
        "call; reveal Anna; kill thief; gold; end; nobody; nobody; reveal Anna; gold; end",
        players="Anna Kurt",
        knows="Kurt",
    ),
}
"""Pairs for every door: one of the two games has a character recorded twice."""

_ON_PHONES = "faceup bishop architect; choose Anna assassin; choose Kurt king; choose Ben warlord"

_A_LIAR = Twins(
    "faceup bishop architect; choose Anna assassin; choose Kurt thief",
    ("choose Ashley king", "choose Ashley merchant"),
    "",
    knows="Ashley",
    calls=True,
)

CALLED: dict[str, Twins] = {
    "killed, held by somebody or nobody, called without a caller": Twins(
        _ON_PHONES,
        ("choose Ashley thief", "choose Ashley magician"),
        "wait 1; reveal Anna; kill thief; gold; end; wait 5; wait 5",
        knows="Ashley",
        calls=True,
    ),
    "kill one that somebody holds, or nobody, called without a caller": Twins(
        f"{_ON_PHONES}; choose Ashley thief; wait 1; reveal Anna",
        ("kill king", "kill merchant"),
        "gold; end; wait 9; reveal Ashley; gold; rob warlord; end; wait 5",
        calls=True,
    ),
    "rob, called without a caller": Twins(
        f"{_ON_PHONES}; choose Ashley thief; wait 1; reveal Anna; gold; end; reveal Ashley",
        ("rob king", "rob warlord"),
        "gold; end; wait 9",
        knows="Ashley",
        calls=True,
    ),
    "the last to record lies or not, called without a caller": Twins(
        _ON_PHONES,
        ("choose Ashley king", "choose Ashley merchant"),
        "wait 1; reveal Anna; kill thief; gold; end; wait 20; reveal Kurt; gold; end; wait 5",
        knows="Ashley",
        calls=True,
    ),
    "a liar asks for what somebody holds, or nobody, called without a caller": _A_LIAR._replace(
        then="choose Ben king; wait 1; reveal Anna; gold; end; reveal Kurt; gold; end; wait 9;"
        " reveal Ben; gold; end; wait 5",
    ),
    "a liar only asks, called without a caller": _A_LIAR._replace(
        then="choose Ben king; wait 1",
    ),
    "a liar records again after an undo, called without a caller": _A_LIAR._replace(
        then="choose Ben merchant; wait 1; undo; wait 9; choose Ben king; wait 1; undo;"
        " redo; wait 1; reveal Anna; kill king; gold; end; reveal Kurt; gold; end; wait 5",
    ),
}
"""Pairs with each character recorded on its player's phone, and calling without a caller."""


HANDS: dict[str, Twins] = {
    "a hand told in truth or not": Twins(
        "faceup bishop merchant; call",
        (
            "hand Anna add tavern; hand Anna add castle",
            "hand Anna add palace; hand Anna add tavern",
        ),
        "reveal Anna; kill king; gold; build tavern; end; undo; redo; nobody; reveal Ben; gold;"
        " swap Kurt; build temple; end",
    ),
    "a hand told or not": Twins(
        "faceup bishop merchant; call; reveal Anna; gold",
        (
            "hand Anna add tavern; hand Anna add temple",
            "hand Anna add keep; hand Anna remove keep",
        ),
        "build temple; end; undo; redo; nobody; reveal Ben; gold; build tavern; end; nobody",
        language="de",
    ),
    "which cards a Magician put back, said or not": Twins(
        "faceup bishop merchant; call; nobody; nobody; hand Anna add tavern; hand Anna add keep;"
        " hand Anna add market; reveal Anna; gold; redraw 2",
        ("hand Anna answer tavern keep", "hand Anna remove market"),
        "build tavern; end; reveal Kurt; gold; end; nobody",
        language="fr",
    ),
    "a swapped hand, told in truth or not": Twins(
        "faceup bishop merchant; call; nobody; nobody",
        ("hand Anna add tavern; hand Kurt add keep", "hand Anna add palace; hand Anna add keep"),
        "reveal Ben; gold; swap Kurt; build tavern; end; reveal Anna; gold; end",
        knows="Anna Kurt Ben",
    ),
}
"""Pairs in which a player tells their phone another hand, for the wire alone."""


def draw_liars(seed: int) -> Twins:
    """A random round on phones, called without a caller, in which any of the other three may lie.

    It ends in the call of the first rank that Ashley has recorded in one of the games.
    """
    chance = random.Random(seed)
    names = ["Anna", "Kurt", "Ashley", "Ben"]
    cast = f"assassin thief {MIDDLE}".split()
    faceup = chance.sample([card for card in cast if card != "king"], 2)
    hidden_cards = [card for card in cast if card not in faceup]
    owners = dict(zip(chance.sample(hidden_cards, 4), names, strict=True))
    truth = {name: card for card, name in owners.items()}
    secrets = chance.sample(hidden_cards, 2)
    records: dict[str, str] = {}
    then: list[str] = []
    before = [f"faceup {' '.join(faceup)}"]
    moves = before
    *first, last = chance.sample(names, 4)
    for name in [*first, *chance.sample(first, chance.randrange(3)), last]:
        if name != "Ashley":
            records[name] = chance.choice((truth[name], chance.choice(hidden_cards), secrets[0]))
            moves.append(f"choose {name} {records[name]}")
        moves = then if name == "Ashley" else moves
    then += ["wait 0.5", *chance.choice(((), ("undo", "redo")))]
    then += _draw_calling(chance, cast[: min(map(cast.index, secrets))], owners, records)
    return Twins(
        "; ".join(before),
        (f"choose Ashley {secrets[0]}", f"choose Ashley {secrets[1]}"),
        "; ".join(then),
        knows="Ashley",
        secrecy=chance.choice(("secret", "announced")),
        calls=True,
    )


def _draw_calling(
    chance: random.Random, cast: list[str], owners: dict[str, str], records: dict[str, str]
) -> list[str]:
    """The calls of these characters: of those who may show the called one somebody does, not
    necessarily its owner."""
    moves: list[str] = []
    victim, seconds, players = "", 0.5, {"Ashley"}
    for card in cast:
        may = {owners.get(card), *(name for name in records if records[name] == card)}
        who = sorted(name for name in may - players if name)
        if card == victim or not who:
            moves.append(f"wait {PAUSE + 0.2 - seconds}")
            seconds = 0.2
            continue
        name = chance.choice(who)
        players.add(name)
        moves += [f"wait {chance.choice((1, 5))}", f"reveal {name}", "gold"]
        if card == "assassin":
            victim = chance.choice(MIDDLE.split())
            moves.append(f"kill {victim}")
        moves.append("end")
        seconds = 0.0
    return [*moves, "wait 4"]
