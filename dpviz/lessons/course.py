"""The course: the scenes of each story in order, by the module that holds them."""

FOLDERS = {"teach": "teach", "show": "show", "try": "try_it"}  # of the stories, below dpviz.lessons
SCENES: dict[str, tuple[str, ...]] = {
    "teach": (
        "attacks.averages",
        "attacks.attacker",
        "promise.coins",
        "noise.same_noise",
        "promise.two_worlds",
        "promise.who_counts",
        "noise.tank",
        "noise.largest_value",
        "noise.median",
        "trees.why_tree",
        "trees.combined_levels",
        "promise.what_breaks",
        "attacks.names_removed",
        "promise.promised",
    ),
    "show": ("leavers", "suspicion", "accuracy_kept", "group_size", "decision"),
    "try": ("declared_bounds", "questions", "smallest_epsilon", "one_release"),
}


def module(story: str, name: str) -> str:
    """The module of a scene, which is called as the scene is."""
    row = next(one for one in SCENES[story] if one.rpartition(".")[2] == name)
    return f"dpviz.lessons.{FOLDERS[story]}.{row}"


def number(story: str, name: str) -> int:
    """The place of a scene in its story, from 1 on."""
    return [row.rpartition(".")[2] for row in SCENES[story]].index(name) + 1
