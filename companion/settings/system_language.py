"""The language that this system speaks to its user, as its environment tells programs."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_CODE = re.compile(r"[a-z]+", re.IGNORECASE)  # of fr_FR.UTF-8, ru-RU, sr@latin


def find_wanted(env: Mapping[str, str], spoken: Sequence[str], otherwise: str = "en") -> str:
    """The first wanted language that is one of `spoken`; `otherwise` where none is.

    Read as gettext does: LANGUAGE lists languages in order, unless the locale is none (`C`).
    """
    locale = next((env[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if env.get(name)), "C")
    several = () if _code(locale) in ("c", "posix") else env.get("LANGUAGE", "").split(":")
    codes = map(_code, (*several, locale))
    return next((code for code in codes if code in spoken), otherwise)


def _code(locale: str) -> str:
    found = _CODE.match(locale)
    return found[0].lower() if found else ""
