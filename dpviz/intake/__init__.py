"""Files and sample sets → core data, with clear errors."""
