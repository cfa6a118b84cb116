"""The pictures of plotly.js on a page, as they are sent."""

import json
from dataclasses import dataclass
from typing import Any

from streamlit.testing.v1 import AppTest

COMPONENT = "dpviz_plot"


@dataclass(frozen=True, slots=True)
class Sent:
    """One picture: the text that is sent, and what it says."""

    spec: str

    @property
    def figure(self) -> dict[str, Any]:
        return dict(json.loads(self.spec))

    @property
    def alt(self) -> str:
        return str(self.figure["alt"])


def is_picture(component: Any) -> bool:
    """Whether a component's message is a picture of plotly.js."""
    return str(component.component_name) == COMPONENT


def pictures(app: AppTest) -> list[Sent]:
    """All of them, from top to bottom."""
    found = (one.proto for one in app.get("bidi_component"))
    return [Sent(one.bytes.decode()) for one in found if is_picture(one)]
