"""Truth + release → error. Everything here is confidential and never exported with a release."""
