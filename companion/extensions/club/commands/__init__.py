"""`companion club`: many tables that meet at a hub, and their league."""
