"""The three sets of a lecture on minimax."""
