"""What is said of other points: the ratios of the stored rows, decided by their errors."""

import math
from functools import partial

import numpy as np
import pytest

from benchmarks._claims import CLAIMS
from benchmarks._psd_table import ELSEWHERE, psd_rows
from dpviz.experiments.papers import psd_points
from dpviz.experiments.papers.psd_points import CONTROLS, PAIRS
from dpviz.experiments.papers.stored import other_points, told
from dpviz.experiments.papers.stored.findings import word
from dpviz.experiments.papers.stored.other_points import ASKED, STATED, Ratio
from dpviz.experiments.papers.stored.record import record


def cell(rows, method, height, epsilon, shape):
    """The errors of a release by draw."""
    found = rows[
        (rows["method"] == method) & (rows["height"] == height)
        & (rows["epsilon"] == epsilon) & (rows["shape"] == shape)
    ]  # fmt: skip
    return found.set_index("draw")["mean"]


def geometric(one, other):
    assert list(one.index) == list(other.index) == list(range(psd_points.DRAWS))
    return math.prod(one / other) ** (1 / len(one))


def by_loop(key, rows):
    """The deciding ratio, plainly."""
    shapes = list(dict.fromkeys(rows["shape"]))
    at = partial(cell, rows)
    if key == "cell":
        return min(
            geometric(at("kd-cell", 8, e, shapes[2]), at("kd-hybrid", 8, e, shapes[2]))
            for e in (0.1, 1.0)
        )
    if key == "hybrid":
        return max(
            geometric(at("kd-hybrid", 8, 0.5, s), at("quad-opt", 10, 0.5, s)) for s in shapes[1:]
        )
    return max(
        max(
            geometric(at("Hilbert-R", h, 0.5, s), at(other, h, 0.5, s))
            for other in ("quad-opt", "kd-hybrid")
        )
        for h in (6, 8)
        for s in shapes
    )


@pytest.mark.law
@pytest.mark.parametrize("key", list(ASKED))
def test_ratios_are_what_a_loop_over_the_rows_finds(key):
    found = other_points.ratios(key)
    sets = dict(list(record().rows["other points"].groupby("points", sort=False)))
    assert set(found) == set(sets) >= {one.name for one in CONTROLS}
    for name, one in found.items():
        assert one.value == pytest.approx(by_loop(key, sets[name]))
        assert one.low < one.value < one.high


def test_what_fails_on_the_roads_of_the_figures_is_not_said_to_hold_on_them():
    """The rows of the figures and the controls of the same points agree."""
    for (figure, claim), key in ELSEWHERE.items():
        assert not CLAIMS[figure][claim](told.rows_of(figure, record()))
        assert other_points.verdicts(key)[psd_points.ROADS] is not True


def test_the_draws_decide_and_what_is_nearer_to_the_limit_stays_open():
    losing, level = ASKED["cell"], ASKED["hybrid"]
    assert losing.holds(Ratio(1.2, 1.01, 1.4)) is True
    assert losing.holds(Ratio(1.2, 0.99, 1.4)) is None
    assert losing.holds(Ratio(0.8, 0.7, 0.9)) is False
    assert level.holds(Ratio(1.2, 1.11, 1.3)) is False
    assert level.holds(Ratio(1.2, 1.0, 1.3)) is None
    assert level.holds(Ratio(0.9, 0.8, 1.09)) is True


def test_the_range_of_a_ratio_holds_the_truth_in_nineteen_of_twenty():
    """Student's t on logs of five draws; ranges of half the length must fall short."""
    rng, trials = np.random.default_rng(1), 2_000
    covered = halved = 0
    for logs in rng.normal(0.3, 0.2, (trials, 5)):
        one = Ratio.of(np.exp(logs), np.ones(5))
        covered += one.low < math.exp(0.3) < one.high
        halved += abs(math.log(one.value) - 0.3) < math.log(one.high / one.low) / 4
    width = 6.2 * math.sqrt(0.05 * 0.95 * trials)  # beyond by chance: below 1e-9
    assert abs(covered - 0.95 * trials) < width
    assert abs(halved - 0.95 * trials) > width


def test_a_property_turns_a_statement_only_where_both_verdicts_are_clear():
    names = {name for pairs in PAIRS.values() for pair in pairs for name in pair}
    assert other_points.turning(dict.fromkeys(names, True)) == []
    for name, pairs in PAIRS.items():
        one, other = pairs[0]
        assert name in other_points.turning(dict.fromkeys(names, True) | {one: False})
        assert name in other_points.turning(dict.fromkeys(names, True) | {other: False})
        assert name not in other_points.turning(dict.fromkeys(names) | {other: False})


def test_a_property_moves_a_ratio_only_where_ranges_lie_apart():
    names = {name for pairs in PAIRS.values() for pair in pairs for name in pair}
    alike = dict.fromkeys(names, Ratio(1.0, 0.9, 1.1))
    assert other_points.moving(alike) == []
    for name, pairs in PAIRS.items():
        for place in pairs[0]:
            assert name in other_points.moving(alike | {place: Ratio(1.3, 1.2, 1.4)})
            assert name in other_points.moving(alike | {place: Ratio(0.7, 0.6, 0.8)})
            assert name not in other_points.moving(alike | {place: Ratio(1.3, 1.05, 1.6)})


def test_what_turns_a_statement_is_said_before_what_moves_it():
    said = {key: other_points.turned(key) for key in ASKED}
    for key, words in said.items():
        turns = other_points.turning(other_points.verdicts(key))
        moves = other_points.moving(other_points.ratios(key))
        assert all(name in words for name in {*turns, *moves})
        assert not any(name in words for name in set(PAIRS) - {*turns, *moves})
        assert words.startswith("Turned by") == bool(turns)
    assert said["cell"].startswith("Turned by the number of points")
    assert "how evenly they lie" in said["hybrid"]
    assert "how evenly they lie" in said["hilbert"]


@pytest.mark.law
def test_the_table_gives_every_set_once_with_its_verdict():
    lines = {(one.figure, one.printed): one for one in psd_rows(record())}
    for (key, claim), asked in ELSEWHERE.items():
        said = lines[f"PSD Fig. {key[3:]}", claim].otherwise
        assert claim in CLAIMS[key]
        assert said.endswith(other_points.reason(asked))
        for name, one in other_points.ratios(asked).items():
            assert said.count(f"{name} {one.value:.2f} ({one.low:.2f} to {one.high:.2f})") == 1
    other = lines["PSD Fig. 5", "kd-cell is good on small squares"].otherwise
    assert " to " not in other


@pytest.mark.parametrize(("figure", "keys"), [("psd5", ["cell"]), ("psd6", ["hybrid", "hilbert"])])
def test_captions_say_on_how_many_sets_a_statement_holds(figure, keys):
    words = told.told(figure, {**told.NUMBERS[figure](told.rows_of(figure, record())),
                               "trials": "", "points": ""})  # fmt: skip
    for key in keys:
        held = other_points.verdicts(key)
        assert other_points.told_short(key) in words.why
        back = [name for name, verdict in held.items() if verdict]
        failing = [name for name, verdict in held.items() if verdict is False]
        stated = f"On {word(len(back))} of {word(len(held))} sets of points tried {STATED[key]}"
        assert f"{stated} ({', '.join(back)}), on {word(len(failing))} clearly not" in words.why
        unclear = list(held.values()).count(None)
        said = other_points.told_short(key)
        assert (f", {word(unclear)} leave" in said) == bool(unclear)
        turns = other_points.turning(held)
        changed = f"changing {' or '.join(f'only {name}' for name in turns)} turned the answer."
        assert said.endswith(changed if turns else "no single change tried turned it.")
