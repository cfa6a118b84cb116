"""Classes of what was released: mechanisms make them, and dpviz.from_json reads them again."""

from dpviz.core.releases import ProfileRelease, QuantileRelease
from dpviz.core.scalars.proposal import BoundsProposal
from dpviz.core.scalars.rank_check import RankCheck
from dpviz.core.scalars.release import NumberRelease
from dpviz.core.scalars.unbounded import UnboundedRelease
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.spatial.structure_budget import StructureBudget
from dpviz.core.trees.bucket_release import BucketRelease
from dpviz.core.trees.histogram import HistogramRelease
from dpviz.core.trees.local_release import LocalQuantileRelease, LocalRelease
from dpviz.core.trees.place_release import PlaceRelease
from dpviz.core.trees.prefix_release import PrefixRelease
from dpviz.core.trees.release import TreeRelease

__all__ = [
    "BoundsProposal",
    "BucketRelease",
    "Cells",
    "HistogramRelease",
    "LocalQuantileRelease",
    "LocalRelease",
    "NumberRelease",
    "PlaceRelease",
    "PrefixRelease",
    "ProfileRelease",
    "QuantileRelease",
    "RankCheck",
    "SpatialRelease",
    "StructureBudget",
    "TreeRelease",
    "UnboundedRelease",
]
