"""Inputs for every position of the twins: legal, illegal and misspelt moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from engine.moves import GRAMMAR, Move, UnknownMove, parse
from engine.referee import list_legal_moves
from engine.rules import find_menu
from engine.table import Table
from tests.sizes import pick_size

DECIDED = ("confiscate", "expose")
"""Moves whose legality depends on a secret, if nothing public forbids them, and so reveal it: only
their player may make them."""

_MOST = pick_size(5, 6, 18)  # moves of one form of a verb, spread over its words
_FEW = pick_size(1, 2, 2)  # moves of a form not offered


def moves(view: Table) -> Iterator[Move]:
    """Moves of every verb and form, for a public view of a table."""
    rules = view.rules
    names = rules.player_names
    districts = [card.id for seat in view.seats for card in seat.city.cards]
    words: dict[str, Sequence[str]] = {
        "P": names,
        "C": rules.cast,
        "D": list(
            dict.fromkeys(["tavern", "temple", "palace", *rules.uniques[:1], *districts[:2]])
        ),
        "M": ("decorated",),
        "T": ("noble",),
        "N": ("0", "1"),
    }
    lines = {move.verb for move in list_legal_moves(view)}
    for verb, forms in GRAMMAR.items():
        if verb in DECIDED and verb in lines:
            continue
        most = _MOST if verb in find_menu(view).by_verb else _FEW
        for form in forms:
            kinds = [kind.removesuffix("...") for kind in form.split()]
            every_args = list(product(*(words.get(kind, (kind,)) for kind in kinds)))
            for args in every_args[:: 1 + len(every_args) // most]:
                texts = (f'"{word}"' if " " in word else word for word in args)
                try:
                    yield parse(" ".join((verb, *texts)), rules.vocabulary)
                except UnknownMove:
                    continue


MISSPELT = (
    *("kil merchnt", "klil king", "kill m", "rob", "rob a", "ro architct", "tuer marchan"),
    *("choose Ben", "chose Kurt kin", "choisir Ben roi", "king", "merchant", "архитектор"),
    *("reveal Bne", "threats thief", "signed", "real ki", "build tavrn", "destroy Ben"),
    *("spare it", "gld", "nobdy", "unmask", "x", "\N{REPLACEMENT CHARACTER}"),
)
"""Invalid or incomplete lines."""


def misspell(secret: str) -> Iterator[str]:
    """Misspelt versions of the secret, each followed by the input that cancels it."""
    verb, *words = secret.split()
    yield " ".join((verb[0] + verb[2:], *(word[:-2] + word[-1] for word in words)))
    yield "."
    yield " ".join((verb, *words[:-1], words[-1][::-1]))
    yield "."
    yield words[-1][:-2]
    yield "."
