"""The system's language, from the locale variables of the environment."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_CODE = re.compile(r"[a-z]+", re.IGNORECASE)  # of fr_FR.UTF-8, ru-RU, sr@latin


def find_wanted(env: Mapping[str, str], spoken: Sequence[str]) -> str:
    """The first preferred language that is one of `spoken`; English if none is.

    Follows gettext: LANGUAGE lists languages in order, unless the locale is `C`.
    """
    locale = next((env[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if env.get(name)), "C")
    several = () if _code(locale) in ("c", "posix") else env.get("LANGUAGE", "").split(":")
    codes = map(_code, (*several, locale))
    return next((code for code in codes if code in spoken), "en")


def _code(locale: str) -> str:
    found = _CODE.match(locale)
    return found[0].lower() if found else ""
