"""One state for the whole visit: data, budget, neighbours, truth, draw, and how it stands in links."""
