"""The line caller, `companion play --plain`: moves and answers are lines."""
