"""Parsing a command's words with argparse, in the words of this program."""

from __future__ import annotations

import argparse
from typing import NoReturn

from companion.commands import CommandError, see
from engine.sentences import Sentence


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are ours: one sentence, and where to read on."""

    def __init__(self, command: str, description: str) -> None:
        super().__init__(prog=f"companion {command}", description=description, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        """Give up on the words. Raises CommandError."""
        raise CommandError(
            Sentence("{prog}: {message}", prog=self.prog, message=message), see(self.prog)
        )
