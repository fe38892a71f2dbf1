"""Settings: read, checked, changed while playing, remembered."""
