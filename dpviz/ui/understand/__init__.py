"""One person, budget and audit: what one record changes, what many answers cost, what runs prove."""
