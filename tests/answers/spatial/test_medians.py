"""The study of private medians: how large it is, and what is said of it."""

import math

from dpviz.answers.spatial.medians import RECORDS, RUNS, MediansNumbers, answer
from dpviz.answers.spatial.medians_said import second, time_text, waiting
from dpviz.catalogue import MEDIANS
from dpviz.experiments.papers import medians
from dpviz.experiments.papers.psd_costs import Medians
from dpviz.experiments.papers.stored.studies import MEDIANS as STORED


def test_the_stored_study_has_the_papers_points_and_one_on_the_page_fewer():
    stored, made = answer(stored=True), answer(stored=False)
    assert 2**stored.power == 2**stored.printed == STORED.medians
    assert 2**made.power == RECORDS < 2**made.printed == STORED.medians
    seconds = 0.0
    for row in MEDIANS:
        seconds += Medians(row.paper, RUNS, RECORDS).seconds
    for found in (stored, made):
        assert (found.levels, found.methods, found.runs) == (medians.DEPTHS, len(MEDIANS), RUNS)
        assert found.seconds == math.ceil(seconds)


def test_the_time_is_that_of_all_methods_and_runs(monkeypatch):
    monkeypatch.setattr("dpviz.answers.spatial.medians.RECORDS", 2**24)
    seconds = [Medians(row.paper, RUNS, 2**24).seconds for row in MEDIANS]
    assert answer(stored=False).seconds == math.ceil(sum(seconds)) > 2 * len(MEDIANS)


def test_every_sentence_says_its_own_number():
    shown = MediansNumbers(power=14, printed=19, levels=11, methods=7, runs=4, seconds=23)
    assert second(shown) == (
        "Cormode et al. 2012, Fig. 4, on 2^14 made-up points (the paper: 2^19); ε = .01 a level, "
        "δ = 1e-4 for a path. No data of yours is used."
    )
    assert (medians.EPSILON, medians.DELTA) == (0.01, 1e-4)
    assert "on 2^20 made-up points, as in the paper; ε" in second(answer(stored=True))
    assert time_text(shown) == "about 23 s"
    assert waiting(shown) == "Drawing the medians of eleven levels, seven methods, four runs"
