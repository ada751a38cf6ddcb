"""Three sets: an example from a lecture on minimax."""
