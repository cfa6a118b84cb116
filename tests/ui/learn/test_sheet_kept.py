"""What a phone remembers of a sheet that it handed in (sheet.js), in the embedded engine."""

import json

import pytest
import quickjs

from dpviz.figures.stage.engine import module

PHONE = """
var stored = {}, forbidden = false;
const kept = (key) => (Object.hasOwn(stored, key) ? stored[key] : null);
const guard = (act) => { if (forbidden) throw new Error("forbidden"); return act(); };
globalThis.localStorage = {
  getItem: (key) => guard(() => kept(key)),
  setItem: (key, value) => guard(() => { stored[key] = String(value); }),
};
const show = %s;
var told = (given) => {
  const said = [];
  show({ data: JSON.parse(given), setStateValue: (name, value) => said.push([name, value]) });
  return JSON.stringify(said);
};
"""


@pytest.fixture
def phone():
    context, script = quickjs.Context(), module("dpviz.ui.learn", "sheet")
    context.eval(PHONE % script.partition("export default ")[2].strip())
    return context


def told(phone, name, score):
    """What the page hears from a phone to which it says what it knows of a sheet."""
    return json.loads(phone.get("told")(json.dumps({"name": name, "score": score})))


def test_a_score_comes_back_on_the_phone_that_handed_its_sheet_in_and_of_that_sheet_alone(phone):
    assert told(phone, "K7QMAB before", None) == []
    assert told(phone, "K7QMAB before", 0) == [["score", 0]]
    assert told(phone, "K7QMAB before", None) == [["score", 0]]  # loaded anew
    assert told(phone, "K7QMAB after", None) == []
    assert told(phone, "K7QMAB after", 11) == [["score", 11]]
    assert told(phone, "K7QMAB before", None) == [["score", 0]]


def test_a_browser_may_forbid_to_keep_anything(phone):
    phone.eval("forbidden = true")
    assert told(phone, "K7QMAB before", 3) == []
