"""The load client: what it sends is what a browser sends, and what it counts is what came."""

import json

import pytest
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks import results
from benchmarks.load import crowd, figures, machine, options, server
from benchmarks.load.__main__ import main
from benchmarks.load.figures import FIGURES, Limit
from benchmarks.load.pages import CannotMove, slid, staged, typed, unseen
from benchmarks.load.screen import Screen
from benchmarks.load.tally import Tally, percentile
from benchmarks.load.visitor import Answer
from benchmarks.load.widgets import TRIGGER, UnknownWidget
from benchmarks.load.wire import Address
from tests.conftest import ROOT

FIELDS = {
    "page", "sessions", "every", "seconds", "within", "workers", "rows", "moves", "first_visitor",
    "answers", "p50", "p95", "max", "late", "first_loads", "first_p50", "first_p95", "failed",
    "failures", "messages", "cpu_ms_answer", "cpu_ms_first", "megabytes", "other",
}  # fmt: skip


def delta(path, fragment="", **element) -> ForwardMsg:
    """A message that puts an element or a block in its place."""
    kind, fields = next(iter(element.items()))
    message = ForwardMsg(delta=Delta(fragment_id=fragment))
    message.metadata.delta_path.extend(path)
    held = message.delta.add_block if kind == "popover" else message.delta.new_element
    shown = getattr(held, kind)
    shown.SetInParent()
    for name, value in fields.items():
        if isinstance(value, list):
            getattr(shown, name).extend(value)
        else:
            setattr(shown, name, value)
    return message


def finished(status=ForwardMsg.FINISHED_SUCCESSFULLY, fragments=()) -> ForwardMsg:
    message = ForwardMsg(script_finished=status)
    message.metadata.run.fragment_ids.extend(fragments)
    return message


def bench() -> Screen:
    """A workbench: a slider of stops in the open, an exact ε and a seed in a popover."""
    screen = Screen()
    screen.begin()
    stops = {"type": 2, "options": ["0.01", "0.1", "1"], "default": [1.0]}
    for message in (
        delta([0, 0], slider={"id": "a-eps", **stops}),
        delta([0, 1], checkbox={"id": "a-truth", "value": True, "set_value": True}),
        delta([0, 2], popover={"label": "Expert"}),
        delta([0, 2, 0], number_input={"id": "a-eps_exact", "data_type": 1, "default": 0.1}),
        delta([0, 2, 1], number_input={"id": "a-seed", "data_type": 0, "default": 1.0}),
        delta([0, 3], button={"id": "a-new_draw"}),
    ):
        screen.take(message)
    screen.finish(finished())
    return screen


def sent(screen: Screen) -> dict[str, object]:
    """What goes to the server, by id."""
    found = {}
    for state in screen.states():
        value = getattr(state, state.WhichOneof("value"))
        found[state.id] = list(value.data) if hasattr(value, "data") else value
    return found


def test_a_percentile_is_one_of_the_values_that_were_measured():
    values = [float(i) for i in range(1, 101)]
    assert percentile(values, 0.5) == 50
    assert percentile(values, 0.95) == 95
    assert percentile([3.0], 0.95) == 3
    assert percentile([], 0.5) is None


def test_what_lies_in_a_closed_popover_is_not_sent_as_no_browser_does():
    assert sent(bench()) == {"a-eps": ["0.1"], "a-truth": True}


def test_somebody_who_types_has_opened_the_popover_and_sends_all_that_is_in_it():
    screen = bench()
    typed(screen, 0)
    states = sent(screen)
    assert set(states) == {"a-eps", "a-truth", "a-eps_exact", "a-seed"}
    assert states["a-seed"] == 1
    assert isinstance(states["a-seed"], int)
    assert 0.1 <= states["a-eps_exact"] <= 2.1


def test_nobody_types_what_another_one_typed():
    assert len({unseen() for _ in range(5_000)}) == 5_000


def test_the_slider_goes_to_stops_that_all_share():
    screen, seen = bench(), []
    for turn in range(4):
        slid(screen, turn)
        seen += sent(screen)["a-eps"]
    assert seen == ["0.1", "1", "0.1", "1"]


def test_a_value_stays_until_the_server_sets_another():
    screen = bench()
    slid(screen, 1)
    again = {"id": "a-eps", "type": 2, "options": ["0.1", "1"], "default": [0.0]}
    screen.take(delta([0, 0], slider=again))
    assert sent(screen)["a-eps"] == ["1"]
    screen.take(delta([0, 0], slider={**again, "set_value": True, "raw_value": ["0.1"]}))
    assert sent(screen)["a-eps"] == ["0.1"]


def test_what_a_whole_run_did_not_draw_again_is_gone():
    screen = bench()
    screen.begin()
    screen.take(delta([0, 1], checkbox={"id": "a-truth"}))
    screen.finish(finished(ForwardMsg.FINISHED_EARLY_FOR_RERUN))
    assert "a-eps" in sent(screen)  # a run that was cut short says nothing of the rest
    screen.finish(finished())
    assert set(sent(screen)) == {"a-truth"}


def test_a_run_of_a_fragment_drops_only_what_lay_in_it():
    screen = bench()
    screen.take(delta([0, 4], "f", text_input={"id": "a-name", "default": "x"}))
    screen.take(delta([0, 5], "f", text_input={"id": "a-town", "default": "y"}))
    screen.begin()
    screen.take(delta([0, 5], "f", text_input={"id": "a-town", "default": "y"}))
    screen.finish(finished(ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY, ["f"]))
    assert set(sent(screen)) == {"a-eps", "a-truth", "a-town"}
    assert screen.find("town")[1].fragment == "f"


def test_a_message_that_is_only_named_is_the_one_that_was_sent_before():
    screen = Screen()
    first = delta([0, 0], plotly_chart={"id": "a-cdf", "spec": "{}"})
    first.hash, first.metadata.cacheable = "h", True
    screen.whole(first)
    assert screen.kept == ["h"]
    named = ForwardMsg(ref_hash="h")
    named.metadata.delta_path.extend([0, 7])
    whole = screen.whole(named)
    assert whole.delta.new_element.plotly_chart.spec == "{}"
    assert list(whole.metadata.delta_path) == [0, 7]
    for _ in range(3):
        screen.finish(finished())
    assert screen.kept == []
    with pytest.raises(KeyError):
        screen.whole(named)


def stage(*controls) -> Screen:
    screen = Screen()
    screen.take(
        delta(
            [0, 0],
            bidi_component={
                "id": "a-stage",
                "component_name": "dpviz_stage",
                "json": json.dumps({"controls": controls}),
            },
        )
    )
    return screen


def test_a_stage_sends_what_was_turned_and_nothing_before():
    stops = [{"value": "0.1"}, {"value": "1"}]
    screen = stage({"kind": "go", "value": "back"}, {"kind": "slider", "name": "s", "stops": stops})
    assert sent(screen) == {}
    assert staged(screen, 3).once is None
    assert sent(screen) == {"a-stage": '{"s": "1"}'}


def test_a_question_on_a_stage_is_answered_first():
    asked = {"kind": "go", "value": "b", "look": "answer"}
    move = staged(stage({"kind": "go", "value": "back", "look": "quiet first"}, asked), 0)
    assert move.once is not None
    assert move.once.id == TRIGGER.format("a-stage")
    assert json.loads(move.once.json_trigger_value) == [{"event": "go", "value": "b"}]
    with pytest.raises(CannotMove, match="neither"):
        staged(stage(), 0)


def test_a_widget_that_the_client_does_not_know_is_said():
    with pytest.raises(UnknownWidget, match="date_input"):
        Screen().take(delta([0, 0], date_input={"id": "a-day"}))


def test_failures_are_counted_by_kind():
    tally = Tally(
        [Answer(picture=0.25, finished=0.5)],
        [Answer(picture=0.1, finished=0.3), Answer(finished=0.2)],
    )
    tally.failures.update(["no answer in time", "no answer in time", "closed by the server"])
    line = tally.line()
    assert line["failed"] == 3
    assert line["failures"] == {"no answer in time": 2, "closed by the server": 1}
    assert (line["first_p95"], line["first_finished_p95"]) == (0.25, 0.5)
    assert (line["picture_p95"], line["p95"], Tally().line()["p95"]) == (0.1, 0.3, None)


@pytest.mark.parametrize("url", ["http://192.0.2.1:80", "https://127.0.0.1:1", "127.0.0.1:1"])
def test_the_load_stays_on_this_machine(url, capsys):
    with pytest.raises(SystemExit):
        options.read(["--url", url])
    assert "--url" in capsys.readouterr().err
    assert Address.read("http://127.0.0.1:8501").socket == "ws://127.0.0.1:8501/_stcore/stream"


def test_the_name_of_a_process_may_hold_brackets():
    assert machine.fields("7 (a ) b) S 1 7")[:2] == ["S", "1"]


def test_every_figure_has_options_that_are_read():
    for figure in FIGURES:
        chosen = options.read(figure.options.split())
        assert chosen.url is None, figure.name


def test_a_limit_is_missed_by_what_exceeds_it_alone():
    limit = Limit("p95", lambda line: line["p95"], 0.3, "s")
    assert [limit.verdict({"p95": one}) for one in (0.3, 0.31, None)] == ["reached", "MISSED", "-"]


def test_the_table_takes_the_place_of_the_old_one_and_leaves_the_rest():
    lines = [(FIGURES[0], {"p95": 0.2, "failed": 1, "other": 0.1})]
    page = "# Results\n\n## Load\n\nold\n\n## Trees\n\nkept\n"
    new = results.with_table(page, figures.table(lines))
    assert "old" not in new
    assert new.startswith("# Results\n\n## Load\n")
    assert new.endswith("\n\n## Trees\n\nkept\n")
    assert "| 0.20 s | ≤ 0.3 s | reached | 0.1 |" in new
    assert "| 1 | ≤ 0 | MISSED |" in new
    assert results.with_table(new, figures.table(lines)) == new
    refused = {"error": "usage: dpviz\n  [-h]\ndpviz: error: no HAProxy\n"}
    made = figures.table([*lines, (FIGURES[1], refused)]).markdown()
    assert f"Not made: {FIGURES[1].name} (dpviz: error: no HAProxy)" in made
    assert "usage" not in made


@pytest.mark.law
def test_the_made_up_sample_is_in_a_copy_alone():
    with server.folder(1_000) as place:
        rows = (place / "sample_data" / "many.csv").read_text().split()
        assert (rows[0], len(rows)) == ("income", 1_001)
        assert f"[{server.MADE_UP}]" in (place / "sample_data" / "catalogue.toml").read_text()
    assert not place.exists()
    assert f"[{server.MADE_UP}]" not in (ROOT / "sample_data" / "catalogue.toml").read_text()


@pytest.mark.thorough  # the browser tests have real servers of several visitors
def test_two_visitors_of_a_real_server(capsys, monkeypatch):
    monkeypatch.setattr(crowd, "QUIET", 0.1)
    monkeypatch.setattr(crowd, "TAIL", 0.1)
    assert main(["--sessions=2", "--seconds=0.6", "--every=0.3", "--within=0.1"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert set(line) >= FIELDS
    assert line["failures"] == {}
    assert line["first_loads"] == 2
    assert line["answers"] >= 2
    assert line["messages"] > 20  # the whole page, not one message
    assert 0 < line["p50"] <= line["p95"] <= line["max"]
    assert line["cpu_ms_answer"] > 0
    assert line["megabytes"] > 50
