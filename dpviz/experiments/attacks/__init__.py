"""What exact statistics give away: attacks without any privacy, to show why noise is needed."""
