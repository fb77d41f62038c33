"""Signatures and sealing, in the four functions that the house needs: `cryptography`, or in a browser its neighbour.

Under Pyodide there is no `cryptography`; the worker puts the same four, by the noble libraries, where `js` has them.
"""

import sys
from typing import Any

from passline.files.needed import needed


def _module(name: str) -> Any:  # noqa: ANN401 - a module that may be absent
    return needed(f"cryptography.{name}", "what is signed or sealed")


def _ed25519() -> Any:  # noqa: ANN401 - as above
    return _module("hazmat.primitives.asymmetric.ed25519")


if sys.platform == "emscripten":
    from js import passlineCrypto

    def public_key(key: bytes) -> bytes:
        return bytes(passlineCrypto.publicKey(_bytes(key)).to_py())

    def sign(key: bytes, message: bytes) -> bytes:
        return bytes(passlineCrypto.sign(_bytes(key), _bytes(message)).to_py())

    def encrypt(key: bytes, nonce: bytes, text: bytes, bound: bytes) -> bytes:
        return bytes(passlineCrypto.encrypt(*map(_bytes, (key, nonce, text, bound))).to_py())

    def decrypt(key: bytes, nonce: bytes, sealed: bytes, bound: bytes) -> bytes | None:
        opened = passlineCrypto.decrypt(*map(_bytes, (key, nonce, sealed, bound)))
        return None if opened is None else bytes(opened.to_py())

    def _bytes(value: bytes) -> Any:  # noqa: ANN401 - a Uint8Array
        from pyodide.ffi import to_js

        return to_js(value)

else:

    def public_key(key: bytes) -> bytes:
        """The Ed25519 key by which everybody knows whoever signs with this one."""
        return bytes(_ed25519().Ed25519PrivateKey.from_private_bytes(key).public_key().public_bytes_raw())

    def sign(key: bytes, message: bytes) -> bytes:
        return bytes(_ed25519().Ed25519PrivateKey.from_private_bytes(key).sign(message))

    def encrypt(key: bytes, nonce: bytes, text: bytes, bound: bytes) -> bytes:
        """AES-256-GCM; `bound` is not hidden, and what was sealed opens only beside it."""
        return bytes(_module("hazmat.primitives.ciphers.aead").AESGCM(key).encrypt(nonce, text, bound))

    def decrypt(key: bytes, nonce: bytes, sealed: bytes, bound: bytes) -> bytes | None:
        invalid = _module("exceptions").InvalidTag
        try:
            return bytes(_module("hazmat.primitives.ciphers.aead").AESGCM(key).decrypt(nonce, sealed, bound))
        except (invalid, ValueError):
            return None
