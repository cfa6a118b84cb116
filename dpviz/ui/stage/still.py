"""A picture that stands still, as a part of the page: its words are in the page's own fonts."""

from dpviz.ui.beside import component

# a picture in an <img> loads no fonts, and st.html takes no SVG
HTML = '<div class="still"></div>'


def still(key: str, drawn: str, most: int | None = None) -> None:
    """Put an SVG that Python wrote into the page, as wide as there is room or `most` px.

    Every text in it is escaped, and its label is read aloud.
    """
    wide = "none" if most is None else f"{most}px"
    mounted = component(__file__, "still", HTML, isolated=False)
    mounted(key=key, data={"drawn": drawn, "most": wide})
