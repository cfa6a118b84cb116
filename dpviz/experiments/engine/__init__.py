"""How an experiment is cut into cells, run by workers, measured and added up."""
