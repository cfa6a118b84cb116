"""Whether a visitor is still there, for what goes on without a run of their script."""

from __future__ import annotations

from collections.abc import Callable

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx


def session() -> str:
    """A name for this session, which no other one has; "" outside of one."""
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def watch() -> Callable[[], bool]:
    """Tells whether this visitor is still connected; safe to ask on any thread."""
    visitor = session()
    if not visitor or not runtime.exists():
        return lambda: True
    server = runtime.get_instance()
    return lambda: bool(server.is_active_session(visitor))
