"""Looking back: what each game was, what they add up to, and games carried to another computer."""
