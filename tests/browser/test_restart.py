"""A server that dies while a file is there or on its way: what the open page says afterwards."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from dpviz.ui.data.uploading import GONE
from dpviz.ui.visit.screen import LOST
from tests.browser.conftest import free_port, running_app
from tests.browser.steps import FILE_BUTTON, settle, tracebacks, upload, visit

SMALL = {"name": "mine.csv", "mimeType": "text/csv", "buffer": b"age\n" + b"41\n" * 500}


def chips(page: Page) -> Any:
    """The files that the uploader lists."""
    return page.get_by_test_id("stFileChip")


def begun(page: Page, address: str, *, arrives: bool) -> None:
    """Hand over a file, which is taken or whose bytes never come to an end."""
    visit(page, f"{address}/data")
    if arrives:
        upload(page, SMALL, truth=False)
        page.get_by_role("button", name=FILE_BUTTON).first.click()
    else:
        page.route("**/_stcore/upload_file/**", lambda _: None)
        page.get_by_role("button", name=FILE_BUTTON).first.click()
        page.locator("input[type=file]").set_input_files(SMALL)
    chips(page).wait_for()


def told_and_taken_again(page: Page) -> None:
    """The page lists no file, says why, and takes it again."""
    page.get_by_test_id("stToast").get_by_text(LOST[:40]).wait_for()
    settle(page)
    if page.get_by_test_id("stFileUploader").count() == 0:
        page.get_by_role("button", name=FILE_BUTTON).first.click()
    page.get_by_test_id("stFileUploader").wait_for()
    assert chips(page).count() == 0
    assert "AxiosError" not in page.content()
    body = page.get_by_test_id("stPopoverBody").first
    assert GONE.split(": ")[1][:30] in body.inner_text()
    page.keyboard.press("Escape")
    settle(page)
    upload(page, SMALL, truth=False)
    assert chips(page).count() <= 1
    assert tracebacks(page).count() == 0


def test_a_file_that_died_with_its_process_is_not_listed(page: Page, tmp_path: Path) -> None:
    """Neither one that had arrived nor one that was on its way."""
    port, other = free_port(), page.context.new_page()
    with running_app(tmp_path / "first.txt", port=port) as address:
        begun(page, address, arrives=True)
        begun(other, address, arrives=False)
    other.unroute_all(behavior="ignoreErrors")
    with running_app(tmp_path / "second.txt", port=port):
        told_and_taken_again(page)
        told_and_taken_again(other)
    other.close()
