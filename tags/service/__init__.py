"""The reader service: one program owns the readers and publishes their taps to many.

``protocol`` is the format of every line, ``hub`` the readers' state and its distribution to
clients, ``server`` the service itself (asyncio), ``client`` a source of ``tags.watch`` events in a
thread, ``release`` a reader released by the service, ``link`` a client's connection, ``endpoint``
the private socket. The lines are described in ``docs/reference/reader-service.md``.
"""
