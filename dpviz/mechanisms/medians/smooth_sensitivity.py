"""The smooth sensitivity of many order statistics at once: exact, without trying all pairs.

A window from i records left of the wanted x_m (a median, say) to j records right of it counts for
e^{−(i+j−1)ξ} (x_{m+j} − x_{m−i}). For each i the best j is searched; it never grows with i, so a
few rows first, then those between them, take O(rows + columns) a round. Rows and columns are cut
off beforehand where even the best partner stays below a window already found.
"""

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.core.ragged import first_true, offsets, ragged, row_max
from dpviz.mechanisms.medians.protocol import Groups

SLACK = 1e-9  # relative; covers the rounding of a bound, so that no best window is cut off


def middle_ranks(groups: Groups) -> IntArray:
    """⌈n/2⌉, the rank of each node's median, (p,)."""
    return np.asarray((groups.sizes + 1) // 2)


def middle_values(groups: Groups) -> FloatArray:
    """x_m, m = ⌈n/2⌉, of each ordered node, (p,); low for an empty node."""
    return ranked_values(groups, middle_ranks(groups))


def ranked_values(groups: Groups, ranks: IntArray) -> FloatArray:
    """The value of a rank (p,) of each ordered node, (p,); low for rank 0."""
    return _value_at(groups, np.arange(groups.low.size), ranks)


def smooth_sensitivities(groups: Groups, xi: float, ranks: IntArray | None = None) -> FloatArray:
    """σ_s = max_k e^{−kξ} max_{0≤t≤k+1} (x_{m+t} − x_{m+t−k−1}) of each ordered node, (p,).

    x_i is low for i < 1 and high for i > n; m is the middle rank, or that of ranks (p,). It bounds
    how far one more, one less or one replaced record moves x_m, and changes by a factor of at most
    e^ξ with one record, for every rule for m that grows by 0 or 1 with each record. Confidential.
    Source: Nissim, Raskhodnikova and Smith 2007, Claim 3.3; Cormode et al. 2012, Definition 4.
    """
    wanted = middle_ranks(groups) if ranks is None else ranks
    log_found = _log_found(groups, wanted, xi)
    left, right = _sides(groups, wanted, xi, log_found)
    found = np.exp(log_found)
    for _ in range(2):  # the second time with what the first one left
        right = right.kept(_promising(right, left, xi, found))
        left = left.kept(_promising(left, right, xi, found))
    return np.maximum(found, _best_windows(left, right, xi))


@confidential()
@dataclass(frozen=True, eq=False)
class _Side:
    """Distances from x_m on one side, node after node: flat arrays and row begins."""

    ranks: IntArray  # i or j, ascending within a node
    distance: FloatArray  # |x_{m±rank} − x_m|
    weight: FloatArray  # e^{−rank ξ}
    begins: IntArray

    def kept(self, keep: BoolArray) -> "_Side":
        running = offsets(keep.astype(np.int64))
        return _Side(self.ranks[keep], self.distance[keep], self.weight[keep], running[self.begins])


def _value_at(groups: Groups, node: IntArray, rank: IntArray) -> FloatArray:
    """x_rank of a node, elementwise; low below rank 1, high above n."""
    sizes = groups.sizes[node]
    at = groups.before[node] + np.clip(rank, 1, np.maximum(sizes, 1)) - 1
    if groups.running is not None:
        at = np.searchsorted(groups.running, at, side="right") - 1
    value = groups.values.take(at, mode="clip") if groups.values.size else np.empty(rank.shape)
    value = np.where(rank < 1, groups.low[node], value)
    return np.where(rank > sizes, groups.high[node], value)


def _log_found(groups: Groups, middle: IntArray, xi: float) -> FloatArray:
    """The log of a window's value that σ_s is at least, (p,): symmetric windows, and the whole."""
    node, sizes = np.arange(groups.low.size), groups.sizes
    with np.errstate(divide="ignore"):
        best = np.log(groups.high - groups.low) - sizes * xi
        for doubling in range(int(sizes.max(initial=1)).bit_length()):
            reach = np.minimum(1 << doubling, middle)
            width = _value_at(groups, node, middle + reach) - _value_at(
                groups, node, middle - reach
            )
            best = np.maximum(best, np.log(width) - (2 * reach - 1) * xi)
    return np.asarray(best)


def _sides(
    groups: Groups, middle: IntArray, xi: float, log_found: FloatArray
) -> tuple[_Side, _Side]:
    """Both sides, up to the rank where e^{−(rank − 1)ξ} · width falls below what is found."""
    with np.errstate(divide="ignore", invalid="ignore"):
        room = (np.log(groups.high - groups.low) - log_found + SLACK) / xi + 2
    room = np.where(np.isnan(room), 0.0, room)  # a node without width
    sides = []
    for sign, furthest in ((-1, middle), (1, groups.sizes + 1 - middle)):
        cut = np.minimum(furthest, np.minimum(room, 2.0**62).astype(np.int64))
        if groups.running is None:
            node, rank = ragged(cut + 1)
        else:
            node, rank = _steps(groups, middle, sign, cut)
        distance = np.abs(
            _value_at(groups, node, middle[node] + sign * rank)
            - _value_at(groups, node, middle[node])
        )
        begins = np.searchsorted(node, np.arange(cut.size + 1))
        sides.append(_Side(rank, distance, np.exp(-rank * xi), begins))
    return sides[0], sides[1]


def _steps(groups: Groups, middle: IntArray, sign: int, cut: IntArray) -> tuple[IntArray, IntArray]:
    """Node and rank where the distance grows, node after node: ranks between are never better.

    The median itself, the nearest point of every other value, and the end of the range.
    """
    running, owner, all_nodes = groups.running, groups.owner, np.arange(cut.size)
    assert running is not None
    ends = running[:-1] + 1 if sign > 0 else running[1:]  # the point of a value next to the median
    away = sign * (ends - groups.before[owner] - middle[owner])
    end = middle if sign < 0 else groups.sizes + 1 - middle
    node = np.concatenate((all_nodes, owner, all_nodes))
    rank = np.concatenate((np.zeros_like(cut), away, end))
    fits = (rank >= 0) & (rank <= cut[node])
    node, rank = node[fits], rank[fits]
    order = np.lexsort((rank, node))
    return node[order], rank[order]


def _promising(side: _Side, other: _Side, xi: float, found: FloatArray) -> BoolArray:
    """Which ranks can still beat the found window with the best that the other side offers."""
    node, _ = ragged(np.diff(side.begins))
    far = np.maximum(row_max(other.weight * other.distance, other.begins), 0.0)[node]
    near = np.maximum(row_max(other.weight, other.begins), 0.0)[node]
    bound = np.exp(xi) * side.weight * (far + near * side.distance)
    return np.asarray(bound * (1 + SLACK) >= found[node])


def _best_windows(left: _Side, right: _Side, xi: float) -> FloatArray:
    """The largest over rows i and columns j of e^{−(i+j−1)ξ} (left_i + right_j), (p,)."""
    rows, columns = np.diff(left.begins), np.diff(right.begins)
    rows = np.where(columns > 0, rows, 0)
    best_column = np.zeros(left.ranks.size, dtype=np.int64)  # flat
    value = np.full(left.ranks.size, -np.inf)
    stride = 1 << int(rows.max(initial=0)).bit_length()
    while stride := stride >> 1:
        # the rows stride, 3·stride, 5·stride, … (from 1); even multiples are done
        node, nth = ragged((rows // stride + 1) // 2)
        row = (2 * nth + 1) * stride
        flat = left.begins[node] + row - 1
        before, after = row > stride, row + stride <= rows[node]
        last = np.where(before, best_column[flat - stride * before], right.begins[node + 1] - 1)
        first = np.where(after, best_column[flat + stride * after], right.begins[node])
        best_column[flat], value[flat] = _best_in_range(left, right, flat, first, last)
    found = row_max(np.exp(xi) * value, left.begins)
    return np.maximum(found, 0.0)


def _best_in_range(
    left: _Side, right: _Side, row: IntArray, first: IntArray, last: IntArray
) -> tuple[IntArray, FloatArray]:
    """For each flat row the best of the flat columns first..last, and e^{−(i+j)ξ} · its width."""
    lengths = last - first + 1
    which, step = ragged(lengths)
    begins = offsets(lengths)
    column = first[which] + step
    gain = right.weight[column] * (right.distance[column] + left.distance[row][which])
    largest = row_max(gain, begins)
    chosen = first_true(gain == largest[which], begins)
    return column[chosen], left.weight[row] * largest
