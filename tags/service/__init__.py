"""The reader service: readers owned by one program, their taps published to many.

``protocol`` is the form of every line, ``hub`` what lies where and who is told of it, ``server``
the service itself (asyncio), ``client`` a source of ``tags.watch`` events in a thread, ``release``
a reader that the service lets go of, ``link`` a client's connection, ``endpoint`` the private place
where the two meet.  The lines are described in ``docs/reader-service.md``.
"""
