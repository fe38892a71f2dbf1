"""The terminal as lines: what is typed, whether it shows, what comes in beside it, any key."""
