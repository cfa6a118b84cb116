"""A quantile without bounds: public guesses grow until enough records lie below."""
