"""The view Bins: what is on screen, what is spent and when, own files, refusals, what may leave."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.core.budgets import PureDP
from dpviz.core.person_rows import PersonRows
from dpviz.intake.counted.counted_table import People
from dpviz.intake.samples import load_sample
from tests.browser.steps import decoded
from tests.pages.columns import charts, entered, headline, traces, with_column, words
from tests.pages.driver import healthy, pick, table

FILE = ("a,town,year\n" + "".join(
    f"{at % 90},{'north' if at % 3 else 'south'},{2000 + at % 4}\n" for at in range(600)
)).encode()  # fmt: skip


def look(**link):
    return entered(view="bins", **link)


def named(app):
    return {one["name"]: decoded(one["y"]).tolist() for one in charts(app)[0]["data"]}


def paid(app, payer="exam"):
    found = app.session_state["_accounts"][payer].entries
    return [(one.what, one.budget, one.times) for one in found]


def test_bars_stand_beside_the_original_ones():
    app = look()
    (marks,) = load_sample("exam")
    truth = np.histogram(marks, np.arange(0, 101, 5))[0]
    drawn = named(app)["original"]
    assert drawn[::3] == truth.tolist()
    frame = table(app)
    assert frame["original"].str.replace(",", "").astype(int).tolist() == truth.tolist()
    private = frame["private"].str.replace(",", "").str.replace("−", "-").astype(int)
    assert named(app)["private"] == private.tolist()
    assert "of 20 bins are off by more than a tenth" in headline(app)
    assert paid(app) == [("20 bins", PureDP(0.1), 1)]


def test_without_the_truth_bars_stand_alone_with_their_card():
    app = look(truth="false")
    assert traces(app) == ["private", "intervals"]
    assert headline(app).startswith("Each bin is within")
    assert list(table(app)) == ["from", "to", "private", "19 times in 20"]
    said = words(app)
    assert "noise on each count alone" in said
    assert "original" not in said


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("link", "bins", "says"),
    [
        ({"b_kind": "tree bins"}, 16, "A tree errs"),
        ({"b_kind": "tree bins", "b_bins": "100"}, 128, "A tree errs"),
        ({"b_kind": "own edges", "b_edges": "0, 50, 80, 100"}, 3, "wider bins hold more"),
        ({"b_bins": "40"}, 40, "some bins hold 3 of the column's steps, others 2"),
        ({"b_bins": "25"}, 25, "twice as many bins"),
        ({"exam_low": "20", "exam_high": "80"}, 20, "The bounds clip"),
        ({"notion": "zcdp", "rho": "0.01"}, 20, "twice as many bins"),
    ],
)
def test_kinds_of_bins(link, bins, says):
    app = look(**link)
    assert len(named(app)["private"]) == bins
    assert says in words(app)


def test_own_edges_that_do_not_fit_are_refused_for_what_was_typed():
    app = pick(look(b_kind="own edges"), b_edges="0, 50, 150")
    assert headline(app) == "These are no bins."
    assert "Edges must lie within the column's bounds" in app.error[0].value
    app = pick(app, b_edges="0, x")
    assert "'x' is not a number" in app.error[0].value


def of_file(truth=True, asked=True):
    """The view on an own file, of which nobody has asked for a draw unless asked."""
    app = with_column(FILE, 0, 100, 1, truth=truth)
    app.session_state["_draws_always"] = asked
    app.session_state["_accounts"] = {}
    return pick(app, q_view="bins")


def test_a_file_is_drawn_when_it_is_asked_for_and_paid_once():
    app = of_file(asked=False)
    assert "Nothing is drawn yet" in headline(app)
    assert "Every bin will be within" in words(app)
    assert paid(app, "upload") == []
    healthy(app.button(key="draw_now").click().run())
    assert paid(app, "upload") == [("20 bins", PureDP(0.1), 1)]
    counts = named(app)["private"]
    app.session_state["_visit"]["truth_own"] = False
    healthy(app.run())
    assert named(app)["private"] == counts
    assert len(paid(app, "upload")) == 1


def test_a_declared_share_says_what_it_would_cost_a_file():
    app = pick(of_file(truth=False), b_beyond=2)
    assert "2 % beyond one bound would add" in words(app)


def test_groups_of_a_sample_are_paid_once_together():
    app = look(data="towns", b_by="north")
    east, north = load_sample("towns")
    edges = np.arange(0, 101, 5)
    lower, upper = (
        np.histogram(east[kept], edges)[0] for kept in (north < 40, (north >= 40) & (north <= 80))
    )
    frame = table(app)
    assert frame["group"].tolist() == ["0 to 40"] * 20 + ["40 to 80"] * 20
    held = frame["original"].str.replace(",", "").astype(int)
    assert held.tolist() == [*lower, *upper]
    assert "2 groups that share nobody cost what one costs" in words(app)
    what = "20 bins of 2 groups that share nobody, at the price of one"
    assert paid(app, "towns") == [(what, PureDP(0.1), 1)]


def test_groups_of_a_file_are_those_that_were_typed():
    app = pick(of_file(), b_by="town")
    assert headline(app) == "These are no bins."
    app = pick(app, b_groups="north, elsewhere")
    frame = table(app)
    assert set(frame["group"]) == {"north", "elsewhere"}
    assert frame["original"].astype(int)[20:].sum() == 0
    assert frame["original"].astype(int).sum() == 400
    assert "south" not in frame.to_csv() + words(app)
    last = paid(app, "upload")[-1]
    assert last == ("20 bins of 2 groups that share nobody, at the price of one", PureDP(0.1), 1)
    app = pick(app, b_by="year", b_groups="2000 < 2001 < 2002 < 2003 < 2004")
    assert len(charts(app)[0]["layout"]["annotations"]) == 5
    link = "&".join(f"{key}={value}" for key, value in app.query_params.items())
    assert "town" not in link
    assert "year" not in link
    assert "2000" not in link


PEOPLE = ("a,town,who\n" + "".join(
    f"{at % 90},{'north' if at % 3 else 'south'},p{at % 50}\n" for at in range(600)
)).encode()  # fmt: skip  # 50 people, each with 8 rows in the north and 4 in the south


@pytest.mark.parametrize(
    ("rows", "kept", "said"),
    [
        (PersonRows.at_most(3), 150, "at most 3 rows of a person count in both together"),
        (PersonRows.at_most(1), 50, "at most 1 row of a person counts in both together"),
        (PersonRows.weighted(), 42_000, "a person's rows share 840 parts in both together"),
    ],
    ids=str,
)
def test_people_with_rows_in_several_groups_spend_once(rows, kept, said):
    app = with_column(PEOPLE, 0, 100, 1, truth=True)
    own = app.session_state["_upload"]
    app.session_state["_upload"] = replace(own, people=People("who", rows))
    app.session_state["_draws_always"] = True
    app = pick(app, q_view="bins")
    app.session_state["_accounts"] = {}
    app = pick(app, b_by="town")
    app = pick(app, b_groups="north, south")
    held = table(app)["original"].str.replace(",", "").astype(int)
    assert held.sum() == kept  # over both groups together: the wrong twin has up to twice as many
    assert f"2 groups may share people, and {said}: a person spends ε = 0.1 in all." in words(app)
    assert "in each group apart would cost up to 2 times as much" in words(app)
    assert "share nobody" not in words(app)
    what = "20 bins of 2 groups that share no row, at the price of one"
    assert paid(app, "upload_people") == [(what, PureDP(0.1), 1)]
    assert paid_of(app, "upload") == []


def paid_of(app, payer):
    return app.session_state["_accounts"][payer].entries if (
        payer in app.session_state["_accounts"]
    ) else []  # fmt: skip


def test_people_are_no_groups_of_their_own():
    app = of_file()
    own = app.session_state["_upload"]
    app.session_state["_upload"] = replace(own, people=People("town", PersonRows.at_most(1)))
    healthy(app.run())
    assert session_columns(app) == ["nothing", "year"]


def session_columns(app):
    return list(app.selectbox(key="b_by").options)


def test_what_leaves_holds_nothing_true():
    app = look()
    labels = [str(one.proto.label) for one in app.main.get("download_button")]
    assert "Private bins as CSV" in " ".join(labels)
    assert "Release as JSON" in " ".join(labels)
