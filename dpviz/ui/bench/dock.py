"""The dock at the foot of a page: what a story needs in one row, everything else in popovers.

On a phone the popovers become one, More, under the slider.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.core.budgets import Budget
from dpviz.ui.bench import budget as budgets
from dpviz.ui.visit import folded, state
from dpviz.ui.visit import page as visits
from dpviz.ui.visit.fields import SEEDS
from dpviz.ui.visit.page import Visit

DRAW_WIDTH = 108  # px of New draw


@dataclass(frozen=True, slots=True)
class Dock:
    """Places of the dock: sliders at the left, buttons, popovers at the right.

    Each method draws one control. Popovers are used with `with`; presenting they are not drawn,
    and their contents go where nobody sees them, so that links carry their state.
    """

    now: Visit
    sliders: DeltaGenerator
    second_place: DeltaGenerator
    buttons: DeltaGenerator
    popovers: DeltaGenerator
    more: list[tuple[DeltaGenerator, bool]] = field(default_factory=list)

    @property
    def folds(self) -> bool:
        """Whether there is room for one popover only."""
        return self.now.look.screen in {"phone", "narrow"}

    def budget(self) -> Budget:
        """The slider of the visit's budget: ε, or ρ where the notion is zCDP."""
        with self.sliders:
            budgets.slider(self.now)
        return self.now.budget

    def second_slot(self) -> DeltaGenerator:
        """The place of the page's own field beside the slider, on a phone in More."""
        return self._more() if self.now.look.phone else self.second_place

    def new_draw(self, label: str = "New draw", before: Callable[[], None] | None = None) -> None:
        """Draws fresh noise: the visit's next draw, of a file once it is asked for; before runs first."""

        def drawn() -> None:
            if before is not None:
                before()
            state.put("seed", (int(state.get("seed")) + 1) % SEEDS)

        self.buttons.button(label, key="new_draw", icon=":material/casino:", on_click=drawn)

    def no_draw(self) -> None:
        """Keeps the place of New draw on a view that a draw does not change: Truth does not move."""
        self.buttons.space(DRAW_WIDTH)

    def truth(self, label: str = "Truth") -> None:
        """The switch between the teaching view and what may be published."""
        switch = state.widget("truth", visits.shows_truth(), _take_truth)
        self.buttons.toggle(label, **switch)

    @contextmanager
    def explore(self, label: str, icon: str | None = None) -> Iterator[None]:
        """What is asked: method, quantile set, data; the label says what holds."""
        with self._popover(label, "explore", icon):
            yield

    @contextmanager
    def expert(self) -> Iterator[None]:
        """Notion, neighbours, exact numbers, seed; the page's own settings below them."""
        with self._popover("Expert", "expert", ":material/tune:"):
            yield

    @contextmanager
    def popover(self, label: str, key: str, icon: str | None = None) -> Iterator[None]:
        """Another popover; a row holds three, two where the page has two sliders."""
        with self._popover(label, key, icon):
            yield

    def slot(self) -> DeltaGenerator:
        """A place among the popovers for what is drawn when the run is over."""
        return self._more() if self.folds else self.popovers.container(width="content")

    @contextmanager
    def _popover(self, label: str, key: str, icon: str | None) -> Iterator[None]:
        if self.now.presenting:
            with self.popovers.container(key=f"unseen_{key}"), folded.closed(True):
                yield
        elif self.folds:
            with self._more(), folded.closed(self.more[0][1]):
                st.markdown(f"**{label}**")
                yield
        else:
            with self.popovers, folded.popover(label, icon=icon, key=f"pop_{key}"):
                yield

    def _more(self) -> DeltaGenerator:
        if not self.more:
            icon = ":material/tune:"
            self.more.append(
                folded.more(self.popovers, "More", icon=icon, key="pop_more", width=320)
            )
        return self.more[0][0]


def _take_truth(shown: bool) -> None:
    state.put(visits.truth_key(), bool(shown))


@contextmanager
def dock(now: Visit, *, sliders: int = 1) -> Iterator[Dock]:
    """The dock of a page with so many sliders; without one it is lower.

    The order of the calls is the order of the controls; the values they settle hold for the next
    run and, those of the visit, for this one.
    """
    kind = "phone" if now.look.phone else str(sliders)
    with st.bottom, st.container(key=f"dock_{kind}"):
        if now.look.phone:
            above, row = st.container(), st.container(horizontal=True, vertical_alignment="center")
            buttons = row.container(horizontal=True, vertical_alignment="center", width="content")
            yield Dock(now, above, above, buttons, row.container(width="content"))
            return
        widths = {0: (1, 99), 1: (27, 73), 2: (44, 56)}[sliders]
        left, right = st.columns(widths, vertical_alignment="bottom", gap="medium")
        first, second = (left, left) if sliders < 2 else left.columns((58, 42), gap="medium")
        with right:
            row = st.container(
                horizontal=True,
                horizontal_alignment="distribute",
                wrap=False,
                vertical_alignment="bottom",
                gap="small",
            )
        buttons = row.container(
            key="docked_buttons", horizontal=True, wrap=False, vertical_alignment="center",
            width="content",
        )  # fmt: skip
        popovers = row.container(
            horizontal=True, wrap=False, vertical_alignment="center", width="content"
        )
        yield Dock(now, first, second, buttons, popovers)
