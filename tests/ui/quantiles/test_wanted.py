"""Each set of quantiles asks for exactly its own."""

import pytest

from dpviz.core.errors import InvalidQuantiles
from dpviz.ui.quantiles.wanted import count, named, quantiles


def values(chosen: str, m: int = 4, own: str = "0.9, 10%") -> dict[str, object]:
    return {"set": chosen, "m": m, "own": own}


@pytest.mark.parametrize(
    ("name", "parts"), [("quartiles", 4), ("deciles", 10), ("percentiles", 100), ("m uniform", 5)]
)
def test_a_named_set_asks_for_its_quantiles(name: str, parts: int) -> None:
    expected = [i / parts for i in range(1, parts)]
    assert quantiles(values(name)).asked.tolist() == pytest.approx(expected)
    assert count(values(name)) == parts - 1


def test_a_list_is_read_in_its_order_and_named() -> None:
    assert quantiles(values("own list")).asked.tolist() == [0.9, 0.1]
    assert count(values("own list")) == 2
    names = [named(values(one)) for one in ("deciles", "m uniform", "own list")]
    assert names == ["Deciles", "Quantiles", "Own quantiles"]


@pytest.mark.parametrize("text", ["", "0.5, x", "0, 1"])
def test_what_cannot_be_read_counts_as_one(text: str) -> None:
    with pytest.raises(InvalidQuantiles):
        quantiles(values("own list", own=text))
    assert count(values("own list", own=text)) == 1
