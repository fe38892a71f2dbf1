"""The readers of this table: settings, opening them, the service, and tests of a reader."""
