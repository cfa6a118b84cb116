"""Exact counts of cells and ranges: confidential, and nothing here draws noise or spends budget."""
