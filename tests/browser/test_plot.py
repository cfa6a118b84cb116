"""Pictures of plotly.js: drawn once an answer, at the size of their place, and in full screen."""

from playwright.sync_api import Page

from tests.browser.steps import answered, settle, visit

# sizes at which plotly.js is asked to draw
COUNTED = """
() => {
  const real = window.Plotly.react;
  window.drawn = [];
  window.Plotly.react = (place, data, layout, config) => {
    window.drawn.push([layout.width, layout.height]);
    return real(place, data, layout, config);
  };
}
"""
PLACE = """
() => {
  const place = document.querySelector('[data-testid=stPlotlyChart]');
  const {width, height} = place.getBoundingClientRect();
  return [width, height];
}
"""
SHOWN = """
() => {
  const box = document.querySelector('.js-plotly-plot .main-svg').getBoundingClientRect();
  return [box.width, box.height];
}
"""


def test_an_answer_draws_its_picture_once_and_it_follows_the_window_and_the_whole_screen(
    page: Page, server: str
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    visit(page, f"{server}/quantiles")
    page.evaluate(COUNTED)
    with answered(page):
        page.get_by_role("slider").first.press("ArrowRight")
    assert page.evaluate("() => window.drawn") == [page.evaluate(PLACE)]

    with answered(page):  # nothing in the picture hangs on it
        page.get_by_role("button", name="Words").click()
    assert len(page.evaluate("() => window.drawn")) == 1

    page.set_viewport_size({"width": 1300, "height": 860})
    page.wait_for_function(f"() => window.drawn.at(-1).join() === ({PLACE})().join()")
    settle(page)
    assert page.evaluate("() => window.drawn").pop() == page.evaluate(PLACE)
    before = page.evaluate(SHOWN)
    assert before == page.evaluate(PLACE)

    page.locator(".js-plotly-plot").hover()
    page.locator('.modebar-btn[data-title="Fullscreen"]').click()
    page.wait_for_function("() => document.fullscreenElement?.className === 'plot'")
    page.wait_for_function(f"() => ({SHOWN})().join() === [innerWidth, innerHeight].join()")
    page.evaluate("() => document.exitFullscreen()")
    page.wait_for_function(f"before => ({SHOWN})().join() === before.join()", arg=before)
