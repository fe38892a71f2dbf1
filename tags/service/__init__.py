"""The reader service: one program owns the readers; others are told of taps, and ask for the rest.

``protocol`` is the format of every line, ``hub`` the readers' state and its distribution to
clients, ``server`` the service itself (asyncio), ``client`` one of its readers as a source of
``tags.watch`` events in a thread, ``endpoint`` the private socket and connections to it. The lines
are described in ``docs/reference/reader-service.md``.
"""
