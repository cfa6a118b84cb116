"""Whether JointExp runs, by public things alone: a refusal must not tell the number of records.

Its work hangs on n and on the gaps between records. What is refused is reckoned for a declared
number of records without wild gaps; what is accepted is finished in bounded memory, whatever the
column holds, so that no refusal and no lack of memory says anything of it.
"""

from __future__ import annotations

import math

from dpviz.core.errors import TooMuchWork, UnsupportedBudget
from dpviz.mechanisms.quantiles.joint_exp.window import CUT

RECORDS = 1_000_000  # the column that work is reckoned for, unless another number is declared
LARGEST = 60_000_000  # entries of one table
MOST = 500  # quantiles: a step down to a shorter run takes longer the more there are
GAPS = 100.0  # intervals around a target may be this much shorter than evenly spread ones
SHARPEST = 1e15  # of c: beyond, differences of ranks times c are no longer what they are
SECONDS = 2.5e-7  # for each entry


def table_entries(m: int, c: float, records: int) -> float:
    """Entries of one table of m even quantiles on so many records: an upper estimate.

    It rises with records; with n as records it also holds for n records without wild gaps.
    """
    volume = math.log(GAPS) + 1 + math.log(max(1.0, records * c / m))
    reach = (CUT + m * volume) / c if c > 0 else math.inf  # both sides: 2R
    return m * min(records + 1.0, reach + 1.0)


def check_work(m: int, c: float, records: int, asked: str) -> None:
    """Refuse what would take too long on a column of the declared number of records.

    Raises: TooMuchWork with an estimate; it depends on m, c and the declaration alone;
    UnsupportedBudget for one whose weights no doubles hold.
    """
    if c > SHARPEST:
        raise UnsupportedBudget(
            f"JointExp works out its weights in doubles, which hold those of budgets up to about "
            f"ε = {SHARPEST:g}, got {asked}. Choose ApproximateQuantiles, or spend less."
        )
    entries = table_entries(m, c, records)
    if entries <= LARGEST and m <= MOST:
        return
    raise TooMuchWork(
        f"JointExp would fill tables of {entries:,.0f} entries for {m:,} quantiles at {asked}, "
        f"about {max(entries * SECONDS, 1):,.0f} seconds on a column of {records:,} records; its "
        f"limits are {LARGEST:,} entries and {MOST} quantiles, whatever the column holds. Ask for "
        "fewer quantiles, spend more, declare fewer records (records=N), or choose "
        "ApproximateQuantiles."
    )
