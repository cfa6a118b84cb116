"""`dpviz count` as its users call it: Parquet files, words and exit codes."""

import gzip
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import dpviz as dp
from dpviz.__main__ import main
from dpviz.counting import CONFIDENTIAL
from dpviz.intake.engine.counts_file import read_counts
from tests.conftest import ROOT

DECLARED = ("--column", "age", "--low", "0", "--high", "120", "--resolution", "1")


def file_of(path: Path, **columns: object) -> Path:
    parquet.write_table(pa.table(columns), path)
    return path


@pytest.fixture
def people(tmp_path: Path) -> Path:
    return file_of(tmp_path / "people.parquet", age=[20, 30, 30, None, 500], name=[*"abcde"])


@pytest.mark.law
def test_a_process_counts_a_file_and_says_that_counts_are_confidential(people):
    out = people.with_name("counts.parquet")
    call = [sys.executable, "-m", "dpviz", "count", str(people), *DECLARED, "-o", str(out)]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", CONFIDENTIAL + "\n")
    expected = dp.Column.from_values([20, 30, 30, np.nan, 500], dp.Bounds(0, 120), 1)
    assert read_counts(out).fingerprint == expected.fingerprint


def test_several_files_are_one_table(tmp_path):
    for part in range(3):
        file_of(tmp_path / f"part{part}.parquet", age=[part, 50.0])
    out = tmp_path / "counts.out"
    assert main(["count", str(tmp_path / "part*.parquet"), *DECLARED, "-o", str(out)]) == 0
    assert [*read_counts(out).values] == [0, 1, 2, 50, 50, 50]


def test_names_of_folders_and_files_are_no_cells_and_no_patterns(tmp_path):
    (tmp_path / "age=1").mkdir()
    path = file_of(tmp_path / "age=1" / "f[1].parquet", age=[20, 30])
    for k, (more, held) in enumerate([((), [20, 30]), (("--hive",), [1, 1])]):
        out = tmp_path / f"counts{k}.out"
        assert main(["count", str(path), *DECLARED, *more, "-o", str(out)]) == 0
        assert [*read_counts(out).values] == held


def test_names_that_differ_in_capitals_are_refused_in_words(tmp_path, capsys):
    path = file_of(tmp_path / "f.parquet", Age=[1], age=[2])
    assert main(["count", str(path), *DECLARED, "-o", str(tmp_path / "out")]) == 1
    assert "called 'age', up to capital letters" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        ({"--resolution": "-1"}, 2, "Refused: Resolution"),
        ({"--resolution": "1e-7"}, 2, "cells; at most"),
        ({"--low": "120"}, 2, "lower bound"),
        ({"--low": "nan"}, 2, "finite"),
        ({"--column": "pay"}, 1, "no column 'pay'. It has 'age', 'name'. Nothing was written."),
        ({"--column": "name"}, 1, "'name' is of type string"),
    ],
)
def test_refusals(people, capsys, change, code, words):
    declared = dict(zip(DECLARED[::2], DECLARED[1::2], strict=True)) | change
    out = people.with_name("counts.out")
    asked = [word for pair in declared.items() for word in pair]
    assert main(["count", str(people), *asked, "-o", str(out)]) == code
    assert words in capsys.readouterr().err
    assert not out.exists()


def test_files_that_cannot_be_read(tmp_path, capsys):
    out = str(tmp_path / "out.parquet")
    damaged, text = tmp_path / "damaged.parquet", tmp_path / "people.csv"
    damaged.write_bytes(b"PAR1 Ada Secret PAR1")
    text.write_text("age\n1\n", encoding="utf-8")
    for path, code, words in (
        (damaged, 1, "could not be read"),
        (text, 2, "save the table as Parquet"),
        (tmp_path / "none.parquet", 1, "no file"),
    ):
        assert main(["count", str(path), *DECLARED, "-o", out]) == code
        said = capsys.readouterr().err
        assert words in said
        assert "Secret" not in said


def test_no_file_is_overwritten(people, capsys):
    assert main(["count", str(people), *DECLARED, "-o", str(people)]) == 1
    assert "cannot be written: File exists" in capsys.readouterr().err
    assert parquet.read_table(people).num_rows == 5


def test_bounds_and_resolution_must_be_declared(people, capsys):
    for missing in DECLARED[::2]:
        at = DECLARED.index(missing)
        asked = [*DECLARED[:at], *DECLARED[at + 2 :], "-o", "x"]
        with pytest.raises(SystemExit):
            main(["count", str(people), *asked])
        assert missing in capsys.readouterr().err


@pytest.mark.parametrize("path", ["a\0b.parquet", "a\ud800.parquet", "\0"])
def test_a_path_that_is_none_ends_in_words(people, capsys, path):
    out = people.with_name("counts.parquet")
    if path.isascii():
        assert main(["count", path, *DECLARED, "-o", str(out)]) == 1
        assert "Nothing was written." in capsys.readouterr().err
    assert main(["count", str(people), *DECLARED, "-o", path]) == 1
    assert "cannot be written" in capsys.readouterr().err
    assert not out.exists()


def test_a_cut_archive_ends_in_words(people, capsys):
    archive = people.with_name("people.parquet.gz")
    archive.write_bytes(gzip.compress(people.read_bytes())[:60])
    assert main(["count", str(archive), *DECLARED, "-o", str(people.with_name("c"))]) == 1
    assert "Nothing was written." in capsys.readouterr().err
