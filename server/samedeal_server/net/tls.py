"""Certificate and key for `wss`, with what is wrong about them in words."""

from __future__ import annotations

import ssl
from pathlib import Path

__all__ = ["TlsFiles", "TlsUnusable"]


class TlsUnusable(Exception):
    """The certificate or the key can't be used: which file, and why."""


class TlsFiles:
    """A pair of PEM files, and the context that serves them."""

    def __init__(self, cert: Path, key: Path) -> None:
        """`cert` is the server's certificate with those of the authorities between it and the
        root; `key` is its private key, without a pass phrase. Raises TlsUnusable."""
        self._cert = cert
        self._key = key
        self.context = self._load()

    def load_anew(self) -> None:
        """For connections from now on; nothing changes if the files can't be used (TlsUnusable)."""
        self._load()
        self._fill(self.context)

    def _load(self) -> ssl.SSLContext:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        # A client offers http/1.1 or nothing; nobody may be led to expect HTTP/2 here.
        context.set_alpn_protocols(["http/1.1"])
        self._fill(context)
        return context

    def _fill(self, context: ssl.SSLContext) -> None:
        for path, what in ((self._cert, "certificate"), (self._key, "key")):
            try:
                path.open("rb").close()
            except OSError as error:
                raise TlsUnusable(f"the {what} {path} can't be read: {error.strerror}") from error
        try:
            # Without a callback OpenSSL would ask the terminal.
            context.load_cert_chain(self._cert, self._key, password=_no_pass_phrase)
        except _HasPassPhrase:
            raise TlsUnusable(f"the key {self._key} has a pass phrase: save it without") from None
        except ssl.SSLError as error:
            if error.reason == "KEY_VALUES_MISMATCH":
                why = f"the key {self._key} does not belong to the certificate {self._cert}"
            else:
                why = f"{self._cert} and {self._key} are not a certificate and a key in PEM format"
            raise TlsUnusable(why) from error


class _HasPassPhrase(Exception):
    pass


def _no_pass_phrase() -> str:
    raise _HasPassPhrase
