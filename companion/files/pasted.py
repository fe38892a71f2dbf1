"""Records as they come out of chats, mails and word processors."""

from __future__ import annotations

import re

from common.clean import QUOTES

_LONGEST = 65_536  # characters; nobody pastes more, and a hostile file costs twice

_FULL_WIDTH: dict[int, str] = {
    code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if not chr(code).isalpha()
}
_FULL_WIDTH[0xFF1A] = ": "
_BLANKS = dict.fromkeys((0xA0, 0x202F, *range(0x2002, 0x200B), 0x3000), " ")
_NOTHING = dict.fromkeys((0x200B, 0x2060, 0xFEFF, 0x1A), "")
_LINE_ENDS = dict.fromkeys((0x0B, 0x85, 0x2028, 0x2029), "\n")
_QUOTES = str.maketrans({**dict.fromkeys(QUOTES, '"'), "、": ","})
_SIGNS = _FULL_WIDTH | _BLANKS | _NOTHING | _LINE_ENDS | _QUOTES

_FENCE = re.compile(r"\s*(?:```|~~~)")
_BULLET = re.compile(r"(\s*)[•◦‣·*–—−-]\s+(?=\S)")
_KEY = re.compile(r"([A-Z]\w*)(?=[ ]*:)")
_NAMES = re.compile(r"players:\s*([^\[\s].*,.*)")
_SINGLE = re.compile(r"(?<=[\s\[,:])[‘‚]([^‘’\n]*)[’‘](?=[ ]*(?:[,\]\n]|$))")


def tidy(text: str) -> str:
    """The text as the record it was before somebody pasted it: without the fence, the marks of a
    quotation, typographic quotes and blanks, bullets, tabs and capitals at the beginning of keys.
    Lines keep their numbers, unless a line end is one for few programs."""
    if len(text) > _LONGEST:
        return text
    text = _SINGLE.sub(r'"\1"', text.translate(_SIGNS))
    lines = _unquote([line.rstrip() for line in text.splitlines()])
    lines = _unquote(_open_fences(lines))
    return "".join(f"{_tidy_line(line)}\n" for line in lines)


def tidy_move(text: str) -> str:
    """A move as it was before somebody's phone made a sentence of it."""
    return text.translate(_SIGNS).strip(" .")


def _unquote(lines: list[str]) -> list[str]:
    """Without the `>` before every line of a quotation."""
    while any(lines) and all(line.startswith(">") for line in lines if line):
        lines = [line.removeprefix(">").removeprefix(" ") for line in lines]
    return lines


def _open_fences(lines: list[str]) -> list[str]:
    """What stands in fences, of several in all of them; everything if there is nothing in them."""
    inside, outside, is_inside = [], [], False
    for line in lines:
        is_fence = _FENCE.match(line) is not None
        is_inside ^= is_fence
        inside.append(line if is_inside and not is_fence else "")
        outside.append("" if is_fence else line)
    return inside if any(inside) else outside


def _tidy_line(line: str) -> str:
    rest = line.lstrip()
    line = line[: len(line) - len(rest)].expandtabs(2) + rest
    line = _BULLET.sub(r"\1- ", line, count=1) if _BULLET.match(line) else line
    line = _KEY.sub(lambda key: key[1].lower(), line, count=1) if _KEY.match(line) else line
    names = _NAMES.fullmatch(line)
    return f"players: [{names[1]}]" if names else line
