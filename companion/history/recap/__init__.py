"""The recap of a game: who led when, what decided it, and the play for BG Stats."""
