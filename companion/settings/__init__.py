"""Settings: loading, checking, changing during play, saving."""
