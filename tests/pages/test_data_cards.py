"""A card of the Data page that is picked is what this visit works on."""

from dpviz.ui.data import choosing
from tests.pages.driver import healthy, opened


def test_a_card_that_is_picked_is_the_data_in_use(monkeypatch):
    wishes, pressed = ["salaries"], []
    gallery = choosing.gallery

    def picking(*given, picked, on_pick, **others):
        pressed.append(picked)
        if wishes:
            on_pick(wishes.pop())  # as a click does
        return gallery(*given, picked=picked, on_pick=on_pick, **others)

    monkeypatch.setattr(choosing, "gallery", picking)
    app = healthy(opened("data").run())
    assert pressed == ["exam", "salaries"]
    assert "the yearly pay of 15,000 people" in app.title[0].value
    (way,) = [one for one in app.button if one.label == "Go to Quantiles"]
    healthy(way.click().run())
    assert app.query_params["data"] in ("salaries", ["salaries"])
