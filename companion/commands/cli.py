"""`companion`: dispatches to the command and turns errors into exit codes."""

from __future__ import annotations

import errno
import os
import sys

from common.sentences import N_, Sentence
from companion import errors
from companion.commands import (
    DONE,
    INTERRUPTED,
    REFUSED,
    CommandError,
    import_quickly,
    use_table_language,
)
from companion.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

COMMANDS = {
    "play": N_("play at the table (the default): full screen, or line by line with --plain"),
    "demo": N_("a demonstration game that plays itself"),
    "host": N_("a game for phones, on a computer that needs no screen"),
    "club": N_("many tables on one wall, and their league"),
    "replay": N_("replay a record and show the table"),
    "score": N_("the scores of the last game, or of a file"),
    "recap": N_("a recap of a game, round by round"),
    "bgstats": N_("a finished game for the BG Stats app: a link and its QR code"),
    "card": N_("what a card does"),
    "editions": N_("the boxes you can play, and how two of them differ"),
    "record": N_("a game as a record file"),
    "history": N_("the games of this table, newest first"),
    "stats": N_("statistics: players, cards, boxes and records"),
    "person": N_("one person: results against chance, characters, rival and nemesis"),
    "year": N_("a year at this table"),
    "season": N_("points by place and ratings, for any period"),
    "players": N_("who has played here; renames players and merges two names"),
    "export": N_("exports games, names and chips as one file"),
    "import": N_("imports such a file from another computer"),
    "tags": N_(
        "the chips: learn, write, verify, inventory, lock, erase, list, key, export, import"
    ),
    "labels": N_("printable labels for the chips, reference cards and braille"),
    "doctor": N_("the readers: which ones there are, what is wrong, a test with taps"),
    "voice": N_("the voices on this computer, with a test sentence in each language"),
    "daemon": N_("the reader service: lets several programs share the readers"),
    "completion": N_("completes commands, options and card names in your shell"),
}
"""Every command with its description; each is a module of `companion.commands`."""

_WITH_THREADS = frozenset({"play", "demo", "host", "tags", "doctor", "voice", "daemon"})
"""The commands that start threads; the others answer and leave nothing running."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that `argv` names (default: `sys.argv`). Returns the exit code."""
    if argv is not None:
        return _run_safely(list(argv))
    words = sys.argv[1:]
    only_answers = words[:1] in (["-h"], ["--help"], ["-V"], ["--version"]) or (
        words[:1] != [] and words[0] in COMMANDS and words[0] not in _WITH_THREADS
    )
    errors.catch_all(threads=not only_answers)
    code = _run_safely(words)
    if only_answers:
        _leave_at_once(code)
    return code


def _leave_at_once(code: int) -> NoReturn:
    """End the process without taking every module apart, a tenth of a short command's time."""
    import atexit

    atexit._run_exitfuncs()
    os._exit(code)


def _run_safely(words: list[str]) -> int:
    """Run the command and report what went wrong. Returns the exit code."""
    _open_closed_streams()
    try:
        code = _run(words)
        sys.stdout.flush()
    except UserError as error:
        from companion.errors.output import print_error

        _set_language()  # bad arguments are reported before the settings are read
        print_error(error.lines)
        return error.code
    except SystemExit as leaving:  # argparse, after --help
        return leaving.code if isinstance(leaving.code, int) else DONE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()  # the reader of our output has closed it
        return DONE
    except OSError as error:
        if error.errno not in _CANNOT_WRITE or error.filename is not None:
            return _report_failure(error)
        from companion.errors.output import print_error
        from companion.files import reason

        _discard_output()
        print_error([Sentence("companion: standard output: {reason}", reason=reason(error))])
        return REFUSED
    except Exception as error:
        return _report_failure(error)
    return code


def _report_failure(error: Exception) -> int:
    """Report an unexpected error. Returns the exit code."""
    _set_language()
    errors.tell(error)
    return REFUSED if isinstance(error, OSError) else errors.MISTAKE


def _set_language() -> None:
    """Set the table's language, if the settings can be read."""
    try:  # noqa: SIM105 - contextlib is not worth its import here
        use_table_language()
    except Exception:  # errors in the settings are not the subject here
        pass


_CANNOT_WRITE = (errno.ENOSPC, errno.EIO)
"""Errors of standard output; for our own files they are reported where they are written."""


def _open_closed_streams() -> None:
    """Replace a closed standard output or error (`>&-`) by the null device."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            nowhere = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - until exit
            setattr(sys, name, nowhere)


def _discard_output() -> None:
    """Discard unwritten output; otherwise Python would complain on exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(words: list[str]) -> int:
    first = words[0] if words else ""
    if first in ("-h", "--help", "help"):
        print(_help())
        return DONE
    if first in ("-V", "--version"):
        from companion import __version__

        print(f"companion {__version__}")
        return DONE
    if first.startswith("-") or not words:
        words = ["play", *words]
    elif first not in COMMANDS:
        from common.problems import find_nearest
        from common.sentences import suggest

        problem = Sentence("unknown command “{word}”", word=first)
        near = find_nearest(first, COMMANDS)
        raise CommandError.of("companion", suggest(problem, near), hint="companion")
    _escape_unencodable()
    code: int = import_quickly(f"companion.commands.{words[0]}").run(words[1:])
    return code


def _escape_unencodable() -> None:
    """Escape letters that the terminal's encoding lacks, instead of raising."""
    for stream in (sys.stdout, sys.stderr):
        if (stream.encoding or "").lower().replace("-", "") != "utf8" and hasattr(
            stream, "reconfigure"
        ):
            stream.reconfigure(errors="backslashreplace")


def _help() -> str:
    from companion.language import _, translate

    use_table_language()
    rows = (f"  {name:12}{translate(Sentence(what))}" for name, what in COMMANDS.items())
    return "\n".join(
        (
            _("usage: companion [COMMAND] [OPTION ...]"),
            "",
            _("A companion for the card game Citadels."),
            "",
            *rows,
            "",
            _("For more: companion COMMAND --help. The version: companion --version."),
        )
    )
