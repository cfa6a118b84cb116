"""A visit of the page Decide without a browser: real entries, in a dictionary of their own."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import streamlit as st

from dpviz.ui.model import fields
from dpviz.ui.visit import page as visits


@pytest.fixture
def visit(monkeypatch):
    """What the session holds, and the entries of the visit in it; the exam is in use."""
    held = {"data": "exam", "_visit": {}}
    monkeypatch.setattr(st, "session_state", held)
    monkeypatch.setattr(fields.arriving, "linked", lambda key: [])
    monkeypatch.setattr(fields.arriving, "decides", lambda: False)
    look = SimpleNamespace(phone=False)
    held["_opened"] = visits.Visit("decide", "column", 1.0, 0.5, "answer", look)
    return SimpleNamespace(held=held, store=held["_visit"])
