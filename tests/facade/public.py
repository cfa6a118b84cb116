"""Every public name with what it stands for, those of dp.releases and dp.choices included."""

import dpviz as dp

FOLDED = ("releases", "choices")


def every_name() -> dict[str, object]:
    """`Quadtree`, `releases.Cells` and so on: what stands behind dp."""
    own = {name: getattr(dp, name) for name in dp.__all__ if name not in FOLDED}
    for folder in FOLDED:
        module = getattr(dp, folder)
        own |= {f"{folder}.{name}": getattr(module, name) for name in module.__all__}
    return own
