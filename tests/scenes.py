"""Where a scene stands in the course, by its name: tests go on when others come before it."""

from dpviz.lessons.stories.listing import scene as named_scene


def place_of(name: str) -> tuple[str, int]:
    """The story of a scene, and its number there."""
    scene = named_scene(name)
    return scene.story, scene.number


def link_of(name: str) -> str:
    """The address of a scene within Learn, without what was guessed there."""
    story, number = place_of(name)
    return f"story={story}&scene={number}"
