"""The WebSocket edge: sockets, frames and limits; knows nothing of duels."""

from samedeal_server.net.connection import Connection, Peer
from samedeal_server.net.edge import EdgeServer, listen
from samedeal_server.net.frames import text_frame
from samedeal_server.net.http import HttpReply
from samedeal_server.net.limits import EdgeLimits

__all__ = [
    "Connection",
    "EdgeLimits",
    "EdgeServer",
    "HttpReply",
    "Peer",
    "listen",
    "text_frame",
]
