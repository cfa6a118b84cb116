"""The speeds to reach, as one table, and what a measured row is checked against."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

NOISE = 1.5  # a busy machine may cost this much; a limit missed by more is a regression


@dataclass(frozen=True, slots=True)
class Target:
    """A limit, in the unit of the row that it belongs to."""

    limit: float
    unit: str
    slack: float = NOISE

    @property
    def fails_above(self) -> float:
        """What noise alone does not explain."""
        return self.limit * self.slack


@dataclass(frozen=True, slots=True)
class Row:
    """One measured speed; its limit is the entry of that name in TARGETS, if there is one."""

    name: str
    value: float
    unit: str

    def __post_init__(self) -> None:
        if not (math.isfinite(self.value) and self.value >= 0):
            raise ValueError(f"'{self.name}' must be measured as a number, got {self.value}")
        if self.target and self.target.unit != self.unit:
            raise ValueError(
                f"'{self.name}' is measured in {self.unit}, its target is in {self.target.unit}"
            )

    @property
    def target(self) -> Target | None:
        """The limit to reach."""
        return TARGETS.get(self.name)

    @property
    def missed(self) -> bool:
        """Whether the limit is missed by more than noise explains."""
        return self.target is not None and self.value > self.target.fails_above

    @property
    def verdict(self) -> str:
        """Reached, within noise, MISSED, or nothing where no limit is set."""
        if self.target is None:
            return ""
        if self.missed:
            return "MISSED"
        return "reached" if self.value <= self.target.limit else "within noise"


def best_rows(rows: Iterable[Row]) -> list[Row]:
    """The least value of each name, in the order of first appearance."""
    best: dict[str, Row] = {}
    for row in rows:
        if row.name not in best or row.value < best[row.name].value:
            best[row.name] = row
    return list(best.values())


AQ_LARGE = "AQ release, m = 120, n = 10^7"
AQ_GROWTH = "AQ release, m = 120, n = 10^7 over n = 10^4"
AQ_FIRST = "AQ, a column's first release, m = 120, n = 10^7 over n = 10^4"
AQ_RUNS = "AQ, 1,000 runs, m = 9, n = 10^6"
COLUMN = "Column.from_values, n = 10^7, over np.sort"
INDEPENDENT = "AppIndExp, m = 120, calibration included"
BROWSER = "app, n = 10^6: slider moved → new picture"
BROWSER_BACK = "app, n = 10^6: slider moved back → its picture"
BROWSER_TYPED = "app, n = 10^6, Expert open: ε typed → new picture"
BROWSER_AGAIN = "app, n = 10^6, Expert open: ε asked for before → its picture"
BROWSER_BARE = "an app that only shows two such pictures: ε changed → picture"
BROWSER_OVER = "app, n = 10^6: slider moved → new picture, over an app that only shows it"
BROWSER_TYPED_OVER = "app, n = 10^6: ε typed → new picture, over an app that only shows it"
FRAME = "Start: time between two frames of a play, median"
REVEAL = "Learn: time between two frames of a revealed picture, median, slowest scene"
REVEAL_SITE = "Learn without a server: time between two frames of a revealed picture, the same"
REVEAL_WORK = "Learn: processor time for a frame of a revealed picture, median, slowest scene"
FIRST_NUMBERS = "Learn: processor time of a scene's first numbers and question, slowest scene"
FIRST_BEAT = "Learn: the same with its picture at all stops, slowest scene"
LECTURE = "Learn: a presenter's step → the pictures of 100 who follow, 95 in 100"
STEP = "Start: a step of the slider → the whole page follows"
STAGE = "Start: the whole picture as SVG without a browser"
RERUN = "Quantiles, n = 10^6: the script of a rerun"
REDRAWN = "Quantiles, n = 10^6: the script of a rerun with a new draw"
RERUNS = "workbenches on samples: the script for a new draw, the slowest"
CDF_VIEW = "Trees, CDF of 2^10 bins: the script for a new draw"
CDF_MOVED = "Trees, CDF of 2^10 bins: the script for another ε"
RUNNING_VIEW = "Trees, running counts of 2^10 bins: the script for a new draw"
ANSWER = "Decide: the script for the frontier"
WORD = "Decide: a word changed → new answer and picture, the slowest form"
WORD_LATE = "Decide: the same, over 150 ms or over an app that only shows it and 30 ms"
GALLERY = "Data: what the page sends when it opens"
READING = "CSV, 5 million rows × 2, over Arrow's reader"
PREFIXES = "running counts of 2^20 bins, one release, over one FFT of that size"
AVERAGING = "1,000 draws of a median, 10^6 values off their grid"
WHOLE_TREE = "noise of a tree of 2^20 leaves, discrete Laplace over Laplace"
WHOLE_TREE_RHO = "noise of a tree of 2^20 leaves, discrete Gaussian over Gaussian"
WHOLE_QUADTREE = "quadtree of height 10 with secure bits, 10^6 points"
WHOLE_KD_TREE = "kd-tree of height 8 with secure bits, over continuous noise"
EFFICIENT = "efficient estimates, 2^20 leaves, over drawing the noise"
MANY_TREES = "10,000 trees of 16 leaves, three estimators"
SPLIT = "workload-optimal split, height 20, 1,000 ranges"
BAND = "CDF with simultaneous band, 1,024 leaves, slowest"
QUAD = "quad-opt, h = 10, 600 queries, over index + bincount + noise"
RANGES = "600 range queries, consistent quadtree, h = 10"
HILBERT = "Hilbert R-tree, h = 10"
KD_HYBRID = "kd-hybrid, h = 8"
KD_STANDARD = "kd-standard, h = 8"
AQ_QUICK = "AQ Fig. 4-7, quick, two processes"
AQ_COMPLETE = "AQ Fig. 4-7, complete, two processes"
AQ_ESTIMATE = "AQ Fig. 4-7, complete, estimated for two cores"
COUNTS_AQ = "10^9 records from counts: AQ, m = 99"
COUNTS_TREE = "10^9 records from counts: tree of 2^20 leaves"
COUNTS_JOINT = "10^9 records from counts: JointExp, m = 99"
COUNTS_MEMORY = "10^9 records from counts: peak memory of all of these"
TABLE_FIRST = "a table of 2 GB: its page opened → first private CDF in the browser"
TABLE_CHANGE = "a table of 2 GB: ε changed → new picture"
COUNTS_TIES = "AQ, m = 99, 10^7 tied records"
ENGINE_COLUMN = "10^8 rows → 2^20 cells in DuckDB, over its GROUP BY"
ENGINE_ROUNDED = "10^8 rows → 2^20 bins in DuckDB, resolution 0, over its GROUP BY"
ENGINE_POINTS = "10^8 rows → 1024² cells in DuckDB, over its GROUP BY"
RELEASED = tuple(
    f"dpviz release, CSV of 200 MB: {what}" for what in ("quantiles", "a tree", "a map")
)
CHECK = "make check"
PSD_QUICK = "PSD Fig. 3 to 7, quick, the slowest, two processes"


def joint_exp(n: int, m: int, tied: bool) -> str:
    """The name of a row of JointExp."""
    return f"JointExp, m = {m}, n = {n:,}{', integers left tied' if tied else ''}"


def bands(column: str) -> str:
    """The name of the row with the time of the bands of the four mechanisms in pure ε."""
    return f"bands of four mechanisms, 200 runs, m = 9, n = 10^6 {column}"


def exact(label: str, column: str) -> str:
    """The name of a row of an exact release."""
    return f"{label}, exact, m = 99, n = 10^6 {column}"


def over_study(name: str) -> str:
    """The name of the row with the time of an exact release over that of one run of a study."""
    return f"{name}, over a study's run"


def memory(name: str) -> str:
    """The name of the row with the peak memory of another."""
    return f"{name}: peak memory"


def first_bytes(page: str) -> str:
    """The name of the row with the size of a first visit to a page."""
    return f"first visit, {page}: sent"


def second_bytes(page: str) -> str:
    """The name of the row with what a second visit to a page fetches, its own messages apart."""
    return f"second visit, {page}: fetched"


def first_picture(page: str, line: str) -> str:
    """The name of the row with the time to the first picture of a page on a slow line."""
    return f"first visit, {page}, {line}: picture"


TARGETS: dict[str, Target] = {
    AQ_LARGE: Target(10, "ms"),
    AQ_GROWTH: Target(1.8, "×"),
    AQ_FIRST: Target(3.0, "×"),
    AQ_RUNS: Target(300, "ms"),
    exact("AQ", "continuous"): Target(50, "ms"),
    exact("AQ", "ages"): Target(50, "ms"),
    over_study(exact("AQ", "continuous")): Target(2.5, "×"),
    over_study(exact("AQ", "ages")): Target(2.5, "×"),
    COLUMN: Target(2.5, "×"),
    joint_exp(1_000, 120, False): Target(15, "ms"),
    joint_exp(10_000, 120, False): Target(400, "ms"),
    joint_exp(1_000_000, 120, False): Target(300, "ms"),
    joint_exp(1_000_000, 120, True): Target(1500, "ms"),
    joint_exp(1_000_000, 9, True): Target(1500, "ms"),
    INDEPENDENT: Target(10, "ms"),
    BROWSER_OVER: Target(30, "ms"),
    BROWSER_TYPED_OVER: Target(30, "ms"),
    COUNTS_AQ: Target(100, "ms"),
    TABLE_FIRST: Target(15, "s"),
    TABLE_CHANGE: Target(300, "ms"),
    COUNTS_TREE: Target(500, "ms"),
    COUNTS_JOINT: Target(3000, "ms"),
    COUNTS_MEMORY: Target(400, "MB"),
    COUNTS_TIES: Target(50, "ms"),
    FRAME: Target(18, "ms"),
    REVEAL: Target(18, "ms"),
    REVEAL_SITE: Target(18, "ms"),
    REVEAL_WORK: Target(18, "ms"),
    FIRST_NUMBERS: Target(100, "ms"),
    FIRST_BEAT: Target(250, "ms"),
    LECTURE: Target(2, "s"),
    STEP: Target(500, "ms"),
    STAGE: Target(100, "ms"),
    RERUN: Target(40, "ms"),
    CDF_VIEW: Target(200, "ms"),
    CDF_MOVED: Target(200, "ms"),
    RUNNING_VIEW: Target(200, "ms"),
    PREFIXES: Target(4.5, "×"),
    AVERAGING: Target(1, "s"),
    bands("continuous"): Target(0.2, "s"),
    bands("integers spread"): Target(0.2, "s"),
    ANSWER: Target(300, "ms"),
    WORD_LATE: Target(1, "×"),
    GALLERY: Target(350, "kB", slack=1.0),
    READING: Target(1.5, "×"),
    WHOLE_TREE: Target(1, "×"),
    WHOLE_TREE_RHO: Target(2.6, "×"),
    WHOLE_QUADTREE: Target(200, "ms"),
    WHOLE_KD_TREE: Target(1.5, "×"),
    EFFICIENT: Target(4, "×"),
    MANY_TREES: Target(200, "ms"),
    SPLIT: Target(500, "ms"),
    BAND: Target(500, "ms"),
    QUAD: Target(1.3, "×"),
    RANGES: Target(5, "ms"),
    HILBERT: Target(2000, "ms"),
    KD_HYBRID: Target(900, "ms"),
    KD_STANDARD: Target(1600, "ms"),
    AQ_QUICK: Target(10, "s"),
    AQ_ESTIMATE: Target(600, "s"),
    PSD_QUICK: Target(10, "s"),
    CHECK: Target(90, "s"),
}
SEEN = {"Start": (1.7, 3, 12), "Learn, scene 1": (1.7, 3, 12), "Quantiles": (3.0, 5, 19)}
HALL, HOME = "10 Mbit/s, 20 ms", "1.6 Mbit/s, 150 ms"
for page, (megabytes, soon, late) in SEEN.items():
    TARGETS |= {
        first_bytes(page): Target(megabytes, "MB", slack=1.0),
        second_bytes(page): Target(60, "kB", slack=1.0),
        first_picture(page, HALL): Target(soon, "s"),
        first_picture(page, HOME): Target(late, "s"),
    }
# bytes are counted, not timed: a busy machine does not add any
TARGETS |= {
    memory(name): Target(300, "MB", slack=1.0) for name in TARGETS if name.startswith("JointExp")
}
TARGETS |= {
    ENGINE_COLUMN: Target(1.3, "×"),
    ENGINE_ROUNDED: Target(1.3, "×"),
    ENGINE_POINTS: Target(1.3, "×"),
    memory(ENGINE_COLUMN): Target(500, "MB", slack=1.0),
    memory(ENGINE_ROUNDED): Target(500, "MB", slack=1.0),
    memory(ENGINE_POINTS): Target(700, "MB", slack=1.0),
}
TARGETS |= {memory(name): Target(600, "MB", slack=1.0) for name in RELEASED}
