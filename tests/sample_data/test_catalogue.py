"""The files agree with the catalogue and with the script that writes them."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dpviz.core.errors import InvalidData
from dpviz.intake.samples import ANYBODY, load_sample, sample, sample_names, samples
from tests.conftest import ROOT
from tests.rows import by_rows

FOLDER = ROOT / "sample_data"
FILES = sorted(FOLDER.glob("*.csv"))
IDS = [one.key for one in samples()]


def test_every_file_is_in_the_catalogue_and_small():
    assert {one.file for one in samples()} == {path.name for path in FILES}
    assert sum(path.stat().st_size for path in FILES) <= 5_000_000


@pytest.mark.law
def test_the_script_writes_the_same_bytes(tmp_path: Path):
    script = FOLDER / "make_samples.py"
    subprocess.run([sys.executable, str(script), str(tmp_path)], check=True, timeout=60)
    for path in FILES:
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.name


@by_rows("one", samples(), ids=IDS)
def test_declarations_hold(one):
    columns = load_sample(one.key)
    assert len(columns) == len(one.columns) == len(one.bounds)
    for values, bounds in zip(columns, one.bounds, strict=True):
        assert values.size == one.n
        assert np.isfinite(values).all()
        inside = (values >= bounds.low) & (values <= bounds.high)
        assert inside.mean() >= 0.99
    assert one.description.endswith(".")
    assert one.teaches.endswith(".")


@by_rows("one", samples(), ids=IDS)
def test_every_set_has_words_for_people_and_units(one):
    words = one.words
    assert words.people.one
    assert words.people.many
    assert words.people.many not in ("records", "values")
    assert bool(words.unit.one) == bool(words.unit.many)
    assert len(words.at_most) == len(words.up_to) == len(one.columns)
    for phrase in words.at_most:
        assert phrase.count("{}") == 1
    assert not any("{" in phrase for phrase in words.up_to)


@by_rows("one", samples(), ids=IDS)
def test_every_set_has_a_public_size_with_its_source(one):
    assert 0.8 * one.n <= one.about <= 1.25 * one.n
    assert "known from" in one.known


def test_words_follow_their_numbers():
    exam = sample("exam").words
    assert exam.people.counted(6000) == "6,000 students"
    assert exam.people.counted(1) == "1 student"
    assert exam.unit.after("1") == "1 mark"
    assert exam.unit.after("1.0") == "1.0 marks"
    assert exam.unit.after("−1.2") == "−1.2 marks"
    assert exam.at_most[0].format(exam.unit.after("58")) == "have at most 58 marks"
    assert sample("salaries").words.unit.after("412") == "412"
    assert ANYBODY.people.counted(2) == "2 people"


def off_grid(values, resolution):
    return np.abs(values / resolution - np.rint(values / resolution)).max()


@pytest.mark.parametrize("one", [s for s in samples() if s.resolution], ids=lambda s: s.key)
def test_resolution_holds_and_is_the_coarsest(one):
    (values,) = load_sample(one.key)
    assert off_grid(values, one.resolution) < 1e-9
    assert off_grid(values, 2 * one.resolution) > 0.4


def test_what_the_sets_are_there_to_teach():
    data = {one.key: load_sample(one.key)[0] for one in samples()}
    assert np.mean(data["hours"] == 40) == pytest.approx(0.47, abs=1e-9)
    assert np.unique(data["ratings"]).size == 10
    salaries = data["salaries"]
    assert salaries.mean() > 1.1 * np.median(salaries)
    assert 0 < np.mean(salaries > 500_000) < 0.01
    waits, _ = np.histogram(data["waiting"], [50, 60, 64, 70, 75, 85])
    assert waits[2] / 6 < 0.5 * min(waits[0] / 10, waits[4] / 10)
    assert np.mean(data["exam"] == 50) > 3 * np.mean(data["exam"] == 55)


def test_the_office_is_the_one_of_the_lessons():
    (pay,), (rating,) = load_sample("office"), load_sample("survey")
    names = sample_names("office")
    assert (pay.size, pay.sum(), pay.mean()) == (40, 2_022_000, 50_550)
    assert np.count_nonzero(rating <= 4) == 16
    assert (names[0], pay[0], rating[0]) == ("Ana", 61_300, 2)
    assert (names[25], pay[25]) == ("Zeno", 148_000)
    first = (FOLDER / "office.csv").read_text(encoding="ascii").splitlines()[1]
    assert first == "Ana,Finance,3,car,30,7,no,61300,2"
    with pytest.raises(InvalidData, match="names nobody"):
        sample_names("exam")
