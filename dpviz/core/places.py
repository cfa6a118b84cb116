"""Where the app's own files lie, in the repository or a wheel; what processes tell each other."""

from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

# what processes that serve together are told in their environment, by who starts them
NUMBER = "DPVIZ_PROCESS"  # which process this is, from 0; "0" or nothing for the only one
COUNT = "DPVIZ_WORKERS"  # how many share the machine
# process i is named by the i-th letter: so begin the codes of the lectures that it holds, and the
# balancer finds it by them. No I and no O, which look like 1 and 0
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"

CARRIED = "_app"  # the folder below dpviz that setup.py fills when it builds a wheel


def top_level(name: str) -> Traversable:
    """A file or folder that the repository keeps at its top level, such as 'sample_data'.

    An installed wheel carries a copy below the package. In the repository, and so in an editable
    install, there is no copy and the path leads beside the package. The file may be missing.
    """
    package = resources.files("dpviz")
    carried = package / CARRIED
    if isinstance(package, Path) and not carried.is_dir():
        return package.parent / name
    return carried / name
