"""The six data sets of the AQ study: two synthetic ones, four real or stood in for."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np

from dpviz.core.arrays import FloatArray, frozen
from dpviz.core.bounds import Bounds
from dpviz.core.errors import InvalidData
from dpviz.intake.read import read_table

STUDY_BOUNDS = Bounds(-100, 100)  # declared for every set
BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data"  # beside the repository, if at all


class Origin(StrEnum):
    """Where the values come from; everything that is drawn from a stand-in says so."""

    SYNTHETIC = "synthetic"
    REAL = "real"
    STAND_IN = "stand-in"


@dataclass(frozen=True, slots=True, eq=False)
class DataSet:
    """All values (size,) of one set in the study's units, the resolution they have there."""

    key: str
    title: str
    unit: str
    values: FloatArray
    resolution: float
    origin: Origin

    @property
    def label(self) -> str:
        """The title, with a warning where the values are not the paper's."""
        return f"{self.title} (stand-in)" if self.origin is Origin.STAND_IN else self.title


@dataclass(frozen=True, slots=True)
class RealSet:
    """A real set: the file its values are in, and how they enter the study."""

    title: str
    unit: str
    file: str
    scale: float
    resolution: float


REAL: dict[str, RealSet] = {
    "ratings": RealSet("Goodreads ratings", "rating", "goodreads_ratings.csv", 1.0, 0.01),
    "pages": RealSet("Goodreads pages", "pages / 100", "goodreads_pages.csv", 0.01, 0.01),
    "hours": RealSet("Adult hours", "hours a week", "adult_hours.csv", 1.0, 1.0),
    "age": RealSet("Adult age", "years", "adult_age.csv", 1.0, 1.0),
}


def study_sets(
    rng: np.random.Generator, given: Mapping[str, FloatArray] | None = None
) -> dict[str, DataSet]:
    """All six, by key: uniform, normal, then those of REAL, with stand-ins for what is not given.

    given holds whole columns in their own units, as from real_values. Every set has a stream of
    its own, so that giving one leaves the others as they were.
    Raises: InvalidData for a column that is empty or leaves the study's bounds.
    """
    streams = dict(zip(("uniform", "normal", *REAL), rng.spawn(2 + len(REAL)), strict=True))
    uniform = frozen(streams["uniform"].uniform(-5, 5, 10_000))
    normal = frozen(streams["normal"].normal(0, 5, 10_000))
    sets = {
        "uniform": DataSet("uniform", "Uniform(−5, 5)", "value", uniform, 0.0, Origin.SYNTHETIC),
        "normal": DataSet("normal", "Normal(0, 5)", "value", normal, 0.0, Origin.SYNTHETIC),
    }
    for key, real in REAL.items():
        found = (given or {}).get(key)
        origin = Origin.STAND_IN if found is None else Origin.REAL
        whole = stand_in(key, streams[key]) if found is None else found
        values = _entered(whole, real)
        sets[key] = DataSet(key, real.title, real.unit, values, real.resolution, origin)
    return sets


def _entered(whole: FloatArray, real: RealSet) -> FloatArray:
    values = whole[~np.isnan(whole)] * real.scale
    low, high = STUDY_BOUNDS.low, STUDY_BOUNDS.high
    if values.size == 0 or not ((low <= values) & (values <= high)).all():
        raise InvalidData(
            f"{real.title}: the study needs values inside ({low:g}, {high:g}) after multiplying by "
            f"{real.scale:g}. Give a column such as that of {real.file}."
        )
    return frozen(values)


def stand_in(key: str, rng: np.random.Generator) -> FloatArray:
    """Made-up values of the same size, range, ties and rough shape as a real set, in its units."""
    match key:
        case "ratings":
            values = np.round(np.clip(rng.normal(3.94, 0.3, 11_123), 0, 5), 2)
            values[rng.random(values.size) < 0.002] = 0.0
        case "pages":
            values = np.clip(np.round(rng.lognormal(5.6, 0.75, 11_123)), 0, 6576)
        case "hours":
            others = np.clip(np.round(rng.normal(40, 15, 48_842)), 1, 99)
            values = np.where(rng.random(48_842) < 0.45, 40.0, others)
        case "age":
            values = np.clip(np.floor(17 + rng.gamma(2.8, 7.8, 48_842)), 17, 90)
        case _:
            raise InvalidData(f"There is no stand-in for '{key}'. There are: {', '.join(REAL)}.")
    return np.asarray(values, dtype=np.float64)


def real_values(folder: Path | None = BESIDE) -> dict[str, FloatArray]:
    """The real columns found in a folder, by key; empty without a folder.

    Raises: InvalidData for a file that cannot be read.
    """
    found = {}
    for key, real in REAL.items():
        path = None if folder is None else folder / real.file
        if path is not None and path.is_file():
            table = read_table(path, real.file)
            found[key] = table.numeric_values(table.columns[0].name).values
    return found
