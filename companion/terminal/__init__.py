"""The terminal as lines: line input, echo control, events beside it, waiting for any key."""
