"""The caller's screens and dialogs, one each."""
