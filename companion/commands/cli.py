"""`companion`: dispatches to the command and turns errors into exit codes."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

from common.problems import find_nearest
from common.sentences import Sentence, suggest
from companion import __version__, errors, extending
from companion.commands import (
    DONE,
    INTERRUPTED,
    REFUSED,
    CommandError,
    refuse_gone,
    use_table_language,
)
from companion.commands.names import (
    COMMANDS,
    describe,
    find_command,
    find_instead,
    list_below,
    list_names,
)
from companion.errors import UserError
from companion.errors.output import print_error
from companion.files import reason
from companion.language import _, begin_sentence, end_sentence, translate


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that `argv` names (default: `sys.argv`). Returns the exit code."""
    if argv is not None:
        return _run_safely(list(argv))
    errors.catch_all()
    return _run_safely(sys.argv[1:])


def _run_safely(words: list[str]) -> int:
    """Run the command and report what went wrong. Returns the exit code."""
    _open_closed_streams()
    try:
        code = _run(words)
        sys.stdout.flush()
    except UserError as error:
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
    with suppress(Exception):  # errors in the settings are not the subject here
        use_table_language()


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
    if first in _HELP or first == "help":
        print(_help())
        return DONE
    if first in ("-V", "--version"):
        print(f"companion {__version__}")
        return DONE
    if first.startswith("-") or not words:
        words = ["play", *words]
    name, *rest = words
    for former in (" ".join(words[:2]), name):
        if instead := find_instead(former):
            raise refuse_gone(f"companion {former}", instead)
    command = find_command(name)
    if command is None:
        raise _refuse_unknown(name, "companion", _list_top())
    if below := list_below(name):
        if rest[:1] and rest[0] in _HELP:
            print(_help_group(name))
            return DONE
        if not rest:
            problem = Sentence("choose a command: {commands}", commands=", ".join(below))
            raise CommandError.of(f"companion {name}", problem, hint=f"companion {name}")
        command = find_command(f"{name} {rest[0]}")
        if command is None:
            raise _refuse_unknown(rest[0], f"companion {name}", below)
        rest = rest[1:]
    _escape_unencodable()
    try:
        module: Any = import_module(command.module)
    except Exception as error:
        if name in COMMANDS:
            raise
        bringer = extending.find_bringer(name, lambda one: one.commands)
        raise CommandError(extending.explain(bringer, error), code=REFUSED) from None
    code: int = module.run(rest)
    return code


_HELP = ("-h", "--help")


def _list_top() -> list[str]:
    """The commands that are below no other."""
    return [name for name in list_names() if " " not in name]


def _refuse_unknown(word: str, prog: str, names: Iterable[str]) -> CommandError:
    use_table_language()
    print_error(extending.take_problems())  # it may be the command of one that does not work
    problem = Sentence("unknown command “{word}”", word=word)
    return CommandError.of(prog, suggest(problem, find_nearest(word, names)), hint=prog)


def _escape_unencodable() -> None:
    """Escape letters that the terminal's encoding lacks, instead of raising."""
    for stream in (sys.stdout, sys.stderr):
        if (stream.encoding or "").lower().replace("-", "") != "utf8" and hasattr(
            stream, "reconfigure"
        ):
            stream.reconfigure(errors="backslashreplace")


def _help() -> str:
    use_table_language()
    commands = {name: command for name in _list_top() if (command := find_command(name))}
    print_error(extending.take_problems())
    front = [(name, command.what) for name, command in commands.items() if command.in_front]
    others = ", ".join(name for name, command in commands.items() if not command.in_front)
    return "\n".join(
        (
            _("usage: companion [COMMAND] [OPTION ...]"),
            "",
            _("A companion for the card game Citadels."),
            "",
            *_list(front),
            "",
            _("More commands: {names}").format(names=others),
            "",
            _("For more: companion COMMAND --help. The version: companion --version."),
        )
    )


def _help_group(name: str) -> str:
    use_table_language()
    usage = _("usage: companion {name} COMMAND [OPTION ...]").format(name=name)
    about = end_sentence(begin_sentence(Sentence(describe(name))))
    more = _("For more: companion {name} COMMAND --help.").format(name=name)
    rows = [(word, describe(f"{name} {word}")) for word in list_below(name)]
    return "\n".join((usage, "", about, "", *_list(rows), "", more))


def _list(commands: Iterable[tuple[str, str]]) -> Iterator[str]:
    return (f"  {name:12}{translate(Sentence(what))}" for name, what in commands)
