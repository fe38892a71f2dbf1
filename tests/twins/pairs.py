"""The table of twins: pairs of games that differ in one secret, and when it becomes public."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, NamedTuple

from engine import record
from engine.record import Record
from engine.referee import Referee
from engine.table import Table
from tests.engine.big_boxes import DELUXE_UNIQUES
from tests.sizes import pick_size

MORE = int(os.environ.get("COMPANION_TWINS", pick_size(0, 0, 20)))
"""The number of random pairs per box and secret, in addition to the table below."""


class Twins(NamedTuple):
    """Two games: `before` and `then` are played in both, `secrets` differ; moves are separated by
    `;`.

    Until the end of `then` only `knows` may be able to distinguish the games; `shown`, if any, is a
    move after which everybody can.
    """

    before: str
    secrets: tuple[str, str]
    then: str
    knows: str = "Anna"
    shown: str = ""
    edition: str = "classic_2016"
    cast: str = ""  # characters that differ from the smallest box's, by rank
    players: str = "Anna Kurt Ashley Ben"
    secrecy: str = "secret"
    language: str = "en"
    more: dict[str, Any] = {}  # noqa: RUF012 - further keys of the record, never changed
    calls: bool = False  # without a caller; only for phones

    @property
    def names(self) -> list[str]:
        """The players, seat by seat."""
        return self.players.split()

    @property
    def head(self) -> dict[str, Any]:
        """The set-up, as the head of a record."""
        head = {"edition": self.edition, "players": self.names, "crown": self.names[1]}
        if self.cast:
            head["characters"] = self.cast.split()
        return {**head, "secrecy": self.secrecy, **self.more}

    def moves(self, which: int) -> list[str]:
        """All moves of one of the two, until the secret becomes public."""
        return [*split(self.before), *split(self.secrets[which]), *split(self.then)]

    @property
    def since(self) -> int:
        """The number of moves up to and including the secret."""
        return len(split(self.before)) + len(split(self.secrets[0]))

    def record(self, which: int, moves: int | None = None) -> Record:
        """One of the two as a record of `moves` moves."""
        return record.read({**self.head, "moves": self.moves(which)[:moves]})

    def may_show(self, before: Table, after: Table) -> bool:
        """Whether the move between these tables may make either game's victim public: its rank is
        called, or the called character is revealed."""
        text = after.rules.by_rank.get(after.called, "")
        victims = [name for secret in self.secrets for name in secret.split()[1:]]
        is_reached = after.called != before.called or after.stage != before.stage
        return not self.secrets[0].startswith("choose") and text in victims and is_reached

    def is_near(self, view: Table) -> bool:
        """Whether one move, with the forced moves after it, may make either secret public: its
        victim's rank is next, or its marker is asked for."""
        if view.questions:
            return view.questions[-1].kind in ("warrant", "expose")
        verb, *victims = " ".join(self.secrets).split()
        if verb not in ("kill", "rob") or not view.called:
            return False
        ahead = [view.called] if verb == "rob" else []
        for rank in range(view.called + 1, max(view.rules.by_rank) + 1):
            ahead.append(rank)
            if view.rules.by_rank[rank] not in (view.faceup or ()):
                break
        return any(view.rules.by_rank[rank] in victims for rank in ahead)

    def strangers(self) -> list[int | None]:
        """The viewers who may not know: the public (None), and each player but one."""
        seats = [seat for seat, name in enumerate(self.names) if name not in self.knows.split()]
        return [None, *seats]


def split(moves: str) -> list[str]:
    """Split a text at `;` into moves."""
    return [move.strip() for move in moves.split(";") if move.strip()]


def tables(twins: Twins, which: int) -> Iterator[Table]:
    """The true tables of one of the two, from its secret on."""
    referee = Referee(twins.record(which, 0).start)
    for place, move in enumerate(twins.moves(which), start=1):
        referee.play(move)
        if place >= twins.since:
            yield referee.table


MIDDLE = "magician king bishop merchant architect warlord"
OPENING = "faceup bishop magician; call"
EARLIER = (
    f"{OPENING}; nobody; nobody; nobody; nobody; nobody; reveal Kurt; gold; bonus; end; nobody;"
    f" nobody; {OPENING}; nobody; nobody; nobody; nobody; nobody; reveal Kurt; gold; bonus;"
    " build {}; end; nobody; nobody; faceup bishop magician"
)
"""Two rounds in which Kurt, who has the crown, builds the districts he needs."""

TWINS: dict[str, Twins] = {
    "kill": Twins(
        f"{OPENING}; reveal Anna",
        ("kill merchant", "kill architect"),
        "gold; build temple; end; reveal Kurt; rob king; gold; end; nobody; reveal Ben; gold;"
        " build tavern; end",
        shown="nobody",
    ),
    "kill one that somebody holds, or nobody": Twins(
        "faceup bishop magician; choose Ashley merchant; choose Ben king; call; reveal Anna",
        ("kill merchant", "kill architect"),
        "cards; end; nobody; nobody; reveal Ben; gold; end",
        knows="Anna",
        shown="nobody",
        language="fr",
    ),
    "kill, with a Blackmailer": Twins(
        f"{OPENING}; reveal Anna",
        ("kill architect", "kill warlord"),
        "gold; end; reveal Kurt; gold; threats king merchant; real king; end; nobody; reveal Ben;"
        " gold; bribe; build tavern; end; nobody; reveal Ashley; gold; refuse; spare",
        shown="end",
        edition="deluxe_2016",
        cast=f"assassin blackmailer {MIDDLE}",
    ),
    "kill, with a Hospital": Twins(
        f"{EARLIER.format('hospital')}; call; reveal Anna",
        ("kill merchant", "kill architect"),
        "gold; end; nobody; nobody; nobody",
        shown="nobody",
        edition="ffg_2005",
    ),
    "kill, without cities": Twins(
        f"{OPENING}; reveal Anna",
        ("kill king", "kill warlord"),
        "gold; end; nobody",
        shown="nobody",
        more={"options": {"cities": "untracked"}},
    ),
    "kill, of two": Twins(
        "choose Anna assassin; choose Kurt king; call; reveal Anna",
        ("kill king", "kill bishop"),
        "gold; end; reveal Kurt; gold; end",
        shown="nobody",
        players="Anna Kurt",
    ),
    "rob": Twins(
        f"{OPENING}; nobody; reveal Kurt; gold",
        ("rob merchant", "rob warlord"),
        "build watchtower; end; nobody; reveal Ben; cards; end; nobody; nobody; nobody",
        knows="Kurt",
        shown="reveal Ashley",
        language="ru",
    ),
    "rob, in the Thief's place": Twins(
        f"{OPENING}; reveal Anna; gold; bewitch thief; reveal Kurt; gold",
        ("rob king", "rob warlord"),
        "end; nobody",
        shown="reveal Ben",
        edition="millennium_3e",
        cast=f"witch thief {MIDDLE}",
    ),
    "choose": Twins(
        "faceup bishop magician; choose Kurt thief",
        ("choose Anna king", "choose Anna warlord"),
        "choose Ben assassin; call; reveal Ben; kill merchant; gold; end; reveal Kurt; gold;"
        " rob king; end; nobody; nobody; nobody; nobody; nobody; reveal Ashley; gold; end;"
        " faceup thief bishop",
        secrecy="announced",
        language="ru",
    ),
    "choose, in secret games": Twins(
        "faceup bishop magician",
        ("choose Kurt king", "choose Kurt merchant"),
        "call; reveal Anna; kill architect; gold; end; nobody; nobody; reveal Ben; gold; end;"
        " nobody; nobody; nobody; nobody; faceup thief bishop",
        knows="Kurt",
    ),
    "choose twice, of two": Twins(
        "choose Anna assassin; choose Kurt king",
        ("choose Anna thief; choose Kurt bishop", "choose Anna bishop; choose Kurt thief"),
        "call; reveal Anna; kill warlord; gold; end; nobody; nobody; reveal Kurt; gold; end",
        players="Anna Kurt",
        knows="Anna Kurt",
        secrecy="announced",
    ),
    "who holds which": Twins(
        "faceup bishop magician",
        ("choose Kurt king; choose Ben thief", "choose Kurt thief; choose Ben king"),
        "call; nobody; reveal Ashley; gold; rob merchant; end; nobody; reveal Anna; gold; end;"
        " nobody; nobody",
        knows="Kurt Ben",
    ),
    "held by somebody, or by nobody, killed": Twins(
        "faceup bishop magician",
        ("choose Kurt king", "choose Kurt warlord"),
        "call; reveal Anna; kill king; gold; end; nobody; nobody; nobody; nobody; nobody; nobody;"
        " nobody; unmask Ben",
        knows="Kurt",
        secrecy="announced",
        language="fr",
    ),
    "held by somebody, or by nobody, bewitched": Twins(
        "faceup bishop magician",
        ("choose Ben king", "choose Ben architect"),
        "call; reveal Anna; gold; bewitch king; nobody; nobody; reveal Kurt; gold; build manor;"
        " end; nobody",
        knows="Ben",
        edition="deluxe_2016",
        cast=f"witch thief {MIDDLE}",
    ),
    "chosen before the Theater": Twins(
        EARLIER.format("theater"),
        ("choose Kurt king", "choose Kurt warlord"),
        "use theater Ben; call; reveal Anna; kill merchant; gold; end; nobody; nobody; nobody",
        knows="Kurt Ben",
        edition="deluxe_2016",
        more={
            "districts": ["theater", *DELUXE_UNIQUES[:2], *DELUXE_UNIQUES[3:]],
        },
    ),
    "signed": Twins(
        "faceup bishop merchant; call; reveal Anna; warrants thief king architect",
        ("signed king", "signed architect"),
        "gold; end; reveal Ben; gold; rob warlord; end; nobody; reveal Kurt; gold; build temple;"
        " spare; end; nobody; nobody; reveal Ashley; gold; build tavern",
        shown="confiscate",
        edition="deluxe_2016",
        cast=f"magistrate thief {MIDDLE}",
        language="ru",
    ),
    "signed, but nothing can be taken": Twins(
        "faceup bishop merchant; call; reveal Anna; warrants thief king architect",
        ("signed king", "signed architect"),
        "gold; build temple; end; nobody; nobody; reveal Kurt; gold; build temple; spare; end",
        edition="deluxe_2016",
        cast=f"magistrate thief {MIDDLE}",
    ),
    "real": Twins(
        "faceup bishop merchant; call; nobody; reveal Anna; threats king architect",
        ("real king", "real architect"),
        "gold; end; nobody; reveal Kurt; gold; bribe; build tavern; end; nobody; nobody;"
        " reveal Ben; gold; refuse",
        shown="expose",
        edition="deluxe_2016",
        cast=f"assassin blackmailer {MIDDLE}",
        language="fr",
    ),
}
