"""The readers of this table: settings, opening them, the reader service, and tap checks."""
