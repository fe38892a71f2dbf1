"""A club: many tables that show their games on one wall, and whose results make a league."""
