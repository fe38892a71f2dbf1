"""The caller's screens and dialogs, one per module."""
