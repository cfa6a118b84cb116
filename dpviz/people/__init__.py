"""People with several rows: which of them count, as what, and a release at a price a person."""
