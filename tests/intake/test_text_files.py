"""Text files as bytes, each with what must come out."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from dpviz.core.errors import InvalidData, UnreadableColumn, UnreadableFile
from dpviz.intake.read import read_table
from tests.rows import by_rows

NAN = float("nan")
SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"


def read(data: bytes, name: str = "rows.csv"):
    return read_table(data, name)


def values(table, column, **options):
    return table.numeric_values(column, **options).values


def check(data: bytes, expected: dict[str, list[float]], name: str = "rows.csv"):
    table = read(data, name)
    assert [info.name for info in table.columns] == list(expected)
    for column, numbers in expected.items():
        np.testing.assert_array_equal(values(table, column), numbers)
    return table


EXPECTED = {"naïve": [1.5, -2.0, 3.25], "y": [10, 20, 30]}
PLAIN = "naïve,y\n1.5,10\n-2.0,20\n3.25,30\n"


@pytest.mark.parametrize(
    ("encoding", "note"),
    [
        ("utf-8", None),
        ("utf-8-sig", None),
        ("utf-16", "UTF-16"),
        ("utf-32", "UTF-32"),
        ("latin-1", "Windows-1252"),
        ("cp1252", "Windows-1252"),
    ],
)
def test_encodings(encoding, note):
    table = check(PLAIN.encode(encoding), EXPECTED)
    assert any(note in line for line in table.notes) if note else table.notes == ()


def test_big_endian_utf16_and_undefined_windows_bytes():
    check(b"\xfe\xff" + PLAIN.encode("utf-16-be"), EXPECTED)
    table = read(b"a,b\n1,caf\xe9\n2,\x81\n")
    assert "Latin-1" in table.notes[0]


def test_invalid_byte_far_behind_the_head():
    data = b"a,b\n" + b"1,x\n" * 50_000 + b"2,caf\xe9\n"
    table = read(data)
    assert table.rows == 50_001
    assert "Windows-1252" in table.notes[0]


@by_rows("separator", [",", ";", "\t", "|"])
@by_rows("end", ["\n", "\r\n", "\r"])
def test_separators_and_line_ends(separator, end):
    lines = ["a,b,c", "1,2.5,x", "3,4.5,y", "5,6.5,z"]
    data = end.join(line.replace(",", separator) for line in lines).encode()
    check_data = read(data)
    np.testing.assert_array_equal(values(check_data, "b"), [2.5, 4.5, 6.5])
    assert [info.kind for info in check_data.columns] == ["numeric", "numeric", "text"]


def test_separator_inside_quotes_does_not_count():
    data = b'name;v\n"Doe, Jane; Dr, MD";1\n"Roe, Rick, Jr";2\n"Poe; a, b";3\n'
    assert values(read(data), "v").tolist() == [1, 2, 3]


def test_tabs_beat_commas_in_prose():
    data = b"text\tv\nhello, world\t1\nsome, more\t2\n"
    assert values(read(data, "rows.tsv"), "v").tolist() == [1, 2]


def test_separator_ties():
    prose = b"who, where\twhat, when\nme, here\tthis, now\nyou, there\tthat, then\n"
    assert len(read(prose).columns) == 2
    check_columns = read(b"a,p;q,b\n1,x;y,2\n3,z;w,4\n").columns
    assert [info.name for info in check_columns] == ["a", "p;q", "b"]


def test_line_ends_in_quotes_across_arrows_blocks():
    text = '"' + "some words\n" * 9 + '"'
    table = read(("name,v\n" + f"{text},1\n" * 40_000).encode())
    assert (table.rows, values(table, "v").sum()) == (40_000, 40_000)


def test_excel_separator_line():
    check(b"sep=;\r\na;b\r\n1;2\r\n", {"a": [1], "b": [2]})


def test_single_column_with_commas_in_some_texts_stays_one_column():
    table = read(b"comment\nfine\nwell, yes\nno\ngood\nso, so, so\nend\n")
    assert [info.name for info in table.columns] == ["column 1"]
    assert table.rows == 7  # of words alone nothing says that the first is a name


def test_decimal_commas():
    check(b"x;y\n3,5;-4,25\n1,0;2\n", {"x": [3.5, 1], "y": [-4.25, 2]})
    check(b"3,5;4,25\n1,5;2,5\n", {"column 1": [3.5, 1.5], "column 2": [4.25, 2.5]})
    check(b"height\n3,5\n4,25\n", {"height": [3.5, 4.25]})
    check(b'x,y\n"3,5",1\n"4,25",2\n', {"x": [3.5, 4.25], "y": [1, 2]})


def test_decimal_point_in_a_semicolon_file():
    check(b"x;y\n3.5;1\n4.25;2\n", {"x": [3.5, 4.25], "y": [1, 2]})


def test_points_and_commas_in_different_columns():
    check(b"x;y\n3,5;1.25\n4,5;2.75\n5,25;3\n", {"x": [3.5, 4.5, 5.25], "y": [1.25, 2.75, 3]})


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["1,234.5", "2,000"], [1234.5, 2000]),
        (["1,234,567", "12"], [1234567, 12]),
        (["1.234,5", "2.000"], [1234.5, 2000]),
        (["1 234 567", "-2 000"], [1234567, -2000]),
        (["1'234.50", "7"], [1234.5, 7]),
        (["0,123", "0,456"], [0.123, 0.456]),
        (["+3,5", "−4,5"], [3.5, -4.5]),
    ],
)
def test_unambiguous_thousands(cells, expected):
    rows = "".join(f'"{cell}"\n' for cell in cells)
    check(f"v\n{rows}".encode(), {"v": expected})
    rows = "".join(f'"{cell}",1\n' for cell in cells)  # here no decimal mark is told from the head
    check(f"v,w\n{rows}".encode(), {"v": expected, "w": [1] * len(cells)})


def test_ambiguous_thousands_are_refused_with_the_reason():
    table = read(b'pay,y\n"52,300",1\n"48,000",2\n')
    with pytest.raises(InvalidData, match=r"two ways \(first: '52,300', row 1\)"):
        table.numeric_values("pay")
    table = read(b"pay;y\n1.234;3,5\n2.345;2,5\n")
    with pytest.raises(InvalidData, match="two ways"):
        table.numeric_values("pay")
    # the twin that is not ambiguous: digits after the point cannot be a group
    assert values(read(b"pay;y\n1.2345;3,5\n2.5;2,5\n"), "pay").tolist() == [1.2345, 2.5]


def test_quoted_fields_with_line_ends():
    data = b'name,v\n"two\nlines",1\n"and\r\nthree\nmore",2\nplain,3\n'
    table = read(data)
    assert table.rows == 3
    assert values(table, "v").tolist() == [1, 2, 3]


@pytest.mark.law
def test_line_end_in_quotes_only_far_behind_the_head():
    data = b"name,v\n" + b"x,1\n" * 600_000 + b'"two\nlines",2\n'
    table = read(data)
    assert table.rows == 600_001
    assert values(table, "v").sum() == 600_002


def test_quote_that_is_never_closed():
    table = read(b'a\tb\n1\t2\n"3\t4\n5\t6\n7\t8\n')
    assert values(table, "b").tolist() == [2, 4, 6, 8]
    assert any("never closed" in note for note in table.notes)


@pytest.mark.parametrize("head", ["a,b\n1,2\n", "a,b\n"])
def test_open_quote_in_the_last_column_swallows_nothing(head):
    table = read((head + '3,"x\n' + "1,2\n" * 5_000).encode())
    assert table.rows == 5_001 + head.count("1,2")
    assert any("never closed" in note for note in table.notes)
    assert table.numeric_values("b", drop_unreadable=True).unreadable == 1
    # the twin whose quote is closed keeps its line ends
    assert read((head + '3,"x\n' + "1,2\n" * 5_000 + '"\n').encode()).rows == 1 + head.count("1,2")


def test_more_names_than_fields_are_refused():
    with pytest.raises(UnreadableFile, match="starts with 3 fields, but most of its rows have 2"):
        read(b"a,b,c\n1,2\n3,4\n")


def test_missing_values():
    cells = ["1", "", "NA", "N/A", "null", "NaN", "-", "?", " ", "2"]
    data = ("v,w\n" + "".join(f"{cell},0\n" for cell in cells)).encode()
    table = read(data)
    column = table.numeric_values("v")
    np.testing.assert_array_equal(column.values, [1] + [NAN] * 8 + [2])
    assert column.missing == table.columns[0].missing == 8
    assert table.columns[0].not_numeric == 0


def test_blank_lines_of_a_single_column_are_missing_values():
    check(b"v\n1\n\n2\n\n\n3\n", {"v": [1, NAN, 2, NAN, NAN, 3]})
    check(b"a,b\n1,2\n\n3,4\n", {"a": [1, 3], "b": [2, 4]})  # between rows of several: nothing


def test_header_missing():
    table = check(b"1,2\n3,4\n", {"column 1": [1, 3], "column 2": [2, 4]})
    assert (table.header, table.notes) == (False, ())
    assert table.first_row == "The first row counts as a record, so the columns are numbered."
    check(b"7\n8\n", {"column 1": [7, 8]})
    check(b"1.5,2", {"column 1": [1.5], "column 2": [2]})


def test_names_with_a_number_among_them_count_as_a_record_until_they_are_declared():
    data = b"region,2019\n1,2\n"
    table = read(data)
    assert [one.name for one in table.columns] == ["column 1", "column 2"]
    assert values(table, "column 2").tolist() == [2019, 2]
    for named in (table.again(True), read_table(data, "rows.csv", header=True)):
        assert [one.name for one in named.columns] == ["region", "column 2"]
        assert values(named, "column 2").tolist() == [2]
        assert "what looks like a value among them is replaced" in named.first_row


def test_names_repeated_empty_and_dirty():
    table = read(b'a,a,,"two\nlines",\x1ba,a (2)\n1,2,3,4,5,6\n' + b"1,2,3,4,5,6\n" * 20)
    assert [info.name for info in table.columns] == [
        "a", "a (2)", "column 3", "two lines", "a (3)", "a (2) (2)",
    ]  # fmt: skip
    assert values(table, "a (2)")[0] == 2


def test_lines_above_the_table():
    table = check(
        b"Report 2020\nby someone\n\na,b\n1,2\n3,4\n5,6\n", {"a": [1, 3, 5], "b": [2, 4, 6]}
    )
    assert "2 line(s)" in table.notes[0]


def test_row_names_without_a_header_of_their_own():
    table = read(b'"x","y"\n"r1",1,2\n"r2",3,4\n')
    assert [info.name for info in table.columns] == ["row", "x", "y"]
    assert values(table, "y").tolist() == [2, 4]


def test_separator_at_the_end_of_every_row():
    table = read(b"a,b\n1,2,\n3,4,\n")
    assert [info.kind for info in table.columns] == ["numeric", "numeric", "empty"]
    check(b"a,b,\n1,2\n3,4\n", {"a": [1, 3], "b": [2, 4]})


def test_a_few_ragged_rows_are_skipped_and_told():
    table = read(b"a,b\n" + b"1,2\n" * 30 + b"3\n4,5,6\n" + b"1,2\n" * 30)
    assert table.rows == 60
    assert table.notes[0].startswith(
        "2 of 62 rows do not have 2 fields as the others do (first: 1)"
    )


def test_many_ragged_rows_are_refused():
    with pytest.raises(UnreadableFile, match="20 of 60 rows do not have 2 fields"):
        read(b"a,b\n" + b"1,2\n" * 40 + b"4,5,6\n" * 20)


def test_mixed_types_name_the_count_the_first_value_and_the_row():
    cells = ["30"] * 16 + ["unknown"] + ["31"] * 20 + ["n. a."] * 2
    table = read(("age,b\n" + "".join(f"{cell},1\n" for cell in cells)).encode())
    info = table.info("age")
    assert (info.kind, info.missing, info.not_numeric) == ("numeric", 0, 3)
    message = (
        "Column 'age' has 3 of 39 values that are not numbers (first: 'unknown', row 17). "
        "Choose another column or drop those rows."
    )
    with pytest.raises(InvalidData) as caught:
        table.numeric_values("age")
    assert str(caught.value) == message
    column = table.numeric_values("age", drop_unreadable=True)
    assert (column.missing, column.unreadable) == (0, 3)
    assert int(np.isnan(column.values).sum()) == 3
    assert np.nansum(column.values) == 16 * 30 + 20 * 31


@pytest.mark.law
def test_type_that_changes_only_late():
    table = read(b"v,w\n" + b"1,a\n" * 700_000 + b"2.5,a\noops,a\n")
    column = table.numeric_values("v", drop_unreadable=True)
    assert column.unreadable == 1
    assert np.nansum(column.values) == 700_002.5


def test_column_of_text():
    table = read(b"city,v\nGraz,1\nLinz,2\n")
    assert table.info("city").kind == "text"
    with pytest.raises(
        UnreadableColumn, match=r"no numbers in its 2 values \(first: 'Graz', row 1\)"
    ):
        table.numeric_values("city")
    with pytest.raises(UnreadableColumn, match=r"has no numbers that can be read\."):
        table.numeric_values("city", drop_unreadable=True)


def test_dates_are_refused():
    table = read(b"d,t,s\n2020-01-01,10:30,2020-01-01 10:30:00\n2021-05-05,,2020-01-01 10:31:00\n")
    for name in "dts":
        assert table.info(name).kind == "date"
        with pytest.raises(InvalidData, match="dates or times"):
            table.numeric_values(name)


def test_booleans_become_zero_and_one():
    table = check(b"b,v\ntrue,1\nfalse,2\n,3\n", {"b": [1, 0, NAN], "v": [1, 2, 3]})
    assert table.info("b").kind == "boolean"
    assert [info.name for info in table.numeric_columns] == ["b", "v"]


def test_infinities_and_huge_integers():
    check(b"v\ninf\n-inf\n1\n", {"v": [np.inf, -np.inf, 1]})
    check(b"v\n123456789012345678901234567890\n1\n", {"v": [123456789012345678901234567890.0, 1]})
    check(b"v\n9007199254740993\n1\n", {"v": [9007199254740992.0, 1]})


def test_empty_column():
    table = read(b"a,b\n1,\n2,NA\n")
    assert table.info("b").kind == "empty"
    with pytest.raises(InvalidData, match="all 2 are missing"):
        table.numeric_values("b")


@pytest.mark.law
def test_thousands_of_columns():
    width = 4_000
    rows = [",".join(f"a rather long column name {k}" for k in range(width))]
    rows += [",".join(str(k + r) for k in range(width)) for r in range(9)]
    table = read("\n".join(rows).encode())
    assert len(table.columns) == width
    assert values(table, "a rather long column name 3999").tolist() == [3999 + r for r in range(9)]


def test_fields_longer_than_arrows_block():
    long = b"x" * 3_000_000
    table = read(b"a,b\n1,2\n3," + long + b"\n5," + long + b"\n")
    assert values(table, "a").tolist() == [1, 3, 5]


@pytest.mark.parametrize("kind", ["bytes", "memory", "wrapped", "path"])
def test_every_kind_of_source(kind, tmp_path):
    data = b"a\n1\n2\n"
    path = tmp_path / "rows.csv"
    path.write_bytes(data)
    memory = io.BytesIO(data)
    memory.read()  # a file that was read already is read from its start again
    sources = {"bytes": data, "memory": memory, "path": path, "wrapped": path.open("rb")}
    table = read_table(sources[kind], "rows.csv")
    assert values(table, "a").tolist() == [1, 2]
    memory.close()
    sources["wrapped"].close()


def test_values_stay_out_of_reprs_and_are_read_only():
    table = read(b"a,b\n123456,secret\n")
    assert "123456" not in repr(table)
    assert "secret" not in repr(table)
    with pytest.raises(ValueError, match="read-only"):
        values(table, "a")[0] = 1


@pytest.mark.skipif(not SHARED.is_dir(), reason="the folder shared/data is not beside the project")
@pytest.mark.parametrize(
    ("file", "rows", "columns"),
    [
        ("adult_age.csv", 48_842, ["adult_age"]),
        ("goodreads_ratings.csv", 11_123, ["goodreads_ratings"]),
        ("ne_addresses.csv", 123_593, ["x", "y"]),
    ],
)
def test_real_files_against_numpy(file, rows, columns):
    table = read_table(SHARED / file, file)
    assert (table.rows, [info.name for info in table.columns], table.notes) == (rows, columns, ())
    slow = np.loadtxt(SHARED / file, skiprows=1, delimiter=",", ndmin=2)
    for place, name in enumerate(columns):
        np.testing.assert_array_equal(values(table, name), slow[:, place])


def test_unknown_column():
    with pytest.raises(InvalidData, match=r"no column 'z'\. Choose one of 'a', 'b'"):
        read(b"a,b\n1,2\n").numeric_values("z")
