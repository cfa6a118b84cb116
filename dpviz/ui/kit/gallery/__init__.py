"""Small pictures as plain data, and the one component that draws them, alone or as cards."""
