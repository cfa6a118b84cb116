"""What the sentence of Decide lies among: the frontier, sweeps, which method wins, exact search."""
