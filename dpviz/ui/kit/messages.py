"""How problems are said: never a traceback, always what was wrong and what to do."""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from dpviz.answers.said import plain
from dpviz.core.errors import DpvizError

Result = TypeVar("Result")


class NotYet(DpvizError):
    """Something that the visitor has yet to declare or choose: a next step, not a mistake."""


def problem(error: DpvizError | str, *, icon: str = ":material/error:") -> None:
    """Show a message; it may quote a file's text, so its markup is switched off."""
    st.error(plain(str(error)), icon=icon)


def attempt(compute: Callable[[], Result]) -> Result | None:
    """A result, or None after its problem was shown in its place."""
    try:
        return compute()
    except NotYet as step:
        st.info(plain(str(step)), icon=":material/arrow_back:")
    except DpvizError as error:
        problem(error)
    return None
