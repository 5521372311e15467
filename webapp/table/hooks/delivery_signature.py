"""The signature of a delivery, for receivers to check that it comes from this lab."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import uuid

SCHEME = "sha256="
SECRET_START = "whsec_"


def new_secret() -> str:
    """A fresh secret: 256 bits."""
    return SECRET_START + secrets.token_urlsafe(32)


def signature(secret: str, timestamp: int, body: bytes) -> str:
    """HMAC-SHA256, in hexadecimal, over the timestamp's digits, a dot and the body."""
    message = str(timestamp).encode() + b"." + body
    return SCHEME + hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()


def headers(delivery_id: uuid.UUID, event: str, secret: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Headers of a delivery. timestamp: seconds since 1970 of this attempt."""
    return {
        "Content-Type": "application/json",
        "User-Agent": "meeple-lab-webhook/1",
        "Meeple-Delivery": str(delivery_id),
        "Meeple-Event": event,
        "Meeple-Timestamp": str(timestamp),
        "Meeple-Signature": signature(secret, timestamp, body),
    }
