"""What every figure shares: layout, colours, and thinning to what a screen can show."""
