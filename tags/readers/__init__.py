"""Reader drivers, each behind the small protocol of ``tags.readers.base``."""
