"""The way back along a Hilbert curve, as tests need it."""

import numpy as np

from dpviz.core.spatial.hilbert import pieces


def hilbert_cell(index, order):
    """Column and row of the cell at each place along the curve: the inverse of hilbert_index."""
    column, row, state = (np.zeros_like(index) for _ in range(3))
    left = order
    for table in pieces(order):
        left -= table.levels
        place = (index >> 2 * left) & (4**table.levels - 1)
        at = (state << 2 * table.levels) | place
        column = (column << table.levels) | table.column.ravel()[at]
        row = (row << table.levels) | table.row.ravel()[at]
        state = table.inner.ravel()[at]
    return column, row
