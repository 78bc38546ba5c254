"""A proxy between parties that can cut, hold back and split what passes through it.

Every party listens at a port of its own (--listen); the study names ports of the proxy, which forwards to them.
The proxy counts bytes over all connections of a run, and calls a function once when a given number has passed:
the moment of a fault is a place in the run, not a time.
"""
import asyncio
import random
import socket


def free_ports(count):
    """Ports that nobody uses, all different."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Proxy:
    def __init__(self, targets):
        """`targets`: for each party its port at the proxy and its own port."""
        self.targets = targets
        self.passed = 0
        self.strike_at = None
        self.strike = None
        self.split = None  # a random.Random: pieces of random size
        self.delay = None  # a random.Random: pauses between pieces
        self.held = set()  # targets whose connections swallow everything
        self.links = []  # (target, writer, writer)
        self.servers = []

    async def start(self):
        for name, (outer, inner) in self.targets.items():
            self.servers.append(await asyncio.start_server(
                lambda reader, writer, name=name, inner=inner: self.link(name, inner, reader, writer),
                "127.0.0.1", outer))

    async def link(self, name, inner, reader, writer):
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", inner)
        except OSError:
            writer.transport.abort()  # nobody listens there yet: the caller tries again
            return
        self.links.append((name, writer, far_writer))
        await asyncio.gather(self.pump(name, reader, far_writer), self.pump(name, far_reader, writer))

    async def pump(self, name, reader, writer):
        try:
            while True:
                piece = await reader.read(65536)
                if not piece:
                    break
                if self.strike_at is not None and self.passed + len(piece) >= self.strike_at:
                    self.strike_at = None
                    self.strike()
                self.passed += len(piece)
                if name in self.held:
                    continue
                await self.forward(piece, writer)
            writer.close()
        except (OSError, asyncio.CancelledError):
            writer.transport.abort()

    async def forward(self, piece, writer):
        while piece:
            size = self.split.randint(1, 700) if self.split else len(piece)
            writer.write(piece[:size])
            await writer.drain()
            piece = piece[size:]
            if self.delay and self.delay.random() < 0.02:
                await asyncio.sleep(self.delay.uniform(0, 0.03))
            elif self.split:
                await asyncio.sleep(0)

    def cut(self, name):
        """Ends all connections to a party at once, as a broken cable with a reset does."""
        for target, one, other in self.links:
            if target == name:
                one.transport.abort()
                other.transport.abort()

    def hold(self, name):
        """From now on nothing passes to or from a party, and nobody is told."""
        self.held.add(name)

    async def stop(self):
        for server in self.servers:
            server.close()
        for _, one, other in self.links:
            one.transport.abort()
            other.transport.abort()


def drawn(seed, *words):
    return random.Random("/".join(str(word) for word in (seed, *words)))
