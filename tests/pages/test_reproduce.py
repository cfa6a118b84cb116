"""The Python lines on the page make the very numbers of the table, and so does the download."""

import numpy as np
import pytest

from tests.conftest import ROOT
from tests.pages.columns import entered, with_column
from tests.pages.driver import ALL, executed, not_shown, pick, table

FILE = "mixed ' names.csv"
NOTIONS = ("pure", "approx", "zcdp")
FOUR = ["AQ", "JointExp", "AppIndExp", "AggTree"]


def shown_and_executed(app, folder):
    frame = table(pick(app, below="Numbers"))
    shown = pick(app, below="Take away").code
    (lines,) = [one.value for one in shown if one.language == "python"]
    made = executed(lines, folder)["releases"]
    return frame, {name: one.values for name, one in made.items()}


def assert_same(frame, made, names=tuple(ALL)):
    assert sorted(made) == sorted(names)
    for name in names:
        np.testing.assert_array_equal(frame[name].to_numpy(), made[name])


@pytest.mark.parametrize("notion", NOTIONS)
def test_the_lines_make_the_numbers_of_a_sample(notion):
    app = entered(view="compare", mechanisms=FOUR, notion=notion, seed="11", runs="20")
    assert_same(*shown_and_executed(app, ROOT))


@pytest.mark.few(2)
@pytest.mark.parametrize("notion", NOTIONS)
def test_the_lines_ask_the_same_of_an_upload_with_bits_of_their_own(notion, tmp_path, rng):
    values = "\n".join(f"{value:.2f}" for value in rng.normal(40, 12, 400))
    content = f"it's\n{values}\nunknown\n".encode()
    (tmp_path / FILE).write_bytes(content)
    app = with_column(
        content, 0, 100, 0.01,
        name=FILE, column="it's", drop_unreadable=True, notion=notion, view_quantiles="compare",
    )  # fmt: skip
    pick(app, set="own list", own="0.9, 0.25, 0.25, 1%")
    frame, made = shown_and_executed(app, tmp_path)
    assert sorted(made) == sorted(ALL)
    assert frame["quantile"].tolist() == [0.9, 0.25, 0.25, 0.01]
    assert all(values[1] == values[2] for values in made.values())
    (lines,) = [one.value for one in app.code if one.language == "python"]
    assert lines.count("dp.SecureBits()") == 3
    assert "account = dp.Account(sum([budget] * 4))  #" in lines
    assert "'JointExp': np.random.default_rng()," in lines  # for teaching
    assert "for teaching" in lines
    assert not_shown(app)


def test_the_lines_follow_every_setting(tmp_path):
    app = entered(
        data="towns", axis="north", mechanisms=FOUR, runs="20", view="compare",
        neighbours="replace", notion="zcdp", rho="0.3", split="paper", ties="jitter",
        rounded="false", fanout="3", height="5", root="public N", records="2500",
        reading="raw (paper)", noise="Laplace", set="m uniform", m="12",
    )  # fmt: skip
    frame, made = shown_and_executed(app, tmp_path)
    assert_same(frame, made)
    assert "load_sample('towns')[1]" in app.code[0].value


def test_other_noise_makes_other_numbers():
    app = entered(method="AppIndExp", seed="1")
    _, made = shown_and_executed(app, ROOT)
    other = pick(app, seed=2, below="Numbers")
    assert (table(other)["IndependentExp"].to_numpy() != made["IndependentExp"]).any()


def test_the_lines_of_an_upload_make_another_release_of_the_same_law(tmp_path):
    content = b"a\n" + b"\n".join(b"%d" % value for value in range(300))
    (tmp_path / "a.csv").write_bytes(content)
    app = pick(with_column(content, 0, 300), method="IndependentExp")
    for truth in (True, False):
        pick(app, truth=truth)
        frame, made = shown_and_executed(app, tmp_path)
        assert (frame["IndependentExp"].to_numpy() != made["IndependentExp"]).any()
        (lines,) = [one.value for one in app.code if one.language == "python"]
        assert "rng" not in lines  # bits of its own without a word
        assert "account = dp.Account(budget)  #" in lines
        assert "column = table.column('a', bounds, resolution=" in lines
        assert not_shown(app)
