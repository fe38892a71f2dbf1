"""A table for Home Assistant: one retained message that says which sensors its topics make.

Home Assistant looks for such messages, and reads the table's own ones from then on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion import __version__
from companion.club.messages import Topic
from companion.language import _

if TYPE_CHECKING:
    from companion.settings.club import ClubAddress

_IS_THERE = "{{ 'online' if value_json.state in ['init', 'ready', 'alert'] else 'offline' }}"
_ROUND = "{{ value_json.state.round }}"
_TURN = "{{ value_json.state.awaiting.player if value_json.state.awaiting else '' }}"
_IS_OVER = "{{ 'ON' if value_json.state.phase == 'over' else 'OFF' }}"


def make_discovery(address: ClubAddress) -> dict[str, Any]:
    """The message for that table, with names in the language of the table."""
    device = Topic(address.club, address.table, "discovery").device
    components = {
        "round": ("sensor", _("Round"), _ROUND),
        "turn": ("sensor", _("Whose turn"), _TURN),
        "over": ("binary_sensor", _("Game over"), _IS_OVER),
    }
    return {
        "device": {"identifiers": [device], "name": address.table, "sw_version": __version__},
        "origin": {"name": "citadels-companion", "sw_version": __version__},
        "availability_topic": Topic(address.club, address.table, "status").text,
        "availability_template": _IS_THERE,
        "state_topic": Topic(address.club, address.table, "state").text,
        "qos": 1,
        "components": {
            key: {
                "platform": platform,
                "unique_id": f"{device}-{key}",
                "name": str(name),
                "value_template": template,
            }
            for key, (platform, name, template) in components.items()
        },
    }
