"""The review of decisions at Hanabi: what every move is worth from one seat's view, and mistakes in words."""
