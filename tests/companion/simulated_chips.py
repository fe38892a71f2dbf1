"""The commands about chips, each in a new process, and the simulated chips that outlast it."""

from __future__ import annotations

import os
from pathlib import Path

import ndef

from tags.type2 import Type2
from tests.companion.listening import companion, complaints
from tests.rigs.chips import NTAG213, NTAG216, Ntag
from tests.rigs.kept_chips import FILE, ChipFile

FIRST, SECOND, THIRD, FOURTH = (f"04A2B3C4D5E68{n}" for n in (0, 1, 2, 7))
GREETINGS = {"learn": 4, "write": 4, "check": 1, "lock": 1, "write --empty": 1}


def walk(command: str, *lines: str, code: int = 0, words: tuple[str, ...] = ()) -> list[str]:
    """The answers to these lines, without the greeting and the progress."""
    text = "\n".join(lines) + "\n"
    result = companion("tags", *command.split(), "--reader", "simulated", *words, stdin=text)
    assert "Traceback" not in result.stderr
    assert result.returncode == code, result.stderr
    names = result.stdout.splitlines()
    assert complaints([line for line in names if " play " not in line]) == []
    return names[GREETINGS[command] :]


def kept() -> str:
    """The file of the chips, which the fixture `kept_chips` names."""
    return os.environ[FILE]


def records(uid: str) -> list[ndef.Record]:
    """The records on the simulated chip, as any phone reads them."""
    chip = ChipFile(kept()).chip(bytes.fromhex(uid), b"")
    chip.select()

    def exchange(command: bytes) -> bytes:
        answer = chip.command(command)
        assert answer is not None
        return answer

    return list(ndef.message_decoder(Type2(exchange).read()))


def put(uid: str, message: bytes | None) -> None:
    """Put that message on the simulated chip; None leaves it blank."""
    model = NTAG213 if message is None or len(message) < 140 else NTAG216
    ChipFile(kept()).save(Ntag(bytes.fromhex(uid), message, model))


def learned(**chips: str) -> None:
    """Write the mapping of these chips, by id."""
    text = "chips:\n" + "".join(f'  "{uid}": {entry}\n' for uid, entry in chips.items())
    path = Path(os.environ["COMPANION_DATA"]) / "tags.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
