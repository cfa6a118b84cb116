"""How a map is cut in detail, as a person chose it: the settings of one kind of method each."""

from dataclasses import dataclass

from dpviz.core.bounds import Box
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.mechanisms.spatial.kd_cell import KdCell
from dpviz.mechanisms.spatial.method import SpatialMethod
from dpviz.ui.trees.splits import parse_numbers

OWN_LEVELS, LEAVES_ONLY, WRITTEN = "the method's own", "leaves only", "own shares"
LEVELS = (OWN_LEVELS, "even", "geometric", LEAVES_ONLY, WRITTEN)
HALF_WAY = -1  # of a switch level: half of the height, as KdTree.hybrid has it
COLUMNS = 256


@dataclass(frozen=True, slots=True)
class Cuts:
    """Settings that a method takes if its row in the catalogue names them (SpatialMethod.knobs).

    switch is kd-hybrid's, HALF_WAY by default; share is that of the medians, order the Hilbert
    curve's; kd-cell's grid has so many columns, and tested adds our test of evenness. levels is one
    of LEVELS, and shares the text that goes with WRITTEN.
    """

    switch: int = HALF_WAY
    share: float = 0.3
    order: int = 18
    columns: int = COLUMNS
    tested: bool = False
    levels: str = OWN_LEVELS
    shares: str = ""

    def chosen(self, row: SpatialMethod, box: Box) -> dict[str, object]:
        """What a SpatialChoice takes of these, for the knobs that a method has.

        Raises: InvalidParameter for shares that cannot be read, or a grid that is too fine.
        """
        found: dict[str, object] = {}
        if "levels" in row.knobs:
            found["levels"] = self.level_budget()
        if "switch" in row.knobs and self.switch != HALF_WAY:
            found["switch"] = self.switch
        if "share" in row.knobs:
            found["median_share"] = self.share
        if "order" in row.knobs:
            found["order"] = self.order
        if "cells" in row.knobs:
            found["cells"] = KdCell.square_cells(box, self.columns)
            found["tested"] = self.tested
        return found

    def level_budget(self) -> LevelBudget | None:
        """How the levels share the counts' budget; None leaves it to the method.

        Raises: InvalidParameter for shares that cannot be read.
        """
        match self.levels:
            case "the method's own":
                return None
            case "even":
                return LevelBudget.uniform()
            case "geometric":
                return LevelBudget.geometric(2 ** (1 / 3))
            case "leaves only":
                return LevelBudget.leaves_only()
            case "own shares":
                return LevelBudget.own(parse_numbers(self.shares, "Shares"))
            case other:
                raise InvalidParameter(f"There is no level budget '{other}'; choose of {LEVELS}.")
