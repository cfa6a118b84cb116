"""The frame, the session, jobs, choices and charts that all pages share; no mechanism is known here."""
