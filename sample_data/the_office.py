"""Forty invented people of an office, who were promised that their survey is anonymous."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

HEADER = "name,team,floor,travel,age,years,parent,salary,rating"
NAMES = [
    "Ana",
    "Bela",
    "Cyra",
    "Dario",
    "Edda",
    "Femi",
    "Gustl",
    "Hana",
    "Ivo",
    "Jorun",
    "Kito",
    "Lumi",
    "Mirko",
    "Nela",
    "Oda",
    "Pavo",
    "Quirin",
    "Runa",
    "Sefa",
    "Tilo",
    "Uma",
    "Vito",
    "Wanja",
    "Xenia",
    "Ylva",
    "Zeno",
    "Arlo",
    "Brisa",
    "Calla",
    "Davin",
    "Elio",
    "Fenja",
    "Gita",
    "Halim",
    "Isra",
    "Jaro",
    "Kaja",
    "Levin",
    "Malu",
    "Nuri",
]
TEAMS = ("Design", "Finance", "Sales", "Support", "Works")
BASE = (46_000.0, 52_000.0, 44_000.0, 36_000.0, 40_000.0)  # yearly pay of a team's beginner
TRAVEL = ("bike", "bus", "car")
ANA, ZENO = 0, 25  # the person of the lessons, and the director
BAD_MARKS = 16  # of 4 or less, one of them Ana's


def office(rng: Generator) -> str:
    """One line a person; the order of the draws is part of the file."""
    n = len(NAMES)
    team = rng.choice(5, n, p=[0.15, 0.15, 0.25, 0.25, 0.2])
    floor, travel = rng.choice(3, n), rng.choice(3, n)
    age = rng.integers(22, 64, n)
    years = np.minimum(rng.geometric(0.18, n), age - 20)
    parent = rng.choice(2, n)
    base = np.array(BASE)[team]
    salary = 100 * np.rint(base * np.exp(0.012 * years + rng.normal(0, 0.22, n)) / 100)
    salary[ANA], salary[ZENO], age[ZENO], years[ZENO] = 61_300, 148_000, 58, 21
    low = np.isin(np.arange(n), rng.permutation(np.arange(1, n))[: BAD_MARKS - 1])
    low[ANA] = True
    rating = np.where(low, rng.integers(1, 5, n), rng.integers(5, 11, n))
    rating[ANA] = 2  # the boss, 1 bad .. 10 good
    rows = zip(
        NAMES,
        (TEAMS[one] for one in team),
        floor + 1,
        (TRAVEL[one] for one in travel),
        age,
        years,
        (("no", "yes")[one] for one in parent),
        (f"{one:.0f}" for one in salary),
        rating,
        strict=True,
    )
    return "\n".join([HEADER, *(",".join(map(str, row)) for row in rows)]) + "\n"
