"""The smallest event-stream server with asyncio: the yardstick of `bench_phones.py`.

A GET opens a stream, a POST sends all of them an event of so many bytes. Prints its address.

    python tests/bench/smallest_stream.py BYTES
"""

from __future__ import annotations

import asyncio
import json
import sys

STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nid: 0\ndata: {}\n\n"
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{}"


async def serve(size: int) -> None:
    """Serve until killed."""
    event = b"id: 1\ndata: " + b"x" * size + b"\n\n"
    streams: list[asyncio.StreamWriter] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        if head.startswith(b"GET"):
            writer.write(STREAM)
            streams.append(writer)
            return
        for stream in streams:
            stream.write(event)
        writer.write(ANSWER)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    print(json.dumps({"url": f"http://{host}:{port}/", "code": ""}), flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
