"""A text of any release is read by one call, and nothing else is."""

import inspect
import json
from pathlib import Path

import pytest

import dpviz as dp
from dpviz.core.errors import InvalidRelease
from dpviz.core.stored.read import KINDS
from tests.facade.every_release import CASES, EVERY, NAMES
from tests.facade.public import every_name
from tests.rows import by_rows

STORED = Path(__file__).parent.parent / "core" / "stored"


def test_every_class_with_a_text_is_read_and_each_kind_once():
    written = {
        kind
        for kind in every_name().values()
        if inspect.isclass(kind) and hasattr(kind, "from_json")
    }
    assert set(KINDS.values()) == written
    assert len(KINDS) == len(written)
    assert set(EVERY) == set(KINDS)


@by_rows(("kind", "release"), CASES, ids=NAMES)
def test_a_text_comes_back_as_the_release_that_wrote_it(kind, release):
    text = release.to_json()
    again = dp.from_json(text)
    assert type(again) is type(release) is KINDS[kind]
    assert again == release
    assert again.to_json() == text


@pytest.mark.parametrize("path", sorted(STORED.glob("*.json")), ids=lambda path: path.stem)
def test_texts_of_the_first_version_are_read(path):
    text = path.read_text(encoding="utf-8")
    assert dp.from_json(text) == KINDS[json.loads(text)["kind"]].from_json(text)


@by_rows(("kind", "release"), CASES, ids=NAMES)
def test_a_text_under_the_name_of_another_kind_is_refused(kind, release):
    stored = json.loads(release.to_json())
    for other in KINDS.keys() - {kind}:
        with pytest.raises(InvalidRelease):
            dp.from_json(json.dumps({**stored, "kind": other}))


@pytest.mark.parametrize("text", ["", "[" * 200_000, "null", "5", '"tree"', "[]", "{}", "NaN"])
def test_a_text_that_is_no_release_is_refused_in_words(text):
    with pytest.raises(InvalidRelease, match="not a dpviz release"):
        dp.from_json(text)


@pytest.mark.parametrize("kind", ["", "Tree", "trees", "x" * 10**5])
def test_an_unknown_kind_is_told_which_there_are(kind):
    with pytest.raises(InvalidRelease, match="kind quantiles, profile, tree") as refused:
        dp.from_json(json.dumps({"kind": kind}))
    assert len(str(refused.value)) < 300
