"""The widgets of the caller's screens; each shows a view of the table, independent of others."""
