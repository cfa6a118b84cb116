"""A scene of the stories in a notebook: the page of the static edition, in a frame.

With anywidget installed (`pip install dpviz[notebook]`) the notebook knows where the scene is and
leads it; without it the frame stands there all the same.
"""

from __future__ import annotations

import html
from functools import cache
from importlib.resources import files
from typing import Any

from dpviz.core.errors import InvalidParameter
from dpviz.lessons.scene import Scene
from dpviz.lessons.stories.listing import BY_KEY

HEIGHT = 600  # px of a frame that nobody makes as high as its page
WISHES = ("next", "back", "reveal", "again")


class Shown:
    """A scene as a notebook shows it: `page` is HTML that needs no other file."""

    def __init__(self, scene: Scene[Any], page: str) -> None:
        self.title = f"dpviz: {scene.title}"
        self.page = page

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.page)}" title="{html.escape(self.title)}" '
            f'sandbox="allow-scripts" width="100%" height="{HEIGHT}" style="border: 0"></iframe>'
        )


def scene(story: str, which: int | str) -> Any:
    """A scene of the stories to look at in Jupyter, marimo or VS Code.

    story is "teach", "show" or "try"; which is a number in it, from 1 on, or a name, which stays
    when other scenes come before it. A widget comes back that has `place` (the beat of the scene,
    and where its control stands) and `go("next")`, "back", "reveal" or "again". Without anywidget
    an object comes back that shows the same and tells nothing.

    >>> dp.scene("teach", "tank").title
    'dpviz: The tank'

    Guarantee: public samples alone, nothing is asked of anybody else.
    Raises: InvalidParameter for a story or a scene that there is not.
    """
    found = _found(story, which)
    page = _page(found.name)
    return Shown(found, page) if (widget := _widget()) is None else widget(found, page)


def _found(story: str, which: int | str) -> Scene[Any]:
    told = BY_KEY.get(story) if isinstance(story, str) else None
    if told is None:
        raise InvalidParameter(f"There is no story {story!r}; there are {', '.join(BY_KEY)}.")
    if isinstance(which, int | str) and not isinstance(which, bool):
        for one in told.scenes:
            if which in (one.number, one.name):
                return one
    names = ", ".join(one.name for one in told.scenes)
    raise InvalidParameter(
        f"The story '{story}' has no scene {which!r}; it has 1 to {len(told.scenes)}: {names}."
    )


@cache
def _page(name: str) -> str:
    """The scene as one file."""
    from dpviz.site.build import single  # noqa: PLC0415  a refusal needs no page

    return single(name)


@cache
def _widget() -> Any:
    """The class of widgets; None where anywidget is not installed."""
    try:
        import anywidget  # noqa: PLC0415
        import traitlets  # noqa: PLC0415
    except ModuleNotFoundError:
        return None

    class SceneWidget(anywidget.AnyWidget):  # type: ignore[misc]
        _esm = files(__package__).joinpath("notebook.js").read_text(encoding="utf-8")
        title = traitlets.Unicode().tag(sync=True)
        page = traitlets.Unicode().tag(sync=True)
        place = traitlets.Dict().tag(sync=True)

        def __init__(self, scene: Scene[Any], page: str) -> None:
            super().__init__(title=f"dpviz: {scene.title}", page=page)

        def go(self, wish: str) -> None:
            """Moves the scene as its buttons do. Raises: InvalidParameter for any other wish."""
            if wish not in WISHES:
                raise InvalidParameter(f"A scene knows {', '.join(WISHES)}, not {wish!r}.")
            self.send({"go": wish})

    return SceneWidget
