"""A session that dies while a file is there or on its way: what the open page says afterwards."""

from playwright.sync_api import Page, Route, expect

from dpviz.ui.data.uploading import GONE
from dpviz.ui.visit.screen import LOST
from tests.browser.steps import FILE_BUTTON, answered, settle, tracebacks, upload, visit

SMALL = {"name": "mine.csv", "mimeType": "text/csv", "buffer": b"age\n" + b"41\n" * 500}
# the page's line to the server is cut, and the next one does not say whose it is: what answers is
# an empty session, as that of another process is
DIES = """() => {
  const Own = window.WebSocket, { send } = Own.prototype;
  window.WebSocket = class extends Own {
    constructor(address, [way, xsrf]) { super(address, [way, xsrf]); }
  };
  Own.prototype.send = function (said) { window.line = this; return send.call(this, said); };
}"""
UPLOADS = "**/_stcore/upload_file/**"


def offered(page: Page) -> None:
    """The popover with the uploader is open."""
    if page.get_by_test_id("stFileUploader").count() == 0:
        page.get_by_role("button", name=FILE_BUTTON).first.click()
    page.get_by_test_id("stFileUploader").wait_for()


def dies(page: Page) -> None:
    """The page lists no file when it has another session, and says why."""
    page.get_by_test_id("stFileChip").wait_for()
    with answered(page):
        page.evaluate("window.line.close()")
    page.get_by_test_id("stToast").get_by_text(LOST[:40]).wait_for()
    offered(page)
    body = page.get_by_test_id("stPopoverBody").first
    expect(body).to_contain_text(GONE.split(": ")[1][:30])
    expect(page.get_by_test_id("stFileChip")).to_have_count(0)
    assert "AxiosError" not in page.content()
    assert tracebacks(page).count() == 0
    page.keyboard.press("Escape")
    settle(page)


def test_a_file_that_died_with_its_session_is_not_listed(page: Page, server: str) -> None:
    """Neither one that was on its way nor, in the session that took it then, one that was there."""
    visit(page, f"{server}/data?truth=false")  # whose cards are drawn soon
    page.evaluate(DIES)
    held: list[Route] = []  # bytes that never come to an end
    page.route(UPLOADS, lambda one: held.append(one))  # noqa: PLW0108  Playwright marks what it calls
    offered(page)
    with page.expect_request(UPLOADS):
        page.locator("input[type=file]").set_input_files(SMALL)
    dies(page)
    page.unroute(UPLOADS)
    upload(page, SMALL, truth=False)
    offered(page)
    dies(page)
