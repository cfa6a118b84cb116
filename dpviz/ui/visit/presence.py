"""Whether a visitor is still there, for what goes on without a run of their script."""

from __future__ import annotations

from collections.abc import Callable

from dpviz.ui.kit.process import private


def session() -> str:
    """A name for this session, which no other one has; "" outside of one."""
    return private.session_name()


def watch() -> Callable[[], bool]:
    """Tells whether this visitor is still connected; safe to ask on any thread."""
    return private.presence(session())
