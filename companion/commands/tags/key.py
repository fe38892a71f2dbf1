"""`companion tags key`: the meanings of the action and number chips, for print or braille."""

from __future__ import annotations

from textwrap import wrap

from companion import language
from companion.chips import words as chip_actions
from companion.commands import DONE
from companion.errors.output import answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from companion.settings.config import Config


def run(config: Config, width: int | None) -> int:
    """Print the key in the table's language, wrapped to `width` columns."""
    language.use(config.language)
    for line in chip_actions.list_action_chips():
        answer(wrap(line, width) if width else [line])
    return DONE
