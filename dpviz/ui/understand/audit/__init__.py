"""Audit: what is tried beside which twin, what the runs prove, and what the page says of it."""
