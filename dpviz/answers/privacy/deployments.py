"""Budgets that others chose, each with what it protects and where it is stated.

Figures are those of the sources, unchanged; most are collected in the registry of deployments of
OpenDP and in the list of Desfontaines ("A list of real-world uses of differential privacy").
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deployment:
    """An ε that others chose, from low to high, as they state it; protects is its unit.

    whole says that the unit is everything a person or a device gave, and not a part of it; rho and
    delta are those of the statement, if there are any. on_device: noise is added before anybody
    collects; else a server is trusted. on_rail: named where room is scarce.
    """

    name: str
    what: str
    year: int
    low: float
    high: float
    protects: str
    source: str
    whole: bool = False
    rho: float | None = None
    delta: float | None = None
    on_device: bool = False
    on_rail: bool = False
    about: bool = False

    @property
    def is_range(self) -> bool:
        """Whether it is a range."""
        return self.low < self.high

    @property
    def size(self) -> str:
        """What was chosen: "2 to 16"."""
        if self.is_range:
            return f"{self.low:g} to {self.high:g}"
        return f"{'about ' if self.about else ''}{self.low:g}"

    @property
    def text(self) -> str:
        """Who chose what: "Apple, 2 to 16"."""
        return f"{self.name}, {self.size}"


CENSUS_PEOPLE, CENSUS_HOMES = 17.14, 2.47  # the two parts of the final redistricting file
CENSUS_RHOS = 2.56, 0.07
CENSUS = round(CENSUS_PEOPLE + CENSUS_HOMES, 2)
DEPLOYMENTS = (
    Deployment(
        "Facebook", "pages shared", 2020, 0.45, 0.45, "one kind of action",
        "Messing et al. 2020, doi:10.7910/DVN/TDOAPG", delta=1e-5,
    ),
    Deployment(
        "Gboard", "keyboard models", 2024, 0.994, 13.69, "a device",
        "Xu and Zhang 2024, blog of Google Research; arXiv:2305.18465", whole=True, delta=1e-10,
    ),
    Deployment(
        "Wikipedia", "pages read, by country", 2023, 1.0, 1.0, "a day and device",
        "Adeleye et al. 2023, arXiv:2308.16298; README of the data", rho=0.015, delta=1e-7,
        on_rail=True, about=True,
    ),
    Deployment(
        "Windows", "seconds in apps", 2017, 1.672, 1.672, "six hours of a device",
        "Ding, Kulkarni and Yekhanin 2017, arXiv:1712.01524", on_device=True,
    ),
    Deployment(
        "Google symptoms", "words searched for", 2020, 1.68, 1.68, "a day of a user",
        "Bavadekar et al. 2020, arXiv:2009.01265",
    ),
    Deployment(
        "Apple", "emoji, words, health types, pages", 2017, 2.0, 16.0, "a day, on the phone",
        "Apple, Differential Privacy Overview; by day: list of Desfontaines", on_device=True,
        on_rail=True,
    ),
    Deployment(
        "Google vaccination", "words searched for", 2021, 2.19, 2.19, "a day of a user",
        "Bavadekar et al. 2021, arXiv:2107.01179", delta=1e-5,
    ),
    Deployment(
        "Google mobility", "places visited", 2020, 2.64, 2.64, "a day of a user",
        "Aktay et al. 2020, arXiv:2004.04145",
    ),
    Deployment(
        "LinkedIn hiring", "who hires", 2020, 4.8, 4.8, "a hire, in a month's report",
        "Rogers et al. 2020, arXiv:2010.13981", delta=4e-10,
    ),
    Deployment(
        "Births in Israel", "a table like the registry's", 2024, 9.98, 9.98, "a mother and newborn",
        "Hod and Canetti 2024, arXiv:2405.00267", whole=True,
    ),
    Deployment(
        "2020 US census", "redistricting file", 2021, CENSUS, CENSUS, "people, homes",
        f"Abowd et al. 2022, arXiv:2204.08986: {CENSUS_PEOPLE:g} for people, {CENSUS_HOMES:g} for "
        f"homes, from ρ = {CENSUS_RHOS[0]:g} and {CENSUS_RHOS[1]:g}", whole=True,
        rho=round(sum(CENSUS_RHOS), 2), delta=1e-10, on_rail=True,
    ),
    Deployment(
        "LinkedIn audiences", "what members read", 2020, 34.9, 34.9, "a month of a member",
        "Rogers et al. 2020, arXiv:2002.05839", delta=7e-9,
    ),
)  # fmt: skip
NAMED = tuple(one for one in DEPLOYMENTS if one.on_rail)
CHOSEN = "Chosen by others,"
NO_RANKING = "for different units of protection: not a ranking"
