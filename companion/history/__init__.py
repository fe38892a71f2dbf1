"""What was played here: games, who is who, standings, and the file for another computer."""
