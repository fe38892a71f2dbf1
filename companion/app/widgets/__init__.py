"""The parts of the caller's screens; each shows a view of the table and knows of no other."""
