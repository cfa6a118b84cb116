"""The tank of a file's budget: what stays in it in blue, what the release takes in pale blue."""

from dpviz.answers.decide.tank import TankNumbers, TankSaid
from dpviz.figures.decide.svg import attributes, svg
from dpviz.figures.kit.look import Look

WIDE, HIGH, EDGE = 42.0, 72.0, 3.0  # px
PALE, FULL = 0.25, 0.85  # opacity of what is taken, and of what stays
CORNER = 4.0


def tank(found: TankNumbers, said: TankSaid, look: Look, *, high: float = HIGH) -> str:
    """The tank as SVG, open at the top; in dashes, and pale, where too little is left."""
    scale = look.mark(1)
    wide, high, edge = WIDE * scale, high * scale, EDGE * scale
    inside = edge + 1
    room = high - inside
    kept, taken = (room * share for share in found.parts)
    ink = look.ink.private
    drawn = ""
    for kind, top, size, opacity in (
        ("taken", room - kept - taken, taken, PALE),
        ("left", room - kept, kept, FULL),
    ):
        if size > 0:
            box = {"x": inside, "y": top, "width": wide - 2 * inside, "height": size}
            drawn += f"<rect{attributes(data_kind=kind, **box)} fill='{ink}' opacity='{opacity}'/>"
    half, bottom, corner = edge / 2, high - edge / 2, CORNER * scale
    wall = (
        f"M{half:g} 0V{bottom - corner:g}q0 {corner:g} {corner:g} {corner:g}"
        f"H{wide - half - corner:g}q{corner:g} 0 {corner:g}-{corner:g}V0"
    )
    dashes = f"{2 * edge:g} {edge:g}" if found.is_too_low else None
    style = attributes(fill="none", stroke=ink, stroke_width=edge, stroke_dasharray=dashes)
    drawn += f"<path{attributes(d=wall)}{style}/>"
    return svg(drawn, wide, high, said.alt)
