"""What is said of a file that was read: its rows and its cells with the truth on alone."""

from types import SimpleNamespace

import pytest

from dpviz.answers.said import plain
from dpviz.intake.read import read_table
from dpviz.ui.data import file_card
from dpviz.ui.kit.session import Upload
from tests.ui.recorded import Recorded

FILES = {
    "one word": ["3", "five", "7", "9", ""],
    "many": [str(one) for one in range(1_500)] + ["none"] * 1_234 + [""] * 7,
    "numbers": ["1", "2", "", "4"],
    "words": ["a", "b", "c"],
}


def read(cells, other="y"):
    """A table whose first column holds these cells."""
    rows = "".join(f"{one},{at}\n" for at, one in enumerate(cells))
    return read_table(f"pay,{other}\n{rows}".encode(), "pay_*.csv")


@pytest.fixture
def screen(monkeypatch):
    found = Recorded(monkeypatch)
    found.truth = True
    monkeypatch.setattr(file_card.session, "shows_truth", lambda: found.truth)
    return found


def unreadable(cells):
    """Cells that are there and are no number, counted one by one."""
    wrong = 0
    for one in cells:
        if one:
            try:
                float(one)
            except ValueError:
                wrong += 1
    return wrong


@pytest.mark.parametrize("name", FILES)
def test_how_many_cells_would_be_dropped_is_said_beside_the_truth(screen, name):
    cells, table = FILES[name], read(FILES[name])
    wrong, there = unreadable(cells), sum(map(bool, cells))
    assert table.rows == len(cells)
    file_card._unreadable(table.rows, table.info("pay"))
    offers = screen.said("checkbox")
    if not 0 < wrong < there:
        assert offers == []
    elif wrong == 1:
        assert offers == ["Drop 1 value that is no number"]
    else:
        assert offers == [f"Drop {wrong:,} values that are not numbers"]
    screen.forget()
    screen.truth = False
    file_card._unreadable(table.rows, table.info("pay"))
    (hidden,) = screen.calls
    assert hidden.text == "Drop values that are not numbers"
    assert hidden.others["help"] == file_card.UNREADABLE


@pytest.mark.parametrize("cells", [["3"], ["3", "4", "5"], ["1"] * 2_000])
def test_rows_are_counted_beside_the_truth_alone(screen, cells):
    own = Upload(read(cells), 1, column="pay")
    for truth in (True, False):
        screen.forget()
        screen.truth = truth
        file_card.file_card(own)
        said = " ".join(screen.said("markdown"))
        assert "**pay\\_\\*\\.csv**" in said
        assert "Two columns\\." in said
        count = f"{len(cells):,} row{'' if len(cells) == 1 else 's'}\\."
        assert (count in said) == truth
        (column,) = (one for one in screen.calls if one.name == "radio")
        assert column.args[1] == ["pay", "y"]
        assert column.others["captions"] == ["numbers", "numbers"]


def test_a_second_column_is_any_other_of_numbers(screen):
    own = Upload(read(["1", "2"]), 1, column="pay")
    file_card._second(own)
    (second,) = screen.calls
    assert second.args[1] == ["y"]
    screen.forget()
    file_card._second(Upload(read(["1", "2"]), 1, column="y"))
    assert screen.calls[0].args[1] == ["pay"]
    screen.forget()
    file_card._second(Upload(read(["a", "b"]), 1, column="y"))
    assert screen.calls == []


def test_few_columns_are_a_list_and_many_a_menu(screen):
    names = [f"c{at}" for at in range(7)]
    text = ",".join(names) + "\n" + ",".join("x1234567"[1:]) + "\n"
    file_card._column(Upload(read_table(text.encode(), "wide.csv"), 1))
    (menu,) = screen.calls
    assert menu.name == "selectbox"
    assert menu.others["format_func"]("c3") == "c3 (numbers)"
    screen.forget()
    screen.state.clear()
    file_card._column(Upload(read_table(b"only\n1\n2\n", "one.csv"), 1))
    assert screen.said("markdown") == [":gray[Column only\\: numbers\\.]"]


def test_to_choose_a_column_again_takes_it_off_the_map(screen, monkeypatch):
    kept = []
    own = Upload(read(["1", "2"]), 1, column="pay")
    monkeypatch.setattr(file_card.session, "upload", lambda: own)
    monkeypatch.setattr(file_card.session, "keep_upload", kept.append)
    screen.state |= {"upload_column": "y", "upload_y": "y", "drop_unreadable": True}
    file_card._choose()
    assert screen.state["upload_y"] is None
    assert (kept[0].column, kept[0].drop_unreadable) == ("y", True)


def test_what_became_of_the_first_row_is_said_and_can_be_undone(screen, monkeypatch):
    again = []
    monkeypatch.setattr(file_card, "read_again", lambda table, header: again.append(header))
    table = read(["3", "4"])
    file_card._first_row(Upload(table, 7))
    assert screen.state["first_row_7"] is table.header is True
    toggle = screen.one("first_row_7")
    toggle.others["on_change"]()
    assert again == [False]
    assert screen.said("markdown") == [f":gray[{plain(table.first_row)}]"]
    screen.forget()
    file_card._first_row(SimpleNamespace(table=object(), number=1))
    assert screen.calls == []
