"""Draws: made when the visitor asks, identified by a seed, kept while other widgets move."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import streamlit as st

from dpviz.core.data import Column, Points
from dpviz.ui.kit import choices, frame, memory, session

SEEDS = 10**9
STUDY_SEED = 20210829  # fixed: the same settings give the same numbers, on every machine


@dataclass(frozen=True, slots=True)
class Draw:
    """Everything that decides a draw. For an upload the seed is salted with a secret.

    A seed that stands in a link lets anyone who can guess the data undo the noise; for the public
    samples that is harmless and makes links exact. Nor may two releases about real records share
    their noise, for their difference would undo it: an upload's noise depends on the purpose too.
    """

    seed: int
    salt: int

    def rng(self, purpose: object, *stream: int) -> np.random.Generator:
        """A fresh generator for one use of this draw; purpose names the release in full."""
        return np.random.default_rng(self.entropy(purpose, *stream))

    def entropy(self, purpose: object, *stream: int) -> list[int]:
        """What numpy.random.default_rng is given."""
        if not self.salt:
            return [self.seed, *stream]
        digest = hashlib.blake2b(repr(purpose).encode(), digest_size=8).digest()
        return [self.seed, self.salt, int.from_bytes(digest), *stream]


def purpose_of(mechanism: object, data: Column | Points, *others: Hashable) -> tuple[object, ...]:
    """What one release is, in full: it decides the noise of an upload.

    others are what else the mechanism is given: the budget, and before it the quantiles if any.
    """
    return (mechanism, data.fingerprint, *others)


def draw_picker(prefix: str = "") -> Draw:
    """The current draw, its seed, and a button for the next one; prefix keeps pages' keys apart."""
    key = f"{prefix}seed"
    memory.start_with(key, 1)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button(
            "New draw",
            icon=":material/casino:",
            type=frame.emphasis(),
            on_click=_next_seed,
            args=(key,),
            key=f"{prefix}new_draw",
            help="Draws fresh noise. In practice every draw about the same people spends the "
            "budget again.",
        )
        seed = choices.whole_number(
            "Seed",
            0,
            SEEDS,
            key,
            "Names the draw, so that a link or a lecture can repeat it. For your own file it "
            "is mixed with a secret of this session.",
            step=1,
            width=120,
        )
    salt = 0
    if session.is_upload():
        salt = st.session_state.setdefault("_salt", secrets.randbits(64) | 1)
    return Draw(seed, salt)


def _next_seed(key: str) -> None:
    st.session_state[key] = (int(st.session_state[key]) + 1) % SEEDS
