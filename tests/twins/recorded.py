"""Twins whose players record their characters, and some of them lie: they record what they do not
hold, or what somebody else has recorded. `wait` takes seconds, and the crowned player undoes."""

from __future__ import annotations

from tests.twins.pairs import MIDDLE, Twins

LIARS: dict[str, Twins] = {
    "choose, recorded by a liar as well": Twins(
        "faceup bishop magician; choose Kurt thief",
        ("choose Anna king", "choose Anna warlord"),
        "choose Ben king; choose Ashley warlord; choose Ben warlord; call; nobody; reveal Kurt;"
        " gold; end; nobody; reveal Ashley; gold; end; nobody; nobody; reveal Ben; gold; end",
        secrecy="announced",
    ),
    "recorded after a liar": Twins(
        "faceup bishop magician; choose Ben king",
        ("choose Kurt king", "choose Kurt merchant"),
        "choose Ben king; call; nobody; nobody; nobody; reveal Ben; gold; end; nobody",
        knows="Kurt",
        language="fr",
    ),
    "killed, recorded twice or once": Twins(
        "faceup bishop magician; choose Ben king",
        ("choose Kurt king", "choose Kurt warlord"),
        "call; reveal Anna; kill king; gold; end; nobody; nobody; nobody; nobody; nobody; nobody;"
        " nobody; unmask Ashley",
        knows="Kurt",
    ),
    "robbed, recorded twice or once": Twins(
        "faceup bishop magician; choose Ben king",
        ("choose Kurt king", "choose Kurt warlord"),
        "call; nobody; reveal Ashley; gold; rob king; end; nobody; reveal Ben; gold; end",
        knows="Kurt",
        language="ru",
    ),
    "bewitched, recorded twice or once": Twins(
        "faceup bishop magician; choose Ben king",
        ("choose Kurt king", "choose Kurt architect"),
        "call; reveal Anna; gold; bewitch king; nobody; nobody; reveal Ben; gold; build manor; end",
        knows="Kurt",
        edition="deluxe_2016",
        cast=f"witch thief {MIDDLE}",
    ),
    "blackmailed, recorded twice or once": Twins(
        "faceup bishop magician; choose Ben king",
        ("choose Kurt king", "choose Kurt architect"),
        "call; nobody; reveal Anna; threats king warlord; real king; gold; end; nobody; reveal Ben;"
        " gold; bribe; end",
        knows="Kurt",
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
    "a liar asks for what somebody holds, or nobody, called without a caller": Twins(
        "faceup bishop architect; choose Anna assassin; choose Kurt thief",
        ("choose Ashley king", "choose Ashley merchant"),
        "choose Ben king; wait 1; reveal Anna; gold; end; reveal Kurt; gold; end; wait 9;"
        " reveal Ben; gold; end; wait 5",
        knows="Ashley",
        calls=True,
    ),
    "a liar only asks, called without a caller": Twins(
        "faceup bishop architect; choose Anna assassin; choose Kurt thief",
        ("choose Ashley king", "choose Ashley merchant"),
        "choose Ben king; wait 1",
        knows="Ashley",
        calls=True,
    ),
    "a liar records again after an undo, called without a caller": Twins(
        "faceup bishop architect; choose Anna assassin; choose Kurt thief",
        ("choose Ashley king", "choose Ashley merchant"),
        "choose Ben merchant; wait 1; undo; undo; wait 9; choose Ben king; wait 1; undo; undo;"
        " redo; redo; wait 1; reveal Anna; kill king; gold; end; reveal Kurt; gold; end; wait 5",
        knows="Ashley",
        calls=True,
    ),
}
"""Pairs with each character recorded on its player's phone, and calling without a caller."""
