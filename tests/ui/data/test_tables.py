"""What a section of secrets.toml means."""

from dpviz.ui.data import uploading
from dpviz.ui.data.uploading import DeclaredTable, declared_tables


class Secrets(dict):
    def load_if_toml_exists(self):
        return True


def test_what_is_declared_is_read(monkeypatch):
    section = {
        "visits": {"url": "a/*.parquet", "hive": True},
        "house": {"title": "House", "url": "duckdb:///h.db", "table": "t", "hive": "yes"},
        "no_section": 3,
    }
    monkeypatch.setattr(uploading.st, "secrets", Secrets({"tables": section}))
    assert declared_tables() == {
        "visits": DeclaredTable("Visits", "a/*.parquet", None, hive=True),
        "house": DeclaredTable("House", "duckdb:///h.db", "t", hive=False),
    }
