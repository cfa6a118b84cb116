"""Tables that stay in an engine, such as DuckDB or Spark: cells are counted there in one pass."""
