"""The lines that show a scene of the static edition in a page of somebody else's."""

import html
from typing import Any

from dpviz.lessons.scene import Scene

HEIGHT = 560  # px until the scene says how high it is


def file_of(story: str, number: int) -> str:
    """The name of a scene as one file, as `python -m dpviz site OUT --single` writes it."""
    return f"alone-{story}-{number}.html"


def lines(scene: Scene[Any]) -> str:
    """HTML to paste where the scene's file lies beside the page: a frame as high as the scene.

    The frame may run scripts and nothing else; the scene asks nobody for anything.
    """
    name = html.escape(f"dpviz: {scene.title}")
    return f"""\
<iframe src="{file_of(scene.story, scene.number)}" title="{name}" sandbox="allow-scripts"
  width="100%" height="{HEIGHT}" style="border: 0"></iframe>
<script>
  addEventListener("message", ({{ source, data }}) => {{
    for (const frame of document.querySelectorAll("iframe"))
      if (frame.contentWindow === source && data?.dpviz === 1) frame.height = data.height;
  }});
</script>
"""
