"""The review of decisions at Love Letter: the chance to win the round with every move, and mistakes in words."""
