"""A conversation with one player: only this player's moves and knowledge, hidden from others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.game.conversation import Conversation
from companion.game.modes import MODES
from engine import record
from tests.companion.talking import FOUR, Notebook, Talk
from tests.twins.pairs import TWINS

SELECTED = "faceup bishop merchant"


class Seats(Talk):
    """A game with the table's conversation and one for each player; Kurt has the crown."""

    def __init__(
        self,
        folder: Path,
        moves: str = "",
        secrecy: str = "announced",
        setup: dict[str, Any] | None = None,
    ) -> None:
        setup = setup or {"players": list(FOUR), "crown": "Kurt", "secrecy": secrecy}
        super().__init__(folder, record.read_setup(setup), moves)
        self.faces = [Notebook() for _seat in FOUR]
        self.own = [
            Conversation(self.session, face, MODES, seat=seat)
            for seat, face in enumerate(self.faces)
        ]

    def offered(self, seat: int) -> list[str]:
        return [row.label for row in self.own[seat].asked.offer.rows]

    def choose(self, seat: int, label: str) -> None:
        talk = self.own[seat]
        talk.take(next(row for row in talk.asked.offer.rows if row.label.startswith(label)))

    def take(self, seat: int, verb: str) -> None:
        """Open the list of that verb."""
        talk = self.own[seat]
        rows = (row for row in talk.asked.offer.rows if row.moves and row.moves[0].verb == verb)
        talk.take(next(rows))

    def told(self, seat: int) -> list[str]:
        messages, self.faces[seat].messages[:] = list(self.faces[seat].messages), []
        return [line for message in messages for line in message.lines]


def test_everybody_records_a_choice_of_ones_own(tmp_path: Path) -> None:
    seats = Seats(tmp_path, SELECTED)
    assert seats.own[0].asked.question == "Which card did you take?"
    assert seats.offered(0) == ["Assassin", "Thief", "Magician", "King", "Architect", "Warlord"]
    seats.choose(0, "King")
    assert seats.own[0].view.seats[0].chosen == ("king",)
    assert not any(talk.view.seats[0].chosen for talk in seats.own[1:])
    assert seats.told(0) == ["Anna has chosen a character."]
    assert not any(seats.told(seat) for seat in (1, 2, 3))


def test_the_theater_is_its_owner_s_to_use(tmp_path: Path) -> None:
    twins = TWINS["chosen before the Theater"]
    moves = twins.before.replace("reveal Kurt", "reveal Anna")
    seats = Seats(tmp_path, f"{moves}; choose Anna king; choose Ben warlord", setup=twins.head)
    assert seats.session.view.crown == 1
    assert not any("Theater" in label for seat in (1, 2, 3) for label in seats.offered(seat))
    seats.take(0, "use")
    seats.choose(0, "Ben")
    assert seats.own[0].view.seats[0].chosen == ("warlord",)


def test_the_call_is_left_to_the_conversation_of_the_table(tmp_path: Path) -> None:
    seats = Seats(tmp_path, SELECTED)
    assert not any("call" in label for seat in range(4) for label in seats.offered(seat))
    assert "call" in [move.text for move in seats.own[1].legal]  # which his own crown chip makes


def test_only_the_awaited_player_has_moves_in_a_turn(tmp_path: Path) -> None:
    seats = Seats(tmp_path, f"{SELECTED}; call; reveal Anna; gold")
    assert [bool(seats.offered(seat)) for seat in range(4)] == [True, False, False, False]


def test_a_secret_kill_is_known_to_its_player_alone(tmp_path: Path) -> None:
    seats = Seats(tmp_path, f"{SELECTED}; call; reveal Anna; gold", secrecy="secret")
    seats.take(0, "kill")
    seats.choose(0, "King")
    assert [talk.view.marks.killed for talk in seats.own] == ["king", None, None, None]
    assert seats.conversation.view.marks.killed is None
    assert seats.told(0)[-1] == "Anna murders the King."
    assert not any(seats.told(seat) for seat in (1, 2, 3))


def test_lists_close_where_another_face_has_played(tmp_path: Path) -> None:
    seats = Seats(tmp_path, f"{SELECTED}; call; reveal Anna; gold")
    seats.take(0, "kill")
    assert seats.own[0].stack
    seats.line("kill king")
    assert "End the turn" in seats.offered(0)
    assert not seats.own[0].stack


def test_somebody_choosing_in_private_is_left_alone_while_others_choose(tmp_path: Path) -> None:
    seats = Seats(tmp_path, SELECTED)
    seats.line("choose Ben")
    assert seats.conversation.chooser is not None
    seats.choose(0, "King")
    assert seats.conversation.asked.private
    seats.session.play("call")
    assert not seats.conversation.asked.private
