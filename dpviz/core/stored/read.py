"""One call that reads the text of any release: its field `kind` says which class wrote it."""

from __future__ import annotations

import json
from typing import get_args

from dpviz.core.checks import found, short
from dpviz.core.codec import DAMAGE
from dpviz.core.errors import InvalidRelease
from dpviz.core.releases import ProfileRelease, QuantileRelease
from dpviz.core.scalars.proposal import BoundsProposal
from dpviz.core.scalars.rank_check import RankCheck
from dpviz.core.scalars.release import NumberRelease
from dpviz.core.scalars.unbounded import UnboundedRelease
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.bucket_release import BucketRelease
from dpviz.core.trees.histogram import HistogramRelease
from dpviz.core.trees.local_release import LocalQuantileRelease, LocalRelease
from dpviz.core.trees.place_release import PlaceRelease
from dpviz.core.trees.prefix_release import PrefixRelease
from dpviz.core.trees.release import TreeRelease

Release = (
    QuantileRelease
    | ProfileRelease
    | TreeRelease
    | PrefixRelease
    | BucketRelease
    | HistogramRelease
    | SpatialRelease
    | Cells
    | NumberRelease
    | UnboundedRelease
    | BoundsProposal
    | RankCheck
    | PlaceRelease
    | LocalRelease
    | LocalQuantileRelease
)

# what a text calls its kind: the class that writes and reads it
KINDS: dict[str, type[Release]] = {one._kind: one for one in get_args(Release)}


def from_json(text: str) -> Release:
    """Read a release of any kind that its to_json wrote; it equals the one that was written.

    >>> dp.from_json(tree.to_json()) == tree
    True

    Guarantee: reading spends nothing, a release holds nothing confidential.
    Raises: InvalidRelease when the text is no JSON, of no kind that dpviz writes, or damaged.
    """
    kind = _kind_of(text)
    if kind not in KINDS:
        known = ", ".join(KINDS)
        raise InvalidRelease(f"dpviz reads releases of kind {known}, got {found(kind)}.")
    return KINDS[kind].from_json(text)


def _kind_of(text: str) -> str:
    try:
        kind: str = json.loads(text)["kind"]
    except DAMAGE as error:
        raise InvalidRelease(f"This is not a dpviz release: {short(repr(error))}.") from None
    if not isinstance(kind, str):
        raise InvalidRelease(f"The kind of a dpviz release is a text, got {found(kind)}.")
    return kind
