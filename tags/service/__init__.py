"""The reader service: readers owned by one program, their taps published to many.

``protocol`` is the form of every line, ``journal`` what was published and what lies where,
``server`` the service itself (asyncio), ``client`` a source of ``tags.watch`` events in a thread,
``link`` a client's connection, ``endpoint`` the private place where the two meet.  The lines are
described in ``docs/reader-service.md``.
"""
