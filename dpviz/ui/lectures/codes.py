"""Codes and secrets of lectures: short words to read aloud, and long ones that nobody sees."""

import hashlib
import os
import secrets

from dpviz.core.errors import InvalidParameter
from dpviz.core.places import LETTERS, NUMBER

SIGNS = LETTERS + "23456789"
LENGTH = 6


def own_letter() -> str:
    """The letter that all codes of this process begin with, by which a balancer finds it.

    Raises: InvalidParameter if the process has a number that no letter stands for.
    """
    number = os.environ.get(NUMBER, "0")
    if not (number.isascii() and number.isdecimal() and int(number) < len(LETTERS)):
        raise InvalidParameter(
            f"{NUMBER} must be a whole number from 0 to {len(LETTERS) - 1}, got '{number}'."
        )
    return LETTERS[int(number)]


def new_code() -> str:
    """A code that nobody can foresee."""
    return own_letter() + "".join(secrets.choice(SIGNS) for _ in range(LENGTH - 1))


def read(text: str) -> str | None:
    """A code as it was typed, in capitals; None for a text that can be no code."""
    code = text.strip().upper()
    return code if len(code) == LENGTH and set(code) <= set(SIGNS) else None


def new_secret() -> str:
    """What makes a visitor the presenter."""
    return secrets.token_urlsafe(16)


def digest(secret: str) -> bytes:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode()).digest()
