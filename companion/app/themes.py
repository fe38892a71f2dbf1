"""The themes of the caller: dark, light, high contrast, and the terminal's own colours.

No colour carries information alone; these only make what is said in words easier to find.
"""

from __future__ import annotations

from pathlib import Path

from textual.theme import Theme

from companion.language import _

STYLES = Path(__file__).with_name("styles")
"""The stylesheets, which name the colours."""


def _theme(name: str, *, dark: bool, names: dict[str, str], **colours: str) -> Theme:
    names = {"chosen-style": "bold", **names}
    return Theme(name=name, dark=dark, variables=names, **colours)  # type: ignore[arg-type]


THEMES = (
    _theme(
        "dark",
        dark=True,
        primary="#d9a441",
        secondary="#7f93b2",
        accent="#d9a441",
        warning="#e8b84b",
        error="#ef7d6b",
        success="#86c58b",
        foreground="#e6e3da",
        background="#12161f",
        surface="#181e2a",
        panel="#222a3a",
        names={
            "quiet": "#93a0b8",
            "mark": "#3d3520",
            "on-mark": "#f4d58a",
            "gold": "#e8bd5c",
            "chosen": "#473c28",
            "refused": "#492f32",
            "edge": "#39455e",
            "noble": "#f0d060",
            "religious": "#82b4f0",
            "trade": "#86c58b",
            "military": "#ef8d7d",
            "unique": "#c9a2e8",
        },
    ),
    _theme(
        "light",
        dark=False,
        primary="#7a4a00",
        secondary="#4a5a78",
        accent="#7a4a00",
        warning="#7a4a00",
        error="#a1281b",
        success="#1f6b34",
        foreground="#1d2230",
        background="#f7f3ea",
        surface="#efe9db",
        panel="#e2dac7",
        names={
            "quiet": "#545e72",
            "mark": "#ecd9a8",
            "on-mark": "#4a2d00",
            "gold": "#7a4a00",
            "chosen": "#e3d4b4",
            "refused": "#f0cfc6",
            "edge": "#b5a988",
            "noble": "#6b5200",
            "religious": "#17498f",
            "trade": "#1f6b34",
            "military": "#a1281b",
            "unique": "#6a2f92",
        },
    ),
    _theme(
        "high-contrast",
        dark=True,
        primary="#ffff00",
        secondary="#ffffff",
        accent="#ffff00",
        warning="#ffff00",
        error="#ffff00",
        success="#ffffff",
        foreground="#ffffff",
        background="#000000",
        surface="#000000",
        panel="#000000",
        names={
            "quiet": "#ffffff",
            "mark": "#ffff00",
            "on-mark": "#000000",
            "gold": "#ffff00",
            "chosen": "#4d4d00",
            "refused": "#404000",
            "edge": "#ffffff",
            "noble": "#ffffff",
            "religious": "#ffffff",
            "trade": "#ffffff",
            "military": "#ffffff",
            "unique": "#ffffff",
        },
    ),
)


def terminal_theme() -> Theme:
    """A theme of only the terminal's foreground and background: which other colours of its palette
    are readable on that background is unknown."""
    from dataclasses import replace

    from textual.theme import BUILTIN_THEMES

    base = BUILTIN_THEMES["ansi-dark"]
    own = "ansi_default"
    names = dict.fromkeys(THEMES[0].variables, own) | {
        "edge": "ansi_bright_black",
        "chosen-style": "bold underline",
    }
    return replace(
        base,
        name="terminal",
        primary=own,
        secondary=own,
        accent=own,
        warning=own,
        error=own,
        success=own,
        variables={**base.variables, **names},
    )


def titles() -> dict[str, str]:
    """The display names of the themes, in the order in which they are offered."""
    return {
        "dark": _("dark"),
        "light": _("light"),
        "high-contrast": _("high contrast"),
        "terminal": _("same as the terminal"),
    }
