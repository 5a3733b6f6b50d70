"""The WebSocket edge: sockets, frames and limits; knows nothing of duels."""

from samedeal_server.net.connection import Connection, Peer
from samedeal_server.net.edge import EdgeServer, listen
from samedeal_server.net.forwarding import ForwardedHeader, Forwarding, network_of
from samedeal_server.net.frames import text_frame
from samedeal_server.net.gate import Gate, Turned
from samedeal_server.net.http import HttpReply
from samedeal_server.net.limits import EdgeLimits
from samedeal_server.net.tls import TlsFiles, TlsUnusable

__all__ = [
    "Connection",
    "EdgeLimits",
    "EdgeServer",
    "ForwardedHeader",
    "Forwarding",
    "Gate",
    "HttpReply",
    "Peer",
    "TlsFiles",
    "TlsUnusable",
    "Turned",
    "listen",
    "network_of",
    "text_frame",
]
