"""What one record changes: exact output laws of neighbours, audits, averaging, and odds."""
