"""A game looked back at: who led when, what it was decided by, and the play handed to BG Stats."""
