"""Looking back: single games, statistics over many, and export to another computer."""
